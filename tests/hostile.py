"""Names that try to be more than names."""

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "=cmd|' /C calc'!A0",
    "![x](http://127.0.0.1:9/x.png)",
    "\u202egnp.exe",
    "שלום",
    "x" * 3000,
    "</script><script>alert(1)</script>",
    "a\nb\tc",
    "$\\frac{1}{0}$",
    "",
    "-flag",
    "'; rm -rf ~ #",
    "a_b & 50% #1",
    "see http://a.example, www.b.example",
    "＝1|calc",
]

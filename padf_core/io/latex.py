"""Format LaTeX tables that compile unchanged, whatever names they contain."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "µ": r"\ensuremath{\mu}",
    "±": r"\ensuremath{\pm}",
    "…": r"\ldots{}",
}
"""LaTeX commands for special characters.

Brackets and stars need braces, or LaTeX would read them as arguments of the previous row's end.
"""

_ACCENTS = "\u0300\u0301\u0302\u0303\u0308\u030a\u0327"
_LETTERS = "ßæÆøØ"

_RULES = r"""% \toprule, \midrule and \bottomrule are those of booktabs where it is loaded
\providecommand{\toprule}{\hline}
\providecommand{\midrule}{\hline}
\providecommand{\bottomrule}{\hline}"""


def latex_text(text: str) -> str:
    """Escape characters that LaTeX would interpret or that its usual fonts lack.

    >>> print(latex_text("50% of a_b"), latex_text("Zoë"), latex_text("שלום")[:6])
    50\\% of a\\_b Zoë U+05E9
    """
    return "".join(map(_written, text))


def _written(character: str) -> str:
    if character in _COMMANDS:
        return _COMMANDS[character]
    parts = unicodedata.normalize("NFD", character)
    base, marks = parts[0], parts[1:]
    is_known = base.isascii() and base.isprintable() and all(mark in _ACCENTS for mark in marks)
    if is_known or character in _LETTERS:
        return character
    if character.isspace():
        return " "
    return f"U+{ord(character):04X}"


def latex_table(
    heads: Sequence[str], groups: Sequence[Sequence[Sequence[str]]], caption: str, label: str
) -> str:
    """Return a table of names and numbers; a line separates the ``groups`` of rows.

    Heads, first cells and the caption are plain text. The other cells are LaTeX.

    >>> made = latex_table(["F1", "PA%K"], [[["a_b", "0.500"]]], "Scores", "tab:one")
    >>> [line for line in made.splitlines() if "&" in line]
    ['F1 & PA\\\\%K \\\\\\\\', 'a\\\\_b & 0.500 \\\\\\\\']
    """
    lines: list[str] = []
    for group in groups:
        lines.append(r"\midrule")
        lines += [" & ".join([latex_text(first), *rest]) + r" \\" for first, *rest in group]
    return "\n".join(
        [
            _RULES,
            r"\begin{table}",
            rf"\caption{{{latex_text(caption)}}}",
            rf"\label{{{label}}}",
            r"\centering",
            rf"\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}",
            r"\toprule",
            " & ".join(map(latex_text, heads)) + r" \\",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )

"""Browser code: ES modules, joined into one script per component, and style sheets."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from padf_ui.web.palette import css_variables

HERE = Path(__file__).parent

_IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}\s+from\s+)?"(\.[\w./-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) ([\w$]+))", re.MULTILINE)
_PALETTE = re.compile(r"@palette (light|dark|both);")
_LEFT = re.compile(r"^(?:import\b|export (?!default\b)).*", re.MULTILINE)


@cache
def join(entry: str) -> str:
    """Return an entry module and everything it imports as the text of one ES module.

    Each imported module becomes a function, so that its names stay private. It is called once,
    after the modules it imports, and returns its exports. The entry follows unchanged at the end.
    """
    return "\n".join(
        _scoped(module, is_entry=module.name == entry) for module in _order(_find(entry))
    )


def _find(name: str) -> Path:
    """Return the path of a module. File names are unique across folders."""
    (found,) = HERE.rglob(name)
    return found


def _scoped(module: Path, *, is_entry: bool) -> str:
    text = module.read_text(encoding="utf-8")
    exported = _EXPORT.findall(text)
    text = _IMPORT.sub(lambda found: _binding(module, found), _EXPORT.sub("", text))
    left = _LEFT.search(text)
    if left:
        raise ValueError(f"{module.name} has a line that cannot be joined: {left[0]}")
    if is_entry:
        return text
    if "\nexport default" in text:
        raise ValueError(f"{module.name} is imported, so it must not have a default export")
    return (
        f"const {_scope(module)} = (() => {{\n{text}return {{ {', '.join(exported)} }};\n}})();\n"
    )


def _binding(module: Path, found: re.Match[str]) -> str:
    """Replace an import by names taken from the imported module's exports."""
    if found[1] is None:
        return ""
    names = re.sub(r"\s+as\s+", ": ", " ".join(found[1].split()))
    return f"const {{ {names} }} = {_scope(_imported(module, found[2]))};\n"


def _imported(module: Path, address: str) -> Path:
    return (module.parent / address).resolve()


def _scope(module: Path) -> str:
    return "$" + re.sub(r"\W", "_", module.stem)


@cache
def style(*names: str) -> str:
    """Return the style sheets joined as one text, with the colours of the palette."""
    text = "".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in names)
    return _PALETTE.sub(lambda found: css_variables(found[1]), text)


@cache
def head() -> str:
    """Return the contents of every page's head: the style, and the rule for Back."""
    script = join("address.js") + "addOneEntryPerAction(history, window);\n"
    return f'<style>{style("page", "terms")}</style><script type="module">{script}</script>'


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="lesson"></main>
<script type="application/json" id="payload">{payload}</script>
<script type="module">{script}</script>
</body>
</html>
"""

_BEGIN = """
start(
  document.getElementById("lesson"),
  JSON.parse(document.getElementById("payload").textContent),
);
"""


def standalone(payload: Mapping[str, Any]) -> str:
    """Return a `FileData` as one HTML page that works from a file, without server or network."""
    return _alone(payload, str(payload["title"]), "standalone.js")


def replay_page(payload: Mapping[str, Any]) -> str:
    """Return a `ReplayData` as one HTML page that works from a file."""
    return _alone(payload, str(payload["rows"]["title"]), "replay_file.js")


def _alone(payload: Mapping[str, Any], title: str, entry: str) -> str:
    script = join(entry) + _BEGIN
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise ValueError("the browser code holds what would end its place in a page")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return _PAGE.format(
        policy=policy,
        title=html.escape(title),
        style=style("lanes", "standalone"),
        payload=json.dumps(payload).replace("<", "\\u003c").replace(">", "\\u003e"),
        script=script,
    )


def _order(entry: Path) -> list[Path]:
    """Return the modules that an entry needs, each after the modules it imports."""
    done: list[Path] = []
    open_ones: list[Path] = []

    def visit(module: Path) -> None:
        if module in done:
            return
        if module in open_ones:
            names = [each.name for each in (*open_ones, module)]
            raise ValueError(f"modules import each other: {' -> '.join(names)}")
        open_ones.append(module)
        for _, address in _IMPORT.findall(module.read_text(encoding="utf-8")):
            visit(_imported(module, address))
        done.append(open_ones.pop())

    visit(entry.resolve())
    return done

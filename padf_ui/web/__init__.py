"""The browser code: ES modules that are joined into one text per component, and their style."""

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

HERE = Path(__file__).parent

_IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}\s+from\s+)?"\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default\b)", re.MULTILINE)
_NAME = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var) ([\w$]+)", re.MULTILINE
)
_LEFT = re.compile(r"^(?:import\b|export (?:\{|\*)).*", re.MULTILINE)


@cache
def join(entry: str) -> str:
    """Return an entry module and all that it imports as the text of one ES module.

    Modules keep their top-level names, so no two of them may use the same one.
    """
    names: dict[str, str] = {}
    texts = []
    for module in _order(entry):
        text = _source(module)
        for name in _NAME.findall(text):
            if name in names:
                raise ValueError(f"{name} is in {names[name]} and in {module}")
            names[name] = module
        text = _EXPORT.sub("", _IMPORT.sub("", text))
        if module != entry and "\nexport default" in text:
            raise ValueError(f"{module} is imported, so it must not have a default export")
        texts.append(text)
    return "\n".join(texts)


@cache
def style(*names: str) -> str:
    """Return these style sheets as one text."""
    return "".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in names)


@cache
def head() -> str:
    """Return what every page of the app has in its head: the style and the rule for Back."""
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
    """Return a `ReplayData` as such a page."""
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


def _source(module: str) -> str:
    text = (HERE / module).read_text(encoding="utf-8")
    for imported, _ in _IMPORT.findall(text):
        if re.search(r"\bas\b", imported):
            raise ValueError(f"{module} renames what it imports: {imported.strip()}")
    left = _LEFT.search(_IMPORT.sub("", text))
    if left:
        raise ValueError(f"{module} has a line that cannot be joined: {left[0]}")
    return text


def _order(entry: str) -> list[str]:
    """Return the modules that an entry needs, each behind those that it imports."""
    done: list[str] = []
    open_ones: list[str] = []

    def visit(module: str) -> None:
        if module in done:
            return
        if module in open_ones:
            raise ValueError(f"modules import each other: {' -> '.join([*open_ones, module])}")
        open_ones.append(module)
        for _, imported in _IMPORT.findall(_source(module)):
            visit(imported)
        done.append(open_ones.pop())

    visit(entry)
    return done

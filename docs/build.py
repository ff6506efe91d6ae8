"""Build the documentation as HTML: `make docs`, then open docs/_site/docs/index.html.

HTML pages keep the relative paths of their Markdown files, so links between them work. The API page
is generated from docstrings.
"""

from __future__ import annotations

import html
import inspect
import re
import shutil
import sys
from pathlib import Path

import padf_core

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "docs" / "_site"
TEXTS = (
    *("docs/*.md", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
    *("examples/README.md", "benchmarks/RESULTS.md", "sample_data/README.md"),
)
COPIED = (".github/pictures/*", "examples/*.py", "examples/*.ipynb", "docs/nginx.conf", "LICENSE")
STYLE = """
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.6 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; padding: 0.5rem 0 1rem; }
img { max-width: 100%; height: auto; }
:root { --line: color-mix(in srgb, currentColor 30%, transparent); }
pre { overflow-x: auto; white-space: pre-wrap; padding: 0.75rem; border: 1px solid var(--line); }
table { display: block; overflow-x: auto; border-collapse: collapse; }
td, th { padding: 0.3rem 0.6rem; border: 1px solid var(--line); }
td, th { vertical-align: top; text-align: left; }
"""
NAVIGATION = {
    "Start": "docs/index.md",
    "App": "docs/app.md",
    "Library": "docs/library.md",
    "Command": "docs/command.md",
    "Protocols": "docs/protocols.md",
    "Conventions": "docs/conventions.md",
    "Contradictions": "docs/contradictions.md",
    "Statistics": "docs/statistics.md",
    "Real data": "docs/real-data.md",
    "Choosing d": "docs/choosing-d.md",
    "Teaching": "docs/teaching.md",
    "Corpora": "docs/corpus.md",
    "API": "docs/api.md",
    "Measurements": "benchmarks/RESULTS.md",
    "Deployment": "docs/deployment.md",
    "Security": "SECURITY.md",
}
_LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")


def texts() -> dict[str, str]:
    """Return every text by its path in the repository, including the API page."""
    found = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for pattern in TEXTS
        for path in sorted(ROOT.glob(pattern))
    }
    return {**found, "docs/api.md": api()}


def api() -> str:
    """Generate the API page from docstrings."""
    lines = ["# The library", "", "Every public name of `padf_core`, from its docstring.", ""]
    for name in sorted(padf_core.__all__, key=str.lower):
        thing = getattr(padf_core, name)
        lines += [f"## {name}", "", *_signature(name, thing)]
        about = inspect.getdoc(thing) if callable(thing) else None
        if about:
            lines += [*_described(about), ""]
    return "\n".join(lines)


def _signature(name: str, thing: object) -> list[str]:
    if not callable(thing):
        return []
    try:
        written = f"{name}{inspect.signature(thing)}"
    except ValueError:
        return []
    written = re.sub(r"(: |-> )'([^']*)'", r"\1\2", written.replace("<factory>", "..."))
    written = re.sub(r"= \([^()]{60,}\)", "= (...)", written)
    return ["```python", written, "```", ""]


def _described(about: str) -> list[str]:
    """Keep paragraphs unchanged and format examples as code."""
    made, in_code = [], False
    for line in about.splitlines():
        is_code = line.lstrip().startswith((">>>", "...")) or (in_code and bool(line.strip()))
        if is_code != in_code:
            made.append("```" if in_code else "```python")
        in_code = is_code
        made.append(line)
    return [*made, "```"] if in_code else made


def broken_links(pages: dict[str, str]) -> list[str]:
    """Return the broken links inside the project."""
    found = []
    for place, text in pages.items():
        outside_code = re.sub(r"```.*?```", "", text, flags=re.S)
        for target in _LINK.findall(outside_code):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            there = (ROOT / place).parent.joinpath(path).resolve() if path else ROOT / place
            name = there.relative_to(ROOT).as_posix() if there.is_relative_to(ROOT) else ""
            if (name not in pages and not there.exists()) or (
                anchor and name in pages and anchor not in _anchors(pages[name])
            ):
                found.append(f"{place}: {target}")
    return found


def _anchors(text: str) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", text, flags=re.M)
    return {re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-") for head in heads}


def page(place: str, text: str) -> str:
    """Return a text as an HTML page, with links to Markdown files changed to HTML."""
    import markdown

    linked = _LINK.sub(lambda found: f"]({re.sub(r'[.]md(?=#|$)', '.html', found[1])})", text)
    body = markdown.markdown(linked, extensions=["tables", "fenced_code", "toc"])
    up = "../" * place.count("/")
    entries = " ".join(
        f'<a href="{up}{target.removesuffix(".md")}.html">{html.escape(name)}</a>'
        for name, target in NAVIGATION.items()
    )
    found = re.search(r"^# (.*)$", text, flags=re.M)
    title = html.escape(found[1] if found else place)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style><nav>{entries}</nav><main>{body}</main></html>\n"
    )


def build(site: Path = SITE) -> int:
    """Write all pages and return their number."""
    shutil.rmtree(site, ignore_errors=True)
    pages = texts()
    for place, text in pages.items():
        target = site / f"{place.removesuffix('.md')}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(place, text))
    for pattern in COPIED:
        for path in ROOT.glob(pattern):
            target = site / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    return len(pages)


if __name__ == "__main__":
    wrong = broken_links(texts())
    if wrong:
        sys.exit("links that lead nowhere:\n" + "\n".join(wrong))
    print(f"{build()} pages in {SITE}")

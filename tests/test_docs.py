"""The documentation: no link leads nowhere, every page is reached, and the site is built."""

import fnmatch
import re
from functools import cache

import pytest

import padf_core
from docs import build
from tests.browser.server import ROOT


def test_no_link_leads_nowhere():
    assert build.broken_links(build.texts()) == []


def test_a_link_that_leads_nowhere_is_found():
    pages = {"docs/a.md": "# A\n[x](b.md) [y](#a) [z](#c) [w](../LICENSE) [v](https://a.example)"}
    assert build.broken_links(pages) == ["docs/a.md: b.md", "docs/a.md: #c"]


def test_every_page_is_reached_and_every_public_name_is_told():
    pages = build.texts()
    start = pages["docs/index.md"]
    assert all(
        place.removeprefix("docs/") in start
        for place in pages
        if place.startswith("docs/") and place != "docs/index.md"
    )
    assert set(build.NAVIGATION.values()) <= set(pages)
    assert all(f"## {name}\n" in pages["docs/api.md"] for name in padf_core.__all__)


FILE = re.compile(r"`([\w.*<>/-]+\.(?:py|js|css|toml|txt|md)|\w[\w/]*/\w*)(?:: (\w+))?`")


def named_files(text):
    """Files and folders between backticks, as patterns, and what is said to be in them."""
    return {(re.sub(r"<\w+>", "*", name), inside) for name, inside in FILE.findall(text)}


@cache
def tree():
    """Every file and folder by its path, also without the last slash."""
    tops = [path for path in ROOT.iterdir() if not path.name.startswith(".")]
    tops += [ROOT / ".streamlit", ROOT / ".github"]
    return {
        f"/{path.relative_to(ROOT).as_posix()}": path
        for top in tops
        for path in (top, *top.rglob("*"))
    }


def missing_files(text):
    found = {
        (name, inside): [tree()[path] for path in fnmatch.filter(tree(), f"*/{name.rstrip('/')}")]
        for name, inside in named_files(text)
    }
    return sorted(
        name
        for (name, inside), paths in found.items()
        if not any(not inside or inside in path.read_text() for path in paths)
    )


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/RESULTS.md", "docs"]
)
def test_every_file_that_is_named_is_there(page):
    """CHANGELOG may name files that have gone."""
    pages = sorted((ROOT / page).glob("*.md")) if page == "docs" else [ROOT / page]
    assert {path.name: missing_files(path.read_text()) for path in pages} == {
        path.name: [] for path in pages
    }


def test_a_file_that_is_not_there_is_found():
    said = "`tests/core/test_gone.py` `tests/ui/` `frame.py: no_such` `frame.py: slot` `*_page.py`"
    assert missing_files(said) == ["frame.py", "tests/core/test_gone.py"]


def test_the_site_is_built(tmp_path):
    count = build.build(tmp_path)
    made = list(tmp_path.rglob("*.html"))
    assert len(made) == count
    for file in made:
        for target in re.findall(r'(?:href|src)="([^"#]+)', file.read_text()):
            if "://" not in target:
                assert (file.parent / target).exists() or (ROOT / target).exists(), (file, target)

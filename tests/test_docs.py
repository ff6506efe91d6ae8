"""The documentation: no link leads nowhere, every page is reached, and the site is built."""

import re

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


def test_the_site_is_built(tmp_path):
    count = build.build(tmp_path)
    made = list(tmp_path.rglob("*.html"))
    assert len(made) == count
    for file in made:
        for target in re.findall(r'(?:href|src)="([^"#]+)', file.read_text()):
            if "://" not in target:
                assert (file.parent / target).exists() or (ROOT / target).exists(), (file, target)

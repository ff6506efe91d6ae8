"""Streamlit's own elements, on which our style and browser code rely: all are still there."""

import re

from padf_ui import web
from tests.browser.conftest import visit, wait_until_idle

KNOWN_IN = ("page.css", "presented.css", "core/streamlit_dom.js")

NOTE = """
window.seen = new Set();
const note = (node) => {
  if (node.nodeType !== 1) return;
  for (const each of [node, ...node.querySelectorAll("*")]) {
    for (const name of each.classList) window.seen.add(name);
    if (each.dataset.testid) window.seen.add(each.dataset.testid);
  }
};
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) note(node);
}).observe(document, { childList: true, subtree: true });
"""

PAGES = {
    "learn?lesson=course&step=1": "h1",
    "your_data?sample=pump": ".stDataFrame canvas",
    "playground": ".lane-score",
    "random_detector": "[data-testid=stMultiSelect]",
}
"""Pages on which all of them stand, and what to wait for there."""


def names_in(text):
    """Names of Streamlit's elements. Those that begin with st-key are documented, and ours."""
    return set(re.findall(r"\bst[A-Z]\w+", text))


def test_every_element_that_we_rely_on_is_there(contexts, address):
    wanted = {name for file in KNOWN_IN for name in names_in((web.HERE / file).read_text())}
    page = contexts().new_page()
    page.add_init_script(NOTE)
    for path, loaded in PAGES.items():
        visit(page, f"{address}/{path}")
        wait_until_idle(page)
        page.locator(loaded).first.wait_for()
        wanted -= set(page.evaluate("[...window.seen]"))
    page.close()
    assert wanted == set()


def test_nothing_else_knows_streamlits_elements():
    ui = web.HERE.parent
    known = {web.HERE / name for name in KNOWN_IN}
    files = [path for suffix in ("py", "js", "css") for path in ui.rglob(f"*.{suffix}")]
    others = {
        str(path.relative_to(ui)): found
        for path in files
        if path not in known and (found := names_in(path.read_text(encoding="utf-8")))
    }
    assert others == {}

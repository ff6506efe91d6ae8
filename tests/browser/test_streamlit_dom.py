"""Streamlit's own elements, on which our style and browser code rely: all are still there."""

from padf_ui import web
from tests.browser.conftest import visit, wait_until_idle
from tests.test_architecture import STREAMLIT_DOM, STREAMLIT_SELECTORS, streamlit_elements

NOTE = """
window.seen = new Set();
const note = (node) => {
  if (node.nodeType !== 1) return;
  for (const each of [node, ...node.querySelectorAll("*")]) {
    for (const name of each.classList) window.seen.add(name);
    for (const name of each.getAttributeNames()) window.seen.add(name);
    if (each.dataset.testid) window.seen.add(each.dataset.testid);
  }
};
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) note(node);
}).observe(document, { childList: true, subtree: true });
"""

PAGES = {
    "": '[class*="st-key-padf_card_"] a',
    "learn?lesson=course&step=1": "h1",
    "your_data?sample=pump": ".stDataFrame canvas",
    "playground": ".lane-score",
    "random_detector": "[data-testid=stMultiSelect]",
}
"""Pages on which all of them stand, and what to wait for there."""


def test_every_element_that_we_rely_on_is_there(contexts, address):
    texts = [(web.HERE / file).read_text() for file in STREAMLIT_DOM]
    wanted = {name for text in texts for name in streamlit_elements(text)}
    selectors = set(STREAMLIT_SELECTORS)
    page = contexts().new_page()
    page.add_init_script(NOTE)
    for path, loaded in PAGES.items():
        visit(page, f"{address}/{path}")
        wait_until_idle(page)
        page.locator(loaded).first.wait_for()
        if path == "playground":
            page.get_by_role("radio", name="Lanes").click()
            page.locator(".katex").first.wait_for()
        wanted -= set(page.evaluate("[...window.seen]"))
        selectors -= {each for each in selectors if page.locator(each).count()}
    page.close()
    assert (wanted, selectors) == (set(), set())

"""Every page in light and dark, wide and narrow: it fits, reads and has no accessibility faults."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from padf_core import Settings
from padf_core.paper.published import published_table
from padf_ui import registry
from padf_ui.web.palette import TEXT
from tests.browser.board import Hand
from tests.browser.conftest import PATIENCE, go_to, visit, wait_until_idle, wait_until_it_fits
from tests.strategies import FOUR

LOADED = {
    "": ".front",
    "playground": ".lane-score",
    "learn": "[data-testid=stButton]",
    "quiz": "[data-testid=stButton]",
    "paper_cases": ".card",
    "your_data": "[data-testid=stButton]",
    "your_data?sample=pump": ".lane-score",
    "choose_decay?sample=web_service": ".race-list li",
    "operators": ".js-plotly-plot .main-svg",
    "corpus": ".js-plotly-plot .main-svg",
    "random_detector": ".js-plotly-plot .main-svg",
    "published_results": ".js-plotly-plot .main-svg",
}
"""What a page shows once it is there."""

_SEEN = {path.partition("?")[0] or "start" for path in LOADED}
PAGES = {
    **LOADED,
    **{key: "[data-testid=stMarkdown]" for key in registry.PAGES if key not in _SEEN},
}
"""Every page of the app, and what to wait for on it."""

NOTE_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
      const name = node?.nodeType === 1 ? node.outerHTML.slice(0, 90) : String(node?.textContent);
      return `${name}: y ${previousRect.y} to ${currentRect.y}, now ${currentRect.height} high`;
    });
    window.shifts.push({ value: entry.value, moved });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT = 0.1

OURS = {"exclude": [["[data-testid=stSidebarNavItems]"], ["[data-testid=stTopNavPopover]"]]}
"""Streamlit's own lists of grouped pages have headings between their entries."""
MOVES_ON = """() => {
  const found = [];
  const look = (root) => {
    for (const { effect } of root.getAnimations()) {
      if (effect.getComputedTiming().endTime > 5000) found.push(effect.target.className);
    }
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) look(shadowRoot);
  };
  look(document);
  return found;
}"""
"""What moves for longer than five seconds: that keeps people from reading, and a processor busy."""
FAULTS_ALONE = {"resultTypes": ["violations"]}
"""All rules are tried; only of faults every place is written down."""


@pytest.fixture(scope="module")
def noting_tab(contexts):
    """A tab that notes what it asks for and how its pages jump."""
    page = contexts().new_page()
    asked = []
    page.add_init_script(NOTE_SHIFTS)
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    yield page, asked
    page.close()


def open_noting(noting_tab, address, path, *, width=1400, height=900, scheme="light"):
    """Open a page and wait until it is all there; return it and what it has asked for."""
    page, asked = noting_tab
    page.bring_to_front()
    page.goto("about:blank")
    asked.clear()
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    visit(page, f"{address}/{path}")
    page.locator(PAGES[path]).first.wait_for()
    wait_until_idle(page)
    return page, asked


def check_visit(page, address, asked):
    """Nothing jumps while the page arrives, and no request leaves the server."""
    page.wait_for_load_state("networkidle")
    shifts = page.evaluate("window.shifts")
    assert sum(shift["value"] for shift in shifts) < MOST_SHIFT, shifts
    host = address.split("//")[1]
    away = [
        url
        for url in asked
        if not url.startswith(("data:", "blob:", f"http://{host}/", f"ws://{host}/"))
    ]
    assert away == []
    assert any(url.startswith(f"ws://{host}/") for url in asked)


def check_reading(page):
    """No moderate or serious accessibility fault, no sideways scroll, no exception."""
    serious = [
        (fault["id"], [node["html"][:160] for node in fault["nodes"]])
        for fault in Axe().run(page, OURS, FAULTS_ALONE).response["violations"]
        if fault["impact"] in ("moderate", "serious", "critical")
    ]
    assert serious == []
    assert page.locator("[data-testid=stException]").count() == 0
    wait_until_it_fits(page)
    assert page.evaluate(MOVES_ON) == []


CHARTS_HAVE_COLOUR = """
(wanted) => [...document.querySelectorAll(".js-plotly-plot")].every((chart) => {
  const text = chart.querySelector(".xtick text, .ytick text");
  return text && getComputedStyle(text).fill === wanted;
})
"""


def check_chart_colours(page, mode):
    """Every chart on the page comes to have the text colour of the theme.

    All are looked at in one moment: while a run draws them anew there are more of them for a while.
    """
    number = TEXT[mode].removeprefix("#")
    wanted = f"rgb({', '.join(str(int(number[i : i + 2], 16)) for i in (0, 2, 4))})"
    page.wait_for_function(CHARTS_HAVE_COLOUR, arg=wanted, timeout=PATIENCE)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_holds_still_reads_well_and_follows_theme_and_width(noting_tab, address, path):
    page, asked = open_noting(noting_tab, address, path)
    check_visit(page, address, asked)
    check_reading(page)
    check_chart_colours(page, "light")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("[data-testid=stApp]")).to_have_css("color-scheme", "dark")
    check_chart_colours(page, "dark")
    page.set_viewport_size({"width": 380, "height": 800})
    check_reading(page)


@pytest.mark.parametrize("path", ["", "playground", "your_data?sample=pump", "operators"])
def test_a_narrow_page_holds_still(noting_tab, address, path):
    page, asked = open_noting(noting_tab, address, path, width=380, height=800, scheme="dark")
    check_visit(page, address, asked)
    check_chart_colours(page, "dark")


@pytest.mark.parametrize(("path", "width"), [("learn", 1400), ("choose_decay", 380)])
def test_a_page_holds_still_on_a_slow_machine(contexts, address, path, width):
    page = contexts().new_page()
    page.add_init_script(NOTE_SHIFTS)
    page.set_viewport_size({"width": width, "height": 800})
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    visit(page, f"{address}/{path}")
    page.wait_for_load_state("networkidle")
    shifts = page.evaluate("window.shifts")
    page.close()
    assert sum(shift["value"] for shift in shifts) < MOST_SHIFT, shifts


def test_the_board_fits_one_screen_and_the_curves_below_follow_the_theme(open_page):
    page = open_page()
    hand = Hand(page)
    for part in (
        hand.slider("decay"),
        hand.slider("k"),
        page.locator(".frame [data-f1=padf]"),
        page.locator(".formula"),
        page.locator(".tick-text").first,
    ):
        box = part.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 900
    page.get_by_role("tab", name="F1 over d and K").click()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    for mode in ("light", "dark", "light"):
        page.emulate_media(color_scheme=mode)
        check_chart_colours(page, mode)


def test_on_a_phone_scores_stay_in_view_while_a_long_board_scrolls(open_page):
    page = open_page("playground?n=200&truth=40-90&alarms=60_150", width=380, height=800)
    hand = Hand(page)
    page.locator(".scroll").evaluate("box => box.scrollLeft = 900")
    box = page.locator(".frame [data-f1=padf]").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 380
    hand.cell(1, 150).scroll_into_view_if_needed()
    hand.drag(1, 148, 149)
    assert hand.alarms[148:151] == "111"


def test_paper_cases_are_live_and_agree_with_print(open_page):
    page = open_page("paper_cases")
    page.locator(".card").first.wait_for()
    table = page.get_by_role("region", name="Table 1, computed and published")
    printed = published_table("table1").set_index("case")
    for row in range(5):
        cells = row_of(table, row)
        columns = ["pointwise", "pa", "pa_k20", "padf_0.9"]
        for key, column in zip(FOUR, columns, strict=True):
            assert cells[key].split()[1:] == ["✓", printed.iloc[row][column]]
    published = page.locator(".case-grid.small .printed").all_inner_texts()
    wanted = published_table("table4")["padf_0.9"].tolist()
    assert published == [f"published {value} ✓" for value in wanted]
    matrix = page.get_by_role("region", name="Conditions of Sec. 5.1")
    marks = [[row_of(matrix, row)[key].split()[0] for key in FOUR] for row in range(4)]
    # By Table 1: point-wise and PA%K score cases 2 and 3 alike; PA scores 2 to 5 alike.
    assert marks == [
        ["✗", "✗", "✗", "✓"],
        ["✗", "✗", "✗", "✓"],
        ["–", "✓", "–", "✓"],
        ["✗", "✓", "✗", "✓"],
    ]
    expect(
        page.get_by_text("PAdf meets all required conditions from d = 0.01 to 0.99.")
    ).to_be_visible()
    page.locator("[data-slider=decay] input[type=range]").focus()
    before = table.inner_text()
    page.keyboard.press("ArrowLeft")
    expect(table).not_to_have_text(before)
    # d = 0.89: case 2 scores 2*6.23/(7 + 7.23) = 0.876, and no printed value stands beside it
    assert row_of(table, 1)["padf"].split() == ["0.876"]
    page.keyboard.press("End")
    failed = "PAdf (d = 1) fails conditions 1 (promptness) and 2 (lateness)."
    expect(page.get_by_text(failed)).to_be_visible()


def row_of(table, row):
    """The cells of a row, by protocol: there is a column for each that is shown."""
    cells = table.locator("tbody tr").nth(row).locator("td").all_inner_texts()
    return dict(zip((p.key for p in Settings().protocols()), cells, strict=True))


def test_a_case_opens_after_a_slider_was_moved_and_undo_brings_the_drawing_back(open_page):
    page = open_page()
    hand = Hand(page)
    hand.drag(1, 20, 22)
    truth, drawn = hand.truth, hand.alarms
    go_to(page, "Paper", "paper_cases")
    page.locator(".card").first.wait_for()
    number = page.locator("[data-slider=decay] .slider-number")
    for value in ("0.5", "0.9"):
        number.fill(value)
        number.press("Enter")
        page.wait_for_url(re.compile(f"decay={value}&"))
    opening = page.get_by_role("button", name="Open Case 5 (Fig. 1f) in the Playground")
    opening.click()
    page.locator(".board").wait_for()
    hand.comes_to_show(truth, "000001" + "0" * 10 + "111" + "0" * 11)
    assert hand.scores()["padf"] == "0.729"
    expect(page.get_by_text("Many hits, but late.")).to_be_visible()
    assert "alarms=5_16-18" in page.url
    hand.tool("undo")
    hand.comes_to_show(truth, drawn)
    # The same by keyboard.
    go_to(page, "Paper", "paper_cases")
    page.locator(".card").first.wait_for()
    page.locator("[data-slider=decay] input[type=range]").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("decay=0.89"))
    opening.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("playground.*alarms=5_16-18.*decay=0.89"))


def test_paper_cases_keep_board_and_rules_over_a_reload(open_page):
    query = "n=40&truth=5-14&alarms=9&k=30&rule=atleast&shape=deadline&decay=3"
    page = open_page(f"playground?{query}&precision=equations&step=1min")
    Hand(page)
    go_to(page, "Paper", "paper_cases")
    page.locator(".card").first.wait_for()
    page.locator("[data-slider=k] .slider-number").fill("60")
    page.locator("[data-slider=k] .slider-number").press("Enter")
    page.wait_for_url(re.compile("paper_cases[?].*rule=atleast&k=60&.*precision=equations"))
    page.reload()
    page.locator(".card").first.wait_for()
    assert page.locator("[data-slider=k] .slider-number").input_value() == "60"
    expect(page.locator(".rules")).to_contain_text("In use: K % or more, Deadline")
    go_to(page, "Explore", "playground")
    hand = Hand(page)
    hand.comes_to_show("0" * 5 + "1" * 10 + "0" * 25, "0" * 9 + "1" + "0" * 30)

"""Every page in light and dark, wide and narrow: it fits, reads and has no accessibility faults."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from padf_core.paper.published import published_table
from tests.browser.board import Hand
from tests.browser.conftest import wait_until_idle

PAGES = {
    "": ".lane-score",
    "paper_cases": ".card",
    "your_data": "[data-testid=stButton]",
    "your_data?sample=pump": ".lane-score",
    "choose_decay?sample=web_service": ".js-plotly-plot",
    "random_detector": ".js-plotly-plot",
    "published_results": ".js-plotly-plot",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_no_serious_accessibility_fault_and_no_sideways_scroll(open_page, path, scheme):
    page = open_page(path, scheme=scheme)
    page.locator(PAGES[path]).first.wait_for()
    for width in (1400, 380):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(1000)
        wait_until_idle(page)
        serious = [
            (fault["id"], [node["html"][:160] for node in fault["nodes"]])
            for fault in Axe().run(page).response["violations"]
            if fault["impact"] in ("serious", "critical")
        ]
        assert (width, serious) == (width, [])
        assert page.locator("[data-testid=stException]").count() == 0
        wider = page.evaluate(
            "() => { const m = document.querySelector('[data-testid=stMain]');"
            " return m.scrollWidth - m.clientWidth; }"
        )
        assert wider <= 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_sliders_lanes_and_scores_fit_one_screen(open_page, scheme):
    page = open_page(scheme=scheme)
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


def test_on_a_phone_scores_stay_in_view_while_a_long_board_scrolls(open_page):
    page = open_page("?n=200&truth=40-90&alarms=60_150", width=380, height=800)
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
        cells = table.locator("tbody tr").nth(row).locator("td").all_inner_texts()
        columns = ["pointwise", "pa", "pa_k20", "padf_0.9"]
        for cell, column in zip(cells, columns, strict=True):
            assert cell.split()[1:] == ["✓", printed.iloc[row][column]]
    published = page.locator(".case-grid.small .printed").all_inner_texts()
    wanted = published_table("table4")["padf_0.9"].tolist()
    assert published == [f"published {value} ✓" for value in wanted]
    slider = page.locator("input[type=range]").first
    slider.focus()
    before = table.inner_text()
    page.keyboard.press("ArrowLeft")
    expect(table).not_to_have_text(before)
    # d = 0.89: case 2 scores 2*6.23/(7 + 7.23) = 0.876, and no printed value stands beside it
    cell = table.locator("tbody tr").nth(1).locator("td").nth(3)
    assert cell.inner_text().split() == ["0.876"]


def test_conditions_follow_the_slider(open_page):
    page = open_page("paper_cases")
    page.locator(".card").first.wait_for()
    matrix = page.get_by_role("region", name="Conditions of Sec. 5.1")
    marks = [
        [
            cell.split()[0]
            for cell in matrix.locator("tbody tr").nth(row).locator("td").all_inner_texts()
        ]
        for row in range(4)
    ]
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
    page.locator("input[type=range]").first.focus()
    page.keyboard.press("End")
    expect(page.get_by_text("PAdf (d = 1) fails on promptness and lateness.")).to_be_visible()


def test_a_case_opens_in_the_playground(open_page):
    page = open_page("paper_cases")
    page.get_by_role("button", name="Open Case 5 (Fig. 1f) in the Playground").click()
    hand = Hand(page)
    wait_until_idle(page)
    assert hand.alarms == "000001" + "0" * 10 + "111" + "0" * 11
    assert hand.scores()["padf"] == "0.729"
    expect(page.get_by_text("Many hits, but late.")).to_be_visible()
    assert "alarms=5_16-18" in page.url


def test_undo_brings_back_what_was_drawn_before_a_case_was_opened(open_page):
    page = open_page()
    hand = Hand(page)
    hand.drag(1, 20, 22)
    truth, drawn = hand.truth, hand.alarms
    page.get_by_role("link", name="Paper cases").click()
    page.get_by_role("button", name="Open Case 5 (Fig. 1f) in the Playground").click()
    page.locator(".board").wait_for()
    hand.comes_to_show(truth, "000001" + "0" * 10 + "111" + "0" * 11)
    hand.tool("undo")
    hand.comes_to_show(truth, drawn)


def test_paper_cases_keep_board_and_rules_over_a_reload(open_page):
    query = "n=40&truth=5-14&alarms=9&shape=deadline&decay=3&k=30&rule=atleast"
    page = open_page(f"?{query}&precision=equations&step=1min")
    Hand(page)
    page.get_by_role("link", name="Paper cases").click()
    page.locator(".card").first.wait_for()
    page.locator(".slider-number").nth(1).fill("60")
    page.locator(".slider-number").nth(1).press("Enter")
    expect(page).to_have_url(re.compile("paper_cases[?].*k=60&rule=atleast&precision=equations"))
    page.reload()
    page.locator(".card").first.wait_for()
    assert page.locator(".slider-number").nth(1).input_value() == "60"
    expect(page.locator(".rules")).to_contain_text("In use: another shape of decay")
    page.get_by_role("link", name="Playground").click()
    hand = Hand(page)
    hand.comes_to_show("0" * 5 + "1" * 10 + "0" * 25, "0" * 9 + "1" + "0" * 30)

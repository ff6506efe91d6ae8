"""A server stops and starts again while a user draws. Nothing that was drawn is lost."""

from playwright.sync_api import expect

from padf_ui.registry import PAGES
from tests.browser.board import Hand
from tests.browser.conftest import LOOKS, visit, wait_until_idle
from tests.browser.server import free_port, serving

BOARD = "playground?n=30&truth=12-18&alarms=5_13"
DATA = "your_data?sample=pump&detector=2&at=0.5~0.5~0.5~0.5&view=100-900&k=40"

SESSION = """() => {
  const boxes = window[Symbol.for("padf.boxes")];
  return boxes.padf_timeline_component.last?.data.session;
}"""
"""The name of the session whose data the timeline shows."""


def test_a_stroke_under_way_and_the_view_of_data_outlive_the_server(contexts, tmp_path):
    port = free_port()
    page, data = contexts().new_page(), contexts().new_page()
    for tab in (page, data):
        tab.set_viewport_size({"width": 1400, "height": 900})
    offline = page.get_by_text("No connection to the server.")
    with serving(tmp_path / "first.txt", port) as address:
        visit(data, f"{address}/{DATA}")
        # The first request of all, to a page's own address, has the proper frame. Every page opens
        # its frame first (`test_architecture`), so one page speaks for all.
        expect(data.get_by_role("heading", name=PAGES["your_data"].title).first).to_be_visible()
        expect(data.locator("[data-testid=stSidebarNav]")).to_have_count(0)
        assert data.locator("[data-testid=stException]").count() == 0
        visit(page, f"{address}/{BOARD}")
        data.locator(".timeline .lane-score").first.wait_for()
        page.bring_to_front()
        hand = Hand(page)
        expect(offline).to_have_count(0)
        page.mouse.move(*hand.middle(1, 20))
        page.mouse.down()
        page.mouse.move(*hand.middle(1, 22), steps=3)
    # The server is gone; the hand goes on.
    ended = data.evaluate(SESSION)
    assert ended
    page.mouse.move(*hand.middle(1, 25), steps=3)
    expect(offline).to_be_visible()
    page.mouse.up()
    drawn = hand.alarms
    assert drawn == "000001000000010000001111110000"
    with serving(tmp_path / "second.txt", port):
        expect(offline).to_have_count(0, timeout=60_000)
        page.wait_for_function(
            "() => new URLSearchParams(location.search).get('alarms') === '5_13_20-25'"
        )
        hand.settle()
        assert hand.alarms == drawn
        data.bring_to_front()
        expect(data.get_by_text("No connection to the server.")).to_have_count(0, timeout=60_000)
        # On its way through app.py, a new session has other addresses for a moment.
        data.wait_for_function(
            f"([ended, wanted]) => {{ const session = ({SESSION})();"
            " return session && session !== ended && `${location}`.startsWith(wanted); }",
            arg=[ended, f"{address}/{DATA.removesuffix('&k=40')}"],
            polling=LOOKS,
        )
        assert "&k=40" in data.url
        page.close()
        data.close()


def test_a_stroke_begun_without_a_server_reaches_the_next_one(contexts, tmp_path):
    port = free_port()
    page = contexts().new_page()
    page.set_viewport_size({"width": 1400, "height": 900})
    offline = page.get_by_text("No connection to the server.")
    with serving(tmp_path / "first.txt", port) as address:
        visit(page, f"{address}/{BOARD}")
        hand = Hand(page)
        wait_until_idle(page)
    expect(offline).to_be_visible()
    page.mouse.move(*hand.middle(1, 20))
    page.mouse.down()
    page.mouse.move(*hand.middle(1, 25), steps=3)
    page.mouse.up()
    drawn = hand.alarms
    with serving(tmp_path / "second.txt", port):
        page.wait_for_function(
            "() => new URLSearchParams(location.search).get('alarms') === '5_13_20-25'"
        )
        hand.settle()
        assert hand.alarms == drawn == "000001000000010000001111110000"
        page.close()

"""The replay for operators in a real browser, on a clock that the test moves."""

import re

import pytest
from playwright.sync_api import expect

from padf_core import Settings
from padf_ui.operators.operators_page import leave_behind
from padf_ui.operators.operators_results import scene_of
from padf_ui.operators.replay_message import replay_rows
from padf_ui.operators.scene import suggested_need
from padf_ui.session.replay import Replay, replayed_series
from tests.browser.conftest import wait_until_idle

# The incident of the web shop runs from 14:05 to 16:55; the replay begins at 13:31, that is 34
# minutes before, and at 600x it takes 3.4 s to the onset, then 0.5 s for each 5 minutes.
TO_ONSET, FIVE_MINUTES = 3400, 500
QUICK, SLOW = "alarm at 14:05, no delay, worth 100 %", "alarm at 15:05, 1 h late, worth 25 %"


def seat(page, index):
    return page.locator(".replay-seat").nth(index).locator(".replay-said")


def scene(**changes):
    series = replayed_series(Replay(), None)
    return scene_of(series, Replay(**changes), Settings(), suggested_need(series))


def stop_clock(page):
    """Let time stand still until the test moves it."""
    page.locator(".replay-big").wait_for()
    page.clock.pause_at(page.evaluate("Date.now()") + 10_000)


@pytest.fixture
def new_tab(browser):
    """Open tabs of their own, each with a clock in the test's hands: a clock is its context's."""
    contexts = []

    def open_one(**options):
        size = {"width": 1280, "height": 640}
        contexts.append(browser.new_context(**{"viewport": size, **options}))
        page = contexts[-1].new_page()
        page.clock.install()
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def from_disk(new_tab, tmp_path):
    """Open a replay as a file, without a network; note what it asks for and what goes wrong."""

    def open_one(made, **options):
        file = tmp_path / "replay.html"
        file.write_text(leave_behind(made), encoding="utf-8")
        page = new_tab(offline=True, **options)
        noted = []
        page.on("request", lambda request: noted.append(request.url))
        page.on("pageerror", lambda error: noted.append(f"error: {error}"))
        page.goto(file.as_uri())
        stop_clock(page)
        return page, noted

    return open_one


def test_the_whole_replay_from_play_to_the_end_card(new_tab, address):
    page = new_tab()
    page.goto(f"{address}/operators")
    wait_until_idle(page)
    stop_clock(page)
    expect(page.locator(".replay-clock")).to_have_text("Tue 5 Mar 13:31")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".replay-big")).to_be_hidden()
    page.clock.run_for(TO_ONSET - 200)
    expect(page.locator(".replay-now")).to_have_text("All is quiet")
    # 45 minutes in: 2^(-45/30) = 35 %; the quick one has seen it, the slow one has not.
    page.clock.run_for(200 + 9 * FIVE_MINUTES + 60)
    expect(page.locator(".replay-clock")).to_have_text("Tue 5 Mar 14:50")
    expect(page.locator(".replay-now")).to_have_text("An alarm now is worth 35 %")
    expect(seat(page, 0)).to_have_text("unnoticed for 00:45")
    expect(seat(page, 1)).to_have_text(QUICK)
    expect(page.locator(".replay-calls").nth(1)).to_contain_text("0.57 per day in all the data")
    # The watcher presses, and Python scores it as a detector.
    page.get_by_role("button", name="I see it").click()
    page.clock.resume()
    expect(seat(page, 2)).to_have_text("alarm at 14:50, 45 min late, worth 35 %")
    page.clock.run_for(3 * FIVE_MINUTES)
    expect(seat(page, 0)).to_have_text(SLOW)
    page.clock.run_for(60_000)
    card = page.locator(".replay-card")
    expect(card).to_be_visible()
    for line in replay_rows(scene())["card"]["lines"]:
        expect(card).to_contain_text(line)
    expect(card.locator("tbody tr")).to_have_count(3)
    expect(card.locator("tbody tr").nth(0)).to_contain_text("55.3")
    expect(card.locator("tbody tr").nth(2)).to_contain_text("1 of 1")
    with page.expect_download() as waiting:
        card.get_by_role("button", name="Save as SVG").click()
    picture = waiting.value.path().read_text()
    assert "slow_sure" in picture
    assert "would have been worth 35 % instead of 25 %" in picture
    card.get_by_role("button", name="Play again").click()
    expect(card).to_be_hidden()


def test_keys_play_step_and_see(from_disk):
    page, _ = from_disk(scene())
    page.locator(".replay .stage").focus()
    page.keyboard.press("n")  # the onset, at which the quick one rings
    expect(page.locator(".replay-clock")).to_have_text("Tue 5 Mar 14:05")
    expect(seat(page, 1)).to_have_text(QUICK)
    page.keyboard.press("n")
    expect(page.locator(".replay-clock")).to_have_text("Tue 5 Mar 15:05")
    expect(seat(page, 0)).to_have_text(SLOW)
    page.keyboard.press("ArrowLeft")
    expect(seat(page, 0)).to_have_text("unnoticed for 00:55")
    page.keyboard.press("i")
    expect(seat(page, 2)).to_contain_text("worth 28 %")  # 2^(-55/30)
    page.keyboard.press(" ")
    page.clock.run_for(FIVE_MINUTES + 60)
    expect(seat(page, 0)).to_have_text(SLOW)
    page.keyboard.press(" ")
    before = page.locator(".replay-clock").text_content()
    page.clock.run_for(2000)
    assert page.locator(".replay-clock").text_content() == before


def test_hand_and_finger_move_through_time(from_disk):
    page, _ = from_disk(scene(), has_touch=True)
    box = page.locator(".replay .stage svg.lanes").bounding_box()
    # The clip lasts 4 h 55 min from 12:40 on; two thirds of it are 3 h 17 min.
    page.mouse.click(box["x"] + box["width"] * 2 / 3, box["y"] + 100)
    expect(page.locator(".replay-clock")).to_have_text(re.compile(r"15:5[5-8]"))
    page.touchscreen.tap(box["x"] + box["width"] / 3, box["y"] + 100)
    expect(page.locator(".replay-clock")).to_have_text(re.compile(r"14:1[6-9]"))
    page.locator(".replay-scrub").fill("0")
    expect(page.locator(".replay-clock")).to_have_text("Tue 5 Mar 12:40")


def test_without_motion_time_goes_on_in_steps(from_disk):
    page, _ = from_disk(scene(), reduced_motion="reduce")
    page.locator(".replay-big").click()
    seen = []
    for _ in range(12):
        page.clock.run_for(250)
        seen.append(page.locator(".replay-clock").text_content())
    # Three seconds: ten minutes of the clock in each, all at once.
    assert len(set(seen)) in (3, 4)


def test_a_click_on_the_map_replays_that_rule(open_page):
    page = open_page("operators", width=1280, height=900)
    chart = page.locator(".js-plotly-plot").last
    chart.scroll_into_view_if_needed()
    box = chart.locator(".nsewdrag").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.31, box["y"] + box["height"] * 0.71)
    page.wait_for_function("new URLSearchParams(location.search).get('wait') === '4'")
    wait_until_idle(page)
    expect(page.locator(".replay-rule").first).to_contain_text("after 4 points (20 min) in a row")


def test_a_need_that_is_moved_is_replayed_where_the_clock_stands(open_page):
    page = open_page("operators?of=web_service", width=1280, height=900)
    for _ in range(2):
        page.get_by_role("button", name="next event").click()
    expect(seat(page, 0)).to_have_text(SLOW)
    page.locator(".need-slot[data-number=seconds]").focus()
    page.keyboard.press("ArrowRight")
    # 40 minutes instead of 30: 2^(-60/40) = 35 %.
    expect(seat(page, 0)).to_have_text("alarm at 15:05, 1 h late, worth 35 %")
    expect(page.locator(".replay-clock")).to_have_text("Tue 5 Mar 15:05")


def test_the_page_to_leave_behind_replays_from_disk_without_a_network(from_disk):
    page, noted = from_disk(scene(incident="all"))
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_label("speed").select_option("600")
    page.clock.run_for(4000)
    page.get_by_role("button", name="I see it").click()
    expect(seat(page, 2)).to_contain_text("worth")
    for _ in range(60):
        if page.locator(".replay-card").is_visible():
            break
        page.get_by_role("button", name="next event").click()
    expect(page.locator(".replay-card")).to_contain_text("For all 9 incidents in 7 d")
    assert [each for each in noted if not each.startswith(("file:", "data:", "blob:"))] == []

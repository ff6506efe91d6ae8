"""The drawing board in a real browser: painting, sliders, links, exports."""

import csv
import io
import json
import re
import struct
import xml.etree.ElementTree as ElementTree
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

import padf_core as padf
from padf_core import ExponentialDecay, PointAdjustDecay, PointAdjustK, Settings
from padf_core.io.notation import format_bits, parse_points
from padf_core.paper.cases import ROBUSTNESS_CASES, TEACHING_CASES, TOY_CASES, random_detections
from padf_ui.session.board_file import Board
from tests.browser.board import Hand
from tests.browser.conftest import (
    count_frames,
    go_to,
    wait_until_quiet,
    wait_until_still,
)
from tests.strategies import FOUR

CASE_2 = "0000010000000100" + "0" * 14
SEGMENT = "0" * 12 + "1" * 7 + "0" * 11


DEFAULT = format_bits(Board().labels), format_bits(Board().detections)


def expected_scores(labels, alarms, d=0.9, k=20.0, precision="tables", inclusive=False):
    protocols = [
        padf.Pointwise(),
        padf.PointAdjust(),
        PointAdjustK(k, inclusive),
        PointAdjustDecay(ExponentialDecay(d), precision),
        *(protocol for protocol in Settings().protocols() if protocol.key not in FOUR),
    ]
    bits = [[int(bit) for bit in text] for text in (labels, alarms)]
    return {e.protocol.key: f"{e.f1:.3f}" for e in padf.evaluate_all(*bits, protocols)}


@pytest.fixture
def hand(open_page):
    return Hand(open_page())


def test_the_first_board_is_the_default_one_and_its_alarms_can_be_slid(open_page):
    hand = Hand(open_page("playground"))
    assert (hand.truth, hand.alarms) == DEFAULT
    assert hand.scores() == expected_scores(*DEFAULT)
    hand.page.get_by_text("Show F1 if all alarms were shifted").click()
    expect(hand.page.locator(".board .layer-shifts, .board .shifts").first).to_be_visible()


def test_the_paper_s_second_case_and_typed_values_between_the_steps(hand):
    assert (hand.truth, hand.alarms) == (SEGMENT, CASE_2)
    # 2/9, 14/15, 2/9 (1 of 7 is 14 %), 2*6.3/(7 + 7.3)
    scores = hand.scores()
    assert {key: scores[key] for key in FOUR} == {
        "pointwise": "0.222",
        "pa": "0.933",
        "pa_k": "0.222",
        "padf": "0.881",
    }
    hand.type("decay", 0.995)
    assert hand.scores() == expected_scores(SEGMENT, CASE_2, d=0.995)
    hand.type("k", 14.2)
    # 1 of 7 is 14.29 %, just above 14.2 %
    assert hand.scores()["pa_k"] == "0.933"
    hand.number("k").fill("0.2")
    hand.number("k").press("Enter")
    expect(hand.page.locator(".status")).to_contain_text("K, in % must be 0, or 1 to 100")
    assert hand.number("k").input_value() == "14.2"


def test_mouse_and_keyboard_paint_and_the_first_cell_decides_paint_or_erase(hand):
    hand.drag(1, 20, 24)
    assert hand.alarms == "000001000000010000001111100000"
    hand.drag(1, 22, 26)  # begins on an alarm: erases
    assert hand.alarms == "000001000000010000001100000000"
    hand.drag(0, 27, 28)
    assert hand.truth == "0" * 12 + "1" * 7 + "0" * 8 + "110"
    assert hand.scores() == expected_scores(hand.truth, hand.alarms)
    keys = hand.page.keyboard
    hand.cell(1, 0).focus()
    keys.press("End")
    keys.press("Space")
    keys.press("Home")
    keys.press("ArrowRight")
    keys.press("Shift+ArrowRight")
    keys.press("ArrowUp")
    keys.press("Space")
    hand.settle()
    assert hand.alarms == "011001000000010000001100000001"
    assert hand.truth == "001000000000" + "1" * 7 + "0" * 8 + "110"
    assert hand.scores() == expected_scores(hand.truth, hand.alarms)
    focused = hand.page.locator(".cell:focus")
    expect(focused).to_have_attribute("aria-label", "time 2, truth: anomaly")


def test_alarms_are_moved_and_cleared_and_undone_by_button_and_key(hand):
    hand.tool("earlier")
    hand.settle()
    assert hand.alarms == CASE_2[1:] + "0"
    hand.tool("later")
    hand.settle()
    hand.tool("later")
    hand.settle()
    moved = "0" + CASE_2[:-1]
    assert hand.alarms == moved
    hand.tool("clear")
    hand.settle()
    assert set(hand.alarms) == {"0"}
    assert set(hand.scores().values()) == {"0.000"}
    hand.tool("undo")
    hand.settle()
    assert hand.alarms == moved
    hand.tool("redo")
    hand.settle()
    assert set(hand.alarms) == {"0"}
    hand.cell(1, 3).focus()
    hand.page.keyboard.press("Control+z")
    hand.settle()
    assert hand.alarms == moved
    assert hand.scores() == expected_scores(SEGMENT, moved)
    hand.page.keyboard.press("Control+Shift+Z")
    hand.settle()
    assert set(hand.alarms) == {"0"}


def test_random_alarms_are_seeded_and_have_a_rate(hand):
    hand.page.get_by_label("alarm rate in percent").fill("50")
    hand.tool("random")
    hand.comes_to_show(SEGMENT, format_bits(random_detections(30, 0.5, seed=1)))
    assert hand.scores() == expected_scores(SEGMENT, hand.alarms)
    assert 5 <= hand.alarms.count("1") <= 25


def test_a_slider_is_live_with_no_server_round_trip(open_page):
    frames = []
    page = open_page(before=count_frames(frames))
    hand = Hand(page)
    wait_until_quiet(page, frames)
    box = hand.slider("decay").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.9, y)
    page.mouse.down()
    before = len(frames)
    texts, heights, formulas = [], [], []
    for step in range(30):
        page.mouse.move(box["x"] + box["width"] * (0.9 - step * 0.02), y)
        texts.append(hand.scores()["padf"])
        formulas.append(page.locator("[data-formula=precision]").text_content())
        heights.append(page.locator(".layer-padf .hit").first.get_attribute("height"))
    assert len(frames) == before, "moving a slider must not ask the server"
    assert min(len(set(seen)) for seen in (texts, heights, formulas)) >= 25
    page.mouse.up()
    d = float(hand.number("decay").input_value())
    page.wait_for_url(re.compile(f"decay={d:g}&"))
    hand.settle()
    assert len(frames) > before, "letting go tells the server"
    assert hand.scores() == expected_scores(SEGMENT, CASE_2, d=d)


@pytest.mark.parametrize(
    ("truth", "alarms", "d", "k"),
    [
        ("5-8_19-25", "010000010010001100010000001010", 0.37, 41),
        ("4-9_20-25", "000000010000000000000000000000", 0.8, 20),
    ],
    ids=["two segments late and five false alarms", "a missed segment"],
)
def test_every_number_on_the_board_is_padf_core_s(open_page, truth, alarms, d, k):
    hand = Hand(open_page(f"playground?n=30&truth={truth}&alarms={alarms}&decay={d}&k={k}"))
    assert hand.alarms == alarms
    assert hand.scores() == expected_scores(hand.truth, hand.alarms, d, k)
    check_formulas(hand, d, k)
    check_arrows(hand, d)


def check_formulas(hand, d, k):
    """Open each lane's formula and compare all of its numbers."""
    protocols = [
        padf.Pointwise(),
        padf.PointAdjust(),
        PointAdjustK(k),
        PointAdjustDecay(ExponentialDecay(d)),
    ]
    bits = [[int(bit) for bit in text] for text in (hand.truth, hand.alarms)]
    base = padf.evaluate(*bits, padf.Pointwise()).f1
    for protocol in protocols:
        result = padf.evaluate(*bits, protocol)
        hand.page.locator(f".pick[data-lane={protocol.key}]").click()
        precision, recall = (
            hand.page.locator(f"[data-formula={part}]").text_content()
            for part in ("precision", "recall")
        )
        numbers = [float(x) for x in re.findall(r"\d+(?:\.\d+)?", precision)]
        tp, fp = result.true_positives, result.false_positives
        assert numbers == pytest.approx([tp, tp, fp, result.precision], abs=0.0051)
        numbers = [float(x) for x in re.findall(r"\d+(?:\.\d+)?", recall)]
        assert numbers == pytest.approx([tp, result.anomalous, result.recall], abs=0.0051)
        if protocol.key != "pointwise":
            gain = hand.page.locator(f".frame [data-gain={protocol.key}]").text_content()
            assert gain == f"{result.f1 - base:+.3f}"


def check_arrows(hand, d):
    """Compare the text under each of few segments, which all have room, and count the arrows."""
    bits = [[int(bit) for bit in text] for text in (hand.truth, hand.alarms)]
    segments = padf.evaluate(*bits, PointAdjustDecay(ExponentialDecay(d))).segments
    wanted = [
        "missed"
        if segment.delay is None
        else f"delay {segment.delay} → credit {segment.credit:.2f}"
        for segment in segments
    ]
    assert hand.page.locator(".layer-arrows text").all_text_contents() == wanted
    late = sum(bool(segment.delay) for segment in segments)
    assert hand.page.locator(".layer-arrows .arrow").count() == late


def test_a_link_restores_the_board_after_a_reload_and_in_another_session(open_page):
    hand = Hand(open_page("playground?n=30&truth=12-18&alarms="))
    hand.drag(1, 20, 20)
    alone = "0" * 20 + "1" + "0" * 9
    hand.page.wait_for_url(re.compile("alarms=20&"))
    hand.page.reload()
    hand.settle()
    assert hand.alarms == alone
    hand.drag(0, 24, 27)
    hand.type("decay", 0.7)
    hand.type("k", 55)
    url = hand.page.url
    assert "truth=12-18_24-27&alarms=20&" in url
    other = Hand(open_page(url.split("/", 3)[3]))
    assert (other.truth, other.alarms) == (hand.truth, alone)
    assert other.scores() == hand.scores() == expected_scores(hand.truth, alone, 0.7, 55)
    assert other.number("k").input_value() == "55"


def test_looking_into_the_menus_changes_nothing(open_page):
    query = "n=60&truth=8-14&alarms=3&rule=atleast&k=30&shape=deadline&decay=3"
    hand = Hand(open_page(f"playground?{query}&precision=equations&step=1min"))
    hand.drag(1, 20, 21)
    for menu in ("Rules", "Type it", "Save, load", "Examples", "Lanes"):
        hand.panel(menu)
        if menu == "Type it":
            expect(hand.page.get_by_label("Number of points", exact=True)).to_have_value("60")
        if menu == "Rules":
            expect(hand.page.get_by_role("radio", name="Deadline")).to_be_checked()
            expect(hand.page.get_by_role("radio", name="Equations")).to_be_checked()
            expect(hand.page.get_by_role("radio", name="K % or more")).to_be_checked()
    hand.drag(1, 30, 31)
    alarms = "0001" + "0" * 16 + "11" + "0" * 8 + "11" + "0" * 28
    hand.comes_to_show("0" * 8 + "1" * 7 + "0" * 45, alarms)
    hand.page.wait_for_url(re.compile("alarms=3_20-21_30-31&"))
    wanted = query.replace("alarms=3", "alarms=3_20-21_30-31") + "&precision=equations&step=1min"
    assert parse_qs(wanted).items() <= parse_qs(urlsplit(hand.page.url).query).items()


def test_rules_can_be_chosen(hand):
    page = hand.page
    hand.panel("Rules")
    page.get_by_text("Equations: eTP / (T + FP)").click()
    # 2 * 6.3 / (7 + 7 + 1)
    expect(page.locator(".frame [data-f1=padf]")).to_have_text("0.840")
    page.get_by_text("Deadline", exact=True).click()
    # half of d = 0.9 is gone after 6.6 steps: a deadline of 7 gives full credit, as PA
    expect(page.locator(".frame [data-f1=padf]")).to_have_text("0.933")
    page.wait_for_url(re.compile("shape=deadline&decay=7&precision=equations"))


def test_page_switches_keep_the_board_and_back_steps_through_it(hand):
    page = hand.page
    hand.drag(1, 20, 22)
    first = hand.alarms
    hand.drag(1, 25, 27)
    second = hand.alarms
    go_to(page, "Explore", "your_data")
    upload = page.get_by_role("tab", name="A table")
    upload.wait_for()
    go_to(page, "Paper", "paper_cases")
    page.locator(".card").first.wait_for()
    go_to(page, "Explore", "playground")
    page.wait_for_url(re.compile("/playground[?]n=30&truth=12-18&alarms=5_13_20-22_25-27&"))
    hand.settle()
    assert hand.alarms == second
    # Stepping back takes the board away with the focus in it; stepping forward puts it up again.
    hand.cell(1, 0).focus()
    page.keyboard.press("ArrowRight")
    page.go_back()
    page.locator(".card").first.wait_for()
    page.go_forward()
    hand.settle()
    expect(page.locator(".cell:focus")).to_have_attribute("aria-label", "time 1, detection: none")
    page.go_back()
    page.locator(".card").first.wait_for()
    page.go_back()
    upload.wait_for()
    assert re.search(r"/your_data[?](?!.*\b(n|truth|alarms)=)", page.url)
    page.go_back()
    hand.comes_to_show(SEGMENT, second)
    page.go_back()
    hand.comes_to_show(SEGMENT, first)
    assert hand.scores() == expected_scores(SEGMENT, first)


def test_back_brings_the_rest_of_the_page_along(hand):
    moral = hand.page.locator(".st-key-padf_slot_moral").get_by_text(
        "One hit, one step late; one false alarm."
    )
    expect(moral).to_be_visible()
    hand.panel("Examples")
    hand.example("Lessons", "late_hits")
    expect(hand.page.locator(".st-key-padf_slot_moral")).to_contain_text("Only the second half of")
    hand.page.wait_for_url(re.compile("alarms=18-23&"))
    hand.page.go_back()
    expect(moral).to_be_visible()
    hand.comes_to_show(SEGMENT, CASE_2)


def test_a_damaged_link_gives_a_message_and_the_default_board(open_page):
    page = open_page("playground?shape=%3Cimg%20src=x%3E")
    hand = Hand(page)
    expect(page.get_by_role("alert")).to_contain_text("This link could not be read")
    expect(page.get_by_role("alert")).to_contain_text("shape must be one of")
    assert (hand.truth, hand.alarms) == DEFAULT
    assert page.locator("[data-testid=stMain] img").count() == 0
    assert page.locator("[data-testid=stException]").count() == 0


def test_examples_in_one_click_and_undo_brings_back_what_was_drawn(hand):
    hand.drag(1, 20, 22)
    drawn = hand.alarms
    case = ROBUSTNESS_CASES[14]
    hand.panel("Examples")
    hand.example("Robustness", case.key)
    hand.comes_to_show(format_bits(case.labels), format_bits(case.detections))
    assert hand.scores()["padf"] == "0.875"
    told = hand.page.locator(".st-key-padf_slot_moral")
    expect(told).to_contain_text("Seven alarms in a row, moved 2 steps earlier.")
    hand.tool("undo")
    hand.comes_to_show(SEGMENT, drawn)
    assert hand.scores() == expected_scores(SEGMENT, drawn)
    for group, cases in (("Paper", TOY_CASES), ("Lessons", TEACHING_CASES)):
        for case in cases[::2]:
            hand.example(group, case.key)
            hand.comes_to_show(format_bits(case.labels), format_bits(case.detections))
            assert hand.scores() == expected_scores(hand.truth, hand.alarms)
            expect(told).to_contain_text(case.title)
            expect(told).to_contain_text(case.about)


def test_on_a_phone_fingers_paint_and_a_swipe_that_begins_on_a_slider_only_scrolls(open_page):
    page = open_page(width=380, height=800, has_touch=True, is_mobile=True)
    hand = Hand(page)
    hand.cell(1, 2).scroll_into_view_if_needed()
    swipe(page, hand.middle(1, 7), hand.middle(1, 11))
    painted = "000001011111010" + "0" * 15
    hand.comes_to_show(SEGMENT, painted)
    assert hand.scores() == expected_scores(SEGMENT, painted)
    hand.slider("decay").evaluate("slider => slider.scrollIntoView({ block: 'center' })")
    box = hand.slider("decay").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    swipe(page, (x, y), (x + 2, y - 200))
    # The page has scrolled.
    wait_until(page, lambda: hand.slider("decay").bounding_box()["y"] < box["y"] - 50)
    hand.settle()
    assert hand.number("decay").input_value() == "0.9"
    assert hand.scores() == expected_scores(SEGMENT, painted)
    box = wait_until_still(hand.slider("k"))
    y = box["y"] + box["height"] / 2
    swipe(page, (box["x"] + 80, y), (box["x"] + 200, y))
    page.wait_for_url(re.compile(r"[?&]k=(?!20&)"))
    hand.settle()
    k = float(hand.number("k").input_value())
    assert k > 20
    assert hand.scores() == expected_scores(SEGMENT, painted, k=k)


def swipe(page, start, end, steps=10):
    client = page.context.new_cdp_session(page)
    client.send("Input.dispatchTouchEvent", touch("touchStart", *start))
    for step in range(1, steps + 1):
        x, y = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
        client.send("Input.dispatchTouchEvent", touch("touchMove", x, y))
        page.wait_for_timeout(10)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def wait_until(page, seen):
    """Wait until something is seen; at most ten seconds."""
    for _ in range(200):
        if seen():
            return
        page.wait_for_timeout(50)
    pytest.fail("it was never seen")


def test_on_a_phone_a_swipe_scrolls_and_paints_nothing(open_page):
    query = "?n=160&truth=20-59_90-139&alarms=20-31"
    page = open_page(query, width=380, height=800, has_touch=True, is_mobile=True)
    hand = Hand(page)
    before = hand.alarms
    hand.cell(1, 2).scroll_into_view_if_needed()
    x, y = hand.middle(1, 10)
    swipe(page, (x, y), (x, y - 200))
    hand.settle()
    assert hand.alarms == before, "a vertical swipe is for the page"
    page.locator(".layer-pa rect").first.scroll_into_view_if_needed()
    lane = page.locator(".layer-pa rect").first.bounding_box()
    y = lane["y"] + lane["height"] / 2
    swipe(page, (300, y), (60, y))
    wait_until(page, lambda: page.locator(".scroll").evaluate("box => box.scrollLeft") > 50)
    hand.settle()
    assert hand.alarms == before


def touch(kind, x, y):
    return {"type": kind, "touchPoints": [{"x": x, "y": y}]}


def test_other_rules_change_the_numbers(open_page):
    link = "n=10&truth=0-4&alarms=2&k=20&rule=atleast&step=1min&precision=equations"
    page = open_page(f"playground?{link}")
    # One hit of five is 20 %. Two steps late: 5 * 0.81 of 5, by precision and recall alike.
    scores = Hand(page).scores()
    assert (scores["pa_k"], scores["padf"]) == ("1.000", "0.810")
    expect(page.locator(".layer-arrows text")).to_have_text("delay 2 min → credit 0.81")
    expect(page.locator(".slider-note").first).to_have_text("credit halves every 6.6 min")
    expect(page.locator(".tick-text").nth(2)).to_have_text("0:02")


def download(page, trigger):
    with page.expect_download() as caught:
        trigger()
    with open(caught.value.path(), "rb") as file:
        return caught.value.suggested_filename, file.read()


BACK_TWICE = """
gap => new Promise((done) => {
  history.back();
  setTimeout(() => { history.back(); done(); }, gap);
})
"""


def test_two_quick_steps_back_leave_address_and_board_the_same(open_page):
    hand = Hand(open_page(own_tab=True))
    hand.drag(1, 20, 21)
    alarms = format_bits(parse_points("5,13,20-21", 30))
    for gap in (0, 60):
        for first in (24, 28):
            hand.drag(1, first, first + 1)
        hand.page.evaluate(BACK_TWICE, gap)
        hand.page.wait_for_function(
            "() => new URLSearchParams(location.search).get('alarms') === '5_13_20-21'"
        )
        hand.comes_to_show(hand.truth, alarms)
        hand.page.wait_for_timeout(500)
        assert hand.alarms == alarms


def test_pictures_stand_alone_and_the_link_is_copied(hand):
    name, content = download(hand.page, lambda: hand.tool("svg"))
    assert name == "padf-board.svg"
    tree = ElementTree.fromstring(content)
    texts = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    for shown in ("0.222", "0.933", "0.881", "PAdf", "delay 1 → credit 0.90", "false alarm"):
        assert shown in texts
    assert b"var(--" not in content
    assert "press and drag to paint" not in texts
    name, content = download(hand.page, lambda: hand.tool("png"))
    assert name == "padf-board.png"
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert width > 2000
    assert height > 700
    hand.drag(1, 20, 22)
    hand.tool("link")
    expect(hand.page.locator(".status")).to_contain_text("Link copied")
    assert hand.page.evaluate("navigator.clipboard.readText()") == hand.page.url
    assert "alarms=5_13_20-22&" in hand.page.url


def test_files_parse_back_and_load_again(open_page, hand, tmp_path):
    hand.drag(1, 20, 22)
    hand.type("decay", 0.5)
    page = hand.page
    hand.panel("Save, load")
    _, content = download(page, lambda: page.get_by_text("Credit per point (CSV)").click())
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert "".join(row["detection"] for row in rows) == hand.alarms
    assert [float(row["credit_padf"]) for row in rows][12:19] == [0.5] * 7
    _, content = download(page, lambda: page.get_by_text("Everything (JSON)").click())
    saved = json.loads(content)
    shown = hand.scores()
    assert {r["protocol"]: f"{r['f1']:.3f}" for r in saved["results"]} == shown
    file = tmp_path / "board.json"
    file.write_bytes(content)
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "padf-board-1", "labels": "01x"}')
    other = Hand(open_page())
    other.panel("Save, load")
    load = other.page.get_by_role("button", name="Load", exact=True)
    other.page.locator("input[type=file]").set_input_files(bad)
    other.page.get_by_text("bad.json").wait_for()
    load.click()
    expect(other.page.get_by_role("alert")).to_contain_text("labels must be a text of 0 and 1")
    assert (other.truth, other.alarms) == (SEGMENT, CASE_2)
    other.page.locator("input[type=file]").set_input_files(file)
    other.page.get_by_text("board.json").wait_for()
    load.click()
    expect(other.cell(1, 21)).to_have_attribute("aria-label", "time 21, detection: alarm")
    other.settle()
    assert other.alarms == hand.alarms
    assert other.scores() == shown


def test_typed_points_and_length(hand):
    page = hand.page
    hand.panel("Type it")
    page.get_by_role("textbox", name="Truth").fill("2-4, x")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("alert")).to_contain_text("'x' at character 5 is neither bits")
    page.get_by_role("textbox", name="Truth").fill("2-4, 20")
    page.get_by_role("textbox", name="Detections").fill("00010")
    page.get_by_role("button", name="Apply").click()
    expect(hand.cell(0, 20)).to_have_attribute("aria-label", "time 20, truth: anomaly")
    hand.settle()
    assert hand.truth == "00111" + "0" * 15 + "1" + "0" * 9
    assert hand.alarms == "0001" + "0" * 26
    size = page.get_by_test_id("stNumberInputField")
    for points, truth in ((10, "0011100000"), (30, "00111" + "0" * 15 + "1" + "0" * 9)):
        size.fill(str(points))
        size.press("Enter")
        expect(page.locator(".grid .row").first.locator(".cell")).to_have_count(points)
        hand.settle()
        assert hand.truth == truth

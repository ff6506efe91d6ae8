"""Choosing a decay rate, the random detector and the published results, walked as a user would."""

import json
import re
from xml.etree import ElementTree

import pandas as pd
import pytest
from playwright.sync_api import expect

import padf_core as padf
from padf_core import Settings
from padf_core.analysis.settings_file import settings_from_json
from tests.browser.conftest import go_to, wait_until_idle, wait_until_settled
from tests.browser.server import ROOT
from tests.browser.test_board import swipe
from tests.browser.test_data import Reader

HALF_AN_HOUR = 0.5 ** (1 / 6)
"""Half the credit after 30 minutes, in steps of five."""


class Sentence:
    """The need as a user meets it: numbers in a sentence, and a star on a curve."""

    def __init__(self, page):
        self.page = page

    def number(self, name):
        return self.page.locator(f".need-slot[data-number={name}]")

    @property
    def words(self):
        return self.page.locator(".need-words").inner_text()

    @property
    def said(self):
        return self.page.locator(".need-said").inner_text()

    def hold(self, place):
        """Put the hand on something; return where that is."""
        box = place.bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(*middle)
        self.page.mouse.down()
        return middle

    def let_go(self):
        self.page.mouse.up()
        wait_until_settled(self.page, "need")

    def type(self, name, text):
        self.number(name).click()
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        wait_until_settled(self.page, "need")


def test_from_a_need_to_a_decay_in_use_everywhere(open_page):
    page = open_page("choose_decay?sample=web_service&detector=1")
    sentence = Sentence(page)
    sentence.type("seconds", "30 min")
    # Web service has five-minute steps: six of them, d = 0.5 ** (1/6) = 0.8909.
    assert "d = 0.8909 for each step of 5 min" in sentence.said
    expect(
        page.get_by_text("The ranking is the same for every half-life from").first
    ).to_be_visible()
    wait_until_idle(page)  # The button stands below what was waited for, and is drawn last.
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Settings (JSON)").click()
    saved = settings_from_json(waiting.value.path().read_text())
    assert (saved["measure"], saved["decay"], saved["worth"]) == ("clock", 1800, 50)
    assert json.loads(waiting.value.path().read_text())["need"]["seconds"] == 1800
    page.get_by_role("button", name="Use it everywhere").click()
    expect(page.get_by_text("In use on all pages.")).to_be_visible()
    go_to(page, "Explore", "your_data")
    reader = Reader(page)
    frame = pd.read_csv(ROOT / "sample_data" / "web_service.csv")
    # The threshold stays where it was best when the data came.
    best = padf.best_f1(frame["label"], frame["quick_noisy"], [Settings().protocol("padf")])
    protocols = Settings(decay=HALF_AN_HOUR).protocols()
    results = padf.evaluate_all(
        frame["label"], frame["quick_noisy"] >= best[0].threshold, protocols
    )
    reader.comes_to_show({result.protocol.key: f"{result.f1:.3f}" for result in results})


def test_numbers_are_typed_and_dragged_and_everything_follows(open_page):
    page = open_page("choose_decay")
    sentence = Sentence(page)
    check_keys(page, sentence)
    sentence.type("share", "50")
    x, y = sentence.hold(sentence.number("seconds"))
    # Behind ten minutes come 12, 15, 20: a step every nine pixels.
    page.mouse.move(x + 27, y, steps=4)
    assert sentence.words.startswith("An alarm after 20 min is still worth 50 %")
    # Before it is let go the rows tell it: 0.5 ** (1/20) = 0.9659 for a step of a minute.
    assert "d = 0.9659 for each step of 1 min" in sentence.said
    assert "10 min is still worth" in page.locator("[data-testid=stCode]").first.inner_text()
    sentence.let_go()
    expect(page.locator("[data-testid=stCode]").first).to_contain_text("after 20 min is still")
    x, y = sentence.hold(page.locator(".need-star-handle"))
    # A quarter of the height is 42 pixels: from 50 % down to 25 %; an axis of 50 min.
    width = page.locator(".need-plot").bounding_box()["width"] - 72
    page.mouse.move(x - width / 5, y + 42, steps=4)
    assert sentence.words.startswith("An alarm after 10 min is still worth 25 %")
    # 0.25 ** (1/10) = 0.8706: credit halves every five minutes.
    assert "d = 0.8706" in sentence.said
    assert "credit halves every 5 min" in sentence.said
    sentence.let_go()
    x, y = sentence.hold(page.locator(".need-grace-handle"))
    # An axis of 25 min: a fifth is five minutes.
    page.mouse.move(x + width / 5, y, steps=4)
    assert sentence.words.endswith("and the first 5 min cost nothing.")
    sentence.let_go()
    expect(page.locator("[data-testid=stCode]").first).to_contain_text(
        "after the first 5 min, which are free"
    )


def check_keys(page, sentence):
    """Numbers move with keys and are typed where they stand."""
    share = page.get_by_role("spinbutton", name="worth of the alarm")
    share.focus()
    page.keyboard.press("ArrowRight")
    wait_until_settled(page, "need")
    expect(share).to_have_text("55 %")
    assert share.get_attribute("aria-valuetext") == "55 %"
    page.keyboard.press("Enter")
    page.keyboard.type("a lot")
    page.keyboard.press("Enter")
    expect(page.get_by_text("'a lot' is not a share; write 50 or 50 %")).to_be_visible()
    sentence.type("share", "12.5")
    expect(share).to_have_text("12.5 %")
    expect(page.get_by_text("is no share")).to_have_count(0)
    share.click()
    page.keyboard.type("99")
    page.keyboard.press("Escape")
    expect(share).to_have_text("12.5 %")
    # 0.125 is a half three times over: ten minutes are three half-lives.
    assert "credit halves every 3.3 min" in sentence.said


def test_every_kind_of_need_has_its_sentence_and_its_star(open_page):
    page = open_page("choose_decay")
    sentence = Sentence(page)
    for kind, words, height in (
        ("Half-life", "An alarm is worth half after 10 min", 0.5),
        ("Loss per minute", "An alarm loses 10 % a minute of its worth: it is worth nothing", 0.0),
        ("Hard deadline", "An alarm within 10 min is worth everything", 1.0),
    ):
        page.locator("label", has_text=kind).click()
        expect(page.locator(".need-words")).to_contain_text(words.partition("10")[0])
        sentence.type("seconds", "10 min")
        expect(page.locator(".need-words")).to_contain_text(words)
        x, y = sentence.hold(page.locator(".need-star-handle"))
        # The frame of the curve lies from 22 to 190 pixels down.
        top = page.locator(".need-plot").bounding_box()["y"]
        assert y == pytest.approx(top + 190 - 168 * height, abs=1.5)
        # A fifth of the axis, of 25 min, to the left, whatever the height of the hand: 5 min.
        width = page.locator(".need-plot").bounding_box()["width"] - 72
        page.mouse.move(x - width / 5, y - 30, steps=4)
        sentence.let_go()
        expect(page.locator(".need-words")).to_contain_text("5 min")


def test_numbers_and_star_follow_a_finger(open_page):
    page = open_page("choose_decay", width=380, height=800, has_touch=True, is_mobile=True)
    sentence = Sentence(page)

    def drag(place, right, down):
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        swipe(page, (x, y), (x + right, y + down))
        wait_until_settled(page, "need")

    drag(sentence.number("share"), 18, 0)
    # Two steps of nine pixels: 55 %, 60 %.
    expect(page.locator(".need-words")).to_contain_text("still worth 60 %")
    # Down by a third and a bit of the curve's height, 168 pixels.
    drag(page.locator(".need-star-handle"), 0, 0.35 * 168)
    expect(page.locator(".need-words")).to_contain_text("still worth 25 %")


def test_the_star_of_the_race_is_the_need(open_page):
    page = open_page("choose_decay?sample=ad_bidding")
    expect(page.locator(".race .lane-parameter").first).to_have_text("half-life (logarithmic)")
    expect(page.locator("li", has_text="passes").first).to_contain_text("half-life")
    scores = page.locator(".race-list li")
    expect(scores.first).to_contain_text("p ")
    before = scores.all_inner_texts()
    sentence = Sentence(page)
    # While a number of the sentence is dragged, the race is looked at there: a second at the end.
    x, y = sentence.hold(sentence.number("seconds"))
    page.mouse.move(x - 800, y, steps=4)
    expect(page.locator(".race-head")).to_have_text(re.compile(r"half-life 1 s \(d = "))
    page.mouse.move(x + 9, y)
    # The next step behind ten minutes is one of the numbers at which the race is drawn.
    expect(page.locator(".race-head")).to_have_text(re.compile(r"half-life 12 min \(d = "))
    page.mouse.move(x, y)
    sentence.let_go()
    assert scores.all_inner_texts() == before
    star = page.get_by_role("slider", name="half-life (logarithmic)")
    x, y = sentence.hold(star)
    page.mouse.move(x + 200, y, steps=5)
    told = page.locator(".race-head").inner_text()
    # While the star is held the rows of its place are told, and the sentence waits.
    assert scores.all_inner_texts() != before
    assert sentence.words.startswith("An alarm after 10 min")
    page.mouse.up()
    wait_until_settled(page, "race")
    expect(page.locator(".need-slot[data-number=seconds]")).not_to_have_text("10 min")
    # Half is gone by then: the half-life of the race is the time of the sentence, to three digits.
    assert told.split(" (")[0].removeprefix("half-life ") in sentence.words
    assert star.get_attribute("aria-valuetext").startswith("half-life")


def test_a_figure_for_a_paper_is_dark_on_white_whatever_the_theme(open_page):
    page = open_page("choose_decay?sample=web_service", scheme="dark")
    with page.expect_download() as waiting:
        page.locator(".race .tool").click()
    assert re.fullmatch(r"padf-web-service-\w+-f1-over-decay.svg", waiting.value.suggested_filename)
    root = ElementTree.parse(waiting.value.path()).getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{space}title").text == "F1 by half-life (logarithmic)"
    assert root.find(f"{space}rect").get("fill") in ("#ffffff", "rgb(255, 255, 255)")
    texts = [each.text for each in root.iter(f"{space}text")]
    assert {"10 min", "1 h", "F1", "quick_noisy", "slow_sure"} <= set(texts)
    with page.expect_download() as waiting:
        page.locator(".need .tool").click()
    curve = ElementTree.parse(waiting.value.path()).getroot()
    assert "50 %" in [each.text for each in curve.iter(f"{space}text")]
    assert page.locator(".race").get_attribute("data-mode") == "dark"


def test_drawing_probabilities_shows_the_terms(open_page):
    page = open_page("random_detector")
    expect(page.get_by_text("N = 500: at most 0.923")).to_be_visible()
    page.get_by_role("tab", name="Custom detector").click()
    page.get_by_role("button", name="Appendix C.2").click()
    # The last of twelve points with d = 0.9: 0.9 ** 11 = 0.314.
    expect(page.locator(".probabilities .lane-score")).to_have_text("0.314")
    bar = page.get_by_role("slider", name="probability of an alarm at delay 0")
    bar.focus()
    page.keyboard.press("End")
    expect(page.locator(".probabilities .lane-score")).to_have_text("1.000")
    expect(page.get_by_text("Expected recall 1.0000")).to_be_visible()
    # By mouse: half a chance at once, then the last point: 0.5 + 0.5 * 0.314 = 0.657.
    box = bar.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".probabilities .lane-score")).to_have_text(re.compile("0.6[56]"))


def test_the_audit_shows_its_rows(open_page):
    page = open_page("published_results")
    page.get_by_role("tab", name="Audit").click()
    expect(page.get_by_text("12 of 35 rows of Table 6")).to_be_visible()
    expect(page.get_by_text("0.778 (point-wise), 0.679 (PA), 0.818 (PA%K)")).to_be_visible()
    page.get_by_text("The rows (15)").click()
    expect(page.locator("[data-testid=stDataFrame]").filter(visible=True).first).to_be_visible()
    page.get_by_role("tab", name="Correlations").click()
    expect(page.get_by_text("correlation 0.818")).to_be_visible()

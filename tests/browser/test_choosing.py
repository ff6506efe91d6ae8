"""Choosing a decay rate, the random detector and the published results, walked as a user would."""

import json
import re

import pandas as pd
from playwright.sync_api import expect

import padf_core as padf
from padf_core import Settings
from padf_core.analysis.settings_file import settings_from_json
from tests.browser.conftest import go_to, wait_until_idle
from tests.browser.server import ROOT
from tests.browser.test_data import Reader

HALF_AN_HOUR = 0.5 ** (1 / 6)
"""Half the credit after 30 minutes, in steps of five."""


def type_number(page, label, value):
    """Type into a number field and wait until Python has answered."""
    page.get_by_label(label, exact=True).fill(str(value))
    page.get_by_label(label, exact=True).press("Enter")
    wait_until_idle(page)


def test_from_a_need_to_a_decay_in_use_everywhere(open_page):
    page = open_page("choose_decay?sample=web_service&detector=1")
    type_number(page, "An alarm after", 30)
    # Web service has five-minute steps: six of them, d = 0.5 ** (1/6) = 0.8909.
    expect(page.get_by_text("d = 0.8909").first).to_be_visible()
    expect(page.get_by_text("The ranking is the same for every half-life from")).to_be_visible()
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


def test_flips_over_the_half_life(open_page):
    page = open_page("choose_decay?sample=ad_bidding")
    expect(page.get_by_text("half-life, min (logarithmic)").first).to_be_visible()
    expect(page.locator("li", has_text="passes").first).to_contain_text("half-life")


def test_drawing_probabilities_shows_the_terms(open_page):
    page = open_page("random_detector")
    expect(page.get_by_text("N = 500: at most 0.923")).to_be_visible()
    page.get_by_role("tab", name="Any probability of an alarm").click()
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
    page.get_by_role("tab", name="The audit").click()
    expect(page.get_by_text("12 of 35 rows of Table 6")).to_be_visible()
    expect(page.get_by_text("0.778 (point-wise), 0.679 (PA), 0.818 (PA%K)")).to_be_visible()
    page.get_by_text("The rows (15)").click()
    expect(page.locator("[data-testid=stDataFrame]").filter(visible=True).first).to_be_visible()
    page.get_by_role("tab", name="Correlations").click()
    expect(page.get_by_text("correlation 0.818")).to_be_visible()

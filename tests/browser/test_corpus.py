"""The page on corpora in a browser: a dot opens its series, and a small corpus is run there."""

from playwright.sync_api import expect

from tests.browser.conftest import wait_until_idle
from tests.core.corpus_files import write_tables

DOT = """
(name) => {
  const plot = [...document.querySelectorAll(".js-plotly-plot")].at(-1);
  const trace = plot?.data?.findIndex((each) => each.customdata) ?? -1;
  if (trace < 0 || !plot.querySelector(".nsewdrag")) return null;
  plot.scrollIntoView({ block: "center" });
  const at = plot.data[trace].customdata.findIndex((named) => named[0] === name);
  if (at < 0) return null;
  const axes = [plot._fullLayout.xaxis, plot._fullLayout.yaxis];
  const box = plot.querySelector(".nsewdrag").getBoundingClientRect();
  return { x: box.left + axes[0].l2p(plot.data[trace].x[at]),
           y: box.top + axes[1].l2p(plot.data[trace].y[at]) };
}
"""


def click_dot(page, name):
    """Click a dot; a run that draws the chart anew draws it at the same place."""
    place = page.wait_for_function(DOT, arg=name).json_value()
    page.mouse.move(place["x"], place["y"])
    page.mouse.click(place["x"], place["y"])


def test_a_dot_of_nab_opens_its_series_in_your_data(open_page):
    page = open_page("corpus")
    page.get_by_role("tab", name="Head to head").click()
    wait_until_idle(page)
    click_dot(page, "realKnownCause/nyc_taxi")
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    expect(page.locator(".lane-score").first).to_be_visible()
    assert "sample=nab_taxi" in page.url


def test_a_small_corpus_is_run_on_the_page(open_page, tmp_path):
    files = sorted(write_tables(tmp_path / "tables", count=4).iterdir())
    page = open_page("corpus")
    page.get_by_role("button", name="Run a corpus").click()
    page.get_by_text("A whole folder").click()
    page.locator("input[type=file]:not([webkitdirectory])").last.set_input_files(files)
    run = page.get_by_role("button", name="Run", exact=True)
    expect(run).to_be_enabled()
    run.click()
    expect(page.get_by_text("2 detectors on 4 series")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("tab", name="Head to head").click()
    wait_until_idle(page)
    click_dot(page, "series_02")
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    expect(page.locator(".lane-score").first).to_be_visible()

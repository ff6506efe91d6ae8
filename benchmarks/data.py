"""How long a person waits on the data page, in a real browser, and how much memory it takes.

Run with `make bench-data`; results are recorded in RESULTS.md.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.series import make_series
from tests.browser.board import Hand
from tests.browser.conftest import CASE_2_BOARD, wait_until_idle
from tests.browser.server import serving
from tests.find_browser import HOW, installed_browser, launch_options

SIZES = {"1e6": 1_000_000, "1e7": 10_000_000}


def write_table(path: Path, size: int) -> None:
    """Labels and three detectors with six digits, as a CSV file."""
    labels, scores = make_series(size)
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"label": labels.astype(int), "model_a": scores})
    table["model_b"] = rng.random(size) + 0.5 * labels
    table["model_c"] = rng.random(size)
    table.to_csv(path, index=False, float_format="%.6f")


def peak_mib(address: str) -> float:
    """Return the highest resident memory of the server at this address."""
    port = address.rsplit(":", 1)[1].encode()
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            if port in (status.parent / "cmdline").read_bytes().split(b"\0"):
                lines = status.read_text().splitlines()
                peak = next(line for line in lines if line.startswith("VmHWM"))
                return int(peak.split()[1]) / 1024
    return float("nan")


WATCH = """() => {
  const isShown = () => [...document.querySelectorAll("*")].some(
    (host) => host.shadowRoot?.querySelector(".lane-score"));
  window.shown = new Promise((tell) => addEventListener("click", ({ timeStamp }) => {
    const look = () => isShown()
      ? requestAnimationFrame((now) => tell((now - timeStamp) / 1000))
      : requestAnimationFrame(look);
    look();
  }, { once: true, capture: true }));
}"""
"""The page's own clock, from a click to the frame after the scores: a test's look at the page would
wait until the code of charts, which comes right behind them, has been loaded."""


def click_to_scores(page: Page) -> float:
    """Click to read the table; return after how many seconds the scores are on the screen."""
    page.evaluate(WATCH)
    page.get_by_role("button", name="Use this table").click()
    page.set_default_timeout(600_000)
    took: float = page.evaluate("window.shown")
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    wait_until_idle(page)
    return took


def timed(action) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def measure(page: Page, address: str, file: Path) -> dict[str, float]:
    page.goto(f"{address}/your_data")
    wait_until_idle(page)
    page.get_by_role("tab", name="A table").click()
    upload = page.locator("input[type=file]").first
    took: dict[str, float] = {}

    def choose() -> None:
        upload.set_input_files(file)
        page.get_by_role("button", name="Use this table").wait_for(timeout=600_000)

    def best() -> None:
        before = page.locator("[data-f1=pointwise]").text_content()
        page.get_by_role("button", name="Point-wise:").click()
        page.wait_for_function(
            "before => { for (const host of document.querySelectorAll('*')) {"
            " const found = host.shadowRoot?.querySelector('[data-f1=pointwise]');"
            " if (found && found.textContent !== before) return true; } return false; }",
            arg=before,
            timeout=600_000,
        )
        wait_until_idle(page)

    def compare() -> None:
        page.get_by_role("tab", name="Compare detectors").click()
        page.get_by_text("comes first").first.wait_for(timeout=600_000)

    took["upload and preview"] = timed(choose)
    took["from click to scores"] = click_to_scores(page)
    took["another threshold"] = timed(best)
    took["compare, with random detectors"] = timed(compare)
    return took


def strokes(page: Page, until: Callable[[], bool]) -> list[float]:
    """Paint until something has happened; return how long each answer took, in ms."""
    hand = Hand(page)
    took = []
    while not until():
        start = time.perf_counter()
        hand.drag(1, 20, 24)
        hand.settle()
        took.append(1000 * (time.perf_counter() - start))
    return took


def draw_beside(browser: Browser, address: str, file: Path) -> tuple[float, float]:
    """Return the 95th percentile of a stroke's answer, alone and while somebody's file is read."""
    drawing, reading = browser.new_context().new_page(), browser.new_context().new_page()
    drawing.goto(f"{address}/{CASE_2_BOARD}")
    wait_until_idle(drawing)
    end = time.perf_counter() + 15
    alone = strokes(drawing, lambda: time.perf_counter() > end)
    reading.goto(f"{address}/your_data")
    wait_until_idle(reading)
    reading.get_by_role("tab", name="A table").click()
    reading.locator("input[type=file]").first.set_input_files(file)
    reading.get_by_role("button", name="Use this table").wait_for(timeout=600_000)
    reading.get_by_role("button", name="Use this table").click()
    drawing.bring_to_front()
    beside = strokes(drawing, lambda: reading.locator(".lane-score").count() > 0)
    for page in (drawing, reading):
        page.context.close()
    return float(np.percentile(alone, 95)), float(np.percentile(beside, 95))


def main() -> int:
    path = installed_browser()
    if path is None:
        print(HOW)
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(path))
        for name, size in SIZES.items():
            file = Path(folder) / f"{name}.csv"
            write_table(file, size)
            with serving(Path(folder) / "log.txt") as address:
                page = browser.new_page()
                took = measure(page, address, file)
                peak = peak_mib(address)
                page.close()
                alone, beside = draw_beside(browser, address, file)
            print(f"{name} rows, 3 detectors, {file.stat().st_size / 2**20:.0f} MiB of CSV")
            for step, seconds in took.items():
                print(f"  {step:32} {seconds:6.1f} s")
            print(f"  highest memory of the server     {peak:6.0f} MiB")
            print(f"  a stroke's answer, p95: alone    {alone:6.0f} ms")
            print(
                f"  while this file is being read    {beside:6.0f} ms, {beside / alone:.1f} times"
            )
            file.unlink()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

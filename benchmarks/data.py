"""Measure waiting times on Your data in a real browser, and the server's memory.

Run with `make bench-data`. RESULTS.md has the recorded results.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page

from benchmarks.series import make_series
from benchmarks.serving import OpenBrowser, OpenServer, own_browser, own_server
from tests.browser.board import Hand
from tests.browser.conftest import CASE_2_BOARD, wait_until_idle


@dataclass(frozen=True)
class Size:
    """Rows of each table, and how long strokes are measured without other load."""

    rows: tuple[int, ...] = (1_000_000, 10_000_000)
    alone_seconds: float = 15
    patience: float = 600
    """Seconds after which a step fails."""


FULL = Size()


def write_table(path: Path, size: int) -> None:
    """Write a CSV file with labels and the scores of three detectors, with six decimals."""
    labels, scores = make_series(size)
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"label": labels.astype(int), "model_a": scores})
    table["model_b"] = rng.random(size) + 0.5 * labels
    table["model_c"] = rng.random(size)
    table.to_csv(path, index=False, float_format="%.6f")


def peak_mib(pid: int) -> float:
    """Return the peak resident memory of a process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    peak = next(line for line in lines if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


WATCH = """(patience) => {
  const isShown = () => [...document.querySelectorAll("*")].some(
    (host) => host.shadowRoot?.querySelector(".lane-score"));
  window.shown = new Promise((tell, fail) => {
    setTimeout(() => fail(new Error("no scores were shown")), 1000 * patience);
    addEventListener("click", ({ timeStamp }) => {
      const look = () => isShown()
        ? requestAnimationFrame((now) => tell((now - timeStamp) / 1000))
        : requestAnimationFrame(look);
      look();
    }, { once: true, capture: true });
  });
}"""
"""Measures with the page's own clock, from a click to the frame after the scores.

Polling the page from Python would also wait for the code of the charts, which loads right after the
scores.
"""


def click_to_scores(page: Page, patience: float) -> float:
    """Click to read the table. Return the seconds until the scores are displayed."""
    page.evaluate(WATCH, patience)
    page.get_by_role("button", name="Use this table").click()
    took: float = page.evaluate("window.shown")
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    wait_until_idle(page)
    return took


def open_page(browser: Browser, size: Size) -> Page:
    """Open a page in its own profile. Closing the page closes the profile."""
    page = browser.new_page()
    page.set_default_timeout(1000 * size.patience)
    return page


def timed(action) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def measure(page: Page, address: str, file: Path, patience: float) -> dict[str, float]:
    page.goto(f"{address}/your_data")
    wait_until_idle(page)
    page.get_by_role("tab", name="A table").click()
    upload = page.locator("input[type=file]").first
    took: dict[str, float] = {}

    def choose() -> None:
        upload.set_input_files(file)
        page.get_by_role("button", name="Use this table").wait_for()

    def best() -> None:
        before = page.locator("[data-f1=pointwise]").text_content()
        page.get_by_role("button", name="Point-wise:").click()
        page.wait_for_function(
            "before => { for (const host of document.querySelectorAll('*')) {"
            " const found = host.shadowRoot?.querySelector('[data-f1=pointwise]');"
            " if (found && found.textContent !== before) return true; } return false; }",
            arg=before,
        )
        wait_until_idle(page)

    def compare() -> None:
        page.get_by_role("tab", name="Compare detectors").click()
        page.get_by_text("comes first").first.wait_for()

    took["upload and preview"] = timed(choose)
    took["from click to scores"] = click_to_scores(page, patience)
    took["another threshold"] = timed(best)
    took["compare, with random detectors"] = timed(compare)
    return took


def strokes(page: Page, until: Callable[[], bool], patience: float) -> list[float]:
    """Paint at least once and until ``until()`` is true. Return each response time in ms."""
    hand = Hand(page)
    took: list[float] = []
    end = time.perf_counter() + patience
    while not took or not until():
        if time.perf_counter() > end:
            raise TimeoutError(f"painted for {patience:g} s in vain")
        start = time.perf_counter()
        hand.drag(1, 20, 24)
        hand.settle()
        took.append(1000 * (time.perf_counter() - start))
    return took


def draw_beside(drawing: Page, reading: Page, address: str, file: Path, size: Size) -> list[float]:
    """Return p95 of a stroke's response time, alone and while the other page reads a file."""
    drawing.bring_to_front()
    drawing.goto(f"{address}/{CASE_2_BOARD}")
    wait_until_idle(drawing)
    end = time.perf_counter() + size.alone_seconds
    alone = strokes(drawing, lambda: time.perf_counter() > end, size.patience)
    reading.bring_to_front()
    reading.goto(f"{address}/your_data")
    wait_until_idle(reading)
    reading.get_by_role("tab", name="A table").click()
    reading.locator("input[type=file]").first.set_input_files(file)
    reading.get_by_role("button", name="Use this table").click()
    drawing.bring_to_front()
    beside = strokes(drawing, lambda: reading.locator(".lane-score").count() > 0, size.patience)
    return [float(np.percentile(each, 95)) for each in (alone, beside)]


def main(
    size: Size = FULL,
    open_server: OpenServer = own_server,
    open_browser: OpenBrowser = own_browser,
) -> None:
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        for rows in size.rows:
            file = Path(folder) / f"{rows}.csv"
            write_table(file, rows)
            with open_server() as (address, pid):
                page = open_page(browser, size)
                took = measure(page, address, file, size.patience)
                peak = peak_mib(pid)
                other = open_page(browser, size)
                alone, beside = draw_beside(page, other, address, file, size)
                page.close()
                other.close()
            print(f"{rows:,} rows, 3 detectors, {file.stat().st_size / 2**20:.1f} MiB of CSV")
            for step, seconds in took.items():
                print(f"  {step:32} {seconds:6.2f} s")
            print(f"  highest memory of the server     {peak:6.0f} MiB")
            print(f"  a stroke's answer, p95: alone    {alone:6.0f} ms")
            print(
                f"  while this file is being read    {beside:6.0f} ms, {beside / alone:.1f} times"
            )
            file.unlink()


if __name__ == "__main__":
    main()

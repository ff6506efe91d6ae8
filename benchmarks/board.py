"""Measure the board in a real browser: from slider to pixels, and from stroke to score.

The benchmark also measures the frame rate of a replay.

    make bench-board

For comparison, each run also measures an empty frame: two animation frames with nothing to do.
"""

import json
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.series import best_seconds, make_series
from benchmarks.serving import OpenBrowser, OpenServer, own_browser, own_server
from padf_core import Settings
from padf_core.io.series import make_series as make_data
from padf_core.io.times import make_clock
from padf_ui.components.board_message import board_rows
from padf_ui.operators.operators_page import leave_behind
from padf_ui.operators.scene import Scene, judge, padf_for_need, set_scene, suggested_need
from padf_ui.session.replay import UPLOADED, Replay
from tests.browser.conftest import wait_until_idle

BOARDS = {
    60: "playground?n=60&truth=24-40&alarms=30_50",
    300: "playground?n=300&truth=30-60_100-150_200-260&alarms=45_120_210_280",
}
"""URLs of boards, by their number of points."""


@dataclass(frozen=True)
class Size:
    """Number of repetitions of each measurement, and what it runs on."""

    boards: tuple[int, ...] = tuple(BOARDS)
    rows: int = 30
    """Number of times Python computes the rows of a stroke. The fastest counts."""
    frames: int = 40
    slides: int = 60
    strokes: int = 20
    pause: int = 700
    """Milliseconds between strokes, so that each one starts on an idle page."""
    replayed: int = 1_000_000
    """Number of points of the replayed series."""
    replay_seconds: float = 5


FULL = Size()

SETUP = """
window.padf = {
  root: () => [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('.board'))
    .shadowRoot,
  painted: () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
};
"""

EMPTY = """async () => {
  const start = performance.now();
  await window.padf.painted();
  return performance.now() - start;
}"""

SLIDER = """async (step) => {
  const range = window.padf.root().querySelector('input[type=range]');
  range.value = step;
  const start = performance.now();
  range.dispatchEvent(new Event('input', { bubbles: true }));
  const drawn = performance.now() - start;
  await window.padf.painted();
  return [drawn, performance.now() - start];
}"""

STROKE = """([t, letsGo]) => new Promise((done, fail) => {
  setTimeout(() => fail(new Error("the board got no scores")), 30000);
  const root = window.padf.root();
  const board = root.querySelector('.board');
  const cell = root.querySelectorAll('.grid .row')[1].children[t];
  const canvas = root.querySelector('.canvas');
  const box = cell.getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true,
               button: 0, pointerId: 1, isPrimary: true };
  canvas.setPointerCapture = () => {};
  const start = performance.now();
  let drawn;
  const watch = new MutationObserver(() => {
    if (board.dataset.stale === 'false' && drawn !== undefined) {
      watch.disconnect();
      done([drawn, performance.now() - start]);
    }
  });
  watch.observe(board, { attributes: true, attributeFilter: ['data-stale'] });
  canvas.dispatchEvent(new PointerEvent('pointerdown', at));
  drawn = performance.now() - start;
  if (letsGo) canvas.dispatchEvent(new PointerEvent('pointerup', at));
})"""

FRAMES = """(seconds) => new Promise(done => {
  let count = 0;
  const start = performance.now();
  const tick = (now) => {
    count += 1;
    if (now - start < 1000 * seconds) requestAnimationFrame(tick);
    else done(1000 * count / (now - start));
  };
  requestAnimationFrame(tick);
})"""

LET_GO = """() => window.padf.root().querySelector('.canvas')
  .dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 1 }))"""


def line(name: str, values: list[float]) -> str:
    ordered = sorted(values)
    p95 = ordered[round(0.95 * (len(ordered) - 1))]
    return f"{name:<58}{statistics.median(values):>8.1f}{p95:>8.1f}"


def measure(page: Page, points: int, size: Size) -> None:
    print(f"\n{points} points")
    print(f"{'what, in ms':<58}{'median':>8}{'p95':>8}")
    empty = [page.evaluate(EMPTY) for _ in range(size.frames)]
    print(line("an empty frame", empty))
    moved = [page.evaluate(SLIDER, 20 + step) for step in range(size.slides)]
    print(line("slider moved: all lanes, numbers and formula redrawn", [m[0] for m in moved]))
    print(line("slider moved: to pixels", [m[1] for m in moved]))
    pressed, let_go = [], []
    for t in range(1, 1 + size.strokes):
        pressed.append(page.evaluate(STROKE, [t, False]))
        page.evaluate(LET_GO)
        page.wait_for_timeout(size.pause)
        let_go.append(page.evaluate(STROKE, [t, True]))
        page.wait_for_timeout(size.pause)
    print(line("stroke: drawn on the board", [s[0] for s in pressed]))
    print(line("stroke under way: Python's scores on the board", [s[1] for s in pressed]))
    print(line("stroke let go at once: Python's scores on the board", [s[1] for s in let_go]))


def rows(repeats: int) -> None:
    """Print how long Python takes to compute the rows of a stroke, and their size.

    The rows cover all slider steps of all lanes: about 200 results with formulas and sentences.
    """
    rng = np.random.default_rng(0)
    ordinary = np.zeros((2, 60), dtype=bool)
    ordinary[0, 24:41] = True
    ordinary[1, [30, 50]] = True
    dense = rng.random((2, 300)) < 0.5
    print("the rows of a stroke in Python")
    print(f"{'pattern':<40}{'ms':>8}{'limit':>8}{'kB':>8}")
    for name, pattern, limit in (
        ("one segment, two alarms, 60 points", ordinary, 5),
        ("300 points, half of them anomalous", dense, 20),
    ):
        settings = Settings()
        taken = best_seconds(lambda p=pattern, s=settings: board_rows(*p, s), repeats) * 1e3
        size = len(json.dumps(board_rows(*pattern, settings), separators=(",", ":"))) / 1024
        verdict = "within" if taken <= limit else "OVER"
        print(f"{name:<40}{taken:>8.1f}{limit:>8}{size:>8.0f}  {verdict}")


def replay(browser: Browser, folder: Path, points: int, seconds: float) -> None:
    """Print the frame rate of a replay, and of the same page when idle."""
    labels, scores = make_series(points)
    clock = make_clock(np.arange(labels.size, dtype=np.int64) * 1_000_000)
    rng = np.random.default_rng(1)
    given = {"one": scores, "other": rng.normal(size=labels.size) + 2 * labels}
    series = make_data(f"{points:,} points", labels, given, clock, value=scores.astype(np.float32))
    chosen = Replay(UPLOADED, incident=int(np.argmax(series.segments.lengths)), budget=1000.0)
    need = suggested_need(series)
    decay = padf_for_need(Settings(), need)
    usual = judge(series, Replay(UPLOADED), decay)

    def scene() -> Scene:
        return set_scene(series, chosen, need, decay, judge(series, chosen, decay), usual)

    taken = best_seconds(scene, 2)
    page_text = leave_behind(scene())
    file = folder / "replay.html"
    file.write_text(page_text, encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 640})
    page.goto(file.as_uri())
    page.locator(".replay-big").wait_for()
    at_rest = page.evaluate(FRAMES, seconds)
    page.locator(".replay-big").click()
    playing = page.evaluate(FRAMES, seconds)
    print(f"\na replay of {points:,} points")
    print(f"{'two detectors set to their budget, in s':<58}{taken:>8.3f}")
    print(f"{'the page to leave behind, in kB':<58}{len(page_text) / 1024:>8.0f}")
    print(f"{'frames a second, at rest':<58}{at_rest:>8.1f}")
    print(f"{'frames a second, playing':<58}{playing:>8.1f}")
    page.close()


def main(
    size: Size = FULL,
    open_server: OpenServer = own_server,
    open_browser: OpenBrowser = own_browser,
) -> None:
    rows(size.rows)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_server() as (address, _),
        open_browser() as browser,
    ):
        print(f"headless Chromium {browser.version}, 1400 x 900, server on the same cores")
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        for points in size.boards:
            page.goto(f"{address}/{BOARDS[points]}")
            page.locator(".lane-score").first.wait_for()
            wait_until_idle(page)
            page.wait_for_timeout(4 * size.pause)  # The code of the charts loads last.
            page.evaluate(SETUP)
            measure(page, points, size)
        page.close()
        replay(browser, Path(folder), size.replayed, size.replay_seconds)


if __name__ == "__main__":
    main()

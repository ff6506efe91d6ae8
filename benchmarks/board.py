"""How long the board takes in a real browser: from slider to pixels, from stroke to score.

And how many frames a second a replay has.

    make bench-board

Beside them stands an empty frame (two animation frames with nothing to do) from the same run.
"""

import json
import statistics
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.series import best_seconds, make_series
from padf_core import PointAdjustDecay, Settings
from padf_core.analysis.choosing import Need
from padf_core.data.series import Series
from padf_core.data.series import make_series as make_data
from padf_core.data.times import make_clock
from padf_ui.operators.scene import Judged, decay_of, judge, set_scene, suggested_need
from padf_ui.operators.view import leave_behind
from padf_ui.session.replay import BROUGHT, Replay
from padf_ui.shared.board_rows import board_rows
from tests.browser.server import serving
from tests.find_browser import HOW, installed_browser, launch_options

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

STROKE = """([t, letsGo]) => new Promise(done => {
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


def measure(page: Page, points: int) -> None:
    print(f"\n{points} points")
    print(f"{'what, in ms':<58}{'median':>8}{'p95':>8}")
    empty = [page.evaluate(EMPTY) for _ in range(40)]
    print(line("an empty frame", empty))
    moved = [page.evaluate(SLIDER, 20 + step) for step in range(60)]
    print(line("slider moved: all lanes, numbers and formula redrawn", [m[0] for m in moved]))
    print(line("slider moved: to pixels", [m[1] for m in moved]))
    pressed, let_go = [], []
    for t in range(1, 21):
        pressed.append(page.evaluate(STROKE, [t, False]))
        page.evaluate(LET_GO)
        page.wait_for_timeout(700)
        let_go.append(page.evaluate(STROKE, [t, True]))
        page.wait_for_timeout(700)
    print(line("stroke: drawn on the board", [s[0] for s in pressed]))
    print(line("stroke under way: Python's scores on the board", [s[1] for s in pressed]))
    print(line("stroke let go at once: Python's scores on the board", [s[1] for s in let_go]))


def rows() -> None:
    """How long Python takes for the rows of a stroke, and how much it sends.

    All slider steps of all lanes: about two hundred results with their formulas and sentences.
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
        taken = best_seconds(lambda p=pattern, s=settings: board_rows(*p, s), 30) * 1e3
        size = len(json.dumps(board_rows(*pattern, settings), separators=(",", ":"))) / 1024
        verdict = "within" if taken <= limit else "OVER"
        print(f"{name:<40}{taken:>8.1f}{limit:>8}{size:>8.0f}  {verdict}")


def replay(browser: Browser, folder: Path) -> None:
    """How many frames a second a replay of a million points has, beside a page at rest."""
    labels, scores = make_series(1_000_000)
    clock = make_clock(np.arange(labels.size, dtype=np.int64) * 1_000_000)
    rng = np.random.default_rng(1)
    given = {"one": scores, "other": rng.normal(size=labels.size) + 2 * labels}
    series = make_data("a million points", labels, given, clock, value=scores.astype(np.float32))
    chosen = Replay(BROUGHT, incident=int(np.argmax(series.segments.lengths)), budget=1000.0)
    need = suggested_need(series)
    taken = best_seconds(lambda: set_scene(*_judged(series, chosen, need)), 2)
    page_text = leave_behind(set_scene(*_judged(series, chosen, need)))
    file = folder / "replay.html"
    file.write_text(page_text, encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 640})
    page.goto(file.as_uri())
    page.locator(".replay-big").wait_for()
    at_rest = page.evaluate(FRAMES, 5)
    page.locator(".replay-big").click()
    playing = page.evaluate(FRAMES, 5)
    print("\na replay of a million points")
    print(f"{'two detectors set to their budget, in s':<58}{taken:>8.1f}")
    print(f"{'the page to leave behind, in kB':<58}{len(page_text) / 1024:>8.0f}")
    print(f"{'frames a second, at rest':<58}{at_rest:>8.1f}")
    print(f"{'frames a second, playing':<58}{playing:>8.1f}")
    page.close()


def _judged(
    series: Series, chosen: Replay, need: Need
) -> tuple[Series, Replay, Need, PointAdjustDecay, tuple[Judged, ...]]:
    decay = decay_of(Settings(), need)
    return series, chosen, need, decay, judge(series, chosen, decay)


def main() -> None:
    rows()
    path = installed_browser()
    if path is None:
        raise SystemExit(HOW)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "log.txt") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options(path))
        print(f"headless Chromium {browser.version}, 1400 x 900, server on the same two cores")
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        for points, query in (
            (60, "playground?n=60&truth=24-40&alarms=30_50"),
            (300, "playground?n=300&truth=30-60_100-150_200-260&alarms=45_120_210_280"),
        ):
            page.goto(f"{address}/{query}")
            page.locator(".lane-score").first.wait_for()
            page.wait_for_timeout(3000)
            page.evaluate(SETUP)
            measure(page, points)
        replay(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()

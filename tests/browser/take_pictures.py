"""Take the README's pictures: python -m tests.browser.take_pictures FOLDER."""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.server import serving
from tests.find_browser import HOW, installed_browser, launch_options

MOCK = "playground?n=60&truth=10-21_38-49&alarms=16-17_28-29_38-40_44"

PICTURES = {
    "learn.png": ("learn?lesson=course&step=7", "light", 800, ".lanes"),
    "quiz.png": ("quiz?seed=1", "light", 640, ".mini"),
    "playground.png": (MOCK, "light", 800, ".lane-score"),
    "playground-dark.png": (MOCK, "dark", 800, ".lane-score"),
    "your-data.png": ("your_data?sample=pump&detector=2", "light", 1000, ".lane-score"),
    "real-data.png": ("your_data?sample=nab_taxi", "light", 1060, ".lane-score"),
    "corpus.png": ("corpus", "light", 1420, ".js-plotly-plot"),
    "choose-decay.png": ("choose_decay?sample=ad_bidding", "light", 900, ".race-list li"),
    "operators.png": ("operators", "light", 640, ".replay-big"),
    "random-detector.png": ("random_detector", "light", 1000, ".js-plotly-plot"),
    "paper-cases.png": ("paper_cases", "light", 1130, ".card h3"),
    "published-results.png": ("published_results", "light", 900, ".js-plotly-plot"),
}

GO_TO = "(range, at) => { range.value = at; range.dispatchEvent(new Event('input')); }"
HALF_SEEN = "7800"
"""Seconds of the replay at which one detector has seen the incident and the other has not."""

MOVING = "front.gif"
FRAMES = 30


def take_moving(page, file: Path) -> None:
    """Drag the alarm of the start page along the incident and back, as a moving picture."""
    alarm = page.locator(".front [role=slider]").first
    alarm.focus()
    page.keyboard.press("Home")
    frames = []
    for turn in range(FRAMES):
        page.wait_for_timeout(160)
        shot = page.locator(".front").screenshot()
        image = Image.open(io.BytesIO(shot)).convert("RGB").resize((960, 270))
        frames.append(image.quantize(48))
        page.keyboard.press("ArrowRight")
        if turn % 6 == 5:
            page.keyboard.press("ArrowRight")
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=180, loop=0)


def main(folder: Path) -> None:
    path = installed_browser()
    if path is None:
        raise SystemExit(HOW)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as logs,
        serving(Path(logs) / "log.txt") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options(path))
        for name, (query, scheme, height, wanted) in PICTURES.items():
            page = browser.new_page(viewport={"width": 1400, "height": height})
            page.emulate_media(color_scheme=scheme)
            page.goto(f"{address}/{query}")
            page.locator(wanted).first.wait_for()
            page.wait_for_timeout(5000)
            if name == "operators.png":
                page.locator(".replay-scrub").evaluate(GO_TO, HALF_SEEN)
            page.screenshot(path=folder / name)
            page.close()
        page = browser.new_page(viewport={"width": 1400, "height": 800})
        page.goto(address)
        page.locator(".front [role=slider]").first.wait_for()
        page.wait_for_timeout(2000)
        take_moving(page, folder / MOVING)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

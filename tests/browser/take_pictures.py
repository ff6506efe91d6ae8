"""Take the README's pictures: python -m tests.browser.take_pictures FOLDER."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.server import serving
from tests.find_browser import HOW, installed_browser, launch_options

MOCK = "?n=60&truth=10-21_38-49&alarms=16-17_28-29_38-40_44"

PICTURES = {
    "playground.png": (MOCK, "light", 800, ".lane-score"),
    "playground-dark.png": (MOCK, "dark", 800, ".lane-score"),
    "your-data.png": ("your_data?sample=pump&detector=2", "light", 1000, ".lane-score"),
    "choose-decay.png": ("choose_decay?sample=ad_bidding", "light", 2300, ".js-plotly-plot"),
    "paper-cases.png": ("paper_cases", "light", 1130, ".card h3"),
}

CLIPS = {"choose-decay.png": {"x": 0, "y": 1424, "width": 1400, "height": 770}}
"""The part of a long page that is shown."""


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
            page.screenshot(path=folder / name, clip=CLIPS.get(name))
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Find a Chromium for the browser tests, or get one, or say how to get one.

python -m tests.find_browser
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

SHELL = "chromium-headless-shell"
"""Chromium without windows. The other one loads its address bar as a page for each new tab, which
costs as much as a page of ours."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
HOW = """No browser was found for the browser tests. Any one of these gets one:
  apt-get install chromium                        (Debian, Ubuntu; as root)
  .venv/bin/python -m playwright install chromium (any system)
  PADF_BROWSER=/path/to/chrome make test          (one that you have)"""


def installed_browser() -> str | None:
    """Return the path of a browser that is installed, or None."""
    named = os.environ.get("PADF_BROWSER")
    if named:
        return named
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    if Path(MAC).is_file():
        return MAC
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


def install_browser() -> None:
    """Install Debian's Chromium as root, otherwise Playwright's own."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        for package in (SHELL, "chromium"):
            command = [*install, package, "fonts-dejavu-core"]
            if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode == 0:
                return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def launch_options(path: str) -> dict[str, object]:
    """How Playwright starts that browser quietly, also as root."""
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    quiet += ["--disable-gpu-compositing", "--disable-accelerated-2d-canvas"]
    return {
        "executable_path": path,
        "args": ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", *quiet],
    }


def main() -> int:
    path = installed_browser()
    if path is None:
        install_browser()
        path = installed_browser()
    if path is None:
        print(HOW, file=sys.stderr)
        return 1
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**launch_options(path))
            print(f"browser tests use {path} ({browser.version})")
            browser.close()
    except Error as error:
        print(f"{path} does not start: {error}\n{HOW}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

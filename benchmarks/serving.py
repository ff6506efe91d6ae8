"""Server and browser for the benchmarks that need them."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.server import serving_process
from tests.find_browser import HOW, installed_browser, launch_options

OpenServer = Callable[[], AbstractContextManager[tuple[str, int]]]
"""Context manager that gives the URL of a server and its process id."""

OpenBrowser = Callable[[], AbstractContextManager[Browser]]


@contextlib.contextmanager
def own_server() -> Iterator[tuple[str, int]]:
    """Start a server, yield its URL and process id, and stop it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving_process(Path(folder) / "log.txt") as served,
    ):
        yield served


@contextlib.contextmanager
def own_browser() -> Iterator[Browser]:
    """Start a browser, yield it, and close it."""
    path = installed_browser()
    if path is None:
        raise SystemExit(HOW)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(path))
        yield browser
        browser.close()

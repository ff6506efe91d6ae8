"""A server and a browser for the tests of this folder."""

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.server import serving
from tests.find_browser import HOW, installed_browser, launch_options

expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser():
    path = installed_browser()
    if path is None:
        pytest.fail(HOW)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**launch_options(path))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("server") / "log.txt") as url:
        yield url


@pytest.fixture(scope="session")
def shared_context(browser):
    """One browser profile for most tests: each tab is a session of its own, files are cached."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def open_page(browser, shared_context, address):
    """Open a page of the app in a session of its own and wait until it has been drawn.

    Options such as ``has_touch`` need a profile of their own.
    """
    opened = []

    def open_one(path="", *, width=1400, height=900, scheme="light", **options):
        context = browser.new_context(**options) if options else shared_context
        page = context.new_page()
        opened.append(context if options else page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address}/{path}")
        wait_until_idle(page)
        return page

    yield open_one
    for one in opened:
        one.close()


def wait_until_idle(page):
    """Wait until Streamlit has drawn the page and runs no script."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.locator("[data-testid=stMainBlockContainer] *").first.wait_for()

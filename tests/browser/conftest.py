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


@pytest.fixture
def open_page(browser, address):
    """Open a page of the app in a session of its own and wait until it has been drawn."""
    contexts = []

    def opened(path="", *, width=1400, height=900, scheme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{address}/{path}")
        wait_until_idle(page)
        return page

    yield opened
    for context in contexts:
        context.close()


def wait_until_idle(page):
    """Wait until Streamlit has drawn the page and runs no script."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.locator("[data-testid=stMainBlockContainer] *").first.wait_for()

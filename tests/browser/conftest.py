"""A server and a browser for the tests of this folder."""

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.server import ROOT, serving_process
from tests.browser.witness import Witness
from tests.find_browser import HOW, installed_browser, launch_options

PATIENCE = 20_000
LOOKS = 50
"""Milliseconds between looks at a page: a locator may wait half a second before its next look, and
looking at each frame keeps a core busy."""
expect.set_options(timeout=PATIENCE)

CASE_2_BOARD = "playground?n=30&truth=12-18&alarms=5_13"
"""The paper's second case on the board, where most tests begin."""


WITNESS = pytest.StashKey[Witness]()


@pytest.fixture(scope="session")
def browser(pytestconfig):
    path = installed_browser()
    if path is None:
        pytest.fail(HOW)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**launch_options(path))
        pytestconfig.stash[WITNESS] = Witness(chromium)
        yield chromium
        del pytestconfig.stash[WITNESS]
        chromium.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Save what a failed test leaves in the browser and on the server, and say where."""
    report = yield
    witness = item.config.stash.get(WITNESS, None)
    if report.failed and witness is not None:
        own = item.funcargs.get("tmp_path")
        folder = witness.save(item.nodeid, [] if own is None else sorted(own.glob("*log*.txt")))
        told = f"screenshots, console and server log: {folder.relative_to(ROOT)}"
        report.sections.append(("browser", told))
    return report


@pytest.fixture(scope="session")
def server(browser, pytestconfig, tmp_path_factory):
    """The address and the process id of a server for all tests."""
    log = tmp_path_factory.mktemp("server") / "log.txt"
    pytestconfig.stash[WITNESS].logs.append(log)
    with serving_process(log) as served:
        yield served


@pytest.fixture(scope="session")
def address(server):
    return server[0]


@pytest.fixture(scope="session")
def contexts(browser):
    """One browser profile for each kind of device: each tab is a session of its own.

    What a profile has loaded it keeps, so a second one would load all of Streamlit again.
    """
    made = {}

    def context_of(**options):
        kind = tuple(sorted(options.items()))
        if kind not in made:
            clipboard = ["clipboard-read", "clipboard-write"]
            made[kind] = browser.new_context(permissions=clipboard, **options)
        return made[kind]

    yield context_of
    for context in made.values():
        context.close()


@pytest.fixture(scope="session")
def free_tabs():
    """Tabs that are open and that no test uses: opening one costs more than loading a page."""
    return []


@pytest.fixture
def open_page(contexts, free_tabs, address):
    """Open a page of the app in a session of its own and wait until it has been drawn.

    Most tests share a few tabs. ``own_tab`` gives one that is closed afterwards, for tests that
    listen to it or change it for good. Options such as ``has_touch`` are those of another device.
    """
    used, closing = [], []

    def find_tab(own_tab, options):
        is_own = own_tab or bool(options)
        page = free_tabs.pop() if free_tabs and not is_own else contexts(**options).new_page()
        page.bring_to_front()  # A tab behind another is drawn seldom, and clicks wait for that.
        (closing if is_own else used).append(page)
        return page

    def open_one(
        path=CASE_2_BOARD,
        *,
        width=1400,
        height=900,
        scheme="light",
        own_tab=False,
        before=None,
        **options,
    ):
        page = find_tab(own_tab or before is not None, options)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        if before is not None:
            before(page)
        page.goto(f"{address}/{path}")
        wait_until_idle(page)
        return page

    yield open_one
    for one in closing:
        one.close()
    free_tabs.extend(used)


IDLE = """() => {
  const idle = document.querySelector("[data-testid=stApp][data-test-script-state=notRunning]");
  const title = document.querySelector("[data-testid=stMainBlockContainer] h1");
  return idle && title?.checkVisibility();
}"""
SETTLED = """(name) => [...document.querySelectorAll("*")].some(
  ({ shadowRoot }) => shadowRoot?.querySelector(`.${name}[data-stale=false]`)?.checkVisibility(),
)"""


def wait_until_idle(page):
    """Wait until Streamlit has drawn the page and runs no script."""
    page.wait_for_function(IDLE, timeout=PATIENCE, polling=LOOKS)


def wait_until_settled(page, name):
    """Wait until a component has its answer from Python, and the page with it."""
    page.wait_for_function(SETTLED, arg=name, timeout=PATIENCE, polling=LOOKS)
    wait_until_idle(page)


def wait_until_still(locator):
    """Wait until an element stops moving. Return its box."""
    box = None
    while box != (box := locator.bounding_box()):
        locator.page.wait_for_timeout(LOOKS)
    return box


def wait_until_it_fits(page):
    """Wait until nothing is wider than the window; charts follow a narrower one after a while."""
    page.wait_for_function(
        "() => { const main = document.querySelector('[data-testid=stMain]');"
        " return main.scrollWidth <= main.clientWidth + 1; }",
        timeout=PATIENCE,
    )


def visit(page, address):
    """Load another address of the app in the same tab: a session of its own."""
    page.goto(address)
    wait_until_idle(page)


def count_frames(frames):
    """Let a tab note what it sends to the server; for ``open_page(before=...)``."""

    def listen(page):
        page.on(
            "websocket", lambda socket: socket.on("framesent", lambda sent: frames.append(sent))
        )

    return listen


def wait_until_quiet(page, frames, quiet_ms=250):
    """Wait until the tab has sent nothing for a while."""
    seen = -1
    while seen != len(frames):
        seen = len(frames)
        page.wait_for_timeout(quiet_ms)


def go_to(page, group, name):
    """Go to another page by the navigation, where pages stand in groups."""
    page.get_by_test_id("stTopNavSection").filter(has_text=group).click()
    page.locator(f"a[href$='/{name}']").click()

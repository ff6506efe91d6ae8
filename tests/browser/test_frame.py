"""The frame: navigation on every page, also when a page's own address is the first request."""

from playwright.sync_api import expect

from padf_ui.frame import PAGES
from tests.browser.conftest import wait_until_idle
from tests.browser.server import serving


def test_a_cold_deep_link_shows_the_proper_frame(contexts, tmp_path):
    """Every page opens its frame first (`test_architecture`), so one page speaks for all."""
    with serving(tmp_path / "log.txt") as address:
        page = contexts().new_page()
        page.goto(f"{address}/your_data")
        wait_until_idle(page)
        expect(page.get_by_role("heading", name=PAGES["your_data"].title).first).to_be_visible()
        expect(page.locator("[data-testid=stSidebarNav]")).to_have_count(0)
        assert page.locator("[data-testid=stException]").count() == 0
        page.close()

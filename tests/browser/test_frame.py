"""The frame: navigation on every page, also when a page's own address is the first request."""

import pytest
from playwright.sync_api import expect

from padf_ui.frame import PAGES
from tests.browser.conftest import wait_until_idle
from tests.browser.server import serving


def name_in_url(key):
    return PAGES[key].script.removeprefix("pages/").removesuffix(".py")


@pytest.mark.parametrize("key", ["playground", "your_data", "published_results"])
def test_a_cold_deep_link_shows_the_proper_frame(browser, tmp_path, key):
    with serving(tmp_path / "log.txt") as address:
        page = browser.new_page()
        page.goto(f"{address}/{name_in_url(key)}")
        wait_until_idle(page)
        expect(page.get_by_role("heading", name=PAGES[key].title).first).to_be_visible()
        expect(page.locator("[data-testid=stSidebarNav]")).to_have_count(0)
        assert page.locator("[data-testid=stException]").count() == 0
        page.close()

"""Hands and eyes for the drawing board in a real browser."""

import contextlib

from playwright.sync_api import Page, TimeoutError

from tests.browser.conftest import LOOKS, PATIENCE, wait_until_idle, wait_until_settled

READ_ROWS = """
(rows) => rows.map((row) => [...row.querySelectorAll(".cell")].map(
  (cell) => Number(/ (anomaly|alarm)$/.test(cell.getAttribute("aria-label"))),
).join(""))
"""
SHOWS_ROWS = f"""
(wanted) => [...document.querySelectorAll("*")].some(({{ shadowRoot }}) => {{
  const read = {READ_ROWS};
  const rows = shadowRoot ? [...shadowRoot.querySelectorAll(".grid .row")] : [];
  return rows.length > 0 && read(rows).join() === wanted;
}})
"""
READ_SCORES = """(texts) => Object.fromEntries(texts.map((e) => [e.dataset.f1, e.textContent]))"""


class Hand:
    """Paints, moves and reads the board of a page."""

    def __init__(self, page: Page):
        self.page = page
        self.settle()

    def cell(self, row, t):
        return self.page.locator(".grid .row").nth(row).locator(".cell").nth(t)

    def middle(self, row, t):
        box = self.cell(row, t).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, row, first, last):
        """Press at one cell and let go at another, passing those between."""
        self.page.mouse.move(*self.middle(row, first))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(row, last), steps=3)
        self.page.mouse.up()
        self.settle()

    def settle(self):
        """Wait until the board is there, with Python's rows for the pattern that is painted."""
        wait_until_settled(self.page, "board")

    @property
    def pattern(self):
        """What is painted, as the cells say it: truth and alarms."""
        return tuple(self.page.locator(".grid .row").evaluate_all(READ_ROWS))

    @property
    def truth(self):
        return self.pattern[0]

    @property
    def alarms(self):
        return self.pattern[1]

    def comes_to_show(self, truth, alarms):
        """Wait until the board shows this pattern and its scores."""
        self.has_pattern(truth, alarms)
        self.settle()

    def has_pattern(self, truth, alarms):
        """Wait until the board shows this pattern, whatever its scores are."""
        with contextlib.suppress(TimeoutError):
            self.page.wait_for_function(
                SHOWS_ROWS, arg=f"{truth},{alarms}", timeout=PATIENCE, polling=LOOKS
            )
        assert self.pattern == (truth, alarms)

    def scores(self):
        """The F1 texts at the lanes' ends."""
        return self.page.locator(".frame [data-f1]").evaluate_all(READ_SCORES)

    def panel(self, name):
        """Open a panel beside the board."""
        button = self.page.get_by_role("radiogroup", name="More").get_by_text(name, exact=True)
        button.click()
        self.page.locator(".st-key-padf_panel > *").first.wait_for()
        wait_until_idle(self.page)

    def example(self, group, key):
        """Put one of the examples on the board; their panel must be open."""
        self.page.locator(f".st-key-example_{group}_{key} button").click()

    def tool(self, name):
        self.page.locator(f".tool[data-tool={name}]").click()

    def slider(self, key):
        return self.page.locator(f".slider[data-slider={key}] input[type=range]")

    def number(self, key):
        return self.page.locator(f".slider[data-slider={key}] .slider-number")

    def type(self, key, value):
        self.number(key).fill(str(value))
        self.number(key).press("Enter")
        self.page.wait_for_function(
            "value => new URLSearchParams(location.search).get(value[0]) === value[1]",
            arg=[key, f"{value:g}"],
        )
        self.settle()

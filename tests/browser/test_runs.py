"""What a run has sent reaches the page, however late the server hears of it."""

import time

from playwright.sync_api import expect

from tests.browser.board import Hand
from tests.browser.conftest import CASE_2_BOARD
from tests.browser.server import serving_process

# A server that hears what runs send only while nobody holds it back. It notes when a run is over,
# and when a fragment was asked for.
HELD_BACK = """
import sys
from pathlib import Path

if any("streamlit" in word for word in sys.orig_argv):
    from streamlit.runtime.app_session import AppSession

    here, held = Path(__file__).parent, []
    hear, ask = AppSession._call_soon_on_event_loop, AppSession.request_rerun
    tell = AppSession._on_scriptrunner_event

    def hear_later(session, callback):
        def put():
            held.append(callback)
            if len(held) == 1:
                let_go()

        def let_go():
            if (here / "hold").exists():
                session._event_loop.call_later(0.005, let_go)
                return
            while held:
                held.pop(0)()

        hear(session, put)

    def tell_and_note(session, sender, event, *more, **named):
        tell(session, sender, event, *more, **named)
        if event.name == "SHUTDOWN":
            (here / "over").touch()

    def ask_and_note(session, state):
        ask(session, state)
        if state is not None and state.fragment_id:
            (here / "asked").touch()

    AppSession._call_soon_on_event_loop = hear_later
    AppSession._on_scriptrunner_event = tell_and_note
    AppSession.request_rerun = ask_and_note
"""


def test_a_stroke_does_not_take_away_the_panel_that_was_just_opened(browser, tmp_path, monkeypatch):
    """The page has run, and a stroke begins before the server has heard of its elements."""
    (tmp_path / "sitecustomize.py").write_text(HELD_BACK)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def wait_for(name):
        until = time.monotonic() + 60
        while not (tmp_path / name).exists():
            assert time.monotonic() < until, f"the server never noted {name!r}"
            time.sleep(0.01)

    with serving_process(tmp_path / "log.txt") as (address, _):
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(f"{address}/{CASE_2_BOARD}")
        Hand(page).settle()
        row = page.locator(".grid .row").nth(1).bounding_box()
        for name in ("over", "asked"):
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / "hold").touch()
        page.get_by_role("radiogroup", name="Beside the board").get_by_text("Lanes").click()
        wait_for("over")
        page.mouse.move(row["x"] + row["width"] / 2, row["y"] + row["height"] / 2)
        page.mouse.down()
        wait_for("asked")
        (tmp_path / "hold").unlink()
        # The hand is still on the board: nothing else lets the page run again.
        expect(page.locator(".st-key-padf_panel > *").first).to_be_visible()
        page.mouse.up()
        page.close()

"""Runs of one visit lose nothing: no element, no change and no stroke."""

import time
from contextlib import contextmanager

from playwright.sync_api import expect

from tests.browser.board import Hand
from tests.browser.conftest import CASE_2_BOARD, wait_until_still
from tests.browser.server import serving_process


@contextmanager
def visiting(browser, folder, monkeypatch, changes, late="nothing"):
    """Open the board on a server that runs with these changes to Streamlit.

    The browser gets code with this name only when the test lets it go on.
    """
    (folder / "sitecustomize.py").write_text(changes)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    with serving_process(folder / "log.txt") as (address, _):
        # A page of a context is saved when its test fails, one of `browser.new_page` is not.
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        page = context.new_page()
        page.late = []
        page.route(f"**/{late}.*.js", lambda request: page.late.append(request))
        page.goto(f"{address}/{CASE_2_BOARD}")
        Hand(page).settle()
        yield page
        context.close()


def wait_until(is_so):
    """Wait for what the server notes."""
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until, "the server did not note it within a minute"
        time.sleep(0.01)


# A server whose event loop handles nothing that a run sends while it is held. It notes when a run
# that began while it was held is over (the thread of the run before can end late), and when a
# fragment was requested.
HELD_BACK = """
import sys
from pathlib import Path

if any("streamlit" in word for word in sys.orig_argv):
    from streamlit.runtime.app_session import AppSession

    here, held, begun = Path(__file__).parent, [], []
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
        if event.name == "SCRIPT_STARTED" and (here / "hold").exists():
            begun.append(sender)
        if event.name == "SHUTDOWN" and sender in begun:
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
    """The page has run, and a stroke begins before the server has heard of its elements.

    The stroke's message is the first with the toggle below the board, whose code has come late.
    """
    with visiting(browser, tmp_path, monkeypatch, HELD_BACK, late="Checkbox") as page:
        for name in ("over", "asked"):
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / "hold").touch()
        page.get_by_role("radiogroup", name="More").get_by_text("Lanes").click()
        wait_until((tmp_path / "over").exists)
        (toggle,) = page.late
        toggle.continue_()
        page.get_by_role("switch").wait_for()
        # The browser loads the code for texts and controls late. Until then the board can move.
        row = wait_until_still(page.locator(".grid .row").nth(1))
        page.mouse.move(row["x"] + row["width"] / 2, row["y"] + row["height"] / 2)
        page.mouse.down()
        wait_until((tmp_path / "asked").exists)
        (tmp_path / "hold").unlink()
        # The hand is still on the board: nothing else lets the page run again.
        expect(page.locator(".st-key-padf_panel > *").first).to_be_visible()
        page.mouse.up()


SAME_MOMENT = """
() => {
  const find = (selector) => {
    const shadows = [...document.querySelectorAll("*")].map((one) => one.shadowRoot);
    return shadows.map((root) => root?.querySelector(selector)).find(Boolean);
  };
  const { left, width, top } = find(".grid .row:nth-of-type(2)").getBoundingClientRect();
  const place = { clientX: left + width / 2, clientY: top + 5 };
  const mouse = { pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0 };
  find(".canvas").dispatchEvent(
    new PointerEvent("pointerdown", { ...place, ...mouse, bubbles: true, composed: true }),
  );
  [...document.querySelectorAll("button")].find((one) => one.textContent === "Lanes").click();
}
"""


def test_a_panel_opens_that_is_clicked_in_the_same_moment_as_a_stroke_is_sent(open_page):
    """Both changes go to the server in one message, which names the board's fragment alone."""
    page = open_page(own_tab=True)
    Hand(page)
    # The browser loads the code of the control by itself, perhaps after that of the board.
    page.get_by_role("radiogroup", name="More").get_by_text("Lanes").wait_for()
    page.evaluate(SAME_MOMENT)
    expect(page.locator(".st-key-padf_panel > *").first).to_be_visible()


# A server whose callbacks wait while they are held. It notes each request for a run of the whole
# page, and runs of one visit that overlap.
HELD_CALLBACKS = """
import sys
import time
from pathlib import Path

if any("streamlit" in word for word in sys.orig_argv):
    from streamlit.runtime.app_session import AppSession
    from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
    from streamlit.runtime.state.session_state import SessionState

    here, running = Path(__file__).parent, []
    call, run = SessionState._call_callbacks, ScriptRunner._run_script
    ask = AppSession.request_rerun

    def call_later(state, **named):
        while (here / "hold").exists():
            time.sleep(0.005)
        return call(state, **named)

    def ask_and_note(session, said):
        ask(session, said)
        with (here / "asked").open("a") as asked:
            asked.write("x")

    def run_and_note(runner, wanted):
        running.append(runner)
        if len(running) > 1:
            (here / "overlap").touch()
        try:
            return run(runner, wanted)
        finally:
            running.remove(runner)

    SessionState._call_callbacks = call_later
    AppSession.request_rerun = ask_and_note
    ScriptRunner._run_script = run_and_note
"""


def test_a_step_back_starts_no_two_runs_at_once(browser, tmp_path, monkeypatch):
    """Streamlit and the page both request a run then. If they overlapped, the link could be read
    twice, and the first stroke afterwards would be refused."""
    asked = tmp_path / "asked"
    with visiting(browser, tmp_path, monkeypatch, HELD_CALLBACKS) as page:
        hand = Hand(page)
        hand.drag(1, 20, 22)
        asked.write_text("")
        (tmp_path / "hold").touch()
        page.go_back(wait_until="commit")
        wait_until(lambda: asked.read_text().count("x") >= 2)
        (tmp_path / "hold").unlink()
        hand.comes_to_show("0" * 12 + "1" * 7 + "0" * 11, "00000100000001" + "0" * 16)
        hand.drag(1, 25, 25)
        assert hand.alarms == "00000100000001" + "0" * 11 + "10000"
        assert not (tmp_path / "overlap").exists(), "two runs of one visit overlapped"

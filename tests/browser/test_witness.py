"""A failed browser test leaves what one needs to understand it."""

from tests.browser import witness
from tests.browser.witness import Witness


class Borrowed:
    """A browser whose new contexts another witness watches."""

    def __init__(self, browser):
        self.new_context = browser.new_context


def test_screenshots_console_and_logs_are_saved(browser, monkeypatch, tmp_path):
    monkeypatch.setattr(witness, "FOLDER", tmp_path / "failures")
    borrowed = Borrowed(browser)
    seen = Witness(borrowed)
    context = borrowed.new_context(viewport={"width": 200, "height": 100})
    closed = borrowed.new_context()
    page = context.new_page()
    page.goto("data:text/html,<h1>here</h1><script>console.warn('careful'); nope()</script>")
    page.wait_for_load_state()
    closed.close()
    log = tmp_path / "server" / "log.txt"
    log.parent.mkdir()
    log.write_text("Traceback: it was me")
    folder = seen.save("tests/x.py::test_it[a/b c]", [log])
    context.close()
    assert folder == tmp_path / "failures" / "tests-x.py-test_it-a-b-c-"
    assert (folder / "page-1.png").read_bytes().startswith(b"\x89PNG")
    console = (folder / "page-1-console.txt").read_text()
    assert "warning: careful" in console
    assert "uncaught: nope is not defined" in console
    assert (folder / "server-server.txt").read_text() == "Traceback: it was me"
    assert not (folder / "page-2.png").exists()

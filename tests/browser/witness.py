"""What a failed browser test leaves behind: screenshots, the console and the server's log."""

import re
import shutil
from collections import defaultdict, deque
from pathlib import Path

from playwright.sync_api import Error

from tests.browser.server import ROOT

FOLDER = ROOT / ".browser-failures"
MOST_LINES = 500


class Witness:
    """Hears the console of every page, and saves what it knows when a test fails."""

    def __init__(self, browser):
        self._contexts = []
        self._said = defaultdict(lambda: deque(maxlen=MOST_LINES))
        self.logs = []
        """The files into which servers write."""
        make = browser.new_context

        def new_context(**options):
            context = make(**options)
            self._contexts.append(context)
            context.on("page", self._listen)
            return context

        browser.new_context = new_context

    def _listen(self, page):
        said = self._said[page]
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"uncaught: {error}"))
        page.on("crash", lambda _: said.append("the page crashed"))

    def save(self, name: str, more_logs=()) -> Path:
        """Save what is open now under the name of a test; return the folder."""
        folder = FOLDER / re.sub(r"[^\w.-]+", "-", name)[:150]
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for number, page in enumerate(self._pages(), start=1):
            lines = [page.url, *self._said[page]]
            try:
                page.screenshot(path=folder / f"page-{number}.png", timeout=5000)
            except Error as error:
                lines.append(f"no screenshot: {error}")
            (folder / f"page-{number}-console.txt").write_text("\n".join(lines) + "\n")
        for log in (*self.logs, *more_logs):
            if log.is_file():
                shutil.copy(log, folder / f"server-{log.parent.name}.txt")
        return folder

    def _pages(self):
        for context in self._contexts:
            try:
                yield from context.pages
            except Error:  # closed
                continue

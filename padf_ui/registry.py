"""Registry of all pages. Navigation, the map on Start, links and Back are derived from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from padf_ui.session import board, data, lesson, quiz, replay_link
from padf_ui.session.link_parts import Link

GROUPS = ("Learn", "Explore", "Paper")
"""Groups in the navigation."""


@dataclass(frozen=True)
class Page:
    """A page. Its key in `PAGES` is also the name of its file in `pages/`."""

    group: str
    title: str
    icon: str
    about: str
    """Purpose in half a sentence. Empty for pages that are not on the map."""
    link: Link = field(default_factory=Link)
    """Properties stored in the page's URL."""

    @property
    def script(self) -> str:
        """Path of the page's file, in the form that Streamlit expects."""
        return f"pages/{key_of(self)}.py"


PAGES: dict[str, Page] = {
    "start": Page("Learn", "Start", ":material/home:", ""),
    "learn": Page("Learn", "Learn", ":material/school:", "", lesson.LINK),
    "quiz": Page(
        "Learn",
        "Quiz",
        ":material/quiz:",
        "test yourself, or give a class the same questions",
        quiz.LINK,
    ),
    "glossary": Page("Learn", "Glossary", ":material/dictionary:", "all terms defined"),
    "playground": Page(
        "Explore",
        "Playground",
        ":material/draw:",
        "paint any pattern, and see scores change as you drag d and K",
        board.LINK,
    ),
    "your_data": Page(
        "Explore",
        "Your data",
        ":material/upload_file:",
        "your detectors under every protocol, at every threshold",
        data.LINK,
    ),
    "operators": Page(
        "Explore",
        "For operators",
        ":material/alarm:",
        "real-time replay, and the trade-offs of an alert rule",
        replay_link.LINK,
    ),
    "corpus": Page(
        "Explore",
        "Corpus",
        ":material/stacked_bar_chart:",
        "which detector is better on many series, and how certain that is",
    ),
    "choose_decay": Page(
        "Explore",
        "Choose a decay rate",
        ":material/schedule:",
        'turn "how late is too late?" into a decay rate you can justify',
        data.LINK,
    ),
    "random_detector": Page(
        "Explore",
        "Random detector",
        ":material/casino:",
        "how well pure guessing scores",
        data.LINK,
    ),
    "paper_cases": Page(
        "Paper",
        "Paper cases",
        ":material/menu_book:",
        "the paper's cases, with its published numbers",
        board.LINK,
    ),
    "published_results": Page(
        "Paper",
        "Published results",
        ":material/fact_check:",
        "the paper's tables, explored and checked",
    ),
}
"""Pages by key, in navigation order. The app opens on the first one."""


def key_of(page: Page) -> str:
    """Return the key of a page."""
    return next(key for key, other in PAGES.items() if other is page)

"""All pages: one entry each. Navigation, the map on Start, links and Back follow from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from padf_ui.session import board, data, lesson, quiz, replay_link
from padf_ui.session.link_parts import Link

GROUPS = ("Learn", "Explore", "Paper")
"""The groups of the navigation."""


@dataclass(frozen=True)
class Page:
    """A page; its file in `pages/` has the name under which it stands in `PAGES`."""

    group: str
    title: str
    icon: str
    about: str
    """What it is for, in half a sentence; empty for pages that are not on the map."""
    link: Link = field(default_factory=Link)
    """What its address holds."""

    @property
    def script(self) -> str:
        """Its file, as Streamlit wants it."""
        return f"pages/{key_of(self)}.py"


PAGES: dict[str, Page] = {
    "start": Page("Learn", "Start", ":material/home:", ""),
    "learn": Page("Learn", "Learn", ":material/school:", "", lesson.LINK),
    "quiz": Page(
        "Learn",
        "Quiz",
        ":material/quiz:",
        "test yourself, or a class with the same questions",
        quiz.LINK,
    ),
    "glossary": Page("Learn", "Glossary", ":material/dictionary:", "every term, once"),
    "playground": Page(
        "Explore",
        "Playground",
        ":material/draw:",
        "paint any pattern and move d and K under your finger",
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
        "Show operators",
        ":material/alarm:",
        "a replay on the clock, and what an alert rule trades",
        replay_link.LINK,
    ),
    "corpus": Page(
        "Explore",
        "Corpus",
        ":material/stacked_bar_chart:",
        "many series, many detectors: who is better, and how surely",
    ),
    "choose_decay": Page(
        "Explore",
        "Choose a decay rate",
        ":material/schedule:",
        "from a need in minutes to a decay that can be defended",
        data.LINK,
    ),
    "random_detector": Page(
        "Explore",
        "Random detector",
        ":material/casino:",
        "how well somebody scores who knows nothing",
        data.LINK,
    ),
    "paper_cases": Page(
        "Paper",
        "Paper cases",
        ":material/menu_book:",
        "the paper's cases beside its published numbers",
        board.LINK,
    ),
    "published_results": Page(
        "Paper",
        "Published results",
        ":material/fact_check:",
        "the paper's tables, explored and checked",
    ),
}
"""By key, in the order of the navigation. The first one is where the app opens."""


def key_of(page: Page) -> str:
    """Return the name of a page."""
    return next(key for key, other in PAGES.items() if other is page)

"""Printable handout of a lesson, with the answers on a separate page."""

from __future__ import annotations

from pathlib import Path

from padf_core import __version__
from padf_core.teaching.lessons import Lesson
from padf_ui.components.html_templates import template
from padf_ui.components.words import pattern_text

_TEMPLATE = Path(__file__).parent / "handout.html.j2"


def handout_html(lesson: Lesson) -> str:
    """Return the handout as a printable HTML page."""
    steps = [
        {
            "number": number,
            "title": step.title,
            "text": step.text.replace("**", ""),
            "pattern": pattern_text(step.labels, step.detections),
            "question": step.question,
        }
        for number, step in enumerate(lesson.steps, start=1)
    ]
    return template(_TEMPLATE).render(title=lesson.title, steps=steps, version=__version__)

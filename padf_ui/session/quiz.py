"""Quiz of a visit: its questions and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from padf_ui.session.changes import mark_changed
from padf_ui.session.link_parts import Link, whole
from padf_ui.session.store import Slot, atomic

MOST = 999_999_999

_SEED: Slot[int] = Slot("padf_quiz_seed", lambda: 1)
_ANSWERS: Slot[dict[int, int]] = Slot("padf_quiz_answers", dict)
_AT: Slot[int] = Slot("padf_quiz_at", int)


def quiz_seed() -> int:
    """Return the seed of the questions."""
    return _SEED.get()


@atomic
def set_quiz_seed(seed: int) -> None:
    """Switch to the questions of another seed."""
    _SEED.put(seed)
    _ANSWERS.forget()
    _AT.forget()
    mark_changed()


def quiz_answers() -> dict[int, int]:
    """Return the answers so far, by question."""
    return dict(_ANSWERS.get())


@atomic
def answer_quiz(question: int, place: int) -> None:
    """Answer a question. Only the first answer counts."""
    _ANSWERS.put({question: place} | quiz_answers())


def quiz_at() -> int:
    """Return the index of the current question."""
    return _AT.get()


@atomic
def go_to_question(at: int) -> None:
    """Go to another question."""
    _AT.put(at)


def _now() -> dict[str, Any]:
    return {"seed": quiz_seed()}


def _take(values: Mapping[str, Any]) -> Sequence[str]:
    if values["seed"] != quiz_seed():
        set_quiz_seed(values["seed"])
    return ()


LINK = Link(
    parts=(whole("seed", 1, 0, MOST, is_always_written=True),),
    now=_now,
    take=_take,
)

"""What the paper's cases and the drawing of alarm probabilities are given."""

from __future__ import annotations

from typing import TypedDict

from padf_ui.wire.board import BoardRows
from padf_ui.wire.lanes import Slider


class Printed(TypedDict):
    """A value that the paper prints for a lane."""

    lane: str
    at: float | None
    """The step of the lane's slider at which it holds; None: everywhere."""
    text: str
    agrees: bool


class CaseRows(TypedDict):
    """One of the paper's cases."""

    title: str
    about: str
    rows: BoardRows
    printed: list[Printed]


class PatternRows(TypedDict):
    """A pattern beside others."""

    title: str
    about: str
    words: str
    """The pattern in words."""
    rows: BoardRows
    """With those lanes only whose credit and score may be seen."""


class PatternsData(TypedDict):
    """Patterns that are compared."""

    patterns: list[PatternRows]
    sliders: list[Slider]


class CaseCondition(TypedDict):
    """One of the paper's conditions on its cases."""

    text: str
    name: str
    required: bool


class CasesRows(TypedDict):
    """All cases of the paper, with a row for every step of every slider."""

    rules: str
    terms: dict[str, str]
    """What the glossary says of a word that stands between stars."""
    sliders: list[Slider]
    toy: list[CaseRows]
    robustness: list[CaseRows]
    conditions: list[CaseCondition]
    verdicts: dict[str, list[list[str]]]
    """By lane, then by step of its slider: "pass", "fail" or "differs" for each condition."""
    ranges: list[str]


class CasesData(CasesRows):
    """What the page of the paper's cases is given."""

    session: str
    answered: int


class ProbabilityData(TypedDict):
    """What the drawing of alarm probabilities is given."""

    session: str
    revision: int
    answered: int
    alarm: list[float]
    terms: list[float]
    sums: list[float]
    total: str
    words: str

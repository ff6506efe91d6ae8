"""Data for the paper's cases and for drawing alarm probabilities."""

from __future__ import annotations

from typing import TypedDict

from padf_ui.wire.board import BoardRows
from padf_ui.wire.lanes import Slider


class Printed(TypedDict):
    """Value that the paper prints for a lane."""

    lane: str
    at: float | None
    """Slider step to which the value applies, or None for all steps."""
    text: str
    agrees: bool


class CaseRows(TypedDict):
    """One of the paper's cases."""

    title: str
    about: str
    rows: BoardRows
    printed: list[Printed]


class PatternRows(TypedDict):
    """One of several patterns to compare."""

    title: str
    about: str
    words: str
    """Description of the pattern."""
    rows: BoardRows
    """Rows of the pattern, limited to lanes whose credit and score may be shown."""


class PatternsData(TypedDict):
    """Patterns to compare."""

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
    """Glossary meaning of each word written between asterisks."""
    sliders: list[Slider]
    toy: list[CaseRows]
    robustness: list[CaseRows]
    conditions: list[CaseCondition]
    verdicts: dict[str, list[list[str]]]
    """For each lane and slider step: "pass", "fail" or "differs" for each condition."""
    ranges: list[str]


class CasesData(CasesRows):
    """Data for the Paper cases page."""

    session: str
    answered: int


class ProbabilityData(TypedDict):
    """Data for the component in which alarm probabilities are drawn."""

    session: str
    revision: int
    answered: int
    alarm: list[float]
    terms: list[float]
    sums: list[float]
    total: str
    words: str

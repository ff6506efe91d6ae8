"""Rules for choosing a detector's threshold, on one series or over a corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Literal, get_args

from padf_core.metrics.checks import check_number, check_threshold

Kind = Literal["best", "common", "segments", "others", "first", "train", "budget", "given"]

ABOUT: dict[Kind, str] = {
    "best": "each series at its own best threshold, an oracle tuned on its labels",
    "common": "one threshold for all series, an oracle: the best for their added counts",
    "others": "each series at the threshold that is best on all other series",
    "segments": "each segment at the threshold that is best on other segments of its series",
    "first": "chosen on the first half of each series, judged on the second",
    "train": "chosen on the training rows of each series, judged on the rest",
    "budget": (
        "each series at the lowest threshold that does not flag all normal rows and keeps the "
        "budget, as do all higher ones: at most N false alarms (runs) per day"
    ),
    "given": (
        "a number: scores at or above it are detections; for detectors in --low, scores at or "
        "below it"
    ),
}
"""A description of each rule, for one series or many.

Several series are judged one by one, and their counts are added up.
"""

OPTIMISM: dict[Kind, str] = {
    "best": "Every threshold was tuned on the labels that judge it, so these F1 are an oracle's.",
    "common": "The common thresholds were tuned on the labels that judge them, so these F1 are "
    "optimistic: in simulations by up to 0.07 with 5 series, and by 0.01 with 52. For a claim, "
    "choose thresholds on other series (others).",
}
"""Warnings about the F1 under rules that use the test labels."""


@dataclass(frozen=True)
class Rule:
    """A rule for thresholds; 0/1 detections are used unchanged under every rule."""

    kind: Kind
    number: float = 0.0
    """The budget in false alarms a day, or the given threshold."""
    by_detector: Mapping[str, float] = field(default_factory=dict)
    """The given threshold of each detector."""

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"thresholds must be one of {', '.join(ABOUT)}; got {self.kind!r}")
        if self.kind == "budget":
            check_number("budget", self.number, lambda x: x >= 0, "0 or more false alarms per day")
        if self.kind == "given":
            for threshold in (self.number, *self.by_detector.values()):
                check_threshold(threshold)

    @property
    def needs_all(self) -> bool:
        """Whether a threshold depends on more than one series."""
        return self.kind in ("common", "others")

    @property
    def is_oracle(self) -> bool:
        """Whether thresholds are tuned on the labels that judge them."""
        return self.kind in OPTIMISM

    @property
    def text(self) -> str:
        """The rule as written in tables and on the command line."""
        if self.kind == "budget":
            return f"budget:{self.number:g}"
        return f"{self.number!r}" if self.kind == "given" and not self.by_detector else self.kind

    def given_for(self, detector: str) -> float:
        """Return the given threshold for a detector."""
        if not self.by_detector:
            return self.number
        if detector not in self.by_detector:
            raise ValueError(f"no threshold is given for {detector}")
        return self.by_detector[detector]


def usual_rule(series: int) -> Rule:
    """Return the default rule: thresholds chosen on other series, if there are any."""
    return Rule("others" if series > 1 else "best")


def rule_of(said: object) -> Rule:
    """Parse a rule: a word, "budget:2", one threshold, or a threshold for each detector.

    >>> rule_of("common").kind, rule_of("budget:2").number, rule_of(0.5).text
    ('common', 2.0, '0.5')
    """
    if isinstance(said, Rule):
        return said
    if isinstance(said, Mapping):
        return Rule("given", by_detector={str(name): float(at) for name, at in said.items()})
    if isinstance(said, (int, float)) and not isinstance(said, bool):
        return Rule("given", float(said))
    text = str(said).strip()
    word, mark, number = text.partition(":")
    try:
        if word == "budget" and mark:
            return Rule("budget", float(number))
        for kind in ABOUT:
            if word == kind and kind not in ("budget", "given") and not mark:
                return Rule(kind)
        at = float(text)
    except ValueError:
        at = float("nan")
    if isnan(at):
        words = ", ".join(kind for kind in ABOUT if kind not in ("budget", "given"))
        raise ValueError(f"thresholds must be {words}, budget:N or a number; got {text!r}")
    return Rule("given", at)


def optimism_of(text: str) -> str | None:
    """Return the warning for a rule as written in a table, or None."""
    return next((sentence for kind, sentence in OPTIMISM.items() if kind == text), None)


def about_rule(text: str) -> str:
    """Describe a rule as written in a table.

    >>> about_rule("budget:2")[-10:], about_rule("0.5")
    ('per day: 2', 'at a threshold of 0.5')
    """
    word, mark, number = text.partition(":")
    for kind, about in ABOUT.items():
        if kind == word:
            return f"{about}: {number}" if mark else about
    return f"at a threshold of {text}"

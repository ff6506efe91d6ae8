"""Consistent formatting of numbers and scores as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from padf_core.metrics.checks import BoolArray
from padf_core.metrics.clock import format_steps
from padf_core.metrics.evaluation import Evaluation


@dataclass(frozen=True)
class Explanation:
    """Texts below the board."""

    precision: str
    recall: str
    formula: str
    why: str


def score(value: float) -> str:
    """Format a score with three decimals."""
    return f"{value:.3f}"


def credit_text(value: float) -> str:
    """Format a sum of credit with enough decimals for the displayed fractions to add up."""
    if value == round(value):
        return f"{value:.0f}"
    if value < 0.1:
        return f"{value:.3g}"
    return f"{value:.2f}" if abs(value - round(value, 2)) < 1e-9 else f"{value:.3f}"


def plural(count: int, one: str, many: str) -> str:
    """Choose the singular or plural form."""
    return one if count == 1 else many


def counted(count: int) -> str:
    """Format a number as a word up to nine, and in digits above.

    >>> counted(4), counted(12)
    ('four', '12')
    """
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    return words[count] if count < len(words) else str(count)


def listed(words: Sequence[str]) -> str:
    """Join words with commas and "and".

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def pattern_text(labels: BoolArray, detections: BoolArray) -> str:
    """Return a pattern as text: # for a hit, - for a missed point, x for a false alarm."""
    marks = {(True, True): "#", (True, False): "-", (False, True): "x", (False, False): "."}
    pairs = zip(labels.tolist(), detections.tolist(), strict=True)
    return "".join(marks[pair] for pair in pairs)


def explain(result: Evaluation, step_seconds: float | None = None) -> Explanation:
    """Return the formulas with their numbers and a sentence that explains the score."""
    numbers = numbers_of(result)
    return Explanation(
        precision=fill(PRECISION, numbers.precision),
        recall=fill(RECALL, numbers.recall),
        formula=fill(FORMULA, numbers.formula) if numbers.formula else NOTHING,
        why=why_of(result, step_seconds),
    )


PRECISION = ("P = ", " / (", " + ", ") = ", "")
RECALL = ("R = ", " / ", " = ", "")
FORMULA = ("F1 = 2 · ", " · ", " / (", " + ", ") = ", "")
NOTHING = "F1 = 0"


class Numbers(NamedTuple):
    """Numbers between the parts of the formulas. ``formula`` is empty if F1 is 0."""

    precision: tuple[str, ...]
    recall: tuple[str, ...]
    formula: tuple[str, ...]


def numbers_of(result: Evaluation) -> Numbers:
    """Return the formatted numbers of a result's formulas."""
    claimed, wanted, wrong = result.claimed, result.wanted, result.false_positives
    earned = credit_text(result.true_positives)
    found = earned if result.counts.apart is None else credit_text(result.found)
    precision, recall = score(result.precision), score(result.recall)
    undefined = " (0/0 counts as 0)"
    quiet = result.pattern.normal - result.pattern.false_positives
    factor = f"{score(quiet / max(1, result.pattern.normal))} · "
    return Numbers(
        (
            f"{factor}{earned}" if result.protocol.corrects else earned,
            credit_text(claimed - wrong),
            str(wrong),
            precision if claimed else precision + undefined,
        ),
        (found, credit_text(wanted), recall if wanted else recall + undefined),
        (precision, recall, precision, recall, score(result.f1)) if earned != "0" else (),
    )


def fill(parts: Sequence[str], numbers: Sequence[str]) -> str:
    """Insert numbers between the parts of a text."""
    return "".join(a + b for a, b in zip(parts, (*numbers, ""), strict=True))


def why_of(result: Evaluation, step_seconds: float | None) -> str:
    """Explain the score of a pattern in words."""
    reason = reason_of(result, step_seconds)
    return f"{reason} {false_alarms_of(result)}" if result.pattern.detected else reason


def reason_of(result: Evaluation, step_seconds: float | None) -> str:
    """Explain the credit of a pattern in words, without its false alarms."""
    if not len(result.pattern.segments):
        return "There is no incident to find. Paint one in the Truth lane."
    if not result.pattern.detected:
        return "No alarm falls inside an incident: no credit."
    return result.protocol.why(result, lambda delay: format_steps(delay, step_seconds))


def false_alarms_of(result: Evaluation) -> str:
    """Say what the false alarms of a pattern do to its precision."""
    count = result.false_positives
    if not count:
        return "No false alarms."
    if result.protocol.false_alarms == "runs":
        what = plural(count, "run of false alarms lowers", "runs of false alarms lower")
        return f"{count} {what} precision."
    return f"{count} false {plural(count, 'alarm lowers', 'alarms lower')} precision."

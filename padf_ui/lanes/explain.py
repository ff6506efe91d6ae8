"""A protocol's score in words: the formula with this pattern's numbers, and why it came out so."""

from __future__ import annotations

from dataclasses import dataclass

from padf_core.clock import format_steps
from padf_core.evaluation import Evaluation


@dataclass(frozen=True)
class Explanation:
    """The lines under the board."""

    precision: str
    recall: str
    formula: str
    why: str


def score(value: float) -> str:
    """Write a score as everywhere in the app: three decimals."""
    return f"{value:.3f}"


def amount(value: float) -> str:
    """Write a sum of credit with as many decimals as its quotients need to add up."""
    if value == round(value):
        return f"{value:.0f}"
    if value < 0.1:
        return f"{value:.3g}"
    return f"{value:.2f}" if abs(value - round(value, 2)) < 1e-9 else f"{value:.3f}"


def explain(result: Evaluation, step_seconds: float | None = None) -> Explanation:
    """Fill in the formulas and say in a sentence why this is the score."""
    credit, false_alarms = amount(result.true_positives), result.false_positives
    if result.protocol.counts_detected_points:
        covered = amount(result.claimed - false_alarms)
        divisor = f"({covered} + {false_alarms})"
    else:
        divisor = f"({credit} + {false_alarms})"
    precision, recall = score(result.precision), score(result.recall)
    undefined = " (0/0 counts as 0)"
    return Explanation(
        precision=f"P = {credit} / {divisor} = {precision}{'' if result.claimed else undefined}",
        recall=f"R = {credit} / {result.anomalous} = {recall}"
        f"{'' if result.anomalous else undefined}",
        formula=f"F1 = 2 · {precision} · {recall} / ({precision} + {recall}) = {score(result.f1)}"
        if result.true_positives
        else "F1 = 0",
        why=_why(result, step_seconds),
    )


def _why(result: Evaluation, step_seconds: float | None) -> str:
    total = len(result.segments)
    if not total:
        return "There is no anomaly to find: paint one in the Truth lane."
    found = sum(segment.hits > 0 for segment in result.segments)
    if not found:
        return "No alarm falls into a segment, so nothing is earned."
    return f"{_earned(result, found, total, step_seconds)} {_false_alarms(result)}"


def _earned(result: Evaluation, found: int, total: int, step_seconds: float | None) -> str:
    key = result.protocol.key
    hits = sum(segment.hits for segment in result.segments)
    if key == "pointwise":
        return (
            f"Only the points with an alarm of their own count: {hits} of {result.anomalous} "
            "anomalous points."
        )
    if key == "pa":
        return (
            f"{_of(found, total)} at least one alarm, however late, and "
            f"{'earns all its points' if found == 1 else 'earn all their points'}."
        )
    if key == "pa_k":
        filled = sum(segment.credit == 1 for segment in result.segments)
        if not filled:
            return "No segment has enough alarms to be filled up, so only the alarms count."
        return (
            f"{_of(filled, total)} enough alarms and {'is' if filled == 1 else 'are'} filled up"
            f"{'.' if filled == total else '; elsewhere only the alarms count.'}"
        )
    late = [segment for segment in result.segments if segment.delay is not None]
    if len(late) == 1:
        delay = late[0].delay or 0
        when = "at once" if delay == 0 else f"{format_steps(delay, step_seconds)} late"
        return (
            f"{'The segment is' if total == 1 else f'1 of {total} segments is'} found {when}, "
            f"so each of its {late[0].length} points earns {late[0].credit:.2f}."
        )
    mean = sum(segment.delay or 0 for segment in late) / len(late)
    if not mean:
        return f"{found} of {total} segments are found, all at once, and earn all their points."
    return (
        f"{found} of {total} segments are found, {format_steps(mean, step_seconds)} late on "
        f"average; their points earn {min(s.credit for s in late):.2f} to "
        f"{max(s.credit for s in late):.2f}."
    )


def _of(part: int, total: int) -> str:
    if total == 1:
        return "The segment has"
    return f"{part} of {total} segments {'has' if part == 1 else 'have'}"


def _false_alarms(result: Evaluation) -> str:
    count = result.false_positives
    if not count:
        return "There is no false alarm."
    return f"{count} false {'alarm lowers' if count == 1 else 'alarms lower'} precision."

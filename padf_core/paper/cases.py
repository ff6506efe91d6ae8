"""The paper's toy cases (Fig. 1) and robustness cases, and further cases for teaching.

The arrays of the figures are not published, so they were reconstructed. Tables 1 and 4 fix the
length of the segment, the number of hits, the delay of the first hit and the number of false
alarms. Where several layouts give the published values, one of them is used here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from padf_core.io.notation import parse_points
from padf_core.metrics.checks import BoolArray


@dataclass(frozen=True, eq=False)
class Case:
    """A pattern with a name, and a sentence about what it shows."""

    key: str
    title: str
    about: str
    labels: BoolArray
    detections: BoolArray


_LENGTH = 7


def _freeze(key: str, title: str, about: str, labels: BoolArray, detections: BoolArray) -> Case:
    for series in (labels, detections):
        series.flags.writeable = False
    return Case(key, title, about, labels, detections)


def _case(
    key: str,
    title: str,
    about: str,
    *,
    size: int,
    start: int,
    delays: Sequence[int],
    false_alarms: Sequence[int] = (),
) -> Case:
    labels = np.zeros(size, dtype=np.bool_)
    labels[start : start + _LENGTH] = True
    detections = np.zeros(size, dtype=np.bool_)
    detections[[start + delay for delay in delays]] = True
    detections[list(false_alarms)] = True
    return _freeze(key, title, about, labels, detections)


def _toy(number: int, figure: str, about: str, delays: Sequence[int], *false_alarms: int) -> Case:
    return _case(
        f"case_{number}",
        f"Case {number} (Fig. {figure})",
        about,
        size=30,
        start=12,
        delays=delays,
        false_alarms=false_alarms,
    )


TOY_CASES: tuple[Case, ...] = (
    _toy(1, "1b", "Many alarms, and many of them false.", (1, 2, 4, 5), 2, 5, 8, 22, 26),
    _toy(2, "1c", "One hit, one step late; one false alarm.", (1,), 5),
    _toy(3, "1d", "One hit with no delay; one false alarm.", (0,), 5),
    _toy(4, "1e", "First hit with no delay, and many after it.", (0, 1, 3, 5), 5),
    _toy(5, "1f", "Many hits, but late.", (4, 5, 6), 5),
)


def _robust(number: int, about: str, delays: Sequence[int], *false_alarms: int) -> Case:
    return _case(
        f"case_{number}",
        f"Case {number}",
        about,
        size=24,
        start=9,
        delays=delays,
        false_alarms=false_alarms,
    )


def _shifted(number: int, shift: int) -> Case:
    run = range(shift, shift + _LENGTH)
    moved = f"moved {-shift} steps earlier" if shift else "at the original position"
    return _robust(
        number,
        f"Seven alarms in a row, {moved}.",
        [delay for delay in run if delay >= 0],
        *[9 + delay for delay in run if delay < 0],
    )


ROBUSTNESS_CASES: tuple[Case, ...] = (
    _robust(1, "No alarm.", ()),
    *(_robust(2 + k, f"One alarm at delay {k}.", (k,)) for k in range(7)),
    _robust(9, "No delay, and again one step later.", (0, 1)),
    _robust(10, "No delay, and again three steps later.", (0, 3)),
    _robust(11, "No delay, and again at the end.", (0, 6)),
    _robust(12, "No delay, and a false alarm after the segment.", (0,), 18),
    _shifted(13, -7),
    _shifted(14, -3),
    _shifted(15, -2),
    _shifted(16, 0),
)


def random_detections(size: int, alarm_rate: float, seed: int) -> BoolArray:
    """Return independent random alarms with the given probability, reproducible by the seed."""
    alarms: BoolArray = np.random.default_rng(seed).random(size) < alarm_rate
    return alarms


def _lesson(key: str, title: str, about: str, size: int, truth: str, alarms: str) -> Case:
    return _freeze(key, title, about, parse_points(truth, size), parse_points(alarms, size))


_LONG_SIZE, _LONG_TRUTH = 160, "20-59, 90-139"

TEACHING_CASES: tuple[Case, ...] = (
    _lesson(
        "last_minute",
        "At the last minute",
        "One alarm at the very last point of the incident: perfect for PA. PAdf (d = 0.9) grants "
        "it less than a third of full credit, and point-wise one point of twelve.",
        40,
        "12-23",
        "23",
    ),
    _lesson(
        "early_hit",
        "One early hit",
        "One alarm at the onset is all an operator needs. PA and PAdf give full credit; "
        "point-wise and PA%K call it a failure.",
        40,
        "12-23",
        "12",
    ),
    _lesson(
        "late_hits",
        "Many late hits",
        "Only the second half of the anomaly is flagged. PA and PA%K give full marks, as if "
        "there were no delay. PAdf does not.",
        40,
        "12-23",
        "18-23",
    ),
    _lesson(
        "alarm_flood",
        "Alarm flood",
        "Alarms everywhere catch the anomaly with no delay. PA, PA%K and PAdf all give perfect "
        "recall, and only false alarms lower the score.",
        40,
        "12-23",
        "1-3, 6-8, 11-14, 17-18, 21-23, 26-28, 31-33, 36-38",
    ),
    _lesson(
        "step_before",
        "One step early",
        "An alarm one step before the labelled onset earns nothing and counts as false under "
        "every protocol. All four trust the labels to the step.",
        40,
        "12-23",
        "11",
    ),
    _lesson(
        "long_and_short",
        "Long and short",
        "Only the long segment is found. It has 20 of 23 anomalous points, so PA reports almost "
        "full recall, although one of two incidents was missed.",
        60,
        "8-27, 44-46",
        "12-13",
    ),
    _lesson(
        "one_missed",
        "One missed",
        "Two segments of equal length, one of them missed: no protocol can give more than half the "
        "recall, and the delay only matters where there was an alarm.",
        60,
        "10-21, 38-49",
        "16-17, 28-29",
    ),
    _lesson(
        "careful",
        "Careful",
        "It finds the first incident with no delay, misses the second and raises no false alarm. "
        "Now choose Random alarms.",
        _LONG_SIZE,
        _LONG_TRUTH,
        "20-31",
    ),
    _freeze(
        "random_alarms",
        "Random alarms",
        "Alarms at random: PA ranks them far above the careful detector, because a long segment "
        "is easy to hit at random. PAdf also checks how late the hits came.",
        parse_points(_LONG_TRUTH, _LONG_SIZE),
        random_detections(_LONG_SIZE, 0.06, seed=5),
    ),
)


@dataclass(frozen=True)
class Condition:
    """One of the conditions in Sec. 5.1 on the F1 of the five toy cases."""

    key: str
    text: str
    holds: Callable[[Sequence[float]], bool]
    """Returns whether it holds for the F1 of cases 1 to 5, in this order."""
    required: bool = True
    """False if the paper says "may": the condition is optional."""


def _above(a: float, b: float) -> bool:
    return a > b + 1e-12


CONDITIONS: tuple[Condition, ...] = (
    Condition(
        "promptness",
        "Cases 3 and 4 (no delay) score higher than case 2 (one step late)",
        lambda f1: _above(f1[2], f1[1]) and _above(f1[3], f1[1]),
    ),
    Condition(
        "lateness",
        "Case 5 (many hits, but late) scores lower than cases 2, 3 and 4",
        lambda f1: all(_above(f1[other], f1[4]) for other in (1, 2, 3)),
    ),
    Condition(
        "no reward for more hits",
        "Cases 3 and 4 may score the same: more hits after the first need not be rewarded "
        "(optional)",
        lambda f1: abs(f1[2] - f1[3]) <= 1e-12,
        required=False,
    ),
    Condition(
        "false alarms",
        "Case 2 (one false alarm) scores higher than case 1 (five)",
        lambda f1: _above(f1[1], f1[0]),
    ),
)

"""The paper's toy cases (Fig. 1) and robustness cases, recovered from its published numbers.

The figures' arrays are not published. Tables 1 and 4 fix the length of the segment, the number of
hits, the delay of the first and the number of false alarms; where they leave room, the layout here
is one of those that give the published values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from padf_core.checks import BoolArray


@dataclass(frozen=True, eq=False)
class Case:
    """A pattern with a name and a sentence on what it shows."""

    key: str
    title: str
    about: str
    labels: BoolArray
    detections: BoolArray


_LENGTH = 7


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
    for series in (labels, detections):
        series.flags.writeable = False
    return Case(key, title, about, labels, detections)


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
    _toy(2, "1c", "One alarm, one step late.", (1,), 5),
    _toy(3, "1d", "One alarm, at once.", (0,), 5),
    _toy(4, "1e", "At once, and many after.", (0, 1, 3, 5), 5),
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
    moved = f"moved {-shift} steps earlier" if shift else "in its place"
    return _robust(
        number,
        f"Seven alarms in a row, {moved}.",
        [delay for delay in run if delay >= 0],
        *[9 + delay for delay in run if delay < 0],
    )


ROBUSTNESS_CASES: tuple[Case, ...] = (
    _robust(1, "No alarm.", ()),
    *(_robust(2 + k, f"One alarm at delay {k}.", (k,)) for k in range(7)),
    _robust(9, "At once, and again one step later.", (0, 1)),
    _robust(10, "At once, and again three steps later.", (0, 3)),
    _robust(11, "At once, and again at the end.", (0, 6)),
    _robust(12, "At once, and a false alarm after the segment.", (0,), 18),
    _shifted(13, -7),
    _shifted(14, -3),
    _shifted(15, -2),
    _shifted(16, 0),
)

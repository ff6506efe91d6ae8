"""From scores to alarms, as alert rules make them: wait, ring, keep quiet for a while."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import (
    BoolArray,
    IntArray,
    NumberArray,
    check_scores,
    check_threshold,
    frozen,
)
from padf_core.metrics.rows import ALL, Rows, make_rows
from padf_core.metrics.segments import runs_of

LONGEST_WAIT = 1_000_000
"""So many points may be waited for, or kept quiet after an alarm."""

FEW = 64
"""So few chains of alarms are followed one by one."""


@dataclass(frozen=True)
class AlertRule:
    """When scores ring: at the last of ``wait`` points in a row at or above ``threshold``.

    Points in a row are counted on through alarms and through the cool-down: a run that outlasts
    the cool-down rings again at the first point behind it, and a run that is ``wait`` points long
    by then needs no further wait. Without a cool-down every further point of a run is an alarm.

    Parameters
    ----------
    threshold : float
        A score of at least this counts.
    wait : int
        How many points in a row are needed; 1 is the bare threshold.
    cooldown : int
        For how many points after an alarm there is none.

    Examples
    --------
    >>> AlertRule(0.5, wait=3)
    AlertRule(threshold=0.5, wait=3, cooldown=0)
    """

    threshold: float
    wait: int = 1
    cooldown: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", check_threshold(self.threshold))
        object.__setattr__(self, "wait", check_points("wait", self.wait, 1))
        object.__setattr__(self, "cooldown", check_points("cooldown", self.cooldown, 0))


def check_points(name: str, value: object, least: int) -> int:
    """Return a number of points, or say what it must be."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
    if not is_whole or not least <= int(value) <= LONGEST_WAIT:  # type: ignore[call-overload]
        raise ValueError(
            f"{name} must be a whole number of points from {least} to {LONGEST_WAIT:,}; "
            f"got {value!r:.60}"
        )
    return int(value)  # type: ignore[call-overload, no-any-return]


def alarms_from(
    scores: npt.ArrayLike,
    rule: AlertRule,
    *,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
) -> BoolArray:
    """Return where an alert rule rings, as detections that can be evaluated.

    Parameters
    ----------
    scores : array_like of float
        One score per row.
    rule : AlertRule
        When they ring.
    ignore : array_like of bool, optional
        Rows that never ring and end a run of points; the cool-down goes on through them.
    series : array_like, optional
        The name of each row's series. Neither a run nor a cool-down goes from one into the
        next.

    Returns
    -------
    ndarray of bool
        The alarms.

    Raises
    ------
    ValueError
        If an argument is not of this kind. The message names the argument, the row and the
        value.

    Examples
    --------
    >>> scores = [.9, .1, .8, .9, .7, .8, .9, .2]
    >>> alarms_from(scores, AlertRule(0.5, wait=2)).astype(int).tolist()
    [0, 0, 0, 1, 1, 1, 1, 0]
    >>> alarms_from(scores, AlertRule(0.5, wait=2, cooldown=2)).astype(int).tolist()
    [0, 0, 0, 1, 0, 0, 1, 0]
    """
    values = check_scores("scores", scores)
    if not isinstance(rule, AlertRule):
        raise ValueError(f"rule must be an AlertRule; got {rule!r:.60}")
    return alarms_of(values, rule, make_rows(values.size, ignore, series))


def alarms_of(scores: NumberArray, rule: AlertRule, rows: Rows = ALL) -> BoolArray:
    """`alarms_from` for scores and rows that have been checked already."""
    high: BoolArray = scores >= np.float64(rule.threshold)
    if rows.watched is not None:
        high &= rows.watched
    runs = runs_of(high, rows.begins)
    ripe = runs.lengths >= rule.wait
    places = _ranges(runs.starts[ripe] + (rule.wait - 1), runs.stops[ripe])
    alarms = np.zeros(scores.size, dtype=np.bool_)
    alarms[thinned(places, rule.cooldown, rows.begins)] = True
    return frozen(alarms)


def thinned(places: IntArray, cooldown: int, begins: BoolArray | None = None) -> IntArray:
    """Return which of these rising places ring when each keeps the next ``cooldown`` points quiet.

    The first one of a series rings always. No choice of places so far apart is larger than this.
    """
    if not cooldown or not places.size:
        return places
    # What has nothing in reach before it rings whatever rang there: from it on each is a chain.
    is_sure = np.ones(places.size, dtype=np.bool_)
    np.greater(np.diff(places), cooldown, out=is_sure[1:])
    if begins is not None:
        part = np.searchsorted(np.flatnonzero(begins), places, side="right")
        is_sure[1:] |= part[1:] != part[:-1]
    following = np.searchsorted(places, places + (cooldown + 1))
    rings = is_sure.copy()
    # `chains` are where chains stand; one that reaches the next one's beginning has ended.
    chains = np.flatnonzero(is_sure)
    ends = np.append(chains[1:], places.size)
    while chains.size > FEW:
        chains = following[chains]
        goes_on = chains < ends
        chains, ends = chains[goes_on], ends[goes_on]
        rings[chains] = True
    rung = []
    for first, end in zip(chains.tolist(), ends.tolist(), strict=True):
        jump, at = (following[first:end] - first).tolist(), 0
        while at < end - first:
            rung.append(first + at)
            at = jump[at]
    rings[rung] = True
    return places[rings]


def _ranges(starts: IntArray, stops: IntArray) -> IntArray:
    """Return every place in these half-open intervals, in order."""
    lengths = stops - starts
    before = np.cumsum(lengths) - lengths
    places: IntArray = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
    return places

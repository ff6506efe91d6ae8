"""Convert scores to alarms by alert rules: wait, alert, cool down."""

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
"""Maximum wait and cool-down in points."""

FEW = 64
"""Below this number of chains, alarms are followed one by one."""


@dataclass(frozen=True)
class AlertRule:
    """Raise an alarm at the last of ``wait`` points in a row at or above ``threshold``.

    The count of points in a row continues through alarms and the cool-down. A run that outlasts the
    cool-down alerts again at the first point after it, if the run is at least ``wait`` points long
    by then. Without a cool-down, every further point of a run is an alarm.

    Parameters
    ----------
    threshold : float
        Scores at or above this value count.
    wait : int
        Number of points in a row that are needed; 1 is a plain threshold.
    cooldown : int
        Number of points after an alarm without another alarm.

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
    """Return a number of points as an int, or raise an error with the allowed range."""
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
    """Return the alarms of an alert rule, as detections that can be evaluated.

    Parameters
    ----------
    scores : array_like of float
        One score per row.
    rule : AlertRule
        The alert rule.
    ignore : array_like of bool, optional
        Rows that never alert and end a run of points. The cool-down continues through them.
    series : array_like, optional
        The name of each row's series. Runs and cool-downs never cross from one series into the
        next.

    Returns
    -------
    ndarray of bool
        The alarms.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

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
    """Like `alarms_from`, for scores and rows that are already checked."""
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
    """Return which of these increasing positions alert, if each alarm silences ``cooldown`` points.

    The first position in a series always alerts. No other choice with this spacing is larger.
    """
    if not cooldown or not places.size:
        return places
    # A position with none in the cool-down before it always alerts, so it starts a new chain.
    is_sure = np.ones(places.size, dtype=np.bool_)
    np.greater(np.diff(places), cooldown, out=is_sure[1:])
    if begins is not None:
        part = np.searchsorted(np.flatnonzero(begins), places, side="right")
        is_sure[1:] |= part[1:] != part[:-1]
    following = np.searchsorted(places, places + (cooldown + 1))
    rings = is_sure.copy()
    # `chains` holds the current position of each chain, which ends where the next chain begins.
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
    """Return every position in these half-open intervals, in order."""
    lengths = stops - starts
    before = np.cumsum(lengths) - lengths
    places: IntArray = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
    return places

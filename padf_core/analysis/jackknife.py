"""Compute confidence intervals for F1 with a block jackknife.

A block is an incident with the time around it, or a whole series. Other data of the same kind would
have other blocks. F1 is computed from sums over blocks, so leaving out each block in turn shows how
much F1 varies. Four measures keep the intervals reliable when there are few blocks:

- Intervals are computed on the logit of F1, with Student's t.
- Half a found block and half a missed block are added. A detector that found all of five incidents
  may still miss others, so its interval must not have width 0.
- The degrees of freedom of t are those of an equivalent number of equally weighted blocks. If one
  long incident outweighs all others, the others hardly count.
- Neighbouring blocks may be similar. The variance is also computed from runs of neighbours that are
  left out together, and the largest variance is used.

``make bench-coverage`` measures how often the intervals contain the true value.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import FloatArray
from padf_core.metrics.counts import Counts

EARNED, CLAIMED, WANTED, FOUND = range(4)
"""Columns of the counts. If precision is corrected, unflagged and all normal points follow."""

FEWEST_RUNS, MOST_TOGETHER = 4, 0.2

ASSUMPTION = (
    "blocks are like those of other data of the same kind; neighbouring blocks may be alike, but "
    "not blocks far apart"
)


def f1_of(counts: FloatArray) -> FloatArray:
    """Return F1 from the counts along the last axis."""
    return Counts(*np.moveaxis(np.maximum(counts, 0.0), -1, 0)).fbeta()


def equal_blocks(blocks: FloatArray) -> float:
    """Return the equivalent number of equally weighted blocks.

    >>> equal_blocks(np.array([[0, 0, 5.0, 0], [0, 0, 5.0, 0]]))
    2.0
    """
    wanted = blocks[..., WANTED]
    squares = float((wanted**2).sum())
    return float(wanted.sum()) ** 2 / squares if squares > 0 else 0.0


def interval(
    blocks: FloatArray, whole: FloatArray, level: float, choice: float = 0.0
) -> tuple[float, float]:
    """Return the confidence interval of F1 at the given level.

    ``whole`` is a mean block in which everything is found. ``choice`` is the variance of the logit
    of F1 that comes from choosing a threshold.
    """
    if len(blocks) < 2:
        return 0.0, 1.0
    centre, moves = _moves(_padded(blocks, whole, (1.0, 0.0)))
    reach = _reach(blocks, level) * np.sqrt(_variance(moves) + choice)
    f1 = float(f1_of(blocks.sum(axis=0)))
    low, high = float(expit(centre - reach)), float(expit(centre + reach))
    return min(f1, low), max(f1, high)


def difference(
    one: FloatArray, other: FloatArray, whole: FloatArray, level: float, choice: float = 0.0
) -> tuple[float, float]:
    """Return the confidence interval of the difference between two F1 values on the same blocks."""
    if len(one) < 2:
        return -1.0, 1.0
    # Add half a block that only the first finds, and half a block that only the second finds.
    centre_one, moves_one = _moves(_padded(one, whole, (1.0, 0.0)))
    centre_other, moves_other = _moves(_padded(other, whole, (0.0, 1.0)))
    gap, middle = centre_one - centre_other, (centre_one + centre_other) / 2
    reach = _reach(one, level) * np.sqrt(_variance(moves_one - moves_other) + choice)
    halves = np.array([gap - reach, gap + reach]) / 2
    low, high = expit(middle + halves) - expit(middle - halves)
    found = float(f1_of(one.sum(axis=0)) - f1_of(other.sum(axis=0)))
    return min(float(low), found), max(float(high), found)


def _reach(blocks: FloatArray, level: float) -> float:
    return t_quantile((1 + level) / 2, max(1.0, equal_blocks(blocks) - 1))


def halves(whole: FloatArray, finds: tuple[float, float]) -> FloatArray:
    """Return two halves of a mean block, each scaled by the share that is found."""
    made = np.tile(whole / 2, (2, 1))
    made[:, [EARNED, CLAIMED, FOUND]] *= np.array(finds)[:, None]
    return made


def _padded(blocks: FloatArray, whole: FloatArray, finds: tuple[float, float]) -> FloatArray:
    return np.concatenate([blocks, halves(whole, finds)])


def _moves(blocks: FloatArray) -> tuple[float, FloatArray]:
    """Return the logit of F1, and its change when each block is left out."""
    total = blocks.sum(axis=0)
    f1 = float(f1_of(total))
    slope = f1 * (1 - f1)
    if slope <= 0:
        return float(logit(np.array(f1))), np.zeros(len(blocks))
    moves: FloatArray = (f1_of(total - blocks) - f1) / slope
    return float(logit(np.array(f1))), moves


def _variance(moves: FloatArray) -> float:
    """Return the jackknife variance, with neighbours left out together if that is larger.

    Up to a fifth of all blocks is left out together, as long as four such runs remain. The last two
    changes belong to the two halves that were added, which have no neighbours.
    """
    apart = moves - moves.mean()
    largest = float((apart**2).sum()) * (moves.size - 1) / moves.size
    own, added = apart[:-2], float((apart[-2:] ** 2).sum())
    sums = np.concatenate(([0.0], np.cumsum(own)))
    for together in range(2, min(own.size // FEWEST_RUNS, int(own.size * MOST_TOGETHER)) + 1):
        runs = sums[together:] - sums[:-together]
        spread = float((runs**2).mean()) * (own.size / together + 1)
        largest = max(largest, spread + added)
    return largest


def logit(share: FloatArray) -> FloatArray:
    """Return log(p / (1 - p)), finite at both ends."""
    inside = np.clip(share, 1e-9, 1 - 1e-9)
    odds: FloatArray = np.log(inside / (1 - inside))
    return odds


def expit(value: npt.ArrayLike) -> FloatArray:
    """Return 1 / (1 + exp(-x)), the inverse of the logit."""
    share: FloatArray = (1 + np.tanh(np.asarray(value, dtype=np.float64) / 2)) / 2
    return share


@lru_cache(maxsize=1024)
def t_quantile(share: float, freedom: float) -> float:
    """Return a quantile of Student's t, for any degrees of freedom from 1.

    With x = sqrt(f) tan(a), the density of a is proportional to cos(a)^(f - 1). It is integrated on
    a fine grid.

    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    angle = np.linspace(0, np.pi / 2, 4001)
    density = np.cos(angle) ** (freedom - 1)
    sums = np.concatenate(([0.0], np.cumsum(density[1:] + density[:-1])))
    place = np.interp(2 * share - 1, sums / sums[-1], angle)
    return float(np.sqrt(freedom) * np.tan(place))

"""Confidence intervals for F1, from blocks of data that are left out one after another.

Blocks (incidents with the time around them, or whole series) are what would come out otherwise on
other data of the same kind. F1 is made of sums over blocks, so leaving out each block in turn
(jackknife) tells how far it moves. Four things keep the intervals honest where blocks are few:

- they are made on the logit of F1, with Student's t;
- half a block that is found and half a block that is missed are added. A detector that found all of
  five incidents is not known to find all, and so has no interval of width 0;
- t has as many degrees of freedom as there would be blocks of equal weight: where one long incident
  outweighs all others, the others hardly count;
- neighbouring blocks may be alike. The variance is also computed from runs of neighbours that are
  left out together, and the largest one counts.

``make bench-coverage`` measures how often the intervals contain the truth.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from padf_core.metrics.checks import FloatArray
from padf_core.metrics.counts import Counts

EARNED, CLAIMED, WANTED, FOUND = range(4)
"""The columns of counts; where precision is corrected, silent and normal points follow."""

FEWEST_RUNS, MOST_TOGETHER = 4, 0.2

ASSUMPTION = (
    "blocks are like those of other data of the same kind; neighbouring blocks may be alike, but "
    "not blocks far apart"
)


def f1_of(counts: FloatArray) -> FloatArray:
    """Return F1 from counts along the last axis."""
    return Counts(*np.moveaxis(np.maximum(counts, 0.0), -1, 0)).fbeta()


def equal_blocks(blocks: FloatArray) -> float:
    """Return how many blocks of equal weight would tell as much.

    >>> equal_blocks(np.array([[0, 0, 5.0, 0], [0, 0, 5.0, 0]]))
    2.0
    """
    wanted = blocks[..., WANTED]
    squares = float((wanted**2).sum())
    return float(wanted.sum()) ** 2 / squares if squares > 0 else 0.0


def interval(
    blocks: FloatArray, whole: FloatArray, level: float, choice: float = 0.0
) -> tuple[float, float]:
    """Return the interval of F1 with this level.

    ``whole`` is a mean block in which everything is found at once, ``choice`` the variance of the
    logit of F1 that comes from choosing a threshold.
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
    """Return the interval of the difference of two detectors' F1 on the same blocks."""
    if len(one) < 2:
        return -1.0, 1.0
    # Half a block that only the first finds, and half a block that only the second finds.
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
    """Return two halves of a mean block, each found or missed."""
    made = np.tile(whole / 2, (2, 1))
    made[:, [EARNED, CLAIMED, FOUND]] *= np.array(finds)[:, None]
    return made


def _padded(blocks: FloatArray, whole: FloatArray, finds: tuple[float, float]) -> FloatArray:
    return np.concatenate([blocks, halves(whole, finds)])


def _moves(blocks: FloatArray) -> tuple[float, FloatArray]:
    """Return the logit of F1, and by how much it moves without each of the blocks."""
    total = blocks.sum(axis=0)
    f1 = float(f1_of(total))
    slope = f1 * (1 - f1)
    if slope <= 0:
        return float(logit(np.array(f1))), np.zeros(len(blocks))
    moves: FloatArray = (f1_of(total - blocks) - f1) / slope
    return float(logit(np.array(f1))), moves


def _variance(moves: FloatArray) -> float:
    """Return the jackknife's variance; of neighbours left out together, if that is larger.

    Up to a fifth of all blocks is left out together, as long as there are four such runs. The last
    two moves are those of the two halves that were added, which have no neighbours.
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
    """Return the quantile of Student's t, for any number of degrees of freedom from 1 on.

    With x = sqrt(f) tan(a) the density of a is cos(a)^(f - 1), which is summed up on a fine grid.

    >>> round(t_quantile(0.975, 10), 3)
    2.228
    """
    angle = np.linspace(0, np.pi / 2, 4001)
    density = np.cos(angle) ** (freedom - 1)
    sums = np.concatenate(([0.0], np.cumsum(density[1:] + density[:-1])))
    place = np.interp(2 * share - 1, sums / sums[-1], angle)
    return float(np.sqrt(freedom) * np.tan(place))

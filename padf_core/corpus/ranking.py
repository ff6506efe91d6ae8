"""Rank detectors over many series, and test which of them differ.

Friedman's test, in the form of Iman and Davenport (1980), tests whether any detector differs. Then
every pair is compared by Wilcoxon's signed-rank test. Holm's correction keeps the probability of
any false positive below the level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import exp, inf, lgamma, nan

import numpy as np

from padf_core.analysis.compare import TIE
from padf_core.corpus.distributions import f_tail, mean_ranks, signed_rank_p
from padf_core.metrics.checks import FloatArray

LEVEL = 0.05

FRIEDMAN_NULL = "on every series all orders of the detectors are equally likely"
WILCOXON_NULL = "the differences of the two detectors' F1 over series are symmetric about 0"


@dataclass(frozen=True)
class Friedman:
    """Friedman's test with the correction of Iman and Davenport.

    The chi-square approximation is far too conservative with few series. For n series and k
    detectors, F = (n - 1) X / (n (k - 1) - X) has k - 1 and (k - 1)(n - 1) degrees of freedom,
    where X is Friedman's statistic.
    """

    statistic: float
    """Friedman's statistic, corrected for ties."""
    f: float
    p: float


@dataclass(frozen=True)
class ComparedPair:
    """The comparison of two detectors over all series."""

    first: str
    second: str
    p: float
    """The p-value of Wilcoxon's signed-rank test, not adjusted."""
    holm: float
    """The p-value after Holm's correction."""
    wins: int
    """Number of series on which the first has the higher F1."""
    losses: int

    @property
    def is_told_apart(self) -> bool:
        """Whether the two differ significantly at 5 %."""
        return self.holm < LEVEL


@dataclass(frozen=True, eq=False)
class Ranking:
    """Detectors over the series on which all of them have a score."""

    names: tuple[str, ...]
    series: tuple[str, ...]
    f1: FloatArray
    """One row per series, one column per detector."""

    @cached_property
    def ranks(self) -> FloatArray:
        """The rank of each detector on each series, 1 for the best; ties share their mean rank."""
        return mean_ranks(-self.f1, TIE)

    @cached_property
    def mean_ranks(self) -> dict[str, float]:
        """The mean rank of each detector."""
        means = self.ranks.mean(axis=0) if self.series else np.full(len(self.names), np.nan)
        return dict(zip(self.names, means.tolist(), strict=True))

    @property
    def best_first(self) -> list[str]:
        """The detectors, ordered from the best mean rank."""
        return sorted(self.names, key=lambda name: (self.mean_ranks[name], name))

    @property
    def is_tested(self) -> bool:
        """Whether there are enough detectors and series for tests."""
        return len(self.names) > 1 and len(self.series) > 1

    @cached_property
    def friedman(self) -> Friedman:
        """Friedman's test; p is 1 if all ranks are tied, and NaN if not tested.

        With k detectors, the statistic is (k - 1) A / B. A is the variation of the rank sums around
        their mean, and B is the variation of all ranks around theirs. If all series agree, F is
        infinite and p is the probability of this agreement.
        """
        if not self.is_tested:
            return Friedman(nan, nan, nan)
        count, detectors = self.ranks.shape
        middle = (detectors + 1) / 2
        within = float(((self.ranks - middle) ** 2).sum())
        if within == 0:
            return Friedman(0.0, 0.0, 1.0)
        between = float(((self.ranks.sum(axis=0) - count * middle) ** 2).sum())
        statistic = (detectors - 1) * between / within
        left = count * (detectors - 1) - statistic
        if left <= TIE * statistic:
            _, shared = np.unique(self.ranks[0], return_counts=True)
            orders = lgamma(detectors + 1) - sum(lgamma(each + 1) for each in shared.tolist())
            return Friedman(statistic, inf, exp(-(count - 1) * orders))
        f = (count - 1) * statistic / left
        p = f_tail(f, detectors - 1, (detectors - 1) * (count - 1))
        return Friedman(statistic, f, p)

    @cached_property
    def pairs(self) -> list[ComparedPair]:
        """Every pair of detectors, lowest p-value first; p is NaN if not tested."""
        found = []
        for one, other in combinations(range(len(self.names)), 2):
            gap = self.f1[:, one] - self.f1[:, other]
            gap = np.where(np.abs(gap) <= TIE, 0.0, gap)
            found.append(
                (
                    signed_rank_p(gap) if self.is_tested else nan,
                    one,
                    other,
                    int((gap > 0).sum()),
                    int((gap < 0).sum()),
                )
            )
        found.sort()
        adjusted = holm([p for p, *_ in found]) if self.is_tested else [nan] * len(found)
        return [
            ComparedPair(self.names[one], self.names[other], p, held, wins, losses)
            for (p, one, other, wins, losses), held in zip(found, adjusted, strict=True)
        ]

    @property
    def differs(self) -> bool:
        """Whether Friedman's test finds a difference between detectors."""
        return self.friedman.p < LEVEL

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """Maximal groups of neighbours by mean rank without significant differences.

        If Friedman's test finds no difference, all detectors are one group.
        """
        order = self.best_first
        if not self.differs:
            return [tuple(order)] if len(order) > 1 else []
        apart = {frozenset((pair.first, pair.second)) for pair in self.pairs if pair.is_told_apart}
        found: list[tuple[int, int]] = []
        for first in range(len(order)):
            last = first
            while last + 1 < len(order) and not any(
                frozenset((order[last + 1], order[at])) in apart for at in range(first, last + 1)
            ):
                last += 1
            if last > first and (not found or last > found[-1][1]):
                found.append((first, last))
        return [tuple(order[first : last + 1]) for first, last in found]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust increasing p-values by Holm's correction: the i-th of m times m - i + 1, monotone.

    >>> [round(p, 3) for p in holm([0.01, 0.02, 0.04])]
    [0.03, 0.04, 0.04]
    """
    made: list[float] = []
    for place, p in enumerate(p_values):
        made.append(min(1.0, max(p * (len(p_values) - place), made[-1] if made else 0.0)))
    return made

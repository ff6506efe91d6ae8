"""Results of every detector under every protocol, for tables and charts."""

from __future__ import annotations

from dataclasses import dataclass

from padf_core.analysis.compare import ranks_of
from padf_core.analysis.random_detector import RandomRow
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.sweep_results import BestPoint


@dataclass(frozen=True, eq=False)
class Comparison:
    """Results of every detector under every protocol."""

    names: list[str]
    """Display names."""
    protocols: list[Protocol]
    points: list[list[BestPoint]]
    """One row per detector and one entry per protocol. Thresholds are in the units of the file."""
    random: list[list[RandomRow]]
    """Random baseline of each detector: at its best threshold, or with as many alarms."""
    is_fixed: list[bool]
    """Whether a detector's alarms are fixed: detections, or a chosen threshold."""

    @property
    def best_random(self) -> list[RandomRow] | None:
        """The baseline at its best threshold, if any detector uses its own best, otherwise None."""
        free = [row for row, fixed in zip(self.random, self.is_fixed, strict=True) if not fixed]
        return free[0] if free else None

    def f1(self, protocol: int) -> list[float]:
        """Return the F1 of all detectors under one protocol."""
        return [row[protocol].f1 for row in self.points]

    @property
    def ranks(self) -> list[list[int]]:
        """Ranks under each protocol, one row per detector."""
        by_protocol = [ranks_of(self.f1(index)) for index in range(len(self.protocols))]
        return [list(row) for row in zip(*by_protocol, strict=True)]

    def ranks_under(self, key: str) -> list[int]:
        """Return the ranks of all detectors under one protocol."""
        keys = [protocol.key for protocol in self.protocols]
        return ranks_of(self.f1(keys.index(key)))


@dataclass(frozen=True)
class Areas:
    """Summaries of a detector that need no choice of threshold or parameter."""

    average_precision: list[float]
    roc_auc: list[float]
    over: dict[str, float]
    """By protocol key: area over the parameter of each protocol that has one."""

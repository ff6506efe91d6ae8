"""Published delay-aware rules, expressed as PAdf settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import e

from padf_core.metrics.parameters import Value
from padf_core.metrics.settings import Settings


@dataclass(frozen=True)
class PublishedRule:
    """A published rule, with its usual name and its source."""

    key: str
    title: str
    source: str
    values: Mapping[str, Value]

    def is_in(self, settings: Settings) -> bool:
        """Return whether settings follow this rule, apart from its decay parameter."""
        return all(settings[key] == value for key, value in self.values.items() if key != "decay")


_COMMON: dict[str, Value] = {"grace": 0.0, "precision": "tables"}

RULES: tuple[PublishedRule, ...] = (
    PublishedRule(
        "padf",
        "PAdf",
        "Gim & Min 2023: d to the power of the delay in steps",
        {"measure": "steps", "shape": "exponential", "decay": 0.9, "weight": "points", **_COMMON},
    ),
    PublishedRule(
        "k_delay",
        "k-delay point adjustment",
        "Ren et al. 2019 and the AIOps challenge: full credit up to k steps, then none",
        {"measure": "steps", "shape": "deadline", "decay": 7.0, "weight": "points", **_COMMON},
    ),
    PublishedRule(
        "latency_aware",
        "Latency-aware F1",
        "Latency- and sparsity-aware F1 (2021) at a batch of 1: 1 - k/N over the segment's length",
        {"measure": "share", "shape": "linear", "decay": 1.0, "weight": "points", **_COMMON},
    ),
    PublishedRule(
        "nab",
        "NAB",
        "Lavin & Ahmad 2015: a sigmoid over the window, each window once",
        {"measure": "share", "shape": "sigmoid", "decay": 5.0, "weight": "segments", **_COMMON},
    ),
    PublishedRule(
        "adtqc",
        "ADTQC, late branch",
        "ESA's benchmark (2024): 1 / (1 + (x / (1 - x))^e) over the segment, each segment once",
        {"measure": "share", "shape": "odds", "decay": e, "weight": "segments", **_COMMON},
    ),
)
"""Only the decay curve follows the publication in every case. False alarms count as in PAdf."""


def published_rule_of(settings: Settings) -> PublishedRule | None:
    """Return the published rule that settings follow, if any.

    >>> published_rule_of(Settings()).title
    'PAdf'
    """
    return next((rule for rule in RULES if rule.is_in(settings)), None)

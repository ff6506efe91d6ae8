"""The parameters of all four protocols together, as pages, links and files carry them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import inf, log
from typing import Any, Literal

from padf_core.checks import check_number
from padf_core.clock import format_steps
from padf_core.decay import (
    DeadlineDecay,
    Decay,
    ExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
)
from padf_core.protocols import (
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    Pointwise,
    PrecisionConvention,
    Protocol,
)

Shape = Literal["exponential", "half_life", "linear", "deadline"]

DECAYS: dict[Shape, type[Decay]] = {
    "exponential": ExponentialDecay,
    "half_life": HalfLifeDecay,
    "linear": LinearDecay,
    "deadline": DeadlineDecay,
}
"""Every decay with one parameter, by the name that links and files give it."""


@dataclass(frozen=True)
class Settings:
    """What a number depends on beside the data."""

    shape: Shape = "exponential"
    decay: float = 0.9
    """The parameter of the shape: d, a half-life, a span or a deadline, in steps."""
    k: float = 20
    inclusive: bool = False
    precision: PrecisionConvention = "tables"

    def __post_init__(self) -> None:
        if not isinstance(self.shape, str) or self.shape not in DECAYS:
            raise ValueError(f"shape must be one of {', '.join(DECAYS)}; got {self.shape!r}")
        if self.shape != "exponential":
            check_number(
                "decay",
                self.decay,
                lambda steps: steps == 0 or 0.01 <= steps <= 1_000_000,
                "from 0.01 to 1,000,000 steps",
            )
        self.protocols()

    @property
    def half_life(self) -> float:
        """Steps until half of the credit is gone, or all of it after a deadline; may be infinite.

        >>> [Settings(*given).half_life for given in (("exponential", 0.5), ("linear", 8))]
        [1.0, 4.0]
        """
        if self.shape == "exponential":
            return log(0.5) / log(self.decay) if self.decay < 1 else inf
        return self.decay / 2 if self.shape == "linear" else self.decay

    def decay_at(self, value: float) -> Decay:
        """Return this shape of decay with another parameter."""
        make: Any = DECAYS[self.shape]
        decay: Decay = make(value)
        return decay

    def padf_at(self, value: float) -> PointAdjustDecay:
        """Return PAdf with another decay parameter."""
        return PointAdjustDecay(self.decay_at(value), self.precision)

    def pa_k_at(self, k: float) -> PointAdjustK:
        """Return PA%K with another K."""
        return PointAdjustK(k, self.inclusive)

    def protocols(self) -> list[Protocol]:
        """Return the four protocols with these parameters, in the order of `PROTOCOLS`."""
        return [Pointwise(), PointAdjust(), self.pa_k_at(self.k), self.padf_at(self.decay)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Settings:
        """Read what `to_dict` wrote; unknown names are an error."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ValueError(f"settings must be among {', '.join(sorted(known))}; got {unknown[0]}")
        return cls(**values)


def half_gone_after(decay: Decay, step_seconds: float | None = None) -> str:
    """Say in words when half the credit is gone.

    >>> half_gone_after(ExponentialDecay(0.9)), half_gone_after(ExponentialDecay(0.9), 60)
    ('half gone after 6.6 steps', 'half gone after 6.6 min')
    >>> half_gone_after(ExponentialDecay(1)), half_gone_after(DeadlineDecay(7))
    ('never decays: this is PA', 'all gone after 7 steps')
    """
    if isinstance(decay, DeadlineDecay):
        return f"all gone after {format_steps(decay.limit, step_seconds)}"
    if isinstance(decay, LinearDecay):
        return f"half gone after {format_steps(decay.span / 2, step_seconds)}"
    if isinstance(decay, (ExponentialDecay, HalfLifeDecay)):
        if decay.rate == 1:
            return "never decays: this is PA"
        return f"half gone after {format_steps(log(0.5) / log(decay.rate), step_seconds)}"
    raise ValueError(f"no half-life is known for {decay!r}")

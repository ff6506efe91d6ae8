"""Decays: the credit for a late first detection. D(0) = 1, and D never increases.

To add a decay, add one file with its class and one line in `DECAYS`. Delays are in steps, in
seconds, or as shares of the segment, as the protocol measures them.
"""

from __future__ import annotations

from typing import cast

from padf_core.metrics.decays.adtqc import ADTQCDecay
from padf_core.metrics.decays.base import (
    LADDER,
    MAX_SECONDS,
    MAX_STEPS,
    MIN_SECONDS,
    MIN_STEPS,
    SMALLEST,
    Decay,
    DecayFunction,
    Delays,
    ShapedDecay,
    d_text,
    number_field,
    rate_text,
)
from padf_core.metrics.decays.checked import CheckedDecay
from padf_core.metrics.decays.deadline import DeadlineDecay
from padf_core.metrics.decays.exponential import ExponentialDecay
from padf_core.metrics.decays.half_life import HalfLifeDecay
from padf_core.metrics.decays.linear import LinearDecay
from padf_core.metrics.decays.sigmoid import SigmoidDecay
from padf_core.metrics.decays.worth import WorthDecay
from padf_core.metrics.parameters import Choice, Option
from padf_core.metrics.timing import Measure

__all__ = [
    "DECAYS",
    "LADDER",
    "MAX_SECONDS",
    "MAX_STEPS",
    "MIN_SECONDS",
    "MIN_STEPS",
    "SMALLEST",
    "ADTQCDecay",
    "CheckedDecay",
    "DeadlineDecay",
    "Decay",
    "DecayFunction",
    "Delays",
    "ExponentialDecay",
    "HalfLifeDecay",
    "LinearDecay",
    "ShapedDecay",
    "SigmoidDecay",
    "WorthDecay",
    "as_decay",
    "d_text",
    "decays_in",
    "number_field",
    "rate_text",
    "shape_choice",
]

DECAYS: dict[str, type[ShapedDecay]] = {
    decay.shape: decay
    for decay in (
        ExponentialDecay,
        WorthDecay,
        HalfLifeDecay,
        LinearDecay,
        DeadlineDecay,
        SigmoidDecay,
        ADTQCDecay,
    )
}
"""Every shaped decay, by its name in links and files."""


def decays_in(measure: Measure) -> list[type[ShapedDecay]]:
    """Return the decays that support a measure of delay."""
    return [decay for decay in DECAYS.values() if measure in decay.measures]


def shape_choice(measure: Measure) -> Choice:
    """Describe the choice between the decays that support a measure."""
    return Choice(
        key="shape",
        link="shape",
        title="How credit decays (PAdf)",
        options=tuple(Option(d.shape, d.shape, d.title, d.about) for d in decays_in(measure)),
        help="how credit decays under PAdf",
    )


def as_decay(decay: object, measure: Measure = "steps") -> Decay:
    """Return a decay for a decay or a plain function; anything else is an error.

    Everything that is not in `DECAYS` is checked on every call.
    """
    if isinstance(decay, CheckedDecay):
        return decay if decay.measure == measure else CheckedDecay(decay.function, measure)
    if type(decay) in DECAYS.values():
        shaped = cast(ShapedDecay, decay)
        if shaped.measures == ("share",) and measure != "share":
            raise ValueError(f'{type(decay).__name__} needs measure="share"; got {measure!r}')
        return shaped
    if callable(decay) and not isinstance(decay, type):
        return CheckedDecay(decay, measure)
    raise ValueError(
        f"decay must be a function of the delay such as ExponentialDecay(0.9); got {decay!r}"
    )

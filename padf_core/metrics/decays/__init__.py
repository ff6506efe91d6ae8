"""What a late first detection is still worth: D(0) = 1, and never more after a longer delay.

A decay describes itself, as a protocol does: one file with its class, and its line in `DECAYS`, are
all there is to add for one more. Delays come in steps, in seconds, or as shares of the segment, as
the protocol measures them.
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
"""Every decay that describes itself, by the name that links and files give it."""


def decays_in(measure: Measure) -> list[type[ShapedDecay]]:
    """Return the decays whose delays can be counted like this."""
    return [decay for decay in DECAYS.values() if measure in decay.measures]


def shape_choice(measure: Measure) -> Choice:
    """Describe the choice between the decays of a measure."""
    return Choice(
        key="shape",
        link="shape",
        title="How credit decays (PAdf)",
        options=tuple(Option(d.shape, d.shape, d.title, d.about) for d in decays_in(measure)),
        help="how credit decays under PAdf",
    )


def as_decay(decay: object, measure: Measure = "steps") -> Decay:
    """Return a decay for a decay or a plain function; anything else is an error.

    All but those in `DECAYS` are checked wherever they are asked.
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

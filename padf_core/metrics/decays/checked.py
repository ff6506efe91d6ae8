"""Use any function of the delay as a decay, with checks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from padf_core.metrics.checks import FloatArray
from padf_core.metrics.decays.base import (
    Decay,
    DecayFunction,
    Delays,
)
from padf_core.metrics.timing import Measure

_PROBES = np.arange(101)


@dataclass(frozen=True)
class CheckedDecay(Decay):
    """Any function of the delay, checked against the rules of a decay on every call.

    Parameters
    ----------
    function : callable
        Credit for one delay, or for an array of delays.
    measure : {"steps", "clock", "share"}
        The measure of its delays.

    Raises
    ------
    ValueError
        If the function is not 1 at delay 0, leaves [0, 1], or increases.

    Examples
    --------
    >>> CheckedDecay(lambda k: 1 / (1 + k))(np.array([0, 1, 3])).tolist()
    [1.0, 0.5, 0.25]
    >>> CheckedDecay(lambda x: 1 - x, "share")(np.array([0, 0.25])).tolist()
    [1.0, 0.75]
    """

    function: DecayFunction
    measure: Measure = "steps"

    def __post_init__(self) -> None:
        self(self._probes)

    @property
    def _probes(self) -> Delays:
        """Delays at which the rules are always checked."""
        return _PROBES[:-1] / 100 if self.measure == "share" else _PROBES

    def __call__(self, delays: Delays) -> FloatArray:
        given = np.asarray(delays)
        asked, places = np.unique(given, return_inverse=True)
        probed, order = np.unique(np.concatenate((self._probes, asked)), return_index=True)
        values = np.concatenate((self._probe_credit, self._values(asked)))
        _check_decreasing(probed, values[order])
        credit: FloatArray = np.minimum(values[self._probes.size :], 1.0)[places]
        return credit.reshape(given.shape)

    @cached_property
    def _probe_credit(self) -> FloatArray:
        return self._values(self._probes)

    def _values(self, delays: Delays) -> FloatArray:
        """Call the function with all delays at once, or one by one if it cannot take arrays."""
        try:
            with np.errstate(all="ignore"):
                values = np.asarray(self.function(delays.astype(np.float64)), dtype=np.float64)
        except Exception:
            values = np.empty(0)
        if values.shape == delays.shape:
            return values
        return np.fromiter(map(self._value, delays.tolist()), dtype=np.float64, count=delays.size)

    def _value(self, delay: float) -> float:
        try:
            return float(self.function(delay))  # type: ignore[arg-type]
        except Exception as error:
            raise ValueError(
                f"decay must give a number for every delay; at delay {delay} it raised {error!r}"
            ) from error

    def label_in(self, measure: Measure) -> str:
        if isinstance(self.function, Decay):
            return self.function.label_in(measure)
        return getattr(self.function, "__name__", "custom").replace("<lambda>", "custom")


def _check_decreasing(delays: Delays, credit: FloatArray) -> None:
    if not abs(credit[0] - 1) <= 1e-12:
        raise ValueError(f"decay must be 1 at delay 0; got {credit[0]:g}")
    outside = np.flatnonzero(~((credit >= 0) & (credit <= 1 + 1e-12)))
    if outside.size:
        at = outside[0]
        raise ValueError(
            f"decay must stay between 0 and 1; got {credit[at]:g} at delay {delays[at]}"
        )
    rising = np.flatnonzero(np.diff(credit) > 0)
    if rising.size:
        at = rising[0]
        raise ValueError(
            f"decay must not increase with the delay; got {credit[at]:g} at delay {delays[at]} "
            f"and {credit[at + 1]:g} at delay {delays[at + 1]}"
        )

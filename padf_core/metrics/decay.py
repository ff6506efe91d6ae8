"""What a late first detection is still worth: D(0) = 1, and never more after a longer delay.

A decay describes itself, as a protocol does: its class and its line in `DECAYS` are all there is to
add for one more. Delays come in steps, in seconds, or as shares of the segment, as the protocol
measures them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial
from math import atanh, e, inf, log, log2, tanh
from typing import Any, ClassVar, Self, cast

import numpy as np

from padf_core.metrics.checks import FloatArray, NumberArray, check_number
from padf_core.metrics.clock import format_duration
from padf_core.metrics.parameters import Choice, Number, Option, Parameter, Value
from padf_core.metrics.timing import MEASURES, Measure, format_delay

Delays = NumberArray
DecayFunction = Callable[[Delays], FloatArray]

MIN_STEPS, MAX_STEPS = 0.01, 1_000_000.0
"""How short and how long a time in steps may be."""

MIN_SECONDS, MAX_SECONDS = 1e-6, 1e10
"""How short and how long a time on the clock may be: a microsecond to 300 years."""

LADDER: tuple[float, ...] = (
    *(1, 2, 3, 5, 7, 10, 15, 20, 30, 45),
    *(60 * m for m in (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50)),
    *(3600 * h for h in (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16, 18)),
    *(86400 * d for d in (1, 1.5, 2, 3, 4, 5, 6, 7, 10, 14, 21, 30)),
)
"""The steps of a slider over times on the clock, in seconds."""

SMALLEST = float(np.finfo(np.float64).tiny)
"""What never quite vanishes is worth at least this, or precision would turn from 1 to 0."""

_PROBES = np.arange(101)
_HELP = "the number of the decay: d, or a time in steps, in seconds, or as a share"


class Decay(ABC):
    """A decay function: delays in, credit in [0, 1] out.

    The parameter may be a column of values; then there is one row of credit for each of them.
    """

    @abstractmethod
    def __call__(self, delays: Delays) -> FloatArray:
        """Return the credit of a segment whose first detection comes after each delay."""

    @abstractmethod
    def label_in(self, measure: Measure) -> str:
        """Return a few words for a table's head or a lane's name."""

    @property
    def label(self) -> str:
        """The same for delays in steps."""
        return self.label_in("steps")

    @property
    def rate(self) -> float | None:
        """What an exponential decay keeps after a delay of 1; None for any other."""
        return None


class ShapedDecay(Decay):
    """A decay with a name and a parameter, as links, files and sliders know it."""

    shape: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    symbol: ClassVar[str]
    """What its number is called."""
    measures: ClassVar[tuple[Measure, ...]] = MEASURES
    """In what its delays can be counted."""
    drops: ClassVar[bool] = False
    """Whether credit falls in one step instead of bit by bit."""

    @property
    @abstractmethod
    def half_life(self) -> float:
        """Delay until half of the credit is gone; infinite when it never is."""

    @abstractmethod
    def formula_in(self, measure: Measure) -> str:
        """Return the function as a methods section writes it."""

    @classmethod
    @abstractmethod
    def for_half_life(cls, delay: float) -> float:
        """Return the number that loses half of the credit by then."""

    @classmethod
    @abstractmethod
    def number_in(cls, measure: Measure) -> Number:
        """Describe the number for delays counted like this."""

    @classmethod
    def extras(cls) -> tuple[Parameter, ...]:
        """Describe what else can be chosen about it."""
        return ()

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """Return the decay with chosen parameters."""
        make: Any = cls
        made: Self = make(values["decay"], *(values[each.key] for each in cls.extras()))
        return made

    def note_in(self, measure: Measure, step_seconds: float | None) -> str:
        """Say in words when half of the credit is gone."""
        if self.half_life == inf:
            return "never decays: this is PA"
        said = f"half gone after {format_delay(self.half_life, measure, step_seconds)}"
        if measure == "clock" and step_seconds and self.rate is not None:
            rate = d_text(self.rate**step_seconds)
            said += f"; {rate} for a step of {format_duration(step_seconds)}"
        return said

    def note(self, step_seconds: float | None) -> str:
        """Say the same for delays in steps."""
        return self.note_in("steps", step_seconds)

    @property
    def formula(self) -> str:
        """The formula for delays in steps."""
        return self.formula_in("steps")


def number_field(decay: ShapedDecay) -> str:
    """Return the name of the field that is the decay's number."""
    return fields(cast(Any, decay))[0].name


_STEPPED = tuple(float(step) for step in range(1, 101))
_SHARES = tuple(step / 100 for step in range(1, 101))


def _number(
    kind: type[ShapedDecay],
    measure: Measure,
    default: float,
    share: float = 0.5,
    steps: tuple[float, ...] = _STEPPED,
    *,
    from_zero: bool = False,
) -> Number:
    """Describe a number that is a time: in steps, in seconds, or as a share of the segment.

    ``default`` and ``steps`` are for steps, ``share`` is the default for shares.
    """
    described: dict[Measure, tuple[float, float, str, float, tuple[float, ...]]] = {
        "steps": (MIN_STEPS, MAX_STEPS, "steps", default, steps),
        "clock": (MIN_SECONDS, MAX_SECONDS, "seconds", 600.0, LADDER),
        "share": (1e-4, 100.0, "lengths of the segment", share, _SHARES),
    }
    low, high, unit, usual, ladder = described[measure]
    told = f"{low:g} to {high:,.0f} {unit}"
    return Number(
        key="decay",
        symbol=kind.symbol,
        title=f"{kind.symbol}, in {unit}",
        default=usual,
        steps=(0.0, *ladder) if from_zero else ladder,
        limits=(0.0 if from_zero else low, high),
        rule=f"0, or {told}" if from_zero else f"from {told}",
        help=_HELP,
        note=partial(_note, kind, measure),
        gaps=((0.0, low),) if from_zero else (),
        summary=f"From only prompt alarms counting up to PA, as the {kind.symbol} grows.",
    )


def _note(
    kind: type[ShapedDecay], measure: Measure, value: float, step_seconds: float | None
) -> str:
    make: Any = kind
    made: ShapedDecay = make(value)
    return made.note_in(measure, step_seconds)


def _told(value: float, measure: Measure) -> str:
    """Write a time as a label does, where steps need no word."""
    return f"{value:g}" if measure == "steps" else format_delay(value, measure)


def _variable(measure: Measure) -> str:
    """Return the letter of a delay in formulas: steps k, seconds t, share x."""
    return {"steps": "k", "clock": "t", "share": "x"}[measure]


def _amount(value: float, measure: Measure) -> str:
    """Write a time as a formula does."""
    return f"{value:.6g}{' s' if measure == 'clock' else ''}"


def _fading(base: float | FloatArray, exponents: FloatArray) -> FloatArray:
    """Return a power that grows ever smaller, but never quite 0."""
    with np.errstate(under="ignore", over="ignore"):
        faded: FloatArray = np.maximum(np.power(base, exponents), SMALLEST)
    return faded


@dataclass(frozen=True)
class ExponentialDecay(ShapedDecay):
    """D(k) = d^k, the paper's decay; ``rate`` is d, in (0, 1].

    >>> ExponentialDecay(0.9)(np.array([0, 1, 6])).round(3).tolist()
    [1.0, 0.9, 0.531]
    >>> ExponentialDecay(0.5).half_life, ExponentialDecay(0.9).note(60)
    (1.0, 'half gone after 6.6 min')
    """

    shape: ClassVar[str] = "exponential"
    title: ClassVar[str] = "Exponential"
    about: ClassVar[str] = "D(k) = dᵏ, the paper's: each step keeps the share d."
    symbol: ClassVar[str] = "d"
    measures: ClassVar[tuple[Measure, ...]] = ("steps",)

    rate: float = 0.9

    def __post_init__(self) -> None:
        hint = f"; a rate of {self.rate} % is {self.rate / 100}" if _is_percent(self.rate) else ""
        rate = check_number("rate", self.rate, lambda x: 0 < x <= 1, "above 0 and at most 1", hint)
        object.__setattr__(self, "rate", rate)

    def __call__(self, delays: Delays) -> FloatArray:
        return _fading(self.rate, np.asarray(delays, dtype=np.float64))

    def label_in(self, measure: Measure) -> str:
        return f"d = {self.rate:g}"

    @property
    def half_life(self) -> float:
        return log(0.5) / log(self.rate) if self.rate < 1 else inf

    def formula_in(self, measure: Measure) -> str:
        letter = _variable(measure)
        return f"D({letter}) = {rate_text(self.rate)}^{letter}"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return float(0.5 ** (1 / delay))

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return Number(
            key="decay",
            symbol="d",
            title="decay rate d",
            default=0.9,
            steps=tuple(step / 100 for step in range(1, 101)),
            limits=(1e-12, 1.0),
            rule="above 0 and at most 1",
            help=_HELP,
            note=partial(_note, cls, measure),
            summary="From only prompt alarms counting, at small d, up to PA at d = 1.",
        )


@dataclass(frozen=True)
class HalfLifeDecay(ShapedDecay):
    """D(k) = 2^(-k/h): half the credit is gone after every ``half_life``.

    >>> HalfLifeDecay(5)(np.array([0, 5, 10])).tolist()
    [1.0, 0.5, 0.25]
    >>> HalfLifeDecay(600).note_in("clock", 60)
    'half gone after 10 min; d = 0.933 for a step of 1 min'
    """

    shape: ClassVar[str] = "half_life"
    title: ClassVar[str] = "Half-life"
    about: ClassVar[str] = "The same curve, told by when half of the credit is gone."
    symbol: ClassVar[str] = "half-life"

    half_life: float = 6.6

    def __post_init__(self) -> None:
        value = check_number("half_life", self.half_life, lambda x: 0 < x < inf, "a number above 0")
        object.__setattr__(self, "half_life", value)

    def __call__(self, delays: Delays) -> FloatArray:
        with np.errstate(under="ignore", over="ignore"):
            return _fading(2.0, -np.asarray(delays, dtype=np.float64) / self.half_life)

    @property
    def rate(self) -> float:
        """The d of the exponential decay that this is."""
        return float(np.exp2(-1 / self.half_life))

    def label_in(self, measure: Measure) -> str:
        return f"half-life {_told(self.half_life, measure)}"

    def formula_in(self, measure: Measure) -> str:
        letter = _variable(measure)
        return f"D({letter}) = 0.5^({letter}/{_amount(self.half_life, measure)})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return delay

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return _number(cls, measure, 6.5, steps=tuple(step / 2 for step in range(1, 101)))


@dataclass(frozen=True)
class WorthDecay(ShapedDecay):
    """D(t) = share^(t/after): after the time ``after`` an alarm is still worth ``percent`` percent.

    >>> WorthDecay(600, 30)(np.array([0, 600, 1200])).round(6).tolist()
    [1.0, 0.3, 0.09]
    """

    shape: ClassVar[str] = "worth"
    title: ClassVar[str] = "Still worth"
    about: ClassVar[str] = "The same curve, told by what an alarm is still worth after a time."
    symbol: ClassVar[str] = "time"
    measures: ClassVar[tuple[Measure, ...]] = ("clock",)

    after: float = 600.0
    percent: float = 50.0

    def __post_init__(self) -> None:
        after = check_number("after", self.after, lambda x: 0 < x < inf, "a number above 0")
        percent = check_number(
            "percent", self.percent, lambda x: 0 < x < 100, "above 0 and below 100"
        )
        object.__setattr__(self, "after", after)
        object.__setattr__(self, "percent", percent)

    def __call__(self, delays: Delays) -> FloatArray:
        with np.errstate(under="ignore", over="ignore"):
            return _fading(self.percent / 100, np.asarray(delays, dtype=np.float64) / self.after)

    @property
    def rate(self) -> float:
        """What is kept after one second."""
        return float((self.percent / 100) ** (1 / self.after))

    def label_in(self, measure: Measure) -> str:
        return f"{self.percent:g} % after {_told(self.after, measure)}"

    @property
    def half_life(self) -> float:
        return self.after / -log2(self.percent / 100)

    def formula_in(self, measure: Measure) -> str:
        letter = _variable(measure)
        return f"D({letter}) = {self.percent / 100:g}^({letter}/{_amount(self.after, measure)})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return delay

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return _number(cls, measure, 600.0)

    @classmethod
    def extras(cls) -> tuple[Parameter, ...]:
        return (
            Number(
                key="worth",
                symbol="worth",
                title="still worth then, in %",
                default=50.0,
                steps=tuple(float(step) for step in range(1, 100)),
                limits=(0.001, 99.999),
                rule="above 0 and below 100 %",
                help="what an alarm is still worth after the time, in percent",
                note=lambda value, seconds: f"{value:g} % are left then",
            ),
        )


@dataclass(frozen=True)
class LinearDecay(ShapedDecay):
    """D(k) = max(0, 1 - k/span): credit falls evenly and is gone after ``span``.

    >>> LinearDecay(4)(np.array([0, 1, 4, 9])).tolist()
    [1.0, 0.75, 0.0, 0.0]
    """

    shape: ClassVar[str] = "linear"
    title: ClassVar[str] = "Linear"
    about: ClassVar[str] = "Credit falls evenly and is gone after the span."
    symbol: ClassVar[str] = "span"

    span: float = 10.0

    def __post_init__(self) -> None:
        value = check_number("span", self.span, lambda x: 0 < x < inf, "a number above 0")
        object.__setattr__(self, "span", value)

    def __call__(self, delays: Delays) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.maximum(0.0, 1 - np.asarray(delays, dtype=np.float64) / self.span)

    def label_in(self, measure: Measure) -> str:
        return f"span {_told(self.span, measure)}"

    @property
    def half_life(self) -> float:
        return self.span / 2

    def formula_in(self, measure: Measure) -> str:
        letter = _variable(measure)
        return f"D({letter}) = max(0, 1 - {letter}/{_amount(self.span, measure)})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return 2 * delay

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return _number(cls, measure, 13.0, 1.0)


@dataclass(frozen=True)
class DeadlineDecay(ShapedDecay):
    """D(k) = 1 while k <= limit, then 0: the "k-delay" rule of the AIOps challenge.

    >>> DeadlineDecay(3)(np.array([0, 3, 4])).tolist()
    [1.0, 1.0, 0.0]
    """

    shape: ClassVar[str] = "deadline"
    title: ClassVar[str] = "Deadline"
    about: ClassVar[str] = "Full credit up to the limit, then none: the k-delay rule of AIOps."
    symbol: ClassVar[str] = "deadline"
    drops: ClassVar[bool] = True

    limit: float = 7.0

    def __post_init__(self) -> None:
        value = check_number("limit", self.limit, lambda x: 0 <= x < inf, "a number of at least 0")
        object.__setattr__(self, "limit", value)

    def __call__(self, delays: Delays) -> FloatArray:
        return (np.asarray(delays) <= self.limit).astype(np.float64)

    def label_in(self, measure: Measure) -> str:
        return f"deadline {_told(self.limit, measure)}"

    @property
    def half_life(self) -> float:
        return self.limit

    def formula_in(self, measure: Measure) -> str:
        letter = _variable(measure)
        return f"D({letter}) = 1 for {letter} <= {_amount(self.limit, measure)}, else 0"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return delay

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return _number(cls, measure, 7.0, from_zero=True)

    def note_in(self, measure: Measure, step_seconds: float | None) -> str:
        return f"all gone after {format_delay(self.limit, measure, step_seconds)}"


@dataclass(frozen=True)
class SigmoidDecay(ShapedDecay):
    """D(x) = tanh(s(1 - x)/2) / tanh(s/2) over the segment's own length: NAB's curve at s = 5.

    NAB writes it as (2σ(s(1 - x)) - 1) / (2σ(s) - 1), σ being the logistic function.

    >>> SigmoidDecay(5)(np.array([0, 0.5, 1])).round(3).tolist()
    [1.0, 0.86, 0.0]
    """

    shape: ClassVar[str] = "sigmoid"
    title: ClassVar[str] = "Sigmoid"
    about: ClassVar[str] = "NAB's: most of the credit lasts, and is gone at the segment's end."
    symbol: ClassVar[str] = "steepness"
    measures: ClassVar[tuple[Measure, ...]] = ("share",)

    steepness: float = 5.0

    def __post_init__(self) -> None:
        value = check_number("steepness", self.steepness, lambda x: 0 < x <= 1e6, "above 0")
        object.__setattr__(self, "steepness", value)

    def __call__(self, delays: Delays) -> FloatArray:
        left = np.maximum(1 - np.asarray(delays, dtype=np.float64), 0.0)
        credit: FloatArray = np.tanh(self.steepness * left / 2) / np.tanh(self.steepness / 2)
        return credit

    def label_in(self, measure: Measure) -> str:
        return f"steepness {self.steepness:g}"

    @property
    def half_life(self) -> float:
        return 1 - 2 * atanh(tanh(self.steepness / 2) / 2) / self.steepness

    def formula_in(self, measure: Measure) -> str:
        letter = _variable(measure)
        half = f"{self.steepness / 2:g}"
        return f"D({letter}) = tanh({half} (1 - {letter})) / tanh({half})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return 5.0

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return Number(
            key="decay",
            symbol="steepness",
            title="steepness",
            default=5.0,
            steps=tuple(step / 4 for step in range(1, 81)),
            limits=(0.01, 1000.0),
            rule="from 0.01 to 1,000",
            help=_HELP,
            note=partial(_note, cls, measure),
            summary="From an even fall over the segment up to PA, as the steepness grows.",
        )


@dataclass(frozen=True)
class OddsDecay(ShapedDecay):
    """D(x) = 1 / (1 + (x / (1 - x))^e) over the segment's own length: ADTQC's late branch.

    >>> OddsDecay(2)(np.array([0, 0.5, 0.75, 1])).tolist()
    [1.0, 0.5, 0.1, 0.0]
    """

    shape: ClassVar[str] = "odds"
    title: ClassVar[str] = "ADTQC"
    about: ClassVar[str] = "ESA's detection timing curve: half of the credit in mid-segment."
    symbol: ClassVar[str] = "exponent"
    measures: ClassVar[tuple[Measure, ...]] = ("share",)

    exponent: float = e

    def __post_init__(self) -> None:
        value = check_number("exponent", self.exponent, lambda x: 0 < x <= 1e6, "above 0")
        object.__setattr__(self, "exponent", value)

    def __call__(self, delays: Delays) -> FloatArray:
        share = np.clip(np.asarray(delays, dtype=np.float64), 0.0, 1.0)
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            credit: FloatArray = 1 / (1 + np.power(share / (1 - share), self.exponent))
        return credit

    def label_in(self, measure: Measure) -> str:
        return f"exponent {self.exponent:.4g}"

    @property
    def half_life(self) -> float:
        return 0.5

    def formula_in(self, measure: Measure) -> str:
        letter = _variable(measure)
        return f"D({letter}) = 1 / (1 + ({letter} / (1 - {letter}))^{self.exponent:.4g})"

    @classmethod
    def for_half_life(cls, delay: float) -> float:
        return e

    @classmethod
    def number_in(cls, measure: Measure) -> Number:
        return Number(
            key="decay",
            symbol="exponent",
            title="exponent",
            default=e,
            steps=tuple(step / 4 for step in range(1, 41)),
            limits=(0.01, 1000.0),
            rule="from 0.01 to 1,000",
            help=_HELP,
            note=partial(_note, cls, measure),
            summary="From a gentle slope up to a deadline in mid-segment, as the exponent grows.",
        )


DECAYS: dict[str, type[ShapedDecay]] = {
    decay.shape: decay
    for decay in (
        ExponentialDecay,
        WorthDecay,
        HalfLifeDecay,
        LinearDecay,
        DeadlineDecay,
        SigmoidDecay,
        OddsDecay,
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


def rate_text(rate: float) -> str:
    """Write a decay rate with four digits, counted from 1 where it is close to 1.

    >>> rate_text(0.9), rate_text(0.93303299), rate_text(0.9998074789)
    ('0.9', '0.933', '0.9998075')
    """
    if not 0.99 < rate < 1:
        return f"{rate:.4g}"
    digits = 3 - int(np.floor(np.log10(1 - rate)))
    return f"{rate:.{digits}f}".rstrip("0")


def d_text(rate: float) -> str:
    """Write a decay rate as an equation; one that 64 bits take for 0 is still above it.

    >>> d_text(0.9), d_text(0.5**1800)
    ('d = 0.9', 'd < 1e-300')
    """
    return f"d = {rate_text(rate)}" if rate else "d < 1e-300"


@dataclass(frozen=True)
class CheckedDecay(Decay):
    """Any function of the delay, held to the rules of a decay wherever it is asked.

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
        """Delays at which the rules are held to in any case."""
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
        """Ask for all delays at once, or one by one when the function cannot do that."""
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
            f"decay must not rise with the delay; got {credit[at]:g} at delay {delays[at]} "
            f"and {credit[at + 1]:g} at delay {delays[at + 1]}"
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


def _is_percent(rate: object) -> bool:
    return isinstance(rate, (int, float)) and not isinstance(rate, bool) and 1 < rate <= 100

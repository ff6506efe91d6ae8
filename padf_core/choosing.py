"""From a stated need to a decay, and where rankings flip as the decay rate moves."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Literal, get_args

import numpy as np

from padf_core.checks import (
    FloatArray,
    IntArray,
    Progress,
    check_number,
    no_progress,
)
from padf_core.clock import format_duration
from padf_core.compare import TIE
from padf_core.decay import Decay
from padf_core.evaluation import Pattern
from padf_core.protocols import PrecisionConvention
from padf_core.settings import Settings, Shape

NeedKind = Literal["worth", "half_life", "loss", "deadline"]

SETTINGS_FORMAT = "padf-settings-1"
VANISHES = 0.05
NEVER_DECAYS = 0.99
MIN_STEPS, MAX_STEPS = 0.01, 1_000_000.0
NINE_DIGITS = 1e-9
SAMPLES = 15
MAX_TERMS = 200
"""Distinct delays up to which all flips are found from a polynomial."""


# ---- from a need to a decay ----------------------------------------------------------------------


@dataclass(frozen=True)
class Need:
    """What a late alarm is worth, in the words of those who wait for it.

    "worth": an alarm after ``seconds`` is still worth ``share``. "half_life": half is gone after
    ``seconds``. "loss": the loss grows evenly and is total after ``seconds``. "deadline": full
    worth up to ``seconds``, then none.
    """

    kind: NeedKind = "worth"
    seconds: float = 600.0
    share: float = 0.5

    def __post_init__(self) -> None:
        if self.kind not in get_args(NeedKind):
            raise ValueError(f"kind must be one of {get_args(NeedKind)}; got {self.kind!r}")
        low = 0.0 if self.kind == "deadline" else 1e-6
        check_number(
            "seconds", self.seconds, lambda x: low <= x <= 1e10, "from a microsecond to 300 years"
        )
        check_number("share", self.share, lambda x: 0 < x < 1, "above 0 and below 1")

    @property
    def anchor(self) -> tuple[float, float]:
        """A delay in seconds and what an alarm is worth then, for shapes that agree there."""
        if self.kind == "loss":
            return self.seconds / 2, 0.5
        return self.seconds, self.share if self.kind == "worth" else 0.5

    @property
    def text(self) -> str:
        """The need in words."""
        time = format_duration(self.seconds)
        return {
            "worth": f"an alarm after {time} is still worth {100 * self.share:g} %",
            "half_life": f"half of an alarm's worth is gone after {time}",
            "loss": f"the loss grows evenly and is total after {time}",
            "deadline": f"an alarm within {time} is worth everything, a later one nothing",
        }[self.kind]


def decay_for(need: Need, step_seconds: float) -> tuple[Shape, float]:
    """Return the shape of decay and its parameter, for steps of this length.

    >>> shape, d = decay_for(Need("worth", seconds=600, share=0.5), 60)
    >>> shape, round(d, 4), round(d ** 10, 6)
    ('exponential', 0.933, 0.5)
    >>> decay_for(Need("deadline", seconds=420), 60)
    ('deadline', 7.0)
    """
    steps = _count_steps(need.seconds, step_seconds)
    if need.kind == "worth":
        return "exponential", max(float(need.share ** (1 / steps)), 1e-12)
    if need.kind == "deadline":
        return "deadline", _whole(steps)
    return "half_life" if need.kind == "half_life" else "linear", max(steps, MIN_STEPS)


def _whole(steps: float) -> float:
    return float(np.floor(steps + 1e-9))


def _count_steps(seconds: float, step_seconds: float) -> float:
    """Return a time in steps, if settings can hold it."""
    steps = seconds / _step(step_seconds)
    if steps > MAX_STEPS:
        raise ValueError(
            f"{format_duration(seconds)} are {steps:,.0f} steps of "
            f"{format_duration(step_seconds)}; at most {MAX_STEPS:,.0f} can be set: take a coarser "
            "step or a shorter time"
        )
    return steps


def agreeing_shapes(need: Need, step_seconds: float) -> dict[Shape, float]:
    """Return the parameter of each shape that gives the stated worth at the stated delay.

    A deadline cannot give half a credit; it drops there.

    >>> {shape: round(value, 3) for shape, value in agreeing_shapes(Need(), 60).items()}
    {'exponential': 0.933, 'linear': 20.0, 'deadline': 10.0}
    """
    seconds, share = need.anchor
    steps = _count_steps(seconds, step_seconds)
    return {
        "exponential": max(float(share ** (1 / steps)), 1e-12),
        "linear": min(max(steps / (1 - share), MIN_STEPS), MAX_STEPS),
        "deadline": _whole(steps),
    }


def _step(step_seconds: float) -> float:
    return check_number("step_seconds", step_seconds, lambda x: 0 < x <= 1e10, "above 0 seconds")


def decay_warnings(decay: Decay, step_seconds: float | None, longest: int | None) -> list[str]:
    """Say when a decay and a step make credit vanish at once, or never decay.

    ``longest`` is the length of the longest segment, if there are data.
    """
    said = []
    after_one = float(decay(np.array([1]))[0])
    step = "one step" if step_seconds is None else f"one step ({format_duration(step_seconds)})"
    if after_one < VANISHES:
        said.append(
            f"An alarm {step} late keeps only {100 * after_one:.1f} % of its credit: at this step "
            "only alarms at the very first point count. A shorter sampling step would tell more."
        )
    if longest is not None and longest > 1:
        at_end = float(decay(np.array([longest - 1]))[0])
        if at_end > NEVER_DECAYS:
            said.append(
                f"Even at the end of the longest segment ({longest:,} points) an alarm keeps "
                f"{100 * at_end:.1f} % of its credit: this hardly differs from PA."
            )
    elif longest is None and after_one > 0.9999:
        said.append(
            f"{step.capitalize()} late costs less than 0.01 %: this hardly differs from PA."
        )
    return said


# ---- settings as a file --------------------------------------------------------------------------


def settings_to_json(
    settings: Settings, need: Need | None = None, step: float | None = None
) -> str:
    """Return settings as a file that the pages and the `padf` command read."""
    content: dict[str, Any] = {"format": SETTINGS_FORMAT, "settings": settings.to_dict()}
    if need is not None:
        content["need"] = {"kind": need.kind, "seconds": need.seconds, "share": need.share}
        content["step_seconds"] = step
    return json.dumps(content, indent=1) + "\n"


def settings_from_json(content: str | bytes) -> Settings:
    """Read what `settings_to_json` wrote.

    >>> settings_from_json(settings_to_json(Settings(decay=0.5, k=30)))
    Settings(shape='exponential', decay=0.5, k=30, inclusive=False, precision='tables')
    """
    try:
        read = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("this is not a JSON file") from None
    if not isinstance(read, dict) or read.get("format") != SETTINGS_FORMAT:
        raise ValueError(f'this is not a settings file: "format" must be "{SETTINGS_FORMAT}"')
    if not isinstance(read.get("settings"), dict):
        raise ValueError("settings must be an object")
    return Settings.from_dict(read["settings"])


# ---- where rankings flip -------------------------------------------------------------------------


@dataclass(frozen=True)
class Flip:
    """A decay rate at which two detectors change places."""

    at: float
    below: int
    """The detector that is ahead for smaller rates."""
    above: int
    """The detector that is ahead for larger rates."""


@dataclass(frozen=True)
class Band:
    """A range of decay rates over which the ranking stays the same."""

    start: float
    stop: float
    ranking: tuple[int, ...]
    """Detectors from the first to the last."""


def exact_flips(patterns: Sequence[Pattern], precision: PrecisionConvention) -> list[Flip]:
    """Find every rate in (0, 1) at which two detectors with given detections change places.

    F1 under PAdf is 2 E / (A + c), with E the sum of N d^k over detected segments and c either
    E + FP or T + FP. Two detectors are equal where E1 w2 = E2 w1 (w = A + FP, or A + T + FP): a
    polynomial in d with one term per distinct delay. Between the zeros of its derivative, which has
    a term less, it changes sign once at most; so all its changes of sign are found.
    """
    found = []
    terms = [_terms(pattern, precision) for pattern in patterns]
    for first, second in combinations(range(len(patterns)), 2):
        (delays_a, sums_a, weight_a), (delays_b, sums_b, weight_b) = terms[first], terms[second]
        exponents = np.union1d(delays_a, delays_b)
        gap = np.zeros(exponents.size)
        gap[np.searchsorted(exponents, delays_a)] += sums_a * weight_b
        gap[np.searchsorted(exponents, delays_b)] -= sums_b * weight_a
        kept = gap != 0
        for at, rises in sign_changes(exponents[kept], gap[kept]):
            found.append(Flip(at, *((second, first) if rises else (first, second))))
    return sorted(found, key=lambda flip: flip.at)


def has_few_delays(patterns: Sequence[Pattern]) -> bool:
    """Say whether `exact_flips` can be asked for: its polynomial has a term per distinct delay."""
    delays = [np.unique(pattern.found.delays) for pattern in patterns]
    return np.unique(np.concatenate(delays)).size <= MAX_TERMS


def _terms(pattern: Pattern, precision: PrecisionConvention) -> tuple[IntArray, FloatArray, float]:
    hits = pattern.found
    delays, place = np.unique(hits.delays[hits.detected], return_inverse=True)
    lengths = hits.lengths[hits.detected]
    sums = np.bincount(place, lengths, delays.size).astype(np.float64)
    weight = float(pattern.anomalous + pattern.false_positives)
    if precision == "equations":
        weight += float(lengths.sum())
    return delays, sums, weight


def sign_changes(exponents: IntArray, coefficients: FloatArray) -> list[tuple[float, bool]]:
    """Return where a sum of c x^e changes sign for x in (0, 1), and whether it rises there.

    >>> sign_changes(np.array([0, 2]), np.array([-0.25, 1.0]))
    [(0.5, True)]
    """
    signs = np.sign(coefficients)
    changes = int(np.count_nonzero(signs[1:] != signs[:-1]))
    if not changes:
        return []
    powers = exponents - exponents[0]

    def value(x: float) -> float:
        return float(coefficients @ np.power(x, powers))

    turning: list[float] = []
    if changes > 1:
        slopes = coefficients[1:] * powers[1:]
        slopes = slopes / np.abs(slopes).max()
        turning = [at for at, _ in sign_changes(powers[1:], slopes)]
    found = []
    for low, high in pairwise([0.0, *turning, 1.0]):
        left, right = value(low), value(high)
        if left and right and (left > 0) != (right > 0):
            found.append((_bisect(value, low, high, left > 0), right > 0))
    return found


def _bisect(
    value: Callable[[float], float], low: float, high: float, falls: bool, width: float = 0.0
) -> float:
    """Halve the range in which the sign changes, down to a width, or to the last digit."""
    while high - low > width:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if (value(middle) > 0) == falls:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def searched_flips(
    score: Callable[[float], Sequence[float]],
    grid: Sequence[float],
    progress: Progress = no_progress,
) -> list[Flip]:
    """Find where detectors change places when ``score`` gives the F1 of all at a rate.

    For scores at the best threshold, which is another one for each rate. A change between two steps
    of the grid is then closed in on; two changes of the same pair within one step are not seen.
    """
    heights = []
    for done, rate in enumerate(grid, start=1):
        heights.append(np.asarray(score(rate), dtype=np.float64))
        progress(0.7 * done / len(grid))
    table = np.array(heights)
    found = []
    for first, second in combinations(range(table.shape[1]), 2):
        gap = table[:, first] - table[:, second]
        places = np.flatnonzero(np.abs(gap) > TIE)
        for left, right in pairwise(places.tolist()):
            if (gap[left] > 0) == (gap[right] > 0):
                continue

            def difference(rate: float, a: int = first, b: int = second) -> float:
                made = score(rate)
                return float(made[a] - made[b])

            at = _bisect(difference, grid[left], grid[right], bool(gap[left] > 0), NINE_DIGITS)
            order = (first, second) if gap[left] > 0 else (second, first)
            found.append(Flip(at, *order))
    progress(1.0)
    return sorted(found, key=lambda flip: flip.at)


def bands(
    flips: Sequence[Flip], score: Callable[[float], Sequence[float]], low: float, high: float
) -> list[Band]:
    """Cut the range at the flips, and say the ranking in each part; equal neighbours are joined."""
    cuts = [low, *(flip.at for flip in flips if low < flip.at < high), high]
    made: list[Band] = []
    for start, stop in pairwise(cuts):
        if stop - start <= 1e-12:
            continue
        # No two change places inside, so their means are in the same order, ties apart.
        inside = np.linspace(start, stop, SAMPLES + 2)[1:-1]
        heights = np.round(np.mean([score(rate) for rate in inside.tolist()], axis=0), 9)
        ranking = tuple(np.argsort(-heights, kind="stable").tolist())
        if made and made[-1].ranking == ranking:
            made[-1] = Band(made[-1].start, stop, ranking)
        else:
            made.append(Band(start, stop, ranking))
    return made


def rate_text(rate: float) -> str:
    """Write a decay rate with four digits, counted from 1 where it is close to 1.

    >>> rate_text(0.9), rate_text(0.93303299), rate_text(0.9998074789)
    ('0.9', '0.933', '0.9998075')
    """
    if not 0.99 < rate < 1:
        return f"{rate:.4g}"
    digits = 3 - int(np.floor(np.log10(1 - rate)))
    return f"{rate:.{digits}f}".rstrip("0")


def half_life_of(rate: float) -> float:
    """Return the steps after which half of the credit is gone; infinite for a rate of 1.

    >>> round(half_life_of(0.9), 2), half_life_of(1.0)
    (6.58, inf)
    """
    return float("inf") if rate >= 1 else float(np.log(0.5) / np.log(rate))

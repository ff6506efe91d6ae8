"""Results on uploaded data that depend on the decay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import cast

import numpy as np

from padf_core import Evaluation, PointAdjustDecay, Settings
from padf_core.analysis.decay_axis import Axis
from padf_core.analysis.deciding import Decisive, what_decides
from padf_core.analysis.flips import Band, Race, race
from padf_core.analysis.forms import forms_of_pattern, forms_of_scores
from padf_core.analysis.notices import Notice, lasting, notices
from padf_core.analysis.random_detector import (
    RandomDetectors,
    Runs,
    count_draws,
    moved_detectors,
    random_detectors,
)
from padf_core.analysis.significance import PValue, count_shifts, p_value
from padf_core.analysis.threshold_grid import threshold_grid
from padf_core.metrics.checks import FloatArray, Progress, no_progress
from padf_core.metrics.decays import LADDER, ShapedDecay
from padf_core.metrics.parameters import Value
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.sweep_results import Sweep
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.server.cache import SMALL
from padf_ui.session.study import Study

PADF = PointAdjustDecay.key
DRAWN = 140
"""Number of decay parameters at which curves are drawn, in addition to the steps of a need."""
MOST_JUMPS = 200
"""Largest number of delays whose jumps in credit are drawn as vertical lines."""
A_SECOND = 1.0
"""Shortest half-life considered in clock time, in seconds, unless the data's step is shorter."""


def padf_of(settings: Settings) -> PointAdjustDecay:
    """Return PAdf with the decay of the settings."""
    return cast(PointAdjustDecay, settings.protocol(PADF))


def decay_in(settings: Settings) -> ShapedDecay:
    """Return the decay of the settings."""
    return cast(ShapedDecay, padf_of(settings).decay)


def number_on_axis(settings: Settings) -> float:
    """Return the position of the settings on the axis of their decay."""
    decay = decay_in(settings)
    return decay.half_life if decay.rate is not None else float(settings["decay"])


@dataclass(frozen=True, eq=False)
class Field:
    """Detectors and random detectors over the parameter of a decay, in seconds."""

    race: Race
    drawn: RandomDetectors
    numbers: FloatArray
    """Parameter values at which curves are drawn."""
    curves: list[FloatArray]
    """F1 of each detector at each parameter value."""
    random: Runs
    """F1 of each random detector at each parameter value."""
    moved: list[RandomDetectors]
    """Copies of each detector with scores shifted in time."""


@dataclass(frozen=True, eq=False)
class Decided:
    """A field, and its results at the chosen parameter value."""

    field: Field
    here: float
    step: float
    """Step of the data, in seconds."""

    @property
    def race(self) -> Race:
        """The detectors of the field."""
        return self.field.race

    @property
    def symbol(self) -> str:
        """The symbol of the parameter."""
        return self.race.axis.kind.symbol

    @cached_property
    def band(self) -> Band:
        """The range around the chosen value in which the ranking is constant."""
        return self.race.band_at(self.here)

    @cached_property
    def random_f1(self) -> FloatArray:
        """F1 of each random detector at the chosen value."""
        return self.field.drawn.at(self.here)

    def against(self, detector: int, f1: float) -> PValue:
        """Return the p-value of a detector's F1 against its copies shifted in time."""
        return p_value(self.field.moved[detector].at(self.here), f1)

    def rate(self, number: float) -> float | None:
        """Return d per step of the data for this half-life.

        None if the decay is not exponential.
        """
        return float(0.5 ** (self.step / number)) if self.race.axis.is_exponential else None


def decided(
    study: Study, settings: Settings, *, at_best: bool, progress: Progress = no_progress
) -> Decided:
    """Return which detector wins at which decay, with the random baseline.

    Thresholds are the best or the chosen ones. Another parameter of the same decay uses the same
    cached field.
    """
    series = study.series
    thresholds = None if at_best else tuple(study.thresholds(settings))
    choosers = study.chosen_by(settings, at_best=at_best)
    protocol = padf_of(settings)
    lasts = lasting(series, protocol)
    shortest = series.step_seconds or ASSUMED_STEP
    longest = max(float(lasts.max(initial=0.0)), shortest)
    axis = Axis.of(protocol, shortest, longest)
    if axis.is_loss or axis.kind.drops:
        axis = replace(axis, low=min(axis.low, A_SECOND))
    rules = (protocol.convention, protocol.grace, protocol.weight)

    def make() -> Field:
        given: list[float | None] = [
            1.0 if detector.is_binary else None if thresholds is None else thresholds[place]
            for place, detector in enumerate(series.detectors)
        ]
        forms = [
            forms_of_scores(detector.ranked, protocol)
            if at is None
            else forms_of_pattern(detector.pattern(at), protocol)
            for detector, at in zip(series.detectors, given, strict=True)
        ]
        made = race(forms, axis, lambda share: progress(0.4 * share))
        drawn = random_detectors(
            series.labels,
            protocol,
            axis,
            runs=count_draws(series.size),
            rows=series.rows,
            progress=lambda share: progress(0.4 + 0.2 * share),
        )
        count, total = count_shifts(series.size, len(forms)), len(forms)
        moved = [
            moved_detectors(
                detector,
                chosen,
                protocol,
                axis,
                shifts=count,
                progress=partial(_report, progress, 0.6 + 0.4 * place / total, 0.4 / total),
            )
            for place, (detector, chosen) in enumerate(zip(series.detectors, choosers, strict=True))
        ]
        numbers = np.geomspace(axis.low, 100 * longest if axis.is_loss else axis.high, DRAWN)
        steps = np.array(LADDER)
        numbers = np.union1d(numbers, steps[(steps > numbers[0]) & (steps < numbers[-1])])
        if axis.kind.drops:
            numbers = _with_jumps(numbers, np.concatenate([each.delays for each in forms]))
        listed = numbers.tolist()
        return Field(made, drawn, numbers, made.curves(listed), drawn.over(listed), moved)

    field = SMALL.recall(("field", series.key, axis, rules, thresholds, tuple(choosers)), make)
    return Decided(field, number_on_axis(settings), shortest)


def _report(progress: Progress, start: float, part: float, share: float) -> None:
    """Report the progress of a part of the computation."""
    progress(start + part * share)


def _with_jumps(numbers: FloatArray, delays: FloatArray) -> FloatArray:
    """Add both sides of every delay, where credit jumps, to the parameter values."""
    inside = np.unique(delays[(delays > numbers[0]) & (delays < numbers[-1])])
    if inside.size > MOST_JUMPS:
        return numbers
    return np.unique(np.concatenate((numbers, inside, np.nextafter(inside, 0))))


def notices_of(
    study: Study, settings: Settings, f1: Sequence[float], random_f1: float
) -> list[Notice]:
    """Return the notices about this decay on these data."""
    return notices(padf_of(settings), study.series, random_f1, f1)


def detector_delays(study: Study, settings: Settings) -> list[tuple[float, Evaluation]]:
    """Return each detector's threshold and its PAdf result at that threshold."""
    protocol = settings.protocol(PADF)
    return [
        (threshold, detector.evaluate(threshold, [protocol])[0])
        for detector, threshold in zip(
            study.series.detectors, study.thresholds(settings), strict=True
        )
    ]


def deciding(
    study: Study, settings: Settings, first: int, second: int, *, at_best: bool
) -> Decisive:
    """Return what causes the difference between two detectors under PAdf."""
    protocol = settings.protocol(PADF)
    chosen = study.thresholds(settings)
    pair = [study.series.detectors[at] for at in (first, second)]
    at = [
        detector.best(protocol).threshold if at_best else chosen[index]
        for detector, index in zip(pair, (first, second), strict=True)
    ]
    return SMALL.recall(
        ("deciding", study.series.key, protocol, first, second, tuple(at)),
        lambda: what_decides(study.series, (pair[0], pair[1]), (at[0], at[1]), protocol),
    )


def shape_scores(
    study: Study, settings: Settings, shapes: Sequence[Mapping[str, Value]], *, at_best: bool
) -> list[list[float]]:
    """Return F1 of each detector under each shape of decay."""
    protocols = [settings.replace(**values).protocol(PADF) for values in shapes]
    return _scores(study, settings, protocols, at_best)


def convention_scores(
    study: Study, settings: Settings, conventions: list[str], *, at_best: bool
) -> list[list[float]]:
    """Return F1 of each detector under each precision convention."""
    protocols = [settings.replace(precision=each).protocol(PADF) for each in conventions]
    return _scores(study, settings, protocols, at_best)


def padf_scores(study: Study, settings: Settings, *, at_best: bool) -> list[float]:
    """Return F1 of each detector under PAdf, equal to the comparison on Your data."""
    rows = _scores(study, settings, [settings.protocol(PADF)], at_best)
    return [f1 for row in rows for f1 in row]


def _scores(
    study: Study, settings: Settings, protocols: list[Protocol], at_best: bool
) -> list[list[float]]:
    thresholds = study.thresholds(settings)
    return [
        [(detector.best(p) if at_best else detector.at(threshold, p)).f1 for p in protocols]
        for detector, threshold in zip(study.series.detectors, thresholds, strict=True)
    ]


def threshold_curves_of(study: Study, settings: Settings) -> list[Sweep]:
    """Return PAdf F1 over thresholds, one sweep per detector."""
    protocol = settings.protocol(PADF)
    key = ("padf sweeps", study.series.key, settings)

    def make() -> list[Sweep]:
        return [
            detector.ranked.at(
                [1.0] if detector.is_binary else threshold_grid(detector, 200), protocol
            )
            for detector in study.series.detectors
        ]

    return SMALL.recall(key, make)

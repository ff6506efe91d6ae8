"""What a decay decides on brought data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from padf_core import Curve, Evaluation, ExponentialDecay, PointAdjustDecay, Settings
from padf_core.analysis.compare import threshold_grid
from padf_core.analysis.flips import (
    Band,
    Flip,
    bands,
    exact_flips,
    has_few_delays,
    searched_flips,
)
from padf_core.metrics.checks import Progress, no_progress
from padf_core.metrics.evaluation import evaluate_pattern
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.sweep import Sweep
from padf_ui.session.study import Study
from padf_ui.shared.cache import SMALL

PADF = PointAdjustDecay.key

FLIP_GRID: tuple[float, ...] = tuple(
    sorted(
        {
            *ExponentialDecay.parameter.steps,
            *(round(1 - step / 2000, 6) for step in range(1, 20)),
        }
    )
)
"""Decay rates at which rankings are compared: every hundredth, and closer ones near 1."""


@dataclass(frozen=True)
class Flips:
    """How F1 and the ranking depend on the decay rate."""

    curves: list[Curve]
    flips: list[Flip]
    bands: list[Band]
    is_exact: bool

    def band_at(self, rate: float) -> Band:
        """Return the range of rates with the same ranking around a rate."""
        return next((band for band in self.bands if rate <= band.stop), self.bands[-1])


def flips_of(
    study: Study, settings: Settings, *, at_best: bool, progress: Progress = no_progress
) -> Flips:
    """Return where detectors change places over the decay rate, at best or at chosen thresholds."""
    detectors = study.series.detectors
    thresholds = None if at_best else tuple(study.thresholds(settings))

    def make() -> Flips:
        is_exact = False

        def protocol(rate: float) -> PointAdjustDecay:
            return PointAdjustDecay(ExponentialDecay(rate), settings["precision"])

        if thresholds is None:

            def score(rate: float) -> list[float]:
                return [detector.best(protocol(rate)).f1 for detector in detectors]

            flips = searched_flips(score, FLIP_GRID, progress)
        else:
            patterns = [
                detector.pattern(threshold)
                for detector, threshold in zip(detectors, thresholds, strict=True)
            ]

            def score(rate: float) -> list[float]:
                return [evaluate_pattern(p, [protocol(rate)])[0].f1 for p in patterns]

            is_exact = has_few_delays(patterns)
            flips = (
                exact_flips(patterns, settings["precision"])
                if is_exact
                else searched_flips(score, FLIP_GRID, progress)
            )
        heights = np.array([score(rate) for rate in FLIP_GRID])
        curves = [Curve.of(FLIP_GRID, heights[:, row]) for row in range(len(detectors))]
        cut = bands(flips, score, FLIP_GRID[0], 1.0)
        return Flips(curves, flips, cut, is_exact)

    key = ("flips", study.series.key, settings["precision"], thresholds)
    return SMALL.recall(key, make)


def detector_delays(study: Study, settings: Settings) -> list[tuple[float, Evaluation]]:
    """Return each detector's threshold and its result under PAdf there."""
    protocol = settings.protocol(PADF)
    return [
        (threshold, detector.evaluate(threshold, [protocol])[0])
        for detector, threshold in zip(
            study.series.detectors, study.thresholds(settings), strict=True
        )
    ]


def shape_scores(
    study: Study, settings: Settings, shapes: dict[str, float], *, at_best: bool
) -> list[list[float]]:
    """Return F1 of each detector under each shape of decay."""
    protocols = [
        settings.replace(shape=shape, decay=value).protocol(PADF) for shape, value in shapes.items()
    ]
    return _scores(study, settings, protocols, at_best)


def convention_scores(
    study: Study, settings: Settings, conventions: list[str], *, at_best: bool
) -> list[list[float]]:
    """Return F1 of each detector under each precision convention."""
    protocols = [settings.replace(precision=each).protocol(PADF) for each in conventions]
    return _scores(study, settings, protocols, at_best)


def _scores(
    study: Study, settings: Settings, protocols: list[Protocol], at_best: bool
) -> list[list[float]]:
    thresholds = study.thresholds(settings)
    return [
        [(detector.best(p) if at_best else detector.at(threshold, p)).f1 for p in protocols]
        for detector, threshold in zip(study.series.detectors, thresholds, strict=True)
    ]


def threshold_curves_of(study: Study, settings: Settings) -> list[Sweep]:
    """Return F1 under PAdf over thresholds, one sweep per detector."""
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

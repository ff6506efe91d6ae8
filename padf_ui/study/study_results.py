"""Cached results of a study, computed by padf_core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from padf_core import Curve, Evaluation, Settings
from padf_core.analysis.held_out import WAYS, HeldOut
from padf_core.analysis.random_detector import RandomRow, count_alarms, random_rows
from padf_core.analysis.significance import PValue, chosen_threshold, count_shifts, shift_test
from padf_core.analysis.threshold_grid import threshold_grid
from padf_core.analysis.uncertainty import Uncertainty, uncertainty
from padf_core.metrics.checks import Progress, no_progress
from padf_core.metrics.curves import (
    area_over_half_life,
    best_over_parameter,
    half_life_of,
    over_parameter,
)
from padf_core.metrics.parameters import Number
from padf_core.metrics.sweep_results import BestPoint, Sweep
from padf_ui.server.cache import LARGE, SMALL
from padf_ui.session.screen_names import shown_names
from padf_ui.session.study import Study
from padf_ui.study.comparison import Areas, Comparison

CHART_THRESHOLDS = 700


def rank_all(study: Study, progress: Progress) -> None:
    """Sort the scores of every detector once. All later results use the sorted scores."""
    for done in range(len(study.series.detectors)):
        rank_one(study, done)
        progress((done + 1) / len(study.series.detectors))


def rank_one(study: Study, index: int) -> None:
    """Sort the scores of one detector."""
    detector = study.series.detectors[index]
    _ = detector.ranked, detector.is_binary


def results_of(study: Study, settings: Settings) -> list[Evaluation]:
    """Return every protocol's result for the selected detector."""
    threshold = study.threshold(settings)
    return LARGE.recall(
        ("results", study.series.key, study.chosen, threshold, settings),
        lambda: study.detector.evaluate(threshold, settings.protocols()),
    )


def best_points(study: Study, settings: Settings, index: int | None = None) -> list[BestPoint]:
    """Return each protocol's best threshold for a detector."""
    at = study.chosen if index is None else index
    return [study.series.detectors[at].best(protocol) for protocol in settings.protocols()]


def flagged_at(study: Study, points: Sequence[BestPoint]) -> list[float]:
    """Return the share of points flagged at each best threshold."""
    counted = max(1, study.series.counted)
    return [float(study.detector.detections(p.threshold).sum()) / counted for p in points]


def sweeps_of(study: Study, settings: Settings) -> list[Sweep]:
    """Return every protocol at a few hundred thresholds, including the best and the current one."""
    detector, protocols = study.detector, settings.protocols()

    def make() -> list[Sweep]:
        best = [point.threshold for point in best_points(study, settings)]
        chosen = [*threshold_grid(detector, CHART_THRESHOLDS).tolist(), *best]
        falling = sorted({*chosen, study.threshold(settings)}, reverse=True)
        return [detector.ranked.at(falling, protocol) for protocol in protocols]

    key = ("sweeps", study.series.key, study.chosen, study.threshold(settings), settings)
    return SMALL.recall(key, make)


def count_thresholds(study: Study) -> int:
    """Return the number of thresholds of the selected detector."""
    return int(study.detector.ranked.thresholds.size)


def every_threshold(study: Study, settings: Settings) -> list[Sweep]:
    """Return every protocol at every threshold."""
    return [study.detector.ranked.sweep(protocol) for protocol in settings.protocols()]


def comparison_of(
    study: Study,
    settings: Settings,
    *,
    at_best: bool,
    runs: int,
    seed: int,
    progress: Progress = no_progress,
) -> Comparison:
    """Compare every detector under every protocol, with a random baseline."""
    protocols = settings.protocols()
    points = [best_points(study, settings, index) for index in range(len(study.choices))]
    if not at_best:
        points = [
            [detector.at(threshold, protocol) for protocol in protocols]
            for detector, threshold in zip(
                study.series.detectors, study.thresholds(settings), strict=True
            )
        ]
    points = [
        [replace(point, threshold=detector.in_file(point.threshold)) for point in row]
        for detector, row in zip(study.series.detectors, points, strict=True)
    ]
    alarms = _alarms(study, settings, at_best=at_best)
    asked = list(dict.fromkeys(alarms))
    made = {
        count: random_of(study, settings, runs, seed, count, _part(progress, place, len(asked)))
        for place, count in enumerate(asked)
    }
    return Comparison(
        shown_names(study.series.names),
        protocols,
        points,
        [made[count] for count in alarms],
        [count is not None for count in alarms],
    )


def _part(progress: Progress, place: int, parts: int) -> Progress:
    """Report the progress of one of several parts."""
    return lambda share: progress((place + share) / parts)


def _alarms(study: Study, settings: Settings, *, at_best: bool) -> list[int | None]:
    """Return each detector's number of alarms, or None if it uses its best threshold."""
    series, thresholds = study.series, study.thresholds(settings)
    made: list[int | None] = []
    for detector, threshold in zip(series.detectors, thresholds, strict=True):
        if at_best and not detector.is_binary:
            made.append(None)
            continue
        at = 1.0 if detector.is_binary else threshold
        made.append(count_alarms(detector.scores, series.rows, at))
    return made


def random_of(
    study: Study,
    settings: Settings,
    runs: int,
    seed: int,
    alarms: int | None = None,
    progress: Progress = no_progress,
) -> list[RandomRow]:
    """Return the results of random detectors on these labels.

    Random detectors use their best threshold, or raise the given number of alarms.
    """
    series = study.series
    return SMALL.recall(
        ("random", series.key, settings, runs, seed, alarms),
        lambda: random_rows(
            series.labels, settings.protocols(), runs, seed, progress, series.rows, alarms
        ),
    )


def against_shifts(
    study: Study, settings: Settings, *, at_best: bool, progress: Progress = no_progress
) -> list[list[PValue]]:
    """Return the p-value of each detector under each protocol, against copies shifted in time."""
    series, protocols = study.series, settings.protocols()
    choosers = study.chosen_by(settings, at_best=at_best)

    def make() -> list[list[PValue]]:
        count, total = count_shifts(series.size, len(series.detectors)), len(series.detectors)
        made = []
        for place, (detector, chosen) in enumerate(zip(series.detectors, choosers, strict=True)):
            at = chosen_threshold(detector.ranked, chosen)
            points = [
                detector.best(each) if at is None else detector.at(at, each) for each in protocols
            ]
            found = shift_test(
                series.labels,
                detector.scores,
                series.rows,
                protocols,
                [point.f1 for point in points],
                threshold=chosen,
                shifts=count,
                progress=_part(progress, place, total),
            )
            made.append(found)
        return made

    return SMALL.recall(("shifts", series.key, settings, tuple(choosers)), make)


def protocol_number(settings: Settings, key: str) -> Number:
    """Return the slider parameter of a protocol. Raise ValueError if it has none."""
    number = settings.number(key)
    if number is None:
        raise ValueError(f"{key} has no parameter to choose")
    return number


def detector_curves(
    study: Study, settings: Settings, key: str, *, at_best: bool, progress: Progress = no_progress
) -> list[Curve]:
    """Return F1 of each detector over a protocol's parameter, at the steps of its slider."""
    number = protocol_number(settings, key)
    protocols = settings.at(key, number.steps)
    thresholds = None if at_best else tuple(study.thresholds(settings))

    def make() -> list[Curve]:
        curves = []
        for index, detector in enumerate(study.series.detectors):
            if thresholds is None and not detector.is_binary:
                curve = best_over_parameter(detector.ranked, number.steps, protocols)
            else:
                fixed = 1.0 if thresholds is None else thresholds[index]
                curve = over_parameter(detector.pattern(fixed), number.key, number.steps, protocols)
            curves.append(curve)
            progress((index + 1) / len(study.series.detectors))
        return curves

    # The curve does not depend on the parameter's current value, only on the other choices.
    rules = settings.replace(**{number.key: number.default}).protocol(key)
    return SMALL.recall(("curves", study.series.key, key, rules, thresholds), make)


def areas_of(study: Study, settings: Settings, progress: Progress = no_progress) -> list[Areas]:
    """Return the summaries of each detector that need no threshold and no parameter."""
    over = {
        key: detector_curves(study, settings, key, at_best=True, progress=progress)
        for key in settings.numbers()
    }

    def make() -> list[Areas]:
        made = []
        for index, detector in enumerate(study.series.detectors):
            sweeps = [detector.ranked.corners(protocol) for protocol in settings.protocols()]
            made.append(
                Areas(
                    [sweep.average_precision for sweep in sweeps],
                    [sweep.roc_auc for sweep in sweeps],
                    {key: _area(settings, key, curves[index]) for key, curves in over.items()},
                )
            )
            progress((index + 1) / len(study.series.detectors))
        return made

    return SMALL.recall(("areas", study.series.key, settings), make)


def _area(settings: Settings, key: str, curve: Curve) -> float:
    """Return the mean height of a curve. For a decay, take it over the log half-life."""
    if half_life_of(settings.protocol(key)) is None:
        return curve.area
    return area_over_half_life(curve, settings.at(key, curve.values.tolist()))


def held_out_results(
    study: Study, settings: Settings, on: str, progress: Progress = no_progress
) -> list[list[HeldOut]]:
    """Return every detector at thresholds chosen on held-out data. ``on`` is a key of `WAYS`."""
    return SMALL.recall(
        ("held out", study.series.key, settings, on),
        lambda: WAYS[on](study.series, settings.protocols(), progress=progress),
    )


def uncertainties(
    study: Study, settings: Settings, *, at_best: bool, progress: Progress = no_progress
) -> list[Uncertainty]:
    """Return the uncertainty of every detector's F1, protocol by protocol."""
    thresholds = None if at_best else tuple(study.thresholds(settings))
    return LARGE.recall(
        ("uncertainty", study.series.key, settings, thresholds),
        lambda: uncertainty(
            study.series, settings.protocols(), thresholds=thresholds, progress=progress
        ),
    )

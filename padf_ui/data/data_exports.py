"""Results and data as JSON, CSV and LaTeX files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from padf_core import Settings, __version__
from padf_core.analysis.compare import ranks_of
from padf_core.analysis.notices import flags_everything
from padf_core.io.latex import latex_table
from padf_core.io.series import Detector
from padf_core.metrics.evaluation import Evaluation
from padf_core.metrics.sweep_results import BestPoint
from padf_ui.components import names
from padf_ui.components.file_names import stamped
from padf_ui.session import screen_names
from padf_ui.session.study import Study
from padf_ui.study.comparison import Areas, Comparison
from padf_ui.study.descriptions import conditions

FORMAT = "padf-evaluation-3"
SERIES_FILE = "padf-series.csv"
MOST_SEGMENTS = 100_000
"""Limit over all detectors together. Above it, the file contains only the number of segments."""


def to_json(study: Study, settings: Settings, compared: Comparison, areas: Sequence[Areas]) -> str:
    """Return the whole evaluation: settings, results of every detector and the random baseline."""
    series = study.series
    return json.dumps(
        {
            "format": FORMAT,
            "made_by": f"padf-explorer {__version__}",
            "settings": settings.to_dict(),
            "series": {
                "name": series.name,
                "points": series.size,
                "points_that_count": series.counted,
                "series": series.parts,
                "fingerprint": series.key,
                "anomalous": series.anomalous,
                "segments": len(series.segments),
                "step_seconds": series.step_seconds,
                "start": series.clock.name(0) if series.clock else None,
                "onset": asdict(study.onset),
            },
            "conditions": conditions(study),
            "notices": flags_everything(
                (detector.name, each.label, detector.best(each).flagged)
                for detector in series.detectors
                for each in settings.protocols()
            ),
            "detectors": [
                _detector_entry(study, settings, index, area) for index, area in enumerate(areas)
            ],
            "random": [
                {
                    "detector": name,
                    "compared_with": "as many alarms" if fixed else "best threshold",
                    "protocol": row.protocol.key,
                    "f1": list(row.f1),
                    "mean": row.mean,
                    "standard_deviation": row.spread,
                    "alarm_rate": row.alarm_rate,
                }
                for name, rows, fixed in zip(
                    series.names, compared.random, compared.is_fixed, strict=True
                )
                for row in rows
            ],
        },
        indent=1,
        allow_nan=False,
    )


def left_out(study: Study) -> int:
    """Return how many segments of each detector the JSON file leaves out."""
    count = len(study.series.segments)
    return count if count * len(study.series.detectors) > MOST_SEGMENTS else 0


def _detector_entry(study: Study, settings: Settings, index: int, area: Areas) -> dict[str, Any]:
    detector = study.series.detectors[index]
    without = left_out(study)
    protocols = settings.protocols()
    threshold = study.threshold(settings, index)
    chosen = detector.evaluate(threshold, protocols)
    keys = [protocol.key for protocol in protocols]
    return {
        "name": detector.name,
        "kind": "detections" if detector.is_binary else "scores",
        "best": [_point_entry(detector, detector.best(protocol)) for protocol in protocols],
        "chosen_threshold": None if detector.is_binary else _number(detector.in_file(threshold)),
        "at_chosen_threshold": [_result_entry(result) for result in chosen],
        **({"segments_left_out": without} if without else {}),
        "segments": []
        if without
        else [
            {
                "start": outcomes[0].start,
                "stop": outcomes[0].stop,
                "hits": outcomes[0].hits,
                "delay": outcomes[0].delay,
                "credit": {
                    key: outcome.credit for key, outcome in zip(keys, outcomes, strict=True)
                },
            }
            for outcomes in zip(*(result.segments for result in chosen), strict=True)
        ],
        "average_precision": dict(zip(keys, map(_number, area.average_precision), strict=True)),
        "roc_auc": dict(zip(keys, map(_number, area.roc_auc), strict=True)),
        "area_over_number": area.over,
    }


def _point_entry(detector: Detector, point: BestPoint) -> dict[str, Any]:
    return {
        "protocol": point.protocol.key,
        "label": point.protocol.label,
        "threshold": _number(detector.in_file(point.threshold)),
        "precision": point.precision,
        "recall": point.recall,
        "f1": point.f1,
        "flagged": point.flagged,
    }


def _result_entry(result: Evaluation) -> dict[str, Any]:
    return {
        "protocol": result.protocol.key,
        "label": result.protocol.label,
        "true_positives": result.true_positives,
        "false_positives": result.false_positives,
        "false_negatives": result.false_negatives,
        "precision": result.precision,
        "recall": result.recall,
        "f1": result.f1,
    }


def _number(value: float) -> float | str | None:
    """Return a value that JSON can represent: infinities as text, NaN as null."""
    if isfinite(value):
        return value
    return None if value != value else str(value)


def series_file(study: Study) -> str:
    """Return the file name of the exported series."""
    return stamped(SERIES_FILE, study.series.key)


def series_csv(study: Study) -> str:
    """Return the series as CSV that the `padf` command and this page can read."""
    series = study.series
    columns: dict[str, Any] = {}
    if series.clock is not None:
        columns["time"] = series.clock.all().astype("datetime64[us]")
    columns["label"] = series.rows.whole(series.labels).astype(int)
    if series.rows.begins is not None:
        columns["series"] = np.cumsum(series.rows.begins) + 1
    if series.rows.counts is not None:
        columns["ignored"] = (~series.rows.counts).astype(int)
    columns |= {
        name: detector.judged
        if detector.judged.dtype.kind in "iu"
        else detector.judged.astype(np.float64)
        for name, detector in zip(column_names(study), series.detectors, strict=True)
    }
    return pd.DataFrame(columns).to_csv(index=False, lineterminator="\n")


def column_names(study: Study) -> list[str]:
    """Return the column names of the detectors in the exported file."""
    return [names.cell(name) for name in screen_names.shown_names(study.series.names)]


def to_latex(study: Study, compared: Comparison, settings: Settings, *, at_best: bool) -> str:
    """Return the comparison as a LaTeX table, with the best value of each column in bold."""
    flagged = flags_everything(
        (screen_names.shown(name), point.protocol.label, point.flagged)
        for name, row in zip(compared.names, compared.points, strict=True)
        for point in row
    )
    ranks = [ranks_of(compared.f1(index)) for index in range(len(compared.protocols))]
    rows = []
    for row, name in enumerate(compared.names):
        cells = [
            rf"\textbf{{{point.f1:.3f}}}" if ranks[index][row] == 1 else f"{point.f1:.3f}"
            for index, point in enumerate(compared.points[row])
        ]
        rows.append([screen_names.shown(name), *cells])
    best = compared.best_random or []
    random = [rf"${row.mean:.3f} \pm {row.spread:.3f}$" for row in best]
    how = "each protocol's best threshold, an oracle" if at_best else "the chosen thresholds"
    return "\n".join(
        [
            latex_table(
                ["Detector", *(protocol.label for protocol in compared.protocols)],
                [rows, [["Random baseline", *random]]] if random else [rows],
                " ".join(
                    [
                        f"F1 at {how}; PAdf precision: the paper's {settings['precision']}.",
                        *conditions(study),
                        *flagged,
                    ]
                ),
                "tab:padf",
            ),
            "",
        ]
    )

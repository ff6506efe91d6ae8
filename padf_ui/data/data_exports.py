"""Taking results away: JSON, LaTeX, Python and the `padf` command."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
from padf_core.metrics.parameters import Choice
from padf_core.metrics.sweep import BestPoint
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.components import names
from padf_ui.components.file_names import stamped
from padf_ui.components.python_code import python_protocols
from padf_ui.session import screen_names
from padf_ui.session.study import Study
from padf_ui.study.comparison import Areas, Comparison
from padf_ui.study.descriptions import conditions

FORMAT = "padf-evaluation-3"
SERIES_FILE = "padf-series.csv"
MOST_SEGMENTS = 100_000
"""Of all detectors together: more of them are told by number alone."""


# ---- data ----------------------------------------------------------------------------------------


def to_json(study: Study, settings: Settings, compared: Comparison, areas: Sequence[Areas]) -> str:
    """Return the whole evaluation: settings, every detector's results, and random ones."""
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
    """Return a number that JSON has; infinite ones by name, unknown ones as nothing."""
    if isfinite(value):
        return value
    return None if value != value else str(value)


def series_file(study: Study) -> str:
    """Return the name under which the series is saved."""
    return stamped(SERIES_FILE, study.series.key)


def series_csv(study: Study) -> str:
    """Return the series as a table that the `padf` command and this page read again."""
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
        for name, detector in zip(_safe_names(study), series.detectors, strict=True)
    }
    return pd.DataFrame(columns).to_csv(index=False, lineterminator="\n")


def _safe_names(study: Study) -> list[str]:
    """Return the detectors' column names in our own file."""
    return [names.cell(name) for name in screen_names.shown_names(study.series.names)]


# ---- the same numbers elsewhere ------------------------------------------------------------------


@dataclass(frozen=True)
class _Source:
    """Where the numbers can be had again: a file, its label column and its detectors' columns."""

    file: str
    label: str
    columns: list[str]
    rows: dict[str, str]
    """Columns about rows, by what the library calls them: of the series, and of what counts."""


def _source(study: Study) -> _Source:
    roles = study.origin.roles
    if not needs_series_file(study) and roles is not None:
        return _Source(study.origin.name, roles.label, list(roles.detectors), {})
    known = study.series.rows
    rows = {"series-column": "series"} if known.begins is not None else {}
    if known.counts is not None:
        rows["ignore"] = "ignored"
    return _Source(series_file(study), "label", _safe_names(study), rows)


def needs_series_file(study: Study) -> bool:
    """Say whether the lines below read our own file instead of the one that was uploaded."""
    return not study.origin.can_be_read_again or study.onset.is_moved


def command_lines(study: Study, settings: Settings) -> str:
    """Return the `padf` commands: at the best thresholds, and at the chosen ones."""
    source = _source(study)
    rules = command_options(settings)
    told = [f"--{option}={name}" for option, name in source.rows.items()]
    base = " ".join(
        [f"padf evaluate {_argument(source.file)} --label={_quoted(source.label)}", *told]
    )
    named = [f"--detector={_quoted(name)}" for name in source.columns]
    scored = [
        name
        for name, detector in zip(named, study.series.detectors, strict=True)
        if not detector.is_binary
    ]
    flags = [name for name in named if name not in scored]
    lines = []
    if scored:
        lines.append(" ".join([base, *scored, *rules]))
    if flags:
        lines.append(" ".join([base, *flags, *rules]))
    for name, threshold in zip(named, study.thresholds(settings), strict=True):
        if name in scored and isfinite(threshold):
            lines.append(" ".join([base, name, f"--threshold={threshold!r}", *rules]))
    return "\n".join(lines)


def command_options(settings: Settings) -> list[str]:
    """Return the options of the `padf` command that give these settings."""
    options = []
    for each in settings.parameters():
        name, value = f"--{each.key.replace('_', '-')}", settings[each.key]
        if isinstance(each, Choice) and each.is_flag:
            options += [name] if value else []
        else:
            options.append(f"{name} {each.to_text(value)}")
    return [*options, *([f"--lanes {' '.join(settings.lanes)}"] if settings.lanes else [])]


def _argument(file: str) -> str:
    """Quote a file name so that it is never taken for an option."""
    return _quoted(f"./{file}" if file.startswith("-") else file)


def _quoted(text: str) -> str:
    """Quote text for a shell; characters that cannot be seen are written as numbers."""
    if text.isprintable():
        return shlex.quote(text)
    seen = (c if c.isprintable() and c not in "\\'" else f"\\U{ord(c):08x}" for c in text)
    return f"$'{''.join(seen)}'"


def python_lines(study: Study, settings: Settings) -> str:
    """Return the lines that give the same numbers."""
    source = _source(study)
    thresholds = {
        column: 1.0 if detector.is_binary else threshold
        for column, detector, threshold in zip(
            source.columns, study.series.detectors, study.thresholds(settings), strict=True
        )
    }
    entries = "\n".join(
        f"    {name!r}: {_python_number(value)}," for name, value in thresholds.items()
    )
    given = "".join(
        f", {option}=table[{name!r}].to_numpy()" for option, name in source.rows.items()
    )
    given += _python_times(study, settings)
    return f"""import padf
from padf_core.io.open_table import read_table

table = read_table({source.file!r})
labels = table[{source.label!r}].to_numpy()
{python_protocols(settings)}
thresholds = {{
{entries}
}}
for name, threshold in thresholds.items():
    scores = table[name].to_numpy()
    print(name)
    if set(scores.tolist()) - {{0, 1}}:
        for best in padf.best_f1(labels, scores, protocols{given}):
            print(f"  best for {{best.protocol.label}}: F1 {{best.f1:.3f}} at {{best.threshold}}")
    for e in padf.evaluate_all(labels, scores >= threshold, protocols{given}):
        print(f"  at {{threshold}} under {{e.protocol.label}}: F1 {{e.f1:.3f}}")
"""


def _python_times(study: Study, settings: Settings) -> str:
    """Return what tells the library when rows were, where delays are measured on the clock."""
    if settings["measure"] != "clock":
        return ""
    clock = study.series.clock
    if clock is None:
        return f", times={ASSUMED_STEP!r}"
    if clock.stamps is None:
        return f", times={clock.step_seconds!r}"
    roles = study.origin.roles
    column = "time" if needs_series_file(study) or roles is None else roles.time
    return f', times=table[{column!r}].to_numpy("datetime64[us]")'


def _python_number(value: float) -> str:
    return repr(value) if isfinite(value) else f'float("{value}")'


def to_latex(study: Study, compared: Comparison, settings: Settings, *, at_best: bool) -> str:
    """Return the comparison as a LaTeX table; the best of each column is bold."""
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

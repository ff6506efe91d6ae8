"""Print the results of `padf evaluate` as a table, CSV, JSON or LaTeX."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from math import isinf

from padf_core.io.latex import latex_table
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.settings import Settings


@dataclass(frozen=True)
class Result:
    """The scores of one detector under one protocol; ``threshold`` is None for detections."""

    detector: str
    protocol: Protocol
    threshold: float | None
    """In the units of the file."""
    precision: float
    recall: float
    f1: float
    flagged: float | None
    """Share of flagged points; None if thresholds differ between parts."""


@dataclass(frozen=True)
class Report:
    """The context of the scores: settings, label, file and conditions."""

    settings: Settings
    label: str
    file: str
    conditions: str

    @property
    def note(self) -> str:
        """The conditions and PAdf's convention, for the foot of a table."""
        first = self.conditions[0].upper() + self.conditions[1:]
        return f"{first}. PAdf precision as in the paper's {self.settings['precision']}."


def _as_json(results: list[Result], report: Report) -> str:
    return json.dumps(
        {
            "file": report.file,
            "label": report.label,
            "conditions": report.conditions,
            **report.settings.to_dict(),
            "results": [
                {
                    "detector": r.detector,
                    "protocol": r.protocol.key,
                    "threshold": _finite(r.threshold),
                    "precision": r.precision,
                    "recall": r.recall,
                    "f1": r.f1,
                    "flagged": r.flagged,
                }
                for r in results
            ],
        },
        indent=2,
        allow_nan=False,
    )


def _finite(threshold: float | None) -> float | str | None:
    """Return the threshold, or the name of an infinite one, which JSON cannot represent."""
    return str(threshold) if threshold is not None and isinf(threshold) else threshold


def _by_detector(results: list[Result], settings: Settings) -> list[list[Result]]:
    width = len(settings.protocols())
    return [results[start : start + width] for start in range(0, len(results), width)]


def _as_table(results: list[Result], report: Report) -> str:
    protocols = report.settings.protocols()
    head = ["F1", *(protocol.label for protocol in protocols)]
    rows: list[list[str]] = []
    for own in _by_detector(results, report.settings):
        rows.append([own[0].detector, *(f"{result.f1:.3f}" for result in own)])
        if any(result.threshold is not None for result in own):
            rows.append(["  at threshold", *(repr(result.threshold) for result in own)])
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
        for row in [head, *rows]
    ]
    return "\n".join([*lines, report.note])


def _as_csv(results: list[Result], report: Report) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = ["detector", "protocol", "threshold", "precision", "recall", "f1"]
    writer.writerow([*head, "flagged", "conditions"])
    for r in results:
        threshold, flagged = ("" if x is None else repr(x) for x in (r.threshold, r.flagged))
        scores = map(repr, (r.precision, r.recall, r.f1))
        row = [r.detector, r.protocol.key, threshold, *scores, flagged, report.conditions]
        writer.writerow(row)
    return out.getvalue().rstrip("\n")


def _as_latex(results: list[Result], report: Report) -> str:
    rows = [
        [own[0].detector, *(f"{r.f1:.3f}" for r in own)]
        for own in _by_detector(results, report.settings)
    ]
    heads = ["Detector", *(protocol.label for protocol in report.settings.protocols())]
    return latex_table(heads, [rows], f"F1. {report.note}", "tab:padf")


WRITERS: dict[str, Callable[[list[Result], Report], str]] = {
    "table": _as_table,
    "csv": _as_csv,
    "json": _as_json,
    "latex": _as_latex,
}

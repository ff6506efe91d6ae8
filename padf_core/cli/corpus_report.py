"""Print the summary of a corpus."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from math import isnan

from padf_core.corpus.picture import friedman_text, null_hypotheses, pairs_text
from padf_core.corpus.results import CorpusResult, Summary
from padf_core.corpus.writing import summary_csv, summary_latex


def _as_table(result: CorpusResult) -> str:
    protocols = list(result.protocols)
    summary = result.summary()
    cell = {(row.detector, row.protocol): row for row in summary}
    head = ["F1, all series pooled (mean rank)", *map(result.label, protocols)]
    rows = []
    for detector in result.detectors:
        own = [cell.get((detector, protocol)) for protocol in protocols]
        rows.append([detector, *("" if row is None else _cell(row) for row in own)])
    baselines = {
        p: [row.pooled_random_f1 for row in summary if row.protocol == p] for p in protocols
    }
    known = [[each for each in baselines[p] if not isnan(each)] for p in protocols]
    rows.append(
        ["random baseline", *(f"{sum(k) / len(k):.3f}        " if k else "" for k in known)]
    )
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in [head, *rows]
    ]
    for protocol in protocols:
        ranking = result.ranking(protocol)
        found = f"; {pairs_text(ranking)}" if ranking.is_tested else ""
        lines.append(
            f"{result.label(protocol)}, {len(ranking.series)} series: {friedman_text(ranking)}"
            f"{found}"
        )
    lines += [" ".join(null_hypotheses()), *result.caveats]
    return "\n".join(lines)


def _cell(row: Summary) -> str:
    spread = f" ±{row.pooled_spread:.3f}" if row.seeds > 1 else ""
    rank = "  -  " if isnan(row.mean_rank) else f"{row.mean_rank:5.2f}"
    return f"{row.pooled_f1:.3f}{spread} ({rank})"


def _as_json(result: CorpusResult) -> str:
    rows = [
        {
            name: None if isinstance(value, float) and isnan(value) else value
            for name, value in asdict(row).items()
        }
        for row in result.summary()
    ]
    left_out = [asdict(each) for each in result.left_out]
    made = {"rule": result.rule, "caveats": result.caveats, "summary": rows, "left_out": left_out}
    return json.dumps(made, indent=2)


WRITERS: dict[str, Callable[[CorpusResult], str]] = {
    "table": _as_table,
    "csv": lambda result: summary_csv(result.summary()).rstrip("\n"),
    "json": _as_json,
    "latex": lambda result: summary_latex(result, result.summary()).rstrip("\n"),
}

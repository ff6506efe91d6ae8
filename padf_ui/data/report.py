"""Report as one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go
import plotly.io

from padf_core import Settings
from padf_core.metrics.evaluation import pattern_of
from padf_core.metrics.parameters import Choice
from padf_ui.components.figures import detector_lines
from padf_ui.components.html_templates import template
from padf_ui.data import code_exports, data_charts
from padf_ui.session import screen_names
from padf_ui.session.study import Study
from padf_ui.study import comparison_tables, descriptions, detector_tables, study_results
from padf_ui.study.comparison import Comparison

MAX_LEDGER = 500
_TEMPLATE = Path(__file__).parent / "report.html.j2"


@dataclass(frozen=True)
class Section:
    """Section of the report, with a heading, sentences, charts, tables and code."""

    title: str
    sentences: Sequence[str] = ()
    figures: Sequence[go.Figure] = ()
    tables: Sequence[pd.DataFrame] = ()
    code: str = ""


def report(study: Study, settings: Settings, made: Comparison, at_best: bool) -> str:
    """Return the report: settings, comparison, thresholds, segments, curves and code."""
    return report_html(
        "Anomaly detectors under several protocols",
        [
            Section("Data and settings", settings_sentences(study, settings)),
            _comparison(made, at_best),
            _thresholds(study, settings),
            _segments(study, settings),
            _curves(study, settings, at_best),
            Section("The same in Python", code=code_exports.python_lines(study, settings)),
            Section("The same with the command", code=code_exports.command_lines(study, settings)),
        ],
    )


def _comparison(made: Comparison, at_best: bool) -> Section:
    how = "each protocol's best threshold" if at_best else "the chosen thresholds"
    return Section(
        "Detectors by protocols",
        [f"F1 at {how}.", *comparison_tables.verdicts(made)],
        [data_charts.bump_chart(made, "light")],
        [
            comparison_tables.comparison_table(made),
            comparison_tables.threshold_table(made),
            comparison_tables.random_table(made),
        ],
    )


def _thresholds(study: Study, settings: Settings) -> Section:
    best = study_results.best_points(study, settings)
    sweeps = study_results.sweeps_of(study, settings)
    threshold = study.threshold(settings)
    return Section(
        f"{descriptions.detector_names(study)[study.chosen]}: thresholds",
        [detector_tables.best_differ(study, best, study_results.flagged_at(study, best))],
        [data_charts.threshold_curves(sweeps, best, threshold, study, False, "light")],
        [detector_tables.best_table(best, study.detector)],
    )


def _segments(study: Study, settings: Settings) -> Section:
    found = study_results.results_of(study, settings)
    ledger = detector_tables.study_ledger(study, found)
    pattern = pattern_of(found)
    delays, unit = detector_tables.delays_of(study.series, pattern)
    said = [
        detector_tables.found_text(study, pattern),
        detector_tables.false_alarms(study.series, pattern).text,
    ]
    if len(ledger) > MAX_LEDGER:
        said.append(f"The first {MAX_LEDGER} of {len(ledger)} segments.")
    return Section(
        f"{descriptions.detector_names(study)[study.chosen]} at "
        f"{study.detector.short(study.threshold(settings))}: "
        "segments",
        said,
        [data_charts.delay_histogram(delays, unit, "light")],
        [ledger.head(MAX_LEDGER)],
    )


def _curves(study: Study, settings: Settings, at_best: bool) -> Section:
    shown = descriptions.detector_names(study)
    said, figures = [], []
    for key, number in settings.numbers().items():
        curves = study_results.detector_curves(study, settings, key, at_best=at_best)
        crossed, texts = comparison_tables.crossing_texts(curves, shown, number.symbol)
        said += [f"{text}." for text in texts]
        figures.append(
            detector_lines(curves, shown, crossed, settings[number.key], number, "light")
        )
    areas = study_results.areas_of(study, settings)
    return Section(
        "Over each parameter", said, figures, [comparison_tables.area_table(shown, areas, settings)]
    )


def settings_sentences(study: Study, settings: Settings) -> list[str]:
    """Describe the data and the settings of the report."""
    protocols = ", ".join(protocol.label for protocol in settings.protocols())
    rules = [
        f"{each.title}: {option.title}."
        for each in settings.parameters()
        if isinstance(each, Choice)
        for option in each.options
        if option.value == settings[each.key]
    ]
    return [
        f"{screen_names.shown(study.series.name, 120)}: {descriptions.summary(study.series)}.",
        *descriptions.conditions(study),
        f"Protocols: {protocols}. {' '.join(rules)}",
    ]


def report_html(title: str, sections: Sequence[Section]) -> str:
    """Return the report as one self-contained HTML file."""
    has_script = False
    parts = []
    for section in sections:
        drawn = []
        for figure in section.figures:
            drawn.append(
                plotly.io.to_html(
                    figure,
                    full_html=False,
                    include_plotlyjs=not has_script,
                    config={"displaylogo": False, "responsive": True},
                )
            )
            has_script = True
        parts.append(
            {
                "title": section.title,
                "sentences": section.sentences,
                "charts": drawn,
                "tables": [_table(table) for table in section.tables],
                "code": section.code,
            }
        )
    return template(_TEMPLATE).render(title=title, sections=parts)


def _table(table: pd.DataFrame) -> dict[str, object]:
    """Return a table as text, with scores to three decimals."""
    return {
        "columns": [str(name) for name in table.columns],
        "rows": [
            [_text(value) for value in row] for row in table.itertuples(index=False, name=None)
        ],
    }


def _text(value: object) -> str:
    if isinstance(value, float):
        return "missed" if value != value else f"{value:.3f}"
    return str(value)

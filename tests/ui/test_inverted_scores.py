"""Low scores that mean an anomaly: thresholds are shown in the file's own units everywhere."""

import json

import pytest

from padf_core import Settings
from padf_core.analysis.alerting import AlertRule
from padf_core.io.series import make_series
from padf_ui.data import data_charts, data_exports, timeline_message
from padf_ui.operators import operators_words
from padf_ui.session.study import Origin, Study
from padf_ui.study import comparison_tables, detector_tables, study_results

# Points at or below 0.2 are flagged: both anomalous points, and nothing else, so F1 is 1.
FILE_SCORES = [0.9, 0.8, 0.2, 0.2]
BEST = 0.2


@pytest.fixture
def study():
    series = make_series("a", [0, 0, 1, 1], {"low": FILE_SCORES}, inverted=["low"])
    return Study.of(series, Origin("file", "a.csv"), Settings())


def test_tables_and_charts(study):
    settings = Settings()
    best = study_results.best_points(study, settings)
    assert detector_tables.best_table(best, study.detector)["Best threshold"].tolist() == [BEST] * 4
    sweeps = study_results.sweeps_of(study, settings)
    for table in (
        detector_tables.sweep_table(sweeps, study),
        detector_tables.threshold_columns(sweeps[:1], study),
    ):
        assert set(table["Threshold"]) == set(FILE_SCORES)
    made = study_results.comparison_of(study, settings, at_best=True, runs=1, seed=0)
    assert comparison_tables.threshold_table(made)["Threshold"].tolist() == [repr(BEST)] * 4
    figure = data_charts.threshold_curves(sweeps, best, -BEST, study, False, "light")
    stars = next(trace for trace in figure.data if trace.name == "best")
    assert list(stars.x) == [BEST] * 4
    assert f"at {BEST}<" in stars.hovertemplate[0]


def test_the_slider_and_the_report(study):
    assert study.detector.short(-BEST) == "0.2"
    rows, _ = timeline_message.timeline_rows(
        study.series, study.detector, Settings(), -BEST, study.view
    )
    assert set(rows["thresholds"]) == {"0.9", "0.8", "0.2"}
    made = study_results.comparison_of(study, Settings(), at_best=True, runs=1, seed=0)
    areas = study_results.areas_of(study, Settings())
    written = json.loads(data_exports.to_json(study, Settings(), made, areas))
    (entry,) = written["detectors"]
    assert entry["chosen_threshold"] == BEST
    assert [each["threshold"] for each in entry["best"]] == [BEST] * 4


def test_the_rule_of_operators(study):
    said = operators_words.rule(AlertRule(-BEST), 60, study.detector)
    assert said == "raises an alert when its score falls to 0.2"

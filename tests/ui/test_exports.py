"""What people take away gives the same numbers elsewhere, and user text does no harm in it."""

import ast
import html
import io
import json
import re
import shlex
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import padf_core as padf
from padf_core import Settings
from padf_core.__main__ import main
from padf_core.io.options import ReadOptions
from padf_core.io.series import make_series
from padf_core.io.times import make_clock
from padf_core.metrics.evaluation import make_pattern
from padf_core.metrics.rows import make_rows
from padf_core.teaching.lessons import PARTS, Lesson, Question, Step
from padf_ui.components import figures as shared_charts
from padf_ui.components import names
from padf_ui.data import code_exports, data_charts, data_exports
from padf_ui.data.report import report as make_report
from padf_ui.learn.handout import handout_html
from padf_ui.session import screen_names
from padf_ui.session.study import Origin, Study, sample_study
from padf_ui.study import comparison_tables, descriptions, detector_tables, study_results
from tests.browser.server import ROOT
from tests.hostile import HOSTILE


def study_of(labels, columns, name="mine.csv", **origin):
    series = make_series(name, labels, {key: np.array(value) for key, value in columns.items()})
    return Study.of(series, Origin(**{"kind": "file", "name": name} | origin), Settings())


def compared(study, settings=None, at_best=True):
    return study_results.comparison_of(
        study, settings or Settings(), at_best=at_best, runs=3, seed=0
    )


@pytest.fixture(scope="module")
def pump():
    return sample_study("pump", Settings()).with_choice(0.9)


def test_the_python_lines_print_the_pages_numbers(pump):
    settings = Settings(k=35, precision="equations", shape="linear", decay=12)
    ran = subprocess.run(
        [sys.executable, "-c", code_exports.python_lines(pump, settings)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    made = compared(pump, settings)
    for name, row in zip(made.names, made.points, strict=True):
        assert f"\n{name}\n" in f"\n{ran.stdout}"
        for point in row:
            line = f"  best for {point.protocol.label}: F1 {point.f1:.3f} at {point.threshold}"
            assert line in ran.stdout
    for result in study_results.results_of(pump, settings):
        assert f"  at 0.9 under {result.protocol.label}: F1 {result.f1:.3f}" in ran.stdout


NEED = {"measure": "clock", "shape": "worth", "decay": 5400, "worth": 30, "grace": 600}


@pytest.mark.parametrize("onset", [padf.Onset(), padf.Onset(4, early=1800, early_unit="seconds")])
def test_lines_and_commands_know_needs_on_the_clock_and_onsets(
    pump, onset, tmp_path, monkeypatch, capsys
):
    settings = Settings(**NEED, weight="segments")
    study = pump.with_onset(onset) if onset.is_moved else pump
    folder = ROOT
    if code_exports.needs_series_file(study):
        folder = tmp_path
        (tmp_path / data_exports.series_file(study)).write_text(data_exports.series_csv(study))
    ran = subprocess.run(
        [sys.executable, "-c", code_exports.python_lines(study, settings)],
        cwd=folder, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    made = compared(study, settings)
    for row in made.points:
        for point in row:
            line = f"  best for {point.protocol.label}: F1 {point.f1:.3f} at {point.threshold}"
            assert line in ran.stdout
    monkeypatch.chdir(folder)
    best, *_ = code_exports.command_lines(study, settings).splitlines()
    assert main([*shlex.split(best)[1:], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["results"]
    assert [r["f1"] for r in printed] == [point.f1 for row in made.points for point in row]


def test_the_commands_print_the_pages_numbers(pump, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    settings = Settings(shape="half_life", decay=4.5, k=12.5, inclusive=True, precision="equations")
    best, *chosen = code_exports.command_lines(pump, settings).splitlines()
    assert main([*shlex.split(best)[1:], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["results"]
    wanted = [point for row in compared(pump, settings).points for point in row]
    assert [r["f1"] for r in printed] == [point.f1 for point in wanted]
    assert [r["threshold"] for r in printed] == [point.threshold for point in wanted]
    assert main([*shlex.split(chosen[0])[1:], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["results"]
    assert [r["f1"] for r in printed] == [e.f1 for e in study_results.results_of(pump, settings)]


def test_json_holds_everything_and_agrees_with_the_core(pump):
    settings = Settings()
    made = compared(pump, settings)
    saved = json.loads(
        data_exports.to_json(pump, settings, made, study_results.areas_of(pump, settings))
    )
    assert saved["settings"] == settings.to_dict()
    assert saved["series"]["points"] == 4320
    first = saved["detectors"][0]
    scores = pump.series.detectors[0].scores
    best = padf.best_f1(pump.series.labels, scores, settings.protocols())
    assert [entry["f1"] for entry in first["best"]] == [point.f1 for point in best]
    at = padf.evaluate_all(pump.series.labels, scores >= 0.9, settings.protocols())
    assert [entry["f1"] for entry in first["at_chosen_threshold"]] == [e.f1 for e in at]
    for result in at:
        credits = [s["credit"][result.protocol.key] for s in first["segments"]]
        assert credits == [outcome.credit for outcome in result.segments]
    for place, protocol in enumerate(settings.protocols()):
        sweep = padf.sweep(pump.series.labels, scores, protocol)
        assert first["average_precision"][protocol.key] == pytest.approx(sweep.average_precision)
        assert first["roc_auc"][protocol.key] == pytest.approx(sweep.roc_auc)
        assert saved["random"][place]["mean"] == made.random[0][place].mean
    assert saved["format"] == "padf-evaluation-3"
    areas = first["area_over_number"]
    assert set(areas) == set(settings.numbers())
    for key, number in settings.numbers().items():
        over = padf.best_f1(pump.series.labels, scores, settings.at(key, number.steps))
        places = list(number.steps)
        if key == "padf":
            # Over the logarithm of the half-life, ln 0.5 / ln d; d = 1 never decays.
            over, places = over[:-1], [np.log(np.log(0.5) / np.log(d)) for d in places[:-1]]
        area = np.trapezoid([point.f1 for point in over], places) / (places[-1] - places[0])
        assert areas[key] == pytest.approx(area)


def test_latex_has_the_numbers_and_marks_the_best(pump):
    made = compared(pump)
    text = data_exports.to_latex(pump, made, Settings(), at_best=True)
    for row in made.points:
        for point in row:
            assert f"{point.f1:.3f}" in text
    assert r"slow\_sure & \textbf{0.789} & \textbf{1.000}" in text
    assert r"PA\%K (K = 20)" in text


def test_our_own_csv_is_read_again(pump):
    columns = {"a": [0.1, 0.9, 0.2], "flag": [0, 1, 0]}
    study = study_of([0, 1, 1], columns, kind="pasted")
    frame = pd.read_csv(io.StringIO(data_exports.series_csv(study)))
    assert frame["a"].tolist() == [0.1, 0.9, 0.2]
    assert frame["flag"].tolist() == [0, 1, 0]
    assert code_exports.needs_series_file(study)
    assert data_exports.series_file(study) in code_exports.command_lines(study, Settings())
    timed = pd.read_csv(io.StringIO(data_exports.series_csv(pump)))
    assert timed["time"].iloc[1] == "2024-01-01 00:10:00"


def test_our_own_csv_keeps_incidents_whole_that_have_an_ignored_row(tmp_path, monkeypatch, capsys):
    """Rows 2 to 6 are one incident, and row 4 is ignored; were it normal, there would be two.

    Found at row 3 alone, PA gives all four points that count, and there is one false alarm: F1 is
    8/9. Of two incidents the second would be missed.
    """
    labels, ignored = [0, 0, 1, 1, 1, 1, 1, 0, 0, 0], np.arange(10) == 4
    scores = np.array([0.1, 0.2, 0.1, 0.9, 0.8, 0.2, 0.1, 0.95, 0.1, 0.3])
    series = make_series("x", labels, {"a": scores}, rows=make_rows(10, ignored))
    study = Study.of(series, Origin("pasted", "x"), Settings())
    (tmp_path / data_exports.series_file(study)).write_text(data_exports.series_csv(study))
    monkeypatch.chdir(tmp_path)
    best, *_ = code_exports.command_lines(study, Settings()).splitlines()
    assert main([*shlex.split(best)[1:], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["results"]
    assert {r["protocol"]: r["f1"] for r in printed}["pa"] == pytest.approx(8 / 9)
    ran = subprocess.run(
        [sys.executable, "-c", code_exports.python_lines(study, Settings())],
        cwd=tmp_path, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert "best for PA: F1 0.889 at 0.9" in ran.stdout


def test_the_command_for_several_series_keeps_one_threshold(tmp_path, monkeypatch, capsys):
    """At 3 all points of both series are found, with one false alarm: F1 is 4/5."""
    labels, scores = [0, 1, 0, 0, 1, 0], np.array([1.0, 3, 2, 4, 5, 0])
    rows = make_rows(6, series=list("aaabbb"))
    series = make_series("x", labels, {"a": scores}, rows=rows)
    study = Study.of(series, Origin("pasted", "x"), Settings())
    (tmp_path / data_exports.series_file(study)).write_text(data_exports.series_csv(study))
    monkeypatch.chdir(tmp_path)
    best, *_ = code_exports.command_lines(study, Settings()).splitlines()
    assert main([*shlex.split(best)[1:], "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["results"]
    pointwise = {r["protocol"]: r for r in printed}["pointwise"]
    assert (pointwise["threshold"], pointwise["f1"]) == (3, pytest.approx(4 / 5))
    assert pointwise["f1"] == compared(study).points[0][0].f1


def test_conditions_go_with_every_file():
    """Of ten points one is ignored; the incident is the last nine, so flagging all is best."""
    series = make_series(
        "x", [0] + [1] * 9, {"a": np.arange(10) / 10}, rows=make_rows(10, np.arange(10) == 5)
    )
    study = Study.of(series, Origin("file", "x.csv"), Settings()).with_onset(padf.Onset(1, early=1))
    made, settings = compared(study), Settings()
    told = [
        "2 of 10 points are not scored.",
        "Segments begin 1 row later than labelled; alarms up to 1 row before the onset count as on "
        "time.",
    ]
    saved = json.loads(
        data_exports.to_json(study, settings, made, study_results.areas_of(study, settings))
    )
    assert saved["conditions"] == told
    assert (saved["series"]["onset"]["shift"], saved["series"]["onset"]["early"]) == (1, 1)
    texts = [
        data_exports.to_latex(study, made, settings, at_best=True),
        html.unescape(make_report(study, settings, made, at_best=True)),
    ]
    for text in texts:
        assert all(sentence in text for sentence in told)
    everything = study_of([0, 1, 1, 1], {"a": [0.2, 0.1, 0.3, 0.4]})
    made = compared(everything)
    areas = study_results.areas_of(everything, settings)
    for text in (
        data_exports.to_json(everything, settings, made, areas),
        data_exports.to_latex(everything, made, settings, at_best=True),
    ):
        assert "Under Point-wise, this best threshold flags everything: a." in text


def test_scores_in_single_precision_keep_their_digits_in_our_file():
    value = float(np.float32(0.3))
    study = study_of([0, 1, 1], {"a": [0.5, value, 0.25]}, kind="pasted")
    assert study.series.detectors[0].scores.dtype == np.float32
    frame = pd.read_csv(io.StringIO(data_exports.series_csv(study)))
    assert frame["a"].tolist() == [0.5, value, 0.25]


def test_delays_over_a_gap_are_those_of_the_clock():
    stamps = np.array([0, 60, 120, 6120, 6180]) * 1_000_000
    scores = {"a": np.array([0.1, 0.2, 0.1, 0.9, 0.3])}
    series = make_series("x", [0, 1, 1, 1, 0], scores, make_clock(stamps))
    study = Study.of(series, Origin("file", "x"), Settings())
    pattern = make_pattern(series.labels, series.detectors[0].detections(0.9))
    # The hit is two steps behind the start, at 6120 s against 60 s: 101 minutes.
    assert "longest 1 h 41 min" in detector_tables.found_text(study, pattern)
    delays, unit = detector_tables.delays_of(series, pattern)
    assert (delays.tolist(), unit) == ([101.0], "min")


# ---- user text -----------------------------------------------------------------------------------


def hostile_study():
    rng = np.random.default_rng(0)
    labels = (np.arange(60) % 20) >= 15
    return study_of(
        labels,
        {name: np.round(rng.random(60), 3) for name in HOSTILE},
        name="<b>=evil</b>.csv",
        roles=ReadOptions("=label", tuple(HOSTILE)),
    )


def test_the_report_is_harmless_and_stands_alone():
    study = hostile_study()
    made = compared(study)
    report = make_report(study, Settings(), made, True)
    outside = re.sub(r"<script.*?</script>", "", report, flags=re.S)
    assert "<img" not in outside
    assert "onerror=alert(1)>" not in outside.replace("&gt;", "")
    assert "alert(1)</script>" not in report
    assert not re.search(r"(src|href)\s*=\s*.?http", outside)
    assert not re.search(r"<(link|iframe|object|embed|img|form)", outside)
    assert html.escape("<img src=x onerror=alert(1)>") in outside
    assert "\u202e" not in outside
    # Charts hold the same names, escaped for plotly.
    assert "<img src=x" not in report
    # The comparison, the thresholds, the delays, and a curve over each protocol's number.
    assert report.count("Plotly.newPlot(") == 3 + len(Settings().numbers())


def test_tables_never_hold_a_formula():
    study = hostile_study()
    made = compared(study)
    settings = Settings()
    made_tables = [
        comparison_tables.comparison_table(made),
        comparison_tables.threshold_table(made),
        comparison_tables.rank_table(made),
        comparison_tables.area_table(made.names, study_results.areas_of(study, settings), settings),
        comparison_tables.curve_columns(
            "d", study_results.detector_curves(study, settings, "padf", at_best=True), made.names
        ),
    ]
    for table in made_tables:
        text = names.safe_csv(table)
        frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
        cells = [str(name) for name in frame.columns] + [
            value for value in frame.to_numpy().ravel().tolist() if not is_number(value)
        ]
        assert not [value for value in cells if value[:1] in ("=", "+", "-", "@", "\t", "\r")]


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_figures_hold_no_markup_of_users():
    study = hostile_study()
    made = compared(study)
    for figure in (
        data_charts.bump_chart(made, "light"),
        shared_charts.detector_lines(
            study_results.detector_curves(study, Settings(), "pa_k", at_best=True),
            made.names,
            [],
            1,
            Settings().number("pa_k"),
            "dark",
        ),
    ):
        for trace in figure.data:
            assert "<" not in trace.name
            assert len(trace.name) < 80


def test_lines_for_elsewhere_quote_user_text():
    study = hostile_study()
    lines = code_exports.command_lines(study, Settings())
    words = shlex.split(lines)
    assert f"--detector={HOSTILE[0]}" in words
    assert "--detector=-flag" in words
    assert f"--detector={HOSTILE[11]}" in words
    ran = subprocess.run(
        ["bash", "-c", f"padf() {{ printf '%s\\0' \"$@\"; }}\n{lines.splitlines()[0]}"],
        capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    heard = ran.stdout.decode().split("\0")
    assert [word for word in heard if word.startswith("--detector")] == [
        f"--detector={name}" for name in HOSTILE
    ]
    assert lines.isprintable() or set(lines) - {"\n"} == {c for c in lines if c.isprintable()}
    compile(code_exports.python_lines(study, Settings()), "lines", "exec")
    code = (
        code_exports.python_lines(study, Settings()).split("thresholds = ")[1].split("}\n")[0] + "}"
    )
    assert set(ast.literal_eval(code)) == set(HOSTILE)


@given(st.text())
def test_names_for_the_screen_are_short_single_and_do_not_steer(name):
    shown = screen_names.shown(name)
    assert 0 < len(shown) <= screen_names.LONGEST + 2
    assert "\n" not in shown
    assert "\u202e" not in shown
    assert "<" not in names.in_figure(name).replace("&lt;", "")
    assert names.cell(name)[:1] not in ("=", "+", "-", "@", "\t", "\r")


def test_alike_names_are_told_apart():
    assert screen_names.shown_names(["a\n", "a", "a"]) == ["a", "a (2)", "a (3)"]


# ---- what is told before any number --------------------------------------------------------------


def uneven(inside, outside, size=200):
    labels = (np.arange(size) % 50 >= 40).astype(int)
    steps = np.where(labels[1:] & labels[:-1], inside, outside) * 1_000_000
    stamps = np.concatenate(([0], np.cumsum(steps)))
    return make_series(
        "x", labels, {"a": np.random.default_rng(0).random(size)}, make_clock(stamps)
    )


def test_uneven_sampling_is_told():
    (told,) = descriptions.warnings_of(uneven(60, 300))
    assert "inside segments the median step is 1 min, outside 5 min" in told
    assert descriptions.warnings_of(uneven(60, 60)) == []


def test_files_about_other_data_have_other_names():
    one, other = (sample_study(key, Settings()) for key in ("pump", "web_service"))
    assert descriptions.file_stem(one).startswith("pump-")
    assert descriptions.file_stem(one) != descriptions.file_stem(other)
    moved = sample_study("nab_taxi", Settings(), moved=True)
    assert descriptions.file_stem(moved) != descriptions.file_stem(
        sample_study("nab_taxi", Settings())
    )


def test_a_file_of_everything_leaves_out_segments_beyond_a_limit(monkeypatch):
    study = sample_study("pump", Settings())
    made = study_results.comparison_of(study, Settings(), at_best=True, runs=3, seed=1)
    areas = study_results.areas_of(study, Settings())
    whole = json.loads(data_exports.to_json(study, Settings(), made, areas))
    count = len(study.series.segments)
    assert [len(entry["segments"]) for entry in whole["detectors"]] == [count] * len(areas)
    monkeypatch.setattr(data_exports, "MOST_SEGMENTS", count * len(areas) - 1)
    short = json.loads(data_exports.to_json(study, Settings(), made, areas))
    for entry, full in zip(short["detectors"], whole["detectors"], strict=True):
        assert (entry.pop("segments"), entry.pop("segments_left_out")) == ([], count)
        full.pop("segments")
        assert entry == full


@pytest.mark.parametrize("truth", ["", "3", "0-39"])
@pytest.mark.parametrize("part", ["", *PARTS])
def test_any_lesson_can_be_printed(part, truth):
    question = Question("A & B?", ("<i>A</i>", "B"), 0, "Why not?", ("", "<u>wrong</u>"))
    step = Step("<b>T</b>", "Look.", truth=truth, alarms="3, 7-9", part=part, question=question)
    page = handout_html(Lesson("L", (step,)))
    for text in ("<b>T</b>", "A & B?", "<i>A</i>", "B is <u>wrong</u>."):
        assert html.escape(text) in page
    assert not re.search("<(b>T|i|u)>", page)
    assert "nan" not in page

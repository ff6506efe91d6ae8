"""The page on corpora: NAB's result told truly, other results opened, series found again."""

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core.corpus.writing import tidy_csv
from padf_ui.corpus import corpus_charts, corpus_page, series_page
from padf_ui.corpus.corpus_upload import _safe
from padf_ui.session.corpus import CorpusRun, OpenCorpus, nab_result, read_uploaded
from tests.core.corpus_files import write_nab, write_tables
from tests.hostile import HOSTILE
from tests.ui.said import text_of
from tests.ui.visits import visit

TABS = [
    "Detectors",
    "Ranks",
    "Series",
    "Head to head",
    "Disagreements",
    "Export",
]


@pytest.fixture(scope="module")
def windows():
    return nab_result("windows")


@pytest.fixture(scope="module")
def onsets():
    return nab_result("onsets")


def test_nab_s_result_is_that_of_the_command(windows, onsets):
    # The ranks of NAB's random among 15 by pooled F1, and F1 under PAdf 0.9, as measured before.
    keys = ("pointwise", "pa", "pa_k", "padf")
    assert [windows.ranks(key)["random"] for key in keys] == [9, 5, 1, 1]
    assert [onsets.ranks(key)["random"] for key in keys] == [9, 7, 6, 13]
    f1 = {row.detector: round(row.f1, 3) for row in onsets.of("padf", whole="pooled")}
    assert (f1["randomCutForest"], f1["numenta"], f1["random"]) == (0.834, 0.810, 0.345)
    assert (len(windows.detectors), len(windows.series)) == (15, 58)


def test_the_story_is_told_in_the_result_s_numbers(windows, onsets):
    told = corpus_page.story(windows, onsets)
    assert "random, which guesses at random, ranks number 1 with 0.441" in told
    assert "The best other detector, bayesChangePt, has 0.374" in told
    assert "random ranks number 13 with 0.345, and randomCutForest has 0.834" in told


def test_every_section_of_the_page_runs():
    app = visit("corpus")
    assert not app.exception
    assert "15 detectors on 58 series" in text_of(app)
    for tab in TABS[1:]:
        app.session_state["corpus_sections"] = tab
        app.run()
        assert not app.exception, tab
    assert "6 of the series have no anomaly" in text_of(app)


def test_the_shipped_series_open_with_everything_set(windows, onsets):
    for begins, result in (("windows", windows), ("onsets", onsets)):
        opened = OpenCorpus("NAB", result, padf.Settings(), begins)
        study = opened.study("realKnownCause/nyc_taxi", "numenta", "padf")
        assert study.detector.name == "numenta"
        assert study.is_moved == (begins == "onsets")
        (row,) = [
            row
            for row in result.of("padf")
            if (row.series, row.detector) == ("realKnownCause/nyc_taxi", "numenta")
        ]
        assert study.choice == row.threshold
        # The same rows, labels and scores: Your data says what the table says.
        made = study.detector.at(row.threshold, padf.PointAdjustDecay())
        assert made.f1 == pytest.approx(row.f1, rel=1e-12)
    assert not opened.has_series("realTweets/Twitter_volume_FB")


def test_a_corpus_that_was_run_here_opens_its_series(tmp_path):
    corpus = padf.Corpus.from_files(write_tables(tmp_path / "tables"))
    run = CorpusRun("mine", corpus, padf.Settings(), "common", tmp_path / "kept", None)
    told = []
    opened = run.run(told.append)
    assert told[-1] == 1
    study = opened.study("series_01", "two score", "pa")
    (row,) = [
        row
        for row in opened.result.of("pa")
        if (row.series, row.detector) == ("series_01", "two score")
    ]
    assert study.detector.name == "two score"
    assert study.detector.at(study.choice, padf.PointAdjust()).f1 == pytest.approx(row.f1)
    frame = pd.read_csv(tmp_path / "tables" / "series_01.csv")
    assert study.detector.scores.tolist() == frame["two score"].tolist()


def test_detectors_with_other_labels_are_not_mixed(tmp_path):
    write_nab(tmp_path)
    corpus = padf.Corpus.from_files(tmp_path / "results")
    run = CorpusRun("mine", corpus, padf.Settings(), "common", tmp_path / "kept", None)
    # random's own labels of a are other ones: good and null share theirs.
    assert run.run(lambda share: None).study("group/a", "good", "pa").series.names == [
        "good",
        "null",
    ]


def test_every_rule_for_thresholds_can_be_chosen_on_the_page():
    app = visit("corpus")
    rule = app.selectbox(key="corpus_rule")
    assert rule.value == "others"
    told = [option.split(":")[0] for option in rule.options]
    kinds = ["best", "common", "others", "segments", "first", "train", "budget", "given"]
    assert told == kinds
    for kind, key, usual in (
        ("given", "threshold", 0.5),
        ("train", "train", 0),
        ("budget", "budget", 1),
    ):
        app.selectbox(key="corpus_rule").set_value(kind).run()
        assert app.number_input(key=f"corpus_{key}").value == usual


def test_a_result_of_elsewhere_is_opened_and_said_to_be_a_result_alone(windows):
    opened = read_uploaded(tidy_csv(windows).encode(), "out.csv", padf.Settings())
    assert repr(opened.result.rows) == repr(windows.rows)
    assert series_page.at_hand(opened).startswith("This is a saved result")


def test_a_file_that_is_no_result_is_refused():
    with pytest.raises(ValueError, match="is not a corpus result, because it has no"):
        read_uploaded(b"label,score\n0,1\n", "x.csv", padf.Settings())


def test_charts_hold_the_result_s_numbers(windows):
    summary = windows.summary()
    figure = corpus_charts.detector_dots(
        summary, windows.detectors, {"padf": "PAdf"}, True, "light"
    )
    f1 = [row.pooled_f1 for row in summary if row.protocol == "padf"]
    assert list(figure.data[0].x)[:15] == f1
    ranking = windows.ranking("padf")
    figure = corpus_charts.critical_differences(ranking, "dark")
    assert figure.data[0].x[0] == min(ranking.mean_ranks.values())
    assert len(figure.data) == 1 + len(ranking.groups)
    by_series = windows.by_series("padf")
    figure = corpus_charts.duel(by_series, "numenta", "random", "light")
    dots = figure.data[1]
    at = [named[0] for named in dots.customdata].index("realKnownCause/nyc_taxi")
    assert dots.x[at] == by_series["realKnownCause/nyc_taxi"]["numenta"]
    assert dots.y[at] == by_series["realKnownCause/nyc_taxi"]["random"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_do_no_harm(tmp_path, name):
    frame = pd.DataFrame(
        {
            "series": np.repeat(["a", name], 10),
            "detector": name,
            "label": [0, 0, 1, 1, 0, 0, 0, 0, 0, 0] * 2,
            "score": np.arange(20) % 7,
        }
    )
    result = padf.Corpus.from_long(frame).evaluate([padf.PointAdjust()], random=0)
    figure = corpus_charts.series_strips(result.by_series("pa"), result.detectors, "light")
    assert "<img" not in str(figure.layout)
    assert "<script" not in str(figure.layout)


@pytest.mark.parametrize("sent", ["../../etc/passwd", "/abs/x.csv", "..", "a\\..\\b.csv", ""])
def test_an_uploaded_name_never_leads_out_of_its_folder(sent):
    parts = _safe(sent)
    assert parts
    assert not {"", ".", ".."} & set(parts)
    assert not any("/" in part or "\\" in part for part in parts)

"""Results as they lie on disk: what is found in which layout, and what is left out and why."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core.corpus.layouts import guess_layout
from padf_core.corpus.paths import Patterns, list_files
from padf_core.corpus.plan import shown_path
from padf_core.io.errors import TableError
from tests.core.corpus_files import (
    LABELS,
    alarms_at,
    moment,
    write_nab,
    write_nab_file,
    write_tables,
)

ALL = [padf.Pointwise(), padf.PointAdjust(), padf.PointAdjustDecay()]


def pooled(result, protocol):
    return {row.detector: row.f1 for row in result.of(protocol, whole="pooled")}


def on(result, series, protocol):
    return {row.detector: row for row in result.of(protocol) if row.series == series}


# ---- NAB -----------------------------------------------------------------------------------------


def nab(tree, *, onsets=False, labels=True, probation=0.15):
    return padf.Corpus.from_files(
        tree / "results",
        labels=tree / "labels/combined_windows.json" if labels else None,
        onsets=tree / "labels/combined_labels.json" if onsets else None,
        options=padf.ReadOptions(probation=probation, order="sort"),
    )


def test_nab_s_results_are_known_by_their_folders(tmp_path):
    corpus = nab(write_nab(tmp_path))
    assert (corpus.layout, corpus.series) == ("nab", ["group/a", "group/b"])
    assert corpus.detectors == ["good", "null", "random"]
    assert "README.md" in corpus.left_out[0].what


def test_windows_put_random_first(tmp_path):
    result = nab(write_nab(tmp_path)).evaluate(ALL, thresholds="common", random=0)
    # good: found 2 steps late, no false alarm: P = 1, R = 0.81. random: found at once, one false
    # alarm: P = 6/7, R = 1.
    assert pooled(result, "pa") == pytest.approx({"good": 1, "random": 12 / 13})
    assert pooled(result, "padf") == pytest.approx({"good": 1.62 / 1.81, "random": 12 / 13})
    # Point-wise random's 1 of 6 points and 1 false alarm give 2/8; alarms everywhere, 6 right and
    # 20 false, give 12/32.
    assert pooled(result, "pointwise")["random"] == pytest.approx(12 / 32)
    assert "null: has the same score" in [told.text for told in result.left_out][-1]


def test_onsets_put_random_last(tmp_path):
    result = nab(write_nab(tmp_path), onsets=True).evaluate(ALL, thresholds="common", random=0)
    # The segment is rows 10 to 13: both alarms of random are false, so alarms everywhere are its
    # best: 4 right and 22 false.
    assert pooled(result, "padf") == pytest.approx({"good": 1, "random": 8 / 30})


def test_without_windows_each_file_s_own_labels_count(tmp_path):
    result = nab(write_nab(tmp_path), labels=False).evaluate(ALL, thresholds="common", random=0)
    # random's own window has 8 points, found 2 steps late, one false alarm: eTP = 6.48.
    assert pooled(result, "padf")["random"] == pytest.approx(12.96 / 15.48)


def test_delays_and_false_alarms_are_told_on_the_clock(tmp_path):
    result = nab(write_nab(tmp_path)).evaluate(ALL, thresholds="common", random=0)
    good, drawn = (on(result, "group/a", "padf")[name] for name in ("good", "random"))
    assert (good.delay_steps, good.delay_seconds, good.detected) == (2, 600, 1)
    assert (drawn.delay_steps, drawn.false_alarms) == (0, 0)
    # 17 of 20 rows of 5 minutes.
    assert good.days == pytest.approx(17 * 5 / 1440)
    in_b = on(result, "group/b", "padf")["random"]
    assert in_b.false_alarms == 1
    assert in_b.false_alarms_per_day == pytest.approx(1 / in_b.days)


def test_probation_is_at_most_750_rows(tmp_path):
    steps = range(6000)
    write_nab_file(tmp_path, "d", "long", steps, [740, 760], (5000, 5010))
    corpus = padf.Corpus.from_files(tmp_path / "results", options=padf.ReadOptions(probation=0.15))
    result = corpus.evaluate([padf.Pointwise()], thresholds=0.5, random=0)
    # Row 740 does not count, row 760 is a false alarm.
    assert on(result, "group/long", "pointwise")["d"].false_alarms == 1


def test_a_series_of_which_the_labels_say_nothing_is_skipped(tmp_path):
    write_nab(tmp_path)
    path = tmp_path / "labels/combined_windows.json"
    path.write_text(json.dumps({"group/a.csv": [[moment(8), moment(13)]], "group/z.csv": []}))
    corpus = nab(tmp_path)
    assert corpus.series == ["group/a"]
    assert any(told.is_bad and "has no entry for it" in told.why for told in corpus.left_out)


# ---- other layouts -------------------------------------------------------------------------------


def test_labels_that_lie_beside_the_scores_are_found(tmp_path):
    name = "001_NAB_id_1_Facility_tr_4_1st_7"
    (tmp_path / "score" / "IForest").mkdir(parents=True)
    np.save(tmp_path / "score" / "IForest" / f"{name}.npy", np.linspace(0, 1, 12) ** 2 % 0.3)
    with pytest.raises(ValueError, match="it has no labels; add a table or windows"):
        padf.Corpus.from_files(tmp_path).evaluate([padf.PointAdjust()])
    labels = [0] * 6 + [1] * 3 + [0] * 3
    (tmp_path / "data").mkdir()
    table = pd.DataFrame({"Data": np.arange(12) % 5 / 7, "Label": labels})
    table.to_csv(tmp_path / "data" / f"{name}.csv", index=False)
    (tmp_path / "data" / "list.csv").write_text("file_name\nx\n")
    corpus = padf.Corpus.from_files(tmp_path)
    assert [each.what for each in corpus.left_out] == [shown_path(tmp_path / "data" / "list.csv")]
    (row, *_) = corpus.evaluate([padf.PointAdjust()]).of("pa")
    assert (row.series, row.segments, row.wanted) == (name, 1, 3)


def test_tsb_ad_s_scores_with_the_tables_of_labels(tmp_path):
    name = "001_X_id_1_tr_2_1st_3"
    data = tmp_path / "data"
    data.mkdir()
    pd.DataFrame({"Data": range(10), "Label": LABELS}).to_csv(data / f"{name}.csv", index=False)
    for detector, alarms in (("IForest", [1, 3]), ("POLY", [8])):
        (tmp_path / "score" / detector).mkdir(parents=True)
        np.save(tmp_path / "score" / detector / f"{name}.npy", alarms_at(10, alarms))
    corpus = padf.Corpus.from_files(tmp_path / "score", labels=data)
    assert (corpus.layout, corpus.series) == ("tsb-ad", [name])
    result = corpus.evaluate([padf.PointAdjust()], thresholds=0.5, random=0)
    # The first 2 rows are for training, by the name: the alarm at row 1 does not count.
    assert pooled(result, "pa") == {"IForest": 1, "POLY": 0}
    trained = replace(corpus, options=replace(corpus.options, train=5)).evaluate(
        [padf.PointAdjust()], thresholds="train", random=0
    )
    # In the first 5 rows IForest's two alarms are at 0.9; the rest has no anomaly.
    assert on(trained, name, "pa")["IForest"].threshold == 0.9


def test_timeeval_s_folders_with_repetitions_as_seeds(tmp_path):
    data = tmp_path / "data" / "KDD"
    data.mkdir(parents=True)
    frame = pd.DataFrame(
        {"timestamp": [moment(t) for t in range(10)], "value": 1.5, "is_anomaly": LABELS}
    )
    frame.to_csv(data / "one.test.csv", index=False)
    for algorithm, params in (("kmeans", "p1"), ("lof", "aaaaaaaabb"), ("lof", "ccccccccdd")):
        for run in ("1", "2"):
            folder = tmp_path / "results" / algorithm / params / "KDD" / "one" / run
            folder.mkdir(parents=True)
            np.savetxt(folder / "anomaly_scores.ts", alarms_at(10, [3 if run == "1" else 8]))
            (folder / "metrics.csv").write_text("x\n1\n")
    corpus = padf.Corpus.from_files(tmp_path / "results", labels=tmp_path / "data")
    assert (corpus.layout, corpus.series) == ("timeeval", ["KDD/one"])
    assert corpus.detectors == ["kmeans", "lof aaaaaaaa", "lof cccccccc"]
    result = corpus.evaluate([padf.PointAdjust()], thresholds=0.5, random=0)
    f1 = {(row.detector, row.seed): row.f1 for row in result.of("pa", whole="pooled")}
    assert f1["kmeans", "1"] == 1
    assert f1["kmeans", "2"] == 0
    # The clock is that of the labels' table: 10 rows of 5 minutes.
    assert result.rows[0].days == pytest.approx(50 / 1440)


def test_tables_with_a_column_for_each_detector(tmp_path):
    corpus = padf.Corpus.from_files(write_tables(tmp_path / "tables"))
    assert (corpus.layout, len(corpus.series)) == ("files", 3)
    assert corpus.detectors == ["one score", "two score"]
    result = corpus.evaluate([padf.Pointwise()], thresholds="best", random=0)
    frame = pd.read_csv(tmp_path / "tables" / "series_01.csv")
    (best,) = padf.best_f1(frame["label"], frame["two score"], [padf.Pointwise()])
    row = on(result, "series_01", "pointwise")["two score"]
    assert (row.threshold, row.f1) == (best.threshold, best.f1)


def test_patterns_read_paths_of_any_layout(tmp_path):
    for detector in ("a", "b"):
        for run in (1, 2):
            path = tmp_path / f"run{run}" / f"taxi.{detector}.csv"
            path.parent.mkdir(exist_ok=True)
            frame = pd.DataFrame({"truth": LABELS, "s": alarms_at(10, [3])})
            frame.to_csv(path, index=False)
    (tmp_path / "run1" / "notes.csv").write_text("a\n1\n")
    corpus = padf.Corpus.from_files(
        tmp_path,
        series_from=r"([^/]+)\.[ab]\.csv$",
        detector_from=r"\.([ab])\.csv$",
        seed_from=r"run(\d)",
        options=padf.ReadOptions(label="truth", detectors=("s",)),
    )
    assert (corpus.layout, corpus.series, corpus.detectors) == ("files", ["taxi"], ["a", "b"])
    result = corpus.evaluate([padf.PointAdjust()], random=0)
    assert {(row.detector, row.seed): row.f1 for row in result.of("pa", whole="pooled")} == {
        (detector, run): 1.0 for detector in "ab" for run in "12"
    }
    assert "notes.csv" in corpus.left_out[0].what


def test_columns_that_look_like_no_detector_are_named_by_somebody(tmp_path):
    write_tables(tmp_path, detectors=("one", "two"))
    with pytest.raises(TableError, match=r"use --detector: one \(from .* does not suggest a score"):
        padf.Corpus.from_files(tmp_path)
    corpus = padf.Corpus.from_files(tmp_path, options=padf.ReadOptions(detectors=("two",)))
    assert corpus.detectors == ["two"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_long_table_is_cut_piece_by_piece(tmp_path, ending, monkeypatch):
    monkeypatch.setattr("padf_core.io.csv_text.ROWS_AT_ONCE", 7)
    rows = [
        (f"s{series}", detector, at, label, score)
        for at, label in enumerate(LABELS)
        for series in range(2)
        for detector, score in (("a", float(at == 3)), ("b", float(at == 8 - series)))
    ]
    frame = pd.DataFrame(rows, columns=["series", "detector", "time", "label", "score"])
    path = tmp_path / f"long.{ending}"
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    assert guess_layout(list_files([path]), Patterns(), padf.ReadOptions()) == "long"
    result = padf.Corpus.from_files(path).evaluate([padf.PointAdjust()], random=0)
    assert pooled(result, "pa") == {"a": 1.0, "b": 0.0}
    brought = padf.Corpus.from_long(frame).evaluate([padf.PointAdjust()], random=0)
    assert repr(brought.rows) == repr(result.rows)


# ---- what is wrong -------------------------------------------------------------------------------


def test_a_bad_file_is_reported_and_everybody_else_stays(tmp_path):
    write_nab(tmp_path)
    (tmp_path / "results/good/group/good_b.csv").write_bytes(b"PK\x03\x04 no table")
    broken = tmp_path / "results/random/group/random_a.csv"
    broken.write_text(broken.read_text().replace("0.9", "high"))
    result = nab(tmp_path).evaluate(ALL, thresholds=0.5, random=0)
    bad = [told for told in result.left_out if told.is_bad]
    assert {word for told in bad for word in ("good_b", "random_a") if word in told.text} == {
        "good_b",
        "random_a",
    }
    assert any("scores must be numbers; got 'high'" in told.why for told in bad)
    assert result.has_bad
    assert set(on(result, "group/a", "pa")) == {"good"}
    assert set(on(result, "group/b", "pa")) == {"random"}


def test_a_bad_table_of_labels_takes_its_series_along(tmp_path):
    data, scores = tmp_path / "data", tmp_path / "score" / "d"
    data.mkdir()
    scores.mkdir(parents=True)
    for name, labels in (("x", LABELS), ("y", [0, 2] * 5), ("z", LABELS[:9])):
        pd.DataFrame({"v": np.arange(len(labels)), "Label": labels}).to_csv(
            data / f"{name}.csv", index=False
        )
        np.save(scores / f"{name}.npy", alarms_at(10, [3]))
    corpus = padf.Corpus.from_files(scores.parent, labels=data)
    result = corpus.evaluate(ALL, thresholds="best", random=0)
    assert result.series == ["x"]
    reasons = [told.why for told in result.left_out]
    assert any(
        "holds 0, 2; use --anomaly to say which one means an anomaly" in why for why in reasons
    )
    assert any("10 rows, but" in why and "9 labels" in why for why in reasons)


@pytest.mark.parametrize(
    ("gaps", "f1", "is_bad"),
    [("refuse", {}, True), ("drop", {}, False), ("quiet", {"d": 1.0}, False)],
)
def test_missing_scores_are_taken_as_somebody_says(tmp_path, gaps, f1, is_bad):
    frame = pd.DataFrame({"label": LABELS, "d": alarms_at(10, [3]), "e": alarms_at(10, [8])})
    frame.loc[0, "d"] = np.nan
    frame.to_csv(tmp_path / "a.csv", index=False)
    corpus = padf.Corpus.from_files(tmp_path / "a.csv", options=padf.ReadOptions(missing=gaps))
    result = corpus.evaluate([padf.PointAdjust()], thresholds=0.5, random=0)
    assert pooled(result, "pa") == {**f1, "e": 0.0}
    assert result.has_bad == is_bad


def test_low_scores_can_be_the_alarming_ones(tmp_path):
    frame = pd.DataFrame({"label": LABELS, "d": 1 - alarms_at(10, [3])})
    frame.to_csv(tmp_path / "a.csv", index=False)
    corpus = padf.Corpus.from_files(tmp_path / "a.csv", options=padf.ReadOptions(low=("d",)))
    assert pooled(corpus.evaluate([padf.PointAdjust()], random=0), "pa") == {"d": 1.0}


@pytest.mark.parametrize(
    ("files", "said", "reason"),
    [
        ({}, {}, "cannot be opened as a file or folder"),
        ({"a.txt": ""}, {"layout": "nab"}, "no file matches"),
        ({"a.csv": "label,d\n0,1\n"}, {"layout": "odd"}, "layout must be one of"),
        ({"a.csv": "label,d\n0,1\n"}, {"series_from": "("}, "is not a valid pattern"),
        ({"pooled.csv": "label,d\n0,1\n1,2\n"}, {}, "must not be called 'pooled'"),
        ({"l.csv": "series,detector,score\na,b,1\n"}, {"layout": "long"}, "use --label"),
    ],
)
def test_what_cannot_be_a_corpus_is_refused_in_one_line(tmp_path, files, said, reason):
    folder = tmp_path / "brought"
    for name, text in files.items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with pytest.raises((TableError, ValueError), match=reason) as error:
        padf.Corpus.from_files(folder, **said)
    assert "\n" not in str(error.value)

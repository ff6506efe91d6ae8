"""The command `padf corpus`: what it writes and says, stopping and going on, exit codes."""

import csv
import json
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core.__main__ import main
from tests.core.corpus_files import write_nab, write_tables


@pytest.fixture
def tree(tmp_path, monkeypatch):
    write_nab(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


LINE = [
    *("corpus", "results", "--layout", "nab", "--labels", "labels/combined_windows.json"),
    *("--onsets", "labels/combined_labels.json", "--probation", "0.15"),
    *("--threshold", "common", "--order", "sort", "--out", "out.csv"),
]


def test_nab_in_one_line(tree, capsys):
    assert main([*LINE, "--backend", "1"]) == 0
    with (tree / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {"series", "detector", "protocol", "f1", "threshold", "random_f1"} <= set(rows[0])
    f1 = {
        (row["detector"], row["protocol"]): float(row["f1"])
        for row in rows
        if row["series"] == "pooled"
    }
    # See tests/core/test_corpus_layouts.py for these by hand.
    assert f1["good", "padf"] == 1
    assert f1["random", "padf"] == pytest.approx(8 / 30)
    assert {row["series"] for row in rows} == {"group/a", "group/b", "pooled", "mean"}
    printed = capsys.readouterr()
    assert "layout: nab" in printed.err
    assert "2 series, 3 detectors" in printed.err
    assert "left out: null" in printed.err
    assert re.search(r"^good .*1\.000", printed.out, re.M)
    assert not (tree / "out.csv.parts").exists()


def test_every_file_that_can_be_asked_for(tree):
    asked = "--summary s.csv --ranks r.csv --wide w.csv --latex t.tex --picture p --left-out l.csv"
    assert main([*LINE, "--backend", "1", *asked.split()]) == 0
    summary = pd.read_csv("s.csv").set_index(["detector", "protocol"])
    assert summary.loc[("good", "padf"), "pooled_f1"] == 1
    assert summary.loc[("good", "padf"), "mean_rank"] == 1
    wide = pd.read_csv("w_padf.csv")
    assert wide.columns.tolist() == ["file", "good", "random"]
    # Only the series with an anomaly.
    assert wide["file"].tolist() == ["group/a"]
    # One series has an anomaly: places can be told, but nothing can be tested.
    ranks = pd.read_csv("r.csv")
    assert ranks["wins"].tolist() == [1] * 4
    assert ranks[["p", "p_holm"]].isna().all(axis=None)
    assert r"\textbf{1.000}" in (tree / "t.tex").read_text()
    picture = (tree / "p_padf.svg").read_text()
    assert picture.startswith("<svg")
    assert "good 1.00" in picture
    assert "null" in (tree / "l.csv").read_text()


@pytest.mark.parametrize("form", ["table", "csv", "json", "latex"])
def test_the_summary_is_printed_in_every_form(tree, capsys, form):
    assert main([*LINE[:-2], "--backend", "1", "--format", form]) == 0
    printed = capsys.readouterr().out
    assert "good" in printed
    if form == "json":
        made = json.loads(printed)
        assert made["rule"] == "common"
        assert "optimistic" in made["caveats"][0]
    if form == "table":
        assert "Null hypothesis of Friedman's test: on every series all orders" in printed
        assert "tuned on the labels that judge them" in printed
    if form == "latex":
        assert "one threshold for all series" in printed


def test_a_parquet_table_holds_the_same_and_is_read_again(tree):
    main([*LINE, "--backend", "1"])
    main([*LINE[:-1], "out.parquet", "--backend", "1"])
    one, other = (padf.read_result(tree / name) for name in ("out.csv", "out.parquet"))
    assert repr(one.rows) == repr(other.rows)
    assert repr(one.summary()) == repr(other.summary())


def test_a_table_of_an_earlier_version_is_read(tree):
    main([*LINE, "--backend", "1"])
    now = pd.read_csv("out.csv")
    before = now.rename(columns={"random_f1": "chance"})
    before.drop(columns=["random_f1_error", "flagged", "silent", "normal"]).to_csv(
        "old.csv", index=False
    )
    old = padf.read_result(tree / "old.csv")
    assert old.detectors == ["good", "random"]
    assert [row.pooled_f1 for row in old.summary()] == [
        row.pooled_f1 for row in padf.read_result(tree / "out.csv").summary()
    ]
    assert np.isnan(old.summary()[0].pooled_random_f1_error)
    assert old.summary()[0].pooled_random_f1 == now["random_f1"][now["series"] == "pooled"].iloc[0]


def test_the_random_baseline_under_its_old_name(tree, capsys):
    main([*LINE, "--backend", "1", "--chance", "0"])
    assert "--chance is now --random" in capsys.readouterr().err
    assert pd.read_csv("out.csv")["random_f1"].isna().all()
    options = padf.ReadOptions(order="sort")
    corpus = padf.Corpus.from_files("results", layout="nab", labels=LINE[5], options=options)
    with pytest.warns(DeprecationWarning, match="random="):
        corpus.evaluate([padf.Pointwise()], chance=0)


def test_a_bad_file_is_skipped_and_the_exit_code_says_so(tree, capsys):
    (tree / "results/random/group/random_b.csv").write_text("timestamp,anomaly_score\n1,x\n")
    assert main([*LINE, "--backend", "1"]) == 1
    assert "skipped: " in capsys.readouterr().err
    assert len(pd.read_csv("out.csv").query("detector == 'good'")) == 4 * 4


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("corpus nowhere", "cannot be opened as a file or folder"),
        ("corpus results --threshold bset", "thresholds must be best, common"),
        ("corpus results --out no/where.csv", "the folder does not exist"),
        ("corpus results --probation 2", "probation must be"),
        ("corpus results --backend odd", "backend must be"),
        ("corpus results --onsets labels/combined_labels.json --shift 3", "use only one of them"),
        ("corpus results --onsets labels/combined_windows.json", "list of moments"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_code_2(tree, capsys, call, reason):
    assert main(call.split()) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("padf: ")
    assert reason in error


def test_a_reader_that_has_seen_enough_is_no_error(tree, monkeypatch):
    def closed(text):
        raise BrokenPipeError

    with monkeypatch.context() as patched:
        patched.setattr("sys.stdout", SimpleNamespace(write=closed, flush=lambda: None))
        assert main([*LINE, "--backend", "1"]) == 0
    assert (tree / "out.csv").exists()
    assert not (tree / "out.csv.parts").exists()


def test_a_file_that_changed_is_read_again(tmp_path):
    folder = write_tables(tmp_path / "tables", count=2)
    corpus = padf.Corpus.from_files(folder)
    keep = tmp_path / "kept"
    first = corpus.evaluate([padf.Pointwise()], thresholds="common", keep=keep, random=0)
    frame = pd.read_csv(folder / "series_00.csv")
    frame["one score"] = np.where(frame["label"] == 1, 9.5, 0.5)
    frame.to_csv(folder / "series_00.csv", index=False)
    again = padf.Corpus.from_files(folder).evaluate(
        [padf.Pointwise()], thresholds="common", keep=keep, random=0
    )
    fresh = padf.Corpus.from_files(folder).evaluate(
        [padf.Pointwise()], thresholds="common", random=0
    )
    assert repr(again.rows) == repr(fresh.rows) != repr(first.rows)


def test_progress_rises_to_one(tmp_path):
    told = []
    corpus = padf.Corpus.from_files(write_tables(tmp_path / "tables"))
    corpus.evaluate([padf.Pointwise()], thresholds="common", progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1


def test_the_columns_of_a_long_table_can_be_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    columns = ["machine", "who", "draw", "truth", "s"]
    rows = [("m", "d", 7, label, at) for label, at in zip([0, 1, 0], [1, 3, 2], strict=True)]
    pd.DataFrame(rows, columns=columns).to_csv("long.csv", index=False)
    call = ["corpus", "long.csv", "--layout", "long", "--backend", "1", "--out", "out.csv"]
    assert main(call) == 2
    assert "use --detector to name the column with the scores" in capsys.readouterr().err
    named = ["--series-column", "machine", "--detector-column", "who", "--seed-column", "draw"]
    assert main([*call, *named, "--label", "truth", "--detector", "s"]) == 0
    made = pd.read_csv("out.csv")
    assert made[["series", "detector", "seed"]].iloc[0].tolist() == ["m", "d", 7]


def test_a_long_table_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [("a", "d", label, score) for label, score in zip([0, 1, 0], [1, 3, 2], strict=True)]
    frame = pd.DataFrame(rows, columns=["series", "detector", "label", "score"])
    frame.to_csv("long.csv", index=False)
    assert main(["corpus", "long.csv", "--backend", "1", "--out", "out.csv"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["long.csv", "out.csv"]

"""Results and files that no run of a corpus would write: a sentence, and nothing of it at work."""

import csv
import io
import os
import tempfile
from dataclasses import replace
from types import SimpleNamespace

import pytest

import padf_core as padf
from padf_core.corpus import writing
from padf_core.corpus.results import CorpusResult
from padf_core.corpus.writing import read_result, tidy_csv
from padf_ui.corpus.corpus_upload import MAX_LABEL_MEGABYTES, _prepared
from padf_ui.corpus.downloads_page import for_spreadsheets
from padf_ui.server import temporary_folders
from padf_ui.session.corpus import nab_result


@pytest.fixture(scope="module")
def rows():
    return nab_result("windows").rows[:200]


def opened(rows):
    return read_result(tidy_csv(CorpusResult(tuple(rows))).encode(), "out.csv")


def test_what_a_run_writes_is_read_again(rows):
    assert len(opened(rows).rows) == len(rows)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"protocol": "![x](http://127.0.0.1:9/pixel.png)"},
            "protocol must be as written by padf corpus",
        ),
        ({"setting": "[click](http://evil.example/)"}, "setting must be as written by padf corpus"),
        ({"setting": "<a href=x>y</a>"}, "setting must be as written by padf corpus"),
        ({"rule": "x" * 101}, "rule must be as written by padf corpus"),
        ({"f1": float("inf")}, "f1 must be from 0 to 1; got inf"),
        ({"random_f1": -0.1}, "random_f1 must be from 0 to 1; got -0.1"),
        ({"segments": float("nan")}, "segments must be a number of at least 0; got nan"),
        ({"wanted": float("inf")}, "wanted must be a number of at least 0; got inf"),
    ],
)
def test_what_no_run_writes_is_refused_with_its_row(rows, change, problem):
    with pytest.raises(ValueError, match=r"out\.csv: row 3: ") as error:
        opened([*rows[:2], replace(rows[2], **change), *rows[3:]])
    assert problem in str(error.value)


def test_a_protocol_without_a_series_and_too_many_rows_are_refused(rows, monkeypatch):
    whole = next(row for row in rows if row.is_whole)
    with pytest.raises(ValueError, match="has no series under 'alone'"):
        opened([*rows, replace(whole, protocol="alone")])
    monkeypatch.setattr(writing, "MOST_ROWS", 150)
    with pytest.raises(ValueError, match=r"has more than .* rows, the maximum"):
        opened(rows)


def test_no_name_is_taken_for_a_formula(rows):
    name = '=HYPERLINK("http://evil.example","x")'
    text = tidy_csv(CorpusResult((replace(rows[0], detector=name, threshold=-0.5),)))
    (row,) = csv.DictReader(io.StringIO(for_spreadsheets(text)))
    assert row["detector"] == f"'{name}"
    assert (row["series"], row["threshold"]) == (rows[0].series, "-0.5")


def uploaded(*names, content=b"label,score\n0,0.1\n1,0.9\n0,0.3\n", size=None):
    return [
        SimpleNamespace(name=name, size=size or len(content), getvalue=lambda: content)
        for name in names
    ]


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (("a?.csv", "a*.csv"), "two files have the same name: a_.csv"),
        (("x/../a.csv", "x/a.csv"), "two files have the same name: a.csv"),
        (("x" * 300 + ".csv",), "cannot be saved under this name"),
        (("a.csv", "a.csv/b.csv"), "cannot be saved under this name"),
        (("labels.json",), "these are only JSON files"),
    ],
)
def test_files_that_cannot_be_laid_down_are_refused_with_a_sentence(names, problem):
    with pytest.raises(ValueError, match=problem):
        _prepared(uploaded(*names), "best", padf.ReadOptions())


def test_labels_have_a_limit_of_their_own():
    large = uploaded("w.json", content=b"{}", size=MAX_LABEL_MEGABYTES * 1_000_000 + 1)
    with pytest.raises(ValueError, match="labels or onsets may have at most 5 MB"):
        _prepared([*uploaded("a.csv"), *large], "best", padf.ReadOptions())


def test_folders_of_servers_that_are_no_more_are_taken_away(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("padf-corpus-999999999-x", f"padf-corpus-{os.getpid()}-y", "padf-corpus-z"):
        (tmp_path / name).mkdir()
    temporary_folders.clear()
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {f"padf-corpus-{os.getpid()}-y", "padf-corpus-z"}
    assert temporary_folders.prefix().startswith("padf-corpus-")


def test_a_series_that_is_alone_is_judged_at_its_own_best_threshold():
    content = b"label,score\n" + b"0,0.1\n1,0.9\n0,0.3\n0,0.2\n" * 5
    alone = _prepared(uploaded("a.csv", content=content), "others", padf.ReadOptions())
    assert alone.rule == "best"
    assert alone.run(lambda share: None).result.rule == "best"
    both = _prepared(uploaded("a.csv", "b.csv", content=content), "others", padf.ReadOptions())
    assert both.rule == "others"
    # What was guessed is shown on the page.
    assert both.corpus.plan.notices == ("label: label", "scores: score")

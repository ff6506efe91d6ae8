"""Corpora of strangers' files in a process of their own: the same result, and nothing else."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import padf_core as padf
from padf_core.corpus import sandboxed
from padf_core.corpus.writing import tidy_csv
from padf_core.io.errors import TableError
from tests.core.corpus_files import write_nab, write_tables

NAB_LABELS = ("windows", "labels")
PROTOCOLS = [padf.PointAdjust(), padf.PointAdjustDecay()]

pytestmark = pytest.mark.usefixtures("reader")


def opened(folder, tmp_path, *said):
    return sandboxed.open_corpus(folder, tmp_path / "rows", padf.ReadOptions(), said)


def test_what_is_run_there_is_what_is_run_here(tmp_path):
    write_nab(tmp_path)
    labels, onsets = (tmp_path / "labels" / f"combined_{name}.json" for name in NAB_LABELS)
    other = tmp_path / "labels" / "other.json"
    other.write_text('{"standard": 64.4}')
    there = opened(tmp_path / "results", tmp_path, onsets, other, labels)
    here = padf.Corpus.from_files(tmp_path / "results", labels=labels, onsets=onsets)
    assert there.plan == here.plan
    shares = []
    made = sandboxed.evaluate_in_sandbox(
        there, PROTOCOLS, "common", tmp_path / "kept", shares.append
    )
    expected = here.evaluate(PROTOCOLS, thresholds="common")
    assert tidy_csv(made) == tidy_csv(expected)
    assert made.left_out == expected.left_out
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path):
    corpus = opened(write_tables(tmp_path / "tables", count=5), tmp_path)
    kept = tmp_path / "kept"

    class Stopped(Exception):
        pass

    def stop(share):
        if share > 0.3:
            raise Stopped

    with pytest.raises(Stopped):
        sandboxed.evaluate_in_sandbox(corpus, PROTOCOLS, "best", kept, stop)
    done = {path.name for path in kept.glob("*.json")}
    assert done  # at least the first two of five
    before = {path.name: path.stat().st_mtime_ns for path in kept.glob("*.json")}
    made = sandboxed.evaluate_in_sandbox(corpus, PROTOCOLS, "best", kept)
    after = {path.name: path.stat().st_mtime_ns for path in kept.glob("*.json")}
    assert {name: after[name] for name in done} == {name: before[name] for name in done}
    assert tidy_csv(made) == tidy_csv(corpus.evaluate(PROTOCOLS, thresholds="best"))


def test_a_series_and_a_result_are_opened_there(tmp_path):
    corpus = opened(write_tables(tmp_path / "tables"), tmp_path)
    series = sandboxed.read_one_series(corpus, "series_01")
    assert "two score" in series.names
    result = corpus.evaluate(PROTOCOLS)
    path = tmp_path / "out.csv"
    path.write_text(tidy_csv(result))
    again = sandboxed.open_result(lambda: path.open("rb"), "out.csv")
    assert tidy_csv(again) == tidy_csv(result)


def test_what_is_wrong_is_told_as_here(tmp_path):
    (tmp_path / "tables").mkdir()
    quiet = "".join(f"0,{(7 * at % 50) / 50}\n" for at in range(50))
    (tmp_path / "tables" / "a.csv").write_text(f"label,score\n{quiet}")
    corpus = opened(tmp_path / "tables", tmp_path)
    with pytest.raises(ValueError, match="nothing is left to compare") as error:
        sandboxed.evaluate_in_sandbox(corpus, PROTOCOLS, "best", tmp_path / "kept")
    with pytest.raises(ValueError) as expected:
        corpus.evaluate(PROTOCOLS)
    assert str(error.value) == str(expected.value)


def test_results_that_cannot_be_kept_end_the_run(tmp_path):
    corpus = opened(write_tables(tmp_path / "tables"), tmp_path)
    sandboxed.evaluate_in_sandbox(corpus, PROTOCOLS, "common", tmp_path / "once")
    # A folder stands where a file has to be written.
    (name, *_) = [path.name for path in (tmp_path / "once").glob("*.arrays")]
    (tmp_path / "kept" / name).mkdir(parents=True)
    with pytest.raises(TableError, match="The server cannot keep the results"):
        sandboxed.evaluate_in_sandbox(corpus, PROTOCOLS, "common", tmp_path / "kept")


def test_files_that_unpack_into_more_than_a_run_may_take_are_skipped(tmp_path, monkeypatch):
    # Five million rows of two detectors and a label are some 85 MB as numbers, and a few kB packed.
    rows = 5_000_000
    constant = pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array([0.5]))
    folder = write_tables(tmp_path / "tables", count=2)
    large = {"label": np.arange(rows) % 1000 == 0, "one": constant, "two score": constant}
    parquet.write_table(pa.table(large), folder / "large.parquet", compression="zstd")
    corpus = opened(folder, tmp_path)
    monkeypatch.setattr(sandboxed, "RUN_BYTES", 60 << 20)
    result = sandboxed.evaluate_in_sandbox(corpus, PROTOCOLS, "best", tmp_path / "kept")
    assert result.series == ["series_00", "series_01"]
    (left,) = [each for each in result.left_out if each.is_bad]
    assert left.what.startswith("large")

"""What once took minutes: counted, not timed, so that it cannot come back on a faster machine."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core import Settings
from padf_core.io import series as series_module
from padf_core.io import times
from padf_core.io.errors import TableError
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions
from padf_core.io.read import series_from
from padf_core.io.read_columns import needed_bytes
from padf_core.io.series import make_series
from padf_core.metrics import rows
from padf_ui.data import timeline_message
from padf_ui.session.stretch import View


@pytest.mark.parametrize("bad", [1, 777, 19_998])
def test_one_unreadable_time_is_found_by_halving(monkeypatch, bad):
    column = pd.Series(pd.date_range("2024-01-01", periods=20_000, freq="min").astype(str))
    column.iloc[bad] = "no time"
    read, parse = [], times.parse_times
    monkeypatch.setattr(
        times, "parse_times", lambda part, way: read.append(len(part)) or parse(part, way)
    )
    with pytest.raises(TableError, match=f"row {bad + 1}: is not a time like those before it"):
        times.TimeReader("mine", "time").add(column)
    # Each way reads all of it once, and then ever smaller halves: twice as much at the most.
    assert sum(read) < 4 * len(column)


def test_as_many_segments_are_drawn_as_there_are_cells():
    size = 200_000
    labels = np.arange(size) % 2
    series = make_series("x", labels, {"a": np.random.default_rng(0).random(size)})
    assert len(series.segments) == size // 2
    rows, _ = timeline_message.timeline_rows(
        series, series.detectors[0], Settings(), 0.5, View(0, size)
    )
    assert len(rows["segments"]) <= timeline_message.CELLS


def test_shifts_find_the_segments_once(monkeypatch):
    labels, alarms = [0, 1, 1, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0, 0, 1]
    found, runs = [], rows.runs_of
    monkeypatch.setattr(rows, "runs_of", lambda *given: found.append(given) or runs(*given))
    (curve,) = padf.f1_over_shift(labels, alarms, [padf.PointAdjust()], range(-3, 4))
    assert curve.f1.size == 7
    assert len(found) == 1


def test_the_memory_that_is_told_is_enough_when_every_row_is_anomalous():
    size, rng = 200_000, np.random.default_rng(0)
    frame = pd.DataFrame({"label": 1, "a": rng.random(size), "b": rng.random(size)})
    table = open_table(frame.to_csv(index=False).encode(), "mine")
    roles = ReadOptions("label", ("a", "b"))
    tracemalloc.start()
    series = series_from(table, roles)
    for detector in series.detectors:
        for protocol in Settings().protocols():
            detector.best(protocol)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < needed_bytes(table, roles, size)


def test_whether_a_score_works_upside_down_is_told_by_a_sample_alone(monkeypatch):
    monkeypatch.setattr(series_module, "SAMPLED", 1000)
    labels = np.arange(10_000) % 50 == 41  # Every tenth row would show none of them.
    scores = np.random.default_rng(0).random(10_000) - labels
    made = make_series("x", labels, {"low": scores, "high": -scores})
    before = [detector.is_upside_down for detector in made.detectors]
    assert before == [True, False]
    assert not any("ranked" in vars(detector) for detector in made.detectors)
    looked_at = [detector._sampled for detector in made.detectors]
    assert [sample.normal + sample.anomalous for sample in looked_at] == [1000, 1000]
    # Sorting all of them meanwhile changes nothing: app and command say the same.
    again = [detector.ranked and detector.is_upside_down for detector in made.detectors]
    assert again == before

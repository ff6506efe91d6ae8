"""What the timeline shows of a stretch: cells in which nothing is lost, and exact numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from padf_core import Settings, evaluate_all, rank_scores
from padf_core.data.series import make_series
from padf_core.data.times import Clock
from padf_ui.lanes import window
from padf_ui.lanes.window import View, around, clamped, threshold_slider, window_rows
from tests.strategies import label_lists


def rows_of(labels, scores, threshold, view, **options):
    series = make_series("x", labels, {"a": np.asarray(scores)}, **options)
    detector = series.detectors[0]
    results = detector.evaluate(threshold, Settings().protocols())
    return window_rows(series, detector, threshold, results, view)


@given(label_lists(max_size=60), st.data())
def test_no_segment_and_no_alarm_is_lost_in_any_view(labels, data):
    size = len(labels)
    scores = data.draw(st.lists(st.integers(10, 19), min_size=size, max_size=size))
    first = data.draw(st.integers(0, size - 1))
    last = data.draw(st.integers(first + 1, size))
    cells = data.draw(st.integers(1, 12))
    limit, window.CELLS = window.CELLS, cells
    try:
        rows = rows_of(labels, scores, 17, View(first, last))
    finally:
        window.CELLS = limit
    count = rows["cells"]
    assert count == min(cells, last - first)
    for kind, wanted in (("hits", 1), ("falses", 0)):
        shown = [cell for cell, bit in enumerate(rows[kind]) if bit == "1"]
        points = [t for t in range(first, last) if scores[t] >= 17 and labels[t] == wanted]
        # A point t lies in the cell whose edges, cell * length // count, enclose it.
        edges = [first + cell * (last - first) // count for cell in range(count + 1)]
        held = sorted({max(c for c in range(count) if edges[c] <= t) for t in points})
        assert shown == held
    # Every anomalous point in view lies inside a segment that is drawn.
    scale = count / (last - first)
    for t in range(first, last):
        if labels[t]:
            middle = (t + 0.5 - first) * scale
            assert any(s["start"] <= middle <= s["stop"] for s in rows["segments"])
    peaks = [max(scores[edges[c] : edges[c + 1]]) for c in range(count)]
    low, high = rows["limits"]
    assert rows["score"]["high"] == [round((peak - low) / (high - low) * 1000) for peak in peaks]


def test_numbers_at_the_lanes_are_those_of_the_whole_series():
    labels = [0, 1, 1, 0, 0, 1, 0, 0]
    scores = [0.2, 0.1, 0.9, 0.8, 0.1, 0.1, 0.3, 0.1]
    rows = rows_of(labels, scores, 0.8, View(0, 5))
    # One of two segments found one step late, one false alarm: 2/5, 4/6, 4/6, 2*1.8/(3+2.8).
    assert [lane["f1"] for lane in rows["lanes"]] == ["0.400", "0.667", "0.667", "0.621"]
    assert [s["credit"] for s in rows["segments"]] == [[None, "1.00", "1.00", "0.90"]]
    assert rows["segments"][0]["late"] == "delay 1"
    assert rows["alarms"] == "2 flagged, 1 false"
    assert rows["hits"] == "00100"
    assert rows["falses"] == "00010"


def test_delays_and_ticks_are_on_the_clock():
    clock = Clock(
        start=1_718_000_000_000_000 // 86_400_000_000 * 86_400_000_000, step_seconds=300.0, size=600
    )
    labels = np.zeros(600, dtype=int)
    labels[100:120] = 1
    scores = np.zeros(600)
    scores[104] = 5
    scores[300] = 6.5
    rows = rows_of(labels, scores, 5, View(0, 600), clock=clock)
    assert rows["segments"][0]["late"] == "delay 20 min"
    assert [tick["name"] for tick in rows["ticks"]][:2] == ["10 Jun 00:00", "10 Jun 12:00"]
    assert rows["shown"].startswith("2024-06-10 00:00 to 2024-06-12 01:55 (2 d 2 h, 600 of 600")
    near = rows_of(labels, scores, 5, View(96, 108), clock=clock)
    assert [tick["name"] for tick in near["ticks"]][:2] == ["08:00", "08:10"]


def test_infinite_scores_and_missing_values_are_drawn():
    values = np.array([np.nan, 1.0, np.nan, 3.0])
    rows = rows_of([0, 1, 1, 0], [np.inf, -np.inf, 1.0, 2.0], 1.5, View(0, 4), value=values)
    assert rows["limits"] == [1.0, 2.0]
    assert rows["score"]["high"] == [1000, 0, 0, 1000]
    assert rows["value"]["high"] == [-1, 0, -1, 1000]
    assert rows["value"]["names"] == ["1", "3"]
    flat = rows_of([0, 1], [0.5, 0.5], 0.5, View(0, 2), value=np.array([np.nan, np.nan]))
    assert flat["value"]["high"] == [-1, -1]


@given(label_lists(), st.data())
def test_the_slider_holds_the_cores_numbers(labels, data):
    size = len(labels)
    scores = data.draw(
        st.lists(st.sampled_from([0.5, 1.5, 2.0, 3.25, 9.0]), min_size=size, max_size=size)
    )
    detector = make_series("x", labels, {"a": np.array(scores)}).detectors[0]
    protocols = Settings().protocols()
    slider = threshold_slider(detector, protocols, 1.7)
    assert slider["steps"] == sorted({*scores, 1.7})
    assert slider["steps"][slider["at"]] == 1.7
    for place, threshold in enumerate(slider["steps"]):
        results = evaluate_all(labels, [s >= threshold for s in scores], protocols)
        for result in results:
            assert slider["texts"][result.protocol.key][place] == f"{result.f1:.3f}"
    best = rank_scores(labels, scores).best(protocols[3])
    assert max(slider["f1"]["padf"]) == pytest.approx(best.f1, abs=1e-5)


def test_an_infinite_best_threshold_is_shown_where_it_flags_the_same():
    labels = [0, 1, 1, 0, 0]
    scores = np.array([0.1, np.inf, 0.2, 0.9, 0.3])
    detector = make_series("x", labels, {"a": scores}).detectors[0]
    protocols = Settings().protocols()
    best = detector.best(protocols[3])
    assert best.threshold == np.inf
    slider = threshold_slider(detector, protocols, best.threshold)
    assert slider["texts"]["padf"][slider["at"]] == f"{best.f1:.3f}"
    assert 0.9 < slider["steps"][slider["at"]] < 0.9001


@pytest.mark.parametrize("scores", [[1e17] * 3, [np.inf] * 3, [np.inf, -np.inf, np.inf], [2.5] * 3])
def test_scores_that_hardly_differ_are_drawn(scores):
    rows = rows_of([0, 1, 0], np.array(scores), scores[1], View(0, 3))
    assert len(rows["score"]["high"]) == 3
    detector = make_series("x", [0, 1, 0], {"a": np.array(scores)}).detectors[0]
    slider = threshold_slider(detector, Settings().protocols(), scores[1])
    assert slider is None or slider["steps"]


def test_the_last_years_of_the_calendar_are_drawn():
    year = 365 * 86400 * 1_000_000
    clock = Clock(start=8028 * year, step_seconds=86400.0, size=600)
    labels = np.zeros(600, dtype=int)
    labels[5] = 1
    assert rows_of(labels, np.arange(600) + 0.5, 3, View(0, 600), clock=clock)["ticks"]


def test_detections_have_no_slider():
    detector = make_series("x", [0, 1], {"a": np.array([0, 1])}).detectors[0]
    assert threshold_slider(detector, Settings().protocols(), 1.0) is None


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.integers(1, 5000))
def test_a_view_stays_inside_the_series(first, last, size):
    view = clamped(first, last, size)
    assert 0 <= view.first < view.last <= size
    assert view.last - view.first >= min(5, size)


def test_around_a_segment_there_is_time_on_either_side():
    labels = [0] * 50 + [1] * 10 + [0] * 50
    series = make_series("x", labels, {"a": np.zeros(110)})
    assert around(series, 0) == View(40, 70)


@given(label_lists(max_size=60))
def test_going_to_the_next_segment_visits_every_one(labels):
    labels = [0] * 80 + labels + [0] * 80
    series = make_series("x", labels, {"a": np.zeros(len(labels))})
    count = len(series.segments)
    view = View(0, series.size)
    seen = []
    for _ in range(max(1, count)):
        number = window.next_segment(series, view)
        seen.append(number)
        view = around(series, number)
    views = {around(series, number) for number in range(count)}
    # Segments that share a view are passed over together.
    assert {around(series, number) for number in seen} == (views or {View(0, series.size)})

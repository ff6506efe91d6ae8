"""What the timeline shows of a stretch: cells in which nothing is lost, and exact numbers.

The browser looks up the step under the thumb. At every step of the threshold, and at every step of
each lane's own slider, what it finds there must be what brute force makes of the whole series.
"""

from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from padf_core import Settings, rank_scores
from padf_core.io.series import make_series
from padf_core.io.times import Clock, make_clock
from padf_core.io.timestamps import parse_moment
from padf_ui.data import timeline_cells, timeline_message
from padf_ui.data.timeline_cells import levels_of
from padf_ui.data.timeline_message import MAX_ARROWS, timeline_rows
from padf_ui.session.stretch import View, around, clamped, next_segment
from padf_ui.session.study import threshold_of
from tests import naive
from tests.strategies import FOUR, LANE_SETS, all_settings, label_lists
from tests.ui.unpacked import check_credit, check_scores, row_at, unpack


@contextmanager
def fewer_cells(cells):
    """Let cells hold several points each, as they do in a long series."""
    known = timeline_message.CELLS, timeline_cells.STRIP_CELLS
    timeline_message.CELLS = timeline_cells.STRIP_CELLS = cells
    try:
        yield
    finally:
        timeline_message.CELLS, timeline_cells.STRIP_CELLS = known


def rows_of(labels, scores, threshold, view, chosen=None, **options):
    series = make_series("x", labels, {"a": np.asarray(scores)}, **options)
    return timeline_rows(series, series.detectors[0], chosen or Settings(), threshold, view)


def steps_of_threshold(sliders, threshold):
    """The thresholds that the thumb can stand at; detections have none to choose."""
    first = sliders[0] if sliders else None
    return first["steps"] if first and first["key"] == "threshold" else [threshold]


def cells_of(first, last, count):
    """The points of each cell: its edges are cell * length // count."""
    edges = [first + cell * (last - first) // count for cell in range(count + 1)]
    return [range(*ends) for ends in pairwise(edges)]


@st.composite
def series_in_view(draw, max_size=30):
    """(labels, scores, threshold, view, cells)."""
    labels = draw(label_lists(max_size))
    size = len(labels)
    value = draw(
        st.sampled_from(
            [
                st.integers(10, 19),
                st.sampled_from([0.5, 1.5, 2.0, 3.25, 9.0, 0.1]),
                st.sampled_from([-1.5, 0.25, 7.0, float("inf")]),
                st.sampled_from([float("-inf"), 0.25, 7.0]),
                st.integers(0, 1),
            ]
        )
    )
    scores = draw(st.lists(value, min_size=size, max_size=size))
    first = draw(st.integers(0, size - 1))
    view = View(first, draw(st.integers(first + 1, size)))
    threshold = draw(st.one_of(st.sampled_from(scores), st.sampled_from([1.7, 12.5, 100.0])))
    return labels, scores, threshold, view, draw(st.integers(1, 12))


# ---- the threshold -------------------------------------------------------------------------------


@given(series_in_view(), all_settings(), st.sampled_from(LANE_SETS))
@settings(max_examples=60)
def test_every_step_of_the_threshold_is_brute_force_s(case, drawn, lanes):
    labels, scores, threshold, view, cells = case
    chosen = drawn.with_lanes(lanes)
    with fewer_cells(cells):
        rows, sliders = rows_of(labels, scores, threshold, view, chosen)
    is_binary = set(scores) <= {0, 1}
    steps = [1] if is_binary else steps_of_threshold(sliders, threshold)
    count = rows["cells"]
    assert count == min(cells, view.last - view.first)
    assert len(rows["heights"]) == len(steps)
    places = cells_of(view.first, view.last, count)
    whole = cells_of(0, len(labels), len(rows["strip"]["levels"]))
    segments, base = naive.segments(labels), chosen.protocol("pointwise")
    told = unpack(rows["alarms"])
    for step, at in enumerate(steps):
        flags = [int(score >= threshold_of(at)) for score in scores]
        if not is_binary:
            text = rows["thresholds"][step]
            assert [int(score >= float(text)) for score in scores] == flags
        for kind, levels in ((1, rows["hit"]), (0, rows["wrong"])):
            held = [any(flags[t] and labels[t] == kind for t in cell) for cell in places]
            assert [step < level for level in levels] == held
        strip = [any(flags[t] for t in cell) for cell in whole]
        assert [step < level for level in rows["strip"]["levels"]] == strip
        wrong = naive.false_points(labels, flags)
        assert told[step] == f"{sum(flags)} flagged, {wrong} false"
        for drawn_segment, hits in zip(rows["segments"], rows["found"], strict=True):
            start, stop = segments[drawn_segment["number"]]
            inside = flags[start:stop]
            delay = inside.index(1) if 1 in inside else -1
            hit = [each for each in hits if each["step"] <= step][-1]
            scale = count / (view.last - view.first)
            assert hit["delay"] == (round(delay * scale, 3) if delay >= 0 else -1)
            late = "missed" if delay < 0 else f"delay {delay}" if delay else "no delay"
            assert hit["late"] == late
        for lane in rows["lanes"]:
            protocol = chosen.protocol(lane["key"])
            row = row_at(lane["over_threshold"], step)
            check_scores(row, labels, flags, protocol, base)
            for drawn_segment, granted in zip(rows["segments"], row.credit, strict=True):
                segment = segments[drawn_segment["number"]]
                check_credit(granted, labels, flags, protocol, segment)


@pytest.mark.slow
@given(series_in_view(max_size=20), all_settings(), st.sampled_from(LANE_SETS))
@settings(max_examples=15)
def test_every_step_of_each_lanes_own_slider_is_brute_force_s(case, drawn, lanes):
    labels, scores, threshold, view, _ = case
    chosen = drawn.with_lanes(lanes)
    rows, sliders = rows_of(labels, scores, threshold, view, chosen)
    is_binary = set(scores) <= {0, 1}
    at = 1 if is_binary else threshold_of(steps_of_threshold(sliders, threshold)[rows["at"]])
    # What the slider calls the threshold in use flags what the threshold in use flags.
    flags = [int(score >= (1 if is_binary else threshold)) for score in scores]
    assert flags == [int(score >= at) for score in scores]
    own = {slider["lane"]: slider["steps"] for slider in sliders if slider["key"] != "threshold"}
    segments, base = naive.segments(labels), chosen.protocol("pointwise")
    for lane in rows["lanes"]:
        key = lane["key"]
        if lane["over_own"] is None:
            assert key not in own
            continue
        number = chosen.number(key)
        assert lane["slider"] == number.key
        for step, value in enumerate(own[key]):
            protocol = chosen.replace(**{number.key: value}).protocol(key)
            row = row_at(lane["over_own"], step)
            check_scores(row, labels, flags, protocol, base)
            for drawn_segment, granted in zip(rows["segments"], row.credit, strict=True):
                check_credit(granted, labels, flags, protocol, segments[drawn_segment["number"]])
        now = own[key].index(chosen[number.key])
        assert row_at(lane["over_own"], now) == row_at(lane["over_threshold"], rows["at"])


@given(series_in_view(max_size=60))
def test_no_segment_and_no_alarm_is_lost_in_any_view(case):
    labels, scores, threshold, view, cells = case
    first, last = view.first, view.last
    with fewer_cells(cells):
        rows, _ = rows_of(labels, scores, threshold, view)
    count = rows["cells"]
    places = cells_of(first, last, count)
    # Every anomalous point in view lies inside a segment that is drawn.
    scale = count / (last - first)
    for t in range(first, last):
        if labels[t]:
            middle = (t + 0.5 - first) * scale
            assert any(s["start"] <= middle <= s["stop"] for s in rows["segments"])
    # And every segment that is drawn begins with one of its own points, in view.
    segments = naive.segments(labels)
    for drawn in rows["segments"]:
        start, stop = segments[drawn["number"]]
        assert start < last
        assert stop > first
        assert drawn["start"] == pytest.approx(max(0, (start - first) * scale), abs=0.001)
    finite = [score for score in scores if np.isfinite(score)]
    low, high = (min(finite), max(finite)) if finite else (0, 1)
    if high > low:
        inside = [min(high, max(low, score)) for score in scores]
        peaks = [max(inside[t] for t in cell) for cell in places]
        troughs = [min(inside[t] for t in cell) for cell in places]
        for shown, values in (("high", peaks), ("low", troughs)):
            wanted = [(value - low) / (high - low) * 1000 for value in values]
            assert rows["score"][shown] == pytest.approx(wanted, abs=0.51)
    strip = rows["strip"]["labels"]
    held = [any(labels[t] for t in cell) for cell in cells_of(0, len(labels), len(strip))]
    assert [bit == "1" for bit in strip] == held


def test_numbers_at_the_lanes_are_those_of_the_whole_series():
    labels = [0, 1, 1, 0, 0, 1, 0, 0]
    scores = [0.2, 0.1, 0.9, 0.8, 0.1, 0.1, 0.3, 0.1]
    rows, sliders = rows_of(labels, scores, 0.8, View(0, 5))
    assert sliders[0]["steps"][rows["at"]] == 0.8
    shown = {lane["key"]: row_at(lane["over_threshold"], rows["at"]) for lane in rows["lanes"]}
    lanes = {key: shown[key] for key in FOUR}
    # One of two segments found one step late, one false alarm: 2/5, 4/6, 4/6, 2*1.8/(3+2.8).
    assert {key: row.f1 for key, row in lanes.items()} == {
        "pointwise": 0.4,
        "pa": 0.667,
        "pa_k": 0.667,
        "padf": 0.621,
    }
    assert {key: row.gain for key, row in lanes.items()} == {
        "pointwise": None,
        "pa": 0.267,
        "pa_k": 0.267,
        "padf": 0.221,
    }
    assert {key: row.credit for key, row in lanes.items()} == {
        "pointwise": [None],
        "pa": [1.0],
        "pa_k": [1.0],
        "padf": [0.9],
    }
    assert unpack(rows["alarms"])[rows["at"]] == "2 flagged, 1 false"
    assert [rows["at"] < level for level in rows["hit"]] == [False, False, True, False, False]
    assert [rows["at"] < level for level in rows["wrong"]] == [False, False, False, True, False]
    assert unpack(sliders[0]["notes"])[rows["at"]] == "flags 25 % of all points"


@pytest.mark.parametrize("lanes", LANE_SETS)
def test_the_best_threshold_of_every_lane_is_a_step(lanes):
    rng = np.random.default_rng(3)
    labels = (np.arange(4000) % 200 > 180).astype(int)
    scores = rng.random(4000) + 0.4 * labels
    chosen = Settings(lanes)
    rows, sliders = rows_of(labels, scores, 0.77, View(0, 4000), chosen)
    steps = sliders[0]["steps"]
    assert steps == sorted(steps)
    assert len(steps) < 200
    assert steps[rows["at"]] == 0.77
    ranked = rank_scores(labels, scores)
    for lane in rows["lanes"]:
        best = ranked.best(chosen.protocol(lane["key"]))
        row = row_at(lane["over_threshold"], steps.index(best.threshold))
        assert row.f1 == pytest.approx(best.f1, abs=0.00051)
        assert max(lane["over_threshold"]["f1"]) == round(row.f1 * 1000)


def test_delays_of_too_many_segments_are_not_told():
    labels = [0, 1] * (MAX_ARROWS + 1)
    scores = np.linspace(0.5, 9.5, len(labels))
    rows, _ = rows_of(labels, scores, 3.0, View(0, len(labels)))
    assert rows["found"] == [[]] * (MAX_ARROWS + 1)
    fewer, _ = rows_of(labels, scores, 3.0, View(0, 2 * MAX_ARROWS))
    assert all(fewer["found"])


# ---- the clock -----------------------------------------------------------------------------------


def test_delays_and_ticks_are_on_the_clock():
    clock = Clock(
        start=1_718_000_000_000_000 // 86_400_000_000 * 86_400_000_000, step_seconds=300.0, size=600
    )
    labels = np.zeros(600, dtype=int)
    labels[100:120] = 1
    scores = np.zeros(600)
    scores[104] = 5
    scores[300] = 6.5
    rows, sliders = rows_of(labels, scores, 5, View(0, 600), clock=clock)
    hit = [each for each in rows["found"][0] if each["step"] <= rows["at"]][-1]
    assert (hit["late"], hit["delay"]) == ("delay 20 min", 4)
    assert [tick["name"] for tick in rows["ticks"]][:2] == ["10 Jun 00:00", "10 Jun 12:00"]
    assert rows["shown"].startswith("2024-06-10 00:00 to 2024-06-12 01:55 (2 d 2 h, 600 of 600")
    decay = next(slider for slider in sliders if slider["lane"] == "padf")
    assert unpack(decay["notes"])[decay["at"]] == "credit halves every 32.9 min"
    near, _ = rows_of(labels, scores, 5, View(96, 108), clock=clock)
    assert [tick["name"] for tick in near["ticks"]][:2] == ["08:00", "08:10"]


@pytest.mark.parametrize(
    ("days", "names"),
    [
        (215, ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"]),
        (700, ["Jul", "Oct", "Jan", "Apr"]),
    ],
)
def test_ticks_over_months_stand_on_their_first_days(days, names):
    clock = make_clock(np.arange(days) * 86_400_000_000 + parse_moment("2014-06-20"))
    rows, _ = rows_of(
        [0, 1] * (days // 2) + [0] * (days % 2),
        [0.5, 0.7] * (days // 2) + [0.1] * (days % 2),
        0.6,
        View(0, days),
        clock=clock,
    )
    places = [round(tick["at"] * days / rows["cells"] - 0.5) for tick in rows["ticks"]]
    moments = [np.datetime64("2014-06-20") + place for place in places]
    assert all(str(moment).endswith("-01") for moment in moments)
    assert len(moments) >= 6
    assert {tick["name"].split()[0] for tick in rows["ticks"]} <= set(names)


def test_the_last_years_of_the_calendar_are_drawn():
    year = 365 * 86400 * 1_000_000
    clock = Clock(start=8028 * year, step_seconds=86400.0, size=600)
    labels = np.zeros(600, dtype=int)
    labels[5] = 1
    rows, _ = rows_of(labels, np.arange(600) + 0.5, 3, View(0, 600), clock=clock)
    assert rows["ticks"]


# ---- odd scores ----------------------------------------------------------------------------------


def test_infinite_scores_and_missing_values_are_drawn():
    values = np.array([np.nan, 1.0, np.nan, 3.0])
    scores = [np.inf, -np.inf, 1.0, 2.0]
    rows, sliders = rows_of([0, 1, 1, 0], scores, 1.5, View(0, 4), value=values)
    assert rows["score"]["high"] == [1000, 0, 0, 1000]
    assert rows["heights"][rows["at"]] == 500
    assert all(np.isfinite(sliders[0]["steps"]))
    assert rows["value"]["high"] == [-1, 0, -1, 1000]
    assert rows["value"]["names"] == ["1", "3"]
    flat, _ = rows_of([0, 1], [0.5, 0.5], 0.5, View(0, 2), value=np.array([np.nan, np.nan]))
    assert flat["value"]["high"] == [-1, -1]


def test_an_infinite_best_threshold_is_shown_where_it_flags_the_same():
    labels = [0, 1, 1, 0, 0]
    scores = np.array([0.1, np.inf, 0.2, 0.9, 0.3])
    best = rank_scores(labels, scores).best(Settings().protocol("padf"))
    assert best.threshold == np.inf
    rows, sliders = rows_of(labels, scores, best.threshold, View(0, 5))
    padf = next(lane for lane in rows["lanes"] if lane["key"] == "padf")
    assert row_at(padf["over_threshold"], rows["at"]).f1 == pytest.approx(best.f1, abs=0.0005)
    assert 0.9 < sliders[0]["steps"][rows["at"]] < 0.9001


@pytest.mark.parametrize("scores", [[1e17] * 3, [np.inf] * 3, [np.inf, -np.inf, np.inf], [2.5] * 3])
def test_scores_that_hardly_differ_are_drawn(scores):
    rows, sliders = rows_of([0, 1, 0], np.array(scores), scores[1], View(0, 3))
    assert len(rows["score"]["high"]) == 3
    assert len(rows["heights"]) == len(steps_of_threshold(sliders, scores[1]))
    assert all(0 <= rows["at"] < len(lane["over_threshold"]["places"]) for lane in rows["lanes"])


def test_detections_have_no_slider():
    rows, sliders = rows_of([0, 1], [0, 1], 1.0, View(0, 2))
    own = {slider["lane"]: slider["key"] for slider in sliders}
    assert own == {key: number.key for key, number in Settings().numbers().items()}
    assert (own["padf"], own["pa_k"]) == ("decay", "k")
    assert all(lane["over_threshold"]["places"] == [0] for lane in rows["lanes"])
    detector = make_series("x", [0, 1], {"a": np.array([0, 1])}).detectors[0]
    assert not levels_of(detector, Settings().protocols(), 1.0).is_slider


# ---- views ---------------------------------------------------------------------------------------


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
        number = next_segment(series, view)
        seen.append(number)
        view = around(series, number)
    views = {around(series, number) for number in range(count)}
    # Segments that share a view are passed over together.
    assert {around(series, number) for number in seen} == (views or {View(0, series.size)})

"""Incidents and alerts on a clock grid."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from padf_core.io.errors import TableError
from padf_core.io.incidents import (
    Alerts,
    Incidents,
    grid_step,
    lay_on_grid,
    read_alerts,
    read_incidents,
)
from padf_core.io.open_table import open_table
from padf_core.io.timestamps import MICROSECONDS, parse_moment

INCIDENTS = (
    "start,end\n2024-06-10 08:30:30,2024-06-10 08:33:00\n2024-06-10 08:35,2024-06-10 08:36\n"
)
ALERTS = "time,detector\n2024-06-10 08:29:00,a\n2024-06-10 08:31:59,b\n2024-06-10 08:35:00,a\n"


def table(text, name="mine"):
    return open_table(text.encode(), name)


def grid(step=60, **options):
    return lay_on_grid(
        "both", read_incidents(table(INCIDENTS)), read_alerts(table(ALERTS)), step, **options
    )


def bits(flags):
    return "".join("1" if flag else "0" for flag in flags)


def test_a_step_is_anomalous_when_an_incident_touches_it():
    series = grid()
    # 08:29 to 08:36 in minutes: the first incident touches 30, 31 and 32, the second only 35.
    assert series.clock.name(0) == "2024-06-10 08:29"
    assert bits(series.labels) == "0111001"
    assert bits(series.detector("a").scores) == "1000001"
    assert bits(series.detector("b").scores) == "0010000"
    assert series.step_seconds == 60


def test_a_coarser_step_merges_what_a_finer_one_tells_apart():
    # From 08:25: steps 25-30, 30-35, 35-40.
    series = grid(300)
    assert bits(series.labels) == "011"
    assert bits(series.detector("a").scores) == "101"


def test_the_watched_time_can_be_longer_or_shorter():
    begin, end = parse_moment("2024-06-10 08:20"), parse_moment("2024-06-10 08:32")
    series = grid(begin=begin, end=end)
    assert bits(series.labels) == "0" * 10 + "11"
    assert bits(series.detector("a").scores) == "0" * 9 + "100"


@given(
    st.lists(st.tuples(st.integers(0, 500), st.integers(1, 60)), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 600), st.sampled_from("ab")), min_size=1, max_size=12),
    st.integers(1, 40),
)
def test_the_grid_agrees_with_every_second_looked_at(incidents, alerts, step):
    starts = np.array([start for start, _ in incidents]) * MICROSECONDS
    ends = starts + np.array([length for _, length in incidents]) * MICROSECONDS
    times = np.array([time for time, _ in alerts]) * MICROSECONDS
    series = lay_on_grid(
        "x", Incidents(starts, ends), Alerts(times, [name for _, name in alerts]), step
    )
    origin = series.clock.start // MICROSECONDS
    for cell, label in enumerate(series.labels):
        seconds = range(origin + cell * step, origin + (cell + 1) * step)
        assert label == any(s <= t < s + n for t in seconds for s, n in incidents)
        for name in series.names:
            spoke = any(t in seconds and who == name for t, who in alerts)
            assert series.detector(name).scores[cell] == spoke
    # Nothing fell off: every incident and every alert is on the grid.
    assert series.anomalous >= 1
    last = origin + series.size * step
    assert all(origin <= t < last for t, _ in alerts)
    assert all(origin <= s and s + n <= last for s, n in incidents)


def test_names_of_columns_are_guessed():
    incidents = "id;ended at;started at\n1;2024-06-10 09:00;2024-06-10 08:00\n"
    read = read_incidents(table(incidents))
    assert (read.ends - read.starts).tolist() == [3600 * MICROSECONDS]
    alerts = read_alerts(table("when,kind,source\n2024-06-10 08:00,x,quick\n"))
    assert alerts.detectors == ["quick"]
    assert read_alerts(table("when,level\n2024-06-10 08:00,3\n")).detectors == ["3"]
    assert read_alerts(table("when\n2024-06-10 08:00\n")).detectors == ["alerts"]
    # Numbers that could be times do not win over a written time.
    numbered = read_alerts(table("id,time,detector\n1700000000,2024-06-10 08:00,a\n"))
    assert numbered.times.tolist() == [parse_moment("2024-06-10 08:00")]


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (
            read_incidents,
            "start,end\n2024-06-10 09:00,2024-06-10 08:00\n",
            "row 1: an incident must",
        ),
        (read_incidents, "a,b\n1,2\n", "needs time columns: start and end, or a single moment"),
        (read_incidents, "start,end\n2024-06-10 09:00,\n2024-06-10 09:00,2024-06-11\n", "row 1"),
        (read_alerts, "a,b\n1,2\n", "needs a time column"),
        (read_alerts, "time,detector\n2024-06-10 08:00,\n2024-06-10 08:01,a\n", "has no name"),
        (read_alerts, "time,detector\n", "has no rows"),
        (read_alerts, "time\n01/02/2024\n05/06/2024\n", "the day or the month first"),
    ],
)
def test_bad_events_are_refused(read, text, message):
    with pytest.raises(TableError, match=r"^mine: ") as refusal:
        read(table(text))
    assert message in str(refusal.value)


def test_too_fine_a_step_is_refused_with_the_number_of_points():
    with pytest.raises(TableError, match="choose a longer step"):
        grid(0.00001)
    with pytest.raises(TableError, match="must end after it begins"):
        grid(begin=parse_moment("2024-06-10 09:00"), end=parse_moment("2024-06-10 08:00"))
    with pytest.raises(TableError, match="2024-06-10 08:30; got 'noon'"):
        parse_moment("noon")


# ---- as people keep them -------------------------------------------------------------------------


def test_moments_are_incidents_of_one_step():
    incidents = read_incidents(table("when\n2024-06-10 08:30:00\n2024-06-10 09:00:00\n"))
    alerts = read_alerts(table("time,detector\n2024-06-10 08:30:00,a\n2024-06-10 09:10:00,a\n"))
    series = lay_on_grid("x", incidents, alerts, 600.0)
    assert series.labels.tolist() == [True, False, False, True, False]


def test_the_end_belongs_to_an_incident_or_not():
    incidents = read_incidents(table("start,end\n2024-06-10 08:00,2024-06-10 08:10\n"))
    alerts = read_alerts(table("time\n2024-06-10 08:20\n"))
    without = lay_on_grid("x", incidents, alerts, 300.0)
    assert without.labels.tolist() == [True, True, False, False, False]
    within = lay_on_grid("x", incidents, alerts, 300.0, ends_included=True)
    assert within.labels.tolist() == [True, True, True, False, False]


def test_a_detector_that_never_spoke_is_there():
    incidents = read_incidents(table("start,end\n2024-06-10 08:00,2024-06-10 08:10\n"))
    alerts = read_alerts(table("time,detector\n2024-06-10 08:05,quick\n,silent\n"))
    series = lay_on_grid("x", incidents, alerts, 60.0)
    assert series.names == ["quick", "silent"]
    assert not series.detector("silent").scores.any()


@pytest.mark.parametrize(
    ("alert", "step"),
    [("08:05:00", 300.0), ("08:07:00", 60.0), ("08:07:13", 1.0), ("09:00:00", 300.0)],
)
def test_the_step_is_the_longest_that_tells_all_times_apart(alert, step):
    incidents = read_incidents(table("start,end\n2024-06-10 08:00,2024-06-10 08:10\n"))
    alerts = read_alerts(table(f"time\n2024-06-10 {alert}\n"))
    assert grid_step(incidents, alerts, [1.0, 60.0, 300.0, 3600.0]) == step

"""Series as people write them, durations, and settings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from padf_core import (
    DECAYS,
    DeadlineDecay,
    ExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    Settings,
)
from padf_core.io.notation import format_bits, format_ranges, parse_points
from padf_core.metrics.clock import format_clock, format_duration, format_steps
from padf_core.metrics.decays import WorthDecay, decays_in
from tests.strategies import FOUR

series = st.lists(st.booleans(), min_size=5, max_size=60).map(lambda x: np.array(x, dtype=bool))


@given(series)
def test_what_is_written_is_read_back(points):
    assert parse_points(format_ranges(points), points.size).tolist() == points.tolist()
    assert parse_points(format_bits(points), points.size).tolist() == points.tolist()


def test_a_lone_point_is_never_taken_for_bits():
    for size in (5, 12, 30, 120, 300):
        for point in range(size):
            alone = np.arange(size) == point
            assert parse_points(format_ranges(alone), size).tolist() == alone.tolist()


@pytest.mark.parametrize(
    ("text", "ones"),
    [
        ("", []),
        ("  ", []),
        ("0001110", [3, 4, 5]),
        ("000 111 0", [3, 4, 5]),
        ("3-5", [3, 4, 5]),
        ("3 - 5; 8", [3, 4, 5, 8]),
        ("3–5", [3, 4, 5]),
        ("1", [1]),
        ("10", [10]),
        ("11", [11]),
        ("01", [1]),
        ("110", [0, 1]),
        ("10, 2", [2, 10]),
        ("5,5,4-6", [4, 5, 6]),
    ],
)
def test_ways_to_write(text, ones):
    assert np.flatnonzero(parse_points(text, 12)).tolist() == ones


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1-3, x", "truth: 'x' at character 5 is neither bits such as 0001110 nor a range such as"),
        ("1,,3", "truth: '' at character 3 is neither bits"),
        ("5-3", "truth: '5-3' at character 1 runs backwards"),
        ("3, 12", "truth: '12' at character 3 lies beyond the last point, 11"),
        ("-4", "truth: '-4' at character 1 is neither bits"),
        ("0" * 13, "truth: 13 bits do not fit into 12 points"),
        ("1-99999999999", "truth: '1-99999999999' at character 1 is neither bits"),
        ("²", "truth: '²' at character 1 is neither bits"),
    ],
)
def test_errors_name_the_place(text, message):
    with pytest.raises(ValueError) as error:
        parse_points(text, 12, "truth")
    assert str(error.value).startswith(message)


def test_durations():
    assert [format_duration(s) for s in (0.5, 59, 60, 3599, 3600, 7260, 86400, 100_000)] == [
        "0.5 s", "59 s", "1 min", "60 min", "1 h", "2 h 1 min", "1 d", "1 d 4 h",
    ]  # fmt: skip
    assert [format_steps(6.58, None), format_steps(6.58, 60), format_steps(3, 300)] == [
        "6.6 steps", "6.6 min", "15 min",
    ]  # fmt: skip
    assert (format_clock(3661), format_clock(3661, True)) == ("1:01", "1:01:01")


def test_settings_go_to_plain_values_and_back():
    settings = Settings(shape="linear", decay=12, k=33, inclusive=True, precision="equations")
    assert Settings.from_dict(settings.to_dict()) == settings
    labels = [settings.protocol(key).label for key in FOUR]
    assert labels == [
        "Point-wise",
        "PA",
        "PA%K (K = 33, or more)",
        "PAdf (span 12, equations)",
    ]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"shape": "cubic"},
            f"shape must be one of {', '.join(d.shape for d in decays_in('steps'))}; got 'cubic'",
        ),
        ({"measure": "clock", "shape": "sigmoid"}, "shape must be one of worth, half_life"),
        ({"worth": 30}, "settings must be among"),
        ({"measure": "weeks"}, "measure must be one of steps, clock, share; got 'weeks'"),
        ({"grace": -1}, "grace must be from 0"),
        ({"decay": 2}, "decay must be above 0 and at most 1; got 2"),
        ({"k": 0.2}, "looks like a fraction"),
        ({"inclusive": "yes"}, "inclusive must be True or False; got 'yes'"),
        ({"precision": "exact"}, "precision must be"),
        ({"rate": 0.9}, "settings must be among"),
    ],
)
def test_settings_out_of_range(values, message):
    with pytest.raises(ValueError) as error:
        Settings.from_dict(values)
    assert message in str(error.value)


def test_half_gone_is_when_half_is_gone():
    # ln 0.5 / ln 0.9 = 6.58; a linear decay over 9 steps has lost half after 4.5
    assert ExponentialDecay(0.9).note(60) == "credit halves every 6.6 min"
    assert ExponentialDecay(1).note(None) == "never decays: this is PA"
    assert HalfLifeDecay(5).note(None) == "credit halves every 5 steps"
    assert LinearDecay(9).note(None) == "half of the credit is gone after 4.5 steps"
    assert DeadlineDecay(7).note(None) == "all gone after 7 steps"
    assert WorthDecay(600, 25).note_in("clock", None) == "credit halves every 5 min"
    for decay in DECAYS.values():
        for measure in decay.measures:
            made = decay()
            number = decay.number_in(measure)
            first = next(iter(vars(made).values()))
            assert made.note_in(measure, 60) == number.note(first, 60)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("0, 0, 1, 1", [2, 3]),
        ("[0,1,0,1]", [1, 3]),
        ("1; 0; 1", [0, 2]),
        ("0, 1", [1]),
        ("1, 2", [1, 2]),
        ("0, 3", [0, 3]),
        ("1", [1]),
    ],
)
def test_a_list_of_0_and_1_is_bits_and_any_other_list_is_points(text, points):
    assert np.flatnonzero(parse_points(text, 12)).tolist() == points

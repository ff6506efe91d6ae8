"""What may be brought as labels, detections and scores, and what is said about anything else."""

from datetime import timedelta
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core import ExponentialDecay, PointAdjust, PointAdjustK
from padf_core.io.series import make_series

LABELS = [0, 1, 1, 0]
ALARMS = [0, 0, 1, 0]


def read_only(values):
    array = np.array(values)
    array.flags.writeable = False
    return array


ACCEPTED = {
    "list of int": list,
    "tuple": tuple,
    "list of bool": lambda v: [bool(x) for x in v],
    "list of float": lambda v: [float(x) for x in v],
    "numpy bool": lambda v: np.array(v, dtype=bool),
    **{f"numpy {d}": (lambda v, d=d: np.array(v, dtype=d)) for d in "bBhHiIlLqQefd"},
    "big endian": lambda v: np.array(v, dtype=">i4"),
    "object array": lambda v: np.array(v, dtype=object),
    "read-only": read_only,
    "every second": lambda v: np.repeat(v, 2)[::2],
    "Series": pd.Series,
    "Series with an odd index": lambda v: pd.Series(v, index=[7, 3, 3, 1]),
    "nullable Series": lambda v: pd.Series(v, dtype="Int8"),
    "boolean Series": lambda v: pd.Series(v, dtype="boolean"),
    "unmasked": lambda v: np.ma.masked_array(v),
}


@pytest.mark.parametrize("make", ACCEPTED.values(), ids=ACCEPTED)
def test_anything_that_holds_0_and_1_will_do(make):
    assert padf.evaluate(make(LABELS), make(ALARMS), PointAdjust()).f1 == 1.0
    assert list(padf.find_segments(make(LABELS))) == [(1, 3)]
    assert padf.sweep(make(LABELS), make(ALARMS), PointAdjust()).best.f1 == 1.0


REFUSED = [
    ([0, 2, 1, 0], "labels must be 0 or 1; got 2 at index 1"),
    ([0, 1, 0, -1], "labels must be 0 or 1; got -1 at index 3"),
    ([0, 0.5, 1, 0], "labels must be 0 or 1; got 0.5 at index 1"),
    ([0, 1, float("nan"), 0], "labels must be 0 or 1; got nan at index 2"),
    ([0, 1, float("inf"), 0], "labels must be 0 or 1; got inf at index 2"),
    ([0.0, 3.0, 1.0, 0.0], "labels must be 0 or 1; got 3 at index 1"),
    (["0", "1", "1", "0"], "labels must be 0 or 1; got '0' at index 0"),
    ([0, None, 1, 0], "labels must be 0 or 1; got None at index 1"),
    (pd.Series([0, None, 1, 0], dtype="Int8"), "labels must be 0 or 1; got nan at index 1"),
    ([0, pd.NA, 1, 0], "labels must be 0 or 1; got <NA> at index 1"),
    ([[0, 1], [1, 0]], "labels must be one-dimensional; got shape (2, 2)"),
    ([[0, 1], [1]], "labels must be one-dimensional; got rows of different lengths"),
    (np.zeros((4, 1)), "labels must be one-dimensional; got shape (4, 1)"),
    (1, "labels must be one-dimensional; got a single int"),
    (None, "labels must be one-dimensional; got a single NoneType"),
    ((x for x in LABELS), "labels must be one-dimensional; got a single generator"),
    ([], "labels must not be empty"),
    ([0, 1, 1], "labels and detections must have the same length; got 3 and 4"),
    (
        np.ma.masked_array(LABELS, mask=[0, 0, 1, 0]),
        "labels must not have masked entries; got one at index 2",
    ),
    (np.array(LABELS, dtype="M8[s]"), "labels must be 0 or 1; got "),
]


@pytest.mark.parametrize(("labels", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_labels_that_will_not_do(labels, message):
    with pytest.raises(ValueError) as error:
        padf.evaluate(labels, ALARMS, PointAdjust())
    assert str(error.value).startswith(message)


def test_detections_are_named_as_such():
    with pytest.raises(ValueError, match="detections must be 0 or 1; got 7 at index 3"):
        padf.evaluate(LABELS, [0, 0, 1, 7], PointAdjust())


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.1, float("nan"), 0.2, 0.3], "scores must not be NaN; got nan at index 1"),
        ([0.1, "high", 0.2, 0.3], "scores must be numbers; got "),
        ([0.1, None, 0.2, 0.3], "scores must be numbers; got None at index 1"),
        ([0.1, 1j, 0.2, 0.3], "scores must be numbers; got "),
        (
            [0.1, 10**400, 0.2, 0.3],
            "scores must be floats, or whole numbers that fit into 64 bits; got 1",
        ),
        (
            [0, 2**64, 2**64 + 1, 1],
            "scores must be floats, or whole numbers that fit into 64 bits; got 1",
        ),
        (
            [0, -(2**63) - 1, 0, 1],
            "scores must be floats, or whole numbers that fit into 64 bits; got -",
        ),
        ([0.1, Fraction(10**400), 0.2, 0.3], "scores must be numbers below 1e308"),
        ([0.1, 0.2], "labels and scores must have the same length; got 4 and 2"),
        ([], "scores must not be empty"),
        ([[0.1], [0.2], [0.3], [0.4]], "scores must be one-dimensional; got shape (4, 1)"),
    ],
)
def test_scores_that_will_not_do(scores, message):
    with pytest.raises(ValueError) as error:
        padf.best_f1(LABELS, scores, [PointAdjust()])
    assert str(error.value).startswith(message)


def test_a_long_value_is_cut_short_in_the_message():
    with pytest.raises(ValueError) as error:
        padf.evaluate([0, "x" * 500], [0, 1], PointAdjust())
    assert len(str(error.value)) < 120


SECONDS = {
    "timedelta64": np.array([0, 1, 1, 0], "m8[s]"),
    "timedelta64 in ns": np.array([0, 1, 1, 0], "m8[ns]"),
    "timedelta": [timedelta(seconds=x) for x in LABELS],
    "pandas": pd.Series(pd.to_timedelta(LABELS, unit="s")),
    "among numbers": np.array([np.timedelta64(0, "s"), 1, 1, 0], dtype=object),
}
"""Times that count 0 and 1 of a unit, and are neither labels nor scores."""


@pytest.mark.parametrize("spans", SECONDS.values(), ids=SECONDS)
def test_time_spans_are_no_labels_scores_thresholds_or_rates(spans):
    ranked = padf.rank_scores(LABELS, [0.1, 0.4, 0.2, 0.3])
    for refused, message in (
        (lambda: padf.evaluate(spans, ALARMS, PointAdjust()), "labels must be 0 or 1; got "),
        (lambda: padf.evaluate(LABELS, spans, PointAdjust()), "detections must be 0 or 1; got "),
        (lambda: padf.best_f1(LABELS, spans, [PointAdjust()]), "scores must be numbers; got "),
        (lambda: padf.sweep(LABELS, spans, PointAdjust()), "scores must be numbers; got "),
        (lambda: make_series("x", LABELS, {"a": spans}), "a must be numbers; got "),
        (lambda: ranked.at(spans, PointAdjust()), "thresholds must be numbers; got "),
        (lambda: padf.f1_over_d(LABELS, ALARMS, spans), "rates must be numbers; got "),
        (lambda: padf.f1_over_shift(LABELS, ALARMS, [PointAdjust()], spans), "shifts must be "),
        (lambda: padf.evaluate(LABELS, ALARMS, PointAdjust(), times=spans), "times must be "),
        (lambda: padf.Curve.of(spans, LABELS), "values must be numbers; got "),
    ):
        with pytest.raises(ValueError) as error:
            refused()
        assert str(error.value).startswith(message)
        assert "timedelta" in str(error.value).lower()


@pytest.mark.parametrize(
    "threshold", [np.timedelta64(1, "s"), timedelta(1), pd.Timedelta(1), "1", None, np.nan, 2**64]
)
def test_one_threshold_that_will_not_do(threshold):
    scores = np.array([0.1, 0.4, 0.2, 0.3])
    detectors = [make_series("x", LABELS, {"a": a}).detectors[0] for a in (scores, scores > 0.3)]
    refused = [lambda: padf.rank_scores(LABELS, scores).point(threshold, PointAdjust())]
    for each in detectors:
        refused.append(lambda each=each: each.at(threshold, PointAdjust()))
        refused.append(lambda each=each: each.detections(threshold))
    for call in refused:
        with pytest.raises(
            ValueError, match=r"^threshold must be a number that fits into 64 bits; got "
        ):
            call()


@pytest.mark.parametrize("make", [PointAdjustK, ExponentialDecay])
def test_a_time_span_is_no_parameter(make):
    with pytest.raises(ValueError, match=r"got .*timedelta64\(1,'s'\)"):
        make(np.timedelta64(1, "s"))


def test_whole_numbers_of_64_bits_are_told_apart():
    highest = np.array([2**64 - 2, 2**64 - 1, 0, 1], dtype=np.uint64)
    assert padf.best_f1(LABELS, highest, [PointAdjust()])[0].threshold == 2**64 - 1

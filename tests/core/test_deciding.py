"""What decides between two detectors, by hand and by brute force."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import padf_core as padf
from padf_core.analysis.deciding import what_decides
from padf_core.data.series import make_series
from tests import naive, strategies


def decided(labels, first, second, protocol):
    series = make_series("x", labels, {"a": np.array(first), "b": np.array(second)})
    return what_decides(series, series.detectors, (1.0, 1.0), protocol)


def test_by_hand():
    # Segments of 4 and 2. A finds the first alone, B the second alone, no false alarm.
    # PA: A 2*4/(4+6) = 0.8, B 2*2/(2+6) = 0.5. Without the first segment: A 0, B 1; without the
    # second: A 1, B 0. So the gap of 0.3 becomes -1 and 1, and leaving the first out turns it.
    labels = [0, 1, 1, 1, 1, 0, 1, 1]
    made = decided(labels, [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0], padf.PointAdjust())
    assert made.gap == pytest.approx(0.3)
    assert made.shares.tolist() == pytest.approx([1.3, -0.7])
    assert made.turning == (0,)


def test_the_smallest_move_of_labels_that_turns_the_order():
    # One segment from row 4 to 9. A alarms at row 4, B at row 6 with none false. PAdf: A is ahead.
    # With the onset 1 row later A's alarm is false: A 0, B ahead.
    labels = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0]
    a, b = np.zeros(11, dtype=int), np.zeros(11, dtype=int)
    a[4] = b[6] = 1
    made = decided(labels, a, b, padf.PointAdjustDecay())
    assert made.gap > 0
    assert made.shift == 1
    assert made.turning is None, "with the only segment left out nobody is ahead"


@pytest.mark.slow
@given(
    strategies.patterns(),
    st.data(),
    st.sampled_from([padf.Pointwise(), padf.PointAdjustDecay(), padf.Composite()]),
)
def test_shares_are_what_leaving_a_segment_out_changes(pattern, data, protocol):
    labels, first = pattern
    segments = naive.segments(labels)
    assume(segments)
    size = len(labels)
    second = data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    made = decided(labels, first, second, protocol)

    def gap(truth, kept):
        heights = [
            naive.scores(truth, [int(x and k) for x, k in zip(alarms, kept, strict=True)], protocol)
            for alarms in (first, second)
        ]
        return float(heights[0][2] - heights[1][2])

    whole = gap(labels, [1] * size)
    assert made.gap == pytest.approx(whole, abs=1e-12)
    for (start, stop), share in zip(segments, made.shares.tolist(), strict=True):
        inside = [start <= row < stop for row in range(size)]
        truth = [0 if own else label for own, label in zip(inside, labels, strict=True)]
        rest = gap(truth, [not own for own in inside])
        assert share == pytest.approx(whole - rest, abs=1e-12)

"""What decides between two detectors, by hand and by brute force."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import padf_core as padf
from padf_core.analysis.deciding import what_decides
from padf_core.io.series import make_series
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


def test_a_tie_is_no_other_order():
    """A finds segments 1 and 3, B 2 and 3, one point each: equal without the first.

    So leaving it out gives a tie, and so does leaving out 1 and 3. Nothing puts B ahead but to
    leave out 1 and add what A has elsewhere: A also finds the fourth, so 1 and 4 together do.
    """
    labels = [1, 0, 1, 0, 1, 0, 1, 0]
    a, b = [1, 0, 0, 0, 1, 0, 1, 0], [0, 0, 1, 0, 1, 0, 0, 0]
    made = decided(labels, a, b, padf.PointAdjust())
    assert made.turning == (0, 3)
    assert made.tried == 2
    same = decided(labels, a, a, padf.PointAdjust())
    assert (same.turning, same.shift, same.tried) == (None, None, 0)


def naive_turning(labels, first, second, protocol):
    """The size of the smallest set of segments whose absence puts the other detector ahead."""
    segments = naive.segments(labels)

    def gap(left_out):
        gone = {row for at in left_out for row in range(*segments[at])}
        truth = [0 if row in gone else label for row, label in enumerate(labels)]
        heights = [
            naive.scores(truth, [0 if row in gone else x for row, x in enumerate(alarms)], protocol)
            for alarms in (first, second)
        ]
        return heights[0][2] - heights[1][2]

    whole = gap(())
    for size in range(1, len(segments)):
        if any(gap(each) * whole < 0 for each in combinations(range(len(segments)), size)):
            return size
    return None


@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=6),
    st.data(),
    st.sampled_from([padf.Pointwise(), padf.PointAdjust(), padf.Composite()]),
)
@settings(max_examples=60)
def test_the_smallest_set_that_turns_the_order_is_found(lengths, data, protocol):
    labels = [bit for length in lengths for bit in [1] * length + [0]]
    bits = st.lists(st.integers(0, 1), min_size=len(labels), max_size=len(labels))
    first, second = data.draw(bits), data.draw(bits)
    made = decided(labels, first, second, protocol)
    wanted = naive_turning(labels, first, second, protocol)
    assert (None if made.turning is None else len(made.turning)) == wanted
    if wanted is None and abs(made.gap) > 1e-12:
        assert made.tried == len(lengths) - 1


def test_of_many_segments_small_sets_are_all_tried_and_larger_ones_one_by_one():
    """A finds all of 60 segments, B three fewer: 60 - 57 + 1 of A's must go to put B ahead.

    Those are the three that B misses, and one more cannot be left out for A alone. So nothing
    turns it; sets of up to 3 were all tried, which are 36,050.
    """
    labels = [1, 0] * 60
    b = [int(t >= 6 and t % 2 == 0) for t in range(120)]
    made = decided(labels, labels, b, padf.PointAdjust())
    assert (made.turning, made.tried) == (None, 3)


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

"""Thresholds chosen on other rows than those that judge them, against brute force."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import padf_core as padf
from padf_core.analysis.blocks import blocks_of
from padf_core.analysis.held_out import chosen_first, cross_fitted, other_series, within_budget
from padf_core.io.series import make_series
from padf_core.metrics.rows import make_rows
from tests import naive, strategies


def parted(rows, labels, scores):
    """Labels and scores of some rows; the others are made normal and never flagged."""
    low = min(scores) - 1
    return (
        [int(label) if row in rows else 0 for row, label in enumerate(labels)],
        [score if row in rows else low for row, score in enumerate(scores)],
    )


@st.composite
def many_segments(draw):
    """Labels with at least four segments, and whole-number scores with ties."""
    runs = draw(st.lists(st.integers(1, 4), min_size=9, max_size=13))
    labels = [at % 2 for at, length in enumerate(runs) for _ in range(length)]
    scores = st.lists(st.integers(-3, 9), min_size=len(labels), max_size=len(labels))
    return labels, draw(scores)


def judged_in_parts(part_of, labels, scores, protocol):
    """F1 by brute force when each part is judged at the threshold that is best on the others."""
    earned = claimed = wanted = 0
    for part in sorted(set(part_of)):
        inside = {row for row in range(len(labels)) if part_of[row] == part}
        outside = set(range(len(labels))) - inside
        truth, values = parted(outside, labels, scores)
        # The score that was given to rows that do not count is no threshold of theirs.
        known = [v for row, v in enumerate(values) if row in outside]
        rows = [row for row in naive.sweep(truth, values, protocol) if row[0] in known]
        top = max(float(row[3]) for row in rows)
        threshold = max(row[0] for row in rows if float(row[3]) >= top * (1 - 1e-12))
        assume(top)
        judged, held = parted(inside, labels, scores)
        alarms = [int(row in inside and score >= threshold) for row, score in enumerate(held)]
        counts = naive.counts(judged, alarms, protocol)
        earned, claimed, wanted = earned + counts[0], claimed + counts[2], wanted + counts[3]
    return float(2 * earned / (claimed + wanted)) if claimed + wanted else 0.0


@pytest.mark.slow
@given(many_segments(), st.sampled_from([padf.Pointwise(), padf.PointAdjustDecay()]))
def test_every_segment_is_judged_at_the_threshold_of_the_others(case, protocol):
    labels, scores = case
    assume(len(set(scores)) > 2)
    series = make_series("x", labels, {"a": np.array(scores, dtype=float)})
    ((made,),) = cross_fitted(series, [protocol], folds=3)
    starts = [*blocks_of(series.segments).tolist(), len(labels)]
    fold = [0] * len(labels)
    for block, (start, stop) in enumerate(pairwise(starts)):
        for row in range(start, stop):
            fold[row] = block % 3
    f1 = judged_in_parts(fold, labels, scores, protocol)
    assert made.f1 == pytest.approx(f1)
    assert made.oracle == pytest.approx(
        float(max(row[3] for row in naive.sweep(labels, scores, protocol)))
    )
    assert made.optimism == pytest.approx(made.oracle - f1)


@given(many_segments(), st.sampled_from([padf.Pointwise(), padf.PointAdjust()]), st.data())
def test_every_series_is_judged_at_the_threshold_of_the_others(case, protocol, data):
    labels, scores = case
    # Series end where labels are normal, so that no segment is cut: then they are whole as before.
    quiet = [row for row in range(1, len(labels)) if not labels[row] and not labels[row - 1]]
    assume(quiet and len(set(scores)) > 2)
    cuts = data.draw(st.lists(st.sampled_from(quiet), min_size=1, max_size=3, unique=True))
    part_of = [sum(row >= cut for cut in cuts) for row in range(len(labels))]
    assume(len({part for part, label in zip(part_of, labels, strict=True) if label}) > 1)
    rows = make_rows(len(labels), series=part_of)
    series = make_series("x", labels, {"a": np.array(scores, dtype=float)}, rows=rows)
    ((made,),) = other_series(series, [protocol])
    assert made.f1 == pytest.approx(judged_in_parts(part_of, labels, scores, protocol))
    assert len(made.thresholds) == len(cuts) + 1


def test_series_that_cannot_choose_for_each_other_are_told():
    labels, scores = [0, 1, 0, 0], {"a": np.arange(4.0)}
    with pytest.raises(ValueError, match="there is only one series"):
        other_series(make_series("x", labels, scores), [padf.Pointwise()])
    rows = make_rows(4, series=list("aabb"))
    with pytest.raises(ValueError, match="at least 2 series need an anomaly"):
        other_series(make_series("x", labels, scores, rows=rows), [padf.Pointwise()])


def test_the_first_half_chooses_and_the_rest_judges_by_hand():
    # First half: the segment scores 5, the normal points at most 3: threshold 5.
    # Second half: its segment scores 4 and is missed at 5, nothing is flagged: F1 0.
    # The oracle of the second half takes 4, above its normal points: F1 1.
    labels = [0, 1, 0, 0, 0, 1, 0, 0]
    scores = np.array([3, 5, 1, 2, 1, 4, 2, 0])
    series = make_series("x", labels, {"a": scores})
    ((made,),) = chosen_first(series, [padf.Pointwise()])
    assert (made.thresholds, made.f1, made.oracle, made.optimism) == ((5.0,), 0.0, 1.0, 1.0)


def test_too_few_segments_are_told():
    series = make_series("x", [0, 1, 0, 1], {"a": np.arange(4.0)})
    with pytest.raises(ValueError, match="at least 4 segments are needed"):
        cross_fitted(series, [padf.Pointwise()])


@given(strategies.scored(), st.integers(0, 4))
def test_a_budget_of_false_calls_is_kept_from_the_threshold_up(case, most):
    labels, scores = case
    assume(all(map(np.isfinite, scores)))
    threshold = within_budget(padf.rank_scores(labels, scores), most)

    def calls(at):
        return naive.false_runs(labels, [int(score >= at) for score in scores])

    assert all(calls(at) <= most for at in set(scores) if at >= threshold)
    lower = [score for score in set(scores) if score < threshold]
    normal = [score for label, score in zip(labels, scores, strict=True) if not label]
    if normal:
        assert threshold > min(normal)  # an alarm that is always on is none
    if lower:
        assert calls(max(lower)) > most or max(lower) <= min(normal)


def test_detections_are_taken_as_they_are():
    labels = [0, 1, 0, 1, 0, 1, 0, 1]
    series = make_series("x", labels, {"a": np.array([0, 1, 0, 1, 0, 1, 0, 0])})
    ((made,),) = cross_fitted(series, [padf.Pointwise()])
    # Three of four hit, no false alarm, whatever part judges: 2 * 3 / (3 + 4).
    assert made.f1 == pytest.approx(6 / 7)
    assert made.optimism == 0

"""sweep and best_f1: every threshold, exactly, against brute force."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

import padf_core as padf
from padf_core import ExponentialDecay, PointAdjust, PointAdjustDecay, PointAdjustK, Pointwise
from padf_core.metrics.ranked_scores import RankedScores
from tests import naive, strategies


def test_by_hand():
    # labels 0 1 1 1 0, scores 5 1 4 2 3. Thresholds 5, 4, 3, 2, 1 in turn detect
    # a false alarm; the hit at delay 1; a second false alarm; the hit at 2; the hit at 0.
    # PAdf, d = 0.5: credit 0, 3*0.5, 1.5, 1.5, 3; false alarms 1, 1, 2, 2, 2.
    s = padf.sweep([0, 1, 1, 1, 0], [5, 1, 4, 2, 3], PointAdjustDecay(ExponentialDecay(0.5)))
    assert s.thresholds.tolist() == [5, 4, 3, 2, 1]
    assert s.true_positives.tolist() == [0, 1.5, 1.5, 1.5, 3]
    assert s.false_positives.tolist() == [1, 1, 2, 2, 2]
    assert s.recall.tolist() == [0, 0.5, 0.5, 0.5, 1]
    # F1 = 2 eTP / (3 + eTP + FP)
    np.testing.assert_allclose(s.f1, [0, 3 / 5.5, 3 / 6.5, 3 / 6.5, 6 / 8], rtol=1e-15)
    assert (s.best.threshold, s.best.f1) == (1, 0.75)


@given(strategies.scored(), strategies.protocols)
def test_sweep_agrees_with_brute_force(case, protocol):
    labels, scores = case
    s = padf.sweep(labels, scores, protocol)
    rows = naive.sweep(labels, scores, protocol)
    assert s.thresholds.tolist() == [row[0] for row in rows]
    for computed, column in ((s.precision, 1), (s.recall, 2), (s.f1, 3)):
        np.testing.assert_allclose(
            computed, [float(row[column]) for row in rows], rtol=1e-12, atol=1e-15
        )
    assert s.false_positives.tolist() == [row[4] for row in rows]


@given(strategies.scored(), strategies.protocols)
def test_best_is_the_best_of_all_thresholds_and_is_one_of_them(case, protocol):
    labels, scores = case
    (best,) = padf.best_f1(labels, scores, [protocol])
    if set(scores) <= {0, 1}:
        # Detections, taken as they are.
        wanted = naive.scores(labels, [int(score) for score in scores], protocol)
        assert best.threshold == 1
        assert (best.precision, best.recall, best.f1) == pytest.approx(tuple(map(float, wanted)))
        return
    rows = naive.sweep(labels, scores, protocol)
    assert best.f1 == pytest.approx(float(max(row[3] for row in rows)), rel=1e-12)
    at = {row[0]: row for row in rows}[best.threshold]
    assert best.f1 == pytest.approx(float(at[3]), rel=1e-12)
    assert best.precision == pytest.approx(float(at[1]), rel=1e-12)
    assert best.recall == pytest.approx(float(at[2]), rel=1e-12)


@given(strategies.scored(), strategies.protocols)
def test_of_thresholds_that_tie_the_highest_is_reported(case, protocol):
    labels, scores = case
    rows = naive.sweep(labels, scores, protocol)
    best = max(row[3] for row in rows)
    # Brute force is exact but for the half-life, whose powers are floats.
    highest = max(row[0] for row in rows if float(row[3]) >= float(best) * (1 - 1e-14))
    ranked = padf.rank_scores(labels, scores)
    assert ranked.sweep(protocol).best.threshold == highest
    if best:
        assert ranked.best(protocol).threshold == highest


def test_a_tie_whose_sums_differ_in_their_last_digit():
    protocol = padf.PointAdjustDecay(padf.ExponentialDecay(0.7))
    (best,) = padf.best_f1([0, 1, 1, 0, 0, 1], [0, 1, 3, 3, 1, 3], [protocol])
    assert best.threshold == 3


@given(strategies.scored(), strategies.protocols)
def test_the_sweep_at_a_threshold_is_evaluate_there(case, protocol):
    labels, scores = case
    s = padf.sweep(labels, scores, protocol)
    for at in {0, len(s.thresholds) // 2, len(s.thresholds) - 1}:
        detections = [score >= s.thresholds[at] for score in scores]
        assert s.f1[at] == pytest.approx(padf.evaluate(labels, detections, protocol).f1, rel=1e-12)


@given(strategies.scored(max_size=20), strategies.protocols)
def test_areas_agree_with_brute_force(case, protocol):
    labels, scores = case
    s = padf.sweep(labels, scores, protocol)
    area = naive.average_precision(labels, scores, protocol)
    assert s.average_precision == pytest.approx(float(area), rel=1e-12)
    if 0 < sum(labels) < len(labels):
        assert s.roc_auc == pytest.approx(float(naive.roc_auc(labels, scores, protocol)), rel=1e-12)
    else:
        assert math.isnan(s.roc_auc)


@given(strategies.scored())
def test_point_wise_areas_are_those_of_scikit_learn(case):
    labels, scores = case
    if not 0 < sum(labels) < len(labels) or not np.isfinite(scores).all():
        return
    if max(map(abs, scores)) > 1e300:
        return
    s = padf.sweep(labels, scores, Pointwise())
    assert s.average_precision == pytest.approx(average_precision_score(labels, scores), rel=1e-9)
    assert s.roc_auc == pytest.approx(roc_auc_score(labels, scores), rel=1e-9)


@given(strategies.scored(), strategies.paper_protocols)
def test_pa_is_the_ceiling_at_every_threshold(case, protocol):
    s, ceiling = padf.sweep(*case, protocol), padf.sweep(*case, PointAdjust())
    assert (s.recall <= ceiling.recall + 1e-15).all()
    assert (s.f1 <= ceiling.f1 + 1e-15).all()
    assert (np.diff(s.recall) >= -1e-15).all()
    if not isinstance(protocol, PointAdjustDecay):
        floor = padf.sweep(*case, Pointwise())
        assert (s.recall >= floor.recall).all()
        assert (s.f1 >= floor.f1).all()


@given(strategies.scored(), st.booleans(), st.sampled_from(["tables", "equations"]))
def test_identities_hold_to_the_last_bit(case, inclusive, precision):
    pa, pointwise = (padf.sweep(*case, protocol) for protocol in (PointAdjust(), Pointwise()))
    for protocol, same in (
        (PointAdjustK(0, inclusive), pa),
        (PointAdjustK(100, inclusive), pointwise),
        (PointAdjustDecay(ExponentialDecay(1), precision), pa),
    ):
        assert padf.sweep(*case, protocol).f1.tolist() == same.f1.tolist()


def test_pa_is_the_ceiling_to_the_last_bit_also_after_many_steps():
    rng = np.random.default_rng(11)
    labels = rng.random(200_000) < 0.5
    scores = rng.random(200_000)
    ceiling = padf.sweep(labels, scores, PointAdjust())
    for precision in ("tables", "equations"):
        s = padf.sweep(labels, scores, PointAdjustDecay(ExponentialDecay(0.9), precision))
        assert (s.true_positives <= ceiling.true_positives).all()
        assert (s.recall <= ceiling.recall).all()
        assert (s.f1 <= ceiling.f1).all()
        assert s.recall.max() == pytest.approx(1.0, rel=1e-12)


def test_results_cannot_be_changed():
    ranked = padf.rank_scores([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3])
    s = ranked.sweep(PointAdjust())
    for array in (
        s.thresholds,
        s.true_positives,
        s.false_positives,
        s.counts.claimed,
        s.f1,
        s.recall,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9


def test_fbeta_by_hand():
    # Threshold 4: one of two anomalous points, no false alarm: P = 1, R = 1/2.
    s = padf.sweep([1, 1, 0], [4, 1, 3], Pointwise())
    assert s.fbeta(2)[0] == pytest.approx(5 * 0.5 / (4 + 0.5))
    assert s.fbeta(0)[0] == 1.0


def test_protocols_must_be_a_list():
    with pytest.raises(ValueError, match="protocols must be a list of protocols; got PointAdjust"):
        padf.best_f1([0, 1], [0, 1], PointAdjust())


def test_several_protocols_share_one_sort_and_agree_with_one_by_one():
    rng = np.random.default_rng(7)
    labels = (rng.random(2000) < 0.3).astype(int)
    scores = rng.integers(0, 200, 2000)
    protocols = [cls() for cls in padf.PROTOCOLS.values()]
    together = padf.best_f1(labels, scores, protocols)
    for point, protocol in zip(together, protocols, strict=True):
        best = padf.sweep(labels, scores, protocol).best
        assert point.protocol == protocol
        assert (point.f1, point.threshold) == (best.f1, best.threshold)


def test_long_segments_agree_with_evaluate_at_every_tenth_threshold():
    rng = np.random.default_rng(8)
    labels = np.repeat([0, 1, 0, 1, 1, 0], [300, 500, 40, 7, 300, 200])
    scores = rng.integers(0, 400, labels.size) / 7
    protocols = [
        *(cls() for cls in padf.PROTOCOLS.values()),
        PointAdjustDecay(ExponentialDecay(0.99), "equations"),
    ]
    for protocol in protocols:
        s = padf.sweep(labels, scores, protocol)
        for at in range(0, s.thresholds.size, 10):
            there = padf.evaluate(labels, scores >= s.thresholds[at], protocol)
            assert s.f1[at] == pytest.approx(there.f1, rel=1e-12)


def test_the_best_threshold_detects_what_it_says_in_every_dtype():
    labels = [0, 1, 1, 0, 0]
    for values in (
        np.array([0.1, 0.3, 0.7, 0.2, 0.6], dtype=np.float32),
        np.array([0.1, 0.3, 0.7, 0.2, 0.6], dtype=np.float16),
        np.array([2**60 + 1, 2**60 + 3, 2**60 + 7, 2**60 + 2, 2**60 + 6]),
        np.array([1, 3, 7, 2, 6], dtype=np.uint8),
        np.array([0.1, 0.3, 0.7, 0.2, 0.6], dtype=">f2"),
        np.array([1, 3, 7, 2, 6], dtype=">i4"),
        np.array([False, False, True, False, False]),
    ):
        (best,) = padf.best_f1(labels, values, [PointAdjust()])
        assert (values >= best.threshold).tolist() == [False, False, True, False, False]
        assert best.f1 == 1.0


def test_ties_between_a_good_and_a_bad_step_are_taken_together():
    """Under "equations" the second of two tied steps can lower F1: no threshold separates them."""
    # Both segments of 4 are hit by score 9, one at delay 3 and one at once, in either order.
    late, prompt = [0, 0, 0, 9], [9, 0, 0, 0]
    protocol = PointAdjustDecay(ExponentialDecay(0.1), "equations")
    for first, second in ((late, prompt), (prompt, late)):
        labels = [1] * 4 + [0] * 20 + [1] * 4
        (best,) = padf.best_f1(labels, [*first, *[0] * 20, *second], [protocol])
        # At 9: credit 4 + 4 * 0.001, claimed 8: F1 = 2 * 4.004 / 16. At 0: 16 / (8 + 28). Between
        # the two steps at 9 F1 would be 2 * 4 / (8 + 4), but no threshold lies there.
        assert best.f1 == pytest.approx(4.004 / 8, rel=1e-15)
        assert best.threshold == 9


def test_infinite_scores_are_scores():
    (best,) = padf.best_f1([0, 1, 1], [-math.inf, math.inf, 0.0], [PointAdjust()])
    assert best.threshold == math.inf
    assert best.f1 == 1


def test_no_anomaly_gives_0_at_a_threshold_that_exists():
    for protocol in (cls() for cls in padf.PROTOCOLS.values()):
        (best,) = padf.best_f1([0, 0, 0], [1, 3, 2], [protocol])
        assert (best.threshold, best.f1) == (3, 0)


def test_a_lower_threshold_can_join_two_runs_of_false_alarms():
    # At 5 the segment is found with two runs of false alarms (F1 = 2/4); at 3, which is the score
    # of a normal point, they are one (F1 = 2/3). Only the full sweep sees it.
    labels, scores = [0, 0, 0, 0, 1], [5, 3, 5, 0, 5]
    (best,) = padf.best_f1(labels, scores, [padf.EventWise()])
    assert (best.threshold, best.f1) == (3, pytest.approx(2 / 3))


def test_runs_do_not_follow_later_changes_of_the_scores():
    scores = np.array([5.0, 3.0, 5.0, 0.0, 5.0])
    ranked = padf.rank_scores([0, 0, 0, 0, 1], scores)
    scores[:] = 0
    assert ranked.best(padf.EventWise()).threshold == 3


def test_among_equally_good_thresholds_the_highest_is_given():
    (best,) = padf.best_f1([1, 1, 0], [5, 4, 1], [PointAdjust()])
    assert best.threshold == 5


def test_scores_are_never_changed():
    scores = np.array([3.0, 1.0, 2.0])
    padf.sweep([0, 1, 1], scores, PointAdjust())
    assert scores.tolist() == [3, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("delays", ["the same", "any"])
def test_sums_over_very_many_segments_do_not_drift(delays):
    # A million segments of 3 points, each hit once at its own threshold: added up one after
    # another in 64 bits, 3 * 0.9 a million times is off by 1e-11 of the sum.
    count, size = 1_000_000, 4
    rng = np.random.default_rng(0)
    late = np.full(count, 1) if delays == "the same" else rng.integers(0, 3, count)
    labels = np.tile([1, 1, 1, 0], count)
    scores = np.zeros(count * size, dtype=np.float32)
    scores[np.arange(count) * size + late] = rng.permutation(count) + 1
    # At the threshold 1 every segment has its one hit; at 500_001 the half with higher scores.
    made = padf.rank_scores(labels, scores).at(
        [500_001.0, 1.0], padf.PointAdjustDecay(padf.ExponentialDecay(0.9))
    )
    earned = 3 * 0.9 ** late.astype(float)
    upper = scores[np.arange(count) * size + late] >= 500_001
    wanted = [math.fsum(earned[upper].tolist()), math.fsum(earned.tolist())]
    assert made.true_positives.tolist() == pytest.approx(wanted, rel=1e-13)


def test_runs_of_false_alarms_are_those_of_the_labels_and_scores_that_were_given():
    """They are counted when asked for: by then the caller may have changed both arrays."""
    labels = np.array([0, 0, 1, 1, 0, 0], dtype=bool)
    scores = np.array([3.0, 3, 9, 0, 3, 0])
    ranked = RankedScores(labels, scores)
    labels[:], scores[:] = False, 9.0
    # At 3 the first two points are one run, and the fifth point is another.
    assert ranked.false_runs(np.array([9.0, 3.0])).tolist() == [0, 2]

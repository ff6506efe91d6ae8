"""Every rule for thresholds over a corpus, and every mean, against brute force."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import padf_core as padf
from benchmarks.coverage import measure_corpus, population
from padf_core.corpus import pooling
from padf_core.corpus.rules import Rule, rule_of
from tests import naive, strategies

HOUR = 3600


@st.composite
def corpora(draw, most=4):
    """Some short series: labels, and whole-number scores with ties of one detector."""
    made = {}
    for at in range(draw(st.integers(2, most))):
        size = draw(st.integers(2, 9))
        labels = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
        scores = draw(st.lists(st.integers(-2, 6), min_size=size, max_size=size))
        made[f"s{at}"] = (labels, scores)
    values = [value for _, scores in made.values() for value in scores]
    assume(not set(values) <= {0, 1} and len(set(values)) > 1)
    return made


def evaluate(corpus, protocol, rule, *, options=None, **more):
    """F1 and threshold of each series, and pooled F1, by way of a long table."""
    rows = [
        (name, "d", at * HOUR + 1_700_000_000, label, score)
        for name, (labels, scores) in corpus.items()
        for at, (label, score) in enumerate(zip(labels, scores, strict=True))
    ]
    frame = pd.DataFrame(rows, columns=["series", "detector", "time", "label", "score"])
    found = padf.Corpus.from_long(frame, options=options)
    return found.evaluate([protocol], thresholds=rule, random=0, **more)


def rows_of(result):
    return {row.series: row for row in result.rows}


def counted(labels, scores, protocol, threshold):
    times = [at * HOUR for at in range(len(labels))]
    alarms = [int(score >= threshold) for score in scores]
    added = naive.amounts(labels, alarms, protocol, times)
    return np.array([Fraction(each) for each in added])


def best_over(corpus, protocol):
    """The highest of the thresholds with the best pooled F1, and that F1."""
    every = {value for _, scores in corpus.values() for value in scores}
    reached = {
        at: naive.f1_of(sum(counted(*series, protocol, at) for series in corpus.values()))
        for at in every
    }
    top = max(reached.values())
    is_best = [at for at, f1 in reached.items() if float(f1) >= float(top) * (1 - 1e-12)]
    return max(is_best), top


def anomalous(corpus):
    return [name for name, (labels, _) in corpus.items() if 1 in labels]


every_protocol = st.one_of(strategies.protocols, strategies.timed_protocols)


@given(corpora(), every_protocol)
@settings(max_examples=40)
def test_one_threshold_for_all_series_is_the_best_for_the_counts_of_all(corpus, protocol):
    assume(anomalous(corpus))
    threshold, top = best_over(corpus, protocol)
    assume(top > 0)
    rows = rows_of(evaluate(corpus, protocol, "common"))
    assert rows["pooled"].threshold == threshold
    assert rows["pooled"].f1 == pytest.approx(float(top), rel=1e-12)
    for name in anomalous(corpus):
        own = counted(*corpus[name], protocol, threshold)
        assert rows[name].threshold == threshold
        assert rows[name].f1 == pytest.approx(float(naive.f1_of(own)), rel=1e-12)
        assert rows[name].earned == pytest.approx(float(own[0]), rel=1e-12)


@given(corpora(), every_protocol)
@settings(max_examples=12)
def test_cutting_the_scale_into_ranges_changes_nothing(corpus, protocol):
    assume(anomalous(corpus))
    for rule in ("common", "others"):
        whole = evaluate(corpus, protocol, rule)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pooling, "AT_ONCE", 3)
            assert repr(evaluate(corpus, protocol, rule).rows) == repr(whole.rows)


@given(corpora(), every_protocol)
@settings(max_examples=40)
def test_each_series_is_judged_at_the_threshold_of_all_others(corpus, protocol):
    expected, total = {}, 0
    for name, series in corpus.items():
        others = {other: rest for other, rest in corpus.items() if other != name}
        assume(anomalous(others))
        expected[name], top = best_over(others, protocol)
        assume(top > 0)
        total = total + counted(*series, protocol, expected[name])
    rows = rows_of(evaluate(corpus, protocol, "others"))
    assert {name: rows[name].threshold for name in corpus} == expected
    assert rows["pooled"].f1 == pytest.approx(float(naive.f1_of(total)), rel=1e-12)


@given(corpora(), every_protocol)
@settings(max_examples=25)
def test_each_series_at_its_own_best_threshold(corpus, protocol):
    judged = [name for name in anomalous(corpus) if not set(corpus[name][1]) <= {0, 1}]
    assume(judged and len(judged) == len(anomalous(corpus)))
    rows = rows_of(evaluate(corpus, protocol, "best"))
    total, f1 = 0, []
    for name in judged:
        threshold, top = best_over({name: corpus[name]}, protocol)
        assume(top > 0)
        assert rows[name].threshold == threshold
        assert rows[name].f1 == pytest.approx(float(top), rel=1e-12)
        total = total + counted(*corpus[name], protocol, threshold)
        f1.append(float(top))
    assert rows["mean"].f1 == pytest.approx(sum(f1) / len(f1), rel=1e-12)
    quiet = {name for name, (_, scores) in corpus.items() if set(scores) <= {0, 1}}
    if not quiet:
        assert rows["pooled"].f1 == pytest.approx(float(naive.f1_of(total)), rel=1e-12)
    # Where nothing is anomalous no threshold is the best: such series are left out.
    assert set(rows) - {"pooled", "mean"} == set(judged) | quiet


@given(corpora(), strategies.protocols, st.integers(0, 30))
@settings(max_examples=15)
def test_a_budget_is_kept_by_every_series(corpus, protocol, calls):
    budget = float(calls)
    rows = rows_of(evaluate(corpus, protocol, f"budget:{budget}"))
    for name, (labels, scores) in corpus.items():
        if set(scores) <= {0, 1}:
            continue
        # A row is an hour.
        most = budget * len(labels) / 24
        kept = float("inf")
        normal = [score for label, score in zip(labels, scores, strict=True) if not label]
        for at in sorted(set(scores), reverse=True):
            flagged = [int(score >= at) for score in scores]
            if naive.false_runs(labels, flagged) > most or at <= min(normal, default=at - 1):
                break
            kept = at
        assert rows[name].threshold == kept
        alarms = [int(score >= kept) for score in scores]
        assert rows[name].false_alarms == naive.false_runs(labels, alarms)
        assert rows[name].false_alarms <= most + 1e-9


@given(corpora(), strategies.protocols, st.integers(-2, 6))
@settings(max_examples=15)
def test_a_threshold_that_was_given(corpus, protocol, threshold):
    assume(not any(set(scores) <= {0, 1} for _, scores in corpus.values()))
    for rule in (float(threshold), {"d": threshold}):
        rows = rows_of(evaluate(corpus, protocol, rule))
        total = sum(counted(*series, protocol, threshold) for series in corpus.values())
        assert rows["pooled"].earned == pytest.approx(float(total[0]), rel=1e-12)
        assert rows["pooled"].claimed == pytest.approx(float(total[1]), rel=1e-12)
        if anomalous(corpus):
            assert rows["pooled"].f1 == pytest.approx(float(naive.f1_of(total)), rel=1e-12)


def test_a_training_part_chooses_and_the_rest_judges():
    # Rows 0 to 5 train: at 4 the two anomalous points are found without a false alarm. In the
    # rest that threshold misses row 7 (3) and has a false alarm at row 9 (5): the segment is rows
    # 6 and 7, found at once; point-wise 1 hit, 1 false, 1 missed: F1 = 2/4.
    labels = [0, 0, 1, 1, 0, 0, 1, 1, 0, 0]
    scores = [1, 3, 4, 5, 2, 1, 6, 3, 2, 5]
    made = evaluate(
        {"a": (labels, scores)}, padf.Pointwise(), "train", options=padf.ReadOptions(train=0.6)
    )
    (row,) = [row for row in made.rows if row.series == "a"]
    assert (row.threshold, row.f1) == (4, 0.5)


def test_what_cannot_choose_a_threshold_is_left_out_with_a_reason():
    corpus = {"a": ([0, 1, 0], [1, 5, 2]), "b": ([0, 0, 0], [3, 1, 2])}
    best = evaluate(corpus, padf.PointAdjust(), "best")
    assert best.series == ["a"]
    assert [told.what for told in best.left_out] == ["b, d"]
    assert "no threshold can be chosen" in best.left_out[0].why
    others = evaluate(corpus, padf.PointAdjust(), "others")
    # a has nobody to learn from; b is judged at 5, the best of a, and has no false alarm there.
    assert others.series == ["b"]
    assert rows_of(others)["b"].threshold == 5
    assert np.isnan(rows_of(others)["b"].f1)


def test_series_without_an_anomaly_count_when_pooled_and_not_in_means():
    corpus = {"a": ([0, 1, 0], [1, 5, 2]), "b": ([0, 0, 0], [6, 1, 2])}
    rows = rows_of(evaluate(corpus, padf.PointAdjust(), 5.0))
    # One of one point found, one false alarm in b: P = 1/2, R = 1.
    assert rows["pooled"].f1 == pytest.approx(2 / 3)
    assert rows["mean"].f1 == 1
    assert rows["pooled"].segments == 1


def test_detections_are_taken_as_they_are_under_every_rule():
    corpus = {"a": ([0, 1, 1, 0], [0, 1, 0, 1]), "b": ([1, 0, 0, 0], [1, 0, 0, 0])}
    for rule in ("best", "common", "others", 0.3, "budget:1000"):
        rows = rows_of(evaluate(corpus, padf.Pointwise(), rule))
        assert rows["a"].threshold == 1
        # 2 of 3 points found, 1 false alarm.
        assert rows["pooled"].f1 == pytest.approx(2 / 3)


def test_onset_ignore_probation_and_gaps_are_as_for_one_series():
    labels = [0, 0, 1, 1, 1, 1, 0, 0, 1, 1]
    scores = [9, 1, 2, 3, 8, 4, 5, 1, 7, 2]
    onset = padf.Onset(shift=2)
    options = padf.ReadOptions(probation=0.1, onset=onset)
    protocol = padf.PointAdjustDecay()
    row = rows_of(evaluate({"a": (labels, scores)}, protocol, "best", options=options))["a"]
    ignore = [1] + 9 * [0]
    (best,) = padf.best_f1(labels, scores, [protocol], ignore=ignore, onset=onset)
    assert (row.threshold, row.f1) == (best.threshold, best.f1)


@pytest.mark.parametrize("at_once", [3, 1000])
def test_infinite_scores_are_scores_like_others(at_once, monkeypatch):
    monkeypatch.setattr(pooling, "AT_ONCE", at_once)
    corpus = {
        "a": ([0, 1, 1, 0, 0], [float("-inf"), float("inf"), 3.0, 2.0, 1.0]),
        "b": ([0, 0, 1, 0, 0], [float("inf"), 1.0, 2.5, float("-inf"), 0.5]),
    }
    labels, scores = (
        [value for series in corpus.values() for value in series[at]] for at in (0, 1)
    )
    for protocol in (padf.Pointwise(), padf.PointAdjust(), padf.EventWise()):
        (best,) = padf.best_f1(labels, scores, [protocol], series=list("aaaaabbbbb"))
        row = rows_of(evaluate(corpus, protocol, "common"))["pooled"]
        assert (row.threshold, row.f1) == (best.threshold, pytest.approx(best.f1))


def test_seeds_are_detectors_of_their_own_with_a_mean_and_a_spread():
    rows = []
    for seed, scores in ((1, [1, 5, 2]), (2, [5, 1, 2])):
        rows += [("a", "d", seed, label, s) for label, s in zip([0, 1, 0], scores, strict=True)]
    frame = pd.DataFrame(rows, columns=["series", "detector", "seed", "label", "score"])
    made = padf.Corpus.from_long(frame).evaluate([padf.Pointwise()], thresholds="common", random=0)
    # Seed 1: F1 = 1. Seed 2: all three rows flagged, 1 of 3 right: P = 1/3, R = 1, F1 = 1/2.
    (summary,) = made.summary()
    assert (summary.seeds, summary.pooled_f1) == (2, 0.75)
    assert summary.pooled_spread == pytest.approx(0.5 / 2**0.5)


def test_the_baseline_is_a_random_detector_under_the_same_rule():
    rng = np.random.default_rng(1)
    labels = np.zeros(200, dtype=int)
    labels[60:90] = labels[150:160] = 1
    corpus = {"a": (labels.tolist(), rng.normal(size=200).tolist())}
    frame = pd.DataFrame({"series": "a", "detector": "d", "label": labels, "score": corpus["a"][1]})
    for rule in ("best", "common"):
        made = padf.Corpus.from_long(frame).evaluate(
            [padf.PointAdjust()], thresholds=rule, random=20
        )
        known = np.mean(
            [padf.best_f1(labels, rng.random(200), [padf.PointAdjust()])[0].f1 for _ in range(200)]
        )
        assert rows_of(made)["a"].random_f1 == pytest.approx(known, abs=0.05)
        assert rows_of(made)["pooled"].random_f1 == pytest.approx(rows_of(made)["a"].random_f1)
    # At a given threshold it alarms as often as the detector: at a normal's 0, half of all points.
    # Point-wise P is 0.2, R is a half: 2 * 0.2 * 0.5 / 0.7.
    given = padf.Corpus.from_long(frame).evaluate([padf.Pointwise()], thresholds=0.0, random=50)
    assert rows_of(given)["a"].random_f1 == pytest.approx(0.2 / 0.7, abs=0.04)


@pytest.mark.parametrize("said", ["bset", "budget", "budget:-1", "nan", "given", "best:2"])
def test_a_rule_that_is_none_is_refused(said):
    with pytest.raises(ValueError):
        rule_of(said)


def test_a_rule_is_written_as_it_is_read():
    for said in ("best", "common", "others", "train", "budget:2", "0.25"):
        assert rule_of(said).text == said
    assert rule_of({"a": 1}) == Rule("given", by_detector={"a": 1.0})


def several(seed=0, count=6):
    """A long table of short series with one detector that knows a little."""
    rng = np.random.default_rng(seed)
    rows = []
    for at in range(count):
        labels = (np.arange(60) % 20 >= 15).astype(int)
        scores = np.round(rng.normal(size=60) + rng.uniform(0, 2) * labels, 2)
        rows += [(f"s{at}", "d", *row) for row in zip(labels, scores, strict=True)]
    return pd.DataFrame(rows, columns=["series", "detector", "label", "score"])


def test_thresholds_come_from_other_series_unless_somebody_says_otherwise():
    corpus = padf.Corpus.from_long(several())
    made = corpus.evaluate([padf.PointAdjust()], random=0)
    assert made.rule == "others"
    assert made.caveats == []
    alone = padf.Corpus.from_long(several(count=1)).evaluate([padf.PointAdjust()], random=0)
    assert alone.rule == "best"
    assert "oracle" in alone.caveats[0]
    common = corpus.evaluate([padf.PointAdjust()], thresholds="common", random=0)
    assert "optimistic" in common.caveats[0]
    assert rows_of(common)["pooled"].f1 >= rows_of(made)["pooled"].f1


def naive_interval(blocks, whole):
    """Jackknife over blocks on the logit of F1 with t; two halves are added, found and missed."""
    padded = np.array([*blocks, whole / 2, whole / 2 * [0, 0, 1, 0]])

    def f1(table):
        earned, claimed, wanted, found = table.sum(axis=0)
        p, r = earned / claimed, found / wanted
        return 2 * p * r / (p + r)

    centre = f1(padded)
    moves = np.array([f1(np.delete(padded, at, axis=0)) - centre for at in range(len(padded))])
    spread = np.sqrt((len(padded) - 1) * np.var(moves)) / (centre * (1 - centre))
    equal = blocks[:, 2].sum() ** 2 / (blocks[:, 2] ** 2).sum()
    reach = stats.t.ppf(0.975, equal - 1) * spread
    logit = np.log(centre / (1 - centre))
    return [1 / (1 + np.exp(-logit - side * reach)) for side in (-1, 1)]


def test_intervals_over_series_by_hand():
    made = padf.Corpus.from_long(several()).evaluate([padf.PointAdjust()], random=0)
    rows = [row for row in made.rows if not row.is_whole]
    (summary,) = made.summary()
    blocks = np.array([[row.earned, row.claimed, row.wanted, row.found] for row in rows])
    wanted = naive_interval(blocks, np.full(4, blocks[:, 2].mean()))
    assert (summary.pooled_low, summary.pooled_high) == pytest.approx(tuple(wanted), rel=1e-6)
    f1 = np.array([row.f1 for row in rows])
    wanted = naive_interval(np.column_stack([f1, np.ones((6, 2)), f1]), np.ones(4))
    assert (summary.mean_low, summary.mean_high) == pytest.approx(tuple(wanted), rel=1e-6)


def test_the_random_baseline_has_its_own_error():
    """The first draw is that of one run, and the second what two runs have more on average."""
    corpus = padf.Corpus.from_long(several())

    def row(runs):
        made = corpus.evaluate([padf.PointAdjust()], thresholds="common", random=runs)
        return {name: rows_of(made)[name] for name in ("s0", "pooled", "mean")}

    one, two = row(1), row(2)
    for name, made in two.items():
        first = one[name].random_f1
        second = 2 * made.random_f1 - first
        assert made.random_f1_error == pytest.approx(abs(first - second) / 2)
        assert np.isnan(one[name].random_f1_error)


def test_the_random_baseline_has_early_windows_as_detectors_have():
    """Twenty columns of noise beside the baseline: their means differ by noise alone."""
    rng = np.random.default_rng(0)
    labels = (np.arange(400) % 50 < 5).astype(int)
    frame = pd.concat(
        pd.DataFrame({"series": "a", "detector": f"d{at}", "label": labels, "score": noise})
        for at, noise in enumerate(rng.random((20, 400)))
    )
    options = padf.ReadOptions(onset=padf.Onset(early=10))
    corpus = padf.Corpus.from_long(frame, options=options)
    made = corpus.evaluate([padf.PointAdjust()], thresholds="best", random=20)
    rows = [row for row in made.rows if row.series == "a"]
    error = np.hypot(np.std([row.f1 for row in rows]) / np.sqrt(20), rows[0].random_f1_error)
    assert abs(np.mean([row.f1 for row in rows]) - rows[0].random_f1) < 4 * error


@pytest.mark.slow
def test_intervals_over_few_series_hold_the_truth():
    """What the benchmark measures at length: of 60 draws 57 hold on average, 51 or fewer by 1 %."""
    every = population(120, 3)
    for own in every:
        assert measure_corpus(own, 5, 60)["common"] > 51 / 60


@pytest.mark.parametrize("rule", ["best", "others", "common", 0.5])
def test_alarms_are_compared_with_as_many_random_ones_under_every_rule(rule, tmp_path):
    """Ten incidents of ten points in 1000, and 20 alarms: by chance two in a hundred points ring.

    A random detector that rings 20 times has precision 0.1 and recall 0.02 point-wise on average,
    so an F1 near 0.033. Scores have 0.18 (2 r / (1 + r)) by flagging everything, and 0.17 where
    half of the points ring.
    """
    labels = np.arange(1000) % 100 >= 90
    rng = np.random.default_rng(0)
    for name in "abc":
        alarms = np.isin(np.arange(1000), rng.choice(1000, 20, replace=False)).astype(int)
        pd.DataFrame(
            {"label": labels.astype(int), "rings": alarms, "score": rng.random(1000)}
        ).to_csv(tmp_path / f"{name}.csv", index=False)
    made = padf.Corpus.from_files(tmp_path).evaluate([padf.Pointwise()], thresholds=rule, random=40)
    baseline = {row.detector: row.pooled_random_f1 for row in made.summary()}
    assert baseline["rings"] == pytest.approx(0.033, abs=0.012)
    assert baseline["score"] > 0.15

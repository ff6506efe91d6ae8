"""The shapes that other packages ask for, against the real packages where they are installed.

`make check-adapters` installs them into an environment of their own and runs this there.
"""

import numpy as np
import pytest

import padf_core as padf
from padf_core.adapters import best_f1_score, dtaianomaly_metric

RNG = np.random.default_rng(4)
LABELS = (np.arange(400) % 40 >= 30).astype(int)
SCORES = np.clip(RNG.random(400) + 0.4 * LABELS, 0, 1)
PROTOCOLS = padf.Settings(["composite", "event_wise"]).protocols()


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda each: each.key)
def test_best_f1_is_that_of_the_sweep(protocol):
    found = best_f1_score(protocol)(LABELS, SCORES)
    assert found == padf.sweep(LABELS, SCORES, protocol).best.f1


def test_aeon_takes_and_gives_the_same_point_wise_numbers():
    metrics = pytest.importorskip("aeon.benchmarking.metrics.anomaly_detection")
    swept = padf.sweep(LABELS, SCORES, padf.Pointwise())
    # Ours stands where theirs does.
    ours = best_f1_score(padf.PointAdjustDecay())
    theirs, own = (score(LABELS, SCORES) for score in (metrics.roc_auc_score, ours))
    assert theirs == pytest.approx(swept.roc_auc)
    assert own == padf.sweep(LABELS, SCORES, padf.PointAdjustDecay()).best.f1


def test_dtaianomaly_takes_a_metric_and_finds_the_same_best():
    evaluation = pytest.importorskip("dtaianomaly.evaluation")
    alarms = (SCORES >= 0.9).astype(int)
    for protocol in PROTOCOLS:
        metric = dtaianomaly_metric(protocol)
        assert metric.compute(LABELS, alarms) == padf.evaluate(LABELS, alarms, protocol).f1
        with pytest.raises(ValueError, match="binary"):
            metric.compute(LABELS, SCORES)
    # Their point-adjusted F is PA.
    theirs = evaluation.PointAdjustedFBeta(1.0).compute(LABELS, alarms)
    assert dtaianomaly_metric(padf.PointAdjust()).compute(LABELS, alarms) == pytest.approx(theirs)
    best = evaluation.BestThresholdMetric(dtaianomaly_metric(padf.PointAdjustDecay()))
    assert best.compute(LABELS, SCORES) == pytest.approx(
        padf.sweep(LABELS, SCORES, padf.PointAdjustDecay()).best.f1
    )

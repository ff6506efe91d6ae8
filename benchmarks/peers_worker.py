"""Time tsadmetrics and tadpak on a saved series and print JSON. Runs in their own environment.

It also prints the F1 of tsadmetrics under the delay-aware rules on many short series.
"""

import contextlib
import io
import json
import sys
import time

import numpy as np


def timed(call, repeats=5):
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        value = call()
        taken.append(time.perf_counter() - start)
        if sum(taken) > 5:
            break
    return {"seconds": min(taken), "f1": float(value)}


def tsadmetrics_rows(labels, detections, apart):
    from tsadmetrics.metrics.tem.ptdm.PointadjustedAtKFScore import PointadjustedAtKFScore
    from tsadmetrics.metrics.tem.tpdm.CompositeFScore import CompositeFScore
    from tsadmetrics.metrics.tem.tpdm.PointadjustedFScore import PointadjustedFScore
    from tsadmetrics.metrics.tem.tpdm.SegmentwiseFScore import SegmentwiseFScore

    pa, pa_k = PointadjustedFScore(), PointadjustedAtKFScore(k=0.2)
    composite, segments = CompositeFScore(), SegmentwiseFScore()
    yield "tsadmetrics", "PA", timed(lambda: pa.compute(labels, detections))
    yield "tsadmetrics", "PA%K >= 20", timed(lambda: pa_k.compute(labels, detections))
    yield "tsadmetrics", "Composite", timed(lambda: composite.compute(labels, detections))
    yield "tsadmetrics", "Event-wise", timed(lambda: segments.compute(labels, detections))
    yield "tsadmetrics", "Event-wise, apart", timed(lambda: segments.compute(labels, apart))


def tadpak_rows(labels, detections, few_labels, few_scores):
    from sklearn.metrics import f1_score
    from tadpak import evaluate, pak

    scores = detections.astype(float)
    for name, k in (("PA", 0), ("PA%K > 20", 20)):
        yield (
            "tadpak",
            name,
            timed(lambda k=k: f1_score(labels, pak.pak(scores, labels, 0.5, k))),
        )
    for name, k in (("best PA", 0), ("best PA%K > 20", 20)):
        with contextlib.redirect_stderr(io.StringIO()):
            result = timed(
                lambda k=k: evaluate.evaluate(few_scores, few_labels, k=k)["best_f1_w_pa"]
            )
        yield "tadpak", name, result


def tsadmetrics_rules(labels, detections, limits):
    """Return F1 of each case under the k-delay rule and under latency-aware F1."""
    from tsadmetrics.metrics.tem.dpm.DelayThresholdedPointadjustedFScore import (
        DelayThresholdedPointadjustedFScore,
    )
    from tsadmetrics.metrics.tem.dpm.LatencySparsityawareFScore import LatencySparsityawareFScore

    latency = LatencySparsityawareFScore(ni=1)
    return {
        "dtpaf": [
            float(DelayThresholdedPointadjustedFScore(k=int(limit) + 1).compute(truth, alarms))
            for truth, alarms, limit in zip(labels, detections, limits, strict=True)
        ],
        "lsaf": [
            float(latency.compute(truth, alarms))
            for truth, alarms in zip(labels, detections, strict=True)
        ],
    }


def main():
    series = np.load(sys.argv[1])
    labels, detections = series["labels"], series["detections"]
    rows = [
        *tsadmetrics_rows(labels, detections, series["apart"]),
        *tadpak_rows(labels, detections, series["few_labels"], series["few_scores"]),
    ]
    rules = tsadmetrics_rules(
        series["case_labels"], series["case_detections"], series["case_limits"]
    )
    json.dump({"rows": rows, "rules": rules}, sys.stdout)


if __name__ == "__main__":
    main()

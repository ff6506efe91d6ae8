"""Evaluation protocols for time-series anomaly detection: point-wise, PA, PA%K, PAdf and others."""

from importlib import import_module
from typing import Any

from padf_core.analysis.comparing import ComparedDetectors, compare
from padf_core.metrics.alerts import AlertRule, alarms_from
from padf_core.metrics.curves import (
    Curve,
    best_f1_over_d,
    best_f1_over_k,
    f1_over_d,
    f1_over_k,
    f1_over_shift,
)
from padf_core.metrics.decay import (
    DECAYS,
    CheckedDecay,
    DeadlineDecay,
    Decay,
    ExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    OddsDecay,
    SigmoidDecay,
    WorthDecay,
)
from padf_core.metrics.evaluation import Evaluation, SegmentOutcome, evaluate, evaluate_all
from padf_core.metrics.expectation import Expectation, expected, random_score_f1
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import (
    PROTOCOLS,
    Composite,
    EventWise,
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    Pointwise,
    Protocol,
)
from padf_core.metrics.scorers import pa_f1_score, pa_k_f1_score, padf_f1_score
from padf_core.metrics.segments import Segment, Segments, find_segments
from padf_core.metrics.settings import Settings
from padf_core.metrics.sweep import BestPoint, RankedScores, Sweep, best_f1, rank_scores, sweep

__version__ = "0.1.0"

__all__ = [
    "DECAYS",
    "PROTOCOLS",
    "AlertRule",
    "BestPoint",
    "CheckedDecay",
    "ComparedDetectors",
    "Composite",
    "Curve",
    "DeadlineDecay",
    "Decay",
    "Evaluation",
    "EventWise",
    "Expectation",
    "ExponentialDecay",
    "HalfLifeDecay",
    "LinearDecay",
    "OddsDecay",
    "Onset",
    "PointAdjust",
    "PointAdjustDecay",
    "PointAdjustK",
    "Pointwise",
    "Protocol",
    "RankedScores",
    "Segment",
    "SegmentOutcome",
    "Segments",
    "Settings",
    "SigmoidDecay",
    "Sweep",
    "WorthDecay",
    "alarms_from",
    "best_f1",
    "best_f1_over_d",
    "best_f1_over_k",
    "compare",
    "evaluate",
    "evaluate_all",
    "expected",
    "f1_over_d",
    "f1_over_k",
    "f1_over_shift",
    "find_segments",
    "pa_f1_score",
    "pa_k_f1_score",
    "padf_f1_score",
    "random_score_f1",
    "rank_scores",
    "sweep",
]


_CORPUS = {
    "Corpus": "padf_core.corpus.corpus",
    "CorpusResult": "padf_core.corpus.results",
    "Taking": "padf_core.corpus.series_rows",
    "read_result": "padf_core.corpus.writing",
}


def __getattr__(name: str) -> Any:
    """Find a protocol or a decay that was registered under its class name, or the corpora.

    Those read tables: they are loaded when somebody asks for them.
    """
    if name in _CORPUS:
        return getattr(import_module(_CORPUS[name]), name)
    for kind in (*PROTOCOLS.values(), *DECAYS.values()):
        if kind.__name__ == name:
            return kind
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

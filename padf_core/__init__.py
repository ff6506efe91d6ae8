"""Evaluation protocols for time-series anomaly detection: point-wise, PA, PA%K and PAdf."""

from padf_core.curves import (
    Curve,
    best_f1_over_d,
    best_f1_over_k,
    f1_over_d,
    f1_over_k,
    f1_over_shift,
)
from padf_core.decay import (
    CheckedDecay,
    DeadlineDecay,
    Decay,
    ExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
)
from padf_core.evaluation import Evaluation, SegmentOutcome, evaluate, evaluate_all
from padf_core.protocols import (
    PROTOCOLS,
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    Pointwise,
    Protocol,
)
from padf_core.scorers import pa_f1_score, pa_k_f1_score, padf_f1_score
from padf_core.segments import Segment, Segments, find_segments
from padf_core.settings import Settings
from padf_core.sweep import BestPoint, RankedScores, Sweep, best_f1, rank_scores, sweep
from padf_core.theory import Expectation, expected, random_score_f1

__version__ = "0.1.0"

__all__ = [
    "PROTOCOLS",
    "BestPoint",
    "CheckedDecay",
    "Curve",
    "DeadlineDecay",
    "Decay",
    "Evaluation",
    "Expectation",
    "ExponentialDecay",
    "HalfLifeDecay",
    "LinearDecay",
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
    "Sweep",
    "best_f1",
    "best_f1_over_d",
    "best_f1_over_k",
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

"""Evaluation protocols for time-series anomaly detection: point-wise, PA, PA%K, PAdf and others."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from padf_core.analysis import baselines
    from padf_core.analysis.baselines import BASELINES
    from padf_core.analysis.choosing import Need, decay_for
    from padf_core.analysis.compare import ComparedDetectors, compare
    from padf_core.analysis.held_out import HeldOut, held_out
    from padf_core.corpus.corpus import Corpus
    from padf_core.corpus.results import CorpusResult
    from padf_core.corpus.writing import read_result
    from padf_core.io.options import ReadOptions
    from padf_core.io.read import read_series
    from padf_core.io.samples import load_sample
    from padf_core.io.series import Detector, Series
    from padf_core.metrics.alerts import AlertRule, alarms_from
    from padf_core.metrics.curves import (
        Curve,
        best_f1_over_d,
        best_f1_over_k,
        f1_over_d,
        f1_over_k,
        f1_over_shift,
    )
    from padf_core.metrics.decays import (
        DECAYS,
        ADTQCDecay,
        CheckedDecay,
        DeadlineDecay,
        Decay,
        ExponentialDecay,
        HalfLifeDecay,
        LinearDecay,
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
    from padf_core.metrics.ranked_scores import RankedScores
    from padf_core.metrics.scorers import pa_f1_score, pa_k_f1_score, padf_f1_score
    from padf_core.metrics.segments import Segment, Segments, find_segments
    from padf_core.metrics.settings import Settings
    from padf_core.metrics.sweep import best_f1, rank_scores, sweep
    from padf_core.metrics.sweep_results import BestPoint, Sweep

__version__ = "0.1.0"

__all__ = [
    "BASELINES",
    "DECAYS",
    "PROTOCOLS",
    "ADTQCDecay",
    "AlertRule",
    "BestPoint",
    "CheckedDecay",
    "ComparedDetectors",
    "Composite",
    "Corpus",
    "CorpusResult",
    "Curve",
    "DeadlineDecay",
    "Decay",
    "Detector",
    "Evaluation",
    "EventWise",
    "Expectation",
    "ExponentialDecay",
    "HalfLifeDecay",
    "HeldOut",
    "LinearDecay",
    "Need",
    "Onset",
    "PointAdjust",
    "PointAdjustDecay",
    "PointAdjustK",
    "Pointwise",
    "Protocol",
    "RankedScores",
    "ReadOptions",
    "Segment",
    "SegmentOutcome",
    "Segments",
    "Series",
    "Settings",
    "SigmoidDecay",
    "Sweep",
    "WorthDecay",
    "alarms_from",
    "baselines",
    "best_f1",
    "best_f1_over_d",
    "best_f1_over_k",
    "compare",
    "decay_for",
    "evaluate",
    "evaluate_all",
    "expected",
    "f1_over_d",
    "f1_over_k",
    "f1_over_shift",
    "find_segments",
    "held_out",
    "load_sample",
    "pa_f1_score",
    "pa_k_f1_score",
    "padf_f1_score",
    "random_score_f1",
    "rank_scores",
    "read_result",
    "read_series",
    "sweep",
]


_HOMES = {
    "padf_core.analysis": ("baselines",),
    "padf_core.analysis.baselines": ("BASELINES",),
    "padf_core.analysis.choosing": ("Need", "decay_for"),
    "padf_core.analysis.held_out": ("HeldOut", "held_out"),
    "padf_core.io.samples": ("load_sample",),
    "padf_core.io.series": ("Detector", "Series"),
    "padf_core.analysis.compare": ("ComparedDetectors", "compare"),
    "padf_core.metrics.alerts": ("AlertRule", "alarms_from"),
    "padf_core.metrics.curves": (
        "Curve",
        "best_f1_over_d",
        "best_f1_over_k",
        "f1_over_d",
        "f1_over_k",
        "f1_over_shift",
    ),
    "padf_core.metrics.decays": (
        "DECAYS",
        "ADTQCDecay",
        "CheckedDecay",
        "DeadlineDecay",
        "Decay",
        "ExponentialDecay",
        "HalfLifeDecay",
        "LinearDecay",
        "SigmoidDecay",
        "WorthDecay",
    ),
    "padf_core.metrics.evaluation": ("Evaluation", "SegmentOutcome", "evaluate", "evaluate_all"),
    "padf_core.metrics.expectation": ("Expectation", "expected", "random_score_f1"),
    "padf_core.metrics.onset": ("Onset",),
    "padf_core.metrics.protocols": (
        "PROTOCOLS",
        "Composite",
        "EventWise",
        "PointAdjust",
        "PointAdjustDecay",
        "PointAdjustK",
        "Pointwise",
        "Protocol",
    ),
    "padf_core.metrics.scorers": ("pa_f1_score", "pa_k_f1_score", "padf_f1_score"),
    "padf_core.metrics.segments": ("Segment", "Segments", "find_segments"),
    "padf_core.metrics.settings": ("Settings",),
    "padf_core.metrics.ranked_scores": ("RankedScores",),
    "padf_core.metrics.sweep": ("best_f1", "rank_scores", "sweep"),
    "padf_core.metrics.sweep_results": ("BestPoint", "Sweep"),
    "padf_core.corpus.corpus": ("Corpus",),
    "padf_core.corpus.results": ("CorpusResult",),
    "padf_core.io.options": ("ReadOptions",),
    "padf_core.io.read": ("read_series",),
    "padf_core.corpus.writing": ("read_result",),
}
"""Module that defines each public name. Corpora read tables, so they also need pandas."""


_RENAMED = {"OddsDecay": "ADTQCDecay"}
"""Old names that still work for one release."""


def __getattr__(name: str) -> Any:
    """Load a public name on first use, so that the command starts quickly.

    Protocols and decays registered by other packages are found by their class names.
    """
    if name in _RENAMED:
        from warnings import warn

        warn(f"padf.{name} is now called {_RENAMED[name]}", DeprecationWarning, stacklevel=2)
        return __getattr__(_RENAMED[name])
    for home, names in _HOMES.items():
        if name in names:
            # With a fromlist, a name can also be a module of the package.
            found = getattr(__import__(home, fromlist=[name]), name)
            globals()[name] = found
            return found
    if not name.startswith("_"):
        from padf_core.metrics.decays import DECAYS
        from padf_core.metrics.protocols import PROTOCOLS

        for kind in (*PROTOCOLS.values(), *DECAYS.values()):
            if kind.__name__ == name:
                return kind
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names, without the names that this module imports for itself."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})

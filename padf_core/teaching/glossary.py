"""The glossary."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A term and its meaning in this project."""

    key: str
    name: str
    meaning: str
    also: tuple[str, ...] = ()
    """Other spellings and forms."""
    formula: str = ""
    """The definition as a formula, in LaTeX. Protocols state their own."""


TERMS: tuple[Term, ...] = (
    Term("point", "point", "One moment of a series: a row of a table, a cell of a lane."),
    Term("label", "label", "The truth at a point: 1 during an anomaly, else 0.", ("truth",)),
    Term(
        "segment",
        "segment",
        "A run of consecutive anomalous points: one incident. Its length N is its number of "
        "points.",
        ("segments",),
    ),
    Term("score", "score", "A detector's number at a point. Higher means more alarming."),
    Term(
        "threshold",
        "threshold",
        "Points scoring at or above this value are flagged.",
    ),
    Term(
        "detection",
        "detection",
        "A point that the detector flags.",
        ("alarm", "alarms", "detections"),
    ),
    Term("hit", "hit", "A detection inside a segment.", ("hits",)),
    Term(
        "false_alarm",
        "false alarm",
        "A detection outside every segment. It lowers precision under every protocol.",
        ("false alarms",),
    ),
    Term(
        "delay",
        "delay",
        "Steps from the start of a segment to its first hit. 0 means the first point.",
    ),
    Term(
        "credit",
        "credit",
        "What a protocol grants each point of a segment, from 0 to 1. It is the height of the "
        "point's cell.",
    ),
    Term(
        "etp",
        "eTP",
        "Effective true positives: the sum of credit inside all segments.",
        formula=r"\mathit{eTP} = \sum_t c_t",
    ),
    Term(
        "precision",
        "precision",
        "Share of the claimed points that are right: TP / (TP + FP).",
        formula=r"P = \frac{\mathit{TP}}{\mathit{TP} + \mathit{FP}}",
    ),
    Term(
        "recall",
        "recall",
        "Share of the anomalous points that are found: TP / (TP + FN).",
        formula=r"R = \frac{\mathit{TP}}{\mathit{TP} + \mathit{FN}}",
    ),
    Term(
        "f1",
        "F1",
        "The harmonic mean of precision and recall: 2 P R / (P + R). It is high only if both are "
        "high.",
        formula=r"F_1 = \frac{2 P R}{P + R}",
    ),
    Term(
        "protocol",
        "protocol",
        "A scoring rule that says what detections earn: point-wise, PA, PA%K, PAdf and others.",
        ("protocols",),
    ),
    Term("pointwise", "point-wise", "Each point is scored on its own, without adjustment."),
    Term(
        "pa",
        "PA",
        "Point adjustment: one hit anywhere in a segment earns credit for all its points.",
        ("point adjustment",),
    ),
    Term(
        "pa_k",
        "PA%K",
        "Point adjustment only for segments with more than K percent of their points hit.",
    ),
    Term(
        "padf",
        "PAdf",
        "Point adjustment with a decay function: the later the first hit, the less credit.",
    ),
    Term(
        "decay",
        "decay",
        "How credit falls with the delay. The paper's is D(k) = d^k for a delay of k steps.",
        ("decay rate", "decay function"),
        r"D(k) = d^k",
    ),
    Term(
        "alert_rule",
        "alert rule",
        "When to raise an alert: after m consecutive points at or above the threshold (the "
        "wait), then silence for c points (the cool-down).",
        ("alert rules",),
    ),
    Term(
        "half_life",
        "half-life",
        "The delay after which half of the credit is gone.",
        formula=r"h = \ln 0.5 / \ln d",
    ),
    Term(
        "sweep",
        "sweep",
        "The score computed at every possible threshold.",
    ),
    Term(
        "oracle",
        "best threshold",
        "The threshold with the highest F1, chosen after seeing the labels (an oracle).",
    ),
    Term(
        "held_out",
        "held out",
        "Chosen on other data than the data that is scored: other segments, other series, or an "
        "earlier part.",
    ),
    Term("random", "random detector", "A detector that guesses at random."),
    Term(
        "random_baseline",
        "random baseline",
        "The mean F1 of random detectors, each at its own best threshold. For given alarms: of as "
        "many alarms at random places.",
    ),
    Term(
        "interval",
        "confidence interval",
        "A range that contains the true value with a stated probability, such as 95 %. It says "
        "how certain a score is.",
        ("confidence intervals",),
    ),
    Term(
        "resample",
        "resample",
        "Data drawn or left out again from the same data, to see how much a score varies. The "
        "jackknife leaves out one block at a time.",
        ("jackknife", "resamples"),
    ),
    Term(
        "missing",
        "missing values",
        "Rows in which a detector has no score. Choose whether they are an error, no alarm, or "
        "ignored.",
        ("missing scores",),
    ),
    Term(
        "unordered",
        "out-of-order timestamps",
        "Timestamps that go back or repeat from one row to the next.",
    ),
)
"""In recommended reading order."""


def find_term(word: str) -> Term | None:
    """Return the term for a word in any of its forms, or None.

    >>> find_term("Segments").key, find_term("nothing") is None
    ('segment', True)
    """
    wanted = word.casefold()
    for term in TERMS:
        if wanted in (term.key, term.name.casefold(), *(each.casefold() for each in term.also)):
            return term
    return None

"""Every term, defined once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A word with what it means here."""

    key: str
    name: str
    meaning: str
    also: tuple[str, ...] = ()
    """Other ways in which it is written."""


TERMS: tuple[Term, ...] = (
    Term("point", "point", "One moment of a series: one row of a table, one cell of a lane."),
    Term("label", "label", "The truth at a point: 1 during an anomaly, else 0.", ("truth",)),
    Term(
        "segment",
        "segment",
        "An unbroken run of anomalous points: one incident. Its length N is its number of points.",
        ("segments",),
    ),
    Term("score", "score", "A detector's number at a point: the higher, the more alarming."),
    Term(
        "threshold",
        "threshold",
        "From this score on a point is flagged. What is not a detection yet becomes one by it.",
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
        "Steps from the start of a segment to its first hit; 0 is at once.",
    ),
    Term(
        "credit",
        "credit",
        "What a protocol grants a point of a segment, from 0 to 1. The height of its cell.",
    ),
    Term(
        "etp",
        "eTP",
        "Effective true positives: the sum of credit inside all segments.",
    ),
    Term("precision", "precision", "Of what was claimed, how much was right."),
    Term("recall", "recall", "Of what was wanted, how much was found."),
    Term(
        "f1",
        "F1",
        "The harmonic mean of precision and recall: 2 P R / (P + R). High only when both are.",
    ),
    Term(
        "protocol",
        "protocol",
        "A rule that says what detections earn: point-wise, PA, PA%K, PAdf and others.",
        ("protocols",),
    ),
    Term("pointwise", "point-wise", "Each point stands for itself; no adjustment."),
    Term(
        "pa",
        "PA",
        "Point adjustment: one hit anywhere in a segment earns all of it.",
        ("point adjustment",),
    ),
    Term(
        "pa_k",
        "PA%K",
        "Point adjustment only where more than K percent of a segment has hits.",
    ),
    Term(
        "padf",
        "PAdf",
        "Point adjustment with a decay function: a later first hit earns a segment less.",
    ),
    Term(
        "decay",
        "decay",
        "How credit falls with the delay. The paper's is D(k) = d^k for a delay of k steps.",
        ("decay rate", "decay function"),
    ),
    Term(
        "alert_rule",
        "alert rule",
        "When scores ring: at the last of some points in a row at or above the threshold (the "
        "wait); then not again for some points (the cool-down).",
        ("alert rules",),
    ),
    Term("half_life", "half-life", "The delay after which half of the credit is gone."),
    Term(
        "sweep",
        "sweep",
        "A protocol at every distinct threshold, exactly.",
    ),
    Term(
        "oracle",
        "best threshold",
        "The threshold with the highest F1, chosen with the labels in sight.",
    ),
    Term(
        "random",
        "random detector",
        "A detector whose scores are random: what anybody reaches who knows nothing.",
    ),
)
"""In the order in which they are best read."""


def find_term(word: str) -> Term | None:
    """Return the term that a word stands for, however it is written.

    >>> find_term("Segments").key, find_term("nothing") is None
    ('segment', True)
    """
    wanted = word.casefold()
    for term in TERMS:
        if wanted in (term.key, term.name.casefold(), *(each.casefold() for each in term.also)):
            return term
    return None

"""What the browser reads out of a payload, for tests: the row of a lane at a step, as numbers."""

from dataclasses import dataclass

import pytest

from tests import naive

SCORE = 0.0005 + 1e-9
CREDIT = 0.005 + 1e-9
"""How far a rounded number may be from the exact one."""


@dataclass(frozen=True)
class Row:
    """A lane at one step; credit is None where the detections are kept."""

    f1: float
    gain: float | None
    credit: list[float | None]


def row_at(rows, step):
    """Return the row under the thumb."""
    place = rows["places"][step]
    hundredths = rows["credit"]["rows"][place]
    granted = [hundredths[column] for column in rows["credit"]["columns"]]
    return Row(
        rows["f1"][place] / 1000,
        None if rows["gain"] is None else rows["gain"][place] / 1000,
        [None if each == -1 else each / 100 for each in granted],
    )


def check_scores(row, labels, detections, protocol, base):
    """F1 and gain are brute force's; the first lane has no gain."""
    f1 = float(naive.scores(labels, detections, protocol)[2])
    assert row.f1 == pytest.approx(f1, abs=SCORE)
    if protocol.key == base.key:
        assert row.gain is None
    else:
        first = float(naive.scores(labels, detections, base)[2])
        assert row.gain == pytest.approx(f1 - first, abs=SCORE)


def check_credit(granted, labels, detections, protocol, segment):
    """What one segment is granted is the credit of each of its points, by brute force.

    Where each point has its own, it is their mean.
    """
    credit, _ = naive.picture(labels, detections, protocol)
    inside = [float(each) for each in credit[slice(*segment)]]
    if protocol.grants == "point":
        assert granted == pytest.approx(sum(inside) / len(inside), abs=CREDIT)
        return
    for t, exact in zip(range(*segment), inside, strict=True):
        shown = float(detections[t]) if granted is None else granted
        assert shown == pytest.approx(exact, abs=CREDIT)


def check_point_credit(granted, labels, detections, protocol):
    """What each anomalous point is granted is its credit by brute force."""
    credit, _ = naive.picture(labels, detections, protocol)
    places = [t for t, label in enumerate(labels) if label]
    for t, own in zip(places, granted, strict=True):
        shown = float(detections[t]) if own is None else own
        assert shown == pytest.approx(float(credit[t]), abs=CREDIT)


def unpack(texts):
    """Read what `pack` wrote."""
    made = []
    for place, *numbers in texts["rows"]:
        parts = texts["parts"][int(place)]
        made.append("".join(a + str(b) for a, b in zip(parts, [*numbers, ""], strict=True)))
    return made

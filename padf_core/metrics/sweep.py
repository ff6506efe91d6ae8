"""Evaluate labels and scores at all thresholds, exactly.

The scores are sorted once. The sorted normal scores give the false alarms of any threshold. The
sorted anomalous scores, with their segments and delays, give the credit. A protocol only defines
how much credit each anomalous point adds when the threshold falls to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy.typing as npt

from padf_core.metrics.checks import check_binary
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol, check_protocols
from padf_core.metrics.ranked_scores import RankedScores
from padf_core.metrics.rows import make_rows
from padf_core.metrics.sweep_results import BestPoint, Sweep


def rank_scores(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
    times: npt.ArrayLike | None = None,
    onset: Onset | None = None,
) -> RankedScores:
    """Sort once, for sweeps and best points under any number of protocols.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    scores : array_like of float
        One score per row; higher means more anomalous. Scores that are all 0 or 1 are detections.
    ignore : array_like of bool, optional
        Rows that are not scored. An ignored row inside a segment does not split it, and delays in
        steps do not count it.
    series : array_like, optional
        The name of each row's series. Segments never cross from one series into the next.
    times : array_like or float, optional
        The time of each row (seconds or datetime64), or the seconds of one step. Needed for
        delays on the clock.
    onset : Onset, optional
        Moves where segments begin.

    Returns
    -------
    RankedScores
        The sorted scores, with ``best``, ``sweep``, ``point`` and ``at``.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> from padf_core import PointAdjust, Pointwise
    >>> ranked = rank_scores([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3])
    >>> ranked.best(PointAdjust()).f1
    1.0
    >>> ranked.sweep(Pointwise()).f1.round(3).tolist()
    [0.667, 0.5, 0.8, 0.667]
    """
    return _ranked(labels, scores, ignore, series, times, onset, keeps=True)


def _ranked(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    ignore: npt.ArrayLike | None,
    series: npt.ArrayLike | None,
    times: npt.ArrayLike | None,
    onset: Onset | None,
    *,
    keeps: bool,
) -> RankedScores:
    truth = check_binary("labels", labels)
    rows = make_rows(truth.size, ignore, series, times)
    return RankedScores(truth, scores, rows, onset, keeps=keeps)


def sweep(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    protocol: Protocol,
    *,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
    times: npt.ArrayLike | None = None,
    onset: Onset | None = None,
) -> Sweep:
    """Evaluate one protocol at every distinct threshold, exactly.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    scores : array_like of float
        One score per row; higher means more anomalous. Scores that are all 0 or 1 are detections.
    protocol : Protocol
        For example ``PointAdjust()``.
    ignore : array_like of bool, optional
        Rows that are not scored. An ignored row inside a segment does not split it, and delays in
        steps do not count it.
    series : array_like, optional
        The name of each row's series. Segments never cross from one series into the next.
    times : array_like or float, optional
        The time of each row (seconds or datetime64), or the seconds of one step. Needed for
        delays on the clock.
    onset : Onset, optional
        Moves where segments begin.

    Returns
    -------
    Sweep
        Thresholds from the highest to the lowest, with precision, recall and F1 of each.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> from padf_core import PointAdjust
    >>> s = sweep([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3], PointAdjust())
    >>> s.thresholds.tolist()
    [0.4, 0.3, 0.2, 0.1]
    >>> s.best.threshold, s.best.f1
    (0.4, 1.0)
    """
    return _ranked(labels, scores, ignore, series, times, onset, keeps=False).sweep(protocol)


def best_f1(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    protocols: Sequence[Protocol],
    *,
    ignore: npt.ArrayLike | None = None,
    series: npt.ArrayLike | None = None,
    times: npt.ArrayLike | None = None,
    onset: Onset | None = None,
) -> list[BestPoint]:
    """Find each protocol's best threshold, with one sort for all.

    The best threshold on the labels that judge it is an oracle. For published results, see
    `held_out`.

    Parameters
    ----------
    labels : array_like of 0 and 1
        The ground-truth labels, one entry per row.
    scores : array_like of float
        One score per row; higher means more anomalous. Scores that are all 0 or 1 are detections.
    protocols : sequence of Protocol
        For example ``[Pointwise(), PointAdjust()]``.
    ignore : array_like of bool, optional
        Rows that are not scored. An ignored row inside a segment does not split it, and delays in
        steps do not count it.
    series : array_like, optional
        The name of each row's series. Segments never cross from one series into the next.
    times : array_like or float, optional
        The time of each row (seconds or datetime64), or the seconds of one step. Needed for
        delays on the clock.
    onset : Onset, optional
        Moves where segments begin.

    Returns
    -------
    list of BestPoint
        One result per protocol, in the same order. Detections of 0 and 1 are used unchanged, at a
        threshold of 1.

    Raises
    ------
    ValueError
        If an argument is invalid. The message names the argument, the row and the value.

    Examples
    --------
    >>> from padf_core import PointAdjust, Pointwise
    >>> [b.f1 for b in best_f1([0, 1, 1, 0], [0.1, 0.4, 0.2, 0.3], [Pointwise(), PointAdjust()])]
    [0.8, 1.0]
    """
    listed = check_protocols(protocols)
    ranked = _ranked(labels, scores, ignore, series, times, onset, keeps=False)
    if ranked.is_binary:
        return [ranked.point(1.0, protocol) for protocol in listed]
    return [ranked.best(protocol) for protocol in listed]

"""Medians and exponentially weighted means of a moving window.

Medians are exact and take O(n log n). The series is cut into blocks as long as the window. A window
covers the end of one block and the beginning of the next. As it moves by one row, the first block
loses a value and the second gains one. Each block keeps its values in a linked list in ascending
order, so that a removed value can be put back where it was (J. Suomela, Median filtering is
equivalent to sorting, arXiv 1406.1717). All blocks are processed together.
"""

from __future__ import annotations

from math import ceil, log

import numpy as np

from padf_core.metrics.checks import FloatArray, IntArray

PAIRS_TOGETHER = 2048
"""Pairs of blocks whose lists fit into the processor's cache together."""


def rolling_median(values: FloatArray, window: int) -> FloatArray:
    """Return the median of the last ``window`` values in each row, NaN in the first rows.

    >>> rolling_median(np.array([1.0, 5.0, 2.0, 2.0]), 3).tolist()
    [nan, nan, 2.0, 2.0]
    """
    medians = np.full(values.size, np.nan)
    if window > values.size:
        return medians
    blocks = -(-values.size // window)
    # Infinite values fill the last block, and one more block for the windows that begin there.
    grid = np.full((blocks + 1, window), np.inf)
    grid.ravel()[: values.size] = values
    order = np.argsort(grid, axis=1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(window)[None, :], axis=1)
    ascending = np.take_along_axis(grid, order, axis=1)
    found = np.concatenate(
        [
            _medians_of_pairs(
                ranks[first : first + PAIRS_TOGETHER + 1],
                ascending[first : first + PAIRS_TOGETHER + 1],
            )
            for first in range(0, blocks, PAIRS_TOGETHER)
        ]
    )
    medians[window - 1 :] = found.ravel()[: values.size - window + 1]
    return medians


class _Lists:
    """The values of blocks in ascending order, as linked lists that lose and regain values.

    The nodes of a block are the head, its values in ascending order, and an infinite tail.
    """

    def __init__(self, ranks: IntArray, ascending: FloatArray) -> None:
        count, window = ranks.shape
        wide = window + 2
        self.heads = np.arange(count) * wide
        self.tails = self.heads + wide - 1
        places = np.arange(wide)
        self.next = (self.heads[:, None] + np.minimum(places + 1, wide - 1)).ravel()
        self.previous = (self.heads[:, None] + np.maximum(places - 1, 0)).ravel()
        values = np.full((count, wide), np.inf)
        values[:, 1:-1] = ascending
        self.values = values.ravel()
        self.nodes = np.ascontiguousarray((ranks + 1 + self.heads[:, None]).T)
        """The node of each row of the blocks."""

    def remove(self, nodes: IntArray) -> IntArray:
        """Remove a node from each list and return the nodes after them."""
        before = self.previous.take(nodes)
        after: IntArray = self.next.take(nodes)
        self.next[before] = after
        self.previous[after] = before
        return after

    def restore(self, nodes: IntArray) -> None:
        """Put back the nodes that were removed last."""
        self.next[self.previous.take(nodes)] = nodes
        self.previous[self.next.take(nodes)] = nodes


def _medians_of_pairs(ranks: IntArray, ascending: FloatArray) -> FloatArray:
    """Return the medians of all windows that begin in each block but the last.

    ``middle`` of a list is its first node that does not belong to the smaller half of the window.
    Both lists together always have ``half`` smaller values.
    """
    pairs, window = ranks.shape[0] - 1, ranks.shape[1]
    half = (window - 1) // 2
    old, new = _Lists(ranks[:-1], ascending[:-1]), _Lists(ranks[1:], ascending[1:])
    for nodes in new.nodes[::-1]:
        new.remove(nodes)
    smaller = np.full(pairs, half)
    middle, new_middle = old.heads + half + 1, new.tails
    medians = np.empty((window, pairs))
    for row in range(window):
        if row:
            nodes = old.nodes[row - 1]
            after = old.remove(nodes)
            has_smaller = smaller > 0
            # One smaller value less: the removed one, or else the largest of them.
            kept = np.where(nodes == middle, after, middle)
            moves_back = (nodes >= middle) & has_smaller
            middle = np.where(moves_back, old.previous.take(kept), kept)
            smaller -= has_smaller
            nodes = new.nodes[row - 1]
            new.restore(nodes)
            # A value below the middle takes the place of the largest smaller one.
            new_middle = np.where(nodes < new_middle, new.previous.take(new_middle), new_middle)
            # The smallest other value makes up for the one that the old block lost.
            is_in_old = old.values.take(middle) <= new.values.take(new_middle)
            rises = has_smaller & is_in_old
            middle = np.where(rises, old.next.take(middle), middle)
            smaller += rises
            rises = has_smaller & ~is_in_old
            new_middle = np.where(rises, new.next.take(new_middle), new_middle)
        in_old, in_new = old.values.take(middle), new.values.take(new_middle)
        medians[row] = np.minimum(in_old, in_new)
        if window % 2 == 0:
            following = np.where(
                in_old <= in_new,
                np.minimum(old.values.take(old.next.take(middle)), in_new),
                np.minimum(in_old, new.values.take(new.next.take(new_middle))),
            )
            medians[row] = (medians[row] + following) / 2
    return medians.T


def exponential_mean(signal: FloatArray, share: float) -> FloatArray:
    """Return m_t = m_{t-1} + share (x_t - m_{t-1}) with m_0 = x_0.

    The sum share * sum_j (1 - share)^j x_{t-j} is doubled in length until the rest has no weight.
    """
    if not signal.size:
        return signal
    keep = 1 - share
    if keep == 0:
        return signal
    total, reach = share * (signal - signal[0]), 1
    rows = min(signal.size, ceil(log(1e-18) / log(keep)))
    while reach < rows:
        longer = total.copy()
        longer[reach:] += keep**reach * total[:-reach]
        total, reach = longer, 2 * reach
    means: FloatArray = signal[0] + total
    return means

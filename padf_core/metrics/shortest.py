"""Format numbers with as few digits as possible and the same effect."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context, Decimal
from functools import lru_cache
from math import isinf

DIGITS = 17
"""With this many digits, every float has a distinct text."""


@lru_cache(maxsize=20_000)
def shortest_threshold(threshold: float, below: float = -float("inf")) -> str:
    """Return the shortest number above ``below`` and at most ``threshold``, as text.

    If ``below`` is the next lower score, it flags the same points as ``threshold``.

    >>> shortest_threshold(0.8437126, 0.81), shortest_threshold(0.1 + 0.2, 0.3)
    ('0.84', '0.30000000000000004')
    >>> shortest_threshold(1.3699064, 1.3699), shortest_threshold(7.0, 6.0)
    ('1.369906', '7')
    """
    if isinf(threshold):
        return repr(threshold)
    exact = Decimal(repr(float(threshold)))
    if below < 0 <= threshold:
        return "0"
    for digits in range(1, DIGITS + 1):
        rounded = Context(prec=digits, rounding=ROUND_FLOOR).plus(exact)
        if below < float(rounded) <= threshold:
            return _written(rounded)
    return repr(threshold)


def _written(value: Decimal) -> str:
    """Format a number without an exponent, unless it would be long."""
    plain = f"{value.normalize():f}"
    return plain if len(plain) <= DIGITS + 4 else repr(float(value))

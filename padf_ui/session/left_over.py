"""What of a link was not taken: parts that mean nothing here, stand twice, or lie out of range."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

MOST = 5
LONGEST = 40


def unknown(names: Iterable[str], known: Collection[str]) -> list[str]:
    """Say which parts mean nothing on a page.

    >>> unknown(["n", "colour"], {"n"})
    ['colour (means nothing here)']
    """
    return [f"{_short(name)} (means nothing here)" for name in names if name not in known]


def repeated(names: Sequence[str]) -> list[str]:
    """Say which parts stand there more than once.

    >>> repeated(["n", "k", "n", "n"])
    ['n (stands there 3 times; the last is taken)']
    """
    return [
        f"{_short(name)} (stands there {names.count(name)} times; the last is taken)"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]


def told(left: Sequence[str]) -> str:
    """Say what was not taken, in one sentence.

    >>> told(["a (means nothing here)"])
    'Not all of this link was taken: a (means nothing here).'
    """
    more = f", and {len(left) - MOST:,} more" if len(left) > MOST else ""
    return f"Not all of this link was taken: {', '.join(left[:MOST])}{more}."


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"

"""File names that end in a digest of everything the file is made from."""

from __future__ import annotations

import hashlib
from typing import Any

import pandas as pd

from padf_core import Settings
from padf_ui.session.study import Study

DIGITS = 12


def stamped(name: str, of: object) -> str:
    """Return a file name with a digest of the content's inputs.

    >>> names = stamped("padf-board.json", "{}"), stamped("padf-board.json", "[]")
    >>> [(len(name), name[:11], name[-5:]) for name in names], names[0] == names[1]
    ([(28, 'padf-board-', '.json'), (28, 'padf-board-', '.json')], False)
    """
    digest = hashlib.sha256()
    _feed(digest, of)
    stem, dot, ending = name.rpartition(".")
    return f"{stem}-{digest.hexdigest()[:DIGITS]}{dot}{ending}"


def _feed(digest: Any, part: object) -> None:
    """Add an input to the digest, with separators so that different inputs give different bytes."""
    if isinstance(part, tuple):
        digest.update(f"tuple {len(part)}".encode())
        for each in part:
            _feed(digest, each)
    elif isinstance(part, Study):
        kept = (part.series.key, part.as_uploaded.key, part.chosen, part.choices, part.view)
        _feed(digest, repr((kept, part.onset, part.origin, part.began)))
    elif isinstance(part, pd.DataFrame):
        digest.update(repr(list(part.columns)).encode())
        digest.update(pd.util.hash_pandas_object(part).to_numpy().tobytes())
    elif isinstance(part, (str, Settings)):
        text = str(part).encode(errors="surrogatepass")
        digest.update(f"{type(part).__name__} {len(text)} ".encode())
        digest.update(text)
    else:
        raise TypeError(f"no digest of {type(part).__name__}")

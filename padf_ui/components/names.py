"""User text where it can do no harm: names of files, columns and detectors, shown or written."""

from __future__ import annotations

import html
import re
import unicodedata

import pandas as pd

from padf_ui.session.screen_names import shown

_FORMULA_STARTS = ("=", "+", "-", "@", "|", "\t", "\r", "\n")
_LINKED = re.compile(r"(?i)(https?|ftp|mailto)(?=:)|(www)(?=\.)|(?=@)")
_JOINER = "\u2060"


def plain(text: str) -> str:
    """Escape what markdown would read as markup, and let no address become a link.

    Addresses are found behind all escapes; a mark without width keeps them from being whole.
    """
    text = _LINKED.sub(rf"\g<0>{_JOINER}", text)
    for character in r"\`*_{}[]()<>#+-!|~$:":
        text = text.replace(character, f"\\{character}")
    return text


def in_figure(name: str) -> str:
    """Escape what plotly would read as markup."""
    return html.escape(shown(name), quote=False)


def cell(text: str) -> str:
    """Return text for a table that a spreadsheet will not take for a formula.

    Spreadsheets take wide letters for narrow ones, and look behind what has no width.

    >>> cell("=1+1"), cell("steady"), cell("|calc"), cell(" ＝1+1")
    ("'=1+1", 'steady', "'|calc", "' ＝1+1")
    """
    narrow = unicodedata.normalize("NFKC", text)
    seen = "".join(c for c in narrow if unicodedata.category(c) not in ("Cf", "Zs"))
    return f"'{text}" if seen.startswith(_FORMULA_STARTS) else text


def safe_csv(table: pd.DataFrame) -> str:
    """Write a table as CSV, with every text cell made safe."""
    made = table.copy()
    made.columns = pd.Index([cell(str(name)) for name in made.columns])
    for position, name in enumerate(made.columns):
        if made.iloc[:, position].dtype.kind in "OUT":
            made[name] = [
                cell(entry) if isinstance(entry, str) else entry for entry in made.iloc[:, position]
            ]
    text: str = made.to_csv(index=False, lineterminator="\n")
    return text

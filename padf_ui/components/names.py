"""Escape file, column and detector names for display and for export."""

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
    """Escape Markdown markup and prevent URLs from becoming links.

    Markdown detects URLs even if they are escaped, so a zero-width character splits them.
    """
    text = _LINKED.sub(rf"\g<0>{_JOINER}", text)
    for character in r"\`*_{}[]()<>#+-!|~$:":
        text = text.replace(character, f"\\{character}")
    return text


def in_figure(name: str) -> str:
    """Escape a name for plotly, which interprets HTML markup."""
    return html.escape(shown(name), quote=False)


def cell(text: str) -> str:
    """Return text for a table cell that a spreadsheet will not interpret as a formula.

    Spreadsheets treat full-width characters as ASCII and skip zero-width characters.

    >>> cell("=1+1"), cell("steady"), cell("|calc"), cell(" ＝1+1")
    ("'=1+1", 'steady', "'|calc", "' ＝1+1")
    """
    narrow = unicodedata.normalize("NFKC", text)
    seen = "".join(c for c in narrow if unicodedata.category(c) not in ("Cf", "Zs"))
    return f"'{text}" if seen.startswith(_FORMULA_STARTS) else text


def safe_csv(table: pd.DataFrame) -> str:
    """Convert a table to CSV, with every text cell escaped."""
    made = table.copy()
    made.columns = pd.Index([cell(str(name)) for name in made.columns])
    for position, name in enumerate(made.columns):
        if made.iloc[:, position].dtype.kind in "OUT":
            made[name] = [
                cell(entry) if isinstance(entry, str) else entry for entry in made.iloc[:, position]
            ]
    text: str = made.to_csv(index=False, lineterminator="\n")
    return text

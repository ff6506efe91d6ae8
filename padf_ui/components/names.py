"""User text where it can do no harm: names of files, columns and detectors, shown or written."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence

import pandas as pd

from padf_core.io.column_values import told_apart

LONGEST = 48
_FORMULA_STARTS = ("=", "+", "-", "@", "|", "\t", "\r", "\n")
_LINKED = re.compile(r"(?i)(https?|ftp|mailto)(?=:)|(www)(?=\.)|(?=@)")
_JOINER = "\u2060"


def shown(name: str, longest: int = LONGEST) -> str:
    """Return a name for the screen: one short line, without characters that steer the text.

    Right-to-left text is set apart, so that what stands beside it keeps its place.

    >>> shown("a\\nb\\u202ec"), shown("x" * 100)[-3:]
    ('a bc', 'xx…')
    """
    spaced = "".join(" " if character.isspace() else character for character in name)
    kept = "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    line = " ".join(kept.split()) or "(no name)"
    line = line if len(line) <= longest else f"{line[: longest - 1]}…"
    is_turned = any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in line)
    return f"\u2068{line}\u2069" if is_turned else line


def shown_names(names: Sequence[str]) -> list[str]:
    """Return names for the screen, told apart by a number where they would look alike."""
    return told_apart([shown(name) for name in names])


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


def to_csv(table: pd.DataFrame) -> str:
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

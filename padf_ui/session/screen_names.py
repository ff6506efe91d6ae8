"""Names of files, columns and detectors, made safe for display."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from padf_core.io.column_values import unique_names

LONGEST = 48


def shown(name: str, longest: int = LONGEST) -> str:
    """Return a name for display: one short line without control characters.

    Right-to-left text is isolated, so that it does not reorder the text around it.

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
    """Return names for display, numbered if they would look alike."""
    return unique_names([shown(name) for name in names])

"""A file on this machine, uploaded, or in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, cast

from padf_core.io.errors import TableError
from padf_core.io.open_table import open_table
from padf_core.io.tables import TableFile


@dataclass(frozen=True)
class Source:
    """A file: its name, with the folder if known, and its content."""

    name: str
    open: Callable[[], IO[bytes]]
    path: Path | None = None
    """Its path, if it is on this machine."""
    holds_labels: bool = False
    """Whether it was given as the label file."""

    @classmethod
    def at(cls, path: str | Path, *, holds_labels: bool = False) -> Source:
        """Return a file on this machine."""
        if not Path(path).is_file():
            raise TableError(f"{path}: cannot be opened as a file")
        return cls(str(path), lambda: Path(path).open("rb"), Path(path), holds_labels)

    def table(self) -> TableFile:
        """Open the file as a table."""
        return open_table(self.path or cast(BinaryIO, self.open()), self.name)

    def read(self, most: int) -> bytes:
        """Return the content, unless it is too large."""
        with self.open() as raw:
            content = raw.read(most + 1)
        if len(content) > most:
            raise TableError(f"{self.name}: is larger than {most // 1_000_000} MB")
        return content

"""Errors about files, with messages for the user."""

from __future__ import annotations


class TableError(ValueError):
    """A problem with a table that the user can fix."""


class MissingError(TableError):
    """A score is missing, and the user can choose how to treat it."""


class OrderError(TableError):
    """Timestamps are out of order, and the user can choose how to treat the rows."""

    def __init__(self, message: str, backward: int, repeated: int) -> None:
        super().__init__(message)
        self.backward = backward
        """Number of rows whose time is before that of the previous row."""
        self.repeated = repeated
        """Number of rows whose time equals that of an earlier row."""

    def __reduce__(self) -> tuple[type[OrderError], tuple[str, int, int]]:
        return OrderError, (str(self), self.backward, self.repeated)

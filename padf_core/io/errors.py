"""What can be wrong with a file, as errors that the user reads."""

from __future__ import annotations


class TableError(ValueError):
    """Something about a table that its owner can mend."""


class MissingError(TableError):
    """A score is missing: its owner may say what that means."""


class OrderError(TableError):
    """Times do not rise: the owner may say how rows are to be taken."""

    def __init__(self, message: str, backward: int, repeated: int) -> None:
        super().__init__(message)
        self.backward = backward
        """Rows whose time is before that of the row above."""
        self.repeated = repeated
        """Rows whose time is that of another row before."""

    def __reduce__(self) -> tuple[type[OrderError], tuple[str, int, int]]:
        return OrderError, (str(self), self.backward, self.repeated)

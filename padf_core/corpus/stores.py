"""Store finished work in a folder until all of it is done.

Every entry is written completely or not at all, so that a stopped run can continue.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from padf_core.io.stopping import unbroken
from padf_core.metrics.checks import NumberArray

Arrays = Mapping[str, NumberArray]


class CannotWrite(OSError):
    """A file could not be written, for example because the disk is full."""


class Store:
    """Stores arrays and small results under keys, as files in a folder shared by all processes."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).absolute()
        self.folder.mkdir(parents=True, exist_ok=True)

    def keep_arrays(self, key: str, arrays: Arrays) -> None:
        """Store the arrays of a result; they must be stored before the result itself."""
        write_whole(self.folder / f"{key}.arrays", lambda file: _write_arrays(file, arrays))

    def keep(self, key: str, finding: Any) -> None:
        """Store a result that JSON can represent."""
        text = json.dumps(finding).encode()
        write_whole(self.folder / f"{key}.json", lambda file: file.write(text))

    def finding(self, key: str) -> Any | None:
        """Return a stored result, or None if there is none under this key."""
        try:
            return json.loads((self.folder / f"{key}.json").read_bytes())
        except (FileNotFoundError, ValueError):
            return None

    def arrays(self, key: str) -> KeptArrays:
        """Return the arrays stored with a result."""
        return KeptArrays(self.folder / f"{key}.arrays")

    def clear(self) -> None:
        """Delete everything stored here, and folders that are empty afterwards."""
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.suffix in (".json", ".arrays", ".part", ".records"):
                path.unlink()
        for folder in [*filter(Path.is_dir, self.folder.rglob("*")), self.folder]:
            if not any(folder.iterdir()):
                folder.rmdir()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Name the file in the error if it cannot be written."""
    try:
        yield
    except OSError as error:
        raise CannotWrite(f"{path}: cannot be written: {error.strerror or error}") from error


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file atomically: it appears under its name only when it is complete."""
    with unbroken(), writing(path):
        handle, made = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                write(file)
            Path(made).chmod(0o644)
            os.replace(made, path)
        except BaseException:
            Path(made).unlink(missing_ok=True)
            raise


def _write_arrays(file: Any, arrays: Arrays) -> None:
    """Write a JSON line with the position of each array, then the raw numbers."""
    index, place = {}, 0
    for name, values in arrays.items():
        index[name] = (values.dtype.str, int(values.size), place)
        place += values.nbytes
    file.write(json.dumps(index).encode() + b"\n")
    for values in arrays.values():
        file.write(np.ascontiguousarray(values).data)


class KeptArrays:
    """Named arrays that were stored together; each is read only on request."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with path.open("rb") as file:
            line = file.readline()
        self._begin = len(line)
        self._index: dict[str, tuple[str, int, int]] = json.loads(line)

    def get(self, name: str) -> NumberArray:
        """Return one of the arrays."""
        return self._read(name, 0, self.size(name))

    def size(self, name: str) -> int:
        """Return the size of one of the arrays."""
        return self._index[name][1]

    def slice(self, name: str, low: float, high: float) -> tuple[int, NumberArray]:
        """Return the part of an increasing array that is at least ``low`` and below ``high``.

        The first entry of the result is the count of numbers of at least ``high``, or 0 if ``high``
        is infinite.
        """
        dtype, size, place = self._index[name]
        if not size:
            return 0, np.empty(0, dtype)
        if low == -np.inf and high == np.inf:
            return 0, self.get(name)
        # Find the slice by looking at a few pages, and read only that.
        mapped = np.memmap(self._path, dtype, "r", self._begin + place, (size,))
        first, last = _ends(mapped, low, high)
        return size - last, self._read(name, first, last)

    def _read(self, name: str, first: int, last: int) -> NumberArray:
        dtype, _, place = self._index[name]
        width = np.dtype(dtype).itemsize
        with self._path.open("rb") as file:
            file.seek(self._begin + place + first * width)
            return np.fromfile(file, dtype, last - first)


def _ends(rising: NumberArray, low: float, high: float) -> tuple[int, int]:
    first, last = np.searchsorted(rising, [low, high]).tolist()
    return first, int(rising.size) if high == np.inf else last

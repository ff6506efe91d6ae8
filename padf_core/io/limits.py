"""What is let in: limits that hold before anything is unpacked, and while it is.

A small file can unpack into more than any machine holds: gzip and Parquet pack what repeats into
almost nothing. So sizes are taken from what the file says of itself where it does, and counted
while reading where it does not; every refusal is a sentence that names the file and the limit.
"""

from __future__ import annotations

import io
from typing import Any, BinaryIO

LONGEST_LINE = 1 << 18
"""Bytes of a line of text; 500 columns of numbers take about 10,000."""
MOST_UNPACKED = 4_000_000_000
"""Bytes of a file once it is unpacked."""
MOST_AT_ONCE = 1 << 29
"""Bytes of text that are held at once, of the rows that are read together."""
LONGEST_TEXT = 1 << 16
"""Bytes of one entry of a Parquet file."""


class TooLarge(ValueError):
    """A file is beyond a limit: what must be said of it, without its name."""


class LineWatch:
    """Goes along while a text is read, and refuses one that is too long or has endless lines."""

    def __init__(self) -> None:
        self._size = 0
        self._open = 0

    def see(self, block: bytes) -> None:
        """Take the next block; lines may end in any of the usual ways."""
        self._size += len(block)
        if self._size > MOST_UNPACKED:
            raise TooLarge(
                f"is larger than {MOST_UNPACKED // 10**9} GB once unpacked, the most that is read"
            )
        first = block.find(b"\n")
        mark = b"\n" if first >= 0 else b"\r"
        first = first if first >= 0 else block.find(mark)
        if self._open + (len(block) if first < 0 else first) > LONGEST_LINE:
            raise TooLarge(
                f"has a line of more than {LONGEST_LINE // 1024} kB, the longest that is read"
            )
        self._open = self._open + len(block) if first < 0 else len(block) - block.rfind(mark) - 1


class Metered(io.RawIOBase, BinaryIO):
    """A text that lets no more than so much be taken before rows have come out of it."""

    def __init__(self, content: BinaryIO) -> None:
        self._content = content
        self._taken = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; an entry that never ends is refused here."""
        block = self._content.read(size)
        self._taken += len(block)
        if self._taken > MOST_AT_ONCE:
            raise TooLarge(
                f"holds rows that take more than {MOST_AT_ONCE >> 20} MB together, the most that "
                "is read at once; is a quotation mark not closed?"
            )
        return block

    def came_out(self) -> None:
        """Say that the rows so far have been taken away."""
        self._taken = 0

    def __enter__(self) -> Metered:
        return self


_LONGEST_FIXED = 256


def check_parquet(metadata: Any, most_rows: int) -> None:
    """Refuse a Parquet file by what it says of itself, before any of it is unpacked."""
    if metadata.num_rows > most_rows:
        raise TooLarge(f"has {metadata.num_rows:,} rows; at most {most_rows:,} are read")
    unpacked = 0
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for at in range(row_group.num_columns):
            column = row_group.column(at)
            unpacked += max(0, column.total_uncompressed_size)
            if column.num_values > most_rows:
                raise TooLarge(f"holds more than {most_rows:,} entries in one column")
    if unpacked > MOST_UNPACKED:
        raise TooLarge(
            f"is larger than {MOST_UNPACKED // 10**9} GB once unpacked, the most that is read"
        )
    for at in range(len(metadata.schema)):
        described = metadata.schema.column(at)
        if described.physical_type == "FIXED_LEN_BYTE_ARRAY" and described.length > _LONGEST_FIXED:
            raise TooLarge(f"column {described.name!r} holds no numbers, times or texts")
        if described.max_repetition_level and described.physical_type == "BYTE_ARRAY":
            raise TooLarge(f"column {described.path!r} holds lists of texts; leave it out")


def text_columns(metadata: Any) -> list[str]:
    """Return the columns whose entries can be of any length: they are read as a dictionary."""
    columns = (metadata.schema.column(at) for at in range(len(metadata.schema)))
    return [
        column.path
        for column in columns
        if column.physical_type == "BYTE_ARRAY" and column.logical_type.type != "DECIMAL"
    ]


def decoded(batch: Any) -> Any:
    """Return a batch with its dictionaries written out, unless that would take too much."""
    import pyarrow as pa
    import pyarrow.compute as pc

    total = 0
    arrays = []
    for name, array in zip(batch.schema.names, batch.columns, strict=True):
        if pa.types.is_dictionary(array.type):
            lengths = pc.binary_length(array.dictionary)
            longest = pc.max(lengths).as_py() or 0
            if longest > LONGEST_TEXT:
                raise TooLarge(
                    f"column {name!r} holds an entry of {longest:,} bytes; at most "
                    f"{LONGEST_TEXT:,} are read"
                )
            total += pc.sum(pc.take(lengths, array.indices)).as_py() or 0
            if total > MOST_AT_ONCE:
                raise TooLarge(
                    f"holds rows that take more than {MOST_AT_ONCE >> 20} MB together, the most "
                    "that is read at once"
                )
            array = array.dictionary_decode()
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)

"""Limits on input files, checked before and during decompression.

A small file can decompress to more than any machine can hold, because gzip and Parquet compress
repeated data to almost nothing. Sizes come from the file's metadata if it states them, and are
otherwise counted while reading. Every refusal names the file and the limit.
"""

from __future__ import annotations

import io
from typing import Any, BinaryIO

LONGEST_LINE = 1 << 18
"""Maximum bytes in a line of text; 500 columns of numbers take about 10,000."""
MOST_UNPACKED = 4_000_000_000
"""Maximum bytes of a decompressed file."""
MOST_AT_ONCE = 1 << 29
"""Maximum bytes of text in memory for rows that are read together."""
LONGEST_TEXT = 1 << 16
"""Maximum bytes of one entry in a Parquet file."""


class TooLarge(ValueError):
    """A file exceeds a limit; the message does not contain its name."""


class LineWatch:
    """Checks a text while it is read, and refuses too many bytes or too long lines."""

    def __init__(self) -> None:
        self._size = 0
        self._open = 0

    def see(self, block: bytes) -> None:
        """Check the next block; all usual line ends are supported."""
        self._size += len(block)
        if self._size > MOST_UNPACKED:
            raise TooLarge(f"is larger than {MOST_UNPACKED // 10**9} GB once unpacked, the maximum")
        first = block.find(b"\n")
        mark = b"\n" if first >= 0 else b"\r"
        first = first if first >= 0 else block.find(mark)
        if self._open + (len(block) if first < 0 else first) > LONGEST_LINE:
            raise TooLarge(f"has a line of more than {LONGEST_LINE // 1024} kB, the maximum")
        self._open = self._open + len(block) if first < 0 else len(block) - block.rfind(mark) - 1


class Metered(io.RawIOBase, BinaryIO):
    """A text stream that limits the bytes read before rows have been produced from them."""

    def __init__(self, content: BinaryIO) -> None:
        self._content = content
        self._taken = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; this is where an entry without end is refused."""
        block = self._content.read(size)
        self._taken += len(block)
        if self._taken > MOST_AT_ONCE:
            raise TooLarge(
                f"holds rows that take more than {MOST_AT_ONCE >> 20} MB together, the maximum; "
                "is a quotation mark not closed?"
            )
        return block

    def came_out(self) -> None:
        """Reset the limit, because the rows so far have been produced."""
        self._taken = 0

    def __enter__(self) -> Metered:
        return self


_LONGEST_FIXED = 256


def check_parquet(metadata: Any, most_rows: int) -> None:
    """Check the metadata of a Parquet file, before any of it is decompressed."""
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
        raise TooLarge(f"is larger than {MOST_UNPACKED // 10**9} GB once unpacked, the maximum")
    for at in range(len(metadata.schema)):
        described = metadata.schema.column(at)
        if described.physical_type == "FIXED_LEN_BYTE_ARRAY" and described.length > _LONGEST_FIXED:
            raise TooLarge(f"column {described.name!r} has no numbers, times or texts")
        if described.max_repetition_level and described.physical_type == "BYTE_ARRAY":
            raise TooLarge(f"column {described.path!r} has lists of texts; leave it out")


def text_columns(metadata: Any) -> list[str]:
    """Return the columns with entries of any length, which are read as dictionaries."""
    columns = (metadata.schema.column(at) for at in range(len(metadata.schema)))
    return [
        column.path
        for column in columns
        if column.physical_type == "BYTE_ARRAY" and column.logical_type.type != "DECIMAL"
    ]


def decoded(batch: Any) -> Any:
    """Return a batch with its dictionaries decoded, unless that would take too much memory."""
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
                    f"column {name!r} has an entry of {longest:,} bytes; at most "
                    f"{LONGEST_TEXT:,} are read"
                )
            total += pc.sum(pc.take(lengths, array.indices)).as_py() or 0
            if total > MOST_AT_ONCE:
                raise TooLarge(
                    f"holds rows that take more than {MOST_AT_ONCE >> 20} MB together, the maximum"
                )
            array = array.dictionary_decode()
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)

"""Files that unpack into more than they seem: refused with a sentence, before memory is taken."""

import gzip
import io
import tracemalloc

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from padf_core.io import limits
from padf_core.io.errors import TableError
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions
from padf_core.io.read import series_from

LABELS = [0, 1] * 500


def packed(columns, **options):
    written = io.BytesIO()
    parquet.write_table(pa.table(columns), written, **{"compression": "zstd", **options})
    return written.getvalue()


def one_text(text, rows=1000):
    """A column that says the same text in every row, and holds it once."""
    return pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array([text]))


def refused(content, name="mine.parquet"):
    """What is said of a file, and how much memory Python took until then."""
    tracemalloc.start()
    try:
        with pytest.raises(TableError) as error:
            open_table(content, name)
        return str(error.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_text_of_14_mb_that_stands_in_every_row_of_a_tiny_parquet_file():
    # Written out, 1,000 rows are 14 GB, and the preview's 200 are 2.8 GB.
    content = packed(
        {"label": LABELS, "score": LABELS, "name": one_text("x" * 14_000_000)},
        store_schema=False,
        write_statistics=False,
    )
    assert len(content) < 2000
    said, taken = refused(content)
    assert said == (
        "mine.parquet: column 'name' has an entry of 14,000,000 bytes; at most 65,536 are read"
    )
    assert taken < 50_000_000


def test_texts_that_are_short_each_and_too_much_together(monkeypatch):
    monkeypatch.setattr(limits, "MOST_AT_ONCE", 1_000_000)
    content = packed({"label": LABELS, "score": LABELS, "name": one_text("x" * 6000)})
    said, _ = refused(content)  # 200 rows of 6,000 bytes
    assert "rows that take more than 0 MB together" in said


def test_texts_of_a_usual_length_are_read_as_before():
    words = pa.array(["good", "bad"] * 500).dictionary_encode()
    table = open_table(packed({"state": words, "score": [0.1, 0.9] * 500}))
    assert table.preview["state"].tolist()[:3] == ["good", "bad", "good"]
    assert table.read(["state"])["state"].tolist()[-1] == "bad"


NUMBERS = np.random.default_rng(1).random(1000)


@pytest.mark.parametrize(
    ("name", "column", "said"),
    [
        ("score", NUMBERS, "GB once unpacked"),
        ("blob", pa.array([b"x" * 300] * 1000, pa.binary(300)), "has no numbers"),
        ("names", [["a"]] * 1000, "has lists of texts; leave it out"),
    ],
)
def test_what_parquet_says_of_itself_is_looked_at_first(monkeypatch, name, column, said):
    if name == "score":
        monkeypatch.setattr(limits, "MOST_UNPACKED", 5000)
    assert said in refused(packed({"label": LABELS, name: column}))[0]


def test_parquet_whose_bytes_were_overwritten_is_not_read():
    rng = np.random.default_rng(7)
    content = bytearray(
        packed(
            {"label": LABELS, "score": rng.random(1000)},
            compression="none",
            use_dictionary=False,
            write_page_checksum=True,
        )
    )
    middle = len(content) // 2
    content[middle : middle + 8] = np.array([0.5]).tobytes()
    with pytest.raises(TableError, match=r"cannot be read as a table: .*(CRC|checksum)"):
        open_table(bytes(content), "mine.parquet")


def test_an_endless_line_that_gzip_packs_into_little():
    content = gzip.compress(b"label,score\n0," + b"1" * 40_000_000, 1)
    assert len(content) < 400_000
    said, taken = refused(content, "mine.csv.gz")
    assert said == "mine.csv.gz: has a line of more than 256 kB, the maximum"
    assert taken < 25_000_000  # of the 40 MB that it unpacks into


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_text_with_any_ends_of_lines_is_let_in(end):
    rows = [b"label,score", *[b"%d,0.%d" % (at % 2, at % 9) for at in range(200_000)]]
    assert len(open_table(end.join(rows)).read(["score"])) == 200_000


def test_a_text_that_unpacks_into_too_much(monkeypatch):
    monkeypatch.setattr(limits, "MOST_UNPACKED", 3_000_000)
    content = gzip.compress(b"label,score\n" + b"0,1\n" * 2_000_000, 1)
    assert "GB once unpacked, the maximum" in refused(content, "mine.csv.gz")[0]


def test_a_quotation_mark_that_is_never_closed(monkeypatch):
    monkeypatch.setattr(limits, "MOST_AT_ONCE", 1_000_000)
    text = b"label,score\n" + b"0,1\n1,0\n" * 200 + b'0,"' + b"0,1\n" * 500_000
    table = open_table(text, "mine.csv")
    with pytest.raises(TableError, match=r"mine.csv: holds rows .* is a quotation mark not closed"):
        series_from(table, ReadOptions("label", ("score",)))


# ---- entries that no calendar and no number holds ------------------------------------------------


@pytest.mark.parametrize("year", [-5, 0, 10_000, 250_000])
def test_a_year_that_no_calendar_has_is_refused_with_its_row(year):
    times = np.array(["2024-01-01", "2024-01-02"], "datetime64[s]").repeat(2)
    times = times + np.arange(4).astype("timedelta64[s]")
    times[2:] = np.datetime64(f"{year:05d}-01-01", "s") + np.arange(2).astype("timedelta64[s]")
    table = open_table(
        packed({"time": times, "label": [0, 1, 0, 1], "score": [0.1, 0.9, 0.2, 0.3]})
    )
    with pytest.raises(TableError, match=r"row 3: times must be in the years 1 to 9999"):
        series_from(table, ReadOptions("label", ("score",), time="time"))


def test_the_first_and_the_last_year_have_names():
    times = np.array(["0001-01-01", "9999-12-31"], "datetime64[s]")
    table = open_table(packed({"time": times, "label": [0, 1], "score": [0.1, 0.9]}))
    clock = series_from(table, ReadOptions("label", ("score",), time="time")).clock
    assert [clock.name(at) for at in (0, 1, 2)] == [
        "0001-01-01 00:00",
        "9999-12-31 00:00",
        "9999-12-31 23:59:59",
    ]


@pytest.mark.parametrize("column", ["label", "score", "time", "value"])
def test_a_whole_number_of_309_digits(column):
    rows = [{"time": at, "label": at % 2, "score": 3 * at, "value": at} for at in range(30)]
    rows[20][column] = int("9" * 309)
    text = "time,label,score,value\n" + "".join(
        f"{','.join(map(str, row.values()))}\n" for row in rows
    )
    table = open_table(text.encode(), "mine.csv")
    with pytest.raises(TableError, match=rf"mine.csv: column '{column}'"):
        series_from(table, ReadOptions("label", ("score",), time="time", value="value"))

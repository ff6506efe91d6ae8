"""What people bring: every accepted kind is read the same, every other is refused with a reason."""

import gzip
import io
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from padf_core.io.columns import word_of
from padf_core.io.errors import TableError
from padf_core.io.guess import guess_options
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions
from padf_core.io.read import series_from
from padf_core.io.read_columns import needed_bytes

ROWS = """time,value,label,quick,sure,flag
2024-06-10 00:00:00,1.5,0,0.9,0.1,1
2024-06-10 00:01:00,1.6,1,0.2,0.2,0
2024-06-10 00:02:00,,1,0.8,0.3,1
2024-06-10 00:03:00,1.8,1,0.1,0.7,0
2024-06-10 00:04:00,1.9,1,0.1,0.6,0
2024-06-10 00:05:00,2.0,0,0.3,0.1,0
"""
LABELS = [0, 1, 1, 1, 1, 0]
QUICK = [0.9, 0.2, 0.8, 0.1, 0.1, 0.3]
FLAG = [1, 0, 1, 0, 0, 0]


def parquet(text):
    out = io.BytesIO()
    pd.read_csv(io.StringIO(text), parse_dates=["time"]).to_parquet(out)
    return out.getvalue()


def european(text):
    """Semicolons between fields, commas in numbers."""
    return text.replace(",", ";").replace("0.", "0,").replace("1.", "1,").replace("2.0", "2,0")


ACCEPTED = {
    "comma": ROWS.encode(),
    "semicolon": ROWS.replace(",", ";").encode(),
    "tab": ROWS.replace(",", "\t").encode(),
    "bar": ROWS.replace(",", "|").encode(),
    "decimal commas": european(ROWS).encode(),
    "byte order mark": b"\xef\xbb\xbf" + ROWS.encode(),
    "windows line ends": ROWS.replace("\n", "\r\n").encode(),
    "empty lines at the end": (ROWS + "\n\n").encode(),
    "no newline at the end": ROWS.rstrip().encode(),
    "quotes": ROWS.replace("time,", '"time",').encode(),
    "gzip": gzip.compress(ROWS.encode()),
    "gzip of tabs": gzip.compress(ROWS.replace(",", "\t").encode()),
    "parquet": parquet(ROWS),
    "epoch seconds": pd.read_csv(io.StringIO(ROWS))
    .assign(time=range(1717977600, 1717977960, 60))
    .to_csv(index=False)
    .encode(),
    "zone": ROWS.replace(":00,", ":00+00:00,").encode(),
}


@pytest.mark.parametrize("content", ACCEPTED.values(), ids=ACCEPTED)
def test_every_accepted_kind_reads_the_same(content):
    table = open_table(content, "mine")
    roles = guess_options(table)
    assert roles == ReadOptions("label", ("quick", "sure", "flag"), "time", "value")
    series = series_from(table, roles)
    assert series.labels.tolist() == [bool(label) for label in LABELS]
    assert series.detector("quick").scores.tolist() == QUICK
    assert series.detector("flag").scores.tolist() == FLAG
    assert series.detector("flag").is_binary
    assert not series.detector("quick").is_binary
    assert series.step_seconds == 60
    assert series.clock.name(0) == "2024-06-10 00:00"
    assert np.isnan(series.value[2])


def test_latin_1_names_are_read():
    content = ROWS.replace("quick", "Störung").encode("latin-1")
    table = open_table(content, "mine")
    assert "Störung" in guess_options(table).detectors


def test_a_late_latin_1_letter_does_not_garble_utf_8():
    long = "label,quick,note\n" + "0,0.5,a\n1,0.25,b\n" * 300_000
    table = open_table((long + "0,0.5,").encode() + b"\xe9\n", "mine")
    assert table.walk.encoding == "latin-1"
    table = open_table((long + "0,0.5,é\n").encode(), "mine")
    assert table.walk.encoding == "utf-8-sig"


def test_without_a_header_columns_are_numbered_and_can_be_named_by_the_first_row():
    body = ROWS.split("\n", 1)[1].replace("2.0\n", "2.0\n")
    table = open_table(body.encode(), "mine")
    assert not table.has_header
    assert table.columns[:2] == ["column 1", "column 2"]
    roles = guess_options(table)
    assert roles.time == "column 1"
    assert roles.label == "", "two columns of 0 and 1 without a name: which is the truth?"
    series = series_from(table, ReadOptions("column 3", ("column 4",), "column 1"))
    assert series.detectors[0].scores.tolist() == QUICK
    assert len(table.with_header(True).preview) == len(LABELS) - 1
    assert len(open_table(ROWS.encode(), "mine").with_header(False).preview) == len(LABELS) + 1


def test_two_columns_of_one_name_are_told_apart():
    table = open_table(b"label,a,a,\n0,1,2,3\n1,4,5,6\n", "mine")
    assert table.columns == ["label", "a", "a (2)", "column 4"]
    series = series_from(table, ReadOptions("label", ("a (2)", "a")))
    assert [d.scores.tolist() for d in series.detectors] == [[2, 5], [1, 4]]


def with_row(number, row):
    lines = ROWS.splitlines()
    lines[number] = row
    return ("\n".join(lines) + "\n").encode()


EXCEL = b"PK\x03\x04" + b"\0" * 100
REFUSED = {
    "empty": (b"", "is empty"),
    "blank": (b"\n\n", "is empty"),
    "header only": (ROWS.splitlines()[0].encode(), "has no rows"),
    "one column": (b"label\n0\n1\n", "has only one column"),
    "a strange separator": (ROWS.replace(",", "#").encode(), "has only one column"),
    "text in scores": (
        with_row(3, "2024-06-10 00:02:00,1,1,high,0.3,1"),
        "column 'quick', row 3: scores must be numbers; got 'high'",
    ),
    "labels of 2": (
        with_row(4, "2024-06-10 00:03:00,1,2,0.1,0.7,0"),
        "column 'label', row 4: labels must be 0 or 1; got 2",
    ),
    "a missing label": (
        with_row(4, "2024-06-10 00:03:00,1,,0.1,0.7,0"),
        "column 'label', row 4: labels must be 0 or 1; got nothing",
    ),
    "a missing score": (
        with_row(6, "2024-06-10 00:05:00,2.0,0,,0.1,0"),
        "column 'quick', row 6: scores must be numbers; got nothing",
    ),
    "a short row": (with_row(6, "2024-06-10 00:05:00,2.0,0"), "column 'quick', row 6: scores must"),
    "a long row": (with_row(6, "2024-06-10 00:05:00,2.0,0,1,1,1,1"), "line 7 has 7 instead of 6"),
    "an empty row": (with_row(3, ""), "row 3"),
    "unsorted times": (
        with_row(4, "2024-06-10 00:00:30,1,1,0.1,0.7,0"),
        "row 4: timestamps must increase; 2024-06-10T00:00:30.000000 comes after row 3",
    ),
    "duplicate times": (
        with_row(4, "2024-06-10 00:02:00,1,1,0.1,0.7,0"),
        "row 4: timestamps must increase; 2024-06-10T00:02:00.000000 is also in row 3",
    ),
    "a time that is none": (
        with_row(4, "soon,1,1,0.1,0.7,0"),
        "column 'time', row 4: is not a time like those before it; got 'soon'",
    ),
    "a missing time": (with_row(4, ",1,1,0.1,0.7,0"), "column 'time', row 4: times must not be"),
    "excel": (EXCEL, "is an Excel workbook or a zip archive; save the table as CSV"),
    "old excel": (b"\xd0\xcf\x11\xe0" + b"\0" * 50, "is an Excel workbook; save"),
    "pickle": (pickle.dumps({"label": LABELS}), "looks like a pickle, which can run code"),
    "binary": (b"\x7fELF\x02\x01\0\0\0" + bytes(range(256)), "is not a text file"),
    "utf-16": (ROWS.encode("utf-16"), "is written in UTF-16; save it as UTF-8"),
    "utf-16 without mark": (ROWS.encode("utf-16-le"), "is not a text file"),
    "cut gzip": (gzip.compress(ROWS.encode())[:-12], "is damaged or truncated"),
    "excel in gzip": (gzip.compress(EXCEL), "is an Excel workbook"),
    "cut parquet": (ACCEPTED["parquet"][:-20], "cannot be read as a table"),
    "day or month first": (
        b"time,label,a\n01/02/2024,0,1\n02/02/2024,1,2\n03/02/2024,0,1\n",
        "can be read with the day or the month first",
    ),
    "complex numbers": (
        b"label,a,b\n0,1+2j,1\n1,2,2\n",
        "column 'a', row 1: scores must be numbers",
    ),
}
ROLES = ReadOptions("label", ("quick", "sure", "flag"), "time", "value")


def read_first_detector(content):
    table = open_table(content, "mine.csv")
    guess = guess_options(table)
    names = ("quick",) if "quick" in table.columns else ("a",)
    series_from(table, ReadOptions("label", names, guess.time))


@pytest.mark.parametrize(("content", "message"), REFUSED.values(), ids=REFUSED)
def test_every_other_kind_is_refused_with_file_column_row_and_rule(content, message):
    with pytest.raises(TableError) as refusal:
        read_first_detector(content)
    assert str(refusal.value).startswith("mine.csv: ")
    assert message in str(refusal.value)
    assert "Traceback" not in str(refusal.value)


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        (ReadOptions("", ("quick",)), "say which column has the labels"),
        (ReadOptions("label", ()), "say which columns are detectors"),
        (ReadOptions("label", ("label",)), "cannot be a detector and something else"),
        (
            ReadOptions("label", ("quick",), "label"),
            "can only be one of label, time, signal, series and ignored",
        ),
        (ReadOptions("label", ("nope",)), "has no column 'nope'; its columns are 'time'"),
        (ReadOptions("time", ("quick",)), "column 'time'"),
    ],
)
def test_roles_that_cannot_be(roles, message):
    with pytest.raises(TableError, match=r"^mine: ") as refusal:
        series_from(open_table(ROWS.encode(), "mine"), roles)
    assert message in str(refusal.value)


def test_days_and_months_are_told_apart_when_only_one_way_rises():
    # 25/01 can only be day first; 01/02 after it is then the first of February.
    content = b"time,label,score\n25/01/2024,0,1\n01/02/2024,1,2\n02/02/2024,0,1\n"
    table = open_table(content, "mine")
    clock = series_from(table, guess_options(table)).clock
    assert clock.name(1) == "2024-02-01 00:00"
    assert clock.gaps == 1


def test_gaps_and_uneven_steps_are_kept_on_the_clock():
    content = ROWS.replace("00:05:00", "00:09:30").encode()
    table = open_table(content, "mine")
    clock = series_from(table, guess_options(table)).clock
    assert clock.gaps == 1
    assert clock.longest_gap_seconds == 330
    assert clock.seconds_between(4, 5) == 330
    assert clock.seconds_between(0, 4) == 240
    # One step behind the last point is one usual step later.
    assert clock.seconds_between(5, 6) == 60


def test_numbers_that_are_no_times_only_order_the_rows():
    table = open_table(b"t,label,a\n1,0,0.5\n2,1,0.25\n7,0,0.5\n", "mine")
    roles = guess_options(table)
    assert roles.time == "t"
    assert series_from(table, roles).clock is None
    with pytest.raises(TableError, match="timestamps must increase; 1000000 comes after row 2"):
        series_from(open_table(b"t,label,a\n1,0,0\n2,1,2\n1,0,1\n", "m"), roles)


def test_progress_rises_to_the_end_and_pieces_make_one_series(monkeypatch):
    monkeypatch.setattr("padf_core.io.csv_text.ROWS_AT_ONCE", 100)
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 2, 950), rng.normal(size=950)
    content = pd.DataFrame({"label": labels, "score": scores}).to_csv(index=False).encode()
    told = []
    table = open_table(content, "mine")
    series = series_from(table, guess_options(table), told.append)
    np.testing.assert_array_equal(series.labels, labels == 1)
    np.testing.assert_array_equal(series.detectors[0].scores, scores)
    assert told == sorted(told)
    assert told[-1] == 1.0
    broken = content.replace(content.splitlines()[750], b"2,0.5")
    table = open_table(broken, "mine")
    with pytest.raises(TableError, match="row 750: labels must be 0 or 1; got 2"):
        series_from(table, guess_options(table))


def test_a_parquet_file_with_its_times_as_index_is_read():
    frame = pd.read_csv(io.StringIO(ROWS), parse_dates=["time"]).set_index("time")
    out = io.BytesIO()
    frame.to_parquet(out)
    table = open_table(out.getvalue(), "mine")
    series = series_from(table, guess_options(table))
    assert series.clock.name(1) == "2024-06-10 00:01"


def test_decimal_commas_without_a_header_are_not_split():
    table = open_table(b"0,5;1;0,7\n0,6;0;0,9\n0,1;0;0,8\n", "mine")
    assert (table.separator, table.decimal, len(table.columns)) == (";", ",", 3)
    assert series_from(table, ReadOptions("column 2", ("column 3",))).detectors[
        0
    ].scores.tolist() == [
        0.7,
        0.9,
        0.8,
    ]


def test_numbers_as_names_are_a_header_when_the_rows_hold_more_numbers():
    table = open_table(b"time,0,1,label\n2024-01-01,0.5,0.2,0\n2024-01-02,0.1,0.4,1\n", "mine")
    assert table.columns == ["time", "0", "1", "label"]


@pytest.mark.parametrize(
    ("stamps", "first"),
    [
        (["202406100000", "202406100001", "202406100002"], "2024-06-10 00:00"),
        (["20240610", "20240611", "20240612"], "2024-06-10 00:00"),
        (["20240610083000", "20240610083001", "20240610083002"], "2024-06-10 08:30:00"),
        (["2024/06/10 00:00", "2024/06/10 00:01", "2024/06/10 00:02"], "2024-06-10 00:00"),
    ],
)
def test_calendar_numbers_and_slashes_with_the_year_first(stamps, first):
    rows = "".join(
        f"{stamp},{label},{label}.5\n" for stamp, label in zip(stamps, (0, 1, 0), strict=True)
    )
    table = open_table(f"time,label,score\n{rows}".encode(), "mine")
    assert series_from(table, guess_options(table)).clock.name(0) == first


def test_whole_numbers_that_floats_cannot_tell_apart_are_refused():
    with pytest.raises(TableError, match="row 2: whole-number scores must be below"):
        series_from(
            open_table(f"label,a\n0,1\n1,{2**53 + 1}\n".encode(), "m"), ReadOptions("label", ("a",))
        )


def test_a_number_of_hundreds_of_digits_is_refused_and_not_a_crash():
    table = open_table(f"label,a,b\n0,{'9' * 400},1.5\n1,2,0.5\n".encode(), "mine")
    assert "a" not in guess_options(table).detectors
    with pytest.raises(TableError, match="numbers below 1e308"):
        series_from(table, ReadOptions("label", ("a",)))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_number_of_rows_is_told_before_they_are_read(pack):
    for rows in (1, 7, 150, 1000, 30_000):
        content = b"label,a\n" + b"0,0.25\n" * rows
        told = open_table(pack(content), "mine").estimated_rows
        assert told == pytest.approx(rows, rel=0 if rows < 200 else 0.1 if pack is bytes else 0.5)


def test_over_the_limit_is_refused_before_memory_is_taken(monkeypatch):
    monkeypatch.setattr("padf_core.io.tables.MAX_ROWS", 5)
    with pytest.raises(TableError, match="more than 5 rows"):
        series_from(open_table(ROWS.encode(), "mine"), ROLES)
    with pytest.raises(TableError, match="has 6 rows; at most 5 are read"):
        open_table(ACCEPTED["parquet"], "mine")
    with pytest.raises(TableError, match="columns; at most"):
        open_table(b",".join([b"a"] * 3000), "mine")


def test_small_dtypes_only_where_nothing_is_lost():
    content = b"label,flag,whole,half,tenth\n" + b"0,0,300,0.5,0.1\n1,1,-7,0.25,0.2\n"
    table = open_table(content, "mine")
    series = series_from(table, ReadOptions("label", ("flag", "whole", "half", "tenth")))
    assert [d.scores.dtype.name for d in series.detectors] == [
        "int8",
        "int16",
        "float32",
        "float64",
    ]
    assert series.detector("tenth").scores.tolist() == [0.1, 0.2]
    assert needed_bytes(table, ReadOptions("label", ("flag",))) > 0


def test_a_threshold_between_single_and_double_precision_is_compared_exactly():
    # 0.1 as float32 is above 0.1: a comparison in single precision would flag 0.1.
    above = float(np.float32(0.1))
    content = f"label,a\n0,{above!r}\n1,0.5\n".encode()
    detector = series_from(open_table(content, "m"), ReadOptions("label", ("a",))).detectors[0]
    assert detector.scores.dtype == np.float32
    assert detector.detections(above).tolist() == [True, True]
    assert detector.detections(np.nextafter(above, 1)).tolist() == [False, True]


# ---- never a traceback, never silently wrong -------------------------------------------------


@st.composite
def mutated(draw):
    """A good file with a few bytes changed, dropped, doubled or put in."""
    kinds = ["comma", "semicolon", "tab", "gzip", "parquet", "decimal commas"]
    content = bytearray(ACCEPTED[draw(st.sampled_from(kinds))])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content) - 1))
        what = draw(st.sampled_from(["change", "drop", "double", "insert", "cut"]))
        if what == "change":
            content[at] = draw(st.integers(0, 255))
        elif what == "drop":
            del content[at : at + draw(st.integers(1, 9))]
        elif what == "double":
            content[at:at] = content[at : at + draw(st.integers(1, 40))]
        elif what == "insert":
            content[at:at] = draw(
                st.sampled_from([b",", b";", b"\n", b'"', b"\0", b"nan", b"1e999"])
            )
        elif len(content) > 1:
            del content[at:]
        if not content:
            break
    return bytes(content)


@pytest.mark.parametrize("damaged", ["?", "\x01", "O"])
def test_a_damaged_digit_among_labels_is_refused_and_never_a_second_word(damaged):
    table = open_table(f"label,a\n{damaged},0.5\n1,0.25\n1,0.75\n".encode(), "mine")
    roles = guess_options(table)
    assert roles.anomaly is None
    with pytest.raises(TableError, match="row 1: labels must be 0 or 1; got"):
        series_from(table, roles)


@pytest.mark.slow
@settings(max_examples=250)
@given(mutated())
def test_a_mutated_file_is_read_as_what_it_says_or_refused(content):
    try:
        table = open_table(content, "mine")
        roles = guess_options(table)
        series = series_from(table, roles)
    except TableError as error:
        refusal = str(error)
    else:
        refusal = None
    if refusal is not None:
        assert refusal.startswith("mine: ")
        return
    # Whatever was read is whole: one finite label and a known score for every row of the table.
    assert series.size >= len(table.preview) or series.size == table.estimated_rows
    assert set(np.unique(series.labels)) <= {False, True}
    for detector in series.detectors:
        assert detector.scores.size == series.size
        assert not np.isnan(detector.scores.astype(np.float64)).any()
    # The first rows are those of the preview, value for value.
    head = table.preview
    count = min(len(head), series.size)
    if roles.anomaly is None:
        shown = pd.to_numeric(head[roles.label]).to_numpy()[:count] == 1
    else:
        shown = head[roles.label].astype(str).str.strip().to_numpy()[:count] == roles.anomaly
    assert series.labels[:count].tolist() == shown.tolist()
    for detector in series.detectors:
        shown = pd.to_numeric(head[detector.name]).to_numpy(dtype=np.float64)[:count]
        np.testing.assert_array_equal(detector.scores[:count], shown)


LINES = {
    "plain": b"label,a\n0,0.5\n1,0.25\n0,7\n1,1e3\n",
    "no header": b"0,0.5\n1,0.25\n0,7\n",
    "mark of UTF-8": "\ufefflabel,é\n0,0.5\n1,0.25\n".encode(),
    "mark without a header": b"\xef\xbb\xbf0,0.5\n1,0.25\n1,0.75\n",
    "Latin-1": "label,é\n0,0.5\n1,0.25\n".encode("latin-1"),
    "returns": b"label,a\r\n0,0.5\r\n1,0.25\r\n0,0.125\r\n",
    "no end": b"label,a\n0,0.5\n1,0.25",
    "blank lines at the end": b"label,a\n0,0.5\n1,0.25\n\n\n",
    "gaps and words": b"label,a\n0,0.5\n1,\n0,nan\n1,word\n",
    "a row too long": b"label,a\n0,0.5\n1,0.25\n0,0.125,9\n1,0.5\n",
    "quotes": b'label,a\n0,"0.5"\n1,0.25\n0,"1\n"\n',
    "lone returns": b"label,a\r0,0.5\r1,0.25\r",
}
IS_BY_LINE = set(LINES) - {"quotes", "lone returns"}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("bytes_at_once", [1, 7, 16, 1000])
def test_blocks_of_lines_are_read_like_the_whole_text(monkeypatch, name, bytes_at_once):
    """What is read by several threads is what pandas reads at a stretch, error for error."""

    def read(is_by_line):
        table = open_table(LINES[name], "mine")
        assert table.walk.is_by_line == (name in IS_BY_LINE)
        if not is_by_line:
            table = replace(table, walk=replace(table.walk, is_by_line=False))
        try:
            rows = table.read(table.columns).to_numpy(dtype=object).tolist()
        except TableError as error:
            return str(error)
        # A column may be whole numbers in one piece and floats in another.
        return [[word_of(value) for value in row] for row in rows]

    monkeypatch.setattr("padf_core.io.csv_text.PREVIEW_ROWS", 1)
    whole = read(False)
    monkeypatch.setattr("padf_core.io.csv_text.BYTES_AT_ONCE", bytes_at_once)
    assert read(True) == whole
    if name == "a row too long":
        assert whole.endswith("line 4 has 3 instead of 2")
    else:
        assert len(whole) >= 2


@pytest.mark.parametrize("bytes_at_once", [1, 16, 1000])
def test_an_empty_row_before_others_is_refused_wherever_blocks_end(monkeypatch, bytes_at_once):
    monkeypatch.setattr("padf_core.io.csv_text.BYTES_AT_ONCE", bytes_at_once)
    table = open_table(b"label,a\n0,0.5\n\n1,0.25\n", "mine")
    with pytest.raises(TableError, match="row 2"):
        series_from(table, ReadOptions("label", ("a",)))


@pytest.mark.parametrize("stamps", [("31.12.23", "01.01.24"), ("31/12/23", "01/01/24")])
def test_years_of_two_digits_are_read(stamps):
    rows = "".join(
        f"{stamp},{label},0.{label}\n" for stamp, label in zip(stamps, (0, 1), strict=True)
    )
    table = open_table(f"time,label,score\n{rows}".encode(), "mine")
    clock = series_from(table, guess_options(table)).clock
    assert [clock.name(0), clock.name(1)] == ["2023-12-31 00:00", "2024-01-01 00:00"]

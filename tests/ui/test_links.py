"""Boards as links, files and code: what is written is read back, and nothing else is accepted."""

import contextlib
import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from padf_core import Settings
from padf_core.metrics.settings import DECAYS
from padf_ui import links
from padf_ui.links import STEP_LENGTHS, Board

bits = st.integers(links.MIN_POINTS, 80).flatmap(
    lambda size: st.tuples(*[st.lists(st.booleans(), min_size=size, max_size=size)] * 2)
)


@st.composite
def boards(draw):
    labels, detections = (np.array(series, dtype=bool) for series in draw(bits))
    shape = draw(st.sampled_from(list(DECAYS)))
    steps = st.integers(1, 100)
    decay = draw(steps) / 100 if shape == "exponential" else float(draw(steps))
    settings = Settings(
        shape=shape,
        decay=decay,
        k=float(draw(st.integers(0, 100))),
        inclusive=draw(st.booleans()),
        precision=draw(st.sampled_from(["tables", "equations"])),
    )
    return Board(labels, detections, settings, draw(st.sampled_from(list(STEP_LENGTHS))))


def same(a, b):
    return a.same_pattern(b.labels, b.detections) and a.settings == b.settings and a.step == b.step


@given(boards())
def test_a_link_and_a_file_hold_the_whole_board(board):
    assert same(links.from_query(links.to_query(board)), board)
    assert same(links.from_json(links.to_json(board)), board)


def test_a_link_is_readable():
    query = links.to_query(Board())
    assert query == {
        "n": "30",
        "truth": "12-18",
        "alarms": "5_13",
        "shape": "exponential",
        "decay": "0.9",
        "k": "20",
        "rule": "above",
        "precision": "tables",
        "step": "step",
    }


def test_typed_digits_survive():
    board = Board(settings=Settings(decay=0.123456789, k=33.333333))
    assert links.from_query(links.to_query(board)).settings == board.settings
    assert "ExponentialDecay(0.123456789)" in links.to_python(board)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"n": "inf"}, "n must be a number; got 'inf'"),
        ({"n": "nan"}, "n must be a number; got 'nan'"),
        ({"n": "7.5"}, "n must be from 5 to 300; got '7.5'"),
        ({"shape": "deadline", "decay": "1e308"}, "decay must be from 0.01 to 1,000,000 steps"),
        ({"shape": "half_life", "decay": "1e-300"}, "decay must be from 0.01 to 1,000,000 steps"),
        ({"shape": "half_life", "decay": "0"}, "half_life must be a number above 0; got 0.0"),
        ({"decay": "-1"}, "rate must be above 0 and at most 1; got -1.0"),
    ],
)
def test_links_that_no_board_can_show(query, message):
    with pytest.raises(ValueError) as error:
        links.from_query(query)
    assert message in str(error.value)


def test_a_short_link_takes_the_rest_from_the_default():
    assert same(links.from_query({"decay": "0.7"}), Board(settings=Settings(decay=0.7)))
    empty = links.from_query({"n": "40"})
    assert empty.size == 40
    assert not empty.labels.any()


@given(st.dictionaries(st.sampled_from(list(links.to_query(Board()))), st.text(max_size=12)))
def test_any_link_is_a_board_or_a_clear_error(query):
    with contextlib.suppress(ValueError):
        board = links.from_query(query)
        assert links.MIN_POINTS <= board.size <= links.MAX_POINTS


@given(st.one_of(st.binary(max_size=60), st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["format", "labels", "detections", "settings", "step", "k", "shape"]),
        inner, max_size=5),
    max_leaves=8,
).map(lambda value: json.dumps(
    {"format": links.FILE_FORMAT, **value} if isinstance(value, dict) else value))))  # fmt: skip
def test_any_file_is_a_board_or_a_clear_error(content):
    with contextlib.suppress(ValueError):
        assert links.from_json(content).size >= links.MIN_POINTS


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x00\xff", "this is not a JSON file"),
        ("[1, 2]", 'this is not a saved board: "format" must be "padf-board-1"'),
        ('{"format": "padf-board-1"}', "labels must be a text of 0 and 1"),
        (
            '{"format": "padf-board-1", "labels": "00110", "detections": "0011"}',
            "truth has 5 points but alarms have 4",
        ),
        (
            '{"format": "padf-board-1", "labels": "01", "detections": "01"}',
            "a board must have 5 to 300 points; got 2",
        ),
        (
            '{"format": "padf-board-1", "labels": "00110", "detections": "00110", "settings": 3}',
            "settings must be an object",
        ),
        (
            '{"format": "padf-board-1", "labels": "00110", "detections": "00110", '
            '"settings": {"shape": ["x"]}}',
            "shape must be one of exponential",
        ),
        (
            '{"format": "padf-board-1", "labels": "00110", "detections": "00110", "step": "2h"}',
            "step must be one of step, 1s",
        ),
    ],
)
def test_files_that_are_no_boards(content, message):
    with pytest.raises(ValueError) as error:
        links.from_json(content)
    assert str(error.value).startswith(message)


@given(boards())
def test_the_python_lines_print_the_board_s_numbers(board):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(links.to_python(board), {})
    expected = [
        f"{e.protocol.label}: precision {e.precision:.3f}, recall {e.recall:.3f}, F1 {e.f1:.3f}"
        for e in board.evaluations()
    ]
    assert out.getvalue().splitlines() == expected


@given(boards())
def test_the_csv_holds_the_credit_of_every_point(board):
    rows = list(csv.DictReader(io.StringIO(links.to_csv(board))))
    for e in board.evaluations():
        assert [float(row[f"credit_{e.protocol.key}"]) for row in rows] == e.credit.tolist()
    assert [row["label"] == "1" for row in rows] == board.labels.tolist()


def test_a_shorter_board_gets_its_tail_back():
    board = links.from_query({"n": "30", "truth": "2-4_20", "alarms": "25"})
    shorter = links.resized(board, 10)
    assert np.flatnonzero(shorter.labels).tolist() == [2, 3, 4]
    again = links.resized(shorter, 40, board)
    assert np.flatnonzero(again.labels).tolist() == [2, 3, 4, 20]
    assert np.flatnonzero(again.detections).tolist() == [25]

"""Boards as links, files and code: what is written is read back, and nothing else is accepted."""

import contextlib
import csv
import io
import json
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from padf_core import PROTOCOLS, Settings
from padf_ui.playground import board_exports
from padf_ui.session import board_file
from padf_ui.session.board import link_to
from padf_ui.session.board_file import FILE_FORMAT, MIN_POINTS, Board
from padf_ui.session.steps import STEPS
from padf_ui.wire.limits import MAX_POINTS
from tests.strategies import FOUR, LANE_SETS, REFERENCES, all_settings
from tests.ui.linked import board_query, read_board

bits = st.integers(MIN_POINTS, 80).flatmap(
    lambda size: st.tuples(*[st.lists(st.booleans(), min_size=size, max_size=size)] * 2)
)


@st.composite
def drawn(draw):
    """(board, settings), with any of the reference lanes."""
    labels, detections = (np.array(series, dtype=bool) for series in draw(bits))
    board = Board(labels, detections, draw(st.sampled_from(list(STEPS))))
    return board, draw(all_settings())


def same(a, b):
    (board, settings), (other, others) = a, b
    is_same = board.same_pattern(other.labels, other.detections) and board.step == other.step
    return is_same and settings == others


@given(drawn())
def test_a_link_and_a_file_hold_the_whole_board(both):
    assert same(read_board(board_query(*both)), both)
    assert same(board_file.from_json(board_file.to_json(*both)), both)


@given(drawn())
def test_an_address_is_the_link(both):
    read = dict(parse_qsl(link_to(*both).removeprefix("?"), keep_blank_values=True))
    assert read == board_query(*both)


def test_a_link_is_readable():
    query = board_query(Board(), Settings())
    others = {
        each.link: each.to_text(each.default)
        for key, protocol in PROTOCOLS.items()
        if key not in FOUR
        for each in protocol.parameters({})
        if not each.is_quiet
    }
    assert query == {
        **others,
        "n": "40",
        "truth": "12-23",
        "alarms": "23",
        "shape": "exponential",
        "decay": "0.9",
        "k": "20",
        "rule": "above",
        "precision": "tables",
        "step": "step",
    }
    lanes = board_query(Board(), Settings(["event_wise", "composite"]))["lanes"]
    assert lanes == "composite.event_wise"


def test_typed_digits_survive():
    settings = Settings(decay=0.123456789, k=33.333333)
    assert read_board(board_query(Board(), settings))[1] == settings
    assert "ExponentialDecay(rate=0.123456789)" in board_exports.to_python(Board(), settings)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"n": "inf"}, "n must be a number; got 'inf'"),
        ({"n": "nan"}, "n must be a number; got 'nan'"),
        ({"n": "7.5"}, "n must be a whole number; got '7.5'"),
        ({"shape": "deadline", "decay": "1e308"}, "decay must be 0, or 0.01 to 1,000,000 steps"),
        ({"shape": "half_life", "decay": "1e-300"}, "decay must be from 0.01 to 1,000,000 steps"),
        (
            {"shape": "half_life", "decay": "0"},
            "decay must be from 0.01 to 1,000,000 steps; got 0.0",
        ),
        ({"decay": "-1"}, "decay must be above 0 and at most 1; got -1.0"),
    ],
)
def test_links_that_no_board_can_show(query, message):
    with pytest.raises(ValueError) as error:
        read_board(query)
    assert message in str(error.value)


def test_a_short_link_takes_the_rest_from_the_default():
    assert same(read_board({"decay": "0.7"}), (Board(), Settings(decay=0.7)))
    assert same(read_board({"lanes": "composite"}), (Board(), Settings(["composite"])))
    empty, _ = read_board({"n": "40"})
    assert empty.size == 40
    assert not empty.labels.any()


NAMES = [*board_query(Board(), Settings()), "lanes"]


@given(st.dictionaries(st.sampled_from(NAMES), st.text(max_size=12)))
def test_any_link_is_a_board_or_a_clear_error(query):
    with contextlib.suppress(ValueError):
        board, chosen = read_board(query)
        assert MIN_POINTS <= board.size <= MAX_POINTS
        assert chosen.protocols()


@given(st.one_of(st.binary(max_size=60), st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(
            ["format", "labels", "detections", "settings", "step", "k", "shape", "lanes"]),
        inner, max_size=5),
    max_leaves=8,
).map(lambda value: json.dumps(
    {"format": FILE_FORMAT, **value} if isinstance(value, dict) else value))))  # fmt: skip
def test_any_file_is_a_board_or_a_clear_error(content):
    with contextlib.suppress(ValueError):
        assert board_file.from_json(content)[0].size >= MIN_POINTS


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
        board_file.from_json(content)
    assert str(error.value).startswith(message)


@given(drawn())
@settings(max_examples=40)
def test_the_python_lines_print_the_board_s_numbers(both):
    board, chosen = both
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(board_exports.to_python(board, chosen), {})
    expected = [
        f"{e.protocol.label}: precision {e.precision:.3f}, recall {e.recall:.3f}, F1 {e.f1:.3f}"
        for e in board.evaluations(chosen)
    ]
    assert out.getvalue().splitlines() == expected


@given(drawn())
def test_the_csv_holds_the_credit_of_every_point(both):
    board, chosen = both
    rows = list(csv.DictReader(io.StringIO(board_exports.to_csv(board, chosen))))
    for e in board.evaluations(chosen):
        # A false alarm earns nothing.
        wanted = np.where(board.labels, e.credit, 0.0).tolist()
        assert [float(row[f"credit_{e.protocol.key}"]) for row in rows] == wanted
    assert [row["label"] == "1" for row in rows] == board.labels.tolist()
    assert [row["detection"] == "1" for row in rows] == board.detections.tolist()


@pytest.mark.parametrize("lanes", LANE_SETS)
def test_a_file_holds_the_results_of_the_lanes_that_are_shown(lanes):
    added, hidden = Settings(lanes), {*REFERENCES} - {*lanes}
    saved = json.loads(board_file.to_json(Board(), added))
    shown = [key for key in PROTOCOLS if key not in hidden]
    assert [entry["protocol"] for entry in saved["results"]] == shown
    for entry, e in zip(saved["results"], Board().evaluations(added), strict=True):
        assert entry["f1"] == e.f1
        assert entry["credit"] == np.where(Board().labels, e.credit, 0.0).tolist()


def test_a_shorter_board_gets_its_tail_back():
    board, _ = read_board({"n": "30", "truth": "2-4_20", "alarms": "25"})
    shorter = board.resized(10)
    assert np.flatnonzero(shorter.labels).tolist() == [2, 3, 4]
    again = shorter.resized(40, board)
    assert np.flatnonzero(again.labels).tolist() == [2, 3, 4, 20]
    assert np.flatnonzero(again.detections).tolist() == [25]

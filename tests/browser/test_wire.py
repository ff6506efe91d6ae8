"""Messages that no browser would send, over the wire: a sentence on the page, and nothing else."""

import json
import time

import pytest

from tests.browser.server import memory_of, serving_process
from tests.wire import Wire

FORGED = [
    ("int_value", 99),
    ("int_value", -7),
    ("double_value", float("nan")),
    ("string_value", "no such choice"),
    ("json_value", "{not json"),
    ("json_value", json.dumps({"ask": {"id": 10**30, "labels": 5}})),
    ("bool_value", True),
]


@pytest.fixture
def visit(address):
    opened = []

    def open_one(page, query=""):
        opened.append(Wire(address, page).open(query))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


@pytest.mark.parametrize(
    ("page", "query"), [("playground", "n=30&truth=12-18&alarms=5"), ("your_data", "sample=pump")]
)
def test_forged_choices_show_no_traceback(visit, page, query):
    wire = visit(page, query)
    kinds = ("button_group", "radio", "selectbox", "number_input", "checkbox", "bidi_component")
    widgets = [each.id for kind in kinds for each in wire.of_kind(kind)]
    assert len(widgets) >= 4
    for number, widget in enumerate(widgets):
        wire.run(query, **{widget: FORGED[number % len(FORGED)]})
        assert [each.message for each in wire.of_kind("exception")] == []
        told = [each.body for each in wire.of_kind("alert")]
        assert not any("Traceback" in body for body in told)
    # The visit goes on.
    wire.run(query)
    assert wire.of_kind("exception") == []


def test_a_board_that_was_sent_by_hand_is_answered(visit):
    wire = visit("playground", "n=30&truth=12-18&alarms=5_13")
    labels, alarms = "0" * 12 + "1" * 7 + "0" * 11, "0" * 12 + "1" + "0" * 17
    place, answer = wire.ask("board", labels=labels, detections=alarms, revision=1, final=False)
    assert answer["answered"] == 1
    assert (answer["rows"]["labels"], answer["rows"]["detections"]) == (labels, alarms)
    assert wire.fragments[place]


def test_a_visit_that_has_ended_is_let_go_of_though_nobody_else_comes(tmp_path):
    row = b"0,0.12345\n0,0.54321\n1,0.98765\n"
    content = b"label,score\n" + row * (100 * 10**6 // len(row))
    with serving_process(tmp_path / "log.txt", disconnectedSessionTTL=1) as (address, pid):
        before = memory_of(pid)
        wire = Wire(address, "your_data").open()  # the first one that comes
        wire.upload(content, "mine.csv")
        assert memory_of(pid) > before + 95
        wire.close()
        until = time.monotonic() + 20
        while memory_of(pid) > before + 70:
            assert time.monotonic() < until, "the upload is still there"
            time.sleep(0.2)

"""Every page's link by its list of parts: reading, writing, Back, unknown and unreadable parts."""

from urllib.parse import urlencode

import pytest

from padf_core import Settings
from padf_ui.registry import PAGES
from padf_ui.session import asks, board, changes, data, links, quiz, replay, replay_link
from padf_ui.session.study import sample_study
from tests.ui.test_state import visit  # noqa: F401

LINKED = {key: page.link for key, page in PAGES.items()}
PUMP = sample_study("pump", Settings())


def example(link):
    """A link in which no part is as by default."""
    settings = {"k": "30"} if link.has_settings else {}
    return {part.name: part.example for part in link.parts} | settings


@pytest.mark.parametrize("key", LINKED)
def test_what_is_written_is_read_again(key):
    link = LINKED[key]
    values = link.decode(example(link))
    assert [part.name for part in link.parts if values[part.name] == part.default] == []
    assert link.decode(link.encode(values)) == values
    written = link.encode(values)
    assert {name: written[name] for name in example(link)} == example(link)


@pytest.mark.parametrize("key", LINKED)
def test_parts_that_mean_nothing_are_named_on_every_page(visit, key):  # noqa: F811
    visit.query_params.query = {"colour": "red"}
    links.sync(LINKED[key], arrived=True)
    assert "colour (unknown)" in changes.message()


@pytest.mark.parametrize(
    ("key", "part"),
    [(key, part.name) for key, link in LINKED.items() for part in link.parts],
)
def test_a_part_that_is_too_long_is_named_and_something_is_shown(visit, key, part):  # noqa: F811
    visit.query_params.query = {part: "7" * 20_000}
    links.sync(LINKED[key], arrived=True)
    told = changes.message()
    assert f"{part} is too long" in told
    assert told.count(". ") == 1, "what is wrong, and what is shown instead"


@pytest.mark.parametrize("key", LINKED)
def test_back_reads_the_link_of_the_page_that_runs(visit, key):  # noqa: F811
    link = LINKED[key]
    links.sync(link, arrived=True)
    query = {name: said for name, said in example(link).items() if name not in OTHER_DATA}
    query = query or {"colour": "red"}
    visit.session_state[asks.PAGE_KEY] = {"back": f"?{urlencode(query)}"}
    links.take_back()
    if link.parts:
        now = link.encode(link.now())
        assert {name: now.get(name) for name in query} == query
    else:
        assert "colour" in changes.message()


OTHER_DATA = ("data", "at")
"""Parts that depend on data: a fingerprint, and a threshold for each detector."""


def test_back_on_the_quiz_asks_the_questions_of_before(visit):  # noqa: F811
    links.sync(quiz.LINK, arrived=True)
    quiz.set_quiz_seed(5)
    visit.session_state[asks.PAGE_KEY] = {"back": "?seed=3"}
    links.take_back()
    assert quiz.quiz_seed() == 3


def test_a_quiz_link_that_cannot_be_read_changes_no_question(visit):  # noqa: F811
    quiz.set_quiz_seed(5)
    changes.mark_written()
    visit.query_params.query = {"seed": "x"}
    links.sync(quiz.LINK, arrived=True)
    assert quiz.quiz_seed() == 5
    assert changes.message().endswith("Nothing has changed.")


def test_nothing_that_is_told_of_a_link_hides_the_rest(visit):  # noqa: F811
    visit.query_params.query = {"of": "data", "colour": "red"}
    links.sync(replay_link.LINK, arrived=True)
    assert "made for data that are not loaded" in changes.message()
    assert "colour (unknown)" in changes.message()


def test_what_of_a_replay_does_not_fit_its_data_is_told(visit):  # noqa: F811
    incidents, count = len(PUMP.series.segments), len(PUMP.series.detectors)
    query = {"of": "pump", "incident": "99", "detectors": "8_2", "at": "0.5~0.7"}
    visit.query_params.query = query
    links.sync(replay_link.LINK, arrived=True)
    assert changes.message() == (
        f"Some parts of this link were ignored: incident 99 (there are {incidents}), "
        f"detector 8 (there are {count})."
    )
    assert replay.current_replay() == replay.Replay("pump", detectors=(1,))
    visit.query_params.query = {**query, "incident": "1", "detectors": "1_2"}
    links.sync(replay_link.LINK, arrived=True)
    assert changes.message() is None


def test_published_results_keep_the_board(visit):  # noqa: F811
    drawn = board.current_board()
    visit.query_params.query = {"n": "10", "truth": "3-5"}
    links.sync(LINKED["published_results"], arrived=True)
    assert board.current_board().same_pattern(drawn.labels, drawn.detections)


def test_an_onset_in_another_unit_stays_in_the_link(visit):  # noqa: F811
    data.put_study(PUMP)
    data.set_onset(unit="seconds")
    assert data.LINK.encode(data.LINK.now())["shift"] == "0s"

"""Every page's link by its list of parts: reading, writing, Back, unknown and unreadable parts."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest

from padf_core import Settings
from padf_core.teaching.course import LESSONS
from padf_ui.registry import PAGES
from padf_ui.session import board, data, lesson, links, quiz, replay, store
from padf_ui.session.study import load_sample
from tests.ui.test_state import visit  # noqa: F401

LINKED = {key: page.link for key, page in PAGES.items() if page.link is not None}
PUMP = load_sample("pump", Settings())

HELD = {
    id(board.LINK): board.link_values(board.Board(step="1min"), Settings(decay=0.7)),
    id(data.LINK): data.link_values(
        replace(PUMP, chosen=1, choices=(0.5, "pa", 2.0, None)), Settings()
    ),
    id(lesson.LINK): {"lesson": LESSONS["operators"], "step": 2.0, "present": True},
    id(quiz.LINK): {"seed": 12},
    id(replay.LINK): replay.link_values(
        replay.Replay("pump", 2, (1, 0), (0.5, None), wait=3, cooldown=2, budget=0.5, per_call=9.0),
        Settings(k=30),
        None,
    ),
}
"""What each link may hold, with most parts not as by default."""


@pytest.mark.parametrize("key", LINKED)
def test_what_is_written_is_read_again(key):
    link = LINKED[key]
    if link.parts:
        values = HELD[id(link)]
        assert link.decode(link.encode(values)) == {
            **{part.name: part.default for part in link.parts},
            **values,
        }


@pytest.mark.parametrize("key", LINKED)
def test_parts_that_mean_nothing_are_named_on_every_page(visit, key):  # noqa: F811
    visit.query_params.query = {"colour": "red"}
    links.sync(LINKED[key], arrived=True)
    assert "colour (means nothing here)" in store.message()


@pytest.mark.parametrize(
    ("key", "part"),
    [(key, part.name) for key, link in LINKED.items() for part in link.parts],
)
def test_a_part_that_is_too_long_is_named_and_something_is_shown(visit, key, part):  # noqa: F811
    visit.query_params.query = {part: "7" * 20_000}
    links.sync(LINKED[key], arrived=True)
    told = store.message()
    assert f"{part} is too long" in told
    assert told.count(". ") == 1, "what is wrong, and what is shown instead"


@pytest.mark.parametrize("key", LINKED)
def test_back_reads_the_link_of_the_page_that_runs(visit, key):  # noqa: F811
    link = LINKED[key]
    links.sync(link, arrived=True)
    query = link.encode(HELD[id(link)]) if link.parts else {"colour": "red"}
    visit.session_state[store.PAGE_KEY] = {"back": f"?{urlencode(query)}"}
    links.take_back()
    if link.parts:
        assert link.encode(link.now()) == {**link.encode(link.now()), **_stable(query)}
    else:
        assert "colour" in store.message()


def _stable(query):
    """Leave out what depends on data that are not here, and the decay, which is a need there."""
    left_out = ("at", "view", "measure", "shape", "decay")
    return {name: value for name, value in query.items() if name not in left_out}


def test_back_on_the_quiz_asks_the_questions_of_before(visit):  # noqa: F811
    links.sync(quiz.LINK, arrived=True)
    quiz.set_quiz_seed(5)
    visit.session_state[store.PAGE_KEY] = {"back": "?seed=3"}
    links.take_back()
    assert quiz.quiz_seed() == 3


def test_published_results_keep_the_board(visit):  # noqa: F811
    drawn = board.current_board()
    visit.query_params.query = {"n": "10", "truth": "3-5"}
    links.sync(LINKED["published_results"], arrived=True)
    assert board.current_board().same_pattern(drawn.labels, drawn.detections)


def test_an_onset_in_another_unit_stays_in_the_link(visit):  # noqa: F811
    data.put_study(PUMP)
    data.set_onset(unit="seconds")
    assert data.LINK.encode(data.LINK.now())["shift"] == "0s"

"""Lessons as data: what they claim is computed; what is read is a lesson or a clear error."""

import base64
import contextlib
import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from padf_core import Settings
from padf_core.paper.cases import random_detections
from padf_core.teaching.course import COURSE, LESSONS, OPERATORS
from padf_core.teaching.lesson_files import (
    lesson_from_json,
    lesson_from_text,
    lesson_to_json,
    lesson_to_text,
)
from padf_core.teaching.lessons import Lesson, Question, Step
from tests import naive


def f1(step, key, alarms=None):
    labels = step.labels.astype(int).tolist()
    detections = (step.detections if alarms is None else alarms).astype(int).tolist()
    return float(naive.scores(labels, detections, step.chosen.protocol(key))[2])


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))
def test_files_and_links_hold_the_whole_lesson(lesson):
    assert lesson_from_json(lesson_to_json(lesson)) == lesson
    assert lesson_from_text(lesson_to_text(lesson)) == lesson


STEPS = {step.title: step for step in (*COURSE.steps, *OPERATORS.steps)}


def test_the_first_step_shows_the_scores_of_the_title():
    step = COURSE.steps[0]
    # One of seven points and one false alarm: 2/9, 14/15, and 2 * 6.3 / (7.3 + 7) = 12.6/14.3.
    assert [f1(step, key) for key in step.lanes] == pytest.approx([2 / 9, 14 / 15, 12.6 / 14.3])
    for score in ("0.22", "0.93", "0.88"):
        assert score in COURSE.title
        assert score in step.text


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Counting cells", "pointwise"),
        ("Point adjustment", "pa"),
        ("One alarm, at the last minute", "pa"),
    ],
)
def test_the_right_answer_is_the_score(title, key):
    step = STEPS[title]
    right = step.question.answers[step.question.right]
    assert right == f"{f1(step, key):.3f}"
    assert [a for a in step.question.answers if a == right] == [right]


def scores_of(alarms, key):
    """Precision, recall and F1 of these alarms on the lesson's incident, by brute force."""
    step = Step("a", "b", truth="12-23", alarms=alarms)
    labels, detections = step.labels.astype(int).tolist(), step.detections.astype(int).tolist()
    return naive.scores(labels, detections, step.chosen.protocol(key))


def test_every_wrong_answer_comes_from_the_mistake_that_is_named():
    precision, recall, _ = map(float, scores_of("6, 15-17", "pointwise"))
    alone = float(scores_of("15", "pointwise")[2])
    last = scores_of("23", "pointwise")
    expected = {
        "Counting cells": {
            "precision alone": precision,
            "recall alone": recall,
            "the plain mean of precision and recall": (precision + recall) / 2,
        },
        "Point adjustment": {
            "point-wise F1 without the false alarm": alone,
            "the share of alarms that are right": float(scores_of("6, 15", "pointwise")[0]),
            "F1 without the false alarm": float(scores_of("15", "pa")[2]),
        },
        "One alarm, at the last minute": {
            "point-wise recall": float(last[1]),
            "point-wise F1": float(last[2]),
        },
    }
    for title, mistakes in expected.items():
        question = STEPS[title].question
        for mistake, value in mistakes.items():
            assert question.answers[question.mistakes.index(mistake)] == f"{value:.3f}", mistake
    late = STEPS["Choosing d, and where PAdf misleads"].question
    assert late.answers[late.mistakes.index("the credit of an alarm one step late")] == "0.90"


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))
def test_a_verdict_names_the_right_answer_and_the_mistake(lesson):
    for step in lesson.steps:
        asked = step.question
        if asked is None:
            continue
        for place, answer in enumerate(asked.answers):
            said = asked.verdict(place)
            if place == asked.right:
                assert said == f"Right. {asked.why}"
                assert not asked.mistakes or not asked.mistakes[place]
                continue
            assert said.startswith(f"Not quite: the answer is {asked.answers[asked.right]}.")
            if asked.mistakes:
                assert f"You chose {answer}, which is {asked.mistakes[place]}." in said


def test_point_wise_beside_it_is_as_told():
    assert f1(STEPS["Point adjustment"], "pointwise") == pytest.approx(2 / 14)


def test_random_alarms_beat_the_careful_detector_under_pa_most_of_the_time():
    step = STEPS["Careful, or random?"]
    assert f1(step, "pa") == pytest.approx(80 / 130)
    above = sum(
        f1(step, "pa", random_detections(step.size, 0.06, seed)) > f1(step, "pa")
        for seed in range(50)
    )
    assert above > 30


def test_pa_k_prefers_many_late_hits():
    step = STEPS["PA%K, and what it misses"]
    prompt = step.labels.copy()
    prompt[:] = False
    prompt[12] = True
    assert f1(step, "pa_k") == 1
    assert f1(step, "pa_k", prompt) == pytest.approx(2 / 13)


def test_a_window_that_begins_too_early_costs_the_best_alarm_its_credit():
    step = STEPS["Choosing d, and where PAdf misleads"]
    assert step.question.answers[step.question.right] == f"{0.9**10:.2f}"
    # Point 8 is 0:40, point 18 is 1:30 in steps of five minutes.
    assert (8 * 5, 18 * 5) == (40, 90)
    assert step.unit == "5min"


def test_the_last_alarm_is_full_marks_for_pa_only():
    step = STEPS["What the usual score says"]
    assert f1(step, "pa") == 1
    assert f1(step, "padf") < 0.5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", 'this is not a lesson: "format" must be'),
        ("{", "this is not a JSON file"),
        ('{"format": "padf-lesson-1"}', "steps must be a list"),
        ('{"format": "padf-lesson-1", "title": "a", "steps": []}', "must have 1 to 40 steps"),
        ('{"format": "padf-lesson-1", "title": "a", "steps": [3]}', "a step must be an object"),
    ],
)
def test_what_is_no_lesson(content, message):
    with pytest.raises(ValueError) as error:
        lesson_from_json(content)
    assert message in str(error.value)


SLIDERS = ", ".join(number.key for number in Settings().numbers().values())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"title": ""}, "title must be a text of 1 to 2000 characters"),
        ({"size": 3}, "size must be from 5 to 300; got 3"),
        ({"lanes": ["vus"]}, "lanes must be among pointwise"),
        ({"sliders": ["speed"]}, f"sliders must be among {SLIDERS}; got 'speed'"),
        ({"truth": "9-3"}, "runs backwards"),
        ({"settings": {"decay": 3}}, "decay must be above 0 and at most 1"),
        ({"colour": "red"}, "a step has no field 'colour'"),
        ({"question": {"text": "a"}}, "a question is incomplete"),
        (
            {"question": {"text": "a", "answers": ["b"], "right": 0, "why": "c"}},
            "a question must have 2 to 6 answers; got 1",
        ),
        ({"lanes": "pa"}, "lanes must be a list of texts"),
        ({"part": "film"}, "part must be among random, guess, rank; got 'film'"),
    ],
)
def test_steps_that_cannot_be_shown(changes, message):
    read = json.loads(lesson_to_json(Lesson("a", (Step("b", "c"),))))
    read["steps"][0].update(changes)
    with pytest.raises(ValueError) as error:
        lesson_from_json(json.dumps(read))
    assert message in str(error.value)


@given(st.text(max_size=80))
def test_any_link_is_a_lesson_or_a_clear_error(text):
    with contextlib.suppress(ValueError):
        lesson_from_text(text)


def test_a_link_that_would_unpack_to_much_is_refused():
    many = Lesson("a", (Step("b", "c" * 1900),) * 40)
    text = lesson_to_text(many)
    assert len(text) < 4000
    assert lesson_from_text(text) == many
    bomb = base64.urlsafe_b64encode(zlib.compress(b"0" * 50_000_000)).decode()
    with pytest.raises(ValueError, match="JSON"):
        lesson_from_text(bomb)


def test_a_question_has_a_right_answer():
    with pytest.raises(ValueError, match="right must be the position of an answer; got 2"):
        Question("a", ("b", "c"), 2, "d")


def test_steps_of_a_lesson_are_put_in_the_place_of_others():
    a, b, c, d = (Step(name, "Look.") for name in "abcd")
    lesson = Lesson("My lesson", (a, b, c))
    assert lesson.with_steps(1, 0, d).steps == (a, d, b, c)
    assert lesson.with_steps(0, 2, b, a).steps == (b, a, c)
    assert lesson.with_steps(2, 1).steps == (a, b)
    with pytest.raises(ValueError, match="a lesson must have 1 to 40 steps; got 0"):
        lesson.with_steps(0, 3)

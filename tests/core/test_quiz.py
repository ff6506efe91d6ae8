"""Questions: every one has exactly one right answer under the protocols."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from padf_core.teaching.glossary import TERMS, find_term
from padf_core.teaching.quiz import quiz
from tests import naive


def f1(shown, protocol, alarms=None):
    detections = shown.detections if alarms is None else alarms
    made = naive.scores(
        shown.labels.astype(int).tolist(), np.asarray(detections).astype(int).tolist(), protocol
    )
    return float(made[2])


def right_answers(question):
    """Which answers are right, by brute force and by what their texts say."""
    padf = question.settings.protocol("padf")
    if question.kind == "rank":
        scores = [f1(answer.pattern, padf) for answer in question.answers]
        return [at for at, score in enumerate(scores) if score >= max(scores) - 1e-9]
    if question.kind == "protocol":
        asked = float(question.text.rsplit(" ", 1)[1].rstrip("?"))
        by_label = {p.label: p for p in question.settings.protocols()}
        return [
            at
            for at, answer in enumerate(question.answers)
            if abs(f1(question.pattern, by_label[answer.text]) - asked) < 0.0005001
        ]
    if question.kind == "delay":
        wanted = float(question.text.rsplit(" ", 1)[1].rstrip("?"))
        start = int(np.flatnonzero(question.pattern.labels)[0])
        length = int(question.pattern.labels.sum())
        reaching = []
        for delay in range(length):
            alarms = np.zeros(question.pattern.labels.size)
            alarms[start + delay] = 1
            if f1(question.pattern, padf, alarms) >= wanted:
                reaching.append(delay)
        latest = max(reaching)
        said = "no delay" if latest == 0 else f"{latest} step{'s' if latest > 1 else ''}"
        return [at for at, answer in enumerate(question.answers) if answer.text == said]
    verb, moved, kept = CHANGE.fullmatch(question.text).groups()
    by_label = {p.label: p for p in question.settings.protocols()}
    sign = {"raises": 1, "lowers": -1}[verb]
    return [
        at
        for at, answer in enumerate(question.answers)
        if sign * changed(question, answer.text, by_label[moved]) > 0
        and changed(question, answer.text, by_label[kept]) == 0
    ]


CHANGE = re.compile(r"Which change (raises|lowers) (.*) but leaves (.*) unchanged\?")


def changed(question, text, protocol):
    """The gain of a change, done anew from its words; false alarms at any place they can take."""
    labels, alarms = question.pattern.labels, question.pattern.detections
    hits = np.flatnonzero(labels & alarms)
    new = alarms.copy()
    if text == "two more alarms after the first hit":
        free = [t for t in np.flatnonzero(labels) if t > hits[0] and not alarms[t]]
        new[free[:2]] = True
    elif text == "the first hit one step earlier":
        new[hits[0]], new[hits[0] - 1] = False, True
    elif text == "the first hit one step later":
        new[hits[0]], new[hits[0] + 1] = False, True
    elif text == "one fewer false alarm":
        new[np.flatnonzero(~labels & alarms)[0]] = False
    elif text == "one more false alarm":
        new[np.flatnonzero(~labels & ~alarms)[0]] = True
    else:
        assert text == "one fewer hit (the last one)"
        new[hits[-1]] = False
    gain = f1(question.pattern, protocol, new) - f1(question.pattern, protocol)
    return gain if abs(gain) > 1e-12 else 0.0


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_every_question_has_exactly_one_right_answer(seed):
    for question in quiz(seed, 4):
        assert right_answers(question) == [question.right]
        texts = [answer.text for answer in question.answers]
        assert len(set(texts)) == len(texts) >= 3


def test_a_seed_gives_everybody_the_same_questions():
    first, second = quiz(7), quiz(7)
    assert [q.text for q in first] == [q.text for q in second]
    assert [q.right for q in first] == [q.right for q in second]
    assert [q.text for q in quiz(8)] != [q.text for q in first]


def test_the_right_answer_stands_at_every_place():
    places = {question.right for seed in range(12) for question in quiz(seed, 4)}
    assert places >= {0, 1, 2}


def test_no_answer_can_be_learnt_by_heart():
    """Each protocol is the answer in about a quarter of cases, and no change in most of them."""
    right = Counter(
        (question.kind, question.answers[question.right].text.split(" (")[0])
        for seed in range(100)
        for question in quiz(seed, 4)
        if question.kind in ("protocol", "change")
    )
    protocols = [count for (kind, _), count in right.items() if kind == "protocol"]
    changes = [count for (kind, _), count in right.items() if kind == "change"]
    assert len(protocols) == 4
    # 25 of 100 are expected; 10 are more than three standard deviations away.
    assert min(protocols) > 10
    assert len(changes) == 4
    # Two of the five goals have the same answer: 40 of 100 are expected, at most 55.
    assert max(changes) < 55


def test_the_picture_of_a_delay_does_not_give_the_answer_away():
    for seed in range(20):
        for question in quiz(seed, 4):
            if question.kind == "delay":
                assert np.flatnonzero(question.asked.detections).tolist() == [8]
            else:
                assert question.asked is question.pattern


def test_terms_are_told_apart_and_found():
    names = [name.casefold() for term in TERMS for name in (term.name, *term.also)]
    assert len(set(names)) == len(names)
    assert find_term("false alarms").key == "false_alarm"
    for term in TERMS:
        assert term.meaning.endswith(".")


@pytest.mark.parametrize("word", ["", "adjust", "points"])
def test_other_words_are_no_terms(word):
    assert find_term(word) is None

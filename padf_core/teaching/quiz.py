"""Generate questions from random patterns, each with exactly one right answer.

A seed always gives the same questions. Wrong answers come from common mistakes: counting the delay
from 1, forgetting the false alarm, or confusing the two precisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from padf_core.io.notation import format_ranges
from padf_core.metrics.checks import BoolArray
from padf_core.metrics.decays import ExponentialDecay
from padf_core.metrics.evaluation import evaluate, evaluate_all
from padf_core.metrics.segments import find_segments
from padf_core.metrics.settings import Settings

SIZE = 30
SAME = 1e-12
APART = 0.02
"""Minimum difference between two scores for a question about which is higher."""
TRIES = 2000


@dataclass(frozen=True, eq=False)
class Shown:
    """A pattern shown with a question or an answer."""

    labels: BoolArray
    detections: BoolArray


@dataclass(frozen=True, eq=False)
class Answer:
    """An answer to choose from."""

    text: str
    pattern: Shown | None = None


@dataclass(frozen=True, eq=False)
class QuizQuestion:
    """A question, its answers, the right one and an explanation."""

    kind: str
    text: str
    answers: tuple[Answer, ...]
    right: int
    why: str
    asked: Shown
    """The pattern shown with the question."""
    pattern: Shown
    """The pattern shown with the explanation, which the Playground opens."""
    settings: Settings


Kind = Callable[[np.random.Generator], QuizQuestion | None]
"""Makes a question, or returns None if the pattern does not have exactly one right answer."""


def quiz(seed: int, count: int = 8) -> list[QuizQuestion]:
    """Return the questions for a seed: the kinds in turn, with shuffled answers.

    >>> [question.kind for question in quiz(1, 4)]
    ['rank', 'protocol', 'delay', 'change']
    """
    made = []
    for number in range(count):
        kind = _KINDS[number % len(_KINDS)]
        made.append(_first(kind, np.random.default_rng([seed, number])))
    return made


def _first(kind: Kind, rng: np.random.Generator) -> QuizQuestion:
    for _ in range(TRIES):
        question = kind(rng)
        if question is not None:
            return question
    raise RuntimeError("no question was found")


def _shuffled(
    rng: np.random.Generator,
    kind: str,
    text: str,
    answers: Sequence[Answer],
    why: str | Callable[[Sequence[str]], str],
    pattern: Shown,
    settings: Settings,
    asked: Shown | None = None,
) -> QuizQuestion:
    """Return a question with shuffled answers; the first given answer is the right one.

    ``why`` may be a function of the letters that the given answers get.
    """
    order = rng.permutation(len(answers)).tolist()
    shuffled = tuple(answers[place] for place in order)
    letters = [chr(ord("A") + order.index(place)) for place in range(len(answers))]
    reason = why if isinstance(why, str) else why(letters)
    return QuizQuestion(
        kind, text, shuffled, order.index(0), reason, asked or pattern, pattern, settings
    )


def _rank(rng: np.random.Generator) -> QuizQuestion | None:
    """Ask which of three detectors on the same incident has the highest PAdf."""
    settings = _settings(rng)
    labels = _segments(rng, 1)
    patterns = [Shown(labels, _alarms(rng, labels)) for _ in range(3)]
    protocol = settings.protocol("padf")
    f1 = [evaluate(shown.labels, shown.detections, protocol).f1 for shown in patterns]
    order = np.argsort(f1)[::-1].tolist()
    if f1[order[0]] - f1[order[1]] < APART or f1[order[1]] - f1[order[2]] < APART:
        return None
    under_pa = [evaluate(s.labels, s.detections, settings.protocol("pa")).f1 for s in patterns]
    if int(np.argmax(under_pa)) == order[0] and max(under_pa) - sorted(under_pa)[1] > APART:
        return None
    best = patterns[order[0]]

    def why(letters: Sequence[str]) -> str:
        def listed(scores: Sequence[float]) -> str:
            return ", ".join(f"{x} {scores[at]:.3f}" for x, at in zip(letters, order, strict=True))

        return (
            "Under PAdf the first alarm decides what the segment earns, and false alarms cost "
            f"precision: {listed(f1)}. Under PA: {listed(under_pa)}."
        )

    return _shuffled(
        rng,
        "rank",
        f"Which detector scores highest under {protocol.label}?",
        [
            Answer(f"alarms at {format_ranges(patterns[at].detections)}", patterns[at])
            for at in order
        ],
        why,
        best,
        settings,
    )


def _protocol(rng: np.random.Generator) -> QuizQuestion | None:
    """Ask which protocol gave a pattern this score. Each protocol is asked for equally often."""
    settings = _settings(rng)
    wanted = int(rng.integers(len(settings.protocols())))
    for _ in range(TRIES):
        labels = _segments(rng, 2)
        shown = Shown(labels, _alarms(rng, labels))
        results = evaluate_all(shown.labels, shown.detections, settings.protocols())
        right = results[wanted]
        others = [result for result in results if result is not right]
        if right.f1 and all(abs(result.f1 - right.f1) >= APART for result in others):
            break
    else:
        return None
    listed = ", ".join(f"{result.protocol.name} {result.f1:.3f}" for result in results)
    why = right.protocol.why(right, lambda delay: _count(f"{delay:g}", "step"))
    return _shuffled(
        rng,
        "protocol",
        f"Which protocol gives this pattern an F1 of {right.f1:.3f}?",
        [Answer(result.protocol.label) for result in (right, *others)],
        f"{right.protocol.name}: {why} The four scores are {listed}.",
        shown,
        settings,
    )


def _delay(rng: np.random.Generator) -> QuizQuestion | None:
    """Ask how late a single alarm may be for PAdf to reach a score."""
    settings = _settings(rng)
    length = int(rng.integers(8, 15))
    wanted = float(rng.choice([0.5, 0.6, 0.7, 0.8, 0.9]))
    protocol = settings.protocol("padf")
    labels = np.zeros(SIZE, dtype=np.bool_)
    labels[8 : 8 + length] = True
    f1 = [evaluate(labels, _only(8 + delay), protocol).f1 for delay in range(length)]
    right = _latest(f1, wanted)
    if right is None or right >= length - 1 or f1[right] - wanted < 0.005:
        return None
    if wanted - f1[right + 1] < 0.005:
        return None
    # Mistakes: D as the score (as in "equations"), delays counted from 1 or to N, a share of N.
    plain = ExponentialDecay(settings["decay"])(np.arange(length)).tolist()
    mistakes = [_latest(plain, wanted), right + 1, right - 1, round((1 - wanted) * length)]
    offered: list[int] = []
    for mistake in mistakes:
        if mistake is not None and 0 <= mistake < length and mistake not in (right, *offered):
            offered.append(mistake)
    if len(offered) < 2:
        return None
    return _shuffled(
        rng,
        "delay",
        f"A segment of {length} points, one alarm in it and none elsewhere. What is the longest "
        f"delay that still gives {protocol.label} an F1 of at least {wanted:g}?",
        [Answer(_steps(delay)) for delay in (right, *offered[:3])],
        "The only alarm is a hit, so precision is 1, and recall is the credit D. F1 is "
        f"2 D / (1 + D): {f1[right]:.3f} at a delay of {right}, and {f1[right + 1]:.3f} one step "
        "later.",
        Shown(labels, _only(8 + right)),
        settings,
        Shown(labels, _only(8)),
    )


def _latest(scores: Sequence[float], wanted: float) -> int | None:
    reached = [at for at, score in enumerate(scores) if score >= wanted]
    return max(reached) if reached else None


def _only(place: int) -> BoolArray:
    alarms = np.zeros(SIZE, dtype=np.bool_)
    alarms[place] = True
    return alarms


def _steps(delay: int) -> str:
    return _count(str(delay), "step") if delay else "no delay"


def _count(number: str, what: str) -> str:
    return f"{number} {what}" if number == "1" else f"{number} {what}s"


@dataclass(frozen=True)
class _Goal:
    """What a change must do: move the score of one protocol, and not that of another."""

    verb: str
    sign: int
    moved: str
    kept: str
    reason: str

    def is_reached(self, gains: dict[str, float]) -> bool:
        return self.sign * gains[self.moved] > APART and abs(gains[self.kept]) <= SAME

    def is_missed(self, gains: dict[str, float]) -> bool:
        return self.sign * gains[self.moved] <= SAME or abs(gains[self.kept]) > SAME


_GOALS: tuple[_Goal, ...] = (
    _Goal(
        "raises", 1, "pa_k", "padf",
        "PA%K counts how many points of the segment are flagged. PAdf only looks at the first hit.",
    ),
    _Goal(
        "raises", 1, "padf", "pa_k",
        "PAdf rewards an earlier first hit. PA%K only counts how many points are flagged.",
    ),
    _Goal(
        "raises", 1, "pointwise", "pa",
        "Point-wise counts every flagged point. For PA one hit is enough.",
    ),
    _Goal(
        "lowers", -1, "padf", "pa",
        "PAdf gives less credit to a later first hit. PA ignores when the hit comes.",
    ),
    _Goal(
        "lowers", -1, "pointwise", "padf",
        "Point-wise loses a flagged point. PAdf only looks at the first hit.",
    ),
)  # fmt: skip


def _change(rng: np.random.Generator) -> QuizQuestion | None:
    """Ask which change moves one protocol's score but not another's."""
    settings = _settings(rng)
    goal = _GOALS[int(rng.integers(len(_GOALS)))]
    for _ in range(TRIES):
        labels = _segments(rng, 1)
        shown = Shown(labels, _alarms(rng, labels))
        made = [(text, _gains(shown, alarms, settings)) for text, alarms in _changes(rng, shown)]
        right = [each for each in made if goal.is_reached(each[1])]
        others = [each for each in made if goal.is_missed(each[1])]
        if len(right) == 1 and len(others) == len(made) - 1 >= 2:
            break
    else:
        return None
    moved, kept = (settings.protocol(key) for key in (goal.moved, goal.kept))
    text, gains = right[0]
    wrong = [others[place] for place in rng.permutation(len(others))[:3]]
    return _shuffled(
        rng,
        "change",
        f"Which change {goal.verb} {moved.label} but leaves {kept.label} unchanged?",
        [Answer(each) for each, _ in (right[0], *wrong)],
        f"{goal.reason} With {text}, {moved.name} changes by {gains[goal.moved]:+.3f} and "
        f"{kept.name} by {gains[goal.kept]:+.3f}.",
        shown,
        settings,
    )


def _changes(rng: np.random.Generator, shown: Shown) -> Iterator[tuple[str, BoolArray]]:
    """Yield changes to a pattern, each with a description."""
    inside = np.flatnonzero(shown.labels)
    hits = np.flatnonzero(shown.labels & shown.detections)
    wrong = np.flatnonzero(~shown.labels & shown.detections)
    if not hits.size:
        return
    later = [t for t in inside.tolist() if t > hits[0] and not shown.detections[t]]
    if len(later) >= 2:
        yield "two more alarms after the first hit", _moved(shown, add=later[:2])
    if hits[0] > inside[0]:
        yield "the first hit one step earlier", _moved(shown, [hits[0]], [hits[0] - 1])
    if hits[0] < inside[-1] and not shown.detections[hits[0] + 1]:
        yield "the first hit one step later", _moved(shown, [hits[0]], [hits[0] + 1])
    if wrong.size:
        yield "one fewer false alarm", _moved(shown, [rng.choice(wrong)])
    outside = np.flatnonzero(~shown.labels & ~shown.detections)
    if outside.size:
        yield "one more false alarm", _moved(shown, add=[rng.choice(outside)])
    if hits.size > 1:
        yield "one fewer hit (the last one)", _moved(shown, [hits[-1]])


def _moved(shown: Shown, remove: Sequence[int] = (), add: Sequence[int] = ()) -> BoolArray:
    """Return the detections of a pattern without some alarms and with others."""
    alarms = shown.detections.copy()
    alarms[list(remove)] = False
    alarms[list(add)] = True
    return alarms


def _gains(shown: Shown, alarms: BoolArray, settings: Settings) -> dict[str, float]:
    """Return by how much F1 changes under each protocol."""
    before, after = (
        evaluate_all(shown.labels, each, settings.protocols())
        for each in (shown.detections, alarms)
    )
    return {new.protocol.key: new.f1 - old.f1 for old, new in zip(before, after, strict=True)}


def _settings(rng: np.random.Generator) -> Settings:
    return Settings(decay=float(rng.choice([0.7, 0.8, 0.9])), k=float(rng.choice([20, 30, 40, 50])))


def _segments(rng: np.random.Generator, count: int) -> BoolArray:
    """Return labels with one segment, or with two shorter ones."""
    labels = np.zeros(SIZE, dtype=np.bool_)
    if count == 1:
        start, length = int(rng.integers(6, 12)), int(rng.integers(6, 13))
        labels[start : start + length] = True
        return labels
    for begin in (2, 16):
        start, length = begin + int(rng.integers(0, 4)), int(rng.integers(4, 9))
        labels[start : start + length] = True
    return labels


def _alarms(rng: np.random.Generator, labels: BoolArray) -> BoolArray:
    """Return some hits in each segment, starting anywhere in it, and a few false alarms."""
    alarms = np.zeros(SIZE, dtype=np.bool_)
    for start, stop in find_segments(labels):
        first = int(rng.integers(start, stop))
        alarms[first] = True
        after = np.arange(first + 1, stop)
        alarms[after[rng.random(after.size) < rng.choice([0.0, 0.3, 0.7])]] = True
    outside = np.flatnonzero(~labels)
    alarms[rng.choice(outside, size=int(rng.integers(0, 4)), replace=False)] = True
    return alarms


_KINDS: tuple[Kind, ...] = (
    _rank,
    _protocol,
    _delay,
    _change,
)

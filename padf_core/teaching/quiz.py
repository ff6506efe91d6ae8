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
from padf_core.metrics.protocols import Protocol
from padf_core.metrics.settings import Settings

SIZE = 30
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
    pattern: Shown
    """The pattern that the Playground opens."""
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
) -> QuizQuestion:
    """Return a question with shuffled answers; the first given answer is the right one.

    ``why`` may be a function of the letters that the given answers get.
    """
    order = rng.permutation(len(answers)).tolist()
    shuffled = tuple(answers[place] for place in order)
    letters = [chr(ord("A") + order.index(place)) for place in range(len(answers))]
    reason = why if isinstance(why, str) else why(letters)
    return QuizQuestion(kind, text, shuffled, order.index(0), reason, pattern, settings)


def _rank(rng: np.random.Generator) -> QuizQuestion | None:
    """Ask which of three detectors on the same incident has the highest PAdf."""
    settings = _settings(rng)
    labels = _one_segment(rng)
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
    """Ask which protocol gave a pattern this score."""
    settings = _settings(rng)
    labels = _one_segment(rng)
    shown = Shown(labels, _alarms(rng, labels))
    results = evaluate_all(shown.labels, shown.detections, settings.protocols())
    right = results[int(rng.integers(len(results)))]
    others = [result for result in results if result is not right]
    if not right.f1 or any(abs(result.f1 - right.f1) < APART for result in others):
        return None
    listed = ", ".join(f"{result.protocol.name} {result.f1:.3f}" for result in results)
    return _shuffled(
        rng,
        "protocol",
        f"Which protocol gives this pattern an F1 of {right.f1:.3f}?",
        [Answer(result.protocol.label) for result in (right, *others)],
        f"The four give {listed}.",
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
        "With credit D the recall is D and the precision 1, so F1 = 2 D / (1 + D): "
        f"{f1[right]:.3f} at a delay of {right}, {f1[right + 1]:.3f} one step later.",
        Shown(labels, _only(8 + right)),
        settings,
    )


def _latest(scores: Sequence[float], wanted: float) -> int | None:
    reached = [at for at, score in enumerate(scores) if score >= wanted]
    return max(reached) if reached else None


def _only(place: int) -> BoolArray:
    alarms = np.zeros(SIZE, dtype=np.bool_)
    alarms[place] = True
    return alarms


def _steps(delay: int) -> str:
    return "no delay" if not delay else f"{delay} {'step' if delay == 1 else 'steps'}"


def _change(rng: np.random.Generator) -> QuizQuestion | None:
    """Ask which change to a pattern raises PA%K but not PAdf."""
    settings = _settings(rng)
    labels = _one_segment(rng)
    shown = Shown(labels, _alarms(rng, labels))
    pa_k, padf = settings.protocol("pa_k"), settings.protocol("padf")
    changes = list(_changes(rng, shown))
    right, others = [], []
    for text, alarms in changes:
        gain_k, gain_df = (_gain(shown, alarms, protocol) for protocol in (pa_k, padf))
        if gain_k > APART and gain_df <= 1e-12:
            right.append((text, alarms))
        elif gain_k <= 1e-12 or gain_df > 1e-12:
            others.append((text, alarms))
    if len(right) != 1 or len(others) < 2:
        return None
    text, alarms = right[0]
    return _shuffled(
        rng,
        "change",
        f"Which change raises {pa_k.label} but not {padf.label}?",
        [Answer(each) for each, _ in (right[0], *others[:3])],
        f"PA%K asks how many points of the segment have alarms, PAdf only when the first one came: "
        f"{pa_k.name} gains {_gain(shown, alarms, pa_k):+.3f}, {padf.name} "
        f"{_gain(shown, alarms, padf):+.3f}.",
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
        more = shown.detections.copy()
        more[later[:2]] = True
        yield "two more alarms after the first hit", more
    if hits[0] > inside[0]:
        earlier = shown.detections.copy()
        earlier[hits[0]] = False
        earlier[hits[0] - 1] = True
        yield "the first hit one step earlier", earlier
    if wrong.size:
        fewer = shown.detections.copy()
        fewer[wrong[int(rng.integers(wrong.size))]] = False
        yield "one fewer false alarm", fewer
    outside = np.flatnonzero(~shown.labels & ~shown.detections)
    if outside.size:
        more = shown.detections.copy()
        more[outside[int(rng.integers(outside.size))]] = True
        yield "one more false alarm", more
    if hits.size > 1:
        fewer = shown.detections.copy()
        fewer[hits[-1]] = False
        yield "one fewer hit (the last one)", fewer


def _gain(shown: Shown, alarms: BoolArray, protocol: Protocol) -> float:
    before = evaluate(shown.labels, shown.detections, protocol).f1
    return evaluate(shown.labels, alarms, protocol).f1 - before


def _settings(rng: np.random.Generator) -> Settings:
    return Settings(decay=float(rng.choice([0.7, 0.8, 0.9])), k=float(rng.choice([20, 30, 40, 50])))


def _one_segment(rng: np.random.Generator) -> BoolArray:
    labels = np.zeros(SIZE, dtype=np.bool_)
    start, length = int(rng.integers(6, 12)), int(rng.integers(6, 13))
    labels[start : start + length] = True
    return labels


def _alarms(rng: np.random.Generator, labels: BoolArray) -> BoolArray:
    """Return some hits, starting anywhere in the segment, and a few false alarms."""
    inside, outside = np.flatnonzero(labels), np.flatnonzero(~labels)
    alarms = np.zeros(SIZE, dtype=np.bool_)
    first = int(rng.integers(inside.size))
    alarms[inside[first]] = True
    behind = inside[first + 1 :]
    alarms[behind[rng.random(behind.size) < rng.choice([0.0, 0.3, 0.7])]] = True
    alarms[rng.choice(outside, size=int(rng.integers(0, 4)), replace=False)] = True
    return alarms


_KINDS: tuple[Kind, ...] = (
    _rank,
    _protocol,
    _delay,
    _change,
)

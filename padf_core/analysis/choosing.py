"""From a stated need to a decay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from padf_core.metrics.checks import check_number
from padf_core.metrics.clock import format_duration
from padf_core.metrics.decay import MAX_STEPS, MIN_STEPS, Decay

NeedKind = Literal["worth", "half_life", "loss", "deadline"]

VANISHES = 0.05
NEVER_DECAYS = 0.99


@dataclass(frozen=True)
class Need:
    """What a late alarm is worth, in the words of those who wait for it.

    "worth": an alarm after ``seconds`` is still worth ``share``. "half_life": half is gone after
    ``seconds``. "loss": the loss grows evenly and is total after ``seconds``. "deadline": full
    worth up to ``seconds``, then none.
    """

    kind: NeedKind = "worth"
    seconds: float = 600.0
    share: float = 0.5

    def __post_init__(self) -> None:
        if self.kind not in get_args(NeedKind):
            raise ValueError(f"kind must be one of {get_args(NeedKind)}; got {self.kind!r}")
        low = 0.0 if self.kind == "deadline" else 1e-6
        check_number(
            "seconds", self.seconds, lambda x: low <= x <= 1e10, "from a microsecond to 300 years"
        )
        check_number("share", self.share, lambda x: 0 < x < 1, "above 0 and below 1")

    @property
    def anchor(self) -> tuple[float, float]:
        """A delay in seconds and what an alarm is worth then, for shapes that agree there."""
        if self.kind == "loss":
            return self.seconds / 2, 0.5
        return self.seconds, self.share if self.kind == "worth" else 0.5

    @property
    def text(self) -> str:
        """The need in words."""
        time = format_duration(self.seconds)
        return {
            "worth": f"an alarm after {time} is still worth {100 * self.share:g} %",
            "half_life": f"half of an alarm's worth is gone after {time}",
            "loss": f"the loss grows evenly and is total after {time}",
            "deadline": f"an alarm within {time} is worth everything, a later one nothing",
        }[self.kind]


def decay_for(need: Need, step_seconds: float) -> tuple[str, float]:
    """Return the shape of decay and its parameter, for steps of this length.

    >>> shape, d = decay_for(Need("worth", seconds=600, share=0.5), 60)
    >>> shape, round(d, 4), round(d ** 10, 6)
    ('exponential', 0.933, 0.5)
    >>> decay_for(Need("deadline", seconds=420), 60)
    ('deadline', 7.0)
    """
    steps = _count_steps(need.seconds, step_seconds)
    if need.kind == "worth":
        return "exponential", max(float(need.share ** (1 / steps)), 1e-12)
    if need.kind == "deadline":
        return "deadline", _whole(steps)
    return "half_life" if need.kind == "half_life" else "linear", max(steps, MIN_STEPS)


def _whole(steps: float) -> float:
    return float(np.floor(steps + 1e-9))


def _count_steps(seconds: float, step_seconds: float) -> float:
    """Return a time in steps, if settings can hold it."""
    steps = seconds / _step(step_seconds)
    if steps > MAX_STEPS:
        raise ValueError(
            f"{format_duration(seconds)} are {steps:,.0f} steps of "
            f"{format_duration(step_seconds)}; at most {MAX_STEPS:,.0f} can be set: take a coarser "
            "step or a shorter time"
        )
    return steps


def agreeing_shapes(need: Need, step_seconds: float) -> dict[str, float]:
    """Return the parameter of each shape that gives the stated worth at the stated delay.

    A deadline cannot give half a credit; it drops there.

    >>> {shape: round(value, 3) for shape, value in agreeing_shapes(Need(), 60).items()}
    {'exponential': 0.933, 'linear': 20.0, 'deadline': 10.0}
    """
    seconds, share = need.anchor
    steps = _count_steps(seconds, step_seconds)
    return {
        "exponential": max(float(share ** (1 / steps)), 1e-12),
        "linear": min(max(steps / (1 - share), MIN_STEPS), MAX_STEPS),
        "deadline": _whole(steps),
    }


def _step(step_seconds: float) -> float:
    return check_number("step_seconds", step_seconds, lambda x: 0 < x <= 1e10, "above 0 seconds")


def decay_warnings(decay: Decay, step_seconds: float | None, longest: int | None) -> list[str]:
    """Say when a decay and a step make credit vanish at once, or never decay.

    ``longest`` is the length of the longest segment, if there are data.
    """
    said = []
    after_one = float(decay(np.array([1]))[0])
    step = "one step" if step_seconds is None else f"one step ({format_duration(step_seconds)})"
    if after_one < VANISHES:
        said.append(
            f"An alarm {step} late keeps only {100 * after_one:.1f} % of its credit: at this step "
            "only alarms at the very first point count. A shorter sampling step would tell more."
        )
    if longest is not None and longest > 1:
        at_end = float(decay(np.array([longest - 1]))[0])
        if at_end > NEVER_DECAYS:
            said.append(
                f"Even at the end of the longest segment ({longest:,} points) an alarm keeps "
                f"{100 * at_end:.1f} % of its credit: this hardly differs from PA."
            )
    elif longest is None and after_one > 0.9999:
        said.append(
            f"{step.capitalize()} late costs less than 0.01 %: this hardly differs from PA."
        )
    return said

"""Link to a study: reading and writing its parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite, nan
from typing import Any

from padf_core import PROTOCOLS, Settings
from padf_core.metrics.onset import Onset
from padf_ui.session.link_parts import SETTINGS, Part, number_of, one_of, place
from padf_ui.session.stretch import clamped
from padf_ui.session.study import (
    AS_LABELLED,
    EVERYTHING,
    SAMPLES,
    Study,
    ThresholdChoice,
    threshold_of,
)


@dataclass(frozen=True)
class StudyLink:
    """Contents of a link to data that may not be loaded yet."""

    data: str | None
    """Fingerprint of the data for which the link was made."""
    chosen: int | None
    choices: tuple[ThresholdChoice, ...]
    view: tuple[int, int] | None
    begins: Onset = AS_LABELLED

    @property
    def says_more(self) -> bool:
        """Whether the link has thresholds or a view."""
        return any(choice is not None for choice in self.choices) or self.view is not None

    def fits(self, study: Study) -> bool:
        """Return whether the link was made for these data, or does not say."""
        return self.data is None or self.data == study.fingerprint

    def applied_to(self, study: Study) -> Study:
        """Return the study with the link applied. Thresholds apply only if their number matches."""
        count = len(study.series.detectors)
        choices = self.choices if len(self.choices) == count else study.choices
        view = study.view if self.view is None else clamped(*self.view, study.series.size)
        chosen = study.chosen if self.chosen is None else min(self.chosen, count - 1)
        moved = study if self.begins == study.onset else study.with_onset(self.begins)
        return replace(moved, chosen=chosen, choices=choices, view=view)

    def out_of_range(self, study: Study) -> list[str]:
        """Describe the parts that do not fit these data, and what is shown instead."""
        count, size = len(study.series.detectors), study.series.size
        left = []
        if self.chosen is not None and self.chosen >= count:
            left.append(f"detector {self.chosen + 1} (there are {count}; the last is shown)")
        if self.choices and len(self.choices) != count:
            left.append(f"{len(self.choices)} thresholds (there are {count} detectors)")
        if self.view is not None:
            shown = clamped(*self.view, size)
            if self.view != (shown.first, shown.last):
                left.append(f"view {self.view[0]}-{self.view[1]} (there are {size:,} points)")
        return left


def link_of(values: Mapping[str, Any]) -> StudyLink:
    """Return the contents of a link. Raise ValueError if its onset is invalid."""
    shift, early = values["shift"], values["early"]
    begins = Onset(
        shift=shift[0],
        unit=shift[1],
        early=early[0],
        early_unit=early[1],
        early_alarms=values["early_as"],
    )
    return StudyLink(values["data"], values["detector"], values["at"], values["view"], begins)


_UNITS = {"r": "rows", "s": "seconds", "w": "share"}
"""Units of an onset as written in links."""


_LETTERS = {unit: letter for letter, unit in _UNITS.items()}


def _length(name: str) -> Part[tuple[float, str]]:
    """Return a part that is a number with a unit, such as 600s."""

    def read(said: str) -> tuple[float, str]:
        if said[-1:] not in _UNITS:
            raise ValueError(f"{name} must end in r, s or w; got {said!r}")
        return number_of(said[:-1], name), _UNITS[said[-1]]

    def write(value: tuple[float, str]) -> str:
        return f"{value[0]:.12g}{_LETTERS[value[1]]}"

    return Part(name, (0.0, "rows"), read, write, example="2r")


def _read_data(said: str) -> str | None:
    if not re.fullmatch(r"[0-9a-f]{0,24}", said):
        raise ValueError(f"data must be a fingerprint; got {said!r}")
    return said or None


def _read_choices(said: str) -> tuple[ThresholdChoice, ...]:
    """Read the thresholds of a link. Older links separate them with another character."""
    if not said or said in PROTOCOLS:
        return (said,) if said else ()
    return tuple(map(_read_choice, said.split("~" if "~" in said else "_")))


def _read_choice(said: str) -> ThresholdChoice:
    if not said:
        return None
    if said in PROTOCOLS:
        return said
    try:
        number = float(said)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise ValueError(f"at must be thresholds or names of protocols; got {said!r}")
    return threshold_of(number)


def _write_choices(choices: tuple[ThresholdChoice, ...]) -> str:
    return "~".join(
        "" if each is None else each if isinstance(each, str) else repr(max(EVERYTHING, each))
        for each in choices
    )


def _read_view(said: str) -> tuple[int, int] | None:
    ends = said.split("-")
    if said and (len(ends) != 2 or not all(end.isdecimal() and len(end) < 12 for end in ends)):
        raise ValueError(f"view must be like 0-500; got {said!r}")
    return (int(ends[0]), int(ends[1])) if said else None


PARTS: tuple[Part[Any], ...] = (
    one_of("sample", None, lambda: SAMPLES),
    one_of("onset", None, lambda: ("moment",)),
    Part("data", None, _read_data, example="0123456789abcdef"),
    _length("shift"),
    _length("early"),
    one_of("early_as", AS_LABELLED.early_alarms, lambda: ("on_time", "nothing")),
    place("detector"),
    Part("at", (), _read_choices, _write_choices, example="0.5~pa"),
    Part("view", None, _read_view, lambda ends: f"{ends[0]}-{ends[1]}", example="100-300"),
)


def link_values(study: Study, settings: Settings) -> dict[str, Any]:
    """Return the values of a link to a study, which include everything except the data."""
    return {
        SETTINGS: settings,
        "sample": study.sample_key,
        "onset": "moment" if study.is_moved else None,
        "data": None if study.sample_key else study.fingerprint,
        "shift": (study.onset.shift, study.onset.unit),
        "early": (study.onset.early, study.onset.early_unit),
        "early_as": study.onset.early_alarms,
        "detector": study.chosen,
        "at": tuple(_choice_now(study, settings, at) for at in range(len(study.choices))),
        "view": (study.view.first, study.view.last),
    }


def _choice_now(study: Study, settings: Settings, at: int) -> ThresholdChoice:
    """Return how a detector's threshold is chosen, or None while the threshold is unknown."""
    choice = study.choices[at]
    if isinstance(choice, str) or (choice is None and not study.is_ranked(at)):
        return choice
    return float(study.threshold(settings, at))

"""What is looked at on the data page: a series, a detector, thresholds and a view."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import inf, isfinite
from pathlib import Path
from typing import Any, Literal

from padf_core import PROTOCOLS, Settings
from padf_core.io.guess import guess_options
from padf_core.io.options import ReadOptions
from padf_core.io.read import series_from
from padf_core.io.samples import sample_folder
from padf_core.io.series import Detector, Series
from padf_core.io.tables import open_table
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol
from padf_ui.session import links
from padf_ui.session.view import View, clamped

Choice = str | float | None
"""A threshold: a number; the key of the protocol whose best threshold is followed as parameters
move; or None for the one that was best under `LEADING` when the data came."""

LEADING = "padf"
"""The protocol at whose best threshold detectors are first shown."""

AS_LABELLED = Onset()
"""Segments that begin where their labels do."""

EVERYTHING = -1e308
"""What a slider and a link write for a threshold of minus infinity, which flags every point."""


@dataclass(frozen=True)
class Sample:
    """A series that comes with the app."""

    title: str
    about: str
    from_moment: str | None = None
    """The column whose labels begin with the labelled moment, where there is one."""


SAMPLES: dict[str, Sample] = {
    "nab_taxi": Sample(
        "New York taxis (NAB)",
        "Passengers per half hour over seven months, six published detectors: chance comes first "
        "until incidents begin where they should.",
        "label_from_moment",
    ),
    "nab_latency": Sample(
        "Request latency (NAB)",
        "Latency of a cloud service every 5 minutes for two weeks, with the same six detectors.",
        "label_from_moment",
    ),
    "web_service": Sample(
        "Web service",
        "Requests per second over a week, every 5 minutes; nine incidents halve or double them.",
    ),
    "pump": Sample("Pump", "Vibration over a month, every 10 minutes; five long faults creep up."),
    "ad_bidding": Sample(
        "Ad bidding", "Bids per second over three days, every minute; sixteen short bursts."
    ),
}


@dataclass(frozen=True)
class Origin:
    """Where a series came from, so that its numbers can be had again elsewhere."""

    kind: Literal["sample", "file", "pasted", "events"]
    name: str
    roles: ReadOptions | None = None
    has_header: bool = True

    @property
    def can_be_read_again(self) -> bool:
        """Whether the `padf` command can read the file as it is."""
        return (
            self.roles is not None
            and self.roles.is_plain
            and self.has_header
            and self.kind in ("sample", "file")
        )


@dataclass(frozen=True, eq=False)
class Study:
    """A series with everything that the page shows of it, beside the settings."""

    series: Series
    origin: Origin
    chosen: int
    choices: tuple[Choice, ...]
    view: View
    began: Settings
    """The settings when the data came."""
    onset: Onset = AS_LABELLED
    brought: Series | None = None
    """The series as it was brought, where onsets were moved since."""

    @classmethod
    def of(cls, series: Series, origin: Origin, settings: Settings) -> Study:
        """Begin with the first detector, each at the best threshold for now, all in view."""
        choices: tuple[Choice, ...] = (None,) * len(series.detectors)
        return cls(series, origin, 0, choices, View(0, series.size), settings)

    @property
    def sample(self) -> Sample | None:
        """The sample that this is, if it is one."""
        return SAMPLES[self.sample_key] if self.sample_key else None

    @property
    def sample_key(self) -> str | None:
        """By which name links and the app know this sample."""
        return Path(self.origin.name).stem if self.origin.kind == "sample" else None

    @property
    def is_moved(self) -> bool:
        """Whether incidents begin with the labelled moment."""
        roles = self.origin.roles
        return (
            self.sample is not None
            and roles is not None
            and (roles.label == self.sample.from_moment)
        )

    @property
    def fingerprint(self) -> str:
        """A short name for the content as it was brought, by which a link knows its data."""
        return self.as_brought.key[:8]

    @property
    def as_brought(self) -> Series:
        """The series with its segments as labelled."""
        return self.brought or self.series

    def with_onset(self, onset: Onset) -> Study:
        """Return the study with its segments beginning elsewhere."""
        moved = self.as_brought.with_onset(onset)
        return replace(self, series=moved, onset=onset, brought=self.as_brought)

    @property
    def detector(self) -> Detector:
        """The detector that is looked at."""
        return self.series.detectors[self.chosen]

    @property
    def choice(self) -> Choice:
        """How the threshold of that detector is chosen."""
        return self.choices[self.chosen]

    @property
    def is_all_ranked(self) -> bool:
        """Whether the scores of every detector have been sorted."""
        return all(map(self.is_ranked, range(len(self.choices))))

    def is_ranked(self, index: int) -> bool:
        """Whether a detector's scores have been sorted, so that thresholds are at hand."""
        return "ranked" in vars(self.series.detectors[index])

    def threshold(self, settings: Settings, index: int | None = None) -> float:
        """Return the threshold of a detector."""
        at = self.chosen if index is None else index
        choice, detector = self.choices[at], self.series.detectors[at]
        if isinstance(choice, str):
            return detector.best(settings.protocol(choice)).threshold
        if choice is None:
            return detector.best(self.began.protocol(LEADING)).threshold
        return choice

    def settled(self, settings: Settings) -> Study:
        """Return the study with thresholds that stay where they are under these settings."""
        choices = tuple(
            self.threshold(settings, at) if isinstance(choice, str) else choice
            for at, choice in enumerate(self.choices)
        )
        return replace(self, choices=choices)

    def thresholds(self, settings: Settings) -> list[float]:
        """Return the threshold of every detector."""
        return [self.threshold(settings, index) for index in range(len(self.choices))]

    def chosen_by(self, settings: Settings, *, at_best: bool) -> list[float | Protocol | None]:
        """Return how each detector comes to its threshold.

        That is the protocol under which it is best, the number that was given, or None where
        every protocol has its own best one.
        """
        made: list[float | Protocol | None] = []
        for at, choice in enumerate(self.choices):
            if self.series.detectors[at].is_binary:
                made.append(1.0)
            elif at_best:
                made.append(None)
            elif isinstance(choice, str):
                made.append(settings.protocol(choice))
            else:
                made.append(self.began.protocol(LEADING) if choice is None else choice)
        return made

    def inverted(self, index: int) -> Study:
        """Return the study with a detector whose low scores are the alarming ones."""
        name = self.series.detectors[index].name
        choices = tuple(None if at == index else c for at, c in enumerate(self.choices))
        roles = self.origin.roles
        if roles is not None:
            others = tuple(each for each in roles.low if each != name)
            low = others if name in roles.low else (*others, name)
            roles = replace(roles, low=low)
        turned = replace(
            self,
            brought=self.as_brought.inverted(index),
            origin=replace(self.origin, roles=roles),
            choices=choices,
        )
        return turned.with_onset(self.onset)

    def with_choice(self, choice: Choice) -> Study:
        """Return the study with another threshold for the detector that is looked at."""
        choices = list(self.choices)
        choices[self.chosen] = choice
        return replace(self, choices=tuple(choices))


def sample_file(key: str) -> str:
    """Return where a sample lies in the project."""
    return f"sample_data/{key}.csv"


def load_sample(key: str, settings: Settings, *, moved: bool = False) -> Study:
    """Open one of the series that come with the app; ``moved`` to where incidents were labelled."""
    return Study.of(*_sample(key, moved), settings)


@cache
def _sample(key: str, moved: bool) -> tuple[Series, Origin]:
    """Read a sample; all visits share it."""
    sample = SAMPLES[key]
    table = open_table(sample_folder() / f"{key}.csv", f"{key}.csv")
    roles = guess_options(table)
    if moved and sample.from_moment:
        roles = replace(roles, label=sample.from_moment)
    return series_from(table, roles), Origin("sample", sample_file(key), roles)


def telling(study: Study) -> Study:
    """Return the study at the detector and threshold where adjusting protocols disagree most."""
    protocols = [each for each in study.began.protocols() if each.key != "pointwise"]
    found = []
    for index, detector in enumerate(study.series.detectors):
        for protocol in protocols:
            threshold = detector.best(protocol).threshold
            scores = [detector.at(threshold, each).f1 for each in protocols]
            found.append((max(scores) - min(scores), index, threshold))
    _, index, threshold = max(found, key=lambda each: each[0])
    return replace(study, chosen=index).with_choice(threshold)


# ---- links ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Link:
    """What a link to the data page carries: everything but the data."""

    settings: Settings
    sample: str | None
    is_moved: bool
    """Whether the sample's incidents begin with the labelled moment."""
    data: str | None
    """The fingerprint of the data that it was made for."""
    chosen: int | None
    choices: tuple[Choice, ...]
    view: tuple[int, int] | None
    begins: Onset = AS_LABELLED

    @property
    def says_more(self) -> bool:
        """Whether there is more in it than settings."""
        return any(choice is not None for choice in self.choices) or self.view is not None


def to_query(study: Study | None, settings: Settings) -> dict[str, str]:
    """Return settings, thresholds and view as readable link parameters."""
    query = settings.to_query()
    if study is None:
        return query
    if study.sample_key:
        query["sample"] = study.sample_key
        if study.is_moved:
            query["onset"] = "moment"
    else:
        query["data"] = study.fingerprint
    query |= onset_query(study.onset)
    query["detector"] = str(study.chosen + 1)
    query["at"] = "~".join(_written(study, settings, at) for at in range(len(study.choices)))
    query["view"] = f"{study.view.first}-{study.view.last}"
    return query


def _written(study: Study, settings: Settings, at: int) -> str:
    """Write how the threshold of a detector is chosen; nothing while it is not known yet."""
    choice = study.choices[at]
    if isinstance(choice, str):
        return choice
    if choice is None and not study.is_ranked(at):
        return ""
    return repr(max(EVERYTHING, float(study.threshold(settings, at))))


def from_query(query: Mapping[str, Any]) -> Link:
    """Read a link; anything unreadable is a ValueError that says which part."""
    settings = links.read_settings(query)
    texts = {name: links.text_of(query.get(name, ""), name) for name in ("sample", "at", "view")}
    sample = texts["sample"] or None
    if sample and sample not in SAMPLES:
        raise ValueError(f"sample must be one of {', '.join(SAMPLES)}; got {sample!r}")
    onset = links.text_of(query.get("onset", ""), "onset")
    if onset not in ("", "moment"):
        raise ValueError(f"onset must be moment; got {onset!r}")
    data = links.text_of(query.get("data", ""), "data")
    if not re.fullmatch(r"[0-9a-f]{0,24}", data):
        raise ValueError(f"data must be a fingerprint; got {data!r}")
    chosen = None
    if "detector" in query:
        number = links.number_of(links.text_of(query["detector"], "detector"), "detector")
        if number != int(number) or not 1 <= number <= 1000:
            raise ValueError(f"detector must be a whole number from 1; got {number!r}")
        chosen = int(number) - 1
    choices = tuple(map(_choice, _parts(texts["at"])))
    view = None
    if texts["view"]:
        ends = texts["view"].split("-")
        if len(ends) != 2 or not all(end.isdecimal() and len(end) < 12 for end in ends):
            raise ValueError(f"view must be like 0-500; got {texts['view']!r}")
        view = int(ends[0]), int(ends[1])
    begins = read_onset(query)
    return Link(settings, sample, bool(onset), data or None, chosen, choices, view, begins)


_OWN_PARTS = frozenset(
    {"sample", "onset", "data", "detector", "at", "view", "shift", "early", "early_as"}
)


def link_parts() -> set[str]:
    """Return what the parts of a link to the data pages are called."""
    return {*_OWN_PARTS, *links.settings_parts()}


def out_of_range(study: Study, link: Link) -> list[str]:
    """Say which parts of a link do not fit these data, and what is shown instead."""
    count, size = len(study.series.detectors), study.series.size
    left = []
    if link.chosen is not None and link.chosen >= count:
        left.append(f"detector {link.chosen + 1} (there are {count}; the last is shown)")
    if link.choices and len(link.choices) != count:
        left.append(f"{len(link.choices)} thresholds (there are {count} detectors)")
    if link.view is not None and link.view != _ends(clamped(*link.view, size)):
        left.append(f"view {link.view[0]}-{link.view[1]} (there are {size:,} points)")
    return left


def _ends(view: View) -> tuple[int, int]:
    return view.first, view.last


_UNITS: dict[str, str] = {"r": "rows", "s": "seconds", "w": "share"}
"""How links write what an onset is counted in."""


def onset_query(onset: Onset) -> dict[str, str]:
    """Return where segments begin as link parameters; nothing where they begin as labelled.

    >>> onset_query(Onset(0.5, "share", early=600, early_unit="seconds"))
    {'shift': '0.5w', 'early': '600s', 'early_as': 'on_time'}
    """
    letters = {unit: letter for letter, unit in _UNITS.items()}
    made = {}
    if onset.shift:
        made["shift"] = f"{onset.shift:.12g}{letters[onset.unit]}"
    if onset.early:
        made["early"] = f"{onset.early:.12g}{letters[onset.early_unit]}"
        made["early_as"] = onset.early_alarms
    return made


def read_onset(query: Mapping[str, Any]) -> Onset:
    """Read what `onset_query` wrote.

    >>> read_onset({"shift": "-12r"}) == Onset(shift=-12)
    True
    """
    given: dict[str, Any] = {}
    for name, field_, unit in (("shift", "shift", "unit"), ("early", "early", "early_unit")):
        text = links.text_of(query.get(name, ""), name)
        if text:
            if text[-1] not in _UNITS:
                raise ValueError(f"{name} must end in r, s or w; got {text!r}")
            given[field_] = links.number_of(text[:-1], name)
            given[unit] = _UNITS[text[-1]]
    told = links.text_of(query.get("early_as", ""), "early_as")
    if told:
        given["early_alarms"] = told
    return Onset(**given)


def _parts(text: str) -> list[str]:
    """Return the thresholds of a link; those of before had another sign between them."""
    if not text or text in PROTOCOLS:
        return [text] if text else []
    return text.split("~" if "~" in text else "_")


def _choice(text: str) -> Choice:
    if not text:
        return None
    if text in PROTOCOLS:
        return text
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise ValueError(f"at must be thresholds or names of protocols; got {text!r}")
    return threshold_of(number)


def threshold_of(step: float) -> float:
    """Return the threshold that a slider or a link means."""
    return -inf if step <= EVERYTHING else step


def fits(study: Study, link: Link) -> bool:
    """Say whether a link was made for these data, as far as it says."""
    return link.data is None or link.data == study.fingerprint


def with_link(study: Study, link: Link) -> Study:
    """Return the study as a link wants it, as far as its thresholds fit the detectors."""
    count = len(study.series.detectors)
    choices = link.choices if len(link.choices) == count else study.choices
    view = study.view if link.view is None else clamped(*link.view, study.series.size)
    chosen = study.chosen if link.chosen is None else min(link.chosen, count - 1)
    moved = study if link.begins == study.onset else study.with_onset(link.begins)
    return replace(moved, chosen=chosen, choices=choices, view=view)

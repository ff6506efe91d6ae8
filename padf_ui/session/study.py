"""What is looked at on the data page: a series, a detector, thresholds and a view."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import inf
from pathlib import Path
from typing import Literal

from padf_core import Settings
from padf_core.io.guess import guess_options
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions
from padf_core.io.read import series_from
from padf_core.io.samples import sample_folder
from padf_core.io.series import Detector, Series
from padf_core.metrics.onset import Onset
from padf_core.metrics.protocols import Protocol
from padf_ui.session.stretch import View

ThresholdChoice = str | float | None
"""A threshold: a number; the key of the protocol whose best threshold is followed as parameters
move; or None for the one that was best under `LEADING` when the data came."""

LEADING = "padf"
"""The protocol at whose best threshold detectors are first shown."""

AS_LABELLED = Onset()
"""Segments that begin where their labels do."""

RANDOM = "random"
"""The random detector of the samples."""

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
        "Passengers per half hour over seven months, six published detectors. A random one comes "
        "first until incidents begin where they should.",
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
    choices: tuple[ThresholdChoice, ...]
    view: View
    began: Settings
    """The settings when the data came."""
    onset: Onset = AS_LABELLED
    uploaded: Series | None = None
    """The series as it was uploaded, where onsets were moved since."""

    @classmethod
    def of(cls, series: Series, origin: Origin, settings: Settings) -> Study:
        """Begin with the first detector, each at the best threshold for now, all in view."""
        choices: tuple[ThresholdChoice, ...] = (None,) * len(series.detectors)
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
        """A short name for the content as it was uploaded, by which a link knows its data."""
        return self.as_uploaded.key[:8]

    @property
    def as_uploaded(self) -> Series:
        """The series with its segments as labelled."""
        return self.uploaded or self.series

    def with_onset(self, onset: Onset) -> Study:
        """Return the study with its segments beginning elsewhere."""
        moved = self.as_uploaded.with_onset(onset)
        return replace(self, series=moved, onset=onset, uploaded=self.as_uploaded)

    @property
    def detector(self) -> Detector:
        """The detector that is looked at."""
        return self.series.detectors[self.chosen]

    @property
    def choice(self) -> ThresholdChoice:
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
            uploaded=self.as_uploaded.inverted(index),
            origin=replace(self.origin, roles=roles),
            choices=choices,
        )
        return turned.with_onset(self.onset)

    def with_choice(self, choice: ThresholdChoice) -> Study:
        """Return the study with another threshold for the detector that is looked at."""
        choices = list(self.choices)
        choices[self.chosen] = choice
        return replace(self, choices=tuple(choices))


def sample_file(key: str) -> str:
    """Return where a sample lies in the project."""
    return f"sample_data/{key}.csv"


def sample_study(key: str, settings: Settings, *, moved: bool = False) -> Study:
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


def threshold_of(step: float) -> float:
    """Return the threshold that a slider or a link means."""
    return -inf if step <= EVERYTHING else step

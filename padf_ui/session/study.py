"""Study on Your data: a series, a detector, thresholds and a view."""

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
"""How a threshold is chosen: a number, a protocol's key or None.

With a key, the threshold follows that protocol's best one as parameters change. None is the best
threshold under `LEADING` when the data was opened.
"""

LEADING = "padf"
"""Protocol whose best threshold is used initially."""

AS_LABELLED = Onset()
"""Segments that begin where their labels begin."""

RANDOM = "random"
"""Name of the random detector in the samples."""

EVERYTHING = -1e308
"""Finite value that sliders and links use for minus infinity, which flags every point."""


@dataclass(frozen=True)
class Sample:
    """A series that comes with the app."""

    title: str
    about: str
    from_moment: str | None = None
    """Column whose labels begin at the labelled moment, if there is one."""


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
    "pump": Sample(
        "Pump", ("Vibration over a month, every 10 minutes; five long faults build up slowly.")
    ),
    "ad_bidding": Sample(
        "Ad bidding", "Bids per second over three days, every minute; sixteen short bursts."
    ),
}


@dataclass(frozen=True)
class Origin:
    """Source of a series, so that its numbers can be reproduced elsewhere."""

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
    """A series and everything the page shows about it, except the settings."""

    series: Series
    origin: Origin
    chosen: int
    choices: tuple[ThresholdChoice, ...]
    view: View
    began: Settings
    """Settings at the time the data was opened."""
    onset: Onset = AS_LABELLED
    uploaded: Series | None = None
    """Series as uploaded, if onsets were moved since."""

    @classmethod
    def of(cls, series: Series, origin: Origin, settings: Settings) -> Study:
        """Create a study that shows the whole series and its first detector.

        Each detector starts at its best threshold under these settings.
        """
        choices: tuple[ThresholdChoice, ...] = (None,) * len(series.detectors)
        return cls(series, origin, 0, choices, View(0, series.size), settings)

    @property
    def sample(self) -> Sample | None:
        """The sample, or None for other data."""
        return SAMPLES[self.sample_key] if self.sample_key else None

    @property
    def sample_key(self) -> str | None:
        """The key of the sample in links and in the app, or None."""
        return Path(self.origin.name).stem if self.origin.kind == "sample" else None

    @property
    def is_moved(self) -> bool:
        """Whether incidents begin at the labelled moment."""
        roles = self.origin.roles
        return (
            self.sample is not None
            and roles is not None
            and (roles.label == self.sample.from_moment)
        )

    @property
    def fingerprint(self) -> str:
        """A short hash of the uploaded content, by which a link identifies its data."""
        return self.as_uploaded.key[:8]

    @property
    def as_uploaded(self) -> Series:
        """The series with its segments as labelled."""
        return self.uploaded or self.series

    def with_onset(self, onset: Onset) -> Study:
        """Return the study with moved onsets."""
        moved = self.as_uploaded.with_onset(onset)
        return replace(self, series=moved, onset=onset, uploaded=self.as_uploaded)

    @property
    def detector(self) -> Detector:
        """The selected detector."""
        return self.series.detectors[self.chosen]

    @property
    def choice(self) -> ThresholdChoice:
        """How the threshold of the selected detector is chosen."""
        return self.choices[self.chosen]

    @property
    def is_all_ranked(self) -> bool:
        """Whether the scores of every detector have been sorted."""
        return all(map(self.is_ranked, range(len(self.choices))))

    def is_ranked(self, index: int) -> bool:
        """Return whether a detector's scores are sorted, so that its thresholds are available."""
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
        """Return the study with the current thresholds as fixed numbers."""
        choices = tuple(
            self.threshold(settings, at) if isinstance(choice, str) else choice
            for at, choice in enumerate(self.choices)
        )
        return replace(self, choices=choices)

    def thresholds(self, settings: Settings) -> list[float]:
        """Return the threshold of every detector."""
        return [self.threshold(settings, index) for index in range(len(self.choices))]

    def chosen_by(self, settings: Settings, *, at_best: bool) -> list[float | Protocol | None]:
        """Return how each detector's threshold is chosen.

        This is the protocol whose best threshold is used, a given number, or None if every protocol
        uses its own best threshold.
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
        """Return the study with a detector inverted, so that low scores are anomalous."""
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
        """Return the study with another threshold for the selected detector."""
        choices = list(self.choices)
        choices[self.chosen] = choice
        return replace(self, choices=tuple(choices))


def sample_file(key: str) -> str:
    """Return the path of a sample in the repository."""
    return f"sample_data/{key}.csv"


def sample_study(key: str, settings: Settings, *, moved: bool = False) -> Study:
    """Open a sample. With ``moved``, incidents begin at the labelled moment."""
    return Study.of(*_sample(key, moved), settings)


@cache
def _sample(key: str, moved: bool) -> tuple[Series, Origin]:
    """Read a sample, once for all visits."""
    sample = SAMPLES[key]
    table = open_table(sample_folder() / f"{key}.csv", f"{key}.csv")
    roles = guess_options(table)
    if moved and sample.from_moment:
        roles = replace(roles, label=sample.from_moment)
    return series_from(table, roles), Origin("sample", sample_file(key), roles)


def telling(study: Study) -> Study:
    """Select the detector and threshold at which the adjusting protocols disagree most."""
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
    """Convert the value of a slider or a link to a threshold."""
    return -inf if step <= EVERYTHING else step

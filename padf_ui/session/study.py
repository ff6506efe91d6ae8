"""What is looked at on the data page: a series, a detector, thresholds and a view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite
from pathlib import Path
from typing import Any, Literal

from padf_core import PROTOCOLS, Settings
from padf_core.data.roles import Roles, guess_roles, read_series
from padf_core.data.series import Detector, Series
from padf_core.data.tables import open_table
from padf_core.paper.published import sample_folder
from padf_ui.session import links
from padf_ui.session.view import View, clamped

Choice = str | float | None
"""A threshold: a number; the key of the protocol whose best threshold is followed as parameters
move; or None for the one that was best under `LEADING` when the data came."""

LEADING = "padf"
"""The protocol at whose best threshold detectors are first shown."""

EVERYTHING = -1e308
"""What a slider and a link write for a threshold of minus infinity, which flags every point."""

SAMPLES: dict[str, tuple[str, str]] = {
    "web_service": (
        "Web service",
        "Requests per second over a week, every 5 minutes; nine incidents halve or double them.",
    ),
    "pump": ("Pump", "Vibration over a month, every 10 minutes; five long faults creep up."),
    "ad_bidding": (
        "Ad bidding",
        "Bids per second over three days, every minute; sixteen short bursts.",
    ),
}
"""The series that come with the app: title and one sentence."""


@dataclass(frozen=True)
class Origin:
    """Where a series came from, so that its numbers can be had again elsewhere."""

    kind: Literal["sample", "file", "pasted", "events"]
    name: str
    roles: Roles | None = None
    has_header: bool = True

    @property
    def can_be_read_again(self) -> bool:
        """Whether the `padf` command can read the file as it is."""
        return self.roles is not None and self.has_header and self.kind in ("sample", "file")


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

    @classmethod
    def of(cls, series: Series, origin: Origin, settings: Settings) -> Study:
        """Begin with the first detector, each at the best threshold for now, all in view."""
        choices: tuple[Choice, ...] = (None,) * len(series.detectors)
        return cls(series, origin, 0, choices, View(0, series.size), settings)

    @property
    def detector(self) -> Detector:
        """The detector that is looked at."""
        return self.series.detectors[self.chosen]

    @property
    def choice(self) -> Choice:
        """How the threshold of that detector is chosen."""
        return self.choices[self.chosen]

    @property
    def is_ranked(self) -> bool:
        """Whether every detector's scores have been sorted, so that thresholds are at hand."""
        return all("ranked" in vars(detector) for detector in self.series.detectors)

    def threshold(self, settings: Settings, index: int | None = None) -> float:
        """Return the threshold of a detector."""
        at = self.chosen if index is None else index
        choice, detector = self.choices[at], self.series.detectors[at]
        if isinstance(choice, str):
            return detector.best(settings.protocol(choice)).threshold
        if choice is None:
            return detector.best(self.began.protocol(LEADING)).threshold
        return choice

    def thresholds(self, settings: Settings) -> list[float]:
        """Return the threshold of every detector."""
        return [self.threshold(settings, index) for index in range(len(self.choices))]

    def with_choice(self, choice: Choice) -> Study:
        """Return the study with another threshold for the detector that is looked at."""
        choices = list(self.choices)
        choices[self.chosen] = choice
        return replace(self, choices=tuple(choices))


def sample_file(key: str) -> str:
    """Return where a sample lies in the project."""
    return f"sample_data/{key}.csv"


def load_sample(key: str, settings: Settings) -> Study:
    """Read one of the series that come with the app."""
    table = open_table(sample_folder() / f"{key}.csv", f"{key}.csv")
    roles = guess_roles(table)
    origin = Origin("sample", sample_file(key), roles)
    return Study.of(read_series(table, roles), origin, settings)


# ---- links ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Link:
    """What a link to the data page carries: everything but the data."""

    settings: Settings
    sample: str | None
    chosen: int
    choices: tuple[Choice, ...]
    view: tuple[int, int] | None

    @property
    def says_more(self) -> bool:
        """Whether there is more in it than settings."""
        return bool(self.choices or self.view)


def to_query(study: Study | None, settings: Settings) -> dict[str, str]:
    """Return settings, thresholds and view as readable link parameters."""
    query = settings.to_query()
    if study is None:
        return query
    if study.origin.kind == "sample":
        query["sample"] = Path(study.origin.name).stem
    query["detector"] = str(study.chosen + 1)
    if study.is_ranked:
        query["at"] = "~".join(
            choice if isinstance(choice, str) else repr(max(EVERYTHING, float(threshold)))
            for choice, threshold in zip(study.choices, study.thresholds(settings), strict=True)
        )
    query["view"] = f"{study.view.first}-{study.view.last}"
    return query


def from_query(query: Mapping[str, Any]) -> Link:
    """Read a link; anything unreadable is a ValueError that says which part."""
    settings = links.read_settings(query)
    texts = {name: links.text_of(query.get(name, ""), name) for name in ("sample", "at", "view")}
    sample = texts["sample"] or None
    if sample and sample not in SAMPLES:
        raise ValueError(f"sample must be one of {', '.join(SAMPLES)}; got {sample!r}")
    chosen = links.number_of(links.text_of(query.get("detector", "1"), "detector"), "detector")
    if chosen != int(chosen) or not 1 <= chosen <= 1000:
        raise ValueError(f"detector must be a whole number from 1; got {chosen!r}")
    choices = tuple(map(_choice, _parts(texts["at"])))
    view = None
    if texts["view"]:
        ends = texts["view"].split("-")
        if len(ends) != 2 or not all(end.isdecimal() and len(end) < 12 for end in ends):
            raise ValueError(f"view must be like 0-500; got {texts['view']!r}")
        view = int(ends[0]), int(ends[1])
    return Link(settings, sample, int(chosen) - 1, choices, view)


def _parts(text: str) -> list[str]:
    """Return the thresholds of a link; those of before had another sign between them."""
    if not text or text in PROTOCOLS:
        return [text] if text else []
    return text.split("~" if "~" in text else "_")


def _choice(text: str) -> Choice:
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


def with_link(study: Study, link: Link) -> Study:
    """Return the study as a link wants it, as far as its thresholds fit the detectors."""
    count = len(study.series.detectors)
    choices = link.choices if len(link.choices) == count else study.choices
    view = study.view if link.view is None else clamped(*link.view, study.series.size)
    return replace(study, chosen=min(link.chosen, count - 1), choices=choices, view=view)

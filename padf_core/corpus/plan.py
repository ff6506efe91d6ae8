"""What is in a corpus: its series, and the files of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from padf_core.corpus.formats import Format
from padf_core.io.labels import Windows

Layout = Literal["nab", "tsb-ad", "timeeval", "files", "long"]


ABOUT: dict[Layout, str] = {
    "nab": "<detector>/<group>/<detector>_<series>.csv, as in the results of numenta/NAB",
    "tsb-ad": "<detector>/<series>.npy, with a table for each series under --labels",
    "timeeval": "<algorithm>/<parameters>/<collection>/<dataset>/<repetition>/anomaly_scores.ts",
    "files": "one table for each series with its label and a column for each detector",
    "long": "tables with several series, or with a row for each point of each detector",
}


RESERVED = ("pooled", "mean")
"""What the rows of all series together are called."""


@dataclass(frozen=True)
class ScoreFile:
    """Where the scores of one detector on one series are."""

    detector: str
    seed: str
    path: Path
    format: Format | None = None
    column: str | None = None
    code: int | None = None
    """Which rows of a file of records are meant."""


@dataclass(frozen=True)
class SeriesFiles:
    """One series: the files of its detectors, and where its labels come from."""

    name: str
    scores: tuple[ScoreFile, ...]
    labels: ScoreFile | None = None
    """A table beside with the labels, row by row; none where each file has its own, or windows."""
    windows: Windows | None = None
    """Its windows, where labels come from a file of windows."""
    moments: Windows | None = None
    training: int = 0
    """The number of training rows that the file's name gives."""

    @property
    def paths(self) -> list[Path]:
        """All files that have to be read."""
        return list(dict.fromkeys([*(each.path for each in self.scores), *self._beside]))

    @property
    def _beside(self) -> list[Path]:
        return [self.labels.path] if self.labels else []


@dataclass(frozen=True)
class LeftOut:
    """Something that is not in the result, and why."""

    what: str
    why: str
    is_bad: bool = False
    """Whether it should have been in it and could not be read."""

    @property
    def text(self) -> str:
        """Both in one line."""
        return f"{self.what}: {self.why}"


@dataclass(frozen=True)
class Plan:
    """What is in a corpus."""

    layout: Layout
    series: tuple[SeriesFiles, ...]
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()
    """What was guessed."""


def shown_path(path: Path) -> str:
    """Write a path as seen from here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)

"""The content of a corpus: its series, and the files of each."""

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
    "files": "one table per series with a label and a column per detector",
    "long": "tables with several series, or with one row per point and detector",
}


RESERVED = ("pooled", "mean")
"""Names of the rows that summarize all series."""


@dataclass(frozen=True)
class ScoreFile:
    """Where the scores of one detector on one series are stored."""

    detector: str
    seed: str
    path: Path
    format: Format | None = None
    column: str | None = None
    code: int | None = None
    """The code of the rows to use in a file of records."""


@dataclass(frozen=True)
class SeriesFiles:
    """One series: the files of its detectors, and the source of its labels."""

    name: str
    scores: tuple[ScoreFile, ...]
    labels: ScoreFile | None = None
    """A separate table with the labels, row by row; None if files have their own, or windows."""
    windows: Windows | None = None
    """Its windows, if labels come from a file of windows."""
    moments: Windows | None = None
    training: int = 0
    """Number of training rows, according to the file's name."""

    @property
    def paths(self) -> list[Path]:
        """All files to read."""
        return list(dict.fromkeys([*(each.path for each in self.scores), *self._beside]))

    @property
    def _beside(self) -> list[Path]:
        return [self.labels.path] if self.labels else []


@dataclass(frozen=True)
class LeftOut:
    """An item that is left out of the result, and why."""

    what: str
    why: str
    is_bad: bool = False
    """Whether it should have been included but could not be read."""

    @property
    def text(self) -> str:
        """Item and reason in one line."""
        return f"{self.what}: {self.why}"


@dataclass(frozen=True)
class Plan:
    """The content of a corpus."""

    layout: Layout
    series: tuple[SeriesFiles, ...]
    left_out: tuple[LeftOut, ...] = ()
    notices: tuple[str, ...] = ()
    """Guesses, to be reported."""


def shown_path(path: Path) -> str:
    """Return a path relative to the working directory, if it is below it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)

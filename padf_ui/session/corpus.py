"""The corpus that is looked at: its result, and the series behind it where they are at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from math import inf, nan
from pathlib import Path
from typing import Any

from padf_core import Settings
from padf_core.corpus import apart
from padf_core.corpus.corpus import Corpus
from padf_core.corpus.results import CorpusResult
from padf_core.corpus.writing import read_result
from padf_core.io.samples import sample_folder
from padf_core.io.series import Detector
from padf_ui.session.study import Choice, Origin, Study, load_sample

NAB_SERIES: Mapping[str, str] = {
    "realKnownCause/nyc_taxi": "nab_taxi",
    "realKnownCause/ec2_request_latency_system_failure": "nab_latency",
}
"""The series of NAB that come with the app, by their names in its result."""

LEAST_BYTES, BYTES_PER_BYTE = 100 << 20, 4
"""What running a corpus takes, and takes more for every byte of its files."""

BEGINS: dict[str, str] = {"windows": "with its window", "onsets": "at the labelled moment"}
"""The two kinds of labels for which NAB's result comes with the app: where an incident begins."""


def nab_result(begins: str) -> CorpusResult:
    """Return what `padf corpus` made of NAB's detectors."""
    name = f"nab_{begins}.csv.gz"
    return read_result(sample_folder() / "corpora" / name, name)


@dataclass(frozen=True, eq=False)
class OpenCorpus:
    """A result with where it came from."""

    name: str
    result: CorpusResult
    settings: Settings
    begins: str | None = None
    """Where incidents of NAB begin, where it is NAB's result."""
    corpus: Corpus | None = None
    """The files behind it, where it was run here."""

    def has_series(self, name: str) -> bool:
        """Say whether a series can be opened."""
        if self.begins is not None:
            return name in NAB_SERIES
        return self.corpus is not None and name in self.corpus.series

    def study(self, series: str, detector: str | None, protocol: str) -> Study:
        """Return a series with the thresholds of this result, looked at as a detector sees it."""
        if self.begins is not None:
            made = load_sample(NAB_SERIES[series], self.settings, moved=self.begins == "onsets")
        else:
            assert self.corpus is not None
            opened = apart.open_series(self.corpus, series)
            made = Study.of(opened, Origin("file", f"{series}.csv"), self.settings)
        names = made.series.names
        chosen = names.index(detector) if detector in names else 0
        choices = self._choices(series, made.series.detectors, protocol)
        return replace(made, chosen=chosen, choices=choices)

    def _choices(
        self, series: str, detectors: Sequence[Detector], protocol: str
    ) -> tuple[Choice, ...]:
        found = {
            f"{row.detector} {row.seed}".strip(): row.threshold
            for row in self.result.of(protocol)
            if row.series == series
        }
        made = (detector.in_file(found.get(detector.name, nan)) for detector in detectors)
        return tuple(threshold if threshold < inf else None for threshold in made)


@dataclass(frozen=True, eq=False)
class CorpusRun:
    """A corpus that is being run: what is done is kept, so that it can be stopped and go on."""

    name: str
    corpus: Corpus
    settings: Settings
    rule: str
    kept: Path
    """The folder of what is done."""
    folder: Any
    """The temporary folder of all of it; it goes when nobody needs it any more."""
    size: int = 0
    """Bytes that were uploaded for it."""
    is_wanted: bool = True

    @property
    def needed(self) -> int:
        """About how many bytes of memory it takes."""
        return min(apart.RUN_BYTES, LEAST_BYTES + BYTES_PER_BYTE * self.size)

    def run(self, progress: Any, most: int | None = None) -> OpenCorpus:
        """Do what is left within so many bytes of memory, and return the result."""
        protocols = self.settings.protocols()
        result = apart.evaluate(self.corpus, protocols, self.rule, self.kept, progress, most)
        held = replace(self.corpus, folder=(self.folder, self.corpus.folder))
        return OpenCorpus(self.name, result, self.settings, corpus=held)


def read_uploaded(content: bytes, name: str, settings: Settings) -> OpenCorpus:
    """Open a result that somebody brought."""
    return OpenCorpus(Path(name).name, apart.open_result(partial(BytesIO, content), name), settings)

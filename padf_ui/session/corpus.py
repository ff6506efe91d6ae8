"""Open corpus of a visit: its result and, if available, its series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from math import inf, nan
from pathlib import Path
from typing import Any

from padf_core import Settings
from padf_core.corpus import sandboxed
from padf_core.corpus.corpus import Corpus
from padf_core.corpus.results import CorpusResult
from padf_core.corpus.writing import read_result
from padf_core.io.samples import sample_folder
from padf_core.io.series import Detector
from padf_ui.session.board import mark_opened
from padf_ui.session.changes import put_message
from padf_ui.session.data import drop_uploads, forget_waiting_link, put_study
from padf_ui.session.settings import put_settings
from padf_ui.session.store import Slot, atomic
from padf_ui.session.study import Origin, Study, ThresholdChoice, sample_study
from padf_ui.session.widget_values import chosen_point, chosen_rows

NAB_SERIES: Mapping[str, str] = {
    "realKnownCause/nyc_taxi": "nab_taxi",
    "realKnownCause/ec2_request_latency_system_failure": "nab_latency",
}
"""NAB series that come with the app, by their names in NAB's result."""

LEAST_BYTES, BYTES_PER_BYTE = 100 << 20, 4
"""Memory to run a corpus: a fixed number of bytes, and a factor for each uploaded byte."""

BEGINS: dict[str, str] = {"windows": "with its window", "onsets": "at the labelled moment"}
"""Label variants of the NAB results that come with the app: where an incident begins."""


def nab_result(begins: str) -> CorpusResult:
    """Return the result of `padf corpus` on NAB's detectors."""
    name = f"nab_{begins}.csv.gz"
    return read_result(sample_folder() / "corpora" / name, name)


@dataclass(frozen=True, eq=False)
class OpenCorpus:
    """A result and its source."""

    name: str
    result: CorpusResult
    settings: Settings
    begins: str | None = None
    """Where NAB's incidents begin, or None if it is another corpus."""
    corpus: Corpus | None = None
    """Files of the corpus, if it was run here."""

    def has_series(self, name: str) -> bool:
        """Return whether a series can be opened."""
        if self.begins is not None:
            return name in NAB_SERIES
        return self.corpus is not None and name in self.corpus.series

    def study(self, series: str, detector: str | None, protocol: str) -> Study:
        """Return a series with the thresholds of this result, and with a detector selected."""
        if self.begins is not None:
            made = sample_study(NAB_SERIES[series], self.settings, moved=self.begins == "onsets")
        else:
            assert self.corpus is not None
            opened = sandboxed.read_one_series(self.corpus, series)
            made = Study.of(opened, Origin("file", f"{series}.csv"), self.settings)
        names = made.series.names
        chosen = names.index(detector) if detector in names else 0
        choices = self._choices(series, made.series.detectors, protocol)
        return replace(made, chosen=chosen, choices=choices)

    def _choices(
        self, series: str, detectors: Sequence[Detector], protocol: str
    ) -> tuple[ThresholdChoice, ...]:
        found = {
            f"{row.detector} {row.seed}".strip(): row.threshold
            for row in self.result.of(protocol)
            if row.series == series
        }
        made = (detector.in_file(found.get(detector.name, nan)) for detector in detectors)
        return tuple(threshold if threshold < inf else None for threshold in made)


@dataclass(frozen=True, eq=False)
class CorpusRun:
    """A corpus run that can be stopped and continued, because finished results are kept."""

    name: str
    corpus: Corpus
    settings: Settings
    rule: str
    kept: Path
    """Folder of the finished results."""
    folder: Any
    """Temporary folder of the whole run. It is removed when nothing refers to it."""
    size: int = 0
    """Number of uploaded bytes."""
    is_wanted: bool = True

    @property
    def needed(self) -> int:
        """Approximate memory needed, in bytes."""
        return min(sandboxed.RUN_BYTES, LEAST_BYTES + BYTES_PER_BYTE * self.size)

    def run(self, progress: Any, most: int | None = None) -> OpenCorpus:
        """Score the remaining series within a memory limit in bytes, and return the result."""
        protocols = self.settings.protocols()
        result = sandboxed.evaluate_in_sandbox(
            self.corpus, protocols, self.rule, self.kept, progress, most
        )
        held = replace(self.corpus, folder=(self.folder, self.corpus.folder))
        return OpenCorpus(self.name, result, self.settings, corpus=held)


def read_uploaded(content: bytes, name: str, settings: Settings) -> OpenCorpus:
    """Open an uploaded result."""
    return OpenCorpus(
        Path(name).name, sandboxed.open_result(partial(BytesIO, content), name), settings
    )


_CORPUS: Slot[OpenCorpus | None] = Slot("padf_corpus", lambda: None)
_RUN: Slot[CorpusRun | None] = Slot("padf_corpus_run", lambda: None)


def current_corpus() -> OpenCorpus | None:
    """Return the corpus that the user opened or ran, if there is one."""
    return _CORPUS.get()


@atomic
def put_corpus(new: OpenCorpus | None) -> None:
    """Open another corpus, or the sample if None."""
    _CORPUS.put(new)
    _RUN.forget()
    drop_uploads()


def corpus_run() -> CorpusRun | None:
    """Return the corpus run in progress or stopped."""
    return _RUN.get()


@atomic
def put_corpus_run(new: CorpusRun | None) -> None:
    """Start a corpus run, or discard a stopped one. Uploaded files are dropped."""
    _RUN.put(new)
    drop_uploads()


@atomic
def want_corpus_run(wanted: bool) -> None:
    """Stop or continue the corpus run."""
    now = corpus_run()
    if now is not None:
        _RUN.put(replace(now, is_wanted=wanted))


@atomic
def open_series(opened: OpenCorpus, series: str, detector: str | None, protocol: str) -> None:
    """Open one series of a corpus with its thresholds, and go to Your data."""
    if not opened.has_series(series):
        put_message(
            f"The scores on {series} are not available: this result was saved without scores."
        )
        return
    try:
        new = opened.study(series, detector, protocol)
    except ValueError as error:
        put_message(f"{series} cannot be opened: {error}.")
        return
    put_settings(opened.settings)
    forget_waiting_link()
    put_study(new)
    mark_opened()


@atomic
def take_dot(key: str, opened: OpenCorpus, protocol: str) -> None:
    """Open the series whose dot was selected in a chart."""
    named = chosen_point(key)
    if len(named) >= 2:
        open_series(opened, str(named[0]), str(named[1]), protocol)


@atomic
def take_series_row(
    key: str, opened: OpenCorpus, protocol: str, rows: Sequence[tuple[str, str | None]]
) -> None:
    """Open the series whose row was selected in a table."""
    chosen = chosen_rows(key)
    if chosen and 0 <= chosen[0] < len(rows):
        series, detector = rows[chosen[0]]
        open_series(opened, series, detector, protocol)

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
        return min(sandboxed.RUN_BYTES, LEAST_BYTES + BYTES_PER_BYTE * self.size)

    def run(self, progress: Any, most: int | None = None) -> OpenCorpus:
        """Do what is left within so many bytes of memory, and return the result."""
        protocols = self.settings.protocols()
        result = sandboxed.evaluate_in_sandbox(
            self.corpus, protocols, self.rule, self.kept, progress, most
        )
        held = replace(self.corpus, folder=(self.folder, self.corpus.folder))
        return OpenCorpus(self.name, result, self.settings, corpus=held)


def read_uploaded(content: bytes, name: str, settings: Settings) -> OpenCorpus:
    """Open a result that was uploaded."""
    return OpenCorpus(
        Path(name).name, sandboxed.open_result(partial(BytesIO, content), name), settings
    )


_CORPUS: Slot[OpenCorpus | None] = Slot("padf_corpus", lambda: None)
_RUN: Slot[CorpusRun | None] = Slot("padf_corpus_run", lambda: None)


def current_corpus() -> OpenCorpus | None:
    """Return the corpus that somebody opened or ran, if there is one."""
    return _CORPUS.get()


@atomic
def put_corpus(new: OpenCorpus | None) -> None:
    """Look at another corpus; at the sample where it is none."""
    _CORPUS.put(new)
    _RUN.forget()
    drop_uploads()


def corpus_run() -> CorpusRun | None:
    """Return the corpus that is being run, or was stopped."""
    return _RUN.get()


@atomic
def put_corpus_run(new: CorpusRun | None) -> None:
    """Run a corpus, or forget the one that was stopped; what was uploaded for it is dropped."""
    _RUN.put(new)
    drop_uploads()


@atomic
def want_corpus_run(wanted: bool) -> None:
    """Stop the corpus that is being run, or let it go on."""
    now = corpus_run()
    if now is not None:
        _RUN.put(replace(now, is_wanted=wanted))


@atomic
def open_series(opened: OpenCorpus, series: str, detector: str | None, protocol: str) -> None:
    """Put one series of a corpus in place, with its thresholds, and go to Your data."""
    if not opened.has_series(series):
        put_message(f"The scores on {series} are not here: only its results are.")
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
    """Open the series whose dot was chosen in a chart."""
    named = chosen_point(key)
    if len(named) >= 2:
        open_series(opened, str(named[0]), str(named[1]), protocol)


@atomic
def take_series_row(
    key: str, opened: OpenCorpus, protocol: str, rows: Sequence[tuple[str, str | None]]
) -> None:
    """Open the series whose row was chosen in a table."""
    chosen = chosen_rows(key)
    if chosen and 0 <= chosen[0] < len(rows):
        series, detector = rows[chosen[0]]
        open_series(opened, series, detector, protocol)

"""Process an untrusted corpus in a separate process with limits.

Without such a process, the work runs in this process; see `padf_core.io.sandbox`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from padf_core.corpus.corpus import Corpus
from padf_core.corpus.read_files import as_series, read_series_files
from padf_core.corpus.results import CorpusResult
from padf_core.corpus.stores import CannotWrite
from padf_core.corpus.writing import read_result
from padf_core.io import sandbox
from padf_core.io.errors import TableError
from padf_core.io.file_parts import read_json
from padf_core.io.labels import Windows
from padf_core.io.options import ReadOptions
from padf_core.io.sandbox import LOOK_BYTES, LOOK_SECONDS, Opener
from padf_core.io.series import Series
from padf_core.io.sources import Source
from padf_core.metrics.checks import Progress, no_progress
from padf_core.metrics.protocols import Protocol

OPEN_SECONDS = 300.0
RUN_BYTES = 1 << 31
RUN_SECONDS = 1800.0
"""Limits for inspecting a corpus and for running it."""


def open_corpus(
    folder: Path,
    rows: Path,
    options: ReadOptions,
    said: Sequence[Path] = (),
    progress: Progress = no_progress,
) -> Corpus:
    """Find the series in a folder like `Corpus.from_files`; long tables are split into ``rows``.

    ``said`` are JSON files: files of windows are labels, files of moments are onsets.
    """
    return sandbox.call(
        _open,
        folder,
        rows,
        options,
        tuple(said),
        name="corpus",
        most=LOOK_BYTES,
        seconds=OPEN_SECONDS,
        progress=progress,
    )


def _open(
    files: Sequence[Opener],
    progress: Progress,
    folder: Path,
    rows: Path,
    options: ReadOptions,
    said: Sequence[Path],
) -> Corpus:
    windows = moments = None
    for path in said:
        with suppress(TableError):  # another kind of JSON, such as NAB's final results
            read = read_json(Source.at(path))
            if isinstance(read, Windows) and read.are_moments:
                moments = path
            elif isinstance(read, Windows):
                windows = path
    with _explained():
        return Corpus.from_files(
            folder, labels=windows, onsets=moments, options=options, folder=rows
        )


@contextmanager
def _explained() -> Iterator[None]:
    """Convert errors to `TableError`, which the page shows unchanged."""
    try:
        yield
    except TableError:
        raise
    except CannotWrite:
        raise TableError("The server cannot keep the results: its disk may be full.") from None
    except ValueError as error:
        raise TableError(str(error)) from None


def evaluate_in_sandbox(
    corpus: Corpus,
    protocols: Sequence[Protocol],
    thresholds: object,
    keep: Path,
    progress: Progress = no_progress,
    most: int | None = None,
) -> CorpusResult:
    """Score every detector, as `Corpus.evaluate` does; finished work is stored in a folder.

    ``most`` limits the memory in bytes.
    """
    return sandbox.call(
        _evaluate,
        corpus,
        tuple(protocols),
        thresholds,
        keep,
        name="corpus",
        most=min(most or RUN_BYTES, RUN_BYTES),
        seconds=RUN_SECONDS,
        progress=progress,
    )


def _evaluate(
    files: Sequence[Opener],
    progress: Progress,
    corpus: Corpus,
    protocols: Sequence[Protocol],
    thresholds: object,
    keep: Path,
) -> CorpusResult:
    with _explained():
        return corpus.evaluate(protocols, thresholds=thresholds, keep=keep, progress=progress)


def read_one_series(corpus: Corpus, name: str) -> Series:
    """Return one series of a corpus with the detectors that share the same rows and labels."""
    return sandbox.call(_open_series, corpus, name, name=name, most=RUN_BYTES, seconds=LOOK_SECONDS)


def _open_series(files: Sequence[Opener], progress: Progress, corpus: Corpus, name: str) -> Series:
    own = next(each for each in corpus.plan.series if each.name == name)
    scored, left_out, _ = read_series_files(own, corpus.options)
    if not scored:
        raise TableError(left_out[0].text if left_out else f"{name} has no detector")
    return as_series(name, scored)


def open_result(opener: Opener, name: str) -> CorpusResult:
    """Read an uploaded result."""
    return sandbox.call(
        _open_result, name, name=name, files=[opener], most=LOOK_BYTES, seconds=LOOK_SECONDS
    )


def _open_result(files: Sequence[Opener], progress: Progress, name: str) -> CorpusResult:
    with files[0]() as raw:
        return read_result(raw.read(), name)

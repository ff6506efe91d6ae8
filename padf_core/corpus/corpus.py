"""A corpus: many series with the scores of many detectors, evaluated one series at a time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from warnings import warn

from padf_core.corpus.counting import SeriesTask, work_key
from padf_core.corpus.engines import engine_of
from padf_core.corpus.formats import Formats
from padf_core.corpus.label_files import Beside
from padf_core.corpus.layouts import checked, guess_layout, plan_files
from padf_core.corpus.paths import Patterns, list_files
from padf_core.corpus.plan import Layout, LeftOut, Plan, ScoreFile, SeriesFiles
from padf_core.corpus.records import Cutter
from padf_core.corpus.results import CorpusResult
from padf_core.corpus.rules import Rule, rule_of, usual_rule
from padf_core.corpus.running import run_tasks
from padf_core.corpus.stores import Store
from padf_core.corpus.tidy_rows import make_result
from padf_core.io.errors import TableError
from padf_core.io.open_table import open_table
from padf_core.io.options import ReadOptions
from padf_core.io.stopping import interruptible
from padf_core.io.tables import TableFile, table_of
from padf_core.metrics.checks import Progress, check_number, no_progress
from padf_core.metrics.protocols import Protocol, check_protocols

RANDOM_RUNS = 5
"""Default number of random detectors for the baseline."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """The series of a corpus, the files with scores on them, and how rows are read.

    Parameters
    ----------
    plan : Plan
        The files of each series; `Corpus.from_files` finds them.
    options : ReadOptions, optional
        How files are read.
    folder : optional
        A temporary folder that lives as long as the corpus.

    Examples
    --------
    >>> from padf_core import PointAdjust
    >>> from padf_core.io.samples import sample_folder
    >>> corpus = Corpus.from_files(sample_folder() / "pump.csv")
    >>> sorted(corpus.series)
    ['pump']
    """

    plan: Plan
    options: ReadOptions = field(default_factory=ReadOptions)
    folder: Any = None
    """A temporary folder that must exist as long as the corpus, if there is one."""

    @property
    def layout(self) -> Layout:
        """How the files are arranged."""
        return self.plan.layout

    @property
    def series(self) -> list[str]:
        """The names of the series."""
        return [each.name for each in self.plan.series]

    @property
    def detectors(self) -> list[str]:
        """The names of the detectors."""
        return sorted({file.detector for each in self.plan.series for file in each.scores})

    @property
    def usual_rule(self) -> Rule:
        """The default rule for thresholds: chosen on other series, if there are any."""
        return usual_rule(len(self.plan.series))

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What the corpus leaves out, and why."""
        return self.plan.left_out

    @classmethod
    def from_files(
        cls,
        *paths: str | Path,
        layout: Layout | None = None,
        labels: str | Path | None = None,
        onsets: str | Path | None = None,
        series_from: str | None = None,
        detector_from: str | None = None,
        seed_from: str | None = None,
        options: ReadOptions | None = None,
        folder: str | Path | None = None,
    ) -> Corpus:
        """Find the series and detectors in files and folders.

        ``layout`` is guessed unless it is given. ``labels`` is a JSON file of windows by file, or a
        folder (or file) of tables with labels. ``onsets`` is a JSON file of moments by file. The
        patterns ``series_from``, ``detector_from`` and ``seed_from`` are matched against paths, and
        their first group is used. ``options`` sets the roles of columns and the use of rows, as for
        one table.
        """
        patterns = Patterns(series_from, detector_from, seed_from)
        given = options or ReadOptions()
        with interruptible():
            found = layout or guess_layout(list_files(paths), patterns, given)
            if found == "long":
                tables = [open_table(path) for path in list_files(paths)]
                beside = Beside(labels, onsets, Formats(given))
                return cls._from_tables(tables, given, folder, beside)
            plan = plan_files(
                paths, found, labels=labels, onsets=onsets, patterns=patterns, options=given
            )
        return cls(plan, given)

    @classmethod
    def from_long(
        cls,
        frame: Any,
        *,
        series: str | None = None,
        detector: str | None = None,
        seed: str | None = None,
        label: str | None = None,
        score: str | None = None,
        time: str | None = None,
        ignore: str | None = None,
        options: ReadOptions | None = None,
        folder: str | Path | None = None,
    ) -> Corpus:
        """Read a table with several series: a pandas DataFrame, or a CSV or Parquet file.

        Columns that are not named are guessed. The rows are split into one file per series, in a
        temporary folder unless ``folder`` is given.
        """
        table = open_table(frame) if isinstance(frame, (str, Path)) else table_of(frame, "table")
        given = replace(
            options or ReadOptions(),
            label=label or "",
            detectors=(score,) if score else (),
            time=time,
            ignore=ignore,
            series=series,
            detector=detector,
            seed=seed,
        )
        return cls._from_tables([table], given, folder)

    @classmethod
    def _from_tables(
        cls,
        tables: Iterable[TableFile],
        given: ReadOptions,
        folder: str | Path | None,
        beside: Beside | None = None,
    ) -> Corpus:
        beside = beside or Beside(None, None, Formats(given))
        if beside.tables is not None:
            raise TableError(
                "separate labels for tables with several series must be windows in JSON. Put "
                "other labels into a column of these tables"
            )
        held = None
        if folder is None:
            held = tempfile.TemporaryDirectory(prefix="padf-")
            folder = held.name
        cutter = Cutter(Path(folder), given, has_windows=beside.windows is not None)
        for table in tables:
            cutter.add(table)
        made, left_out = [], []
        for name, pairs in sorted(cutter.pairs.items()):
            try:
                _, windows, moments = beside.of(name, cutter.pairs)
            except TableError as error:
                left_out.append(LeftOut(name, str(error), is_bad=True))
                continue
            scores = tuple(
                ScoreFile(detector, seed, cutter.paths[name], code=code)
                for (detector, seed), code in pairs.items()
            )
            made.append(SeriesFiles(name, scores, None, windows, moments, cutter.training[name]))
        notices = (*cutter.notices, *beside.notices)
        plan = Plan("long", tuple(made), tuple(left_out), notices)
        return cls(checked(plan, given), given, held)

    def evaluate(
        self,
        protocols: Sequence[Protocol],
        *,
        thresholds: object = None,
        backend: object = None,
        progress: Progress = no_progress,
        keep: str | Path | Store | None = None,
        random: int = RANDOM_RUNS,
        seed: int = 0,
        chance: int | None = None,
    ) -> CorpusResult:
        """Score every detector on every series under every protocol.

        ``thresholds`` is one of:

        - "others": best on all other series (the default)
        - "best": best on each series itself, an oracle (the default with one series)
        - "common": one for all series, also an oracle
        - "segments": best on other segments of the series
        - "first": best on the first half
        - "train": best on the training part
        - "budget:N": at most N false alarms a day
        - a number, or a number for each detector

        ``backend`` is None for this process, a number of processes, "processes", or a Dask
        scheduler's address, client or cluster. Finished series are kept in the folder ``keep``, and
        a second run continues from there. ``random`` is the number of random detectors in the
        baseline (``chance`` is its old name).
        """
        if chance is not None:
            warn("chance= is now called random=", DeprecationWarning, stacklevel=2)
            random = chance
        listed = tuple(check_protocols(protocols))
        if not listed:
            raise ValueError("protocols must hold at least one protocol")
        rule = self.usual_rule if thresholds is None else rule_of(thresholds)
        runs = int(check_number("random", random, lambda x: 0 <= x <= 1000, "from 0 to 1000"))
        engine = engine_of(backend)
        with ExitStack() as stack:
            if keep is None:
                keep = stack.enter_context(tempfile.TemporaryDirectory(prefix="padf-"))
            store = keep if isinstance(keep, Store) else Store(keep)
            tasks = [
                SeriesTask(
                    files,
                    self.options,
                    listed,
                    rule,
                    runs,
                    seed,
                    work_key(files, self.options, listed, rule, runs, seed),
                )
                for files in self.plan.series
            ]
            stack.enter_context(engine.open())
            ran = run_tasks(tasks, engine, store, progress)
        left_out = (*self.plan.left_out, *ran.left_out)
        return make_result(ran.rows, ran.random, listed, rule, left_out)

"""The `padf corpus` command: from files with many series and detectors to one table."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import Any, get_args

from padf_core.cli.corpus_report import WRITERS
from padf_core.cli.options import (
    Renamed,
    add_protocols,
    add_reading,
    add_rule,
    read_options,
    settings_of,
)
from padf_core.corpus import plan, rules
from padf_core.corpus.corpus import RANDOM_RUNS, Corpus
from padf_core.corpus.engines import engine_of
from padf_core.corpus.picture import critical_difference_svg
from padf_core.corpus.plan import Layout, LeftOut
from padf_core.corpus.results import CorpusResult
from padf_core.corpus.rules import Rule, rule_of
from padf_core.corpus.stores import CannotWrite, Store, write_whole
from padf_core.corpus.writing import (
    csv_text,
    ranks_csv,
    summary_csv,
    summary_latex,
    wide_csv,
    write_tidy,
)
from padf_core.io.stopping import ending_on_signals
from padf_core.metrics.clock import format_duration
from padf_core.metrics.settings import Settings
from padf_core.metrics.timing import ASSUMED_STEP

SHOWN = 20
"""Maximum number of skipped or left-out items that are listed one by one."""

SKIPPED, WRONG = 1, 2
"""Exit codes: a file could not be read and was skipped, or the run failed."""


def add_corpus(commands: Any) -> None:
    """Add the options of the command."""
    corpus = commands.add_parser(
        "corpus",
        help=("score many detectors on many series, from folders of results or a long table"),
    )
    corpus.add_argument(
        "path", metavar="PATH", nargs="+", help="folders or files with the detectors' scores"
    )
    corpus.add_argument(
        "--layout",
        choices=get_args(Layout),
        help="layout of the files (default: detected): "
        + "; ".join(f"{name}: {about}" for name, about in plan.ABOUT.items()),
    )
    corpus.add_argument("--labels", metavar="PATH", help="JSON of windows, or a folder of tables")
    for part in ("series", "detector", "seed"):
        corpus.add_argument(
            f"--{part}-from",
            metavar="PATTERN",
            help=(f"a pattern that reads the {part} from a file's path"),
        )
    add_reading(corpus)
    add_rule(corpus)
    _add_out(corpus.add_argument_group("output"))
    _add_work(corpus.add_argument_group("computing"))
    add_protocols(corpus)


def _add_out(out: Any) -> None:
    out.add_argument("--out", metavar="FILE", help="the tidy table, .csv or .parquet")
    out.add_argument("--summary", metavar="FILE", help="each detector over all series, as CSV")
    out.add_argument("--ranks", metavar="FILE", help="every pair of detectors with p-values, CSV")
    out.add_argument(
        "--wide", metavar="FILE", help="series by detectors, a CSV for each protocol: FILE_pa.csv"
    )
    out.add_argument("--latex", metavar="FILE", help="detectors by protocols, as LaTeX")
    out.add_argument(
        "--picture", metavar="FILE", help="critical differences, an SVG per protocol: FILE_pa.svg"
    )
    out.add_argument("--left-out", metavar="FILE", help="what was left out and why, as CSV")
    out.add_argument(
        "--format", choices=list(WRITERS), default="table", help="format of the summary"
    )


def _add_work(work: Any) -> None:
    work.add_argument(
        "--backend",
        default="processes",
        metavar="WHO",
        help="a number of processes, or a Dask scheduler's address (default: a process per core)",
    )
    work.add_argument(
        "--random",
        type=int,
        default=RANDOM_RUNS,
        metavar="N",
        help=f"number of random detectors for the baseline (default {RANDOM_RUNS}; 0 for none)",
    )
    work.add_argument("--chance", dest="random", type=int, action=Renamed, new="--random")
    work.add_argument("--seed", type=int, default=0, help="seed of the random detectors")


def run_corpus(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    try:
        settings = settings_of(options)
        rule = None if options.threshold is None else rule_of(options.threshold)
        for name in ("out", "summary", "ranks", "wide", "latex", "picture", "left_out"):
            _check_folder(getattr(options, name), name)
        if options.out is None:
            with tempfile.TemporaryDirectory(prefix="padf-") as folder:
                line = "padf: stopped. Without --out, no results are kept."
                with ending_on_signals(line, Path(folder)):
                    return _run(options, settings, rule, Store(folder))
        kept = Store(f"{options.out}.parts")
        again = (
            f"Finished series are kept in {kept.folder}. Run the same command again to continue."
        )
        with ending_on_signals(f"padf: stopped. {again}"):
            try:
                code = _run(options, settings, rule, kept)
            except CannotWrite as error:
                raise CannotWrite(f"{error}. {again}") from None
            kept.clear()
            return code
    except (ValueError, OSError) as error:
        print(f"padf: {error}", file=sys.stderr)
        return WRONG


def _run(options: argparse.Namespace, settings: Settings, said: Rule | None, store: Store) -> int:
    """Evaluate the corpus, write the requested files and print the summary."""
    corpus = _open(options, store)
    rule = said or corpus.usual_rule
    _tell(f"layout: {corpus.layout} ({plan.ABOUT[corpus.layout]})")
    for notice in corpus.plan.notices:
        _tell(notice)
    _tell(f"{len(corpus.series):,} series, {len(corpus.detectors):,} detectors")
    _tell(f"thresholds: {rule.text} ({rules.ABOUT[rule.kind]})")
    engine = engine_of(_backend(options.backend))
    if engine.notice is not None:
        _tell(engine.notice)
    bar = _Bar()
    result = corpus.evaluate(
        settings.protocols(),
        thresholds=rule,
        backend=engine,
        progress=bar,
        keep=store,
        random=options.random,
        seed=options.seed,
    )
    bar.end()
    _write(result, options)
    _tell_left_out(result.left_out)
    if settings["measure"] == "clock" and any(isnan(row.days) for row in result.rows):
        _tell(
            f"some series have no timestamps: one step is taken as {format_duration(ASSUMED_STEP)}"
        )
    try:
        print(WRITERS[options.format](result), flush=True)
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does: end without a message.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    return SKIPPED if result.has_bad else 0


def _check_folder(path: str | None, option: str) -> None:
    if path is not None and not Path(path).absolute().parent.is_dir():
        name = option.replace("_", "-")
        raise ValueError(f"--{name} {path}: the folder does not exist")


def _open(options: argparse.Namespace, store: Store) -> Corpus:
    return Corpus.from_files(
        *options.path,
        layout=options.layout,
        labels=options.labels,
        onsets=options.onsets,
        series_from=options.series_from,
        detector_from=options.detector_from,
        seed_from=options.seed_from,
        options=read_options(options),
        folder=store.folder / "rows",
    )


def _backend(said: str) -> object:
    return int(said) if said.isdigit() else said


class _Bar:
    """A progress bar with the remaining time on standard error, if that is a terminal."""

    WIDTH = 30

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._drawn = 0.0
        self._is_shown = sys.stderr.isatty()

    def __call__(self, share: float) -> None:
        now = time.monotonic()
        if not self._is_shown or now - self._drawn < 0.1:
            return
        self._drawn = now
        gone = now - self._begin
        left = format_duration(gone * (1 - share) / share) if share > 0.01 and gone > 1 else "..."
        filled = round(share * self.WIDTH)
        bar = "#" * filled + "." * (self.WIDTH - filled)
        print(f"\r{bar} {share:4.0%}, {left} left   ", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Erase the bar."""
        if self._drawn:
            print(f"\r{' ' * 70}\r", end="", file=sys.stderr, flush=True)


def _write(result: CorpusResult, options: argparse.Namespace) -> None:
    if options.out is not None:
        write_tidy(result, Path(options.out))
    if options.summary is not None:
        _write_text(Path(options.summary), summary_csv(result.summary()))
    if options.ranks is not None:
        _write_text(Path(options.ranks), ranks_csv(result))
    if options.latex is not None:
        _write_text(Path(options.latex), summary_latex(result, result.summary()))
    if options.left_out is not None:
        _write_text(Path(options.left_out), left_out_csv(result.left_out))
    for protocol in result.protocols:
        word = "".join(mark if mark.isalnum() else "_" for mark in protocol).strip("_")
        if options.wide is not None:
            _write_text(_beside(options.wide, word, ".csv"), wide_csv(result, protocol))
        if options.picture is not None:
            picture = critical_difference_svg(result.ranking(protocol), result.label(protocol))
            _write_text(_beside(options.picture, word, ".svg"), picture)


def _beside(path: str, word: str, suffix: str) -> Path:
    made = Path(path)
    return made.with_name(f"{made.name.removesuffix(suffix)}_{word}{suffix}")


def _write_text(path: Path, text: str) -> None:
    write_whole(path, lambda file: file.write(text.encode()))


def left_out_csv(left_out: Sequence[LeftOut]) -> str:
    """Return as CSV what the result leaves out, and why."""
    rows = ([each.what, each.why, "bad" if each.is_bad else ""] for each in left_out)
    return csv_text(["what", "why", "bad"], rows)


def _tell(text: str) -> None:
    print(f"padf: {text}", file=sys.stderr)


def _tell_left_out(left_out: Sequence[LeftOut]) -> None:
    ordered = sorted(left_out, key=lambda each: not each.is_bad)
    for each in ordered[:SHOWN]:
        _tell(f"{'skipped' if each.is_bad else 'left out'}: {each.text}")
    if len(ordered) > SHOWN:
        _tell(f"and {len(ordered) - SHOWN:,} more; use --left-out FILE to list them all")

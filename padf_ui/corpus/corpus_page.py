"""Shared parts of the Corpus page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from padf_core import Settings
from padf_core.corpus.results import CorpusResult, Summary
from padf_core.corpus.rules import about_rule
from padf_ui.components.terms import tell
from padf_ui.components.words import plural
from padf_ui.server.cache import SMALL
from padf_ui.session.corpus import BEGINS, OpenCorpus, current_corpus, nab_result
from padf_ui.session.screen_names import shown
from padf_ui.session.study import RANDOM

LEADING = "padf"
TABLE_HEIGHT = 420


def nab_corpus(begins: str) -> OpenCorpus:
    """Return the NAB result for one kind of labels."""
    result = SMALL.recall(("nab", begins), lambda: nab_result(begins))
    return OpenCorpus("NAB", result, Settings(), begins)


def opened() -> OpenCorpus:
    """Return the open corpus, or NAB if none has been uploaded."""
    uploaded = current_corpus()
    return nab_corpus(_begins()) if uploaded is None else uploaded


def _begins() -> str:
    """Ask where incidents of NAB begin."""
    tell(story(nab_corpus("windows").result, nab_corpus("onsets").result))
    return st.radio(
        "An incident begins",
        list(BEGINS),
        format_func=BEGINS.__getitem__,
        horizontal=True,
        key="corpus_begins",
    )


def story(windows: CorpusResult, onsets: CorpusResult) -> str:
    """Describe how labels by window and by moment change the ranks of NAB's detectors."""
    before, after = (_place(each) for each in (windows, onsets))
    return (
        f"The sample is the NAB benchmark: {len(windows.detectors)} published detectors on "
        f"{len(windows.series)} labelled series. Each detector has one threshold for all series. "
        f"Under {windows.label(LEADING)} with NAB's windows, {RANDOM}, which guesses at "
        f"random, ranks number {before[0]} with {before[1]:.3f}. The best other detector, "
        f"{before[2]}, has {before[3]:.3f}. A window begins before the moment that experts "
        "labelled, so an alarm at that moment counts as late. With incidents that begin at that "
        f"moment, {RANDOM} ranks number {after[0]} with {after[1]:.3f}, and {after[2]} has "
        f"{after[3]:.3f}."
    )


def _place(result: CorpusResult) -> tuple[int, float, str, float]:
    f1 = {row.detector: row.f1 for row in result.of(LEADING, whole="pooled")}
    best = max((name for name in f1 if name != RANDOM), key=f1.__getitem__)
    return result.ranks(LEADING)[RANDOM], f1[RANDOM], best, f1[best]


def show_summary(now: OpenCorpus) -> None:
    """Summarise the contents of the result."""
    result = now.result
    seeds = {row.seed for row in result.rows}
    runs = f", {len(seeds)} seeds" if len(seeds) > 1 else ""
    quiet = {row.series for row in result.rows if not row.is_whole and row.wanted == 0}
    has = plural(len(quiet), "has", "have")
    without = f" {len(quiet)} of the series {has} no anomaly." if quiet else ""
    left = [each for each in result.left_out if each.is_bad]
    bad = f" {len(left)} {plural(len(left), 'file was', 'files were')} skipped." if left else ""
    tell(
        f"{shown(now.name)}: {len(result.detectors)} detectors on {len(result.series)} series"
        f"{runs}; {about_rule(result.rule)}.{without}{bad}"
    )
    guesses = now.corpus.plan.notices if now.corpus is not None else ()
    if guesses:
        st.caption(f"Read as: {'; '.join(map(shown, guesses))}.")


def choose_protocol(result: CorpusResult) -> str:
    """Ask for the protocol to use for ranks and single series."""
    known = list(result.protocols)
    return st.radio(
        "Protocol",
        known,
        index=known.index(LEADING) if LEADING in known else 0,
        format_func=result.label,
        horizontal=True,
        key=f"corpus_protocol_{result.key}",
    )


def summary_of(result: CorpusResult) -> list[Summary]:
    """Return the summary over all series, cached."""
    return SMALL.recall(("corpus summary", result.key), result.summary)


def protocol_labels(result: CorpusResult) -> dict[str, str]:
    """Return the labels of the protocols, including their settings."""
    return {protocol: result.label(protocol) for protocol in result.protocols}


def best_first(summary: Sequence[Summary], protocol: str, is_pooled: bool) -> list[str]:
    """Return the detectors in order of decreasing F1 under a protocol."""
    own = [row for row in summary if row.protocol == protocol]
    f1 = {row.detector: row.pooled_f1 if is_pooled else row.mean_f1 for row in own}
    return sorted(f1, key=lambda name: (-f1[name], name))


def table_height(table: pd.DataFrame) -> int:
    """Return the height of a table: the height of its rows, up to a limit."""
    return min(TABLE_HEIGHT, 38 + 35 * len(table))

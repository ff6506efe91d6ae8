"""The widgets of the page on corpora."""

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
    """Return NAB's result for one kind of labels."""
    result = SMALL.recall(("nab", begins), lambda: nab_result(begins))
    return OpenCorpus("NAB", result, Settings(), begins)


def opened() -> OpenCorpus:
    """Return the corpus that is looked at; NAB's until one is uploaded."""
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
    """Say what windows and labelled moments do to the ranks of NAB's detectors."""
    before, after = (_place(each) for each in (windows, onsets))
    return (
        f"The sample is NAB: {len(windows.detectors)} published detectors on {len(windows.series)} "
        f"labelled series, one threshold per detector for all of them. Under "
        f"{windows.label(LEADING)} with NAB's windows {RANDOM}, which knows nothing, is number "
        f"{before[0]} with {before[1]:.3f}; the best of the others, {before[2]}, has "
        f"{before[3]:.3f}. A window begins before the moment that people labelled, so an alarm "
        f"right at that moment counts as late. Let incidents begin there, and {RANDOM} is "
        f"number {after[0]} with {after[1]:.3f}; {after[2]} has {after[3]:.3f}."
    )


def _place(result: CorpusResult) -> tuple[int, float, str, float]:
    f1 = {row.detector: row.f1 for row in result.of(LEADING, whole="pooled")}
    best = max((name for name in f1 if name != RANDOM), key=f1.__getitem__)
    return result.ranks(LEADING)[RANDOM], f1[RANDOM], best, f1[best]


def show_summary(now: OpenCorpus) -> None:
    """Say what is in the result."""
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
        st.caption(f"Taken as: {'; '.join(map(shown, guesses))}.")


def choose_protocol(result: CorpusResult) -> str:
    """Ask under which protocol single series and ranks are shown."""
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
    """Return every detector over all series, remembered."""
    return SMALL.recall(("corpus summary", result.key), result.summary)


def protocol_labels(result: CorpusResult) -> dict[str, str]:
    """Return what the protocols are called, with their settings."""
    return {protocol: result.label(protocol) for protocol in result.protocols}


def best_first(summary: Sequence[Summary], protocol: str, is_pooled: bool) -> list[str]:
    """Return the detectors, those with the highest F1 under a protocol first."""
    own = [row for row in summary if row.protocol == protocol]
    f1 = {row.detector: row.pooled_f1 if is_pooled else row.mean_f1 for row in own}
    return sorted(f1, key=lambda name: (-f1[name], name))


def table_height(table: pd.DataFrame) -> int:
    """Return how high a table is drawn: as high as its rows, up to a limit."""
    return min(TABLE_HEIGHT, 38 + 35 * len(table))

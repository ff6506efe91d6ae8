"""The widgets of the page on corpora."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from padf_core import Settings
from padf_core.corpus.picture import (
    caption,
    critical_difference_svg,
    friedman_text,
    null_hypotheses,
    p_text,
    pairs_text,
)
from padf_core.corpus.ranking import WILCOXON_NULL
from padf_core.corpus.results import CorpusResult, Summary
from padf_core.corpus.rules import about_rule
from padf_core.corpus.writing import ranks_csv, summary_csv, summary_latex, tidy_csv, wide_csv
from padf_ui.components import downloads, widgets
from padf_ui.components.figures import rank_bump
from padf_ui.components.names import cell, plain
from padf_ui.components.tables import chart_with_table, save_table
from padf_ui.components.terms import tell
from padf_ui.components.words import listed, plural
from padf_ui.corpus import corpus_charts
from padf_ui.server.cache import SMALL
from padf_ui.session.corpus import (
    BEGINS,
    OpenCorpus,
    current_corpus,
    nab_result,
    take_dot,
    take_series_row,
)
from padf_ui.session.screen_names import shown, shown_names
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


def _labels(result: CorpusResult) -> dict[str, str]:
    return {protocol: result.label(protocol) for protocol in result.protocols}


def _best_first(summary: Sequence[Summary], protocol: str, is_pooled: bool) -> list[str]:
    own = [row for row in summary if row.protocol == protocol]
    f1 = {row.detector: row.pooled_f1 if is_pooled else row.mean_f1 for row in own}
    return sorted(f1, key=lambda name: (-f1[name], name))


# ---- detectors -----------------------------------------------------------------------------------


def show_detectors(result: CorpusResult, protocol: str) -> None:
    """Show every detector under every protocol with its range, and their ranks."""
    which = st.radio(
        "Over all series",
        ["counts added (pooled)", "mean of the series' F1"],
        horizontal=True,
        key="corpus_which",
    )
    is_pooled = which.startswith("counts")
    summary = summary_of(result)
    order = _best_first(summary, protocol, is_pooled)
    labels = _labels(result)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown("**F1 with 95 % confidence interval over series**")
        chart_with_table(
            corpus_charts.detector_dots(summary, order, labels, is_pooled, widgets.mode()),
            summary_table(result, summary, is_pooled),
            "corpus_detectors",
        )
    with right:
        st.markdown("**Ranks across protocols**")
        ranks = {p: result.ranks(p, "pooled" if is_pooled else "mean") for p in labels}
        cell = {(row.detector, row.protocol): row for row in summary}
        places = [[ranks[p].get(name, np.nan) for p in labels] for name in order]
        scores = [
            [
                cell[name, p].pooled_f1 if is_pooled else cell[name, p].mean_f1
                for p in labels
                if (name, p) in cell
            ]
            for name in order
        ]
        table = pd.DataFrame(
            {"detector": list(map(shown, order))}
            | {label: [row[at] for row in places] for at, label in enumerate(labels.values())}
        )
        figure = rank_bump(order, list(labels.values()), places, scores, widgets.mode())
        chart_with_table(figure, table, "corpus_ranks")
    tell(winners_of(result, summary, is_pooled))
    _show_caveats(result)
    tell(
        "The intervals come from leaving out one series after another (jackknife, Student's t on "
        "the logit of F1). They assume that series are independent and of one kind, and they take "
        "thresholds as they were chosen. The random baseline follows the same rule on the same "
        "rows."
    )


def winners_of(result: CorpusResult, summary: Sequence[Summary], is_pooled: bool) -> str:
    """Say who comes first under which protocol, and who is no better than chance."""
    told = []
    for protocol, label in _labels(result).items():
        best = _best_first(summary, protocol, is_pooled)[0]
        told.append(f"{shown(best)} under {label}")
    said = f"First: {listed(told)}."
    below = []
    for protocol, label in _labels(result).items():
        own = [row for row in summary if row.protocol == protocol]
        pairs = [
            (row.pooled_f1, row.pooled_chance) if is_pooled else (row.mean_f1, row.mean_chance)
            for row in own
        ]
        count = sum(f1 <= chance for f1, chance in pairs)
        if count:
            below.append(f"{count} of {len(own)} under {label}")
    return f"{said} At or below the mean of random detectors: {listed(below)}." if below else said


def summary_table(
    result: CorpusResult, summary: Sequence[Summary], is_pooled: bool
) -> pd.DataFrame:
    """Return the numbers of the chart."""
    which = "pooled" if is_pooled else "mean"
    return pd.DataFrame(
        {
            "detector": [shown(row.detector) for row in summary],
            "protocol": [result.label(row.protocol) for row in summary],
            "F1": [getattr(row, f"{which}_f1") for row in summary],
            "from": [getattr(row, f"{which}_low") for row in summary],
            "to": [getattr(row, f"{which}_high") for row in summary],
            "random baseline": [getattr(row, f"{which}_chance") for row in summary],
            "its standard error": [getattr(row, f"{which}_chance_error") for row in summary],
            "flagged, %": [100 * row.pooled_flagged for row in summary],
            "spread over seeds": [getattr(row, f"{which}_spread") for row in summary],
            "mean rank": [row.mean_rank for row in summary],
            "false alarms a day": [row.false_alarms_per_day for row in summary],
            "delay, steps": [row.delay_steps for row in summary],
        }
    )


def _show_caveats(result: CorpusResult) -> None:
    """Say what the numbers of a result must not be taken for."""
    if result.caveats:
        st.info("\n\n".join(map(plain, result.caveats)), icon=":material/info:")


# ---- ranks ---------------------------------------------------------------------------------------


def show_ranks(result: CorpusResult, protocol: str) -> None:
    """Show mean ranks over series, and who can be told apart."""
    ranking = SMALL.recall(("ranking", result.key, protocol), lambda: result.ranking(protocol))
    if not ranking.is_tested:
        tell("Ranks need at least two detectors, and two series with an anomaly that all have.")
        return
    tell(
        f"{result.label(protocol)}, ranked on each of {len(ranking.series)} series that have an "
        f"anomaly and a score of every detector. {friedman_text(ranking)}; "
        f"{pairs_text(ranking)}."
    )
    st.caption(" ".join(null_hypotheses()))
    _show_caveats(result)
    names = ranking.best_first
    table = pd.DataFrame(
        {
            "detector": list(map(shown, names)),
            "mean rank": [ranking.mean_ranks[name] for name in names],
            "no significant difference to": [_joined(ranking.groups, name) for name in names],
        }
    )
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chart_with_table(
            corpus_charts.critical_differences(ranking, widgets.mode()), table, "corpus_critical"
        )
        downloads.offer(
            "SVG for a paper",
            critical_difference_svg(ranking, result.label(protocol)),
            f"padf-critical-differences-{protocol}.svg",
            "image/svg+xml",
            icon=":material/download:",
            about=caption(ranking),
        )
    with right:
        st.markdown("**Pairs, the surest difference first**")
        pairs = pd.DataFrame(
            {
                "first": [shown(pair.first) for pair in ranking.pairs],
                "second": [shown(pair.second) for pair in ranking.pairs],
                "wins": [pair.wins for pair in ranking.pairs],
                "losses": [pair.losses for pair in ranking.pairs],
                "p": [pair.p for pair in ranking.pairs],
                "after Holm": [pair.holm for pair in ranking.pairs],
            }
        )
        config = {
            name: st.column_config.NumberColumn(format="%.2g") for name in ("p", "after Holm")
        }
        st.dataframe(
            pairs, hide_index=True, width="stretch", height=_height(pairs), column_config=config
        )
        save_table(pairs, "corpus-pairs", null=WILCOXON_NULL)


def _height(table: pd.DataFrame) -> int:
    return min(TABLE_HEIGHT, 38 + 35 * len(table))


def _joined(groups: Sequence[tuple[str, ...]], name: str) -> str:
    """Name those that share a bar with a detector."""
    others = {other for group in groups if name in group for other in group} - {name}
    return listed(sorted(map(shown, others))) if others else "-"


# ---- series --------------------------------------------------------------------------------------


def show_series(now: OpenCorpus, protocol: str) -> None:
    """Show how F1 is spread over series, and every series in a table."""
    result = now.result
    by_series = result.by_series(protocol)
    found = list(by_series.items())
    order = _best_first(summary_of(result), protocol, is_pooled=False)
    left, right = st.columns([3, 2], gap="medium")
    table = pd.DataFrame(
        {
            head: [series if name is None else f1.get(name, np.nan) for series, f1 in found]
            for head, name in zip(shown_names(["series", *order]), [None, *order], strict=True)
        }
    )
    with left:
        key = f"corpus_strips_{protocol}"
        chart_with_table(
            corpus_charts.series_strips(by_series, order, widgets.mode()),
            table,
            key,
            on_select=partial(take_dot, key, now, protocol),
        )
    with right:
        tell(f"**Open a series.** {at_hand(now, 'A dot or a row')}")
        chosen = _series_table(now, protocol)
        save_table(chosen, "corpus-series")


def at_hand(now: OpenCorpus, how: str = "A dot") -> str:
    """Say which series can be opened, and by what."""
    count = sum(map(now.has_series, now.result.series))
    total = len(now.result.series)
    if not count:
        return "This is a result alone: the scores behind it are not here."
    if count == total:
        return f"{how} opens its series in Your data, with these thresholds and the detector."
    names = listed([shown(name) for name in now.result.series if now.has_series(name)])
    return (
        f"{how} opens its series in Your data, with these thresholds, where the scores are here: "
        f"{names}."
    )


def _series_table(now: OpenCorpus, protocol: str) -> pd.DataFrame:
    by_series = now.result.by_series(protocol)
    names = list(by_series)
    rows = {
        (row.series, row.detector): row
        for row in now.result.of(protocol)
        if row.series in by_series
    }
    first = [max(sorted(f1), key=f1.__getitem__) for f1 in by_series.values()]
    own = [rows[pair] for pair in zip(names, first, strict=True)]
    made = pd.DataFrame(
        {
            "series": list(map(shown, names)),
            "here": ["open" if now.has_series(name) else "" for name in names],
            "best": list(map(shown, first)),
            "F1": [row.f1 for row in own],
            "chance": [row.chance for row in own],
            "segments": [int(row.segments) for row in own],
        }
    )
    made = made.iloc[np.argsort(made["here"] == "", kind="stable")]
    order = [names[at] for at in made.index]
    winners = [first[at] for at in made.index]
    key = f"corpus_rows_{protocol}"
    st.dataframe(
        made,
        hide_index=True,
        width="stretch",
        height=_height(made),
        key=key,
        column_config={
            name: st.column_config.NumberColumn(format="%.3f") for name in ("F1", "chance")
        },
        on_select=partial(
            take_series_row, key, now, protocol, list(zip(order, winners, strict=True))
        ),
        selection_mode="single-row",
    )
    return made


# ---- pairs and protocols -------------------------------------------------------------------------


def show_duel(now: OpenCorpus, protocol: str) -> None:
    """Show one detector against another, a dot per series."""
    result = now.result
    order = _best_first(summary_of(result), protocol, is_pooled=True)
    if len(order) < 2:
        tell("One detector alone has nobody to be compared with.")
        return
    left, right = st.columns(2)
    with left:
        first = st.selectbox("Detector", order, format_func=shown, key="corpus_first")
    with right:
        others = [name for name in order if name != first]
        second = st.selectbox("against", others, format_func=shown, key="corpus_second")
    by_series = result.by_series(protocol)
    own = {name: f1 for name, f1 in by_series.items() if first in f1 and second in f1}
    wins, losses = (
        sum(f1[a] > f1[b] for f1 in own.values()) for a, b in ((first, second), (second, first))
    )
    ranking = SMALL.recall(("ranking", result.key, protocol), lambda: result.ranking(protocol))
    pair = next(
        (each for each in ranking.pairs if {each.first, each.second} == {first, second}), None
    )
    surely = (
        ""
        if pair is None or not ranking.is_tested
        else f" Wilcoxon's signed ranks after Holm's steps: {p_text(pair.holm)} (null hypothesis: "
        f"{WILCOXON_NULL})."
    )
    tell(
        f"{result.label(protocol)}: {shown(first)} is better on {wins} series, {shown(second)} on "
        f"{losses}, of {len(own)}.{surely} {at_hand(now)}"
    )
    table = pd.DataFrame(
        {
            "series": list(map(shown, own)),
            shown(first): [f1[first] for f1 in own.values()],
            shown(second): [f1[second] for f1 in own.values()],
        }
    )
    key = f"corpus_duel_{protocol}"
    chart_with_table(
        corpus_charts.duel(by_series, first, second, widgets.mode()),
        table,
        key,
        on_select=partial(take_dot, key, now, protocol),
    )


def show_disagreement(now: OpenCorpus, protocol: str) -> None:
    """Show on which series two protocols rank the detectors most differently."""
    result = now.result
    others = [each for each in result.protocols if each != protocol]
    if not others or len(result.detectors) < 2:
        tell("Two protocols and two detectors are needed to disagree.")
        return
    other = st.selectbox(
        f"{result.label(protocol)} against",
        others,
        index=others.index("pa") if "pa" in others else 0,
        format_func=result.label,
        key=f"corpus_other_{protocol}",
    )
    found = SMALL.recall(
        ("disagreements", result.key, protocol, other),
        lambda: result.disagreements(protocol, other),
    )
    if not found:
        tell("No series has an anomaly and a score of every detector.")
        return
    worst = found[0]
    tell(
        f"Most on {shown(worst.series)}: detectors move {worst.moved:.1f} places on average; "
        f"{shown(worst.detector)} is {worst.first_rank:g} under {result.label(protocol)} and "
        f"{worst.second_rank:g} under {result.label(other)}. {at_hand(now, 'A bar')}"
    )
    table = pd.DataFrame(
        {
            "series": [shown(each.series) for each in found],
            "places moved": [each.moved for each in found],
            "who moves most": [shown(each.detector) for each in found],
            f"rank, {result.label(protocol)}": [each.first_rank for each in found],
            f"rank, {result.label(other)}": [each.second_rank for each in found],
        }
    )
    key = f"corpus_moved_{protocol}_{other}"
    chart_with_table(
        corpus_charts.disagreement_bars(found, widgets.mode()),
        table,
        key,
        on_select=partial(take_dot, key, now, protocol),
    )


# ---- files ---------------------------------------------------------------------------------------


def for_spreadsheets(text: str) -> str:
    """Return a table in which no name is taken for a formula."""
    lines = csv.reader(io.StringIO(text))
    head = next(lines)
    named = [at for at, name in enumerate(head) if name in _NAMES]
    written = io.StringIO()
    out = csv.writer(written, lineterminator="\n")
    out.writerow([cell(name) for name in head])
    for row in lines:
        for at in named:
            row[at] = cell(row[at])
        out.writerow(row)
    return written.getvalue()


_NAMES = ("series", "file", "detector", "seed", "protocol", "setting", "rule", "first", "second")
"""The columns that hold names."""


def take_away(result: CorpusResult, protocol: str) -> None:
    """Offer the result in every form, and say what is not in it."""
    files: Mapping[str, tuple[str, str]] = {
        "The tidy table (CSV)": ("padf-corpus.csv", tidy_csv(result)),
        "Each detector over all series (CSV)": (
            "padf-corpus-summary.csv",
            summary_csv(summary_of(result)),
        ),
        f"Series by detectors, {result.label(protocol)} (CSV)": (
            f"padf-corpus-{protocol}.csv",
            wide_csv(result, protocol),
        ),
        "Pairs with p-values (CSV)": ("padf-corpus-pairs.csv", ranks_csv(result)),
        "Detectors by protocols (LaTeX)": (
            "padf-corpus.tex",
            summary_latex(result, summary_of(result)),
        ),
    }
    with st.container(horizontal=True):
        for label, (name, content) in files.items():
            downloads.offer(
                label,
                content if name.endswith(".tex") else for_spreadsheets(content),
                name,
                "application/x-tex" if name.endswith(".tex") else "text/csv",
                key=f"corpus_{name}",
                icon=":material/download:",
            )
    if result.left_out:
        st.markdown("**What was left out, and why**")
        left = pd.DataFrame(
            {
                "what": [shown(each.what, 200) for each in result.left_out],
                "why": [shown(each.why, 300) for each in result.left_out],
            }
        )
        st.dataframe(left, hide_index=True, width="stretch")
        save_table(left, "corpus-left-out")

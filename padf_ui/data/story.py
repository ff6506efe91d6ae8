"""Text about a real sample: the winner depends on where an incident begins."""

from __future__ import annotations

from typing import cast

import numpy as np
import streamlit as st

from padf_core import PointAdjustDecay, Settings
from padf_core.metrics.timing import late
from padf_ui.components.terms import tell
from padf_ui.server.cache import SMALL
from padf_ui.session.data import set_moved
from padf_ui.session.study import LEADING, RANDOM, Study, sample_study
from padf_ui.session.widget_values import bound
from padf_ui.study.comparison_tables import first_place
from padf_ui.study.descriptions import detector_names

_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
_BEGINS = {False: "with its window", True: "at the labelled moment"}


def show_story(study: Study, settings: Settings) -> None:
    """Say which detector wins under PAdf and why, and let the user change where incidents begin."""
    if study.sample is None or study.sample.from_moment is None:
        return
    tell(story(study, settings))
    st.radio(
        "An incident begins",
        list(_BEGINS),
        index=list(_BEGINS).index(study.is_moved),
        **bound("onset", study.is_moved, set_moved),
        format_func=_BEGINS.__getitem__,
        horizontal=True,
    )


def story(study: Study, settings: Settings) -> str:
    """Return the text. All its numbers are computed from the data and the settings."""
    protocol = settings.protocol(LEADING)
    names = detector_names(study)
    scores = [detector.best(protocol).f1 for detector in study.series.detectors]
    order = np.argsort(scores, kind="stable")[::-1].tolist()
    ranked = [names[index] for index in order]
    place = ranked.index(RANDOM)
    best = next(index for index in order if names[index] != RANDOM)
    own = scores[names.index(RANDOM)]
    head = (
        f"Six published detectors, each at its best threshold (an oracle), under {protocol.label}: "
    )
    if place == 0:
        lead = (
            f"{RANDOM}, which guesses at random, comes first with {own:.3f}; the best that looks "
            f"at the data, {names[best]}, has {scores[best]:.3f}. "
        )
    else:
        lead = (
            f"{first_place(names, scores)} with {scores[order[0]]:.3f}; {RANDOM}, which guesses at "
            f"random, is {_PLACES[place]} with {own:.3f}. "
        )
    return head + lead + _why(study, settings)


def _why(study: Study, settings: Settings) -> str:
    if study.is_moved:
        return (
            "Now an incident begins at the moment that NAB's experts labelled. An alarm at that "
            "moment is on time."
        )
    lead, length = SMALL.recall(("leads", study.origin.name), lambda: _leads(study))
    protocol = cast(PointAdjustDecay, settings.protocol(PointAdjustDecay.key))
    delay = late(
        protocol.measure,
        np.array([lead]),
        np.array([length]),
        study.series.segments.starts[:1],
        study.series.rows.timing,
    )
    worth = float(protocol.worth(delay)[0])
    written = np.format_float_positional(worth, 1, fractional=False, trim="-")
    return (
        f"Why: experts labelled a moment {lead:,} rows after the start of its window (the median; "
        f"windows have {length:,} rows). An alarm at that moment counts as that late and is worth "
        f"{written}. False alarms early in a window are worth more. Let incidents begin at the "
        "labelled moment, and compare."
    )


def _leads(study: Study) -> tuple[int, int]:
    """Return the median lag of the labelled moment behind its window's start, and window length."""
    windows, moments = (
        sample_study(str(study.sample_key), study.began, moved=moved).series.segments
        for moved in (False, True)
    )
    within = np.searchsorted(windows.starts, moments.starts, side="right") - 1
    leads = moments.starts - windows.starts[within]
    return int(np.median(leads)), int(np.median(windows.lengths))

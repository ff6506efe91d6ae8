"""Texts about a study: its data, rows and names."""

from __future__ import annotations

import re

from padf_core.io.caveats import caveats_of
from padf_core.io.series import Series
from padf_core.metrics.clock import format_duration
from padf_core.metrics.onset import Onset
from padf_ui.components.names import plain
from padf_ui.components.words import plural
from padf_ui.session.screen_names import shown, shown_names
from padf_ui.session.study import Study


def summary(series: Series) -> str:
    """Describe the data: points, anomalous share, segments, time span, step and gaps."""
    count = len(series.segments)
    parts = [
        f"{series.size:,} points",
        f"{100 * series.anomalous / max(1, series.counted):.2g} % anomalous",
        f"{count:,} {plural(count, 'segment', 'segments')}",
    ]
    left = series.size - series.counted
    if left:
        parts.insert(1, f"{left:,} of them not scored")
    if series.parts > 1:
        parts.insert(0, f"{series.parts:,} series, concatenated")
    clock = series.clock
    if clock is None:
        return " · ".join([*parts, "no timestamps: delays are in steps"])
    gaps = "no gaps"
    if clock.gaps:
        longest = format_duration(clock.longest_gap_seconds)
        gaps = f"{clock.gaps:,} {plural(clock.gaps, 'gap', 'gaps')}, the longest {longest}"
    span = format_duration(clock.span_seconds)
    if series.axis_clock is None:
        lasting = f"{span} in all"
    else:
        lasting = f"{clock.name(0)} to {clock.name(series.size - 1)} UTC ({span})"
    return " · ".join(
        [
            *parts,
            lasting,
            f"every {format_duration(clock.step_seconds)}",
            gaps,
        ]
    )


def warnings_of(series: Series) -> list[str]:
    """Return warnings that affect how far the numbers can be trusted."""
    return caveats_of(series, lambda name: plain(shown(name)))


def onset_text(onset: Onset, series: Series) -> str:
    """Describe where segments begin and how early alarms count."""

    def amount(value: float, unit: str) -> str:
        if unit == "seconds":
            return format_duration(value)
        if unit == "share":
            return f"{100 * value:g} % of their length"
        return f"{value:g} {plural(int(value), 'row', 'rows')}"

    text = "Segments begin as labelled"
    if onset.shift:
        side = "later" if onset.shift > 0 else "earlier"
        text = f"Segments begin {amount(abs(onset.shift), onset.unit)} {side} than labelled"
    if onset.early:
        counts = "as on time" if onset.early_alarms == "on_time" else "as nothing"
        text += (
            f"; alarms up to {amount(onset.early, onset.early_unit)} before the onset count "
            f"{counts}"
        )
    return f"{text}."


def conditions(study: Study) -> list[str]:
    """Describe the conditions that apply to every number of a study, besides the settings."""
    series, lines = study.series, []
    left = series.size - series.counted
    if left:
        lines.append(f"{left:,} of {series.size:,} points are not scored.")
    if study.onset.is_moved:
        lines.append(onset_text(study.onset, series))
    return lines


def file_stem(study: Study) -> str:
    """Return the prefix of file names about these data. Other data have another prefix."""
    words = re.sub(r"[^a-z0-9]+", "-", data_title(study).rsplit(".", 1)[0].lower()).strip("-")
    return f"{words[:40] or 'data'}-{study.series.key[:6]}"


def detector_names(study: Study) -> list[str]:
    """Return the display names of the detectors."""
    return shown_names(study.series.names)


def data_title(study: Study) -> str:
    """Return the display name of the data."""
    return shown(study.origin.name.rsplit("/", 1)[-1])

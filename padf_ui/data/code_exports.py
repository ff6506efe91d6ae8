"""`padf` commands and Python code that reproduce the numbers."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from math import isfinite

from padf_core import Settings
from padf_core.metrics.parameters import Choice
from padf_core.metrics.timing import ASSUMED_STEP
from padf_ui.components.python_code import python_protocols
from padf_ui.data.data_exports import column_names, series_file
from padf_ui.session.study import Study


@dataclass(frozen=True)
class _Source:
    """File, label column and detector columns from which the numbers can be reproduced."""

    file: str
    label: str
    columns: list[str]
    rows: dict[str, str]
    """Columns with row information by library option: where series begin, and ignored rows."""


def _source(study: Study) -> _Source:
    roles = study.origin.roles
    if not needs_series_file(study) and roles is not None:
        return _Source(study.origin.name, roles.label, list(roles.detectors), {})
    known = study.series.rows
    rows = {"series-column": "series"} if known.begins is not None else {}
    if known.counts is not None:
        rows["ignore"] = "ignored"
    return _Source(series_file(study), "label", column_names(study), rows)


def needs_series_file(study: Study) -> bool:
    """Return whether the code reads an exported file instead of the uploaded one."""
    return not study.origin.can_be_read_again or study.onset.is_moved


def command_lines(study: Study, settings: Settings) -> str:
    """Return the `padf` commands for the best and the chosen thresholds."""
    source = _source(study)
    rules = command_options(settings)
    rows = [f"--{option}={name}" for option, name in source.rows.items()]
    base = " ".join(
        [f"padf evaluate {_argument(source.file)} --label={_quoted(source.label)}", *rows]
    )
    named = [f"--detector={_quoted(name)}" for name in source.columns]
    scored = [
        name
        for name, detector in zip(named, study.series.detectors, strict=True)
        if not detector.is_binary
    ]
    flags = [name for name in named if name not in scored]
    best = ["--threshold=common"] if study.series.parts > 1 else []
    lines = []
    if scored:
        lines.append(" ".join([base, *scored, *best, *rules]))
    if flags:
        lines.append(" ".join([base, *flags, *rules]))
    for name, threshold in zip(named, study.thresholds(settings), strict=True):
        if name in scored and isfinite(threshold):
            lines.append(" ".join([base, name, f"--threshold={threshold!r}", *rules]))
    return "\n".join(lines)


def command_options(settings: Settings) -> list[str]:
    """Return the options of the `padf` command for these settings."""
    options = []
    for each in settings.parameters():
        name, value = f"--{each.key.replace('_', '-')}", settings[each.key]
        if isinstance(each, Choice) and each.is_flag:
            options += [name] if value else []
        else:
            options.append(f"{name} {each.to_text(value)}")
    return [*options, *([f"--lanes {' '.join(settings.lanes)}"] if settings.lanes else [])]


def _argument(file: str) -> str:
    """Quote a file name so that it cannot be read as an option."""
    return _quoted(f"./{file}" if file.startswith("-") else file)


def _quoted(text: str) -> str:
    """Quote text for a shell. Unprintable characters are written as escapes."""
    if text.isprintable():
        return shlex.quote(text)
    seen = (c if c.isprintable() and c not in "\\'" else f"\\U{ord(c):08x}" for c in text)
    return f"$'{''.join(seen)}'"


def python_lines(study: Study, settings: Settings) -> str:
    """Return Python code that reproduces the numbers."""
    source = _source(study)
    thresholds = {
        column: 1.0 if detector.is_binary else threshold
        for column, detector, threshold in zip(
            source.columns, study.series.detectors, study.thresholds(settings), strict=True
        )
    }
    entries = "\n".join(
        f"    {name!r}: {_python_number(value)}," for name, value in thresholds.items()
    )
    given = "".join(
        f", {option}=table[{name!r}].to_numpy()" for option, name in source.rows.items()
    )
    given += _python_times(study, settings)
    return f"""import padf
from padf_core.io.open_table import read_table

table = read_table({source.file!r})
labels = table[{source.label!r}].to_numpy()
{python_protocols(settings)}
thresholds = {{
{entries}
}}
for name, threshold in thresholds.items():
    scores = table[name].to_numpy()
    print(name)
    if set(scores.tolist()) - {{0, 1}}:
        for best in padf.best_f1(labels, scores, protocols{given}):
            print(f"  best for {{best.protocol.label}}: F1 {{best.f1:.3f}} at {{best.threshold}}")
    for e in padf.evaluate_all(labels, scores >= threshold, protocols{given}):
        print(f"  at {{threshold}} under {{e.protocol.label}}: F1 {{e.f1:.3f}}")
"""


def _python_times(study: Study, settings: Settings) -> str:
    """Return the argument with the timestamps, if delays are measured in clock time."""
    if settings["measure"] != "clock":
        return ""
    clock = study.series.clock
    if clock is None:
        return f", times={ASSUMED_STEP!r}"
    if clock.stamps is None:
        return f", times={clock.step_seconds!r}"
    roles = study.origin.roles
    column = "time" if needs_series_file(study) or roles is None else roles.time
    return f', times=table[{column!r}].to_numpy("datetime64[us]")'


def _python_number(value: float) -> str:
    return repr(value) if isfinite(value) else f'float("{value}")'

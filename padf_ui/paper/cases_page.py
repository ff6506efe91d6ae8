"""Paper cases: results at every slider step, computed in advance for the browser to look up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st

from padf_core import Protocol, Settings, evaluate_all
from padf_core.metrics.parameters import Choice
from padf_core.metrics.timing import ASSUMED_STEP
from padf_core.paper.cases import CONDITIONS, ROBUSTNESS_CASES, TOY_CASES, Case
from padf_core.paper.published import COLUMN_PROTOCOLS, agrees_with_print, published_table
from padf_ui.components import mounting
from padf_ui.components.board_message import board_rows
from padf_ui.components.lanes import sliders_of, steps_of
from padf_ui.components.terms import meanings, tell
from padf_ui.server.cache import SMALL
from padf_ui.session import links
from padf_ui.session.asks import CASES_KEY, answered, visit_name
from padf_ui.session.board import LINK, take_cases
from padf_ui.session.changes import is_changed
from padf_ui.session.settings import current_settings
from padf_ui.wire.cases import CaseRows, CasesData, CasesRows, Printed

ALL_CASES: tuple[Case, ...] = (*TOY_CASES, *ROBUSTNESS_CASES)
"""All cases of the page. Their order defines the numbers of their buttons."""

LEADING = "padf"
"""Protocol of the robustness cases."""


def show_cases() -> None:
    """Show the paper's cases with sliders for d and K.

    Each case can be opened in the Playground.
    """
    mounting.stand("cases", CASES_KEY)
    _answer_cases()


@st.fragment
def _answer_cases() -> None:
    settings = current_settings()
    data: CasesData = {
        "session": visit_name(),
        "answered": answered(CASES_KEY),
        **SMALL.recall(("cases", settings), lambda: case_rows(settings)),
    }
    mounting.send(CASES_KEY, data, lambda: take_cases(ALL_CASES))
    if is_changed():
        links.write(LINK)


def case_rows(settings: Settings) -> CasesRows:
    """Return all cases with a row for every slider step, and the published values."""
    shown = settings.protocols()
    verdicts = {
        protocol.key: [_verdict(step) for step in steps_of(settings, protocol.key).protocols]
        for protocol in shown
    }
    return {
        "sliders": sliders_of(settings, None),
        "rules": _rules(settings),
        "terms": meanings(),
        "toy": [_case(case, settings, "table1") for case in TOY_CASES],
        "robustness": [
            _case(case, settings, "table4", only=(LEADING,)) for case in ROBUSTNESS_CASES
        ],
        "conditions": [
            {"text": condition.text, "name": condition.key, "required": condition.required}
            for condition in CONDITIONS
        ],
        "verdicts": verdicts,
        "ranges": [
            _range(
                settings.protocol(key).name,
                number.symbol,
                steps_of(settings, key).values,
                verdicts[key],
            )
            for key, number in settings.numbers().items()
        ],
    }


def _rules(settings: Settings) -> str:
    """Name the current rules that differ from the paper's.

    Published values do not apply to them.
    """
    other = [
        option.title
        for each in settings.parameters()
        if isinstance(each, Choice) and settings[each.key] != each.default
        for option in each.options
        if option.value == settings[each.key]
    ]
    if not other:
        return ""
    return (
        f"In use: {', '.join(other)}, as chosen under Rules in the Playground. Published values "
        "are shown only for the paper's own rules."
    )


def _case(
    case: Case, settings: Settings, table: str, only: tuple[str, ...] | None = None
) -> CaseRows:
    return {
        "title": case.title,
        "about": case.about,
        "rows": board_rows(case.labels, case.detections, settings, in_words=False, lanes=only),
        "printed": _printed(case, table, settings),
    }


def _printed(case: Case, table: str, settings: Settings) -> list[Printed]:
    """Return the published values of a case that apply to the current rules."""
    row = published_table(table).set_index("case").loc[case.key]
    found: list[Printed] = []
    for column, printed in row.items():
        protocol = COLUMN_PROTOCOLS[str(column)]
        steps = steps_of(settings, protocol.key)
        if protocol not in steps.protocols:
            continue
        (result,) = evaluate_all(case.labels, case.detections, [protocol], times=ASSUMED_STEP)
        found.append(
            {
                "lane": protocol.key,
                "at": steps.values[steps.protocols.index(protocol)] if steps.number else None,
                "text": str(printed),
                "agrees": agrees_with_print(result.f1, str(printed)),
            }
        )
    return found


@lru_cache(maxsize=2000)
def _verdict(protocol: Protocol) -> list[str]:
    f1 = [
        evaluate_all(case.labels, case.detections, [protocol], times=ASSUMED_STEP)[0].f1
        for case in TOY_CASES
    ]
    return [
        "pass" if condition.holds(f1) else "fail" if condition.required else "differs"
        for condition in CONDITIONS
    ]


def _range(
    name: str, symbol: str, steps: Sequence[float], verdicts: Sequence[Sequence[str]]
) -> str:
    """Describe the steps at which every required condition holds."""
    good = [step for step, row in zip(steps, verdicts, strict=True) if "fail" not in row]
    if not good:
        return f"{name} does not meet all required conditions at any {symbol}."
    if len(good) == len(steps):
        return f"{name} meets all required conditions at every {symbol}."
    return (
        f"{name} meets all required conditions from {symbol} = {good[0]:g} to {good[-1]:g}"
        f"{'' if _is_unbroken(steps, good) else ', with gaps'}."
    )


def _is_unbroken(steps: Sequence[float], good: Sequence[float]) -> bool:
    first = steps.index(good[0])
    return list(steps[first : first + len(good)]) == list(good)


def show_toy_table() -> None:
    """Show Table 1 at the paper's own parameters."""
    tell(
        "Each cell shows the F1 computed here, then ✓ (matches) or ✗ (differs), then the value "
        "printed in the paper. 14/19 = 0.7368, under PA and under PA%K in case 1, is printed as "
        "0.736: truncated. All other values are rounded."
    )
    st.dataframe(toy_table(), hide_index=True, width="stretch")


def toy_table() -> pd.DataFrame:
    """Return Table 1: computed and printed F1 of each case and protocol."""
    printed = published_table("table1").set_index("case")
    table = []
    for case in TOY_CASES:
        protocols = [COLUMN_PROTOCOLS[column] for column in printed.columns]
        results = evaluate_all(case.labels, case.detections, protocols)
        row: dict[str, object] = {"Case": case.title, "What happens": case.about}
        for column, result in zip(printed.columns, results, strict=True):
            text = str(printed.loc[case.key, column])
            mark = "✓" if agrees_with_print(result.f1, text) else "✗"
            row[result.protocol.label] = f"{result.f1:.4f}  {mark} {text}"
        table.append(row)
    return pd.DataFrame(table)

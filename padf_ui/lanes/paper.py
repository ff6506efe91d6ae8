"""What the page of the paper's cases may have to show, computed before the finger moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from padf_core import PROTOCOLS, Settings, evaluate_all
from padf_core.cases import CONDITIONS, ROBUSTNESS_CASES, TOY_CASES, Case
from padf_core.protocols import PointAdjustDecay, PointAdjustK, Protocol
from padf_core.published import COLUMN_PROTOCOLS, agrees_with_print, published_table
from padf_ui.lanes.rows import DECAY_SYMBOLS, Row, board_rows, sliders

ALL_CASES: tuple[Case, ...] = (*TOY_CASES, *ROBUSTNESS_CASES)
"""Every case of the page, in the order in which its buttons number them."""


def paper_rows(settings: Settings) -> Row:
    """Return all cases with the rows of every slider step, and what the paper printed."""
    moves = sliders(settings, None)
    decay_steps, k_steps = (slider["steps"] for slider in moves)
    steps: dict[str, list[Protocol]] = {
        "pointwise": [settings.protocols()[0]],
        "pa": [settings.protocols()[1]],
        "pa_k": [settings.pa_k_at(k) for k in k_steps],
        "padf": [settings.padf_at(value) for value in decay_steps],
    }
    verdicts = {key: [_verdict(protocol) for protocol in steps[key]] for key in PROTOCOLS}
    return {
        "sliders": moves,
        "rules": _rules(settings),
        "toy": [_case(case, settings, "table1") for case in TOY_CASES],
        "robustness": [_case(case, settings, "table4", only="padf") for case in ROBUSTNESS_CASES],
        "conditions": [
            {"text": condition.text, "name": condition.key, "required": condition.required}
            for condition in CONDITIONS
        ],
        "verdicts": verdicts,
        "ranges": [
            _range("PAdf", DECAY_SYMBOLS[settings.shape], decay_steps, verdicts["padf"]),
            _range("PA%K", "K", k_steps, verdicts["pa_k"]),
        ],
    }  # fmt: skip


def _rules(settings: Settings) -> str:
    """Say which rules in use are not the paper's, so that no published value stands beside them."""
    other = [
        text
        for text, differs in (
            ("another shape of decay", settings.shape != "exponential"),
            ("the precision of the equations", settings.precision != "tables"),
            ("K % or more", settings.inclusive),
        )
        if differs
    ]
    if not other:
        return ""
    return (
        f"In use: {', '.join(other)}, as chosen under Rules in the Playground. "
        "Published values stand only beside the paper's own rules."
    )


def _case(case: Case, settings: Settings, table: str, only: str | None = None) -> Row:
    made = board_rows(case.labels, case.detections, settings, in_words=False)
    if only:
        made["lanes"] = [lane for lane in made["lanes"] if lane["key"] == only]
    return {
        "title": case.title,
        "about": case.about,
        "rows": made,
        "printed": _printed(case, table, settings),
    }


def _printed(case: Case, table: str, settings: Settings) -> list[dict[str, Any]]:
    """Return the published values of a case, where the paper's rules are the ones in use."""
    row = published_table(table).set_index("case").loc[case.key]
    found = []
    for column, printed in row.items():
        protocol = COLUMN_PROTOCOLS[str(column)]
        if not _same_rules(protocol, settings):
            continue
        (result,) = evaluate_all(case.labels, case.detections, [protocol])
        found.append(
            {
                "lane": protocol.key,
                "at": _parameter(protocol),
                "text": str(printed),
                "agrees": agrees_with_print(result.f1, str(printed)),
            }
        )
    return found


def _same_rules(published: Protocol, settings: Settings) -> bool:
    if isinstance(published, PointAdjustK):
        return not settings.inclusive
    if isinstance(published, PointAdjustDecay):
        return settings.precision == "tables" and settings.shape == "exponential"
    return True


def _parameter(protocol: Protocol) -> float | None:
    if isinstance(protocol, PointAdjustK):
        return protocol.k
    if isinstance(protocol, PointAdjustDecay):
        return float(protocol.decay.rate)  # type: ignore[attr-defined]
    return None


def _verdict(protocol: Protocol) -> list[str]:
    f1 = [evaluate_all(case.labels, case.detections, [protocol])[0].f1 for case in TOY_CASES]
    return [
        "pass" if condition.holds(f1) else "fail" if condition.required else "differs"
        for condition in CONDITIONS
    ]


def _range(
    name: str, symbol: str, steps: Sequence[float], verdicts: Sequence[Sequence[str]]
) -> str:
    """Say for which steps every required condition holds."""
    good = [step for step, row in zip(steps, verdicts, strict=True) if "fail" not in row]
    if not good:
        return f"{name} meets all required conditions at no {symbol}."
    if len(good) == len(steps):
        return f"{name} meets all required conditions at every {symbol}."
    return (
        f"{name} meets all required conditions from {symbol} = {good[0]:g} to {good[-1]:g}"
        f"{'' if _is_unbroken(steps, good) else ', with gaps'}."
    )


def _is_unbroken(steps: Sequence[float], good: Sequence[float]) -> bool:
    first = steps.index(good[0])
    return list(steps[first : first + len(good)]) == list(good)

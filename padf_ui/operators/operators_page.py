"""The widgets of the page for operators."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from padf_core.analysis.alerting import MONTH_DAYS, TradeMap
from padf_core.metrics.clock import format_duration
from padf_ui import web
from padf_ui.components import downloads, mounting, need, widgets
from padf_ui.components.names import plain
from padf_ui.components.progress import progress
from padf_ui.components.standalone import NAME
from padf_ui.components.tables import numbers_behind, show_table
from padf_ui.operators import operators_charts, operators_results, operators_words
from padf_ui.operators.replay_message import known_rows, watched
from padf_ui.operators.scene import Scene, suggested_need
from padf_ui.session import links
from padf_ui.session.data import current_study
from padf_ui.session.replay import (
    LINK,
    SETTINGS,
    UPLOADED,
    current_replay,
    presses,
    replayed_series,
    set_replay,
    set_replayed,
    set_rule,
    take_presses,
)
from padf_ui.session.screen_names import shown, shown_names
from padf_ui.session.settings import current_need, current_settings, suggest_need
from padf_ui.session.store import (
    REPLAY_KEY,
    answered,
    chosen_point,
    take_choice,
    visit_name,
    widget_key,
)
from padf_ui.study.options import ask_wait_and_cooldown
from padf_ui.wire.replay import ReplayData

MAP_KEY = "rule_map"


def set_up() -> Scene | None:
    """Return what is replayed now; None where the data hold no incident."""
    replay, settings = current_replay(), current_settings()
    series = replayed_series(replay, current_study())
    if not len(series.segments):
        return None
    suggest_need(suggested_need(series))
    need = current_need()
    with progress("Setting the detectors to their budget") as report:
        scene = operators_results.scene_of(series, replay, settings, need, report)
    links.write(LINK)
    return scene


def show_no_incident() -> None:
    """Say that there is nothing to replay, and lead on."""
    st.info("These data hold no incident, so there is nothing to replay.")
    _setting()


# ---- the replay ----------------------------------------------------------------------------------


def show_replay() -> None:
    """Show the replay, with a fragment that scores the watcher."""
    mounting.stand("replay", REPLAY_KEY)
    _answer_replay()


@st.fragment
def _answer_replay() -> None:
    """Send what is replayed; the watcher's presses run this fragment alone."""
    scene = set_up()
    if scene is None:
        return
    key, rows = known_rows(scene)
    pressed = presses(key)
    data: ReplayData = {
        "session": visit_name(),
        "answered": answered(REPLAY_KEY),
        "key": key,
        "rows": rows,
        "watched": (
            watched(scene, pressed)
            if pressed is not None and len(pressed) == len(scene.clips)
            else None
        ),
        "name": "",
    }
    mounting.send(REPLAY_KEY, data, take_presses)


def choose(scene: Scene) -> None:
    """Ask what is replayed, and offer it as a page to leave behind."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _setting()
        _incident(scene)
        _detectors(scene)
        downloads.offer(
            "Leave-behind page",
            partial(leave_behind, scene),
            f"replay-{scene.replay.setting}.html",
            "text/html",
            of=repr((scene.series.key, scene.replay, scene.decay)),
            key="leave_behind",
            icon=":material/download:",
            about="This replay in one HTML file that plays without a server or a network.",
        )
    if scene.series.clock is None:
        st.caption(f"These data have no times: a row is taken as {format_duration(scene.step)}.")


def _setting() -> None:
    study = current_study()
    options = dict(SETTINGS)
    if study is not None:
        options[UPLOADED] = f"Your data: {shown(study.series.name)}"
    now = current_replay().setting
    key = widget_key("replay_setting", now)
    st.selectbox(
        "Setting",
        list(options),
        index=list(options).index(now) if now in options else 0,
        key=key,
        width=210,
        format_func=options.__getitem__,
        on_change=take_choice,
        args=("replay_setting", key, set_replayed),
    )


def _incident(scene: Scene) -> None:
    count = len(scene.series.segments)
    now: int | str = "all" if scene.is_all else scene.clips[0].number
    key = widget_key("replay_incident", now)
    lasted = scene.series.segments.lengths * scene.step

    def name(option: int | str) -> str:
        if option == "all":
            return f"all {count} in a row"
        return f"{int(option) + 1}: lasts {format_duration(float(lasted[int(option)]))}"

    options = ["all", *range(count)]
    st.selectbox(
        "Incident",
        options,
        index=options.index(now),
        key=key,
        width=190,
        format_func=name,
        on_change=take_choice,
        args=("replay_incident", key, lambda chosen: set_replay(incident=chosen)),
    )


def _detectors(scene: Scene) -> None:
    names = shown_names(scene.series.names)
    for place, index in enumerate(scene.pair):
        key = widget_key(f"replay_detector_{place}", index)
        others = [other for at, other in enumerate(scene.pair) if at != place]
        options = [each for each in range(len(names)) if each not in others]
        st.selectbox(
            "Detector" if len(scene.pair) == 1 else ("First detector", "Second detector")[place],
            options,
            index=options.index(index),
            key=key,
            width=190,
            format_func=names.__getitem__,
            on_change=take_choice,
            args=(f"replay_detector_{place}", key, partial(_take_detector, scene.pair, place)),
        )


def _take_detector(pair: tuple[int, ...], place: int, chosen: int) -> None:
    new = tuple(chosen if at == place else index for at, index in enumerate(pair))
    before = current_replay().thresholds
    kept = tuple(None if at == place else threshold for at, threshold in enumerate(before))
    set_replay(detectors=new, thresholds=kept)


def leave_behind(scene: Scene) -> str:
    """Return the replay as one HTML file that plays by itself."""
    key, rows = known_rows(scene)
    data: ReplayData = {
        "session": "",
        "answered": 0,
        "key": key,
        "rows": rows,
        "watched": None,
        "name": NAME,
    }
    return web.replay_page(data)


# ---- the knobs -----------------------------------------------------------------------------------


def ask_need(scene: Scene) -> None:
    """Ask what a late alarm is worth."""
    need.show_need(scene.series.step_seconds, in_words=True)


def ask_rule(scene: Scene) -> None:
    """Ask how long to wait, how long to keep quiet, and how many false calls are borne."""
    replay = scene.replay
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        ask_wait_and_cooldown(scene.step)
        key = widget_key("replay_budget", replay.budget)
        st.number_input(
            "False calls a day at most",
            0.0,
            1e6,
            replay.budget,
            0.5,
            key=key,
            width=210,
            on_change=take_choice,
            args=("replay_budget", key, lambda chosen: set_rule(budget=chosen)),
            help="Every detector is set to the threshold that earns most within this budget.",
        )
        if any(threshold is not None for threshold in replay.thresholds):
            st.button(
                "Back to the budget",
                on_click=set_replay,
                kwargs={"thresholds": (None, None)},
                help="A threshold was chosen on the map; the budget sets it anew.",
            )
    for judged in scene.shown:
        st.markdown(
            f"**{plain(judged.name)}** "
            f"{plain(operators_words.rule(judged.rule, scene.step, scene.detector(judged)))}: "
            f"{judged.outcome.found} of {judged.outcome.incidents} incidents, worth "
            f"{100 * judged.outcome.worth:.0f} %, "
            f"{operators_words.calls_a_day(judged.outcome.per_day(scene.days))} false calls a day."
        )


def show_map(scene: Scene) -> TradeMap:
    """Show what waiting buys: the trade of the first detector as a map, and its table."""
    with progress("Computing every rule") as report:
        made = operators_results.map_of(scene, report)
    first = scene.shown[0]
    for line in operators_words.trade(scene, made):
        st.markdown(plain(line))
    st.markdown(
        f"**{plain(first.name)}: threshold by waiting time.** The colour is the worth earned, the "
        "lines are false calls a day."
    )
    st.plotly_chart(
        operators_charts.rule_map(
            made,
            first.rule,
            scene.replay.budget,
            scene.days,
            scene.step,
            widgets.mode(),
            scene.detector(first).in_file,
        ),
        theme=None,
        key=MAP_KEY,
        config={"displayModeBar": False, "scrollZoom": False},
        on_select=_take_cell,
        selection_mode="points",
    )
    table = map_table(scene, made)
    numbers_behind(table, MAP_KEY, scene.replay.setting)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if made.best is not None and made.best.rule != first.rule:
            rule = made.best.rule
            st.button(
                "Replay the best rule",
                type="primary",
                on_click=_take_rule,
                args=(rule.threshold, rule.wait),
                help=operators_words.rule(rule, scene.step, scene.detector(first)),
            )
        st.caption("A click on the map replays that rule.")
    return made


def _take_cell() -> None:
    """Replay the rule of the cell that was clicked."""
    chosen = chosen_point(MAP_KEY)
    if chosen is not None:
        threshold, wait = chosen
        _take_rule(float(threshold), int(wait))


def _take_rule(threshold: float, wait: int) -> None:
    _, second = current_replay().thresholds
    set_replay(wait=wait, thresholds=(threshold, second))


def map_table(scene: Scene, made: TradeMap) -> pd.DataFrame:
    """Return every cell of the map, one row each."""
    cells = [cell for row in made.cells for cell in row]
    detector = scene.detector(scene.shown[0])
    columns: dict[str, Any] = {
        "Wait, points": [cell.rule.wait for cell in cells],
        "Threshold": [detector.in_file(cell.rule.threshold) for cell in cells],
        "Worth, %": [100 * cell.worth for cell in cells],
        "Found": [cell.found for cell in cells],
        "False calls a day": [cell.per_day(scene.days) for cell in cells],
    }
    costs = _costs(scene)
    if costs is not None:
        columns["Cost a month"] = [cell.cost(scene.days, *costs) for cell in cells]
    return pd.DataFrame(columns)


# ---- costs ---------------------------------------------------------------------------------------


def _costs(scene: Scene) -> tuple[float, float] | None:
    replay = scene.replay
    if replay.per_minute is None or replay.per_call is None:
        return None
    return replay.per_minute, replay.per_call


def ask_costs(scene: Scene, made: TradeMap) -> None:
    """Ask for costs, in any currency, and say what each rule and detector costs a month."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _cost("A minute unnoticed costs", "per_minute", scene.replay.per_minute)
        _cost("A false call costs", "per_call", scene.replay.per_call)
    costs = _costs(scene)
    if costs is None:
        st.caption("In your currency; optional. Both are needed.")
        return
    show_table(cost_table(scene, costs), [])
    for line in operators_words.costs(scene, made, costs):
        st.markdown(plain(line))


def _cost(label: str, name: str, value: float | None) -> None:
    key = widget_key(f"replay_{name}", value)
    st.number_input(
        label,
        0.0,
        1e9,
        value,
        key=key,
        width=210,
        placeholder="not said",
        on_change=take_choice,
        args=(f"replay_{name}", key, lambda chosen: set_replay(**{name: chosen})),
    )


def cost_table(scene: Scene, costs: tuple[float, float]) -> pd.DataFrame:
    """Return what each detector costs in a month, at its rule."""
    return pd.DataFrame(
        [
            {
                "Detector": judged.name,
                "Cost a month": round(judged.outcome.cost(scene.days, *costs), 2),
                "Rule": operators_words.rule(judged.rule, scene.step, scene.detector(judged)),
                "Unnoticed, minutes a month": round(
                    judged.outcome.unnoticed_seconds / 60 / scene.days * MONTH_DAYS, 1
                ),
                "False calls a month": round(judged.outcome.per_day(scene.days) * MONTH_DAYS, 1),
            }
            for judged in scene.judged
        ]
    ).sort_values("Cost a month")

"""Widgets of the page for operators."""

from __future__ import annotations

from functools import partial

import streamlit as st

from padf_core.analysis.trade_map import TradeMap
from padf_core.metrics.clock import format_duration
from padf_ui import web
from padf_ui.components import downloads, mounting, need, widgets
from padf_ui.components.names import plain
from padf_ui.components.progress import progress
from padf_ui.components.standalone import NAME
from padf_ui.components.tables import numbers_behind, show_table
from padf_ui.operators import (
    operators_charts,
    operators_results,
    operators_words,
    replay_choice,
    trade_words,
)
from padf_ui.operators.operators_tables import cost_table, known_costs, map_table
from padf_ui.operators.replay_message import known_rows, watched
from padf_ui.operators.scene import Scene, suggested_need
from padf_ui.session import links
from padf_ui.session.asks import REPLAY_KEY, answered, visit_name
from padf_ui.session.data import current_study
from padf_ui.session.need import current_need, suggest_need
from padf_ui.session.replay import (
    current_replay,
    presses,
    replayed_series,
    set_replay,
    set_rule,
    take_presses,
)
from padf_ui.session.replay_link import LINK
from padf_ui.session.settings import current_settings
from padf_ui.session.widget_values import bound, chosen_point
from padf_ui.study.options import ask_wait_and_cooldown
from padf_ui.wire.replay import ReplayData

MAP_KEY = "rule_map"


def set_up() -> Scene | None:
    """Return the scene to replay, or None if the data has no incident."""
    replay, settings = current_replay(), current_settings()
    series = replayed_series(replay, current_study())
    if not len(series.segments):
        return None
    suggest_need(suggested_need(series))
    need = current_need()
    with progress("Setting each detector to its budget") as report:
        scene = operators_results.scene_of(series, replay, settings, need, report)
    links.write(LINK)
    return scene


def show_no_incident() -> None:
    """Say that there is nothing to replay, and offer other data."""
    st.info("These data have no incident to replay.")
    replay_choice.ask_setting()


def show_replay() -> None:
    """Show the replay, with a fragment that scores the watcher."""
    mounting.stand("replay", REPLAY_KEY)
    _answer_replay()


@st.fragment
def _answer_replay() -> None:
    """Send the replay its data. The watcher's presses rerun only this fragment."""
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
    """Ask what to replay, and offer the replay as a standalone page."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        replay_choice.ask_setting()
        replay_choice.ask_incident(scene)
        replay_choice.ask_detectors(scene)
        downloads.offer(
            "Leave-behind page",
            partial(leave_behind, scene),
            f"replay-{scene.replay.setting}.html",
            "text/html",
            of=repr((scene.series.key, scene.replay, scene.decay)),
            key="leave_behind",
            icon=":material/download:",
            about="One HTML file that plays this replay offline.",
        )
    if scene.series.clock is None:
        st.caption(
            f"These data have no timestamps. One row is taken as {format_duration(scene.step)}."
        )


def leave_behind(scene: Scene) -> str:
    """Return the replay as a standalone HTML file."""
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


def ask_need(scene: Scene) -> None:
    """Ask what a late alarm is worth."""
    need.show_need(scene.series.step_seconds, in_words=True)


def ask_rule(scene: Scene) -> None:
    """Ask for the wait, the cool-down and the budget of false calls."""
    replay = scene.replay
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        ask_wait_and_cooldown(scene.step)
        st.number_input(
            "Budget: false calls per day",
            0.0,
            1e6,
            replay.budget,
            0.5,
            **bound("replay_budget", replay.budget, lambda chosen: set_rule(budget=chosen)),
            width=210,
            help="Each detector gets the threshold that earns most within this budget.",
        )
        if any(threshold is not None for threshold in replay.thresholds):
            st.button(
                "Back to the budget",
                on_click=set_replay,
                kwargs={"thresholds": (None, None)},
                help="The threshold was chosen on the map. Changing the budget sets it again.",
            )
    for judged in scene.shown:
        st.markdown(
            f"**{plain(judged.name)}** "
            f"{plain(operators_words.rule(judged.rule, scene.step, scene.detector(judged)))}: "
            f"{judged.outcome.found} of {judged.outcome.incidents} incidents, worth "
            f"{100 * judged.outcome.worth:.0f} %, "
            f"{operators_words.calls_a_day(judged.outcome.per_day(scene.days))} false calls per "
            "day."
        )


def show_map(scene: Scene) -> TradeMap:
    """Show the trade-offs of the first detector as a map and a table."""
    with progress("Computing all rules") as report:
        made = operators_results.map_of(scene, report)
    first = scene.shown[0]
    for line in trade_words.trade(scene, made):
        st.markdown(plain(line))
    st.markdown(
        f"**{plain(first.name)}: threshold by waiting time.** The colour is the worth earned, "
        "the lines are false calls per day."
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
    numbers_behind(map_table(scene, made), MAP_KEY, scene.replay.setting)
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
    """Replay the rule of the clicked cell."""
    chosen = chosen_point(MAP_KEY)
    if chosen is not None:
        threshold, wait = chosen
        _take_rule(float(threshold), int(wait))


def _take_rule(threshold: float, wait: int) -> None:
    _, second = current_replay().thresholds
    set_replay(wait=wait, thresholds=(threshold, second))


def ask_costs(scene: Scene, made: TradeMap) -> None:
    """Ask for costs, and show the monthly cost of each rule and detector."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _cost("A minute unnoticed costs", "per_minute", scene.replay.per_minute)
        _cost("A false call costs", "per_call", scene.replay.per_call)
    costs = known_costs(scene)
    if costs is None:
        st.caption("Optional, in your currency. Both costs are needed.")
        return
    show_table(cost_table(scene, costs), [])
    for line in trade_words.costs(scene, made, costs):
        st.markdown(plain(line))


def _cost(label: str, name: str, value: float | None) -> None:
    st.number_input(
        label,
        0.0,
        1e9,
        value,
        **bound(f"replay_{name}", value, lambda chosen: set_replay(**{name: chosen})),
        width=210,
        placeholder="not said",
    )

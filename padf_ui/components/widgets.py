"""Widgets shared by several pages: rules, lanes, settings files and messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from padf_core import PROTOCOLS, Settings
from padf_core.analysis.published_rules import RULES, published_rule_of
from padf_core.metrics.parameters import Choice, Number
from padf_core.metrics.settings import MAX_LANES
from padf_ui.components.names import plain
from padf_ui.session.changes import message
from padf_ui.session.data import load_settings
from padf_ui.session.settings import set_lanes, set_measure, set_settings, set_shape
from padf_ui.session.widget_values import bound
from padf_ui.web.palette import Mode

MOST_MEGABYTES = 1
"""Size limit of an uploaded file with settings, a board or a lesson."""


def mode() -> Mode:
    """Return whether the reader's theme is light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def show_message() -> None:
    """Show the message about the link, if there is one."""
    text = message()
    if text:
        st.warning(plain(text), icon=":material/link_off:")


def menu(title: str, show: Callable[[], None]) -> None:
    """Show a button that opens a popover. Its content is computed only while it is open."""
    opened = st.popover(title, key=f"menu_{title}", on_change="rerun")
    if opened.open:
        with opened:
            show()


def rule_widgets(settings: Settings) -> None:
    """Show the rules that change the meaning of the scores, protocol by protocol."""
    _published_rules(settings)
    sliders = {number.key for number in settings.numbers().values()}
    for parameter in settings.parameters():
        if isinstance(parameter, Choice) and parameter.is_flag and parameter.is_quiet:
            _flag(parameter, settings[parameter.key])
        elif isinstance(parameter, Choice):
            _choice(parameter, settings[parameter.key])
        elif parameter.key not in sliders:
            _number(parameter, settings[parameter.key])


def _choice(parameter: Choice, value: str | bool) -> None:
    options = {option.value: option for option in parameter.options}

    def take(chosen: Any) -> None:
        if parameter.key == "shape":
            set_shape(chosen)
        elif parameter.key == "measure":
            set_measure(chosen)
        else:
            set_settings(**{parameter.key: chosen})

    st.radio(
        parameter.title,
        list(options),
        index=list(options).index(value),
        **bound(parameter.key, value, take),
        format_func=lambda option: options[option].title,
        captions=[option.about for option in parameter.options],
    )


def _flag(parameter: Choice, value: bool) -> None:
    """Show a rarely used yes/no option as a checkbox."""
    st.checkbox(
        parameter.title,
        value,
        **bound(parameter.key, value, lambda chosen: set_settings(**{parameter.key: chosen})),
        help=" ".join(option.about for option in parameter.options),
    )


def _number(parameter: Number, value: float) -> None:
    """Show an input for a number that has no slider."""
    low, high = parameter.limits
    st.number_input(
        f"{parameter.title[0].upper()}{parameter.title[1:]}",
        float(low),
        float(high),
        float(value),
        **bound(parameter.key, value, lambda chosen: set_settings(**{parameter.key: chosen})),
        help=f"{parameter.help}; {parameter.rule}",
    )


def _published_rules(settings: Settings) -> None:
    """Offer published delay-aware rules under their common names."""
    known = {rule.key: rule for rule in RULES}
    now = published_rule_of(settings)

    def take(chosen: str | None) -> None:
        if chosen is not None:
            set_settings(**known[chosen].values)

    st.selectbox(
        "A published rule",
        list(known),
        index=list(known).index(now.key) if now else None,
        **bound("rule_name", now.key if now else None, take),
        placeholder="none (custom settings)",
        format_func=lambda rule: known[rule].title,
        help="The decay curve is as published. False alarms count as in PAdf.",
    )
    if now is not None:
        st.caption(now.source)


def lane_widget(settings: Settings) -> None:
    """Offer the reference protocols as extra lanes, and describe every lane."""
    references = [key for key, protocol in PROTOCOLS.items() if protocol.is_reference]
    shown = list(settings.lanes)
    st.multiselect(
        "Add a lane",
        references,
        default=shown,
        **bound("lanes", shown, set_lanes),
        format_func=lambda lane: PROTOCOLS[lane].name,
        max_selections=MAX_LANES - (len(PROTOCOLS) - len(references)),
        placeholder="reference protocols",
    )
    for protocol in PROTOCOLS.values():
        if not protocol.is_reference or protocol.key in settings.lanes:
            st.markdown(f"**{protocol.name}.** {protocol.about}")
            st.latex(protocol.latex)


def settings_file() -> None:
    """Let the user load settings from a file."""
    file_form("Settings from a file (JSON)", "Use them", load_settings, "The settings stay")


def file_form(label: str, button: str, take: Callable[[bytes], None], stays: str) -> None:
    """Load a small JSON file, or show what is wrong with it.

    The size is checked here again because only the browser enforces the uploader's limit.
    """
    with st.form(label, border=False, clear_on_submit=True):
        saved = st.file_uploader(label, type=["json"], max_upload_size=MOST_MEGABYTES)
        is_asked = st.form_submit_button(button)
        if is_asked and saved is None:
            st.warning("Choose a file first.")
        elif saved is not None and is_asked:
            try:
                if saved.size > MOST_MEGABYTES << 20:
                    raise ValueError(f"is larger than {MOST_MEGABYTES} MB, the most that is read")
                take(saved.getvalue())
            except ValueError as error:
                st.error(plain(f"{saved.name}: {error}. {stays} as before."))
            else:
                st.rerun()

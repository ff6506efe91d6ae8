"""Link to a replay: reading and writing its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from padf_core import Settings
from padf_core.analysis.choosing import need_of
from padf_core.metrics.alerts import LONGEST_WAIT
from padf_ui.session.changes import put_message
from padf_ui.session.data import current_study
from padf_ui.session.link_parts import SETTINGS as LINKED_SETTINGS
from padf_ui.session.link_parts import Link, Part, number, number_of, one_of, read_place, whole
from padf_ui.session.need import current_need, set_need
from padf_ui.session.replay import (
    SETTINGS,
    UPLOADED,
    Replay,
    Threshold,
    current_replay,
    fitted,
    put_replay,
    replayed_series,
)
from padf_ui.session.settings import current_settings, put_settings

_NUMBERS = ("wait", "cooldown", "budget", "per_minute", "per_call")
_USUAL = Replay()


def _now() -> dict[str, Any]:
    """Return the replay with settings that contain its need."""
    study = current_study()
    return link_values(
        current_replay(),
        current_settings().replace(**current_need().values),
        study.fingerprint if study else None,
    )


def link_values(replay: Replay, settings: Settings, fingerprint: str | None) -> dict[str, Any]:
    """Return the values of a link to a replay. ``fingerprint`` identifies uploaded data."""
    return {
        LINKED_SETTINGS: settings,
        "of": replay.setting,
        "data": fingerprint if replay.setting == UPLOADED else None,
        "incident": replay.incident,
        "detectors": replay.detectors,
        "at": replay.thresholds,
        **{name: getattr(replay, name) for name in _NUMBERS},
    }


def replay_of(values: Mapping[str, Any]) -> Replay:
    """Return the replay of a link. Raise ValueError if it is invalid."""
    return Replay(
        values["of"],
        values["incident"],
        values["detectors"],
        values["at"],
        **{name: values[name] for name in _NUMBERS},
    )


def _take(values: Mapping[str, Any]) -> Sequence[str]:
    read, settings = replay_of(values), values[LINKED_SETTINGS]
    now, data = current_study(), values["data"]
    is_here = read.setting != UPLOADED or (now is not None and data in (None, now.fingerprint))
    if settings is not None:
        _take_need(settings)
    if not is_here:
        put_replay(_USUAL)
        put_message(
            "This link was made for data that are not loaded. Upload them on Your data and open "
            "the link again. A sample is shown instead."
        )
        return ()
    fitting, left = fitted(read, replayed_series(read, now))
    put_replay(fitting)
    return left


def _take_need(linked: Settings) -> None:
    """Show the need of a link without changing the decay on other pages."""
    need = need_of(linked)
    if need is None:
        put_settings(linked)
    else:
        kept = {name: linked[name] for name in ("precision", "weight")}
        put_settings(current_settings().replace(**kept))
        set_need(need)


def _refuse() -> str:
    put_replay(_USUAL)
    return "The default replay is shown instead."


def _read_incident(written: str) -> int | str:
    return "all" if written == "all" else read_place(written, "incident")


def _write_incident(incident: int | str) -> str:
    return "all" if isinstance(incident, str) else str(incident + 1)


def _read_detectors(written: str) -> tuple[int, ...]:
    places = tuple(read_place(each, "detectors") for each in written.split("_"))
    if len(places) > 2 or len(set(places)) != len(places):
        raise ValueError("detectors must be two different ones")
    return places


def _read_thresholds(written: str) -> tuple[Threshold, ...]:
    parts = written.split("~")
    if len(parts) != 2:
        raise ValueError(f"at must be two thresholds; got {written!r:.40}")
    return tuple(_read_threshold(part) for part in parts)


def _read_threshold(written: str) -> Threshold:
    if not written:
        return None
    return inf if written == "inf" else number_of(written, "at")


LINK = Link(
    parts=(
        one_of("of", _USUAL.setting, lambda: (*SETTINGS, UPLOADED), is_always_written=True),
        Part("data", None, str, example="0123456789abcdef"),
        Part("incident", None, _read_incident, _write_incident, example="3"),
        Part(
            "detectors",
            None,
            _read_detectors,
            lambda places: "_".join(str(place + 1) for place in places),
            example="2_1",
        ),
        Part(
            "at",
            (None, None),
            _read_thresholds,
            lambda both: "~".join("" if each is None else repr(each) for each in both),
            example="0.5~",
        ),
        whole("wait", _USUAL.wait, 1, LONGEST_WAIT),
        whole("cooldown", _USUAL.cooldown, 0, LONGEST_WAIT),
        number("budget", _USUAL.budget, 0, 1e9),
        number("per_minute", None, 0, 1e9),
        number("per_call", None, 0, 1e9),
    ),
    has_settings=True,
    now=_now,
    take=_take,
    refuse=_refuse,
)


def link_query(replay: Replay, settings: Settings, fingerprint: str | None) -> dict[str, str]:
    """Return the query parameters of a link to a replay."""
    return LINK.encode(link_values(replay, settings, fingerprint))

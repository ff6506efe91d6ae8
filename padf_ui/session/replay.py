"""What is replayed for operators: data, incident, detectors, alert rule, budget, and its link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Literal

from padf_core import Settings
from padf_core.analysis.choosing import need_of
from padf_core.io.series import Series
from padf_core.metrics.alerts import LONGEST_WAIT
from padf_ui.session.data import current_study
from padf_ui.session.links import (
    SETTINGS as LINKED_SETTINGS,
)
from padf_ui.session.links import Link, Part, number, number_of, one_of, read_place, whole
from padf_ui.session.settings import (
    current_need,
    current_settings,
    put_settings,
    set_need,
)
from padf_ui.session.store import (
    REPLAY_KEY,
    Slot,
    atomic,
    mark_changed,
    put_message,
    take_ask,
)
from padf_ui.session.study import Study, load_sample
from padf_ui.wire.asks import ReplayAsk

UPLOADED = "data"
"""The setting of uploaded data."""

SETTINGS: dict[str, str] = {
    "web_service": "Web shop",
    "pump": "Water pump",
    "ad_bidding": "Ad bidding",
    "nab_taxi": "New York taxis (real)",
    "nab_latency": "Cloud service (real)",
}
"""The samples that can be replayed, as operators call them."""

SIGNALS: dict[str, str] = {
    "web_service": "requests a second",
    "pump": "vibration",
    "ad_bidding": "bids a second",
    "nab_taxi": "passengers in half an hour",
    "nab_latency": "latency of requests",
}
"""What was monitored there."""

Threshold = float | None
"""A threshold that was chosen, or None for the one that earns most within the budget."""


@dataclass(frozen=True)
class Replay:
    """What was chosen; None everywhere stands for what tells most."""

    setting: str = "web_service"
    incident: int | Literal["all"] | None = None
    detectors: tuple[int, ...] | None = None
    """The two that run side by side; fewer where there are fewer."""
    thresholds: tuple[Threshold, Threshold] = (None, None)
    wait: int = 1
    cooldown: int = 0
    """Both in points."""
    budget: float = 1.0
    """False calls a day."""
    per_minute: float | None = None
    """What a minute costs in which an incident goes unnoticed."""
    per_call: float | None = None
    """What a false call costs."""

    def __post_init__(self) -> None:
        if self.setting not in (*SETTINGS, UPLOADED):
            raise ValueError(f"of must be among {', '.join((*SETTINGS, UPLOADED))}")
        for name, given in (("budget", self.budget), *self._costs.items()):
            if not 0 <= given <= 1e9:
                raise ValueError(f"{name} must be from 0 to a billion; got {given:g}")
        for name, points, least in (("wait", self.wait, 1), ("cooldown", self.cooldown, 0)):
            if not least <= points <= LONGEST_WAIT:
                raise ValueError(f"{name} must be from {least} to {LONGEST_WAIT:,}; got {points}")

    @property
    def _costs(self) -> dict[str, float]:
        given = {"per_minute": self.per_minute, "per_call": self.per_call}
        return {name: cost for name, cost in given.items() if cost is not None}

    def of(self, setting: str) -> Replay:
        """Return the same rule and budget on other data."""
        return replace(self, setting=setting, incident=None, detectors=None, thresholds=(None,) * 2)


def replayed_series(replay: Replay, uploaded: Study | None) -> Series:
    """Return the data that are replayed; real samples begin where incidents were labelled."""
    if replay.setting == UPLOADED and uploaded is not None:
        return uploaded.series
    return load_sample(replay.setting, Settings(), moved=True).series


# ---- the replay of a visit -----------------------------------------------------------------------

_REPLAY: Slot[Replay] = Slot("padf_replay", Replay)
_PRESSES: Slot[tuple[str, list[list[float]]] | None] = Slot("padf_presses", lambda: None)


def current_replay() -> Replay:
    """Return what is replayed."""
    return _REPLAY.get()


@atomic
def put_replay(new: Replay) -> None:
    """Replay something else, or by another rule."""
    _REPLAY.put(new)
    _PRESSES.forget()
    mark_changed()


@atomic
def set_replay(**changes: Any) -> None:
    """Change what is replayed; raises ValueError when it cannot be."""
    put_replay(replace(current_replay(), **changes))


@atomic
def set_rule(**changes: Any) -> None:
    """Change wait, cool-down or budget; thresholds follow the budget again."""
    set_replay(**changes, thresholds=(None, None))


@atomic
def set_replayed(setting: str) -> None:
    """Replay other data by the same rule."""
    put_replay(current_replay().of(setting))


def presses(key: str) -> list[list[float]] | None:
    """Return when the watcher pressed in a replay, clip by clip, if it was asked."""
    known = _PRESSES.get()
    return known[1] if known is not None and known[0] == key else None


@atomic
def take_presses() -> None:
    """Take the watcher's presses."""
    ask = take_ask(REPLAY_KEY, ReplayAsk)
    if ask is not None:
        clips = [[float(seconds) for seconds in clip] for clip in ask["presses"]]
        _PRESSES.put((ask["key"], clips))


# ---- links ---------------------------------------------------------------------------------------


def _now() -> dict[str, Any]:
    """Return the replay with the settings that hold its need."""
    study = current_study()
    return link_values(
        current_replay(),
        current_settings().replace(**current_need().values),
        study.fingerprint if study else None,
    )


def link_values(replay: Replay, settings: Settings, fingerprint: str | None) -> dict[str, Any]:
    """Return what a link to a replay holds; ``fingerprint`` is that of uploaded data."""
    return {
        LINKED_SETTINGS: settings,
        "of": replay.setting,
        "data": fingerprint if replay.setting == UPLOADED else None,
        "incident": replay.incident,
        "detectors": replay.detectors,
        "at": replay.thresholds,
        **{name: getattr(replay, name) for name in _NUMBERS},
    }


_NUMBERS = ("wait", "cooldown", "budget", "per_minute", "per_call")


def replay_of(values: Mapping[str, Any]) -> Replay:
    """Return the replay of a link; raises ValueError when it cannot be."""
    return Replay(
        values["of"],
        values["incident"],
        values["detectors"],
        values["at"],
        **{name: values[name] for name in _NUMBERS},
    )


def _take(values: Mapping[str, Any]) -> Sequence[str]:
    read, told = replay_of(values), values[LINKED_SETTINGS]
    now, data = current_study(), values["data"]
    is_here = read.setting != UPLOADED or (now is not None and data in (None, now.fingerprint))
    if told is not None:
        _take_told_need(told)
    if not is_here:
        put_replay(Replay())
        put_message(
            "This link was made for data that are not here: upload them on Your data, and open it "
            "again. A sample is shown instead."
        )
        return ()
    fitting, left = fitted(read, replayed_series(read, now))
    put_replay(fitting)
    return left


def fitted(replay: Replay, series: Series) -> tuple[Replay, list[str]]:
    """Return a replay without what these data do not hold, and say what that was."""
    incidents, count = len(series.segments), len(series.detectors)
    left = []
    if isinstance(replay.incident, int) and replay.incident >= incidents:
        left.append(f"incident {replay.incident + 1} (there are {incidents})")
        replay = replace(replay, incident=None)
    absent = [place for place in replay.detectors or () if place >= count]
    if absent:
        left += [f"detector {place + 1} (there are {count})" for place in absent]
        kept = tuple(place for place in replay.detectors or () if place < count)
        # A threshold belongs to a place in the pair, and the places have moved.
        replay = replace(replay, detectors=kept or None, thresholds=(None, None))
    return replay, left


def _take_told_need(told: Settings) -> None:
    """Think over the need of a link; what is in use on other pages keeps its decay."""
    said = need_of(told)
    if said is None:
        put_settings(told)
    else:
        put_settings(current_settings().replace(precision=told["precision"], weight=told["weight"]))
        set_need(said)


def _refuse() -> str:
    put_replay(Replay())
    return "The usual replay is shown instead."


def _read_incident(said: str) -> int | str:
    return "all" if said == "all" else read_place(said, "incident")


def _write_incident(incident: int | str) -> str:
    return "all" if isinstance(incident, str) else str(incident + 1)


def _read_detectors(said: str) -> tuple[int, ...]:
    places = tuple(read_place(each, "detectors") for each in said.split("_"))
    if len(places) > 2 or len(set(places)) != len(places):
        raise ValueError("detectors must be two different ones")
    return places


def _read_thresholds(said: str) -> tuple[Threshold, ...]:
    parts = said.split("~")
    if len(parts) != 2:
        raise ValueError(f"at must be two thresholds; got {said!r:.40}")
    return tuple(_read_threshold(part) for part in parts)


def _read_threshold(said: str) -> Threshold:
    if not said:
        return None
    return inf if said == "inf" else number_of(said, "at")


_USUAL = Replay()

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
    """Return a link to a replay by its parts."""
    return LINK.encode(link_values(replay, settings, fingerprint))

"""What is replayed for operators: data, incident, detectors, alert rule and budget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from padf_core import Settings
from padf_core.io.series import Series
from padf_core.metrics.alerts import LONGEST_WAIT
from padf_ui.session.asks import REPLAY_KEY, take_ask
from padf_ui.session.changes import mark_changed
from padf_ui.session.store import Slot, atomic
from padf_ui.session.study import Study, sample_study
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
    return sample_study(replay.setting, Settings(), moved=True).series


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

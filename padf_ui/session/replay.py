"""Replay for operators: data, incident, detectors, alert rule and budget."""

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
"""Key of uploaded data."""

SETTINGS: dict[str, str] = {
    "web_service": "Web shop",
    "pump": "Water pump",
    "ad_bidding": "Ad bidding",
    "nab_taxi": "New York taxis (real)",
    "nab_latency": "Cloud service (real)",
}
"""Samples that can be replayed, with names that operators understand."""

SIGNALS: dict[str, str] = {
    "web_service": "requests per second",
    "pump": "vibration",
    "ad_bidding": "bids per second",
    "nab_taxi": "passengers per half hour",
    "nab_latency": "latency of requests",
}
"""The monitored signals of these samples."""

Threshold = float | None
"""A chosen threshold, or None for the one that earns most within the budget."""


@dataclass(frozen=True)
class Replay:
    """Choices for a replay. None means the most instructive option."""

    setting: str = "web_service"
    incident: int | Literal["all"] | None = None
    detectors: tuple[int, ...] | None = None
    """Indices of the two detectors to show side by side, or of one if there is only one."""
    thresholds: tuple[Threshold, Threshold] = (None, None)
    wait: int = 1
    cooldown: int = 0
    """Wait and cool-down, in points."""
    budget: float = 1.0
    """False calls per day."""
    per_minute: float | None = None
    """Cost of a minute in which an incident goes unnoticed."""
    per_call: float | None = None
    """Cost of a false call."""

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
        """Return the same rule and budget for other data."""
        return replace(self, setting=setting, incident=None, detectors=None, thresholds=(None,) * 2)


def replayed_series(replay: Replay, uploaded: Study | None) -> Series:
    """Return the data to replay. Incidents of real samples begin at the labelled moment."""
    if replay.setting == UPLOADED and uploaded is not None:
        return uploaded.series
    return sample_study(replay.setting, Settings(), moved=True).series


_REPLAY: Slot[Replay] = Slot("padf_replay", Replay)
_PRESSES: Slot[tuple[str, list[list[float]]] | None] = Slot("padf_presses", lambda: None)


def current_replay() -> Replay:
    """Return the current replay."""
    return _REPLAY.get()


@atomic
def put_replay(new: Replay) -> None:
    """Set the replay, and discard the watcher's presses."""
    _REPLAY.put(new)
    _PRESSES.forget()
    mark_changed()


@atomic
def set_replay(**changes: Any) -> None:
    """Change parts of the replay. Raise ValueError if they are invalid."""
    put_replay(replace(current_replay(), **changes))


@atomic
def set_rule(**changes: Any) -> None:
    """Change wait, cool-down or budget. Thresholds follow the budget again."""
    set_replay(**changes, thresholds=(None, None))


@atomic
def set_replayed(setting: str) -> None:
    """Replay other data with the same rule."""
    put_replay(current_replay().of(setting))


def presses(key: str) -> list[list[float]] | None:
    """Return the watcher's presses in a replay, clip by clip, or None if there are none."""
    known = _PRESSES.get()
    return known[1] if known is not None and known[0] == key else None


@atomic
def take_presses() -> None:
    """Store the watcher's presses."""
    ask = take_ask(REPLAY_KEY, ReplayAsk)
    if ask is not None:
        clips = [[float(seconds) for seconds in clip] for clip in ask["presses"]]
        _PRESSES.put((ask["key"], clips))


def fitted(replay: Replay, series: Series) -> tuple[Replay, list[str]]:
    """Remove choices that do not exist in the data, and describe them."""
    incidents, count = len(series.segments), len(series.detectors)
    left = []
    if isinstance(replay.incident, int) and replay.incident >= incidents:
        left.append(f"incident {replay.incident + 1} (there are {incidents})")
        replay = replace(replay, incident=None)
    absent = [place for place in replay.detectors or () if place >= count]
    if absent:
        left += [f"detector {place + 1} (there are {count})" for place in absent]
        kept = tuple(place for place in replay.detectors or () if place < count)
        # A threshold belongs to a position in the pair, and the positions have changed.
        replay = replace(replay, detectors=kept or None, thresholds=(None, None))
    return replay, left

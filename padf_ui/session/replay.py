"""What is replayed for operators: data, incident, two detectors, alert rule and budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any, Literal

from padf_core import Settings
from padf_core.metrics.alerts import LONGEST_WAIT
from padf_core.metrics.settings import every_parameter
from padf_ui.session import links

BROUGHT = "data"
"""The setting of data that somebody brought."""

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

MOST_CLIPS = 60
"""So many incidents are replayed in a row at most."""

MOST_PRESSES = 100
"""So many times a watcher may press in one clip."""

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
        if self.setting not in (*SETTINGS, BROUGHT):
            raise ValueError(f"of must be among {', '.join((*SETTINGS, BROUGHT))}")
        for name, number in (("budget", self.budget), *self._costs.items()):
            if not 0 <= number <= 1e9:
                raise ValueError(f"{name} must be from 0 to a billion; got {number:g}")
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


def to_query(replay: Replay, settings: Settings, fingerprint: str | None) -> dict[str, str]:
    """Return a replay and its need as readable link parameters; what is usual is left out."""
    query = {**settings.to_query(), "of": replay.setting}
    if replay.setting == BROUGHT and fingerprint:
        query["data"] = fingerprint
    if replay.incident is not None:
        shown = "all" if replay.incident == "all" else str(replay.incident + 1)
        query["incident"] = shown
    if replay.detectors is not None:
        query["detectors"] = "_".join(str(index + 1) for index in replay.detectors)
    if any(threshold is not None for threshold in replay.thresholds):
        query["at"] = "~".join("" if t is None else repr(t) for t in replay.thresholds)
    usual = Replay()
    for name in ("wait", "cooldown", "budget", "per_minute", "per_call"):
        value = getattr(replay, name)
        if value != getattr(usual, name):
            query[name] = f"{value:.12g}"
    return query


def from_query(query: Mapping[str, Any]) -> tuple[Replay, Settings | None, str | None]:
    """Read a link: the replay, its settings if it has any, and the data that it was made for.

    Anything unreadable is a ValueError that says which part.
    """
    names = ("of", "incident", "detectors", "at", "data")
    texts = {name: links.text_of(query.get(name, ""), name) for name in names}
    given: dict[str, Any] = {}
    if texts["of"]:
        given["setting"] = texts["of"]
    if texts["incident"]:
        is_all = texts["incident"] == "all"
        given["incident"] = "all" if is_all else _place(texts["incident"], "incident")
    if texts["detectors"]:
        places = tuple(_place(text, "detectors") for text in texts["detectors"].split("_"))
        if len(places) > 2 or len(set(places)) != len(places):
            raise ValueError("detectors must be two different ones")
        given["detectors"] = places
    if texts["at"]:
        parts = texts["at"].split("~")
        if len(parts) != 2:
            raise ValueError(f"at must be two thresholds; got {texts['at']!r:.40}")
        given["thresholds"] = tuple(_threshold(part) for part in parts)
    for name in ("wait", "cooldown", "budget", "per_minute", "per_call"):
        if name in query:
            number = links.number_of(links.text_of(query[name], name), name)
            whole = name in ("wait", "cooldown")
            if whole and number != int(number):
                raise ValueError(f"{name} must be a whole number; got {number:g}")
            given[name] = int(number) if whole else number
    has_settings = any(each.link in query for each in every_parameter())
    settings = links.read_settings(query) if has_settings else None
    return Replay(**given), settings, texts["data"] or None


def _place(text: str, name: str) -> int:
    """Read a number that counts from 1 as one that counts from 0."""
    if not text.isdecimal() or len(text) > 9 or int(text) < 1:
        raise ValueError(f"{name} must be a whole number from 1; got {text!r:.40}")
    return int(text) - 1


def _threshold(text: str) -> Threshold:
    if not text:
        return None
    if text == "inf":
        return inf
    number = links.number_of(text, "at")
    assert isfinite(number)
    return number

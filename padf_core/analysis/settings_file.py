"""Read and write settings files, which the pages and the `padf` command share."""

from __future__ import annotations

import json
from typing import Any

from padf_core.analysis.choosing import Need
from padf_core.metrics.settings import Settings

SETTINGS_FORMAT = "padf-settings-1"


def settings_to_json(
    settings: Settings,
    need: Need | None = None,
    step: float | None = None,
    data: tuple[str, str] | None = None,
) -> str:
    """Return settings as the text of a settings file.

    ``data`` is the name and the fingerprint of the series on which they were chosen.
    """
    content: dict[str, Any] = {"format": SETTINGS_FORMAT, "settings": settings.to_dict()}
    if need is not None:
        content["need"] = {"kind": need.kind, "seconds": need.seconds, "share": need.share}
        content["step_seconds"] = step
    if data is not None:
        content["chosen_on"] = {"name": data[0], "fingerprint": data[1]}
    return json.dumps(content, indent=1) + "\n"


def chosen_on(content: str | bytes) -> tuple[str, str] | None:
    """Return the name and the fingerprint of the series for which a settings file was made.

    >>> chosen_on(settings_to_json(Settings(), data=("pump.csv", "0a1b2c3d")))
    ('pump.csv', '0a1b2c3d')
    """
    try:
        chosen = json.loads(content).get("chosen_on")
        return str(chosen["name"]), str(chosen["fingerprint"])
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        return None


def settings_from_json(content: str | bytes) -> Settings:
    """Read what `settings_to_json` wrote.

    >>> settings_from_json(settings_to_json(Settings(decay=0.5, k=30)))
    Settings(k=30.0, decay=0.5)
    """
    try:
        read = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("this is not a JSON file") from None
    if not isinstance(read, dict) or read.get("format") != SETTINGS_FORMAT:
        raise ValueError(f'this is not a settings file: "format" must be "{SETTINGS_FORMAT}"')
    if not isinstance(read.get("settings"), dict):
        raise ValueError("settings must be an object")
    return Settings.from_dict(read["settings"])

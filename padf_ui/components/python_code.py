"""Python code that recreates the protocols of the current settings."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from padf_core import Settings


def python_of(made: object) -> str:
    """Return the call that creates a protocol or a decay.

    >>> from padf_core import PointAdjustK
    >>> python_of(PointAdjustK(k=30))
    'padf.PointAdjustK(k=30, inclusive=False)'
    >>> python_of(PointAdjustK(k=0.5, fractional_percent=True))
    'padf.PointAdjustK(k=0.5, inclusive=False, fractional_percent=True)'
    """
    if isinstance(made, float) and made == int(made):
        return str(int(made))
    if not is_dataclass(made):
        return repr(made)
    # Fields that are not compared are written only when they differ from their default.
    inside = ", ".join(
        f"{each.name}={python_of(value)}"
        for each in fields(made)
        if (value := getattr(made, each.name)) != each.default or each.compare
    )
    return f"padf.{type(made).__name__}({inside})"


def python_protocols(settings: Settings) -> str:
    """Return the code that creates the shown protocols."""
    lines = "\n".join(f"    {python_of(protocol)}," for protocol in settings.protocols())
    return f"protocols = [\n{lines}\n]"

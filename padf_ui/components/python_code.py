"""Settings as lines of Python that make the same protocols."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from padf_core import Settings


def python_of(made: object) -> str:
    """Write a protocol or a decay as the call that makes it.

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
    # What does not tell protocols apart is only said where it has to be.
    inside = ", ".join(
        f"{each.name}={python_of(value)}"
        for each in fields(made)
        if (value := getattr(made, each.name)) != each.default or each.compare
    )
    return f"padf.{type(made).__name__}({inside})"


def python_protocols(settings: Settings) -> str:
    """Return the lines that make the protocols that are shown."""
    lines = "\n".join(f"    {python_of(protocol)}," for protocol in settings.protocols())
    return f"protocols = [\n{lines}\n]"

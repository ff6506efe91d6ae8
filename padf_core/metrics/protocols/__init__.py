"""All protocols; to add one, add a file in this folder and a line in `PROTOCOLS`."""

from __future__ import annotations

from importlib import import_module

from padf_core.metrics.protocols.base import (
    KEEPS_DETECTIONS,
    Late,
    Look,
    Protocol,
    Tally,
    check_protocol,
    check_protocols,
)
from padf_core.metrics.protocols.composite import Composite
from padf_core.metrics.protocols.event_wise import EventWise
from padf_core.metrics.protocols.point_adjust import PointAdjust
from padf_core.metrics.protocols.point_adjust_decay import PointAdjustDecay, PrecisionConvention
from padf_core.metrics.protocols.point_adjust_k import PointAdjustK
from padf_core.metrics.protocols.pointwise import Pointwise

__all__ = [
    "KEEPS_DETECTIONS",
    "PROTOCOLS",
    "Composite",
    "EventWise",
    "Late",
    "Look",
    "PointAdjust",
    "PointAdjustDecay",
    "PointAdjustK",
    "Pointwise",
    "PrecisionConvention",
    "Protocol",
    "Tally",
    "check_protocol",
    "check_protocols",
]


def _protocol_in(file: str) -> type[Protocol]:
    """Return the protocol defined in a file of this folder."""
    module = import_module(f"{__name__}.{file}")
    (found,) = (
        made
        for made in vars(module).values()
        if isinstance(made, type)
        and issubclass(made, Protocol)
        and made.__module__ == module.__name__
    )
    return found


PROTOCOLS: dict[str, type[Protocol]] = {
    protocol.key: protocol
    for protocol in map(
        _protocol_in,
        (
            "pointwise",
            "point_adjust",
            "point_adjust_k",
            "point_adjust_decay",
            "composite",
            "event_wise",
        ),
    )
}
"""Every protocol by key, in display order."""

"""The public names of `padf_core` under a shorter name: ``import padf``."""

from typing import TYPE_CHECKING, Any

import padf_core
from padf_core import __all__, __version__

if TYPE_CHECKING:
    from padf_core import *  # noqa: F403

__all__ = [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    return getattr(padf_core, name)


def __dir__() -> list[str]:
    return dir(padf_core)

"""Public names of `padf_core`, available as ``import padf``."""

from typing import TYPE_CHECKING

from padf_core import __all__, __dir__, __getattr__, __version__  # noqa: F401

if TYPE_CHECKING:
    from padf_core import *  # noqa: F403

__all__ = [*__all__, "__version__"]

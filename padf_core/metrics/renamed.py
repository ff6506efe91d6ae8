"""Support old names of arguments and fields for one release, with a warning."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from warnings import warn

Made = TypeVar("Made")


def renamed(old: str, new: str) -> Callable[[Made], Made]:
    """Accept an argument of a function, or a field of a class, under its old name as well."""

    def wrap(made: Made) -> Made:
        function: Any = made.__init__ if isinstance(made, type) else made  # type: ignore[misc]
        owner = getattr(made, "__name__", "")

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            if old in kwargs:
                if new in kwargs:
                    raise TypeError(f"{owner} got both {old} and {new}, which are the same")
                _say(owner, old, new)
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        if not isinstance(made, type):
            return called  # type: ignore[return-value]

        def field(self: Any) -> Any:
            _say(owner, old, new)
            return getattr(self, new)

        made.__init__ = called  # type: ignore[misc]
        setattr(made, old, property(field))
        return made

    return wrap


def _say(owner: str, old: str, new: str) -> None:
    warn(f"{owner}: {old} is now called {new}", DeprecationWarning, stacklevel=3)

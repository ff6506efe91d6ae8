"""Results as tables and pictures, for those who have pandas (and plotly) at hand.

Neither is loaded until somebody asks: `import padf_core` stays with numpy.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any


class Framed:
    """A result that can be written as a table."""

    @abstractmethod
    def columns(self) -> Mapping[str, Any]:
        """Return the table, column by column."""

    def to_frame(self) -> Any:
        """Return the result as a pandas DataFrame."""
        return import_module("pandas").DataFrame(dict(self.columns()))

    def _repr_html_(self) -> str:
        """Show the table in a notebook."""
        shown: str = self.to_frame()._repr_html_()
        return shown


class Plotted(Framed):
    """A result that can be drawn as well."""

    @abstractmethod
    def axes(self) -> tuple[str, list[str]]:
        """Return the column of the x-axis and those that are drawn over it."""

    def plot(self) -> Any:
        """Return the result as a plotly figure; pandas and plotly must be installed."""
        x, y = self.axes()
        return self.to_frame().plot(x=x, y=y, backend="plotly")

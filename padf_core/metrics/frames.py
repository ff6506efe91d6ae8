"""Convert results to tables and figures, if pandas (and plotly) are installed.

They are imported only on request, so `import padf_core` needs numpy only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import Any


class Framed:
    """A result that can be converted to a table."""

    @abstractmethod
    def columns(self) -> Mapping[str, Any]:
        """Return the table as a mapping of columns."""

    def to_frame(self) -> Any:
        """Return the result as a pandas DataFrame."""
        return import_module("pandas").DataFrame(dict(self.columns()))

    def _repr_html_(self) -> str:
        """Render the table in a notebook."""
        shown: str = self.to_frame()._repr_html_()
        return shown


class Plotted(Framed):
    """A result that can also be plotted."""

    @abstractmethod
    def axes(self) -> tuple[str, list[str]]:
        """Return the column of the x-axis, and the columns to plot over it."""

    def plot(self) -> Any:
        """Plot the result as a plotly figure; pandas and plotly must be installed."""
        x, y = self.axes()
        return self.to_frame().plot(x=x, y=y, backend="plotly")

"""Read the labels and onset moments of a corpus from separate files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from padf_core.corpus.formats import Formats
from padf_core.corpus.paths import (
    TABLE_ENDINGS,
    list_files,
    stem_of,
)
from padf_core.corpus.plan import (
    ScoreFile,
)
from padf_core.io.errors import TableError
from padf_core.io.file_parts import LARGEST_JSON, read_interval_file, read_json
from padf_core.io.labels import Windows, read_moment_lines
from padf_core.io.sources import Source


class Beside:
    """Labels and onset moments that are stored in separate files."""

    def __init__(
        self, labels: str | Path | None, onsets: str | Path | None, formats: Formats
    ) -> None:
        self.formats = formats
        self.notices: list[str] = []
        """Guesses about windows and moments, to be reported."""
        self._of_labels = Formats(formats.options, holds_labels=True)
        self.windows = self.moments = None
        self.tables: dict[str, list[Path]] | None = None
        if labels is not None and Path(labels).suffix.lower() == ".json":
            self.windows = _said_in(labels)
        elif labels is not None:
            self.tables = {}
            for path in list_files([labels]):
                if path.name.lower().endswith(TABLE_ENDINGS):
                    self.tables.setdefault(stem_of(path.name), []).append(path)
        if onsets is not None:
            self.moments = _said_in(onsets)
            if not self.moments.are_moments:
                raise TableError(f"{onsets}: must have a list of moments for each file")

    def look_among(self, files: Sequence[Path], series: Iterable[str]) -> list[Path]:
        """Use tables named like a series as its labels, and return the other files."""
        wanted = {name.rsplit("/", 1)[-1] for name in series}
        tables = [path for path in files if path.name.lower().endswith(TABLE_ENDINGS)]
        found = [path for path in tables if stem_of(path.name) in wanted]
        if found:
            self.tables = {}
            for path in found:
                self.tables.setdefault(stem_of(path.name), []).append(path)
        return [path for path in files if path not in found]

    @property
    def columns(self) -> set[str]:
        """All columns of the inspected files."""
        return self.formats.columns | self._of_labels.columns

    def of(
        self, series: str, every: Collection[str]
    ) -> tuple[ScoreFile | None, Windows | None, Windows | None]:
        """Return the label table of a series, its windows and its moments.

        ``every`` holds the names of all series in the corpus.
        """
        moments = None if self.moments is None else self._only(self.moments, series, every)
        if self.windows is not None:
            return None, self._only(self.windows, series, every), moments
        if self.tables is None:
            return None, None, moments
        found = self.tables.get(series) or self.tables.get(series.rsplit("/", 1)[-1]) or []
        if len(found) > 1:
            inside = [path for path in found if series.split("/")[0] in path.parts]
            found = inside if len(inside) == 1 else found
        if len(found) != 1:
            which = "no" if not found else f"{len(found)}"
            raise TableError(f"{which} file of labels has its name")
        intervals = read_interval_file(Source.at(found[0]))
        if intervals is not None:
            return None, self._only(intervals, series, [series]), moments
        form = self._of_labels.of(found[0])
        if not form.options.label:
            raise TableError(f"{found[0]}: use --label to name the column with the labels")
        return ScoreFile("", "", found[0], form, form.options.label), None, moments

    def _only(self, said: Windows, series: str, every: Collection[str]) -> Windows:
        """Return the entry of a series, under its own name or a similar one.

        An entry under the name of another series is not used. A single entry under any other name
        is used only if the corpus has one series.
        """
        own = {key: entry for key, entry in said.entries.items() if stem_of(key) == series}
        if len(own) != 1:
            own = {key: entry for key, entry in said.entries.items() if stem_of(key) not in every}
        left = replace(said, entries=own)
        entries = left.of(series) if len(every) == 1 or left.has(series) else None
        if entries is None:
            raise TableError(f"{said.name} has no entry for it")
        borrowed = left.borrowed([series])
        if borrowed and borrowed not in self.notices:
            self.notices.append(borrowed)
        return replace(said, entries={series: entries})


def _said_in(path: str | Path) -> Windows:
    """Read windows or moments from JSON, or moments from a file with one per line."""
    source = Source.at(path)
    is_json = str(path).lower().endswith(".json")
    read = read_json(source) if is_json else read_moment_lines(source, LARGEST_JSON)
    if not isinstance(read, Windows):
        raise TableError(f"{path}: must have a list of windows or moments for each file")
    return read

"""Options for reading a file as a series: roles of columns, scored rows, and row order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from padf_core.metrics.onset import Onset

MAX_DETECTORS = 200

PROBATION, MOST_PROBATION = 0.15, 750
"""NAB's probation: the share of first rows that it does not score, and the maximum number."""

Missing = Literal["refuse", "quiet", "ignore", "drop"]
"""How to treat missing scores.

Refuse the file, treat them as no alarm, ignore their rows for all detectors, or leave out the
detectors that have any.
"""

Order = Literal["refuse", "keep", "sort", "first"]
"""How to treat out-of-order timestamps.

Refuse the file, keep the file's row order, sort the rows by time, or sort them and keep the first
row of each timestamp.
"""


@dataclass(frozen=True)
class ReadOptions:
    """Roles of columns, and how rows are used.

    All interfaces use these options: ``padf evaluate``, ``padf corpus``, the app and
    ``padf.read_series``.

    Parameters
    ----------
    label : str
        The column with the labels.
    detectors : tuple of str
        The columns with scores or 0/1 detections.
    time, value, series, ignore : str, optional
        The columns with timestamps, with the signal, with the name of each row's series, and with 1
        in ignored rows.
    detector, seed : str, optional
        In a long table, the columns that name each row's detector and its seed.
    anomaly : str, optional
        The label that means an anomaly, if labels are not 0 and 1.
    only : str, optional
        The one series to read. By default all series are read, one after another.
    skip : float, optional
        The number of first rows of each series to ignore, or below 1 their share. By default the
        training rows are ignored.
    probation, probation_most : float, int
        The share of first rows of each series to ignore, and its maximum as a number of rows.
    training : int
        The number of training rows, according to the file's name (``_tr_1007_``).
    train : float
        The number of first rows on which thresholds are chosen, or below 1 their share. With 0,
        `training` is used.
    since : int, optional
        Ignore rows before this time, in microseconds since 1970.
    low : tuple of str
        Detectors whose low scores mean an anomaly. Their scores are inverted.
    missing, order : str
        How to treat missing scores and out-of-order timestamps.
    onset : Onset, optional
        Moves where segments begin.

    Examples
    --------
    >>> ReadOptions(label="label", missing="ignore").order
    'refuse'
    """

    label: str = ""
    detectors: tuple[str, ...] = ()
    time: str | None = None
    value: str | None = None
    series: str | None = None
    ignore: str | None = None
    anomaly: str | None = None
    only: str | None = None
    detector: str | None = None
    seed: str | None = None
    skip: float | None = None
    probation: float = 0.0
    probation_most: int = MOST_PROBATION
    training: int = 0
    train: float = 0.0
    since: int | None = None
    low: tuple[str, ...] = ()
    missing: Missing = "refuse"
    order: Order = "refuse"
    onset: Onset | None = None

    def __post_init__(self) -> None:
        """Validate the numbers."""
        if not 0 <= self.probation < 1:
            raise ValueError(f"probation must be at least 0 and below 1; got {self.probation!r}")
        for name in ("skip", "train", "training", "probation_most"):
            number = getattr(self, name)
            if number is not None and not number >= 0:
                raise ValueError(f"{name} must be 0 or more; got {number!r}")

    @property
    def is_plain(self) -> bool:
        """Whether every row is scored unchanged, as given by label and scores."""
        return self == ReadOptions(self.label, self.detectors, self.time, self.value)

    @property
    def columns(self) -> list[str]:
        """All columns to read."""
        extra = [self.time, self.value, self.series, self.ignore]
        named = [name for name in (*extra, self.label) if name]
        return list(dict.fromkeys([*named, *self.detectors]))

    def first_ignored(self, rows: int, *, scores_training: bool = False) -> int:
        """Return the number of first rows of a series that are ignored.

        That is `skip` or, by default, the training rows. With ``scores_training`` the training rows
        are not ignored, because thresholds are chosen on them. The probation applies if it is
        longer.

        >>> ReadOptions(skip=10, probation=0.15).first_ignored(1000)
        150
        >>> ReadOptions(training=300).first_ignored(1000)
        300
        """
        if self.skip is not None:
            skip = int(self.skip) if self.skip >= 1 else int(self.skip * rows)
        else:
            skip = 0 if scores_training else self.training
        return min(rows, max(skip, min(int(self.probation * rows), self.probation_most)))

    def training_rows(self, rows: int) -> int:
        """Return the number of first rows on which thresholds are chosen.

        >>> ReadOptions(train=0.3).training_rows(100), ReadOptions(training=40).training_rows(100)
        (30, 40)
        """
        asked = round(self.train * rows) if self.train < 1 else int(self.train)
        return min(rows, asked or self.training)


NOTHING = ReadOptions()
"""Options with which every column is guessed."""

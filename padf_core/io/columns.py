"""Classify columns by content and name, and explain why some are not scores.

Columns that are left out are listed with a reason, and an option can always include them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from padf_core.io.timestamps import MOSTLY, looks_like_times

FEW_VALUES = 10
"""Maximum number of distinct words in a label column."""

LIKELY = (-0.5, 2.0)
"""Numbers within these limits may be scores, whatever the column's name."""

SEVERAL_TAGS = 3
"""This many columns with names like plant tags are taken as sensors."""

FEW_NAMELESS = 5
"""Up to this many unnamed columns may all be detectors; more are ambiguous."""

_LABELS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"(anomaly|anom|outlier|attack|fault|event)?[ _-]?labels?",
        r"(is|has|in)[ _-]?anomal(y|ous)",
        r"anomal(y|ies|ous)|abnormal|is[ _-]?normal",
        r"(ground[ _-]?)?truth|gt|y([ _-]?true)?|target",
        r"(is[ _-]?)?(attack|outlier|fault|failure|incident|intrusion|normal[ /_-]attack)s?",
        r"(anomaly|anom|outlier|attack|fault|event)?[ _-]?labels?([ _-].*|\d+)",
        r"([a-z]+[ _-])?(class|state|status)",
        r"(is[ _-]?)?change[ _-]?points?",
    )
)
"""Name patterns of label columns, the most reliable first."""

_ANOMALOUS = re.compile(
    r"1(\.0+)?|true|yes|y|anomal(y|ous|ies)|abnormal|a ?ttack|outlier|fault(y)?|fail(ure|ed)?|"
    r"bad|broken|intrusion|incident|positive",
    re.I,
)
_TIMES = re.compile(r"(time|timestamps?|date|datetime|date_?time|ts|t|index|step|unnamed.*)", re.I)
_VALUES = re.compile(
    r"(values?|signal|sensor|metric|reading|kpi|x|measurement|data|"
    r"(mess)?wert|valeur|valore?|waarde)",
    re.I,
)
_DETECTORS = re.compile(r"(detector|model|algorithm|method)([ _-]?(id|name))?", re.I)
_SEEDS = re.compile(r"seed|repetition|rep|run|trial", re.I)
_SERIES = re.compile(
    r"(series|machine|entity|channel|chan|file|data ?set|asset|device|host|unit|server|node|run|"
    r"trace|group|station|pump|engine|turbine|meter|customer|user)([ _-]?(id|name|no|number))?",
    re.I,
)
_ENTITY = re.compile(r"(.*[ _-])?(id|uuid|guid)", re.I)
_IS_NORMAL = re.compile(r"(is[ _-]?)?normal", re.I)
_TAG = re.compile(r"[A-Z]{1,4}[ _-]?\d{2,4}[A-Z]?")
_IGNORED = re.compile(r"(is[ _-]?)?(ignored?|masked?|excluded?|warm[ _-]?up|probation)", re.I)
_IDS = re.compile(r"(.*[ _-])?(id|uuid|guid|row|rownum|no|number|nr|seq(uence)?|idx|index)|#", re.I)
_FROM_LABELS = re.compile(r"S\(t\)_.*", re.I)
_SCORES = re.compile(
    r"score|prob|likelihood|pred|detect|alarm|alert|flag|anomal|outlier|novelty|surprise|error|"
    r"residual|distance|loss|deviation|forest|lof|svm|knn|hbos|ecod|copod|encoder|lstm|transformer|"
    r"gaussian|skyline|numenta|random|model",
    re.I,
)
_SENSORS = re.compile(
    r"accelero|rms|current|pressure|temp|thermo|volt|amp(ere)?s?\b|flow|volume|humid|speed|rpm|power|"
    r"level|sensor|vibration|torque|valve|pump|motor|energy|load|weight|height|width|latitude|"
    r"longitude|price|count|cpu|memory|disk|bytes|packets|requests|latency|rate|trend|season|noise",
    re.I,
)


@dataclass(frozen=True, eq=False)
class ColumnKind:
    """One column, as far as it has been inspected."""

    name: str
    head: pd.Series
    has_name: bool = True
    """Whether the file names the column."""
    is_whole: bool = False
    """Whether `head` is the complete column."""

    @cached_property
    def _known(self) -> pd.Series:
        return self.head.dropna()

    @cached_property
    def numbers(self) -> pd.Series:
        """The entries as numbers; NaN for other entries."""
        try:
            return pd.to_numeric(self.head, errors="coerce")
        except (OverflowError, TypeError):
            return pd.Series(np.nan, index=self.head.index)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether the column was meant to hold numbers, even if some entries are not."""
        kind = self.head.dtype.kind
        if kind in "biuf":
            return True
        if kind in "mM" or not len(self._known):
            return False
        return bool(self.numbers[self.head.notna()].notna().mean() >= MOSTLY)

    @cached_property
    def is_times(self) -> bool:
        """Whether the column can be parsed as timestamps."""
        return looks_like_times(self.head)

    @cached_property
    def is_flag(self) -> bool:
        """Whether all entries are 0 or 1."""
        return self.is_numeric and bool(self.numbers.dropna().isin([0, 1]).all())

    @cached_property
    def words(self) -> list[str]:
        """The distinct entries as text, in order of appearance, if there are few."""
        if len(self._known) and self._known.nunique() <= FEW_VALUES:
            return [word_of(value) for value in self._known.unique()]
        return []

    @cached_property
    def is_coded(self) -> bool:
        """Whether the entries are texts or whole numbers."""
        return not self.is_numeric or bool((self.numbers.dropna() % 1 == 0).all())

    @cached_property
    def is_rising(self) -> bool:
        """Whether every number is larger than the previous one."""
        steps = self.numbers.diff().dropna()
        return self.is_numeric and len(steps) > 0 and bool((steps > 0).all())

    @property
    def kind(self) -> str:
        """The apparent type of the first rows, in a word or two."""
        if self.is_flag:
            return "0 and 1"
        if self.is_times:
            return "times"
        if self.is_numeric:
            return "numbers"
        return "text"

    @property
    def label_rank(self) -> int | None:
        """The reliability of the name as a label's name, 0 the best; None for other names."""
        if not self.is_flag and not 1 <= len(self.words) <= FEW_VALUES:
            return None
        name = self.name.strip()
        return next((at for at, known in enumerate(_LABELS) if known.fullmatch(name)), None)

    @property
    def is_named_time(self) -> bool:
        """Whether the name is typical of times."""
        return bool(_TIMES.fullmatch(self.name.strip()))

    @property
    def is_named_score(self) -> bool:
        """Whether the name is typical of scores or detectors."""
        return self.has_name and bool(_SCORES.search(self.name.strip()))

    @property
    def is_named_value(self) -> bool:
        """Whether the name is typical of a signal."""
        return bool(_VALUES.fullmatch(self.name.strip()))

    @property
    def is_turned(self) -> bool:
        """Whether 1 means normal, according to the name."""
        return self.is_flag and bool(_IS_NORMAL.fullmatch(self.name.strip()))

    @property
    def is_named_series(self) -> bool:
        """Whether the name is typical of series."""
        return self.is_coded and bool(_SERIES.fullmatch(self.name.strip()))

    @property
    def is_series(self) -> bool:
        """Whether the column seems to name each row's series, with several series in the table."""
        values = self._known
        if self.is_times or not 2 <= values.nunique() <= max(2, len(values) // 2):
            return False
        changes = int((values.to_numpy()[1:] != values.to_numpy()[:-1]).sum())
        stand_together = changes == values.nunique() - 1
        name = self.name.strip()
        is_named = bool(_SERIES.fullmatch(name))
        if self.is_numeric:
            is_named = is_named or (bool(_ENTITY.fullmatch(name)) and stand_together)
            return is_named and self.is_coded
        return is_named or stand_together

    @property
    def is_detector_name(self) -> bool:
        """Whether the column names the detector of each row, as in a long table."""
        few = 1 <= self._known.nunique() <= max(1, len(self._known) // 2)
        return not self.is_numeric and few and bool(_DETECTORS.fullmatch(self.name.strip()))

    @property
    def is_seed(self) -> bool:
        """Whether the column distinguishes repeated runs of a detector."""
        return self.is_coded and bool(_SEEDS.fullmatch(self.name.strip()))

    @property
    def is_ignored(self) -> bool:
        """Whether the column marks ignored rows."""
        return self.is_flag and bool(_IGNORED.fullmatch(self.name.strip()))

    def why_no_score(self, others: Sequence[ColumnKind], label: ColumnKind | None) -> str | None:
        """Return why this column is not a detector's scores, or None if it is."""
        name, speaks = self.name.strip(), self.is_named_score
        if not self.is_numeric:
            return "times, not numbers" if self.is_times else "text, not numbers"
        if self.is_times:
            return "times"
        if self.label_rank is not None or _IGNORED.fullmatch(name):
            return "named like a label: possibly a second truth"
        if _FROM_LABELS.fullmatch(name):
            return "derived from the labels by NAB's scorer"
        known = self.numbers.dropna()
        if not len(known):
            return None if speaks else "no value in the rows checked"
        if known.min() == known.max() and (self.is_whole or not speaks):
            return "the same number in every row checked"
        if self.is_rising and len(known) > FEW_VALUES:
            return "increases from row to row: a row number or a count"
        if self.has_name and _IDS.fullmatch(name):
            return "named like an id"
        if label is not None and (self.is_flag or not speaks) and self._repeats(label):
            return "the same as the label in every row checked"
        if not speaks and self.has_name and (_SENSORS.search(name) or self.is_named_value):
            return "named like a measured signal"
        if not speaks and self._is_state:
            return f"only {' and '.join(self.words)}: a state, not a score"
        if not speaks and self._is_tag and sum(o._is_tag for o in others) >= SEVERAL_TAGS:
            return "named like a sensor tag"
        if not self.has_name and sum(not each.has_name for each in others) > FEW_NAMELESS:
            return "unnamed, among many: scores or sensors?"
        low, high = float(known.min()), float(known.max())
        if not speaks and not (low >= LIKELY[0] and high <= LIKELY[1]):
            return f"from {low:.4g} to {high:.4g}, and its name does not suggest a score"
        return None

    @property
    def _is_tag(self) -> bool:
        return bool(_TAG.fullmatch(self.name.strip()))

    @property
    def _is_state(self) -> bool:
        """Whether there are only a few whole numbers, other than the 0 and 1 of detections."""
        many = len(self._known) > FEW_VALUES
        return many and not self.is_flag and 0 < len(self.words) < FEW_VALUES and self.is_coded

    def _repeats(self, label: ColumnKind) -> bool:
        """Return whether entries and labels correspond one to one."""
        both = self.head.notna() & label.head.notna()
        pairs = pd.DataFrame({"own": self.head[both], "truth": label.head[both]})
        kinds = pairs["truth"].nunique()
        if kinds < 2 or (len(pairs) <= FEW_VALUES and not self.is_flag):
            return False
        return pairs["own"].nunique() == kinds == len(pairs.drop_duplicates())


def word_of(value: object) -> str:
    """Return an entry in its usual written form: 1.0 as 1.

    >>> [word_of(value) for value in (1.0, -1, True, "Attack ")]
    ['1', '-1', '1', 'Attack']
    """
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value).strip()


def plain_entries(column: pd.Series) -> pd.Series:
    """Return a column with nested entries, such as lists, as text."""
    if column.dtype.kind != "O":
        return column
    nested = column.map(lambda value: isinstance(value, (list, dict, tuple, set, np.ndarray)))
    return column.where(~nested, column.map(repr)) if nested.any() else column


def entries_like(column: pd.Series, word: str) -> pd.Series:
    """Return which entries equal a word in its usual written form: 1 is also 1.0, True and "1.0".

    >>> entries_like(pd.Series([True, False, None]), "0").tolist()
    [False, True, False]
    """
    if column.dtype.kind in "iuf":
        return column == _number_of(word)
    return column.isin([value for value in column.dropna().unique() if _is_like(value, word)])


def _is_like(value: object, word: str) -> bool:
    written = word_of(value)
    return word in (written, str(value).strip()) or _number_of(written) == _number_of(word)


def _number_of(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return float("nan")


def _is_digits(word: str) -> bool:
    return bool(re.fullmatch(r"[-+]?\d+(\.\d*)?", word))


def anomalous_word(words: Sequence[str]) -> str | None:
    """Return the word that means an anomaly, if exactly one of at most two can.

    A number next to a word is more likely a mistake than a pair of labels, so nothing is guessed.

    >>> anomalous_word(["Normal", "Attack"]), anomalous_word(["-1", "1"])
    ('Attack', None)
    >>> anomalous_word(["?", "1"])
    >>> anomalous_word(["normal", "broken", "recovering"])
    """
    meant = [word for word in words if _ANOMALOUS.fullmatch(word)]
    if "-1" in words or len(words) > 2 or len({_is_digits(word) for word in words}) > 1:
        return None
    return meant[0] if len(meant) == 1 else None

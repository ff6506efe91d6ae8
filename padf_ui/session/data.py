"""What is looked at on Your data: a study, what was uploaded for it, and its link."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, nan
from typing import Any

from padf_core import PROTOCOLS, Settings
from padf_core.analysis.settings_file import chosen_on, settings_from_json
from padf_core.io.tables import TableFile
from padf_core.metrics.onset import Onset
from padf_ui.session.links import SETTINGS, Link, Part, not_taken, number_of, one_of, place
from padf_ui.session.settings import current_settings, put_settings, take_sliders
from padf_ui.session.store import (
    TIMELINE_KEY,
    Counter,
    Slot,
    atomic,
    chosen_rows,
    mark_changed,
    put_message,
    rerun,
    take_ask,
)
from padf_ui.session.stretch import around, clamped
from padf_ui.session.study import (
    AS_LABELLED,
    EVERYTHING,
    SAMPLES,
    Study,
    ThresholdChoice,
    load_sample,
    telling,
    threshold_of,
)
from padf_ui.wire.asks import TimelineAsk


@dataclass(frozen=True)
class StudyLink:
    """What a link says about data that may not be here yet."""

    data: str | None
    """The fingerprint of the data that it was made for."""
    chosen: int | None
    choices: tuple[ThresholdChoice, ...]
    view: tuple[int, int] | None
    begins: Onset = AS_LABELLED

    @property
    def says_more(self) -> bool:
        """Whether there is more in it than settings."""
        return any(choice is not None for choice in self.choices) or self.view is not None

    def fits(self, study: Study) -> bool:
        """Say whether it was made for these data, as far as it says."""
        return self.data is None or self.data == study.fingerprint

    def applied_to(self, study: Study) -> Study:
        """Return the study as the link wants it, as far as its thresholds fit the detectors."""
        count = len(study.series.detectors)
        choices = self.choices if len(self.choices) == count else study.choices
        view = study.view if self.view is None else clamped(*self.view, study.series.size)
        chosen = study.chosen if self.chosen is None else min(self.chosen, count - 1)
        moved = study if self.begins == study.onset else study.with_onset(self.begins)
        return replace(moved, chosen=chosen, choices=choices, view=view)

    def out_of_range(self, study: Study) -> list[str]:
        """Say which parts do not fit these data, and what is shown instead."""
        count, size = len(study.series.detectors), study.series.size
        left = []
        if self.chosen is not None and self.chosen >= count:
            left.append(f"detector {self.chosen + 1} (there are {count}; the last is shown)")
        if self.choices and len(self.choices) != count:
            left.append(f"{len(self.choices)} thresholds (there are {count} detectors)")
        if self.view is not None:
            shown = clamped(*self.view, size)
            if self.view != (shown.first, shown.last):
                left.append(f"view {self.view[0]}-{self.view[1]} (there are {size:,} points)")
        return left


_STUDY: Slot[Study | None] = Slot("padf_study", lambda: None)
_WAITING: Slot[StudyLink | None] = Slot("padf_waiting_link", lambda: None)
_FOREIGN: Slot[StudyLink | None] = Slot("padf_foreign_link", lambda: None)
_LOOKED_AT: Slot[tuple[str, TableFile] | None] = Slot("padf_looked_at", lambda: None)
_UPLOADS = Counter("padf_uploads")
_IS_UPLOADING: Slot[bool] = Slot("padf_uploading", bool)
_ANSWERS: Slot[tuple[str, dict[str, Any]]] = Slot("padf_answers", lambda: ("", {}))
_READ_NOW: Slot[str | None] = Slot("padf_read_now", lambda: None)
_REVISION = Counter("padf_study_revision")


def current_study() -> Study | None:
    """Return what is looked at on the data page, if there is any."""
    return _STUDY.get()


@atomic
def put_study(new: Study) -> None:
    """Take new data; a link that came before them now gives them its thresholds and view."""
    link = _WAITING.take()
    _STUDY.put(_linked(new, link) if link else new)
    drop_uploads()
    _IS_UPLOADING.put(False)
    _outdate_timeline()
    _LOOKED_AT.forget()
    _ANSWERS.forget()
    mark_changed()
    beyond = link.out_of_range(new) if link and link.fits(new) else []
    if beyond:
        put_message(not_taken(beyond))


def _linked(now: Study, link: StudyLink) -> Study:
    """Return the study as a link wants it; a link for other data waits to be asked for."""
    if link.fits(now):
        _FOREIGN.forget()
        return link.applied_to(now)
    _FOREIGN.put(link)
    return now


def has_foreign_link() -> bool:
    """Say whether a link was opened that was made for other data."""
    return _FOREIGN.is_set


@atomic
def answer_foreign_link(wanted: bool) -> None:
    """Use the thresholds and the view of a link for other data, or forget it."""
    link = _FOREIGN.take()
    now = current_study()
    if wanted and link is not None and now is not None:
        _outdate_timeline()
        _change_study(link.applied_to(now))


@atomic
def set_moved(moved: bool) -> None:
    """Let the incidents of a sample begin with the labelled moment, or with its window."""
    now = current_study()
    if now is not None and now.sample_key and now.is_moved != moved:
        new = telling(load_sample(now.sample_key, current_settings(), moved=moved))
        put_study(replace(new, view=now.view))


@atomic
def set_onset(**changes: Any) -> None:
    """Let the segments of the data begin elsewhere than their labels.

    A number whose unit changes begins anew.
    """
    now = current_study()
    if now is not None:
        if "unit" in changes:
            changes["shift"] = 0.0
        if "early_unit" in changes:
            changes["early"] = 0.0
        wanted = replace(now.onset, **changes)
        if wanted != now.onset:
            # Thresholds that nobody chose are those that are best by the rules in force.
            put_study(replace(now.with_onset(wanted), began=current_settings()))


@atomic
def invert_detector(index: int) -> None:
    """Take the low scores of a detector for the alarming ones."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(now.inverted(index))


@atomic
def open_sample(key: str) -> None:
    """Look at one of the series that come with the app."""
    put_study(telling(load_sample(key, current_settings())))


def is_uploading() -> bool:
    """Say whether the ways to upload data are shown: when there are none, or when asked for."""
    return not _STUDY.is_set or _IS_UPLOADING.get()


@atomic
def set_uploading(wanted: bool) -> None:
    """Show or hide the ways to upload data."""
    _IS_UPLOADING.put(wanted)


def uploads_so_far() -> int:
    """Return how often data have been uploaded: files of before are dropped with their key."""
    return _UPLOADS.get()


@atomic
def answer_question(name: str, chosen: Mapping[str, str]) -> None:
    """Say how the rows of a file are to be taken, so that it is read."""
    _ANSWERS.put((name, {**answers_to(name), **chosen}))
    _READ_NOW.put(name)


def takes_answer(name: str) -> bool:
    """Say once whether a file is to be read because a question about it was answered."""
    return _READ_NOW.take() == name


def answers_to(name: str) -> dict[str, Any]:
    """Return what was said about the rows of a file."""
    file, answers = _ANSWERS.get()
    return dict(answers) if file == name else {}


@atomic
def drop_uploads() -> None:
    """Drop the files that were uploaded: uploaders get a new key."""
    _UPLOADS.rise()


def uploader_key(whole: bool) -> str:
    """Return the key of the uploader of tables, or of whole folders; a new one for other data."""
    return f"table_{uploads_so_far()}_{whole}"


def looked_at(name: str, look: Callable[[], TableFile]) -> TableFile:
    """Return a table that has been looked at before under this name, or look at it now."""
    known = _LOOKED_AT.get()
    if known is None or known[0] != name:
        known = (name, look())
        _LOOKED_AT.put(known)
    return known[1]


def waits_for_data() -> bool:
    """Say whether a link holds thresholds for data that are not here."""
    return _WAITING.is_set


@atomic
def forget_waiting_link() -> None:
    """Forget a link that waits for its data."""
    _WAITING.forget()


def study_revision() -> int:
    """Return the number that rises when anything but the timeline changes what it shows."""
    return _REVISION.get()


def _outdate_timeline() -> None:
    """Let the timeline forget what it has asked for: something newer was chosen elsewhere."""
    _REVISION.rise()


def _change_study(new: Study) -> None:
    _STUDY.put(new)
    mark_changed()


@atomic
def set_detector(index: int) -> None:
    """Look at another detector."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(replace(now, chosen=index))


@atomic
def set_choice(choice: ThresholdChoice) -> None:
    """Choose the threshold of the detector that is looked at."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(now.with_choice(choice))


@atomic
def set_follow(follows: str | None) -> None:
    """Let the threshold follow a protocol's best, or leave it where it is."""
    now = current_study()
    if now is not None:
        set_choice(follows or now.threshold(current_settings()))


@atomic
def take_timeline() -> None:
    """Take what the timeline asks for: another stretch, or sliders that were let go."""
    ask, now = take_ask(TIMELINE_KEY, TimelineAsk), current_study()
    if now is None or ask is None:
        return
    if "window" in ask:
        window = ask["window"]
        now = replace(now, view=clamped(window["first"], window["last"], now.series.size))
        _STUDY.put(now)
    sliders = ask.get("settings", {})
    changed = take_sliders(sliders)
    if "threshold" in sliders:
        _change_study(now.with_choice(threshold_of(float(sliders["threshold"]))))
        changed = True
    if changed:
        rerun()


@atomic
def take_row(key: str) -> None:
    """Zoom to the segment whose row was chosen in the ledger."""
    now, rows = current_study(), chosen_rows(key)
    if now is not None and rows and 0 <= rows[0] < len(now.series.segments):
        _outdate_timeline()
        _STUDY.put(replace(now, view=around(now.series, rows[0])))
        mark_changed()


@atomic
def load_settings(content: bytes) -> None:
    """Take settings from a file; raises ValueError when it cannot be read."""
    put_settings(settings_from_json(content))
    now, told = current_study(), chosen_on(content)
    if now is not None and told is not None and told[1] != now.fingerprint:
        put_message(
            f"These settings were chosen on other data ({told[0][:80]}): they are in use, but what "
            "speaks for them there may not hold here."
        )


# ---- links ---------------------------------------------------------------------------------------


def _now() -> dict[str, Any]:
    study, settings = current_study(), current_settings()
    return {SETTINGS: settings} if study is None else link_values(study, settings)


def link_values(study: Study, settings: Settings) -> dict[str, Any]:
    """Return what a link to a study holds: everything but the data."""
    return {
        SETTINGS: settings,
        "sample": study.sample_key,
        "onset": "moment" if study.is_moved else None,
        "data": None if study.sample_key else study.fingerprint,
        "shift": (study.onset.shift, study.onset.unit),
        "early": (study.onset.early, study.onset.early_unit),
        "early_as": study.onset.early_alarms,
        "detector": study.chosen,
        "at": tuple(_choice_now(study, settings, at) for at in range(len(study.choices))),
        "view": (study.view.first, study.view.last),
    }


def _choice_now(study: Study, settings: Settings, at: int) -> ThresholdChoice:
    """Return how the threshold of a detector is chosen; nothing while it is not known yet."""
    choice = study.choices[at]
    if isinstance(choice, str) or (choice is None and not study.is_ranked(at)):
        return choice
    return float(study.threshold(settings, at))


def _take(values: Mapping[str, Any]) -> Sequence[str]:
    link = link_of(values)
    settings = values[SETTINGS] or Settings()
    put_settings(settings)
    _outdate_timeline()
    now = current_study()
    wanted = (values["sample"], values["onset"] == "moment")
    if wanted[0] and (now is None or wanted != (now.sample_key, now.is_moved)):
        now = load_sample(wanted[0], settings, moved=wanted[1])
        if link.chosen is None and not link.choices:
            now = telling(now)
    if now is not None:
        beyond = link.out_of_range(now) if link.fits(now) else []
        _STUDY.put(_linked(now, link))
        return beyond
    if link.says_more:
        _WAITING.put(link)
    return ()


def link_of(values: Mapping[str, Any]) -> StudyLink:
    """Return what a link says; raises ValueError when segments cannot begin where it says."""
    shift, early = values["shift"], values["early"]
    begins = Onset(
        shift=shift[0],
        unit=shift[1],
        early=early[0],
        early_unit=early[1],
        early_alarms=values["early_as"],
    )
    return StudyLink(values["data"], values["detector"], values["at"], values["view"], begins)


_UNITS = {"r": "rows", "s": "seconds", "w": "share"}
"""How links write what an onset is counted in."""
_LETTERS = {unit: letter for letter, unit in _UNITS.items()}


def _length(name: str) -> Part[tuple[float, str]]:
    """Return a part that is a number with its unit, as in 600s."""

    def read(said: str) -> tuple[float, str]:
        if said[-1:] not in _UNITS:
            raise ValueError(f"{name} must end in r, s or w; got {said!r}")
        return number_of(said[:-1], name), _UNITS[said[-1]]

    def write(value: tuple[float, str]) -> str:
        return f"{value[0]:.12g}{_LETTERS[value[1]]}"

    return Part(name, (0.0, "rows"), read, write, example="2r")


def _read_data(said: str) -> str | None:
    if not re.fullmatch(r"[0-9a-f]{0,24}", said):
        raise ValueError(f"data must be a fingerprint; got {said!r}")
    return said or None


def _read_choices(said: str) -> tuple[ThresholdChoice, ...]:
    """Read the thresholds of a link; those of before had another sign between them."""
    if not said or said in PROTOCOLS:
        return (said,) if said else ()
    return tuple(map(_read_choice, said.split("~" if "~" in said else "_")))


def _read_choice(said: str) -> ThresholdChoice:
    if not said:
        return None
    if said in PROTOCOLS:
        return said
    try:
        number = float(said)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise ValueError(f"at must be thresholds or names of protocols; got {said!r}")
    return threshold_of(number)


def _write_choices(choices: tuple[ThresholdChoice, ...]) -> str:
    return "~".join(
        "" if each is None else each if isinstance(each, str) else repr(max(EVERYTHING, each))
        for each in choices
    )


def _read_view(said: str) -> tuple[int, int] | None:
    ends = said.split("-")
    if said and (len(ends) != 2 or not all(end.isdecimal() and len(end) < 12 for end in ends)):
        raise ValueError(f"view must be like 0-500; got {said!r}")
    return (int(ends[0]), int(ends[1])) if said else None


LINK = Link(
    parts=(
        one_of("sample", None, lambda: SAMPLES),
        one_of("onset", None, lambda: ("moment",)),
        Part("data", None, _read_data, example="0123456789abcdef"),
        _length("shift"),
        _length("early"),
        one_of("early_as", AS_LABELLED.early_alarms, lambda: ("on_time", "nothing")),
        place("detector"),
        Part("at", (), _read_choices, _write_choices, example="0.5~pa"),
        Part("view", None, _read_view, lambda ends: f"{ends[0]}-{ends[1]}", example="100-300"),
    ),
    has_settings=True,
    now=_now,
    take=_take,
)

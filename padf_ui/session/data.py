"""What is looked at on Your data: a study, what was uploaded for it, and its link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from padf_core import Settings
from padf_core.analysis.settings_file import chosen_on, settings_from_json
from padf_core.io.tables import TableFile
from padf_ui.session.asks import TIMELINE_KEY, take_ask
from padf_ui.session.changes import mark_changed, put_message
from padf_ui.session.link_parts import SETTINGS, Link
from padf_ui.session.links import not_taken
from padf_ui.session.settings import current_settings, put_settings, take_sliders
from padf_ui.session.store import Counter, Slot, atomic, rerun
from padf_ui.session.stretch import around, clamped
from padf_ui.session.study import Study, ThresholdChoice, sample_study, telling, threshold_of
from padf_ui.session.study_link import PARTS, StudyLink, link_of, link_values
from padf_ui.session.widget_values import chosen_rows
from padf_ui.wire.asks import TimelineAsk

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
        new = telling(sample_study(now.sample_key, current_settings(), moved=moved))
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
    put_study(telling(sample_study(key, current_settings())))


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
    now, made_on = current_study(), chosen_on(content)
    if now is not None and made_on is not None and made_on[1] != now.fingerprint:
        put_message(
            f"These settings were chosen on other data ({made_on[0][:80]}). They are in use now, "
            "but the reasons for them may not hold here."
        )


def _now() -> dict[str, Any]:
    study, settings = current_study(), current_settings()
    return {SETTINGS: settings} if study is None else link_values(study, settings)


def _take(values: Mapping[str, Any]) -> Sequence[str]:
    link = link_of(values)
    settings = values[SETTINGS] or Settings()
    put_settings(settings)
    _outdate_timeline()
    now = current_study()
    wanted = (values["sample"], values["onset"] == "moment")
    if wanted[0] and (now is None or wanted != (now.sample_key, now.is_moved)):
        now = sample_study(wanted[0], settings, moved=wanted[1])
        if link.chosen is None and not link.choices:
            now = telling(now)
    if now is not None:
        beyond = link.out_of_range(now) if link.fits(now) else []
        _STUDY.put(_linked(now, link))
        return beyond
    if link.says_more:
        _WAITING.put(link)
    return ()


LINK = Link(
    parts=PARTS,
    has_settings=True,
    now=_now,
    take=_take,
)

"""State of Your data: a study, uploads and the link."""

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
    """Return the open study, if there is one."""
    return _STUDY.get()


@atomic
def put_study(new: Study) -> None:
    """Open new data. A link that was waiting for data applies its thresholds and view."""
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
    """Return the study with a link applied.

    A link for other data is kept until the user decides.
    """
    if link.fits(now):
        _FOREIGN.forget()
        return link.applied_to(now)
    _FOREIGN.put(link)
    return now


def has_foreign_link() -> bool:
    """Return whether the opened link was made for other data."""
    return _FOREIGN.is_set


@atomic
def answer_foreign_link(wanted: bool) -> None:
    """Apply the thresholds and the view of a link for other data, or discard it."""
    link = _FOREIGN.take()
    now = current_study()
    if wanted and link is not None and now is not None:
        _outdate_timeline()
        _change_study(link.applied_to(now))


@atomic
def set_moved(moved: bool) -> None:
    """Begin the incidents of a sample at the labelled moment, or with their windows."""
    now = current_study()
    if now is not None and now.sample_key and now.is_moved != moved:
        new = telling(sample_study(now.sample_key, current_settings(), moved=moved))
        put_study(replace(new, view=now.view))


@atomic
def set_onset(**changes: Any) -> None:
    """Change where segments begin, relative to their labels.

    A number whose unit changes is reset.
    """
    now = current_study()
    if now is not None:
        if "unit" in changes:
            changes["shift"] = 0.0
        if "early_unit" in changes:
            changes["early"] = 0.0
        wanted = replace(now.onset, **changes)
        if wanted != now.onset:
            # Thresholds that the user has not chosen become the best ones under the current
            # settings.
            put_study(replace(now.with_onset(wanted), began=current_settings()))


@atomic
def invert_detector(index: int) -> None:
    """Treat low scores of a detector as anomalous."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(now.inverted(index))


@atomic
def open_sample(key: str) -> None:
    """Open a sample that comes with the app."""
    put_study(telling(sample_study(key, current_settings())))


def is_uploading() -> bool:
    """Return whether to show the upload widgets: without data, or on request."""
    return not _STUDY.is_set or _IS_UPLOADING.get()


@atomic
def set_uploading(wanted: bool) -> None:
    """Show or hide the upload widgets."""
    _IS_UPLOADING.put(wanted)


def uploads_so_far() -> int:
    """Return the number of uploads, which changes the key of uploaders and so drops old files."""
    return _UPLOADS.get()


@atomic
def answer_question(name: str, chosen: Mapping[str, str]) -> None:
    """Record how to read the rows of a file, and read it."""
    _ANSWERS.put((name, {**answers_to(name), **chosen}))
    _READ_NOW.put(name)


def takes_answer(name: str) -> bool:
    """Return once whether to read a file because a question about it was answered."""
    return _READ_NOW.take() == name


def answers_to(name: str) -> dict[str, Any]:
    """Return the answers about the rows of a file."""
    file, answers = _ANSWERS.get()
    return dict(answers) if file == name else {}


@atomic
def drop_uploads() -> None:
    """Drop uploaded files by giving uploaders a new key."""
    _UPLOADS.rise()


def uploader_key(whole: bool) -> str:
    """Return the key of the uploader of tables or folders. It changes with new data."""
    return f"table_{uploads_so_far()}_{whole}"


def looked_at(name: str, look: Callable[[], TableFile]) -> TableFile:
    """Return the preview of a table by its name, or read it now."""
    known = _LOOKED_AT.get()
    if known is None or known[0] != name:
        known = (name, look())
        _LOOKED_AT.put(known)
    return known[1]


def waits_for_data() -> bool:
    """Return whether a link has thresholds for data that is not loaded."""
    return _WAITING.is_set


@atomic
def forget_waiting_link() -> None:
    """Discard a link that waits for its data."""
    _WAITING.forget()


def study_revision() -> int:
    """Return the number that increases when anything but the timeline changes its data."""
    return _REVISION.get()


def _outdate_timeline() -> None:
    """Make the timeline discard its pending request, because a newer choice was made elsewhere."""
    _REVISION.rise()


def _change_study(new: Study) -> None:
    _STUDY.put(new)
    mark_changed()


@atomic
def set_detector(index: int) -> None:
    """Select another detector."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(replace(now, chosen=index))


@atomic
def set_choice(choice: ThresholdChoice) -> None:
    """Set the threshold of the selected detector."""
    now = current_study()
    if now is not None:
        _outdate_timeline()
        _change_study(now.with_choice(choice))


@atomic
def set_follow(follows: str | None) -> None:
    """Make the threshold follow a protocol's best, or fix it at its current value."""
    now = current_study()
    if now is not None:
        set_choice(follows or now.threshold(current_settings()))


@atomic
def take_timeline() -> None:
    """Process a request of the timeline: another view, or released sliders."""
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
    """Zoom to the segment whose row was selected in the ledger."""
    now, rows = current_study(), chosen_rows(key)
    if now is not None and rows and 0 <= rows[0] < len(now.series.segments):
        _outdate_timeline()
        _STUDY.put(replace(now, view=around(now.series, rows[0])))
        mark_changed()


@atomic
def load_settings(content: bytes) -> None:
    """Load settings from a file. Raise ValueError if it cannot be read."""
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

"""Read and write lessons as files and as text for links."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from padf_core.teaching.lessons import MAX_STEPS, Lesson, Question, Step

FORMAT = "padf-lesson-1"


MAX_UNPACKED = 200_000


def lesson_to_json(lesson: Lesson) -> str:
    """Return a lesson as the text of a file."""
    return json.dumps({"format": FORMAT, **asdict(lesson)}, indent=1) + "\n"


def lesson_from_json(content: str | bytes) -> Lesson:
    """Parse the output of `lesson_to_json`; anything else is a ValueError with the reason."""
    try:
        read = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("this is not a JSON file") from None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        raise ValueError(f'this is not a lesson: "format" must be "{FORMAT}"')
    steps = read.get("steps")
    if not isinstance(steps, list) or len(steps) > MAX_STEPS:
        raise ValueError(f"steps must be a list of at most {MAX_STEPS}")
    return Lesson(_text(read.get("title")), tuple(map(_step, steps)))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _step(read: object) -> Step:
    if not isinstance(read, dict):
        raise ValueError("a step must be an object")
    values = _known(read, Step)
    for name in ("lanes", "paint", "tools", "sliders", "dim"):
        if name in values:
            values[name] = _texts(name, values[name])
    if not isinstance(values.get("settings", {}), dict):
        raise ValueError("settings must be an object")
    question = values.get("question")
    if question is not None:
        if not isinstance(question, dict):
            raise ValueError("question must be an object")
        asked = _known(question, Question)
        for name in ("answers", "mistakes"):
            asked[name] = _texts(name, asked.get(name, []))
        values["question"] = _made(Question, asked)
    step: Step = _made(Step, values)
    return step


def _known(read: Mapping[str, Any], kind: type) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    unknown = sorted(set(read) - names)
    if unknown:
        raise ValueError(f"a {kind.__name__.lower()} has no field {unknown[0]!r}")
    return dict(read)


def _texts(name: str, read: object) -> tuple[str, ...]:
    if not isinstance(read, list) or not all(isinstance(each, str) for each in read):
        raise ValueError(f"{name} must be a list of texts")
    return tuple(read)


def _made(kind: Any, values: Mapping[str, Any]) -> Any:
    try:
        return kind(**values)
    except TypeError:
        raise ValueError(f"a {kind.__name__.lower()} is incomplete") from None


def lesson_to_text(lesson: Lesson) -> str:
    """Compress a lesson to text for a link."""
    packed = zlib.compress(json.dumps({"format": FORMAT, **asdict(lesson)}).encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def lesson_from_text(text: str) -> Lesson:
    """Parse the output of `lesson_to_text`."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        content = zlib.decompressobj().decompress(packed, MAX_UNPACKED)
    except (binascii.Error, ValueError, zlib.error):
        raise ValueError("this link does not contain a lesson") from None
    return lesson_from_json(content)

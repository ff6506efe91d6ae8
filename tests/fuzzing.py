"""Seeded mutations of links, files and messages: each is taken, or refused with a sentence.

    python -m tests.fuzzing [COUNT] [SEED]

changes COUNT links, files and messages each (10,000) and stops at the first that ends in anything
but a result or a ValueError, with what to call to see it again. Memory and time are bounded.
"""

import contextlib
import gzip
import io
import json
import random
import resource
import sys
import time
import warnings
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pandas as pd
import pytest

from padf_core import Need, Settings
from padf_core.analysis.settings_file import settings_from_json, settings_to_json
from padf_core.io.guess import guess
from padf_core.io.join import open_files
from padf_core.io.read import series_from
from padf_core.io.sources import Source
from padf_core.paper.cases import TOY_CASES
from padf_core.teaching.course import LESSONS
from padf_core.teaching.lesson_files import lesson_from_json, lesson_to_json, lesson_to_text
from padf_ui.session import board as boards
from padf_ui.session import board_file, data, lesson, links, quiz, replay_link, study
from padf_ui.session.asks import (
    BOARD_KEY,
    CASES_KEY,
    GUESS_KEY,
    LESSON_KEY,
    PAGE_KEY,
    PROBABILITIES_KEY,
    TIMELINE_KEY,
)
from padf_ui.session.board import current_board, take_board, take_cases
from padf_ui.session.board_file import Board
from padf_ui.session.data import put_study, take_timeline
from padf_ui.session.lesson import take_guess, take_lesson, take_turn
from padf_ui.session.links import take_back
from padf_ui.session.probabilities import take_probabilities
from padf_ui.session.settings import current_settings
from tests.ui.linked import board_query, put_streamlit, read_board, read_replay

COUNT = 10_000
MEMORY = 4 << 30
SECONDS = 1500

INTERESTING = [
    *("", "0", "-1", "1e308", "1e-308", "nan", "inf", "-inf", "9" * 309, "1" * 5000, "0x10", "١٢"),
    *("~", "_", "-", "5-", "-5", "99999999999-0", "0-0", "%00", "\x00", "\u202e", "😀", "null"),
    *("{}", "[]", "true", '"', "'", "<b>", "=1+1", "../..", "exponential", "padf", "pa", "2024"),
]
NUMBERS = [0, 1, -1, 0.5, 1e308, -1e308, 1e-320, 10**309, 2**63, -(2**63), 300, 301, float("inf")]


# ---- mutations -----------------------------------------------------------------------------------


def changed_text(rng, text):
    """Return a text with a few of its characters changed, doubled, dropped or replaced."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + rng.choice(INTERESTING) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randint(1, 8) :]
        elif kind == 2:
            text = text[:at] + chr(rng.randrange(32, 0x2FF)) + text[at + 1 :]
        elif kind == 3:
            text = text[:at] + text[at : at + 40] * rng.randint(2, 30) + text[at:]
        else:
            text = rng.choice(INTERESTING)
    return text


def changed_bytes(rng, content):
    """Return a file with a few of its bytes changed, doubled, dropped, or with an end too early."""
    made = bytearray(content)
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(0, max(0, len(made) - 1))
        kind = rng.randrange(6)
        if kind == 0 and made:
            made[at] = rng.randrange(256)
        elif kind == 1:
            del made[at : at + rng.randint(1, 30)]
        elif kind == 2:
            made[at:at] = rng.choice(INTERESTING).encode()
        elif kind == 3:
            made[at:at] = made[at : at + 60] * rng.randint(1, 20)
        elif kind == 4:
            made = made[: max(1, at)] if rng.random() < 0.3 else made
        elif made:
            made[at : at + 8] = rng.randbytes(8)
    return bytes(made)


def changed_value(rng, value, depth=0):
    """Return a message with something else in it, of the same kind or of another."""
    if rng.random() < 0.15 or depth > 4:
        return rng.choice([None, True, [], {}, *NUMBERS, *INTERESTING])
    if isinstance(value, dict):
        kept = {
            name: changed_value(rng, each, depth + 1) if rng.random() < 0.4 else each
            for name, each in value.items()
            if rng.random() < 0.9
        }
        return kept | ({rng.choice(INTERESTING): 1} if rng.random() < 0.1 else {})
    if isinstance(value, list):
        return [changed_value(rng, each, depth + 1) for each in value[: rng.randint(0, 400)]]
    if isinstance(value, str):
        return changed_text(rng, value)
    return rng.choice(NUMBERS)


# ---- links ---------------------------------------------------------------------------------------


def link_seeds():
    case = TOY_CASES[1]
    board = board_query(Board(case.labels, case.detections), Settings(decay=0.7, k=33))
    data = {
        **Settings(["composite"]).to_query(),
        **{"sample": "pump", "detector": "2", "at": "0.5~pa~~1e-3", "view": "10-500"},
        **{"shift": "-12r", "early": "600s", "early_as": "on_time", "data": "0a1b2c3d"},
    }
    lesson = {"lesson": lesson_to_text(LESSONS["operators"]), "step": "2", "present": "1"}
    return [board, data, lesson, {"lesson": "course", "step": "3"}, {"seed": "12"}]


def try_link(rng, seeds):
    query = dict(rng.choice(seeds))
    for name in rng.sample(list(query), rng.randint(1, min(3, len(query)))):
        query[name] = changed_text(rng, query[name])
    if rng.random() < 0.2:
        query[changed_text(rng, rng.choice(list(query)))] = rng.choice(INTERESTING)
    read = dict(parse_qsl(urlencode(query, errors="replace"), keep_blank_values=True))
    for take in (read_board, read_replay, data.LINK.decode, lesson.LINK.decode, quiz.LINK.decode):
        with contextlib.suppress(ValueError):
            take(read)


# ---- files ---------------------------------------------------------------------------------------


def file_seeds():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "time": pd.date_range("2024-01-01", periods=60, freq="min"),
            "value": rng.random(60).round(3),
            "label": (np.arange(60) % 20 >= 15).astype(int),
            "state": np.where(np.arange(60) % 20 >= 15, "bad", "good"),
            "score": rng.random(60).round(4),
            "alarm": rng.integers(0, 2, 60),
        }
    )
    text = frame.to_csv(index=False)
    parquet, array = io.BytesIO(), io.BytesIO()
    frame.to_parquet(parquet, index=False)
    np.save(array, rng.random(60))
    plain = frame.drop(columns="time")
    return [
        ("a.csv", text.encode()),
        ("b.csv", text.replace(",", ";").replace(".", ",").encode("latin-1")),
        ("c.csv.gz", gzip.compress(text.encode())),
        ("d.parquet", parquet.getvalue()),
        ("e.json", plain.to_json(orient="records").encode()),
        ("f.jsonl", plain.to_json(orient="records", lines=True).encode()),
        ("g.npy", array.getvalue()),
        ("h.json", json.dumps({"a.csv": [["2024-01-01 00:05", "2024-01-01 00:09"]]}).encode()),
        ("i.txt", b"10-20:1,2\n30-40:3\n"),
    ]


def try_file(rng, seeds):
    name, content = rng.choice(seeds)
    parts = [(name, changed_bytes(rng, content))]
    if name[0] in "ghi":
        parts.append(seeds[0])
    elif rng.random() < 0.1:
        parts.append(rng.choice(seeds))
    sources = [Source(each, lambda content=content: io.BytesIO(content)) for each, content in parts]
    with contextlib.suppress(ValueError):
        table = open_files(sources)
        series_from(table, guess(table).options)


SAVED = [
    (board_file.from_json, board_file.to_json(Board(), Settings()).encode()),
    (
        settings_from_json,
        settings_to_json(Settings(), Need("worth", seconds=600, share=0.5), 60.0).encode(),
    ),
    (lesson_from_json, lesson_to_json(LESSONS["operators"]).encode()),
]


def try_saved(rng, _):
    read, content = rng.choice(SAVED)
    with contextlib.suppress(ValueError):
        if rng.random() < 0.5:
            read(changed_bytes(rng, content))
        else:
            read(json.dumps(changed_value(rng, json.loads(content))).encode())


# ---- messages ------------------------------------------------------------------------------------


class Visit:
    """A session and its link, without a browser."""

    def __init__(self):
        self.session_state = type("Session", (dict,), {"to_dict": lambda held: dict(held)})()
        self.query_params = SimpleNamespace(
            to_dict=dict, get_all=lambda _: [], from_dict=lambda _: None
        )

    def rerun(self):
        return None


ASKS = [
    (BOARD_KEY, take_board, {
        "id": 1, "revision": 0, "final": True, "labels": "0011100", "detections": "0001000",
        "settings": {"decay": 0.5, "k": 20}, "random": {"rate": 6, "seed": 3},
    }),
    (TIMELINE_KEY, take_timeline, {
        "id": 1, "window": {"first": 10, "last": 500}, "settings": {"threshold": 0.5, "k": 3},
    }),
    (PROBABILITIES_KEY, take_probabilities, {"id": 1, "alarm": [0.5] * 20}),
    (LESSON_KEY, take_lesson, {
        "id": 1, "revision": 0, "labels": "0011100", "detections": "0001000", "final": True,
    }),
    (GUESS_KEY, take_guess, {"id": 1, "guess": [500] * 30}),
    (CASES_KEY, lambda: take_cases(TOY_CASES), {
        "id": 1, "open": 2, "settings": {"k": 5},
    }),
]  # fmt: skip
PAGE_WORDS = {"back": "?n=30&truth=12-18&alarms=5_13&decay=0.5", "step": 1, "leave": True}


def try_message(rng, pump):
    visit = Visit()
    with pytest.MonkeyPatch.context() as patched:
        put_streamlit(patched, visit)
        put_study(pump)
        link = rng.choice([boards.LINK, data.LINK, lesson.LINK, quiz.LINK, replay_link.LINK])
        links.sync(link, arrived=True)
        for number in range(1, rng.randint(2, 4)):
            key, take, ask = rng.choice(ASKS)
            sent = changed_value(rng, {**ask, "id": number})
            visit.session_state[key] = {"ask": sent}
            take()
        visit.session_state[PAGE_KEY] = changed_value(rng, PAGE_WORDS) or {}
        if isinstance(visit.session_state[PAGE_KEY], dict):
            take_back()
            take_turn()
        assert current_board().size <= boards.MAX_POINTS
        assert current_settings().protocols()


# ---- all of them ---------------------------------------------------------------------------------

KINDS = {
    "links": (try_link, link_seeds),
    "files": (try_file, file_seeds),
    "saved files": (try_saved, lambda: None),
    "messages": (try_message, lambda: study.sample_study("pump", Settings())),
}


def fuzz(kind, count, seed):
    """Try so many mutations of a kind; say which one failed, if any."""
    attempt, make_seeds = KINDS[kind]
    seeds = make_seeds()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(count):
            try:
                attempt(random.Random(f"{seed} {number}"), seeds)
            except Exception as error:
                raise AssertionError(
                    f"{kind}, seed {seed}, number {number}: {type(error).__name__}: {error}"
                ) from error


def main(count=COUNT, seed=1):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    for kind in KINDS:
        began = time.perf_counter()
        fuzz(kind, count, seed)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        taken = time.perf_counter() - began
        print(f"{kind}: {count:,} mutations in {taken:.0f} s, {most:,} MB at most", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

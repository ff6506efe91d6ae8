"""Small corpora on disk, in the layouts in which results lie elsewhere, and the command itself."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[2]

START = pd.Timestamp("2014-07-01")
STEP = pd.Timedelta(minutes=5)


def moment(step):
    return str(START + step * STEP)


def alarms_at(size, alarms):
    scores = np.full(size, 0.1)
    scores[list(alarms)] = 0.9
    return scores


def write_nab_file(folder, detector, name, steps, alarms, window, group="group"):
    """A result file as NAB writes it."""
    label = np.zeros(len(steps), dtype=int)
    label[slice(*window)] = 1
    path = folder / "results" / detector / group / f"{detector}_{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(
        {
            "timestamp": [moment(step) for step in steps],
            "value": 1.0,
            "anomaly_score": alarms_at(len(steps), alarms),
            "label": label,
            "S(t)_standard": 0.0,
        }
    ).to_csv(path, index=False)
    return path


def write_nab(folder):
    """Two series, two detectors and `null`; small enough to do by hand.

    Series a has 20 rows, 5 minutes apart; its window is rows 8 to 13, its labelled time a minute
    before row 10; the first int(0.15 * 20) = 3 rows are left out. Series b has 10 rows without a
    window, of which 1 is left out; its times go back once, and two of them stand twice.

    `good` alarms at row 10 of a (and at row 0, which is left out). `random` alarms at row 8 of a
    and at row 5 of b, and the label column of its own a is of an older window, rows 6 to 13.
    """
    for detector, in_a, in_b, window in (
        ("good", [0, 10], [], (8, 14)),
        ("random", [8], [5], (6, 14)),
        ("null", [], [], (8, 14)),
    ):
        write_nab_file(folder, detector, "a", range(20), in_a, window)
        write_nab_file(folder, detector, "b", [0, 1, 2, 3, 4, 5, 4, 5, 6, 7], in_b, (0, 0))
    (folder / "results" / "README.md").write_text("no detector")
    labels = folder / "labels"
    labels.mkdir()
    windows = {"group/a.csv": [[moment(8), moment(13)]], "group/b.csv": []}
    (labels / "combined_windows.json").write_text(json.dumps(windows))
    moments = {"group/a.csv": [moment(9.8)], "group/b.csv": []}
    (labels / "combined_labels.json").write_text(json.dumps(moments))
    return folder


LABELS = [0, 0, 0, 1, 1, 0, 0, 0, 0, 0]


def write_tables(folder, count=3, size=40, detectors=("one score", "two score"), seed=0):
    """Tables with a label and a column for each detector."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for at in range(count):
        labels = np.zeros(size, dtype=int)
        labels[size // 4 : size // 3] = labels[size // 2 : size // 2 + 4] = 1
        columns = {name: (rng.normal(size=size) + labels).round(3) for name in detectors}
        frame = pd.DataFrame({"label": labels, **columns})
        frame.to_csv(folder / f"series_{at:02}.csv", index=False)
    return folder


def start(*arguments, module="padf_core", stdout=subprocess.PIPE, limits=lambda: None, folders=()):
    """Start a command in a process group of its own; modules are found in ``folders`` as well."""

    def prepare():
        # Where tests run in the background, Ctrl-C may be ignored, and a child would inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        limits()

    return subprocess.Popen(
        [sys.executable, "-m", module, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*folders, ROOT]))},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=prepare,
    )

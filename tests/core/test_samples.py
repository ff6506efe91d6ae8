"""The sample series: made as the README there says, and worth comparing."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core.io.samples import sample_folder

NAMES = ["web_service", "pump", "ad_bidding"]
DETECTORS = ["quick_noisy", "slow_sure", "steady", "random"]


@pytest.fixture(scope="module")
def f1():
    """Best F1 by sample, detector and protocol key."""
    found = {}
    for name in NAMES:
        frame = pd.read_csv(sample_folder() / f"{name}.csv")
        for detector in DETECTORS:
            best = padf.best_f1(frame["label"], frame[detector], padf.Settings().protocols())
            found[name, detector] = {point.protocol.key: point.f1 for point in best}
    return found


def test_the_script_makes_the_shipped_files(tmp_path):
    script = sample_folder() / "make_samples.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    for name in NAMES:
        made, shipped = tmp_path / f"{name}.csv", sample_folder() / f"{name}.csv"
        assert made.read_bytes() == shipped.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_winner_depends_on_the_protocol(f1, name):
    def winner(key):
        return max(DETECTORS, key=lambda detector: f1[name, detector][key])

    assert winner("pa") == "slow_sure"
    assert winner("padf") == "quick_noisy"
    assert winner("pointwise") == "slow_sure"


def test_pa_puts_a_random_detector_above_a_real_one_on_long_segments(f1):
    assert f1["pump", "random"]["pa"] > f1["pump", "steady"]["pa"]


@pytest.mark.parametrize(
    ("name", "points", "incidents", "shortest", "longest", "step"),
    [
        ("web_service", 2016, 9, 8, 40, "5min"),
        ("pump", 4320, 5, 80, 260, "10min"),
        ("ad_bidding", 4320, 16, 4, 18, "1min"),
    ],
)
def test_the_readme_s_numbers(name, points, incidents, shortest, longest, step):
    frame = pd.read_csv(sample_folder() / f"{name}.csv", parse_dates=["time"])
    assert list(frame.columns) == ["time", "value", "label", *DETECTORS]
    assert len(frame) == points
    assert (frame["time"].diff().dropna() == pd.Timedelta(step)).all()
    lengths = padf.find_segments(frame["label"]).lengths
    assert lengths.size == incidents
    assert lengths.min() >= shortest
    assert lengths.max() <= longest
    assert np.isfinite(frame[["value", *DETECTORS]].to_numpy()).all()

"""The script on NAB's detectors, on a tree like NAB's that is small enough to do by hand.

File a has 20 rows, 5 minutes apart; its window is rows 8 to 13, its labelled time a minute before
row 10; the first int(0.15 * 20) = 3 rows are left out. File b has 10 rows without a window, of
which 1 is left out; its times go back once, and two of them stand twice. So 17 + 9 = 26 rows count.

`good` alarms at row 10 of a (and at row 0, which is left out). `random` alarms at row 8 of a and at
row 5 of b, and the label column of its own a is of an older window, rows 6 to 13.
"""

import json

import numpy as np
import pandas as pd
import pytest

from benchmarks import nab

STEP = pd.Timedelta(minutes=5)
START = pd.Timestamp("2014-07-01")
ORDER_OF_B = [0, 1, 2, 3, 4, 5, 4, 5, 6, 7]


def moment(step):
    return str(START + step * STEP)


def write(folder, detector, name, steps, alarms, window):
    scores = np.full(len(steps), 0.1)
    scores[alarms] = 0.9
    label = np.zeros(len(steps), dtype=int)
    label[slice(*window)] = 1
    path = folder / "results" / detector / "group" / f"{detector}_{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(
        {
            "timestamp": [moment(step) for step in steps],
            "value": 1.0,
            "anomaly_score": scores,
            "label": label,
        }
    ).to_csv(path, index=False)


@pytest.fixture
def tree(tmp_path):
    for detector, in_a, in_b, window in (
        ("good", [0, 10], [], (8, 14)),
        ("random", [8], [5], (6, 14)),
        ("null", [], [], (8, 14)),
    ):
        write(tmp_path, detector, "a", range(20), in_a, window)
        write(tmp_path, detector, "b", ORDER_OF_B, in_b, (0, 0))
    (tmp_path / "results" / "README.md").write_text("no detector")
    labels = tmp_path / "labels"
    labels.mkdir()
    windows = {"group/a.csv": [[moment(8), moment(13)]], "group/b.csv": []}
    (labels / "combined_windows.json").write_text(json.dumps(windows))
    moments = {"group/a.csv": [moment(9.8)], "group/b.csv": []}
    (labels / "combined_labels.json").write_text(json.dumps(moments))
    return tmp_path


def best(tree, detector, truth):
    rows = nab.read_detector(tree, detector)
    return dict(zip(nab.RULES, rows.best(truth, [*nab.RULES.values()]), strict=True))


def test_everybody_but_null_is_a_detector(tree):
    assert nab.detectors(tree) == ["good", "random"]


def test_rows_are_sorted_by_time_and_labels_looked_up_by_it(tree):
    rows = nab.read_detector(tree, "random")
    assert np.flatnonzero(rows.warm_up).tolist() == [0, 1, 2, 20]
    assert np.flatnonzero(rows.windows).tolist() == [8, 9, 10, 11, 12, 13]
    assert np.flatnonzero(rows.shipped).tolist() == [6, 7, 8, 9, 10, 11, 12, 13]
    assert rows.moments == (10,)
    in_b = (rows.times[20:] - rows.times[20]) / STEP.to_timedelta64()
    assert in_b.tolist() == [0, 1, 2, 3, 4, 4, 5, 5, 6, 7]
    # The alarm at the first of two rows of step 5 comes behind both rows of step 4.
    assert np.flatnonzero(rows.scores == 0.9).tolist() == [8, 26]


def test_windows_put_random_first(tree):
    # good: found 2 steps (10 minutes) late, no false alarm: P = 1, R = D, F1 = 2D/(1 + D).
    good = best(tree, "good", "windows")
    assert good["PA"] == 1
    assert good["PAdf 0.9"] == pytest.approx(1.62 / 1.81)
    assert good["each segment once: PAdf 0.9"] == pytest.approx(1.62 / 1.81)
    fades = 2 ** (-10 / 33)
    assert good["half-life of 33 min"] == pytest.approx(2 * fades / (1 + fades))
    # random: found at once, one false alarm: P = 6/7 by points, 1/2 by segments; R = 1.
    drawn = best(tree, "random", "windows")
    for rule in ("PA", "PAdf 0.9", "deadline of 7 steps", "half-life of 33 min"):
        assert drawn[rule] == pytest.approx(12 / 13)
    assert drawn["each segment once: PAdf 0.9"] == pytest.approx(2 / 3)
    # Point-wise 1 of 6 points and 1 false alarm give 2/8; alarms everywhere, 6 right and 20 false,
    # give 12/32.
    assert drawn["point-wise"] == pytest.approx(12 / 32)


def test_label_columns_are_each_detector_s_own(tree):
    # random: 8 points, found 2 steps late, one false alarm: eTP = 0.81 * 8 = 6.48,
    # F1 = 2 * 6.48 / (6.48 + 1 + 8).
    assert best(tree, "random", "label columns")["PAdf 0.9"] == pytest.approx(12.96 / 15.48)
    assert best(tree, "good", "label columns") == best(tree, "good", "windows")


def test_onsets_put_random_last(tree):
    # The segment is rows 10 to 13: good is at once; both alarms of random are false, so alarms
    # everywhere are its best: 4 right and 22 false.
    assert best(tree, "good", "onsets")["PAdf 0.9"] == 1
    assert best(tree, "random", "onsets")["PAdf 0.9"] == pytest.approx(8 / 30)


def test_rank_counts_who_is_better():
    f1 = {"a": 0.9302, "random": 0.9301, "b": 0.9, "c": 0.95}
    assert nab.rank("random", f1) == 3
    assert nab.rank("random", f1, digits=3) == 2


def test_the_script_prints_ranks_for_every_kind_of_label(tree, capsys):
    nab.main(tree)
    printed = capsys.readouterr().out.splitlines()
    assert "2 detectors, 2 files, 30 rows, 4 of them left out" in printed
    assert "files with times that stand twice: 1" in printed
    assert "random: 2 labels of group/a.csv are not as the windows say" in printed
    ranks = [line.split()[2:5] for line in printed if line.startswith("PAdf 0.9  ")]
    assert ranks == [["2", "2", "0.837"], ["1", "1", "0.923"], ["2", "2", "0.267"]]

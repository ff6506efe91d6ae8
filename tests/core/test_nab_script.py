"""The script on NAB's detectors, on a tree like NAB's that is small enough to do by hand.

`tests/core/corpus_files.py` says what is in it.
"""

import pytest

from benchmarks import nab
from tests.core.corpus_files import write_nab

pytestmark = pytest.mark.slow


@pytest.fixture
def tree(tmp_path):
    return write_nab(tmp_path)


def best(tree, detector, truth):
    result = nab.evaluate(tree, truth)
    return {rule: f1[detector] for rule, f1 in nab.pooled(result).items()}


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


def test_label_columns_are_each_detector_s_own(tree):
    # random: 8 points, found 2 steps late, one false alarm: eTP = 0.81 * 8 = 6.48,
    # F1 = 2 * 6.48 / (6.48 + 1 + 8).
    assert best(tree, "random", "label columns")["PAdf 0.9"] == pytest.approx(12.96 / 15.48)
    assert best(tree, "good", "label columns") == best(tree, "good", "windows")


def test_rank_counts_who_is_better():
    f1 = {"a": 0.9302, "random": 0.9301, "b": 0.9, "c": 0.95}
    assert nab.rank("random", f1) == 3
    assert nab.rank("random", f1, digits=3) == 2


def test_the_script_prints_ranks_for_every_kind_of_label(tree, capsys):
    nab.main(tree)
    printed = capsys.readouterr().out.splitlines()
    assert "2 detectors, 2 files" in printed
    assert any(line.startswith("null: has the same score") for line in printed)
    ranks = [line.split()[2:5] for line in printed if line.startswith("PAdf 0.9  ")]
    assert ranks == [["2", "2", "0.837"], ["1", "1", "0.923"], ["2", "2", "0.267"]]

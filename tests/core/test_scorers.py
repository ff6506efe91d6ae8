"""The wrappers give evaluate's numbers and fit into scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import make_scorer
from sklearn.tree import DecisionTreeClassifier

import padf_core as padf

# A segment of 4 with one hit at delay 1, and one false alarm.
LABELS = [0, 1, 1, 1, 1, 0]
ALARMS = [1, 0, 1, 0, 0, 0]


def test_values_by_hand():
    assert padf.pa_f1_score(LABELS, ALARMS) == pytest.approx(8 / 9)  # 2*4 / (4 + 4+1)
    assert padf.pa_k_f1_score(LABELS, ALARMS) == pytest.approx(8 / 9)  # 25 % > 20 %
    assert padf.pa_k_f1_score(LABELS, ALARMS, k=25) == pytest.approx(2 / 6)  # 2*1 / (4 + 1+1)
    assert padf.pa_k_f1_score(LABELS, ALARMS, k=25, inclusive=True) == pytest.approx(8 / 9)
    assert padf.padf_f1_score(LABELS, ALARMS) == pytest.approx(7.2 / 8.6)  # 2*3.6 / (4 + 3.6+1)
    assert padf.padf_f1_score(LABELS, ALARMS, convention="equations") == pytest.approx(7.2 / 9)
    assert padf.padf_f1_score(LABELS, ALARMS, d=0.5) == pytest.approx(4 / 7)  # 2*2 / (4 + 2+1)
    assert padf.padf_f1_score(LABELS, ALARMS, decay=padf.DeadlineDecay(0)) == 0
    assert padf.padf_f1_score(LABELS, ALARMS, beta=2) == pytest.approx(18 / 20.6)


@pytest.mark.parametrize(
    ("function", "arguments", "by_hand"),
    [
        (padf.pa_f1_score, {}, 8 / 9),
        (padf.pa_k_f1_score, {"k": 20}, 8 / 9),
        (padf.pa_k_f1_score, {"k": 25}, 2 / 6),
        (padf.padf_f1_score, {"d": 0.5}, 4 / 7),
        (padf.pa_f1_score, {"beta": 2}, 20 / 21),  # 5*4 / (4*4 + 5)
        (padf.pa_k_f1_score, {"k": 25, "beta": 2}, 5 / 18),  # 5*1 / (4*4 + 2)
    ],
)
def test_make_scorer_takes_them(function, arguments, by_hand):
    scorer = make_scorer(function, **arguments)
    features = np.array(ALARMS)[:, None]
    says_its_feature = DecisionTreeClassifier().fit(features, ALARMS)
    assert scorer(says_its_feature, features, np.array(LABELS)) == pytest.approx(by_hand)


def test_parameters_are_keyword_only():
    with pytest.raises(TypeError):
        padf.pa_k_f1_score(LABELS, ALARMS, 20)

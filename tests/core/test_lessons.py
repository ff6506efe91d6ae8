"""What each teaching case says must be so."""

import numpy as np
import pytest

import padf_core as padf
from padf_core.paper.cases import CONDITIONS, TEACHING_CASES, TOY_CASES, random_detections
from tests.strategies import FOUR

CASES = {case.key: case for case in TEACHING_CASES}
PROTOCOLS = [padf.Settings().protocol(key) for key in FOUR]


def f1(key):
    case = CASES[key]
    return [e.f1 for e in padf.evaluate_all(case.labels, case.detections, PROTOCOLS)]


def recalls(key):
    case = CASES[key]
    return [e.recall for e in padf.evaluate_all(case.labels, case.detections, PROTOCOLS)]


def test_at_the_last_minute_the_protocols_disagree():
    pointwise, pa, pa_k, padf_ = f1("last_minute")
    assert pa == 1
    assert pointwise == pa_k == pytest.approx(2 / 13)
    # eleven steps late: D = 0.9^11 = 0.314, F1 = 2D/(1 + D)
    assert padf_ == pytest.approx(2 * 0.9**11 / (1 + 0.9**11))
    assert padf_ < 0.5
    assert 0.9**11 < 1 / 3


def test_one_early_hit_is_perfect_for_pa_and_padf_only():
    pointwise, pa, pa_k, padf_ = f1("early_hit")
    assert pa == padf_ == 1
    assert pointwise == pa_k == pytest.approx(2 / 13)


def test_many_late_hits_fool_pa_and_pa_k():
    _, pa, pa_k, padf_ = f1("late_hits")
    assert pa == pa_k == 1
    assert recalls("late_hits")[0] == 0.5
    # six steps late: D = 0.9^6, F1 = 2D/(1 + D)
    assert padf_ == pytest.approx(2 * 0.9**6 / (1 + 0.9**6))


def test_an_alarm_flood_has_perfect_recall_wherever_credit_is_given():
    assert recalls("alarm_flood")[1:] == [1, 1, 1]
    assert recalls("alarm_flood")[0] < 1
    case = CASES["alarm_flood"]
    assert padf.evaluate(case.labels, case.detections, PROTOCOLS[1]).false_positives > 12


def test_one_step_early_earns_nothing():
    assert f1("step_before") == [0, 0, 0, 0]
    case = CASES["step_before"]
    (onset,) = (segment.start for segment in padf.find_segments(case.labels))
    assert np.flatnonzero(case.detections).tolist() == [onset - 1]


def test_the_long_segment_has_20_of_23_points():
    assert recalls("long_and_short")[1] == pytest.approx(20 / 23)


def test_with_one_of_two_missed_no_recall_exceeds_half():
    assert max(recalls("one_missed")) == 0.5
    assert recalls("one_missed")[3] < 0.5


def test_random_alarms_beats_careful_under_pa_but_not_under_padf():
    careful, random = CASES["careful"], CASES["random_alarms"]
    assert careful.labels.tolist() == random.labels.tolist()
    assert padf.evaluate(careful.labels, careful.detections, PROTOCOLS[0]).false_positives == 0
    assert f1("random_alarms")[1] > f1("careful")[1] + 0.3
    assert f1("random_alarms")[3] < f1("careful")[3] - 0.2


def test_random_detections_are_seeded():
    assert random_detections(100, 0.5, 1).tolist() == random_detections(100, 0.5, 1).tolist()
    assert random_detections(100, 0.5, 1).tolist() != random_detections(100, 0.5, 2).tolist()
    assert not random_detections(100, 0.0, 1).any()
    assert random_detections(100, 1.0, 1).all()


def test_cases_cannot_be_changed():
    for case in (*TOY_CASES, *TEACHING_CASES):
        with pytest.raises(ValueError, match="read-only"):
            case.labels[0] = True


@pytest.mark.parametrize(
    ("f1", "verdicts"),
    [
        # Table 1, columns w/o, PA, PA%K, PAdf 0.9, by hand from the printed values
        ([0.500, 0.222, 0.222, 0.667, 0.545], [False, False, False, False]),
        ([0.736, 0.933, 0.933, 0.933, 0.933], [False, False, True, True]),
        ([0.736, 0.222, 0.222, 0.933, 0.933], [False, False, False, False]),
        ([0.689, 0.881, 0.933, 0.933, 0.729], [True, True, True, True]),
    ],
)
def test_conditions_on_the_published_values(f1, verdicts):
    assert [condition.holds(f1) for condition in CONDITIONS] == verdicts


def test_only_the_third_condition_is_a_permission():
    assert [condition.required for condition in CONDITIONS] == [True, True, False, True]

"""The rows that the board looks up: every number in them is padf_core's."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import padf_core as padf
from padf_core import Settings
from padf_core.metrics.settings import DECAYS
from padf_core.paper.cases import TEACHING_CASES, TOY_CASES
from padf_ui.lanes.explain import amount, explain
from padf_ui.lanes.paper import ALL_CASES, paper_rows
from padf_ui.lanes.rows import DECAY_STEPS, board_rows, sliders
from tests import naive, strategies


@given(strategies.patterns(), st.sampled_from(list(DECAYS)), st.booleans(),
       st.sampled_from(["tables", "equations"]))  # fmt: skip
@settings(max_examples=25)
def test_every_step_of_every_slider_is_brute_force_s(pattern, shape, inclusive, precision):
    chosen = Settings(shape, DECAY_STEPS[shape][6], 20, inclusive, precision)
    rows = board_rows(*pattern, chosen)
    decay, k = sliders(chosen, None)
    protocols = {
        "pointwise": [padf.Pointwise()],
        "pa": [padf.PointAdjust()],
        "pa_k": [padf.PointAdjustK(step, inclusive) for step in k["steps"]],
        "padf": [padf.PointAdjustDecay(DECAYS[shape](step), precision) for step in decay["steps"]],
    }
    assert set(protocols) == set(padf.PROTOCOLS) == {lane["key"] for lane in rows["lanes"]}
    for lane in rows["lanes"]:
        assert len(lane["places"]) == len(protocols[lane["key"]])
        for step in range(0, len(lane["places"]), 7):
            row = lane["rows"][lane["places"][step]]
            f1 = naive.scores(*pattern, protocols[lane["key"]][step])[2]
            assert float(row["f1"]) == pytest.approx(float(f1), abs=0.000501)
            assert row["height"] == pytest.approx(float(f1), abs=1e-5)
    assert rows["labels"] == "".join(map(str, pattern[0]))
    assert rows["detections"] == "".join(map(str, pattern[1]))


def test_a_value_between_the_steps_becomes_one():
    chosen = Settings(decay=0.995, k=33.3)
    decay, k = sliders(chosen, None)
    assert (len(decay["steps"]), decay["steps"][decay["at"]]) == (101, 0.995)
    assert (len(k["steps"]), k["steps"][k["at"]]) == (102, 33.3)
    rows = board_rows(TOY_CASES[1].labels, TOY_CASES[1].detections, chosen)
    assert len(rows["lanes"][3]["places"]) == 101


def test_formulas_by_hand():
    # Case 2 at d = 0.7: eTP = 7 * 0.7 = 4.90, one false alarm.
    case = TOY_CASES[1]
    chosen = Settings(decay=0.7)
    text = explain(padf.evaluate(case.labels, case.detections, chosen.protocols()[3]))
    assert text.precision == "P = 4.90 / (4.90 + 1) = 0.831"
    assert text.recall == "R = 4.90 / 7 = 0.700"
    assert text.formula == "F1 = 2 · 0.831 · 0.700 / (0.831 + 0.700) = 0.760"
    assert text.why == (
        "The segment is found 1 step late, so each of its 7 points earns 0.70. "
        "1 false alarm lowers precision."
    )
    equations = Settings(decay=0.6, precision="equations").protocols()[3]
    text = explain(padf.evaluate(case.labels, case.detections, equations), 60)
    assert text.precision == "P = 4.20 / (7 + 1) = 0.525"
    assert "found 1 min late" in text.why


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7.0, "7"),
        (4.8999999999999995, "4.90"),
        (12.625, "12.625"),
        (20.9712, "20.971"),
        (7e-6, "7e-06"),
    ],
)
def test_amounts_have_the_decimals_they_need(value, text):
    assert amount(value) == text


def test_nothing_divided_by_nothing_says_so():
    text = explain(padf.evaluate([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], padf.PointAdjust()))
    assert text.precision == "P = 0 / (0 + 0) = 0.000 (0/0 counts as 0)"
    assert text.recall == "R = 0 / 0 = 0.000 (0/0 counts as 0)"


WHY = [
    ("00000", "01000", "pa", "There is no anomaly to find: paint one in the Truth lane."),
    ("01100", "00010", "padf", "No alarm falls into a segment, so nothing is earned."),
    ("01100", "01000", "pointwise", "Only the points with an alarm of their own count: 1 of 2"),
    ("01101", "01000", "pa", "1 of 2 segments has at least one alarm, however late, and earns all"),
    ("01101", "01001", "pa", "2 of 2 segments have at least one alarm, however late, and earn all"),
    ("01100", "01000", "pa_k", "The segment has enough alarms and is filled up"),
    ("01111111", "01000000", "pa_k", "No segment has enough alarms to be filled up"),
    (
        "01101",
        "00101",
        "padf",
        "2 of 2 segments are found, 0.5 steps late on average; their points",
    ),
    ("01101", "01001", "padf", "2 of 2 segments are found, all at once, and earn all their"),
    ("01100", "01000", "padf", "The segment is found at once, so each of its 2 points earns 1.00"),
]


@pytest.mark.parametrize(("labels", "detections", "key", "why"), WHY)
def test_sentences(labels, detections, key, why):
    protocol = padf.PROTOCOLS[key]()
    text = explain(padf.evaluate([int(b) for b in labels], [int(b) for b in detections], protocol))
    assert text.why.startswith(why)


@pytest.mark.parametrize("case", TEACHING_CASES, ids=lambda case: case.key)
def test_numbers_in_formulas_are_consistent(case):
    for result in padf.evaluate_all(case.labels, case.detections, Settings().protocols()):
        text = explain(result)
        credit, again, false_alarms, precision = (
            float(x) for x in re.findall(r"[\d.]+", text.precision)
        )
        assert credit == again
        assert false_alarms == result.false_positives
        assert precision == pytest.approx(result.precision, abs=0.0005)


def test_paper_rows_agree_with_print_at_the_published_parameters():
    rows = paper_rows(Settings())
    printed = [value for entry in rows["toy"] + rows["robustness"] for value in entry["printed"]]
    assert len(printed) == 41
    assert all(value["agrees"] for value in printed)
    assert len(ALL_CASES) == len(rows["toy"]) + len(rows["robustness"]) == 21


def test_no_published_value_stands_beside_other_rules():
    equations = paper_rows(Settings(precision="equations"))["toy"][1]["printed"]
    assert {value["lane"] for value in equations} == {"pointwise", "pa", "pa_k"}
    assert paper_rows(Settings())["rules"] == ""
    assert "precision of the equations" in paper_rows(Settings(precision="equations"))["rules"]
    at_least = paper_rows(Settings(inclusive=True))["toy"][1]["printed"]
    assert {value["lane"] for value in at_least} == {"pointwise", "pa", "padf"}


def test_for_which_d_and_k_all_conditions_hold():
    # PAdf: d < 1 is enough (at d = 1 it is PA, which cannot tell cases 2 to 5 apart).
    # PA%K: cases 2 and 3 both have one hit of seven, so they score the same at every K.
    assert paper_rows(Settings())["ranges"] == [
        "PAdf meets all required conditions from d = 0.01 to 0.99.",
        "PA%K meets all required conditions at no K.",
    ]
    assert paper_rows(Settings(shape="deadline", decay=7))["ranges"][0] == (
        "PAdf meets all required conditions at no deadline."
    )

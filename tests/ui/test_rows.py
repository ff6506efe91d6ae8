"""The rows that the board looks up: every number in them is padf_core's."""

import re
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import padf_core as padf
from padf_core import PROTOCOLS, Settings
from padf_core.metrics.decays import decays_in
from padf_core.metrics.evaluation import evaluate_over, make_pattern
from padf_core.paper.cases import ROBUSTNESS_CASES, TEACHING_CASES, TOY_CASES
from padf_ui.components.board_message import board_rows, time_names
from padf_ui.components.lanes import all_thousandths, hundredths, pack, sliders_of, steps_of
from padf_ui.components.words import credit_text, explain
from padf_ui.paper.cases_page import ALL_CASES, case_rows
from tests import naive, strategies
from tests.strategies import FOUR, LANE_SETS, REFERENCES, all_settings
from tests.ui.unpacked import check_credit, check_point_credit, check_scores, row_at, unpack


def chosen_protocols(chosen, key):
    """Every step of a protocol's slider, made from its class and its description alone."""
    number = PROTOCOLS[key].number(chosen.values)
    if number is None:
        return [PROTOCOLS[key].of(chosen.values)]
    steps = sorted({*number.steps, chosen[number.key]})
    return [PROTOCOLS[key].of({**chosen.values, number.key: step}) for step in steps]


@pytest.mark.slow
@given(
    strategies.patterns(max_size=30),
    st.sampled_from([decay.shape for decay in decays_in("steps")]),
    st.booleans(),
    st.sampled_from(["tables", "equations"]),
    st.sampled_from(LANE_SETS),
)
@settings(max_examples=20)
def test_every_step_of_every_slider_is_brute_force_s(pattern, shape, inclusive, precision, lanes):
    labels, detections = pattern
    chosen = Settings(lanes, shape=shape, inclusive=inclusive, precision=precision)
    rows = board_rows(labels, detections, chosen)
    hidden = {*REFERENCES} - {*lanes}
    assert [lane["key"] for lane in rows["lanes"]] == [
        key for key in PROTOCOLS if key not in hidden
    ]
    base = chosen.protocol("pointwise")
    for lane in rows["lanes"]:
        protocols = chosen_protocols(chosen, lane["key"])
        assert len(lane["places"]) == len(protocols)
        by = lane["credit"]["by"]
        assert by == PROTOCOLS[lane["key"]].grants
        precisions, recalls = unpack(lane["precision"]), unpack(lane["recall"])
        for step, protocol in enumerate(protocols):
            row = row_at(lane, step)
            check_scores(row, labels, detections, protocol, base)
            if by == "point":
                check_point_credit(row.credit, labels, detections, protocol)
            else:
                for granted, segment in zip(row.credit, naive.segments(labels), strict=True):
                    check_credit(granted, labels, detections, protocol, segment)
            told = [texts[lane["places"][step]] for texts in (precisions, recalls)]
            exact = naive.scores(labels, detections, protocol)
            for text, value in zip(told, exact, strict=False):
                shown = float(re.findall(r"= (\d\.\d{3})", text)[-1])
                assert shown == pytest.approx(float(value), abs=0.0005 + 1e-9)
    assert rows["labels"] == "".join(map(str, labels))
    assert rows["detections"] == "".join(map(str, detections))
    wrong = naive.false_points(labels, detections)
    plural = "alarm" if sum(detections) == 1 else "alarms"
    assert rows["alarms"] == f"{sum(detections)} {plural}, {wrong} false"
    for segment, (start, stop) in zip(rows["segments"], naive.segments(labels), strict=True):
        inside = detections[start:stop]
        delay = inside.index(1) if 1 in inside else -1
        late = "missed" if delay < 0 else f"delay {delay}"
        assert segment == {"start": start, "stop": stop, "delay": delay, "late": late}


@given(all_settings())
@settings(max_examples=30)
def test_sliders_are_what_the_protocols_say_of_themselves(chosen):
    sliders = {slider["lane"]: slider for slider in sliders_of(chosen, 60.0)}
    assert set(sliders) == set(chosen.numbers())
    for key, slider in sliders.items():
        number = PROTOCOLS[key].number(chosen.values)
        protocols = chosen_protocols(chosen, key)
        assert slider["steps"][slider["at"]] == chosen[number.key]
        assert unpack(slider["names"]) == [protocol.setting for protocol in protocols]
        assert unpack(slider["notes"]) == [number.note(step, 60.0) for step in slider["steps"]]
        assert list(steps_of(chosen, key).protocols) == protocols


@pytest.mark.parametrize("case", [*TOY_CASES, *TEACHING_CASES, ROBUSTNESS_CASES[6]])
@pytest.mark.parametrize("step_seconds", [None, 300.0])
@pytest.mark.parametrize("lanes", LANE_SETS)
def test_the_words_of_every_step_are_those_of_its_result(case, step_seconds, lanes):
    chosen = Settings(lanes, precision="equations")
    rows = board_rows(case.labels, case.detections, chosen, step_seconds)
    for lane in rows["lanes"]:
        protocols = chosen_protocols(chosen, lane["key"])
        texts = {name: unpack(lane[name]) for name in ("precision", "recall", "formula", "why")}
        for step, result in enumerate(padf.evaluate_all(case.labels, case.detections, protocols)):
            told = explain(result, step_seconds)
            for name, known in texts.items():
                assert known[lane["places"][step]] == getattr(told, name)
    names = time_names(case.labels.size, step_seconds)
    assert rows["times"] == ([] if step_seconds is None else names)


@given(st.lists(st.text(alphabet="ab. 0123456789-", max_size=14), min_size=1))
def test_packed_texts_are_unpacked_as_they_were(texts):
    assert unpack(pack(texts)) == texts


def test_texts_that_differ_in_numbers_share_their_words():
    packed = pack([f"7 points earn 0.{step} each" for step in range(10, 99)])
    assert packed["parts"] == [["7 points earn ", " each"]]
    assert packed["rows"][3] == [0, "0.13"]


def test_a_value_between_the_steps_becomes_one():
    chosen = Settings(decay=0.995, k=33.3)
    sliders = sliders_of(chosen, None)
    decay, k = (next(s for s in sliders if s["key"] == key) for key in ("decay", "k"))
    assert (decay["lane"], k["lane"]) == ("padf", "pa_k")
    assert sliders[0] is decay
    assert (len(decay["steps"]), decay["steps"][decay["at"]]) == (101, 0.995)
    assert (len(k["steps"]), k["steps"][k["at"]]) == (102, 33.3)
    rows = board_rows(TOY_CASES[1].labels, TOY_CASES[1].detections, chosen)
    places = {lane["key"]: len(lane["places"]) for lane in rows["lanes"]}
    known = {"pointwise": 1, "pa": 1, "pa_k": 102, "padf": 101}
    assert {key: places[key] for key in FOUR} == known


def test_one_lane_alone_has_the_same_rows():
    case, chosen = TOY_CASES[1], Settings()
    whole = board_rows(case.labels, case.detections, chosen)
    (alone,) = board_rows(case.labels, case.detections, chosen, lanes=["padf"])["lanes"]
    assert alone == next(lane for lane in whole["lanes"] if lane["key"] == "padf")


def test_formulas_by_hand():
    # Case 2 at d = 0.7: eTP = 7 * 0.7 = 4.90, one false alarm.
    case = TOY_CASES[1]
    chosen = Settings(decay=0.7)
    text = explain(padf.evaluate(case.labels, case.detections, chosen.protocol("padf")))
    assert text.precision == "P = 4.90 / (4.90 + 1) = 0.831"
    assert text.recall == "R = 4.90 / 7 = 0.700"
    assert text.formula == "F1 = 2 · 0.831 · 0.700 / (0.831 + 0.700) = 0.760"
    assert text.why == (
        "The segment is detected 1 step late, so each of its 7 points earns 0.70. "
        "1 false alarm lowers precision."
    )
    equations = Settings(decay=0.6, precision="equations").protocol("padf")
    text = explain(padf.evaluate(case.labels, case.detections, equations), 60)
    assert text.precision == "P = 4.20 / (7 + 1) = 0.525"
    assert "detected 1 min late" in text.why


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
    assert credit_text(value) == text


@dataclass(frozen=True)
class Demanding(padf.Pointwise):
    """Wants more than there is: ``more`` points beside those of each segment."""

    more: float = 0.5

    def wanted(self, lengths):
        return lengths + self.more


def test_what_is_wanted_may_follow_the_number():
    pattern = make_pattern([0, 1, 1, 0, 1], [1, 1, 0, 0, 1])
    values = [0.0, 0.5, 2.0]
    results = evaluate_over(pattern, [Demanding(more) for more in values], "more", values)
    # Two segments of three points, two hits and one false alarm.
    assert [result.wanted for result in results] == [3, 4, 7]
    assert [result.recall for result in results] == pytest.approx([2 / 3, 2 / 4, 2 / 7])
    assert [result.f1 for result in results] == pytest.approx([4 / 6, 4 / 7, 4 / 10])
    assert [explain(result).recall for result in results] == [
        "R = 2 / 3 = 0.667",
        "R = 2 / 4 = 0.500",
        "R = 2 / 7 = 0.286",
    ]
    assert explain(padf.evaluate([1, 1], [1, 1], Demanding(0.25))).recall == "R = 2 / 2.25 = 0.889"


def test_nothing_divided_by_nothing_says_so():
    text = explain(padf.evaluate([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], padf.PointAdjust()))
    assert text.precision == "P = 0 / (0 + 0) = 0.000 (0/0 counts as 0)"
    assert text.recall == "R = 0 / 0 = 0.000 (0/0 counts as 0)"


WHY = [
    ("00000", "01000", "pa", "There is no incident to find. Paint one in the Truth lane."),
    ("01100", "00010", "padf", "No alarm falls inside an incident: no credit."),
    ("01100", "01000", "pointwise", "Only points that are themselves flagged count: 1 of 2"),
    (
        "01100",
        "01000",
        "pa",
        "One alarm inside the incident is enough: all 2 points count as found.",
    ),
    ("00100", "00100", "pa", "One alarm inside the incident is enough: its point counts as found."),
    ("01101", "01000", "pa", "1 of 2 segments has at least one alarm: all its points count as"),
    ("01101", "01001", "pa", "2 of 2 segments have at least one alarm: all their points count"),
    (
        "01100",
        "01000",
        "pa_k",
        "Enough points flagged (1 of 2): the whole segment counts as found.",
    ),
    ("01111111", "01000000", "pa_k", "Too few points flagged (1 of 7): the segment is scored"),
    ("0111111101", "0100000000", "pa_k", "No segment has enough points flagged: all are"),
    (
        "0111111101",
        "0100000001",
        "pa_k",
        "1 of 2 segments has enough points flagged and counts in full. The others are scored",
    ),
    ("01101", "01001", "pa_k", "2 of 2 segments have enough points flagged and count in full. No"),
    (
        "01101",
        "00101",
        "padf",
        "2 of 2 segments are detected, 0.5 steps late on average; their points",
    ),
    ("01101", "01001", "padf", "2 of 2 segments are detected with no delay and earn full credit."),
    ("01100", "01000", "padf", "The segment is detected with no delay, so each of its 2 points"),
    (
        "01101",
        "01000",
        "composite",
        "Recall counts segments: 1 of 2 has an alarm. Precision counts points: 1 of 1",
    ),
    (
        "01101",
        "11010",
        "event_wise",
        "1 of 2 segments are detected. Each counts once, whatever its",
    ),
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
    rows = case_rows(Settings())
    printed = [value for entry in rows["toy"] + rows["robustness"] for value in entry["printed"]]
    assert len(printed) == 41
    assert all(value["agrees"] for value in printed)
    assert len(ALL_CASES) == len(rows["toy"]) + len(rows["robustness"]) == 21


def test_no_published_value_stands_beside_other_rules():
    equations = case_rows(Settings(precision="equations"))["toy"][1]["printed"]
    assert {value["lane"] for value in equations} == {"pointwise", "pa", "pa_k"}
    assert case_rows(Settings())["rules"] == ""
    assert "Equations: eTP / (T + FP)" in case_rows(Settings(precision="equations"))["rules"]
    at_least = case_rows(Settings(inclusive=True))["toy"][1]["printed"]
    assert {value["lane"] for value in at_least} == {"pointwise", "pa", "padf"}


def test_for_which_d_and_k_all_conditions_hold():
    # PAdf: d < 1 is enough (at d = 1 it is PA, which cannot tell cases 2 to 5 apart).
    # PA%K: cases 2 and 3 both have one hit of seven, so they score the same at every K.
    assert ranges_of(Settings(), "pa_k", "padf") == [
        "PA%K does not meet all required conditions at any K.",
        "PAdf meets all required conditions from d = 0.01 to 0.99.",
    ]
    assert ranges_of(Settings(shape="deadline", decay=7), "padf") == [
        "PAdf does not meet all required conditions at any deadline."
    ]


def ranges_of(chosen, *keys):
    """What is said of some protocols; of each that has a number something is."""
    said = dict(zip(chosen.numbers(), case_rows(chosen)["ranges"], strict=True))
    return [said[key] for key in keys]


@given(st.lists(st.one_of(st.floats(0, 1), st.integers(0, 1000).map(lambda n: n / 1000))))
def test_credit_is_rounded_as_it_is_written(credit):
    assert hundredths(np.array(credit)) == [round(float(f"{c:.2f}") * 100) for c in credit]


@given(
    st.lists(st.one_of(st.floats(-1, 1), st.integers(-20_000, 20_000).map(lambda n: n / 20_000)))
)
def test_scores_are_rounded_as_they_are_written(scores):
    assert all_thousandths(scores) == [round(float(f"{f1:.3f}") * 1000) for f1 in scores]

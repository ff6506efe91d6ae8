"""What charts draw: the numbers that they were given, and every mark that tells something."""

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core import ExponentialDecay, PointAdjust, PointAdjustDecay, Pointwise
from padf_core.analysis.alerting import RuleOutcome
from padf_core.analysis.random_detector import RandomRow, Simulated
from padf_core.analysis.trade_map import TradeMap
from padf_core.metrics.alerts import AlertRule
from padf_core.metrics.expectation import RandomBest
from padf_ui.decay import decay_charts as decay
from padf_ui.operators import operators_charts as operators
from padf_ui.paper import paper_charts as paper
from padf_ui.random_baseline import random_charts as random_detector
from padf_ui.web.palette import TEXT

MODES = ("light", "dark")
POINTWISE = Pointwise.look.light
HOSTILE = "<img src=x onerror=alert(1)>"


def trace(figure, name):
    (found,) = [each for each in figure.data if each.name == name]
    return found


# ---- choosing a decay ----------------------------------------------------------------------------


def test_credit_falls_as_the_decay_says_and_the_need_is_on_it():
    protocol = PointAdjustDecay(ExponentialDecay(0.5))
    figure = decay.credit_curves([("d = 0.5", protocol)], 240, 60, "delay, min", (2, 0.25), "light")
    line = trace(figure, "d = 0.5")
    # 241 points from 0 to 240 steps: one for each step, 1/2^k; 60 steps are a minute on the axis.
    assert line.x[60] == 1
    assert line.y[:4].tolist() == [1, 0.5, 0.25, 0.125]
    need = trace(figure, "the need")
    assert (list(need.x), list(need.y)) == ([2 / 60], [0.25])
    assert line.line.dash == PointAdjustDecay.look.dash


def test_several_decays_have_lines_of_their_own():
    made = [(str(d), PointAdjustDecay(ExponentialDecay(d))) for d in (0.5, 0.9)]
    figure = decay.credit_curves(made, 10, 1, "delay", (1, 0.5), "dark")
    assert len({trace(figure, name).line.dash for name, _ in made}) == 2
    assert trace(figure, "the need").marker.color == TEXT["dark"]


def test_detectors_are_drawn_over_their_false_alarms():
    labels, scores = [0, 0, 1, 1, 0], [0.1, 0.8, 0.9, 0.2, 0.3]
    sweep = padf.sweep(labels, scores, PointAdjust())
    figure = decay.threshold_lines([sweep], ["mine"], 5, "light")
    (line,) = figure.data
    # From the highest threshold down: 0, 1, 2 and 3 false alarms of 5 points; none is drawn as half
    # of one, since the axis is logarithmic. 0.9 and 0.2 are in the segment.
    drawn = dict(zip(sweep.thresholds.tolist(), np.asarray(line.x).tolist(), strict=True))
    assert drawn[0.9] == pytest.approx(10)
    assert drawn[0.8] == pytest.approx(20)
    assert drawn[0.1] == pytest.approx(60)
    assert figure.layout.xaxis.type == "log"
    # PA at 0.9: the whole segment without a false alarm.
    assert max(line.y) == 1


def test_every_found_segment_is_a_dot_in_its_detector_s_row():
    delays = [np.array([0.0, 5.0, np.nan]), np.array([np.nan, np.nan, np.nan]), np.array([2.0])]
    figure = decay.delay_dots(delays, ["a", "b", HOSTILE], "min", "light")
    assert [list(each.x) for each in figure.data] == [[0, 5], [], [2]]
    assert all(abs(y - 0) < 0.5 for y in figure.data[0].y)
    assert list(figure.data[2].y) == [2]
    assert "<img" not in "".join(figure.layout.yaxis.ticktext)
    low, high = figure.layout.xaxis.range
    assert low < 0 < 5 < high


# ---- the map of alert rules ----------------------------------------------------------------------


def outcome(threshold, wait, worth, calls):
    return RuleOutcome(AlertRule(threshold, wait), worth, 1, 1, calls, 0.0)


def made_map(best=None):
    cells = (
        (outcome(0.1, 1, 1.0, 40), outcome(0.5, 1, 0.5, 4)),
        (outcome(0.1, 3, 0.8, 20), outcome(0.5, 3, 0.25, 0)),
    )
    return TradeMap((0.1, 0.5), (1, 3), cells, best)


def test_the_map_shows_worth_calls_and_marks():
    best = outcome(0.5, 1, 0.5, 4)
    figure = operators.rule_map(made_map(best), AlertRule(0.1, 3), 3.0, 2.0, 300, "light")
    heat = figure.data[0]
    assert heat.z.tolist() == [[100, 50], [80, 25]]
    # 40, 4, 20 and 0 calls in two days: contours at 0.1, 1, 10 a day and at the budget of 3.
    contours = [each for each in figure.data if each.type == "contour"]
    assert [each.contours.start for each in contours] == [0.1, 1, 3, 10]
    assert [each.line.dash for each in contours] == ["dot", "dot", "solid", "dot"]
    assert contours[0].z.tolist() == [[20, 2], [10, 0]]
    now, star = trace(figure, "now"), trace(figure, "best within the budget")
    assert (list(now.x), list(now.y)) == ([0], [1])
    assert (list(star.x), list(star.y)) == ([1], [0])
    cells = next(each for each in figure.data if each.customdata is not None)
    assert [tuple(each) for each in cells.customdata] == [(0.1, 1), (0.5, 1), (0.1, 3), (0.5, 3)]
    assert cells.text[3].startswith("from 0.5 on, 3 points, 15 min<br>worth 25 %, 0.00 false calls")


def test_a_rule_beyond_the_map_has_no_mark():
    figure = operators.rule_map(made_map(), AlertRule(np.inf, 1), 3.0, 2.0, 300, "dark")
    assert {"now", "best within the budget"}.isdisjoint(each.name for each in figure.data)
    figure = operators.rule_map(made_map(), AlertRule(0.1, 2), 3.0, 2.0, 300, "dark")
    assert "now" not in [each.name for each in figure.data]


# ---- the paper's tables --------------------------------------------------------------------------

ROWS = pd.DataFrame(
    {
        "dataset": ["x", "x", "y"],
        "model": ["one", "two", "three"],
        "pa": [0.9, 0.8, 0.8],
        "padf_0.9": [0.1, 0.5, 0.3],
    }
)


def test_models_are_ranked_under_each_column():
    ranks = paper.model_ranks(ROWS, ["pa", "padf_0.9"])
    # Under PA two and three share place 2, as in a sports table.
    assert ranks["pa"].tolist() == [1, 2, 2]
    assert ranks["padf_0.9"].tolist() == [3, 1, 2]
    figure = paper.model_bump(ROWS, ["pa", "padf_0.9"], ["PA", "PAdf"], "light")
    drawn = {each.name: list(each.y) for each in figure.data if each.name in set(ROWS["model"])}
    assert drawn == {"one": [1, 3], "two": [2, 1], "three": [2, 2]}


def test_bars_hold_the_printed_numbers():
    figure = paper.model_bars(ROWS, ["pa", "padf_0.9"], ["PA", "PAdf"], "dark")
    assert list(trace(figure, "PA").y) == [0.9, 0.8, 0.8]
    assert list(trace(figure, "PAdf").y) == [0.1, 0.5, 0.3]
    assert len({each.marker.pattern.shape for each in figure.data}) == 2
    # A protocol has its colour on every page.
    looks = (PointAdjust.look.dark, PointAdjustDecay.look.dark)
    assert tuple(each.marker.color for each in figure.data) == looks


def test_a_scatter_has_every_row_and_its_line_of_least_squares():
    figure = paper.correlation_scatter(ROWS, "pa", "PA", -0.87, "light")
    assert (list(trace(figure, "x").x), list(trace(figure, "y").y)) == ([0.9, 0.8], [0.3])
    (fit,) = [each for each in figure.data if each.mode == "lines" and len(each.x) == 2
              and min(each.x) == 0.8]  # fmt: skip
    # Through the means of the two places: 0.4 at 0.8, and 0.1 at 0.9.
    assert list(fit.y) == pytest.approx([0.4, 0.1])
    assert figure.layout.annotations[0].text == "correlation -0.870"


# ---- the random detector -------------------------------------------------------------------------


def test_a_curve_has_its_maximum_and_its_simulated_points():
    runs = Simulated(np.array([[0.1, 0.5], [0.3, 0.5]]), Pointwise(), np.array([0.2, 0.8]))
    curve = random_detector.RandomCurve(
        "N = 5", np.array([0.0, 1.0]), np.array([0.4, 0.0]), RandomBest(0.6, 0.25), runs
    )
    figure = random_detector.random_curves([curve], "light")
    assert list(trace(figure, "N = 5").y) == [0.4, 0]
    assert {each.line.color or each.marker.color for each in figure.data} == {POINTWISE}
    points = trace(figure, "N = 5, simulated")
    assert list(points.y) == pytest.approx([0.2, 0.5])
    # Two runs that are 0.2 apart: 0.1 * sqrt(2).
    assert list(points.error_y.array) == pytest.approx([0.1 * 2**0.5, 0])
    best = trace(figure, "maximum")
    assert (list(best.x), list(best.y)) == ([0.75], [0.6])


@pytest.mark.parametrize("mode", MODES)
def test_the_map_and_the_boxes_hold_every_number(mode):
    table = pd.DataFrame([[0.1, 0.2], [0.3, 0.4]], index=[0.5, 0.9], columns=[5, 50])
    (heat,) = random_detector.random_map(table, "d", mode).data
    assert (list(heat.x), list(heat.y)) == (["5", "50"], ["0.5", "0.9"])
    assert heat.z.tolist() == [[0.1, 0.2], [0.3, 0.4]]
    rows = [
        RandomRow(PointAdjust(), (0.5, 0.75), (0.1, 0.2)),
        RandomRow(Pointwise(), (0.25,), (0.5,)),
    ]
    boxes = random_detector.random_boxes(rows, mode).data
    assert [list(each.y) for each in boxes] == [[0.5, 0.75], [0.25]]
    assert [each.name for each in boxes] == ["PA", "Point-wise"]
    assert len({each.marker.color for each in boxes}) == 2

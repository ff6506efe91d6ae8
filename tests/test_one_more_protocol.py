"""One more protocol, registered by one line, is everywhere: pages, links, files and the command."""

import contextlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import padf_core as padf
from padf_core import PROTOCOLS, Settings
from padf_core.__main__ import main
from padf_core.io.series import make_series
from padf_core.metrics.parameters import Number, Parameter, Value
from padf_core.metrics.probability import first_hit_probability
from padf_core.metrics.protocols import Late, Look, Protocol, Tally
from padf_core.paper.cases import TOY_CASES
from padf_ui.components.board_message import board_rows
from padf_ui.components.lanes import sliders_of
from padf_ui.data import code_exports, data_exports
from padf_ui.data.report import report
from padf_ui.data.timeline_message import timeline_rows
from padf_ui.paper.cases_page import case_rows
from padf_ui.playground import board_exports
from padf_ui.registry import PAGES
from padf_ui.session import board_file
from padf_ui.session.board import link_to
from padf_ui.session.board_file import Board
from padf_ui.session.stretch import View
from padf_ui.session.study import sample_study
from padf_ui.start.start_page import front_rows
from padf_ui.study import study_results
from tests import strategies
from tests.browser.server import ROOT
from tests.ui.linked import board_query, read_board
from tests.ui.said import paragraphs, plain_tables
from tests.ui.unpacked import unpack
from tests.ui.visits import visit


@dataclass(frozen=True)
class Lingering(Protocol):
    """Each point has its own credit: a hit earns 1, a point behind the first hit ``rest``."""

    key: ClassVar[str] = "lingering"
    name: ClassVar[str] = "Lingering"
    about: ClassVar[str] = "An alarm lingers: what comes after it still earns a part."
    latex: ClassVar[str] = r"c_t = \max(\hat{y}_t, \text{rest})"
    look: ClassVar[Look] = Look("#7F3C8D", "#E2A9F3", "8px,3px")
    grants: ClassVar[Literal["segment", "point"]] = "point"
    minds_delay: ClassVar[bool] = True

    rest: float = 0.5

    @classmethod
    def parameters(cls, chosen: Mapping[str, Value]) -> tuple[Parameter, ...]:
        return (
            Number(
                key="rest",
                symbol="rest",
                title="rest after an alarm",
                default=0.5,
                steps=tuple(step / 20 for step in range(21)),
                limits=(0, 1),
                rule="from 0 to 1",
                help="what a point behind the first alarm earns",
                note=lambda value, seconds: f"{100 * value:g} % linger",
                summary="From point-wise to everything behind the first alarm.",
            ),
        )

    @property
    def setting(self):
        return f"rest = {self.rest:g}"

    def credit(self, hits):
        behind = hits.step >= hits.delays[hits.segment]
        behind &= hits.detected[hits.segment]
        return np.where(hits.is_hit, 1.0, np.where(behind, self.rest, 0.0))

    def gains(self, inside):
        # (1 - rest) for each hit, and rest for each point from the first hit on: N - k of them.
        leads = inside.leads
        segment, reach = inside.segment[leads], inside.lengths[inside.segment[leads]]
        reach = reach - inside.delay[leads]
        later = np.append(segment[1:] == segment[:-1], False)
        gains = np.full(inside.scores.size, 1 - self.rest)
        gains[leads] += self.rest * (reach - np.where(later, np.append(reach[1:], 0), 0))
        return Tally(gains)

    def expected(self, chances):
        normal, lengths = chances.normal, chances.lengths
        reach = np.maximum(lengths[:, None] - np.arange(normal.shape[1]), 0)
        behind = (first_hit_probability(normal) * reach).sum(axis=1)
        return Tally((1 - self.rest) * (1 - normal).sum(axis=1) + self.rest * behind)

    def why(self, result, late: Late):
        return f"{result.pattern.hits} points have an alarm; those behind earn {self.rest:g}."


def by_hand(labels, alarms, rest):
    """F1 point by point: a hit is 1, a point behind a hit of its segment is rest."""
    earned, before = 0.0, False
    for label, alarm in zip(labels, alarms, strict=True):
        before = bool(label) and (before or bool(alarm))
        earned += label * (1.0 if alarm else rest if before else 0.0)
    wrong = sum(1 for label, alarm in zip(labels, alarms, strict=True) if alarm and not label)
    total = sum(labels) + earned + wrong
    return 2 * earned / total if total else 0.0


@pytest.fixture(autouse=True, scope="module")
def registered():
    PROTOCOLS[Lingering.key] = Lingering
    yield
    del PROTOCOLS[Lingering.key]


rests = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@given(strategies.patterns(), rests)
def test_given_detections(pattern, rest):
    result = padf.evaluate(*pattern, Lingering(rest))
    assert result.f1 == pytest.approx(by_hand(*pattern, rest))
    assert result.credit[np.array(pattern[0]) == 1].sum() == pytest.approx(result.true_positives)


@given(strategies.scored(), rests)
def test_every_threshold(case, rest):
    labels, scores = case
    sweep = padf.sweep(labels, scores, Lingering(rest))
    for threshold, f1 in zip(sweep.thresholds.tolist(), sweep.f1.tolist(), strict=True):
        alarms = [int(score >= threshold) for score in scores]
        assert f1 == pytest.approx(by_hand(labels, alarms, rest))
    if not set(scores) <= {0, 1}:
        assert padf.best_f1(labels, scores, [Lingering(rest)])[0].f1 == sweep.f1.max()


@given(strategies.patterns(), rests)
def test_in_expectation_a_certain_detector_scores_as_its_detections(pattern, rest):
    labels, alarms = pattern
    certain = padf.expected(labels, [1 - alarm for alarm in alarms], Lingering(rest))
    assert certain.f1 == pytest.approx(by_hand(*pattern, rest), abs=1e-12)


def test_it_is_shown_among_the_others_and_its_name_is_found():
    assert [p.key for p in Settings(rest=0.25).protocols()][-1] == "lingering"
    assert padf.Lingering is Lingering
    with pytest.raises(ValueError, match="rest must be from 0 to 1; got 2"):
        Settings(rest=2)


def test_the_board_s_rows_at_every_step():
    labels, alarms = [0, 1, 1, 1, 1, 0, 1, 1], [1, 0, 1, 0, 1, 0, 0, 0]
    settings = Settings(rest=0.3)
    rows = board_rows(labels, alarms, settings)
    (lane,) = [lane for lane in rows["lanes"] if lane["key"] == "lingering"]
    (slider,) = [slider for slider in sliders_of(settings, None) if slider["key"] == "rest"]
    assert (lane["slider"], lane["credit"]["by"]) == ("rest", "point")
    assert slider["steps"][slider["at"]] == 0.3
    assert unpack(slider["notes"])[slider["at"]] == "30 % linger"
    assert unpack(slider["names"])[0] == "rest = 0"
    for value, place in zip(slider["steps"], lane["places"], strict=True):
        assert lane["f1"][place] == pytest.approx(1000 * by_hand(labels, alarms, value), abs=0.5)
        credit = [lane["credit"]["rows"][place][column] for column in lane["credit"]["columns"]]
        assert credit == pytest.approx([0, 100, 100 * value, 100, 0, 0], abs=0.5)
    assert "3 points have" not in unpack(lane["why"])[0]
    assert unpack(lane["why"])[0].startswith("2 points have an alarm; those behind earn 0. 1 false")


def test_a_sentence_that_names_the_number_follows_it_where_no_score_does():
    # Every point has its own alarm, so nothing lingers at any step.
    rows = board_rows([0, 1, 1, 0], [0, 1, 1, 0], Settings())
    (lane,) = [lane for lane in rows["lanes"] if lane["key"] == "lingering"]
    assert {lane["f1"][place] for place in lane["places"]} == {1000}
    told = [unpack(lane["why"])[place].split(". ")[0] for place in lane["places"]]
    steps = Lingering.number({}).steps
    assert told == [f"2 points have an alarm; those behind earn {rest:g}" for rest in steps]


def test_what_one_late_alarm_is_worth_is_the_mean_of_its_segment():
    rows = board_rows([0, 1, 1, 1, 1, 0], [0] * 6, Settings(), worth=True)
    (lane,) = [lane for lane in rows["lanes"] if lane["key"] == "lingering"]
    for rest, worth in zip(Lingering.number({}).steps, lane["worth"], strict=True):
        # A hit at delay k of 4 earns 1, each of the 3 - k points behind it the rest.
        wanted = [100 * (1 + (3 - delay) * rest) / 4 for delay in range(4)]
        assert worth == pytest.approx(wanted, abs=0.5)


def test_the_timeline_s_rows_at_every_step():
    rng = np.random.default_rng(4)
    labels = (np.arange(120) % 30 >= 20).astype(int)
    scores = np.round(rng.random(120) + 0.3 * labels, 2)
    series = make_series("x", labels, {"a": scores})
    settings = Settings(rest=0.3)
    rows, sliders = timeline_rows(series, series.detectors[0], settings, 0.9, View(0, 120))
    (lane,) = [lane for lane in rows["lanes"] if lane["key"] == "lingering"]
    (threshold,) = [slider for slider in sliders if slider["key"] == "threshold"]
    over = lane["over_threshold"]
    for step, place in zip(threshold["steps"], over["places"], strict=True):
        wanted = by_hand(labels.tolist(), (scores >= step).tolist(), 0.3)
        assert over["f1"][place] == pytest.approx(1000 * wanted, abs=0.5)
    (slider,) = [slider for slider in sliders if slider["key"] == "rest"]
    own = lane["over_own"]
    for value, place in zip(slider["steps"], own["places"], strict=True):
        wanted = by_hand(labels.tolist(), (scores >= 0.9).tolist(), value)
        assert own["f1"][place] == pytest.approx(1000 * wanted, abs=0.5)


def test_links_and_files_carry_it():
    settings = Settings(rest=0.25, decay=0.7)
    query = board_query(Board(), settings)
    assert query["rest"] == "0.25"
    assert read_board(query)[1] == settings
    assert board_file.from_json(board_file.to_json(Board(), settings))[1] == settings
    assert "rest=0.25" in link_to(Board(), settings)
    with pytest.raises(ValueError, match="rest must be a number; got 'x'"):
        read_board({"rest": "x"})


def test_the_board_s_files_and_lines():
    board, settings = Board(TOY_CASES[1].labels, TOY_CASES[1].detections), Settings(rest=0.25)
    table = pd.read_csv(io.StringIO(board_exports.to_csv(board, settings)))
    # Case 2: a segment at 12 to 18, one hit at 13: 1 there, a quarter behind it.
    assert table["credit_lingering"].tolist()[12:19] == [0, 1, 0.25, 0.25, 0.25, 0.25, 0.25]
    saved = json.loads(board_file.to_json(board, settings))
    f1 = by_hand(board.labels.astype(int).tolist(), board.detections.astype(int).tolist(), 0.25)
    assert {r["protocol"]: r["f1"] for r in saved["results"]}["lingering"] == pytest.approx(f1)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(board_exports.to_python(board, settings), {})
    assert f"F1 {f1:.3f}" in out.getvalue().splitlines()[-1]
    assert "Lingering (rest = 0.25)" in out.getvalue()


def test_the_command_has_its_option(capsys, tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("label,flag\n0,1\n1,0\n1,1\n1,0\n")
    called = ["evaluate", str(file), "--label", "label", "--detector", "flag"]
    assert main([*called, "--rest", "0.25", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    f1 = {row["protocol"]: row["f1"] for row in answer["results"]}
    assert answer["rest"] == 0.25
    assert f1["lingering"] == pytest.approx(by_hand([0, 1, 1, 1], [1, 0, 1, 0], 0.25))
    assert main([*called, "--rest", "7"]) == 2
    assert "rest must be from 0 to 1; got 7.0" in capsys.readouterr().err
    assert main([*called]) == 0
    assert "Lingering (rest = 0.5)" in capsys.readouterr().out


def test_exports_of_a_study_have_it():
    settings = Settings(rest=0.25)
    study = sample_study("web_service", settings)
    made = study_results.comparison_of(study, settings, at_best=True, runs=2, seed=0)
    areas = study_results.areas_of(study, settings)
    saved = json.loads(data_exports.to_json(study, settings, made, areas))
    frame = pd.read_csv(ROOT / "sample_data" / "web_service.csv")
    for entry in saved["detectors"]:
        (best,) = padf.best_f1(frame["label"], frame[entry["name"]], [Lingering(0.25)])
        (point,) = [point for point in entry["best"] if point["protocol"] == "lingering"]
        assert point["f1"] == best.f1
        assert 0 < entry["area_over_number"]["lingering"] < 1
    assert "Lingering (rest = 0.25)" in data_exports.to_latex(study, made, settings, at_best=True)
    assert "--rest 0.25" in code_exports.command_lines(study, settings)
    assert "padf.Lingering(rest=0.25)" in code_exports.python_lines(study, settings)
    assert "Lingering (rest = 0.25)" in report(study, settings, made, at_best=True)
    sure = study_results.uncertainties(study, settings, at_best=True)
    assert [each.protocol.key for each in sure] == [p.key for p in settings.protocols()]


def test_the_paper_s_cases_have_its_lane_and_its_verdicts():
    made = case_rows(Settings(rest=0.5))
    assert len(made["verdicts"]["lingering"]) == 21
    assert any(text.startswith("Lingering meets all required") for text in made["ranges"])
    assert {lane["key"] for lane in made["toy"][0]["rows"]["lanes"]} >= {"padf", "lingering"}


def shown_on(app):
    """Every text, table and choice of a page, as one text."""
    parts = [element.value for element in (*app.markdown, *app.caption, *app.code)]
    parts += paragraphs(app)
    parts += [table.to_csv() for table in (*(f.value for f in app.dataframe), *plain_tables(app))]
    parts += [str(option) for radio in app.radio for option in radio.options]
    parts += [button.label for button in app.button]
    return "\n".join(map(str, parts))


NAMES_IT = {"playground": "Lingering (rest = 0.25)", "your_data": "Lingering"}


@pytest.mark.slow
def test_every_page_runs_with_it():
    """One visit walks all pages; what each says of the protocol is tested section by section."""
    app = visit(rest="0.25")
    for key, page in PAGES.items():
        if key == "your_data":
            app.query_params["sample"] = "web_service"
        app.switch_page(page.script).run()
        assert not app.exception, key
        assert app.title[0].value, key
        assert NAMES_IT.get(key, "") in shown_on(app), key


def test_the_front_door_shows_and_counts_it():
    lanes = [lane["key"] for lane in front_rows()["lanes"]]
    assert lanes[-1] == "lingering"
    app = visit()
    count = {5: "Five", 6: "Six", 7: "Seven"}[len(lanes)]
    assert app.title[0].value == f"One alarm. {count} scores. Which is right?"


TABS = {
    "playground": {"below": ["Ledger", "F1 over d, K and rest"]},
    "your_data": {
        "data_sections": ["Segments and delays", "Thresholds", "Compare detectors", "Export"]
    },
    "random_detector": {"random_sections": ["Best random F1", "On real labels", "Custom detector"]},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "tabs", "title"),
    [(page, key, title) for page, one in TABS.items() for key, titles in one.items()
     for title in titles],
)  # fmt: skip
def test_every_section_shows_it(page, tabs, title):
    app = visit(page)
    if page != "playground":
        app.session_state[tabs] = title
        app.run()
        samples = [button for button in app.button if button.label == "Open Web service"]
        if samples:
            samples[0].click().run()
    app.session_state[tabs] = title
    app.session_state["random-on-labels_as"] = True  # the numbers of a chart
    app.run()
    assert not app.exception
    if (page, title) != ("random_detector", "Custom detector"):
        assert "Lingering" in shown_on(app) or "rest" in shown_on(app)

"""The pages run without a browser and show padf_core's numbers."""

import contextlib
import io

import numpy as np
import pytest

from padf_core import Settings
from padf_core.paper.cases import TOY_CASES
from padf_core.paper.published import published_table
from padf_ui.components.board_message import board_rows
from padf_ui.playground import playground_charts, playground_page
from padf_ui.registry import PAGES
from padf_ui.session.board_file import Board
from tests import naive
from tests.strategies import FOUR, REFERENCES
from tests.ui.said import plain_tables, text_of
from tests.ui.visits import visit

CASE_2 = Board(TOY_CASES[1].labels, TOY_CASES[1].detections)
LABELS, ALARMS = (series.astype(int).tolist() for series in (CASE_2.labels, CASE_2.detections))
CASE_2_LINK = {"n": "30", "truth": "12-18", "alarms": "5_13"}


def playground(**query):
    """The Playground with the paper's second case, from a link of before that had no page."""
    app = visit(**CASE_2_LINK, **query)
    assert app.title[0].value == "Playground"
    return app


def open_section(app, **sections):
    """Open tabs by their keys."""
    for key, name in sections.items():
        app.session_state[key] = name
    app.run()
    assert not app.exception
    return app


def table_with(app, column):
    return next(d.value for d in app.dataframe if column in d.value.columns)


@pytest.mark.parametrize("key", PAGES)
def test_every_page_runs_and_has_its_title(key):
    app = visit(key)
    assert not app.exception
    assert not app.warning
    count = {4: "Four", 5: "Five", 6: "Six", 7: "Seven"}[len(Settings().protocols())]
    titles = {"start": f"One alarm. {count} scores. Which is right?"}
    assert app.title[0].value == titles.get(key, PAGES[key].title)


@pytest.mark.parametrize("key", ["start", "glossary"])
def test_pages_that_keep_nothing_say_so_of_a_link(key):
    (told,) = visit(None if key == "start" else key, colour="red").warning
    assert "colour \\(unknown\\)" in told.value


def test_toy_table_shows_computed_and_published():
    app = visit("paper_cases")
    table = app.dataframe[0].value
    printed = published_table("table1")
    assert len(table) == 5
    # Case 2: 2/9, 14/15, 2/9, 2*4.9/(7+5.9), 2*6.3/(7+7.3)
    assert table.iloc[1, 2:].tolist() == [
        "0.2222  ✓ 0.222",
        "0.9333  ✓ 0.933",
        "0.2222  ✓ 0.222",
        "0.7597  ✓ 0.760",
        "0.8811  ✓ 0.881",
    ]
    shown = table.iloc[:, 2:].apply(lambda column: column.str.split("✓ ").str[1])
    assert (shown.to_numpy() == printed.iloc[:, 1:].to_numpy()).all()


# ---- the Playground ------------------------------------------------------------------------------


def test_the_ledger_and_the_scores_by_hand():
    app = playground()
    ledger, scores = plain_tables(app)
    # Case 2: a segment of 7 at 12, one hit one step late; 1/7, 1, 1/7 (14 % of 20 %), 0.9
    assert ledger.iloc[0, :5].tolist() == ["1", "12", "7", "1", "1 step"]
    labels = [protocol.label for protocol in Settings().protocols()]
    assert ledger.columns[5:].tolist() == labels
    assert scores["Protocol"].tolist() == labels
    four = [Settings().protocol(key).label for key in FOUR]
    assert ledger.loc[0, four].tolist() == ["0.143", "1.000", "0.143", "0.900"]
    scores = scores.set_index("Protocol").loc[four]
    # F1: 2/9, 14/15, 2/9, 12.6/14.3
    assert scores["F1"].tolist() == ["0.222", "0.933", "0.222", "0.881"]
    assert scores["Precision denominator"].tolist() == ["2.000", "8.000", "2.000", "7.300"]


def test_the_score_table_is_made_of_the_cores_counts():
    _, scores = plain_tables(playground(lanes="composite.event_wise"))
    results = CASE_2.evaluations(Settings(["composite", "event_wise"]))
    wanted = {
        "Protocol": [result.protocol.label for result in results],
        "True positives": [f"{result.true_positives:.3f}" for result in results],
        "False alarms": [str(result.false_positives) for result in results],
        "Precision denominator": [f"{result.claimed:.3f}" for result in results],
        "Precision": [f"{result.precision:.3f}" for result in results],
        "Recall numerator": [f"{result.found:.3f}" for result in results],
        "Recall denominator": [f"{result.wanted:.3f}" for result in results],
        "Recall": [f"{result.recall:.3f}" for result in results],
        "F1": [f"{result.f1:.3f}" for result in results],
    }
    assert scores.to_dict("list") == wanted
    # Composite: 1 hit of 2 alarms, 1 of 1 segment; event-wise: 1 segment, 1 run of false alarms.
    f1 = dict(zip(scores["Protocol"], scores["F1"], strict=True))
    assert (f1["Composite"], f1["Event-wise"]) == ("0.667", "0.667")


def test_the_curves_are_named_after_the_numbers_in_use():
    app = playground(measure="clock", shape="deadline", decay="600")
    open_section(app, below="F1 over deadline and K", over_padf_as=True)
    assert "deadline, in seconds" in table_with(app, "F1").columns


def test_every_section_of_the_playground_holds_brute_force_s_numbers():
    app = playground(decay="0.7", k="40")
    settings = Settings(decay=0.7, k=40)
    open_section(app, below="F1 over d and K", over_pa_k_as=True, over_padf_as=True)
    for name, head, key in (("PA%K", "K, in %", "pa_k"), ("PAdf", "decay rate d", "padf")):
        steps = settings.number(key).steps
        brute = [float(naive.scores(LABELS, ALARMS, p)[2]) for p in settings.at(key, steps)]
        table = table_with(app, head)
        assert table[head].tolist() == list(steps)
        assert table["F1"].tolist() == pytest.approx(brute)
        area = np.trapezoid(brute, steps) / (steps[-1] - steps[0])
        assert f"**{name} over {head}.** Area {area:.3f}" in text_of(app)
    moved = board_rows(LABELS, ALARMS, settings, shifts=True)["shifts"]
    assert moved["reach"] == 29
    for shift in range(-29, 30):
        alarms = [ALARMS[t - shift] if 0 <= t - shift < 30 else 0 for t in range(30)]
        for protocol in settings.protocols():
            brute = float(naive.scores(LABELS, alarms, protocol)[2])
            assert moved["f1"][protocol.key][shift + 29] == pytest.approx(1000 * brute, abs=0.51)
    open_section(app, below="Python code")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(app.code[0].value, {})
    assert [line.split("F1 ")[1] for line in out.getvalue().splitlines()] == [
        f"{float(naive.scores(LABELS, ALARMS, p)[2]):.3f}" for p in settings.protocols()
    ]


def test_charts_have_their_numbers_and_areas_do_not_depend_on_what_is_typed():
    board, usual = CASE_2, Settings()
    typed = Settings(decay=0.995)
    for settings in (usual, typed):
        curve = playground_page.over_number(board, settings, "padf")
        # F1 = 14 d / (8 + 7 d) at every step; its mean over 0.01..1 is 0.5688 by integration
        np.testing.assert_allclose(curve.f1, 14 * curve.values / (8 + 7 * curve.values))
        assert curve.area == pytest.approx(0.5688, abs=1e-4)
    here = {result.protocol.key: result for result in board.evaluations(typed)}["padf"]
    curve = playground_page.over_number(board, typed, "padf")
    figure = playground_charts.parameter_curve(curve, here, 0.995, typed.number("padf"), "light")
    assert figure.data[1].y[0] == pytest.approx(14 * 0.995 / (8 + 7 * 0.995))
    assert figure.data[0].line.shape == "linear"
    moved = board_rows(board.labels, board.detections, usual, shifts=True)["shifts"]
    at_once = moved["reach"] - 1  # the alarm at 13 moved to the onset at 12, the false one to 4
    assert [moved["f1"][key][at_once] for key in FOUR] == [222, 933, 222, 933]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"n": "7000"}, "n must be from 5 to 300"),
        ({"n": "inf"}, "n must be a number"),
        ({"shape": "half_life", "decay": "1e-300"}, "decay must be from 0.01 to 1,000,000 steps"),
        ({"n": "30", "truth": "a-b"}, "is neither bits"),
        ({"decay": "7"}, "decay must be above 0 and at most 1"),
        ({"k": "0.2"}, "looks like a fraction"),
        ({"precision": "exact"}, "precision must be"),
        ({"lanes": "composite.pa"}, f"lanes must be among {', '.join(REFERENCES)}"),
    ],
)
def test_a_damaged_link_gives_a_message_and_the_default_board(query, told):
    app = visit(**query)
    assert not app.exception
    warned = app.warning[0].value.replace("\\", "")
    assert told in warned
    assert "The default board is shown instead." in warned


def test_the_lines_that_embed_a_lesson_are_shown_on_demand():
    app = visit("learn")
    # A line of code loads 1.5 MB of code for its colours.
    assert not app.code
    open_section(app, **{"menu_Embed it, or link to it": True})
    embedded, link = (line.value for line in app.code)
    assert embedded.startswith('<iframe src="padf-lesson')
    assert link == "?lesson=course&step=1"

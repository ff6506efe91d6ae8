"""The pages run without a browser and show padf_core's numbers."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from padf_core import Settings
from padf_core.paper.published import published_table
from padf_ui import compute
from padf_ui.figures import curves
from padf_ui.frame import PAGES
from padf_ui.links import Board
from tests.browser.server import ROOT


def start():
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()


@pytest.mark.parametrize("key", PAGES)
def test_every_page_runs(key):
    app = start().switch_page(PAGES[key].script).run()
    assert not app.exception


def test_toy_table_shows_computed_and_published():
    app = start().switch_page(PAGES["paper_cases"].script).run()
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


def test_the_ledger_and_the_scores_by_hand():
    app = start()
    ledger, scores = (app.dataframe[index].value for index in (0, 1))
    # Case 2: a segment of 7 at 12, one hit one step late; 1/7, 1, 1/7 (14 % of 20 %), 0.9
    assert ledger.iloc[0, :5].tolist() == [1, "12", 7, 1, "1 step"]
    assert ledger.iloc[0, 5:].tolist() == pytest.approx([1 / 7, 1, 1 / 7, 0.9])
    assert scores["F1"].tolist() == pytest.approx([2 / 9, 14 / 15, 2 / 9, 12.6 / 14.3])
    assert scores["Divided by"].tolist() == pytest.approx([2, 8, 2, 7.3])


def test_charts_have_their_numbers_and_areas_do_not_depend_on_what_is_typed():
    usual = Board()
    typed = Board(settings=Settings(decay=0.995))
    for board in (usual, typed):
        curve = compute.over_decay(board)
        # F1 = 14 d / (8 + 7 d) at every step; its mean over 0.01..1 is 0.5688 by integration
        np.testing.assert_allclose(curve.f1, 14 * curve.values / (8 + 7 * curve.values))
        assert curve.area == pytest.approx(0.5688, abs=1e-4)
    here = typed.evaluations()[3]
    figure = curves.parameter_curve(compute.over_decay(typed), here, 0.995, "d", "light")
    assert figure.data[1].y[0] == pytest.approx(14 * 0.995 / (8 + 7 * 0.995))
    shifts, slid = compute.over_shift(usual)
    at_once = shifts.index(-1)  # the alarm at 13 moved to the onset at 12, the false one to 4
    assert [c.f1[at_once] for c in slid] == pytest.approx([2 / 9, 14 / 15, 2 / 9, 14 / 15])
    figure = curves.shift_curves(slid, usual.settings.protocols(), "steps", "dark")
    assert [trace.name for trace in figure.data] == compute.credit_columns(usual)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"n": "7000"}, "n must be from 5 to 300"),
        ({"n": "inf"}, "n must be a number"),
        ({"shape": "half_life", "decay": "1e-300"}, "decay must be from 0.01 to 1,000,000 steps"),
        ({"n": "30", "truth": "a-b"}, "is neither bits"),
        ({"decay": "7"}, "rate must be above 0 and at most 1"),
        ({"k": "0.2"}, "looks like a fraction"),
        ({"precision": "exact"}, "precision must be"),
    ],
)
def test_a_damaged_link_gives_a_message_and_the_default_board(query, told):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    warned = app.warning[0].value.replace("\\", "")
    assert told in warned
    assert "The default board is shown instead." in warned

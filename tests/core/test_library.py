"""Results as frames, pictures and comparisons, for those who call the library."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import padf_core as padf
from padf_core import Settings
from padf_ui.session.study import sample_study
from padf_ui.study import study_results

LABELS = [0, 1, 1, 1, 1, 0]
ALARMS = [1, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.1, 0.8, 0.2, 0.3, 0.1]


def test_results_become_frames():
    ledger = padf.evaluate(LABELS, ALARMS, padf.PointAdjustDecay()).to_frame()
    # One segment of four, hit once, a step late: 0.9.
    assert ledger.to_dict("records") == [
        {"start": 1, "stop": 5, "hits": 1, "delay": 1, "credit": 0.9}
    ]
    swept = padf.sweep(LABELS, SCORES, padf.PointAdjust()).to_frame()
    assert swept["threshold"].tolist() == [0.9, 0.8, 0.3, 0.2, 0.1]
    assert swept["false_positives"].tolist() == [1, 1, 1, 1, 2]
    curve = padf.f1_over_d(LABELS, ALARMS, [0.5, 1.0]).to_frame()
    assert curve["f1"].tolist() == pytest.approx([4 / 7, 8 / 9])
    assert "threshold" in padf.best_f1_over_k(LABELS, SCORES).to_frame()


def test_results_are_shown_and_drawn():
    made = padf.compare(LABELS, {"<b>": SCORES}, [padf.PointAdjust()], runs=3)
    assert "&lt;b&gt;" in made._repr_html_()
    for each in (
        padf.sweep(LABELS, SCORES, padf.PointAdjust()),
        padf.f1_over_k(LABELS, ALARMS),
        made,
    ):
        assert each.plot().data


def test_a_comparison_is_what_the_app_shows():
    study = sample_study("web_service", Settings())
    shown = study_results.comparison_of(study, Settings(), at_best=True, runs=5, seed=3)
    scores = {each.name: each.scores for each in study.series.detectors}
    made = padf.compare(study.series.labels, scores, Settings().protocols(), runs=5, seed=3)
    for column in range(len(made.protocols)):
        assert made.f1(column) == shown.f1(column)
    for own, theirs in zip(made.random, shown.random, strict=True):
        assert [row.f1 for row in own] == [row.f1 for row in theirs]
    frame = made.to_frame()
    assert len(frame) == len(scores) * len(made.protocols)
    assert frame.groupby("protocol")["rank"].min().eq(1).all()


def test_a_comparison_says_which_detector_is_wrong():
    with pytest.raises(ValueError, match="b: scores must not be NaN"):
        padf.compare([0, 1], {"a": [0, 1], "b": [0, np.nan]}, [padf.PointAdjust()])
    with pytest.raises(ValueError, match="scores must be a dictionary"):
        padf.compare([0, 1], [[0, 1]], [padf.PointAdjust()])


@pytest.mark.parametrize("score", [padf.pa_f1_score, padf.pa_k_f1_score, padf.padf_f1_score])
def test_nothing_to_find_and_nothing_said(score):
    assert score([0, 0], [0, 0]) == 0
    assert score([0, 0], [0, 0], zero_division=1) == 1
    assert np.isnan(score([0, 0], [0, 0], zero_division=np.nan))
    assert score([0, 0], [0, 1], zero_division=np.nan) == 0, "a false alarm is wrong"
    with pytest.raises(ValueError, match="zero_division must be 0, 1 or NaN"):
        score([0, 0], [0, 0], zero_division=0.5)


def test_every_public_name_is_known_to_type_checkers_and_loaded_when_used():
    tree = ast.parse(Path(padf.__file__).read_text())
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    typed = {
        (each.module, alias.name)
        for each in checked.body
        if isinstance(each, ast.ImportFrom)
        for alias in each.names
    }
    loaded = {(home, name) for home, names in padf._HOMES.items() for name in names}
    assert typed <= loaded
    assert {name for _, name in typed} == set(padf.__all__)
    assert set(padf.__all__) <= set(dir(padf))
    for home, name in loaded:
        assert getattr(padf, name) is getattr(import_module(home), name)
    with pytest.raises(AttributeError, match="has no attribute 'nope'"):
        _ = padf.nope


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            lambda: padf.PointAdjustDecay(precision="equations"),
            lambda: padf.PointAdjustDecay(convention="equations"),
        ),
        (
            lambda: padf.PointAdjustK(0.5, below_one=True),
            lambda: padf.PointAdjustK(0.5, fractional_percent=True),
        ),
        (lambda: padf.PointAdjustDecay().precision, lambda: "tables"),
        (lambda: padf.OddsDecay(2.0), lambda: padf.ADTQCDecay(2.0)),
        (
            lambda: padf.padf_f1_score([0, 1], [1, 1], precision="equations"),
            lambda: padf.padf_f1_score([0, 1], [1, 1], convention="equations"),
        ),
    ],
)
def test_old_names_still_work_and_say_the_new_one(old, new):
    with pytest.warns(DeprecationWarning, match="is now called"):
        made = old()
    assert made == new()


def test_an_old_and_a_new_name_at_once_are_refused():
    with pytest.raises(TypeError, match="got both precision and convention"):
        padf.PointAdjustDecay(precision="tables", convention="equations")


def test_padf_is_another_name_for_the_public_names():
    import padf as alias

    assert dir(alias) == dir(padf)
    assert {"read_series", "load_sample", "held_out", "Corpus", "Need"} <= set(dir(alias))
    assert all(getattr(alias, name) is getattr(padf, name) for name in padf.__all__)


def test_every_public_name_says_what_it_takes_and_gives_and_shows_an_example():
    """In the sections of numpydoc; the examples run as doctests."""
    missing = {}
    for name in padf.__all__:
        made = getattr(padf, name)
        if not callable(made):
            continue
        text = inspect.getdoc(made) or ""
        wanted = {"Examples"}
        if inspect.isfunction(made):
            wanted |= {"Parameters", "Returns", "Raises"}
        elif inspect.signature(made).parameters:
            wanted |= {"Attributes" if "Attributes" in text else "Parameters"}
        missing[name] = {each for each in wanted if f"\n{each}\n{'-' * len(each)}\n" not in text}
    assert {name: left for name, left in missing.items() if left} == {}


def test_an_old_name_warns_where_it_is_used_and_dir_lists_public_names_alone():
    for package in (padf, import_module("padf")):
        with pytest.warns(DeprecationWarning, match="ADTQCDecay") as caught:
            assert package.OddsDecay is padf.ADTQCDecay
        assert caught[0].filename == __file__
        names = {name for name in dir(package) if not name.startswith("__")}
        assert names == {name for name in padf.__all__ if not name.startswith("__")}

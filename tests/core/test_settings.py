"""Settings: every protocol's parameters together, checked, written and read as one."""

import pytest
from hypothesis import given, settings

import padf_core as padf
from padf_core import PROTOCOLS, Settings
from padf_core.analysis.settings_file import settings_from_json, settings_to_json
from padf_core.metrics.evaluation import evaluate_over, evaluate_pattern, make_pattern
from padf_core.metrics.rows import Rows
from padf_core.metrics.settings import MAX_LANES
from padf_core.metrics.timing import Timing
from tests import strategies


@given(strategies.all_settings())
def test_links_and_files_hold_all_of_it(settings):
    assert Settings.from_query(settings.to_query()) == settings
    assert Settings.from_dict(settings.to_dict()) == settings
    assert hash(Settings.from_dict(settings.to_dict())) == hash(settings)


def test_links_of_before_are_still_read():
    texts = {"shape": "deadline", "decay": "3", "k": "30", "rule": "atleast", "precision": "tables"}
    settings = Settings.from_query(texts)
    assert settings == Settings(shape="deadline", decay=3, k=30, inclusive=True)
    assert settings.protocol("padf").label == "PAdf (deadline 3)"


def test_references_stand_aside_until_they_are_added():
    shown = [protocol.key for protocol in Settings().protocols()]
    assert tuple(shown[:4]) == strategies.FOUR
    assert not set(shown) & set(strategies.REFERENCES)
    added = Settings(["event_wise", "composite"])
    assert {p.key for p in added.protocols()} == {*shown, "composite", "event_wise"}
    assert added.lanes == ("composite", "event_wise")
    assert added.to_query()["lanes"] == "composite.event_wise"
    assert len(added.protocols()) <= MAX_LANES
    references = ", ".join(strategies.REFERENCES)
    with pytest.raises(ValueError, match=f"lanes must be among {references}; got 'pa'"):
        Settings(["pa"])


def test_another_shape_takes_its_own_parameter():
    assert Settings(decay=0.5).replace(shape="linear")["decay"] == 13
    assert Settings(decay=0.5).replace(shape="linear", decay=4)["decay"] == 4
    assert Settings(decay=0.5).replace(k=3)["decay"] == 0.5
    with pytest.raises(ValueError, match=r"settings must be among .*; got rate"):
        Settings().replace(rate=0.3)


@pytest.mark.parametrize("bad", ["composite", 3, None])
def test_lanes_must_be_a_list(bad):
    with pytest.raises(ValueError, match="lanes must be a list of protocols"):
        Settings.from_dict({"lanes": bad})


def test_no_two_protocols_share_a_parameter():
    settings = Settings()
    keys = [each.key for each in settings.parameters()]
    links = [each.link for each in settings.parameters()]
    assert len(set(keys)) == len(keys)
    assert len(set(links)) == len(links)


@pytest.mark.parametrize("key", PROTOCOLS)
def test_every_protocol_has_its_words(key):
    protocol = PROTOCOLS[key]
    assert protocol.about.endswith(".")
    assert protocol.latex
    assert protocol.look.light != protocol.look.dark
    assert getattr(padf, protocol.__name__) is protocol
    looks = [other.look.dash for other in PROTOCOLS.values()]
    assert len(set(looks)) == len(looks), "dashes tell protocols apart without colour"


@given(strategies.patterns(), strategies.all_settings())
@settings(max_examples=20)
def test_all_steps_at_once_are_the_steps_one_by_one(pattern, settings):
    made = make_pattern(*pattern, Rows(timing=Timing(60)))
    for key, number in settings.numbers().items():
        steps = settings.at(key, number.steps)
        together = evaluate_over(made, steps, number.key, number.steps)
        for one, other in zip(evaluate_pattern(made, steps), together, strict=True):
            assert one.protocol == other.protocol
            assert (one.f1, one.precision, one.recall) == pytest.approx(
                (other.f1, other.precision, other.recall), rel=1e-14
            )
            assert one.credit.tolist() == pytest.approx(other.credit.tolist(), rel=1e-15)


def test_an_unknown_name_is_an_error():
    with pytest.raises(AttributeError, match="has no attribute 'PointAdjustForever'"):
        _ = padf.PointAdjustForever


def test_a_k_below_one_is_taken_when_said_so_and_goes_round():
    with pytest.raises(ValueError, match="looks like a fraction: K is in percent, unless"):
        Settings(k=0.5)
    said = Settings(k=0.5, below_one=True)
    assert said.protocol("pa_k") == padf.PointAdjustK(0.5, fractional_percent=True)
    assert Settings.from_query(said.to_query()) == said
    assert said.to_query()["below_one"] == "yes"
    assert settings_from_json(settings_to_json(said)) == said
    # What may no longer be is as by default.
    assert said.replace(below_one=False)["k"] == 20
    assert said.replace(k=40).replace(below_one=False)["k"] == 40
    assert "below_one" not in Settings().to_query()

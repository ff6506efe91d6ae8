"""The replay for operators: what is chosen, what is sent, what is said, and its page."""

import json
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from padf_core import AlertRule, HalfLifeDecay, PointAdjustDecay, Settings
from padf_core.analysis.choosing import Need
from padf_core.io.series import make_series
from padf_core.io.times import make_clock
from padf_ui import web
from padf_ui.operators import card_words, operators_words, trade_words
from padf_ui.operators.operators_page import leave_behind
from padf_ui.operators.operators_results import map_of, scene_of
from padf_ui.operators.operators_tables import cost_table, map_table
from padf_ui.operators.replay_message import known_rows, replay_rows, watched
from padf_ui.operators.scene import padf_for_need, suggested_need
from padf_ui.registry import PAGES
from padf_ui.session.replay import SETTINGS, UPLOADED, Replay, replayed_series
from padf_ui.session.replay_link import link_query
from padf_ui.session.study import Origin, Study
from tests import naive
from tests.ui.linked import read_replay
from tests.ui.said import text_of
from tests.ui.visits import visit

LABELS = [0] * 20 + [1] * 8 + [0] * 12
SCORES = {
    "late": [0.1] * 5 + [0.6] + [0.1] * 16 + [0.9] * 6 + [0.1] * 12,
    "early": [0.2] * 12 + [0.7] + [0.2] * 7 + [0.8] + [0.2] * 19,
}
NEED = Need(seconds=120)


def uploaded(labels=LABELS, scores=SCORES, step=60):
    clock = make_clock(np.arange(len(labels), dtype=np.int64) * step * 1_000_000)
    values = {name: np.array(each) for name, each in scores.items()}
    return make_series("mine", labels, values, clock)


def scene(replay=None, series=None, need=NEED):
    chosen = replay or Replay(UPLOADED, budget=1000.0)
    return scene_of(series or uploaded(), chosen, Settings(), need)


def rows(**changes):
    return replay_rows(scene(Replay(UPLOADED, **{"budget": 1000.0, **changes})))


# ---- what is chosen ------------------------------------------------------------------------------


def test_a_link_holds_what_was_chosen():
    replay = Replay("pump", "all", (2, 0), (0.5, None), 3, 6, 2.5, 10.0, 40.0)
    settings = Settings(**Need("deadline", 420).values)
    query = link_query(replay, settings, None)
    assert read_replay(query) == (replay, settings, None)
    assert read_replay(link_query(Replay(UPLOADED, 4), settings, "abc"))[::2] == (
        Replay(UPLOADED, 4),
        "abc",
    )


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"of": "moon"}, "of must be one of"),
        ({"incident": "0"}, "incident must be a whole number from 1"),
        ({"detectors": "1_1"}, "detectors must be two different ones"),
        ({"detectors": "1_2_3"}, "detectors must be two"),
        ({"at": "1"}, "at must be two thresholds"),
        ({"at": "x~1"}, "at must be a number"),
        ({"wait": "0"}, "wait must be from 1"),
        ({"wait": "1.5"}, "wait must be a whole number"),
        ({"cooldown": "-1"}, "cooldown must be from 0"),
        ({"budget": "-1"}, "budget must be from 0"),
        ({"per_call": "nan"}, "per_call must be a number"),
    ],
)
def test_a_link_that_cannot_be_says_which_part(query, problem):
    with pytest.raises(ValueError, match=problem):
        read_replay(query)


def test_a_need_that_nobody_said_is_a_quarter_of_a_typical_incident():
    # Eight points of a minute: a quarter is two minutes. 5 h 40 min: 85 min, roundly an hour.
    assert suggested_need(uploaded()) == Need(seconds=120)
    assert suggested_need(uploaded([0] + [1] * 68, {"a": [0.5] * 69}, 300)).seconds == 3600


def test_detectors_ring_as_often_as_the_budget_allows():
    # 40 minutes: with no false call allowed "late" must sit above 0.6 and "early" above 0.7.
    strict = scene(Replay(UPLOADED, budget=0.0))
    assert [each.rule for each in strict.judged] == [AlertRule(0.9), AlertRule(0.8)]
    # One call in 40 minutes is 36 a day; the lower threshold earns nothing, so nothing changes.
    assert [each.rule for each in scene(Replay(UPLOADED, budget=36.0)).judged] == [
        AlertRule(0.9),
        AlertRule(0.8),
    ]


def test_a_threshold_never_moves_to_another_detector():
    # Other data were uploaded since: the first of the pair is not there any more.
    made = scene(Replay(UPLOADED, detectors=(8, 1), thresholds=(0.1, None), budget=0.0))
    assert made.pair == (1,)
    assert made.shown[0].rule == scene(Replay(UPLOADED, budget=0.0)).judged[1].rule


def test_a_budget_that_no_threshold_keeps_silences_a_detector():
    loud = uploaded([0, 0, 1, 1], {"loud": [0.9, 0.1, 0.5, 0.2]})
    made = scene(Replay(UPLOADED, budget=0.0), loud)
    (only,) = made.judged
    assert only.rule.threshold == float("inf")
    assert "never raises an alert" in operators_words.rule(only.rule, 60, made.detector(only))


def test_what_tells_most_is_chosen():
    made = scene()
    # "late" has full marks by the usual score and half its worth; "early" is at once.
    assert made.pair == (0, 1)
    assert [clip.number for clip in made.clips] == [0]
    # Half of the incident, at least ten points, before it; five points at least behind.
    assert (made.clips[0].first, made.clips[0].last) == (10, 33)


def test_clips_hold_one_incident_each_and_stay_in_their_series():
    labels = [0] * 4 + [1] * 3 + [0] * 3 + [1] * 3 + [0] * 4
    series = uploaded(labels, {"a": np.linspace(0, 1, 17)})
    clips = scene(Replay(UPLOADED, "all"), series).clips
    assert [(clip.first, clip.start, clip.stop, clip.last) for clip in clips] == [
        (0, 4, 7, 10),
        (7, 10, 13, 17),
    ]


# ---- what is sent --------------------------------------------------------------------------------


def test_a_clip_says_when_and_what_for_each_detector():
    (clip,) = rows()["clips"]
    # From row 10 at 0:10 on: the onset is ten minutes later, the incident lasts eight.
    assert (clip["begins"], clip["onset"], clip["over"], clip["seconds"]) == (600, 600, 1080, 1380)
    late, early = clip["tracks"]
    # Two minutes late at a half-life of two minutes.
    assert (late["noticed"], late["worth"]) == (720, 50)
    assert late["said"] == "alarm at 00:22, 2 min late, worth 50 %"
    assert late["rings"] == [720, 780, 840, 900, 960, 1020]
    assert late["wrong"] == []
    assert early["said"] == "alarm at 00:20, no delay, worth 100 %"


def test_worth_drains_along_the_decay():
    (clip,) = rows()["clips"]
    decay = PointAdjustDecay(HalfLifeDecay(120), measure="clock")
    count = len(clip["worth"]) - 1
    # Eight points, fifty moments from one to the next.
    assert count == 400
    for at in (0, 50, 100, 377, count):
        seconds = 480 * at / count
        assert clip["worth"][at] == round(100 * float(naive.worth(decay.decay, seconds)))


def test_false_calls_are_in_the_clip_or_in_what_is_skipped():
    made = rows(incident="all", thresholds=(0.6, 0.7))
    (clip,) = made["clips"]
    # "late" rings for nothing at row 5, before the clip; "early" at row 12, inside.
    assert clip["missed_calls"] == [1, 0]
    assert clip["tracks"][1]["wrong"] == [120]
    assert clip["tracks"][1]["counts"] == [1]
    assert clip["skipped"] == "10 min later: 1 false call of late meanwhile"


def test_many_alarms_are_counted_exactly_where_only_some_are_drawn():
    """The incident has 1400 points: 700 before it are shown, and 100 behind it, to the end."""
    size = 4000
    labels = np.zeros(size, dtype=int)
    labels[2500:3900] = 1
    series = uploaded(labels.tolist(), {"a": np.where(labels, 0.2, 1.0), "b": 0.9 * labels})
    replay = Replay(UPLOADED, detectors=(0, 1), thresholds=(0.5, None))
    (clip,) = replay_rows(scene(replay, series))["clips"]
    track = clip["tracks"][0]
    assert len(track["wrong"]) <= 500
    for at, count in zip(track["wrong"], track["counts"], strict=True):
        row = round(at / 60)
        assert count == (row + 1 if row < 700 else row + 1 - 1400)


def test_a_long_series_is_a_small_message():
    size = 200_000
    labels = np.zeros(size, dtype=int)
    labels[80_000:120_000] = 1
    rng = np.random.default_rng(0)
    series = uploaded(labels, {"a": rng.random(size), "b": labels + rng.random(size)}, 1)
    made = scene(Replay(UPLOADED, budget=1e6), series)
    sent = replay_rows(made)
    assert len(json.dumps(sent)) < 60_000
    (clip,) = sent["clips"]
    assert len(clip["signal"]) <= 2000
    assert max(clip["signal"]) == 1000
    assert min(clip["signal"]) == 0


def test_a_speed_lets_a_clip_be_watched():
    assert rows()["speed"] == 60  # 23 minutes in 23 s
    slow = replay_rows(scene(series=uploaded(step=3600)))
    assert slow["speed"] == 3600
    assert slow["speeds"][:6] == [1, 10, 60, 120, 300, 600]


def test_rows_without_a_clock_count_from_the_beginning():
    series = make_series("mine", LABELS, {name: np.array(each) for name, each in SCORES.items()})
    made = replay_rows(scene(series=series))
    assert not made["has_clock"]
    assert made["clips"][0]["tracks"][0]["said"].startswith("alarm at 0:22, 2 min late")


# ---- the watcher ---------------------------------------------------------------------------------


def test_presses_are_scored_as_a_detector():
    made = scene()
    # At 8 min 30 s into the clip the newest row is the 18th: a false call. At 11 min the 21st: one
    # minute late, worth 2^(-1/2).
    scored = watched(made, [[510.0, 660.0, 700.0]])
    assert scored["said"] == ["alarm at 00:21, 1 min late, worth 71 %"]
    cells = dict(zip(card_words.HEADS, scored["row"]["cells"], strict=True))
    assert cells["found"] == "1 of 1"
    assert cells["worth"] == "71 %"
    # One false call in 23 minutes; 8 of 9 points by the usual score: F1 = 16/17.
    assert cells["false calls per day"] == "63"
    assert cells["usual score, of 100"] == "94.1"
    padf = naive.scores(
        LABELS[10:33], [int(t in (18, 21)) for t in range(10, 33)], padf_for_need(Settings(), NEED),
        times=[60 * t for t in range(23)],
    )  # fmt: skip
    assert cells["time-aware score, of 100"] == f"{100 * float(padf[2]):.1f}"


def test_nobody_who_presses_misses_it():
    scored = watched(scene(), [[]])
    assert scored["said"] == ["missed: 8 min without an alarm, worth 0 %"]
    assert scored["row"]["cells"][:3] == ["0", "0", "0 of 1"]


# ---- what is said --------------------------------------------------------------------------------


def test_the_card_says_what_both_scores_say():
    card = rows()["card"]
    assert card["lines"] == [
        "late: alarm at 00:22, 2 min late, worth 50 %.",
        "early: alarm at 00:20, no delay, worth 100 %.",
        # A minute earlier than two: 2^(-1/2).
        "1 min earlier, late would have been worth 71 % instead of 50 %.",
    ]
    late, early = card["rows"]
    # No false call: 1 by the usual score, 2 · 0.5 / 1.5 by the time-aware one.
    assert card["each"] == []
    assert rows(incident="all")["card"]["each"] == [
        {"name": "incident 1, 00:20", "cells": ["2 min late, 50 %", "no delay, 100 %"]}
    ]
    assert late["cells"] == ["100", "66.7", "1 of 1", "2 min", "50 %", "0"]
    assert early["cells"] == ["100", "100", "1 of 1", "no delay", "100 %", "0"]


@pytest.mark.parametrize("setting", SETTINGS)
def test_nothing_on_the_replay_is_jargon(setting):
    series = replayed_series(Replay(setting), None)
    for incident in (None, "all"):
        made = scene_of(series, Replay(setting, incident), Settings(), suggested_need(series))
        said = json.dumps(known_rows(made)[1])
        assert not re.search(r"\bF1\b|\bPA\b|PA%K|PAdf|precision|recall|segment", said)


def test_the_trade_is_said_with_numbers_of_the_map():
    """At 0.5 "late" would ring at row 5 too; two points in a row keep that out, a minute later."""
    made = scene(Replay(UPLOADED, budget=0.0))
    trade = map_of(made)
    assert trade.best.rule == AlertRule(0.9)
    at_once, waited = trade_words.what_waiting_buys(made, trade)
    assert (at_once.rule.threshold, at_once.rule.wait) == (0.6, 1)
    assert (waited.rule.wait, waited.false_calls) == (2, 0)
    said = " ".join(trade_words.trade(made, trade))
    # One call in 40 minutes; at once it is two minutes late, then three: 2^(-3/2).
    assert "Without a wait, a threshold of 0.6 is too low for the budget" in said
    assert "it gives 36 false calls per day. After a wait of 2 points (2 min) it gives 0" in said
    assert "the worth earned goes from 50 % to 35 %" in said


def test_the_table_of_a_map_has_every_cell_and_its_cost():
    made = scene(Replay(UPLOADED, budget=0.0, per_minute=3.0, per_call=7.0))
    trade = map_of(made)
    table = map_table(made, trade)
    assert len(table) == len(trade.waits) * len(trade.thresholds)
    row = table[(table["Wait, points"] == 1) & (table["Threshold"] == 0.6)].iloc[0]
    # Two minutes unnoticed and one false call in 40 minutes: 3 · 2 + 7, 36 · 30 times a month.
    assert row["Cost per month"] == pytest.approx(13 * 36 * 30)
    # Eight minutes, noticed after two: three quarters of the cost are saved.
    assert "late saves 75 % of what" in trade_words.costs(made, trade, (3.0, 7.0))[1]
    costs = cost_table(made, (3.0, 7.0)).set_index("Detector")["Cost per month"]
    assert costs["late"] == pytest.approx(6 * 36 * 30)
    assert costs["early"] == 0


# ---- a page to leave behind ----------------------------------------------------------------------


def test_a_page_to_leave_behind_holds_the_replay_and_needs_nothing():
    page = leave_behind(scene())
    assert "connect-src" not in page
    assert json.dumps("early")[1:-1] in page
    assert not re.search(r"https?://(?!www\.w3\.org)", page)
    assert web.join("replay_file.js") in page


# ---- the page ------------------------------------------------------------------------------------


def page(**query):
    app = visit("operators", **query)
    assert not app.exception
    return app


def chosen(app, label):
    return next(box for box in app.selectbox if box.label == label)


def number(app, label):
    return next(box for box in app.number_input if box.label == label)


def test_the_page_opens_on_a_telling_incident_and_its_address_holds_it():
    app = page()
    assert chosen(app, "Setting").value == "web_service"
    assert chosen(app, "Incident").value == 2
    said = text_of(app).replace("**", "")
    assert "slow_sure raises an alert when its score reaches 0.7992" in said
    assert app.query_params["of"] == "web_service"
    assert app.query_params["measure"] == "clock"


def test_the_page_speaks_without_jargon():
    app = page(per_minute="5", per_call="10")
    said = text_of(app) + " ".join(each.label for each in [*app.selectbox, *app.number_input])
    assert not re.search(r"\bF1\b|\bPA\b|PA%K|PAdf|recall|segment|decay rate", said)


def test_another_setting_incident_and_rule_are_replayed():
    app = page()
    chosen(app, "Setting").select("pump").run()
    assert not app.exception
    chosen(app, "Incident").select("all").run()
    number(app, "Wait for consecutive points").set_value(3).run()
    number(app, "Then stay silent for points").set_value(6).run()
    number(app, "Budget: false calls per day").set_value(0.5).run()
    assert not app.exception
    for name, value in {"of": "pump", "incident": "all", "wait": "3", "cooldown": "6"}.items():
        assert app.query_params[name] == value
    assert "after 3 points (30 min) in a row, then stays silent for 6 points (1 h)" in text_of(app)


def test_a_link_opens_its_replay():
    app = page(of="ad_bidding", incident="4", wait="2", budget="2")
    assert chosen(app, "Setting").value == "ad_bidding"
    assert chosen(app, "Incident").value == 3
    assert number(app, "Wait for consecutive points").value == 2


def test_a_link_that_cannot_be_read_is_told():
    app = page(of="moon")
    assert "could not be read" in app.warning[0].value
    app = page(of="data", data="abcdef12")
    assert "not loaded" in app.warning[0].value


def test_a_link_without_settings_leaves_them_and_one_with_a_need_is_thought_over():
    app = page(of="pump")
    assert app.session_state["padf_kept"].get("padf_settings", Settings()) == Settings()
    app = page(of="pump", measure="clock", shape="deadline", decay="3600", precision="equations")
    kept = app.session_state["padf_kept"]
    assert kept["padf_settings"] == Settings(precision="equations")
    assert kept["padf_need"][0] == Need("deadline", 3600.0)


def test_no_knob_changes_who_is_compared_or_which_incident_is_shown():
    app = page()
    boxes = ("Incident", "First detector", "Second detector")
    shown = [chosen(app, label).value for label in boxes]
    for label, value in (("Wait for consecutive points", 3), ("Budget: false calls per day", 0.2)):
        number(app, label).set_value(value).run()
        assert not app.exception
        assert [chosen(app, label).value for label in boxes] == shown
    series = replayed_series(Replay(), None)
    usual = scene(Replay(), series, suggested_need(series))
    for replay in (Replay(wait=7), Replay(cooldown=40), Replay(budget=0.0)):
        made = scene(replay, series, Need(seconds=60))
        assert (made.pair, made.clips) == (usual.pair, usual.clips)


@pytest.mark.parametrize(("precision", "score"), [("tables", "66.7"), ("equations", "50")])
def test_the_card_says_what_both_scores_are_made_of(precision, score):
    # One late alarm worth D and no false call: 2D/(1 + D) by the tables, D by the equations.
    told = card_words.about_scores(padf_for_need(Settings(precision=precision), NEED))
    assert told.endswith(f"Without false calls, alarms worth 50 % make {score} of 100.")


def test_costs_are_said_once_both_are_known():
    app = page()
    number(app, "A minute unnoticed costs").set_value(50.0).run()
    number(app, "A false call costs").set_value(200.0).run()
    assert not app.exception
    said = text_of(app)
    assert "On the map, the cheapest rule of slow_sure" in said
    assert "noticed half way through saves half of its cost" in said
    table = next(each.value for each in app.dataframe if "Cost per month" in each.value.columns)
    # quick_noisy is never late on the web shop and rings for nothing four times in seven days.
    row = table.set_index("Detector").loc["quick_noisy"]
    assert row["Cost per month"] == pytest.approx(200 * 4 / 7 * 30, abs=0.01)


def test_the_need_that_is_suggested_follows_the_setting_until_somebody_says_one():
    app = page()
    assert float(app.query_params["decay"]) == 1800
    chosen(app, "Setting").select("pump").run()
    assert float(app.query_params["decay"]) == 8 * 3600
    app.session_state["padf_kept"]["padf_need"] = (Need(seconds=900.0), None)
    chosen(app, "Setting").select("ad_bidding").run()
    assert float(app.query_params["decay"]) == 900


def test_data_without_an_incident_have_nothing_to_replay():
    app = page()
    kept = app.session_state["padf_kept"]
    series = uploaded([0] * 5, {"a": [0.1] * 5})
    kept["padf_study"] = Study.of(series, Origin("file", "calm.csv"), Settings())
    kept["padf_replay"] = Replay(UPLOADED)
    app.run()
    assert not app.exception
    assert "have no incident" in app.info[0].value


def test_uploaded_data_are_replayed():
    app = page()
    series = make_series("mine", LABELS, {"late": np.array(SCORES["late"])})
    kept = app.session_state["padf_kept"]
    kept["padf_study"] = Study.of(series, Origin("file", "mine.csv"), Settings())
    app.run()
    chosen(app, "Setting").select(UPLOADED).run()
    assert not app.exception
    assert app.query_params["data"] == kept["padf_study"].fingerprint
    assert "no times" in app.caption[0].value
    assert "late raises an alert when its score reaches" in text_of(app).replace("**", "")


def test_a_need_that_somebody_said_is_used():
    app = page(of="pump", measure="clock", shape="deadline", decay="3600")
    assert app.query_params["shape"] == "deadline"
    assert float(app.query_params["decay"]) == 3600


def test_a_detector_rings_by_a_rule_on_your_data():
    app = visit("your_data", sample="pump", detector="2", at="1~0.9~1~1")
    app.session_state["data_sections"] = "Alert rule"
    app.run()
    number(app, "Wait for consecutive points").set_value(3).run()
    number(app, "Then stay silent for points").set_value(20).run()
    assert not app.exception
    study = app.session_state["padf_kept"]["padf_study"]
    threshold = study.threshold(Settings())
    scores, labels = study.detector.scores.tolist(), study.series.labels.tolist()
    alarms = naive.ring(scores, threshold, 3, 20)
    table = next(each.value for each in app.dataframe if "F1 by the rule" in each.value.columns)
    wanted = {each.label: each for each in Settings().protocols()}
    for _, row in table.iterrows():
        f1 = naive.scores(labels, alarms, wanted[row["Protocol"]])[2]
        assert row["F1 by the rule"] == pytest.approx(float(f1))
    assert 1 in alarms
    assert "padf.AlertRule(threshold=" in app.code[0].value
    # The way to the operators takes the rule along.
    told = [each.proto.query_string for each in app.get("page_link")]
    (link,) = [dict(parse_qsl(each)) for each in told if "of=data" in each]
    assert (link["wait"], link["cooldown"]) == ("3", "20")
    app.switch_page(PAGES["operators"].script)
    app.query_params.clear()
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    kept = app.session_state["padf_kept"]["padf_replay"]
    assert (kept.setting, kept.wait, kept.cooldown) == (UPLOADED, 3, 20)

"""Choosing a decay rate, the random detector and the published results, without a browser."""

import json

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core import HalfLifeDecay, PointAdjustDecay, Settings
from padf_core.__main__ import main
from padf_core.analysis.choosing import Need
from padf_core.analysis.deciding import what_decides
from padf_core.analysis.random_detector import count_draws, random_rows
from padf_core.analysis.settings_file import settings_to_json
from padf_core.metrics.clock import format_duration
from padf_core.metrics.decays import rate_text
from padf_core.metrics.expectation import random_score_best
from padf_core.paper.audit import findings, ratio_table
from padf_core.paper.published import published_table
from padf_ui.decay import decay_page as decay_view
from padf_ui.decay import result_page
from padf_ui.decay.decay_results import decided, padf_scores
from padf_ui.decay.race_message import band_text, race_rows
from padf_ui.random_baseline.credit_tables import appendix_table, term_table
from padf_ui.random_baseline.random_results import MAP_LENGTHS, random_map
from padf_ui.registry import PAGES
from padf_ui.session.probabilities import PRESETS, Probabilities
from padf_ui.session.study import sample_study
from padf_ui.study import study_results
from tests.browser.server import ROOT
from tests.ui.said import plain_tables, text_of
from tests.ui.test_data_page import button, open_sections, select, table_with, uploader
from tests.ui.unpacked import unpack
from tests.ui.visits import visit

# ---- choosing ------------------------------------------------------------------------------------


def field(app, label):
    return next(each for each in app.text_input if each.label == label)


def choose_kind(app, kind):
    return next(each for each in app.radio if "lose value" in each.label).set_value(kind).run()


def test_a_need_in_clock_units_gives_the_rate():
    app = visit("choose_decay")
    # Ten minutes at one-minute steps: half the credit after ten steps, d = 0.5 ** 0.1 = 0.933.
    assert "(d = 0.933 at 1 min per step)" in app.code[0].value
    select(app, "Sampling step, for d").set_value("10 seconds").run()
    # Sixty steps: 0.5 ** (1/60) = 0.98851.
    assert "(d = 0.9885 at 10 s per step)" in app.code[0].value
    choose_kind(app, "loss")
    field(app, "Loss").set_value("100 of 6000 a minute").run()
    # 6000 lost at 100 a minute: an hour.
    assert "D(t) = max(0, 1 - t/3600 s)" in app.code[0].value
    assert field(app, "Loss").value == "1.667 % a minute"
    choose_kind(app, "deadline")
    field(app, "Deadline").set_value("600 s").run()
    assert "D(t) = 1 for t <= 600 s, else 0" in app.code[0].value
    field(app, "Time without loss").set_value("2 min").run()
    assert "after the first 2 min, which are free" in app.code[0].value
    assert not app.exception


def test_a_link_brings_its_need_along():
    link = {"measure": "clock", "shape": "worth", "decay": "5400", "worth": "30", "grace": "120"}
    app = visit("choose_decay", **link)
    assert field(app, "Delay of the alarm").value == "1 h 30 min"
    assert field(app, "Worth of the alarm").value == "30 %"
    assert field(app, "Time without loss").value == "2 min"
    assert "an alarm after 1 h 30 min is still worth 30 %" in app.code[0].value
    loose = visit("choose_decay", measure="clock", shape="deadline", decay="420")
    assert "an alarm within 7 min is worth everything" in loose.code[0].value


def test_the_sentence_names_a_moved_onset():
    app = visit("choose_decay", sample="pump", shift="3r")
    assert "Segments begin 3 rows later than labelled." in app.code[0].value


def test_needs_that_cannot_be_are_told():
    app = visit("choose_decay")
    field(app, "Delay of the alarm").set_value("1000000000 days").run()
    assert "from a microsecond to 300 years" in app.error[0].value
    assert field(app, "Delay of the alarm").value == "10 min"
    field(app, "Delay of the alarm").set_value("2 h").run()
    assert not app.error
    assert "an alarm after 2 h is still worth 50 %" in app.code[0].value
    assert not app.exception


def test_a_rate_close_to_one_keeps_its_digits():
    need = Need("worth", 86400)
    text = result_page.methods_sentence(
        need, 1, decay_view.wanted_settings(need, Settings()), None, None
    )
    rate = float(text.split("(d = ")[1].split(" ")[0])
    assert rate**86400 == pytest.approx(0.5, abs=0.001)


@pytest.mark.slow
def test_use_it_everywhere_keeps_the_need_whatever_the_sampling_rate():
    app = visit("choose_decay", sample="pump")
    button(app, "Use it everywhere").click().run()
    assert "In use on all pages." in text_of(app)
    link = {name: app.query_params[name] for name in ("measure", "shape", "decay", "worth")}
    assert link == {"measure": "clock", "shape": "worth", "decay": "600", "worth": "50"}
    label = "PAdf (50 % after 10 min)"
    app.switch_page(PAGES["playground"].script).run()
    assert label in plain_tables(app)[0].columns
    for sample in ("ad_bidding", "pump"):
        ledger = table_with(visit("your_data", **link, sample=sample), "Segment")
        # Ten minutes late are worth half, at a minute (ad bidding) and at ten minutes (pump).
        unit = next(name for name in ledger.columns if name.startswith("Delay"))
        seconds = {"s": 1, "min": 60, "h": 3600, "d": 86400}[unit.split(", ")[1]]
        found = ledger[ledger[unit].notna()]
        worth = 0.5 ** (found[unit] * seconds / 600)
        np.testing.assert_allclose(found[label], worth, rtol=1e-9)


def test_flips_on_the_page_are_those_of_a_dense_grid():
    study = sample_study("web_service", Settings())
    wanted = decay_view.wanted_settings(Need(), Settings())
    made = decided(study, wanted, at_best=True).race
    frame = pd.read_csv(ROOT / "sample_data" / "web_service.csv")
    names = study.series.names
    # Half-lives from 10 s to 12 days, in steps of five minutes.
    grid = np.geomspace(10, 1e6, 60)

    def height(name, half_life):
        protocol = PointAdjustDecay(HalfLifeDecay(half_life), measure="clock")
        return padf.best_f1(frame["label"], frame[name], [protocol], times=300)[0].f1

    heights = np.array([[height(name, half) for name in names] for half in grid.tolist()])
    for a in range(4):
        for b in range(a + 1, 4):
            gap = heights[:, a] - heights[:, b]
            for left in range(59):
                inside = [
                    flip
                    for flip in made.flips
                    if {flip.below, flip.above} == {a, b} and grid[left] < flip.at < grid[left + 1]
                ]
                assert len(inside) % 2 == int(gap[left] * gap[left + 1] < 0)
    app = visit("choose_decay", sample="web_service")
    for flip in made.flips:
        rate = rate_text(0.5 ** (300 / flip.at))
        assert f"{format_duration(flip.at)} (d = {rate})" in text_of(app)
        assert f"{names[flip.above]} passes {names[flip.below]}" in text_of(app)
    band = made.band_at(600)
    assert f"The ranking is the same for every half-life from {format_duration(band.start)}" in (
        text_of(app)
    )
    middle = (band.start * band.stop) ** 0.5
    ranked = sorted(range(4), key=lambda i: -height(names[i], middle))
    assert list(band.ranking) == ranked


@pytest.mark.slow
def test_another_number_of_the_same_decay_is_looked_up_in_the_same_race():
    study = sample_study("web_service", Settings())

    def at(need):
        wanted = decay_view.wanted_settings(need, Settings())
        return decided(study, wanted, at_best=True)

    first = at(Need())
    assert at(Need("worth", 1234, 0.3)).field is first.field
    assert at(Need("half_life", 9)).field is first.field, "told otherwise, the same decay"
    assert at(Need(grace=60)).field is not first.field
    assert at(Need("deadline")).field is not first.field
    assert at(Need("half_life", 9)).here == 9


def test_what_is_drawn_of_the_race_is_what_the_library_gives():
    study = sample_study("web_service", Settings())
    frame = pd.read_csv(ROOT / "sample_data" / "web_service.csv")
    names = study.series.names
    wanted = decay_view.wanted_settings(Need("half_life", 3600), Settings())
    made = decided(study, wanted, at_best=True)
    f1 = padf_scores(study, wanted, at_best=True)
    rows = race_rows(made, names, f1, file="f.svg", session="", answered=0)

    def protocol(half_life):
        return PointAdjustDecay(HalfLifeDecay(half_life), measure="clock")

    for place in (0, 60, 139):
        half_life = rows["numbers"][place]
        for line in rows["lines"]:
            best = padf.best_f1(
                frame["label"], frame[line["name"]], [protocol(half_life)], times=300
            )
            assert line["f1"][place] == round(1000 * best[0].f1)
        random = [
            padf.best_f1(
                frame["label"],
                np.random.default_rng([0, run]).random(len(frame), dtype=np.float32),
                [protocol(half_life)],
                times=300,
            )[0].f1
            for run in range(199)
        ]
        # Two means of as many draws differ by four of their standard errors hardly ever.
        error = 4 * np.sqrt(2 / 199) * 1000 * np.std(random, ddof=1)
        assert rows["random"]["mean"][place] == pytest.approx(1000 * np.mean(random), abs=error + 1)
        (own,) = random_rows(frame["label"], [protocol(half_life)], 199, rows=study.series.rows)
        assert rows["random"]["mean"][place] == pytest.approx(1000 * own.mean, abs=0.51)
        assert rows["random"]["high"][place] == pytest.approx(
            1000 * np.quantile(own.f1, 0.95), abs=0.51
        )
    assert [line["here"] for line in rows["lines"]] == [round(1000 * each) for each in f1]
    # Between two changes of place the order of the drawn lines is the order of their heights.
    for band in rows["bands"]:
        inside = [
            at for at, each in enumerate(rows["numbers"]) if band["start"] < each < band["stop"]
        ]
        for at in inside:
            heights = [rows["lines"][line]["f1"][at] for line in band["ranking"]]
            assert heights == sorted(heights, reverse=True)
    assert unpack(rows["texts"])[0].startswith("half-life 1 s (d = ")


@pytest.mark.slow
def test_the_threshold_chosen_on_your_data_is_that_one():
    # It follows the best of PAdf with d = 0.9, which is in use; the need is not.
    follows = "~".join(["padf"] * 4)
    app = visit("choose_decay", sample="ad_bidding", at=follows)
    field(app, "Delay of the alarm").set_value("1 day").run()
    app.radio(key="compare_at").set_value("chosen").run()
    open_sections(app, rests=True, rests_on="Random baseline")
    table = table_with(app, "p").set_index("Detector")
    frame = pd.read_csv(ROOT / "sample_data" / "ad_bidding.csv")
    need = PointAdjustDecay(HalfLifeDecay(86400), measure="clock")
    for name in table.index:
        (best,) = padf.best_f1(frame["label"], frame[name], [PointAdjustDecay()])
        alarms = frame[name] >= best.threshold
        wanted = padf.evaluate(frame["label"], alarms, need, times=60).f1
        assert table.loc[name, "F1"] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.slow
def test_a_deadline_is_compared_over_deadlines():
    app = visit("choose_decay", sample="ad_bidding", at="0.5_0.5_0.5_0.97")
    app.radio(key="compare_at").set_value("chosen").run()
    choose_kind(app, "deadline")
    assert not app.exception
    assert "The ranking is the same for every deadline from" in text_of(app)
    assert "Scores are at given thresholds" in " ".join(c.value for c in app.code)


@pytest.mark.slow
def test_every_detector_has_a_p_value():
    app = visit("choose_decay", sample="nab_taxi")
    open_sections(app, rests=True, rests_on="Random baseline")
    table = table_with(app, "p")
    assert len(table) == 6
    assert table["p"].str.match(r"(≤ )?0\.\d|1$").all()
    # Windows begin long before the labelled moment: chance comes first, and it is said.
    assert any("A random detector reaches" in w.value for w in app.warning)
    assert any("The need is shorter than a step" in w.value for w in app.warning)
    button(app, "Count each segment once").click().run()
    assert app.query_params["weight"] == "segments"
    assert not app.exception


@pytest.mark.parametrize("at_best", [True, False])
def test_both_pages_have_the_same_p_value_and_baseline(at_best):
    """What the race says of each detector, and what Your data says under the same decay."""
    study = sample_study("web_service", Settings())
    wanted = decay_view.wanted_settings(Need("half_life", 3600), Settings())
    made = decided(study, wanted, at_best=at_best)
    f1 = padf_scores(study, wanted, at_best=at_best)
    place = [each.key for each in wanted.protocols()].index("padf")
    against = study_results.against_shifts(study, wanted, at_best=at_best)
    assert [made.against(at, f1[at]) for at in range(4)] == [each[place] for each in against]
    runs = count_draws(study.series.size)
    (random,) = [
        row for row in study_results.random_of(study, wanted, runs, 0) if row.protocol.key == "padf"
    ]
    assert made.random_f1.mean() == pytest.approx(random.mean, abs=1e-12)


def test_what_decides_between_the_first_two():
    app = open_sections(visit("choose_decay", sample="web_service"), rests=True)
    study = sample_study("web_service", Settings())
    wanted = decay_view.wanted_settings(Need(), Settings())
    protocol = wanted.protocol("padf")
    ranked = sorted(study.series.detectors, key=lambda d: -d.best(protocol).f1)
    one, other = ranked[:2]
    at = tuple(each.best(protocol).threshold for each in (one, other))
    made = what_decides(study.series, (one, other), at, protocol)
    gap = one.best(protocol).f1 - other.best(protocol).f1
    assert f"**{one.name}** is ahead of **{other.name}** by {gap:.3f}" in text_of(app)
    table = table_with(app, "Share of the gap")
    assert table["Share of the gap"].tolist() == sorted(
        made.shares.tolist(), key=lambda share: -abs(share)
    )


def test_a_rate_cannot_matter_when_nothing_is_late():
    app = visit(
        "your_data",
    )
    rows = b"label,a,b\n" + b"0,0.1,0.2\n1,0.9,0.8\n1,0.2,0.3\n0,0.3,0.1\n" * 6
    uploader(app).upload("m.csv", rows).run()
    button(app, "Use this table").click().run()
    app.switch_page(PAGES["choose_decay"].script).run()
    assert any("has no timestamps. One step is taken as 1 min" in i.value for i in app.info)
    open_sections(app, rests=True, rests_on="Delays")
    assert any("makes no difference" in i.value for i in app.info)


def test_the_sentence_names_need_decay_step_and_range():
    need = Need("half_life", 300)
    wanted = decay_view.wanted_settings(need, Settings(precision="equations"))
    text = result_page.methods_sentence(need, 60, wanted, None, None)
    assert "D(t) = 0.5^(t/300 s)" in text
    assert "(d = 0.8706 at 1 min per step)" in text  # 0.5 ** (1/5)
    assert "an alarm is worth half after 5 min" in text
    assert "equations of the original paper" in text
    assert f"PAdf Explorer {padf.__version__}" in text


def test_a_settings_file_means_the_same_at_any_sampling_rate(capsys, tmp_path):
    # Twelve hours, chosen on half-hour data, read for data of one minute: still twelve hours.
    need = Need("half_life", 12 * 3600)
    file = tmp_path / "settings.json"
    file.write_text(settings_to_json(Settings(**need.values), need, 1800))
    sample = str(ROOT / "sample_data" / "ad_bidding.csv")
    assert main(["evaluate", sample, "--json", "--settings", str(file)]) == 0
    printed = json.loads(capsys.readouterr().out)
    frame = pd.read_csv(sample)
    protocol = PointAdjustDecay(HalfLifeDecay(720))
    for row in printed["results"]:
        if row["protocol"] == "padf":
            best = padf.best_f1(frame["label"], frame[row["detector"]], [protocol])[0]
            assert row["f1"] == pytest.approx(best.f1, rel=1e-12)


def test_the_settings_file_is_read_by_pages_and_command(capsys, tmp_path):
    wanted = Settings(shape="deadline", decay=3, k=40, inclusive=True, precision="equations")
    file = tmp_path / "settings.json"
    file.write_text(settings_to_json(wanted, Need(), 60))
    sample = str(ROOT / "sample_data" / "ad_bidding.csv")
    call = ["evaluate", sample, "--label", "label", "--detector", "steady", "--json"]
    assert main([*call, "--settings", str(file)]) == 0
    printed = json.loads(capsys.readouterr().out)
    frame = pd.read_csv(sample)
    best = padf.best_f1(frame["label"], frame["steady"], wanted.protocols())
    assert [r["f1"] for r in printed["results"]] == [point.f1 for point in best]
    assert (printed["shape"], printed["decay"], printed["k"]) == ("deadline", 3, 40)
    file.write_text("{}")
    assert main([*call, "--settings", str(file)]) == 2
    assert "this is not a settings file" in capsys.readouterr().err
    assert main([*call, "--settings", str(tmp_path / "none.json")]) == 2
    assert "cannot be opened as a file" in capsys.readouterr().err
    app = open_sections(visit("your_data", sample="pump"), menu_Rules=True)
    upload = uploader(app, "Settings")
    upload.upload("s.json", settings_to_json(wanted).encode())
    button(app, "Use them").click().run()
    assert app.query_params["shape"] == "deadline"
    assert app.query_params["k"] == "40"
    upload = uploader(app, "Settings")
    upload.upload("s.json", b"[]")
    button(app, "Use them").click().run()
    assert "not a settings file" in app.error[0].value
    assert app.query_params["k"] == "40"


# ---- the random detector -------------------------------------------------------------------------


@pytest.mark.slow
def test_the_maxima_of_fig_3():
    app = visit("random_detector")
    text = text_of(app)
    # N = 500, r = 0.05: F1 = 2 r R / (r + r R + q (1 - r)) with R = 1 - (1-q)^500; dense in q.
    q = np.linspace(1e-4, 0.05, 20001)
    recall = 1 - (1 - q) ** 500
    f1 = 2 * 0.05 * recall / (0.05 + 0.05 * recall + q * 0.95)
    assert f"N = 500: at most **{f1.max():.3f}**" in text
    assert f"d = 1: at most **{f1.max():.3f}**" in text
    # PAdf by the equations, d = 0.9: R = q (1 - (t d)^N) / (1 - t d), P divides by T + FP.
    q = np.linspace(1e-4, 1, 200001)
    theta = 1 - q
    recall = q * (1 - (theta * 0.9) ** 500) / (1 - theta * 0.9)
    f1 = 2 * 0.05 * recall / (0.05 + 0.05 * (1 - theta**500) + q * 0.95)
    assert f"d = 0.9: at most **{f1.max():.3f}**" in text


@pytest.mark.slow
def test_the_map_on_the_page_is_the_best_of_random_scores():
    app = visit("random_detector", k="20")
    open_sections(app, random_sections="Best random F1")
    for key, symbol in (("pa_k", "K"), ("padf", "d")):
        app.radio(key="random_map").set_value(key).run()
        open_sections(app, **{f"random-map-{key}_as": True})
        table = table_with(app, symbol).set_index(symbol)
        assert [int(length) for length in table.columns] == list(MAP_LENGTHS)
        settings = Settings(precision="equations")
        for value in table.index[[0, 7, -1]]:
            (protocol,) = settings.at(key, [value])
            for length in (1, 50, 1000):
                (best,) = random_score_best(length, 0.05, [protocol])
                assert table.loc[value, str(length)] == pytest.approx(best.f1)
        highest = table.to_numpy().max()
        assert f"Maximum: {highest:.3f}, at N = 1000" in text_of(app)


def test_random_detectors_on_real_labels_are_the_cores():
    app = visit("random_detector", sample="pump")
    open_sections(app, random_sections="On real labels", **{"random-on-labels_as": True})
    labels = pd.read_csv(ROOT / "sample_data" / "pump.csv")["label"]
    rows = random_rows(labels, Settings().protocols(), 199, 0)
    table = table_with(app, "Lowest").set_index("Protocol")
    for row in rows:
        shown = table.loc[row.protocol.label]
        assert shown["Mean"] == pytest.approx(np.mean(row.f1))
        assert shown["Variance"] == pytest.approx(np.var(row.f1, ddof=1))
        assert (shown["Lowest"], shown["Highest"]) == (min(row.f1), max(row.f1))
    best = max(rows, key=lambda row: row.mean)
    assert best.protocol.key == "pa"
    assert f"a random detector scores best under PA: {best.mean:.3f} on average" in text_of(app)


def test_any_probability_of_an_alarm_has_the_cores_terms():
    app = visit("random_detector", decay="0.8")
    open_sections(app, random_sections="Custom detector")
    app.button(key="preset_3").click().run()
    assert not app.exception
    # The same probability everywhere: a first alarm at n has 0.85^n * 0.15, worth 0.8^n.
    terms = [0.15 * (0.85 * 0.8) ** n for n in range(12)]
    table = table_with(app, "first alarm at")
    assert table["term"].tolist() == pytest.approx(terms)
    assert table["so far"].iloc[-1] == pytest.approx(sum(terms))
    assert f"Expected recall **{sum(terms):.4f}**" in text_of(app)
    printed = table_with(app, "printed")["printed"]
    assert printed.tolist() == pytest.approx([1, 0.8**12, 24 / 26 * 0.64])


def test_the_map_holds_the_edges():
    table = random_map("pa_k", 0.05, Settings())
    # K = 100 is point-wise, at best by flagging everything: 2 r / (1 + r), whatever N.
    assert table.loc[100.0].to_numpy() == pytest.approx(
        np.full(table.shape[1], 0.1 / 1.05), abs=1e-6
    )
    other = random_map("padf", 0.05, Settings())
    assert (table.index[0], other.index[-1]) == (0.0, 1.0)
    # K = 0 and d = 1 are both PA.
    assert table.loc[0.0].to_numpy() == pytest.approx(other.loc[1.0].to_numpy(), abs=1e-4)
    assert (np.diff(table.to_numpy(), axis=0) <= 1e-9).all()


def test_the_three_cases_of_appendix_c():
    table = appendix_table(Settings(decay=0.9))
    # 1; 0.9^12 against 0.9^11; 24/26 * 0.81.
    assert table["printed"].tolist() == pytest.approx([1, 0.9**12, 24 / 26 * 0.81])
    assert table["equations"].tolist() == pytest.approx([1, 0.9**11, 24 / 26 * 0.81])
    # Tables: 2D/(1+D) at the last point; eTP = 12 * 0.81, two false alarms.
    late = 0.9**11
    credit = 12 * 0.81
    assert table["tables"].tolist() == pytest.approx(
        [1, 2 * late / (1 + late), 2 * credit / (12 + credit + 2)]
    )
    assert table["agrees"].tolist() == ["✓ equations", "✗", "✓ equations"]


def test_the_terms_drawn_are_the_cores():
    drawn, settings = Probabilities((0.2, 0.5, 0.0, 1.0), 1), Settings(decay=0.5)
    table = term_table(drawn, settings)
    # 0.2; 0.8*0.5*0.5; 0; 0.8*0.5*1*0.125
    assert table["term"].tolist() == pytest.approx([0.2, 0.2, 0.0, 0.05])
    assert table["so far"].tolist() == pytest.approx([0.2, 0.4, 0.4, 0.45])
    whole = drawn.expectation(settings.protocol("padf"))
    assert whole.recall == pytest.approx(0.45)
    assert whole.false_positives == 1
    assert {preset.formula for preset in PRESETS} == {"", "1", "d^N", "2N/(2N+M) D(2)"}
    with pytest.raises(ValueError, match="between 0 and 1"):
        Probabilities((0.5, 1.5))
    with pytest.raises(ValueError, match="points"):
        Probabilities((0.5,))


# ---- the published results -----------------------------------------------------------------------


def test_table_3_and_the_correlations_are_recomputed():
    app = open_sections(visit("published_results"), published_sections="Table 3, recomputed")
    assert "9 of 9 agree" in text_of(app)
    pd.testing.assert_frame_equal(table_with(app, "computed, %"), ratio_table())
    open_sections(app, published_sections="Correlations", scatter_pa_as=True)
    rows = published_table("table7_8")
    for column, head in {"pointwise": "point-wise", "pa": "PA", "pa_k20": "PA%K 20"}.items():
        computed = np.corrcoef(rows[column].astype(float), rows["padf_0.9"].astype(float))[0, 1]
        assert f"**{head}:** computed {computed:.3f}, printed" in text_of(app)
    assert "computed 0.818, printed 0.83" in text_of(app)
    assert table_with(app, "padf_0.9")["pa"].tolist() == rows["pa"].tolist()


def test_table_5_is_shown_as_printed():
    app = visit("published_results")
    open_sections(app, published_sections="Table 5: random score", table5_published_chart_as=True)
    pd.testing.assert_frame_equal(table_with(app, "statistic"), published_table("table5"))


def test_every_finding_of_the_audit_has_its_card():
    app = open_sections(visit("published_results"), published_sections="Audit")
    text, found = text_of(app), findings()
    assert f"{len(found)} places where the paper contradicts itself" in text
    for finding in found:
        assert f"**{finding.title}** · {finding.where}" in text
        assert f"Printed: {finding.printed}" in text
        assert f"Computed: {finding.computed}" in text
    assert "2 of 12 rows of Table 2, 12 of 35 rows of Table 6, 1 of 60 rows of Tables 7" in text
    assert "0.778 (point-wise), 0.679 (PA), 0.818 (PA%K)" in text


def test_tables_can_be_explored():
    app = visit("published_results")
    assert "USAD comes first under Point-wise" in text_of(app)
    app.radio(key="which").set_value("table6").run()
    select(app, "Data set").set_value(select(app, "Data set").options[1]).run()
    assert not app.exception
    assert "12 of 35 rows of this table" in text_of(app)
    app.multiselect[0].set_value(["pa", "padf_0.9"]).run()
    assert not app.exception


@pytest.mark.parametrize(
    ("section", "chart"),
    [
        ("Shape of the decay", "shapes_as"),
        ("Sensitivity", "sensitivity_threshold_as"),
    ],
)
def test_numbers_of_a_chart_and_the_table_beside_it_are_two_files(section, chart):
    app = visit("choose_decay", sample="web_service")
    open_sections(app, rests=True, rests_on=section, **{chart: True, "f1-over-decay_as": True})
    names = [each.proto.id for each in app.get("download_button")]
    assert len(names) == len(set(names)) >= 3


@pytest.mark.slow
def test_a_deadline_shorter_than_a_step_has_its_place_and_its_range():
    # The taxis' step is half an hour: within it only an alarm at once keeps a deadline.
    need = Need("deadline", 600)
    study = sample_study("nab_taxi", Settings())
    made = decided(study, Settings(**need.values), at_best=True)
    assert made.field.numbers[0] <= 600 < made.field.numbers[-1]
    assert made.band.start <= 600 < made.band.stop <= 1800 * study.series.size
    order = [each.best_at(made.race.axis, 600.0) for each in made.race.forms]
    assert list(made.band.ranking) == sorted(range(len(order)), key=lambda at: -order[at])
    if made.band.stop < made.race.axis.high:
        assert "to just below" in band_text(made)
        after = [each.best_at(made.race.axis, made.band.stop) for each in made.race.forms]
        assert sorted(range(len(after)), key=lambda at: -after[at]) != list(made.band.ranking)

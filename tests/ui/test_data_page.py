"""The data page without a browser: what is uploaded, what is refused, and the core's numbers."""

import io
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

import padf_core as padf
from padf_core import BestPoint, Settings
from padf_core.analysis.held_out import cross_fitted
from padf_core.analysis.uncertainty import FEWEST
from padf_ui.data.timeline_message import timeline_rows
from padf_ui.session.stretch import View
from padf_ui.session.study import SAMPLES, sample_study
from tests.browser.server import ROOT
from tests.core.test_tables import ACCEPTED, REFUSED, ROWS
from tests.hostile import HOSTILE
from tests.ui.visits import visit

start = partial(visit, "your_data")


def button(app, label):
    return next(b for b in app.button if b.label == label)


def uploader(app, label="Tables of labels and scores"):
    return next(u for u in app.file_uploader if u.label.startswith(label))


def select(app, label):
    return next(s for s in app.selectbox if s.label == label)


def detectors_of(app):
    """The columns of a table that are detectors."""
    return next(m for m in app.multiselect if m.label.startswith("Detectors"))


FOLLOW = "When d or K changes, the threshold"


def upload(app, content, name="mine.csv"):
    """Upload a table and use it as it is guessed."""
    uploader(app).upload(name, content).run()
    assert not app.exception
    if any(b.label == "Use this table" for b in app.button):
        button(app, "Use this table").click().run()
    assert not app.exception
    return app


def text_of(app):
    return "\n".join(m.value for m in app.markdown).replace("\\", "")


def open_section(app, name):
    app.session_state["data_sections"] = name
    return app.run()


def open_sections(app, **sections):
    """Open tabs by their keys."""
    for key, name in sections.items():
        app.session_state[key] = name
    app.run()
    assert not app.exception
    return app


def table_with(app, column):
    return next(d.value for d in app.dataframe if column in d.value.columns)


def detectors_in(frame):
    """A made-up sample has a time, a value, a label and then its detectors."""
    return list(frame.columns[3:])


MADE_UP = [key for key, sample in SAMPLES.items() if sample.from_moment is None]


def most_telling(frame, settings):
    """The detector and threshold where PA, PA%K and PAdf lie furthest apart."""
    protocols = [settings.protocol(key) for key in ("pa", "pa_k", "padf")]
    found = []
    for name in detectors_in(frame):
        for point in padf.best_f1(frame["label"], frame[name], protocols):
            flags = frame[name] >= point.threshold
            scores = [e.f1 for e in padf.evaluate_all(frame["label"], flags, protocols)]
            found.append((max(scores) - min(scores), name, point.threshold))
    return max(found, key=lambda each: each[0])[1:]


@pytest.mark.parametrize("key", MADE_UP)
def test_a_sample_opens_and_shows_the_cores_numbers(key):
    app = start()
    app.button(key=f"sample_{key}").click().run()
    assert not app.exception
    frame = pd.read_csv(ROOT / "sample_data" / f"{key}.csv")
    settings = Settings()
    name, threshold = most_telling(frame, settings)
    assert select(app, "Detector").value == detectors_in(frame).index(name)
    assert float(app.query_params["at"].split("~")[detectors_in(frame).index(name)]) == threshold
    labels, scores = frame["label"].to_numpy(), frame[name].to_numpy()
    best = padf.best_f1(labels, scores, settings.protocols())
    shown = [b.label.split(": ") for b in app.button if b.key and b.key.startswith("best_")]
    assert [name for name, _ in shown] == [point.protocol.name for point in best]
    for (_, text), point in zip(shown, best, strict=True):
        flags = scores >= float(text)
        assert padf.evaluate(labels, flags, point.protocol).f1 == pytest.approx(point.f1)
        np.testing.assert_array_equal(flags, scores >= point.threshold)
        assert len(text) <= len(repr(point.threshold))
    ledger = table_with(app, "Segment")
    found = padf.evaluate_all(labels, scores >= threshold, settings.protocols())
    for result in found:
        credits = [outcome.credit for outcome in result.segments]
        np.testing.assert_allclose(ledger[result.protocol.label], credits)
    assert ledger["Start"].tolist() == [
        frame["time"][o.start].removesuffix(":00") for o in found[0].segments
    ]
    assert f"{len(frame):,} points" in text_of(app)
    assert app.query_params["sample"] == key


def test_the_comparison_is_the_cores_and_marks_changed_ranks():
    app = open_section(start(sample="pump"), "Compare detectors")
    assert not app.exception
    table = table_with(app, "Detector")
    frame = pd.read_csv(ROOT / "sample_data" / "pump.csv")
    names = ["quick_noisy", "slow_sure", "steady", "random"]
    protocols = Settings().protocols()
    for row, name in enumerate(names):
        best = padf.best_f1(frame["label"], frame[name], protocols)
        for point in best:
            assert table[point.protocol.label][row] == pytest.approx(point.f1)
    # By the README of sample_data: PA puts slow_sure first, PAdf quick_noisy.
    assert table["rank, PA"].tolist()[:4] == ["2", "1", "4", "3"]
    assert table["rank, PAdf"].tolist()[:4] == ["1 ▲1", "4 ▼3", "3 ▲1", "2 ▲1"]
    assert table["Detector"].iloc[-1] == "random baseline, mean of 199"
    assert "do not beat 95 % of 199 random detectors" in text_of(app)
    noise = [
        np.random.default_rng([0, run]).random(len(frame), dtype=np.float32) for run in range(199)
    ]
    drawn = np.array([[p.f1 for p in padf.best_f1(frame["label"], n, protocols)] for n in noise])
    # Two means of as many draws differ by four of their standard errors hardly ever.
    errors = 4 * np.sqrt(2 / len(noise)) * drawn.std(axis=0, ddof=1)
    shown = np.array([table[p.label].iloc[-1] for p in protocols])
    assert (np.abs(shown - drawn.mean(axis=0)) < errors).all()


FLAGS = "label,a,b\n" + "0,0,0.5\n1,1,0.25\n1,0,0.75\n0,1,0.125\n" * 5
"""Five segments; the first detector gives alarms, the second scores."""

UPLOADED = {"scores": (ROWS, ["quick", "sure", "flag"]), "detections": (FLAGS, ["a", "b"])}


@pytest.mark.parametrize(("content", "names"), UPLOADED.values(), ids=UPLOADED)
def test_every_section_holds_the_cores_numbers(content, names):
    app = upload(start(), content.encode())
    frame = pd.read_csv(io.StringIO(content))
    labels, scores = frame["label"], {name: frame[name] for name in names}
    settings, protocols = Settings(), Settings().protocols()
    best = {name: best_points(labels, scores[name], protocols) for name in names}
    shown = {p.key: best[names[0]][p.key] for p in protocols}
    threshold = shown["padf"].threshold
    found = padf.evaluate_all(labels, scores[names[0]] >= threshold, protocols)
    check_segments(app, found)
    check_thresholds(app, labels, scores[names[0]], shown)
    check_comparison(app, names, best)
    check_over(app, labels, scores, settings)
    check_areas(app, labels, scores, settings)
    check_against(app, labels, scores, best)
    check_intervals(app, labels, names, best)
    check_taken_away(app, names, best)


def best_points(labels, scores, protocols):
    """Each protocol's best point; alarms are taken as they are."""
    if set(scores) <= {0, 1}:
        results = padf.evaluate_all(labels, scores, protocols)
        share = float(np.mean(scores))
        return {r.protocol.key: BestPoint(r.protocol, 1.0, r.precision, r.recall, r.f1, share)
                for r in results}  # fmt: skip
    return {point.protocol.key: point for point in padf.best_f1(labels, scores, protocols)}


def check_segments(app, found):
    """The ledger is every protocol's credit; the delays' table holds every segment once."""
    open_sections(app, data_sections="Segments and delays", delays_as=True)
    ledger = table_with(app, "Segment")
    for result in found:
        assert ledger[result.protocol.label].tolist() == [s.credit for s in result.segments]
    outcomes = result.segments
    assert ledger["Hits"].tolist() == [outcome.hits for outcome in outcomes]
    assert ledger["Points"].tolist() == [outcome.length for outcome in outcomes]
    late = [outcome.delay for outcome in outcomes]
    head = next(name for name in ledger.columns if name.startswith("Delay"))
    step = {"Delay, steps": 1, "Delay, s": 60}[head]
    wanted = [np.nan if delay is None else step * delay for delay in late]
    np.testing.assert_array_equal(ledger[head], wanted)
    counted = table_with(app, "Segments")["Segments"]
    assert counted.sum() == len(outcomes)
    assert counted.iloc[-1] == late.count(None)
    hit = len(outcomes) - late.count(None)
    assert f"{hit} of {len(outcomes)} segments detected" in text_of(app)


def check_thresholds(app, labels, scores, shown):
    """The best thresholds are the sweep's; every row of the chart is an evaluation of its own."""
    open_sections(app, data_sections="Thresholds", thresholds_as=True)
    table = table_with(app, "Best threshold")
    heads = ["Protocol", "Best threshold", "Precision", "Recall", "F1"]
    points = [(p.protocol.label, p.precision, p.recall, p.f1) for p in shown.values()]
    rows = [tuple(row) for row in table[heads].itertuples(index=False)]
    assert [(row[0], *row[2:]) for row in rows] == points
    for row, point in zip(rows, shown.values(), strict=True):
        # The shortest number that does: it flags what the best threshold flags.
        np.testing.assert_array_equal(scores >= float(row[1]), scores >= point.threshold)
    swept = table_with(app, "Threshold")
    assert set(swept["Threshold"]) >= set(scores) - {0}
    protocols = [point.protocol for point in shown.values()]
    for row in swept.to_dict("records"):
        flags = scores >= row["Threshold"]
        assert row["Flagged, %"] == pytest.approx(100 * flags.mean())
        for result in padf.evaluate_all(labels, flags, protocols):
            name = result.protocol.name
            assert row[f"F1 {name}"] == pytest.approx(result.f1)
            assert row[f"P {name}"] == pytest.approx(result.precision)
            assert row[f"R {name}"] == pytest.approx(result.recall)


def check_comparison(app, names, best):
    """Scores and ranks are those of each detector's best points."""
    sections = {"data_sections": "Compare detectors", "compare_sections": "Ranks"}
    open_sections(app, **sections, ranks_as=True)
    table = table_with(app, "rank, PA")
    ranks = next(
        d.value for d in app.dataframe if "Detector" in d.value and "rank, PA" not in d.value
    )
    assert table["Detector"].tolist()[:-1] == names
    for key, point in best[names[0]].items():
        heights = [best[name][key].f1 for name in names]
        assert table[point.protocol.label].tolist()[:-1] == heights
        wanted = [1 + sum(other > height + 1e-9 for other in heights) for height in heights]
        assert ranks[point.protocol.label].tolist() == wanted


def check_over(app, labels, scores, settings):
    """Each curve is the best F1, or the alarms' F1, at every step of the number."""
    for key, number in settings.numbers().items():
        tabs = {"compare_sections": f"Over {number.symbol}", f"detectors-over-{key}_as": True}
        open_sections(app, **tabs)
        table = table_with(app, number.title)
        assert table[number.title].tolist() == list(number.steps)
        for name, values in scores.items():
            protocols = settings.at(key, number.steps)
            wanted = [best_points(labels, values, [each])[key].f1 for each in protocols]
            assert table[name].tolist() == pytest.approx(wanted)


def check_areas(app, labels, scores, settings):
    """Average precision and ROC area are the sweep's, the others means over a number."""
    open_sections(app, compare_sections="Areas")
    table = table_with(app, "AP, PA").set_index("Detector")
    for name, values in scores.items():
        for protocol in settings.protocols():
            swept = padf.sweep(labels, values, protocol)
            assert table.loc[name, f"AP, {protocol.name}"] == pytest.approx(swept.average_precision)
            assert table.loc[name, f"ROC, {protocol.name}"] == pytest.approx(swept.roc_auc)
        for key, number in settings.numbers().items():
            protocols = settings.at(key, number.steps)
            heights = [best_points(labels, values, [each])[key].f1 for each in protocols]
            places, over = list(number.steps), number.symbol
            if key == "padf":
                # Over the logarithm of the half-life, ln 0.5 / ln d; d = 1 never decays.
                places = [np.log(np.log(0.5) / np.log(d)) for d in places[:-1]]
                heights, over = heights[:-1], "log half-life"
            head = f"{settings.protocol(key).name} over {over}"
            area = np.trapezoid(heights, places) / (places[-1] - places[0])
            assert table.loc[name, head] == pytest.approx(area)


def check_against(app, labels, scores, best):
    """Every detector stands beside its baseline with p, and the null hypothesis is told."""
    open_sections(app, compare_sections="Random baseline")
    table = table_with(app, "Random baseline")
    assert table["F1"].tolist() == [point.f1 for own in best.values() for point in own.values()]
    shares = [100 * point.flagged for own in best.values() for point in own.values()]
    assert table["Flagged, %"].tolist() == pytest.approx(shares)
    made = padf.compare(labels, scores, Settings().protocols())
    wanted = [p.text.removeprefix("p ").removeprefix("= ") for row in made.against for p in row]
    assert table["p"].tolist() == wanted
    assert "null hypothesis that the scores are unrelated" in app.caption[-1].value


def check_intervals(app, labels, names, best):
    """Intervals stand around the held-out scores; of few segments there are none."""
    segments = len(padf.find_segments(labels))
    if segments < FEWEST:
        open_sections(app, compare_sections="How certain is this?")
        assert f"Too few segments ({segments}) for a confidence interval" in app.info[0].value
        return
    open_sections(app, compare_sections="How certain is this?", intervals_as=True)
    table = table_with(app, "from")
    assert (table["from"] <= table["Held out"]).all()
    assert (table["Held out"] <= table["to"]).all()
    assert len(table) == len(names) * len(best[names[0]])
    assert (table["from"] <= table["to"]).all()
    for key, point in best[names[0]].items():
        own = table[table["Protocol"] == point.protocol.label]
        assert own["F1"].tolist() == [best[name][key].f1 for name in names]


def check_taken_away(app, names, best):
    """The lines for elsewhere hold the thresholds, and the LaTeX table the scores."""
    open_sections(app, data_sections="Export")
    python, command = (code.value for code in app.code)
    thresholds = [best[name]["padf"].threshold for name in names]
    for name, threshold in zip(names, thresholds, strict=True):
        assert f"{name!r}: {threshold!r}," in python
        assert f"--detector={name}" in command
    assert "read_table('mine.csv')" in python
    assert [b.label for b in app.download_button if "CSV" not in b.label][-3:] == [
        "Report (HTML)",
        "Everything (JSON)",
        "LaTeX table",
    ]


def test_an_accepted_upload_gives_its_page():
    """`test_tables` reads every accepted file; here one goes all the way."""
    app = upload(start(), ACCEPTED["semicolon"])
    assert not app.error
    ledger = table_with(app, "Segment")
    # quick under PAdf: 0.8 hits one step late with one false alarm, 7.2/8.6; 0.2 hits at once with
    # two, 8/10. So 0.8 is the best, and the segment earns 0.9.
    assert ledger["PAdf (d = 0.9)"].tolist() == [0.9]
    assert "6 points · 67 % anomalous · 1 segment" in text_of(app)
    assert "every 1 min" in text_of(app)


@pytest.mark.parametrize("name", ["text in scores", "excel"])
def test_a_refused_upload_says_why_and_leaves_everything_as_it_was(name):
    """`test_tables` refuses every bad file with its message; here two go all the way."""
    content, message = REFUSED[name]
    app = start(sample="pump", detector="3", at="padf_padf_0.5_padf", view="10-200")
    before = dict(app.query_params)
    button(app, "Other data").click().run()
    upload(app, content)
    told = app.error[0].value.replace("\\", "")
    assert told.startswith("mine.csv: ")
    assert message in told
    assert "Nothing has been changed." in told
    button(app, "Back to the data").click().run()
    assert dict(app.query_params) == before
    assert "4,320 points" in text_of(app)


def test_roles_can_be_changed():
    app = start()
    uploader(app).upload("mine.csv", ROWS.encode()).run()
    assert select(app, "Label").value == "label"
    assert select(app, "Time").value == "time"
    assert select(app, "Signal").value == "value"
    assert detectors_of(app).value == ["quick", "sure", "flag"]
    select(app, "Label").set_value("flag").run()
    select(app, "Time").set_value("(none)").run()
    detectors_of(app).set_value(["sure"]).run()
    button(app, "Use this table").click().run()
    assert "6 points · 33 % anomalous · 2 segments · no timestamps" in text_of(app)
    assert select(app, "Detector").options == ["sure"]


def test_a_clash_of_roles_is_told():
    app = start()
    uploader(app).upload("mine.csv", ROWS.encode()).run()
    detectors_of(app).set_value([]).run()
    button(app, "Use this table").click().run()
    assert "say which columns are detectors" in app.error[0].value
    assert not app.exception


def test_pasted_rows_and_events_come_in_too():
    app = start()
    app.text_area[0].set_value(ROWS.replace(",", "\t")).run()
    button(app, "Use this table").click().run()
    assert "6 points" in text_of(app)
    app = start()
    incidents = b"start,end\n2024-06-10 08:30,2024-06-10 08:40\n"
    alerts = b"time,detector\n2024-06-10 08:36:10,quick\n2024-06-10 09:00,late\n"
    uploader(app, "Incidents").upload("i.csv", incidents).run()
    uploader(app, "Alerts").upload("a.csv", alerts).run()
    button(app, "Convert to a time series").click().run()
    assert not app.exception
    ledger = table_with(app, "Segment")
    # The alert's ten seconds ask for steps of 10 s: 6 min 10 s are 37 of them.
    assert ledger["Delay, min"].tolist() == pytest.approx([6 + 1 / 6])
    assert ledger["PAdf (d = 0.9)"].tolist() == pytest.approx([0.9**37])
    assert select(app, "Detector").options == ["quick", "late"]


def test_bad_events_are_told():
    app = start()
    uploader(app, "Incidents").upload(
        "i.csv", b"start,end\n2024-06-10 09:30,2024-06-10 08:40\n"
    ).run()
    uploader(app, "Alerts").upload("a.csv", b"time\n2024-06-10 08:36\n").run()
    button(app, "Convert to a time series").click().run()
    assert "row 1: an incident must end after it starts" in app.error[0].value.replace("\\", "")
    assert not app.exception


def best_thresholds(sample, settings, key="padf"):
    frame = pd.read_csv(ROOT / "sample_data" / f"{sample}.csv")
    names = ["quick_noisy", "slow_sure", "steady", "random"]
    chosen = [settings.protocol(key)]
    return [padf.best_f1(frame["label"], frame[name], chosen)[0].threshold for name in names]


def test_settings_thresholds_and_view_are_in_the_link_and_come_back():
    app = start(sample="ad_bidding", detector="1")
    select(app, "Detector").set_value(1).run()
    app.button(key="best_pa").click().run()
    query = dict(app.query_params)
    wanted = best_thresholds("ad_bidding", Settings())
    wanted[1] = best_thresholds("ad_bidding", Settings(), "pa")[1]
    assert query["detector"] == "2"
    assert [float(each) for each in query["at"].split("~")] == wanted
    again = start(**query)
    assert dict(again.query_params).items() >= query.items()
    assert select(again, "Detector").value == 1
    assert select(again, FOLLOW).value is None


def test_a_threshold_stays_unless_it_is_asked_to_follow():
    app = start(sample="pump", decay="0.9", detector="1")
    pinned = dict(app.query_params)["at"]
    select(app, FOLLOW).set_value("padf").run()
    assert dict(app.query_params)["at"] == "~".join(["padf", *pinned.split("~")[1:]])
    title = next(each.title for each in Settings().parameters() if each.key == "precision")
    open_sections(app, menu_Rules=True)
    next(r for r in app.radio if r.label == title).set_value("equations").run()
    query = dict(app.query_params)
    assert query["precision"] == "equations"
    # The others stay where they were best by the tables; this one is best by the equations.
    assert query["at"] == "~".join(["padf", *pinned.split("~")[1:]])
    best = best_thresholds("pump", Settings(precision="equations"))[0]
    code = open_section(app, "Export").code[0].value
    assert f"'quick_noisy': {best!r}," in code
    select(app, FOLLOW).select_index(0).run()
    assert dict(app.query_params)["at"] == "~".join([repr(best), *pinned.split("~")[1:]])


def test_links_of_before_are_still_read():
    app = start(sample="ad_bidding", at="padf_pa_padf_0.5")
    assert dict(app.query_params)["at"] == "padf~pa~padf~0.5"
    select(app, "Detector").set_value(1).run()
    assert select(app, FOLLOW).value == "pa"


def test_a_link_without_its_data_waits_for_them():
    app = start(detector="2", at="padf~0.25~padf", decay="0.5")
    assert "but not the data" in app.info[0].value
    upload(app, ROWS.encode())
    query = dict(app.query_params)
    assert (query["detector"], query["at"], query["decay"]) == ("2", "padf~0.25~padf", "0.5")
    assert select(app, FOLLOW).value is None
    assert "'sure': 0.25," in open_section(app, "Export").code[0].value


@pytest.mark.parametrize(
    "query",
    [
        {"decay": "7"},
        {"sample": "../etc/passwd"},
        {"at": "now"},
        {"at": "nan"},
        {"view": "1-x"},
        {"detector": "0"},
        {"detector": "1e400"},
        {"k": "0.2"},
    ],
)
def test_a_damaged_link_is_told_and_nothing_breaks(query):
    app = start(**query)
    assert not app.exception
    assert "could not be read" in app.warning[0].value


def test_a_link_for_other_detectors_keeps_what_fits():
    app = start(sample="pump", at="pa_pa", detector="99", view="5000-9000")
    assert not app.exception
    assert select(app, "Detector").value == 3
    app.button(key="best_padf").click().run()
    first, last = map(int, app.query_params["view"].split("-"))
    assert 0 <= first < last <= 4320


def test_hostile_names_do_no_harm_on_the_page():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"label": (np.arange(60) % 20 >= 15).astype(int)})
    for name in HOSTILE:
        if name and "\n" not in name:
            frame[name] = rng.random(60)
    app = start()
    uploader(app).upload("<img src=x>=1.csv", frame.to_csv(index=False).encode()).run()
    assert not app.exception
    detectors_of(app).set_value(detectors_of(app).options[1:12]).run()
    button(app, "Use this table").click().run()
    assert not app.exception
    for name in ("Compare detectors", "Export"):
        open_section(app, name)
        assert not app.exception
        for part in app.markdown:
            assert "<img" not in part.value.replace("\\<", "")
            assert "![x](" not in part.value


def test_all_normal_and_all_anomalous_labels_are_told():
    app = upload(start(), b"label,a\n" + b"0,0.5\n0,0.7\n0,0.2\n" * 5)
    assert "nothing to detect" in app.warning[0].value
    assert not app.exception
    app = upload(start(), b"label,a\n" + b"1,0.5\n1,0.7\n1,0.2\n" * 5)
    assert "Every point is labelled 1" in app.warning[0].value
    for name in ("Thresholds", "Compare detectors", "Export"):
        open_section(app, name)
        assert not app.exception


# ---- what was meant ------------------------------------------------------------------------------


def warnings_of(app):
    return "\n".join(each.value for each in app.warning).replace("\\", "")


def test_a_link_for_other_data_asks_before_it_is_used():
    first = upload(start(), ROWS.encode())
    query = dict(first.query_params)
    assert len(query["data"]) == 8
    other = upload(start(**{**query, "at": "0.25~0.25~1.0"}), ROWS.replace("0.9", "0.95").encode())
    assert "made for other data" in warnings_of(other)
    assert "0.25" not in other.query_params["at"]
    button(other, "Use them anyway").click().run()
    assert other.query_params["at"].startswith("0.25~0.25")
    assert "made for other data" not in warnings_of(other)
    same = upload(start(**{**query, "at": "0.25~0.25~1.0"}), ROWS.encode())
    assert "made for other data" not in warnings_of(same)
    assert same.query_params["at"].startswith("0.25~0.25")


def turned_table():
    truth = (np.arange(300) % 50 >= 40).astype(int)
    scores = np.round(0.4 * np.random.default_rng(0).random(300) + 0.5 * truth, 6)
    frame = pd.DataFrame({"label": truth, "model": scores, "low_score": 1 - scores})
    return frame, frame.to_csv(index=False).encode()


def test_a_score_that_works_upside_down_is_asked_about():
    frame, content = turned_table()
    app = upload(start(), content)
    assert "low_score ranks normal points above anomalous ones" in warnings_of(app)
    assert "model ranks" not in warnings_of(app)
    app.button(key="turn_1").click().run()
    assert "ranks normal points" not in warnings_of(app)
    table = table_with(open_section(app, "Compare detectors"), "Detector")
    for point in padf.best_f1(frame["label"], frame["model"], Settings().protocols()):
        assert table[point.protocol.label].tolist()[:2] == pytest.approx([point.f1] * 2)


def test_when_nobody_finds_anything_nobody_wins():
    rows = "".join(f"{int(t == 4)},0,0\n" for t in range(8))
    app = start()
    uploader(app).upload("mine.csv", f"label,model_a,model_b\n{rows}".encode()).run()
    assert detectors_of(app).value == [], "they never speak"
    detectors_of(app).set_value(["model_a", "model_b"]).run()
    button(app, "Use this table").click().run()
    text = text_of(open_section(app, "Compare detectors"))
    assert "No detector finds any incident: there is no winner under any protocol." in text
    assert "comes first" not in text


def test_missing_scores_and_times_that_do_not_rise_have_ways_out():
    times = ("00:00", "00:02", "00:01", "00:03")
    scores = ("", "0.9", "0.2", "0.1")
    rows = "".join(
        f"2024-06-10 {time},{label},{score}\n"
        for time, label, score in zip(times, (0, 1, 0, 0), scores, strict=True)
    )
    app = upload(start(), f"time,label,score\n{rows}".encode())
    assert "scores must be numbers; got nothing. Nothing has been changed." in app.error[0].value
    button(app, "Treat them as no alarm").click().run()
    assert "timestamps must increase" in app.error[0].value
    button(app, "Sort by time; 1 timestamps go backward").click().run()
    assert not app.error
    assert "4 points" in text_of(app)
    assert "every 1 min" in text_of(app)


def test_an_upload_is_not_copied_to_be_read():
    app = start()
    uploader(app).upload("mine.csv", ROWS.encode()).run()
    _, table = app.session_state["padf_kept"]["padf_looked_at"]
    (file,) = uploader(app).value
    # A large file would else be held once more for every run of the page.
    assert table.open().getvalue() is file.getvalue()


def minutes(first, scores):
    """A detector's file that begins at this minute; minutes 2 and 3 are anomalous."""
    rows = [f"2024-06-10 00:0{at},{int(at in (2, 3))},{s}" for at, s in enumerate(scores, first)]
    return "\n".join(["time,label,score", *rows]).encode()


def test_files_with_other_times_are_matched_and_what_is_missing_is_asked_about():
    app = start()
    uploader(app).upload("quick.csv", minutes(0, (0.1, 0.7, 0.8, 0.2, 0.9)))
    uploader(app).upload("slow.csv", minutes(1, (0.1, 0.8, 0.9, 0.2, 0.7))).run()
    assert not app.error
    told = app.info[0].value.replace("\\", "")
    assert "matched by time: 4 of 6 rows are in all of them. quick.csv has no row for" in told
    assert "slow.csv has no row for 2024-06-10 00:00:00 (row 1 of quick.csv)." in told
    button(app, "Use this table").click().run()
    assert "scores must be numbers; got nothing. Nothing has been changed." in app.error[0].value
    button(app, "Ignore these rows for all detectors").click().run()
    assert not app.error
    # At minutes 1 to 4 quick does best by flagging all: 2 hits, 2 false alarms, F1 2/3.
    table = table_with(open_section(app, "Compare detectors"), "Detector")
    assert table["Detector"].tolist()[:2] == ["quick", "slow"]
    assert table["Point-wise"].tolist()[:2] == pytest.approx([2 / 3, 1])


def test_labels_in_words_are_asked_about():
    app = start()
    uploader(app).upload("mine.csv", b"state,score\nfine,0.1\nodd,0.9\nfine,0.2\n").run()
    button(app, "Use this table").click().run()
    assert "labels must be 0 or 1" in app.error[0].value
    select(app, "Which value means an anomaly?").set_value("odd").run()
    button(app, "Use this table").click().run()
    assert "33 % anomalous" in text_of(app)


def test_what_is_left_out_is_listed_and_can_be_taken_in():
    frame = pd.DataFrame({"label": [0, 1] * 15, "row": range(30), "model": [0.1, 0.9] * 15})
    app = start()
    uploader(app).upload("mine.csv", frame.to_csv(index=False).encode()).run()
    assert detectors_of(app).value == ["model"]
    assert "row: increases from row to row" in text_of(app).replace("*", "")
    detectors_of(app).set_value(["model", "row"]).run()
    button(app, "Use this table").click().run()
    assert len(select(app, "Detector").options) == 2


def story_of(app):
    bodies = " ".join(each.proto.body for each in app.get("html"))
    return re.sub(r"<[^>]*>", "", bodies)


def test_the_story_of_the_real_sample_turns_with_the_onset():
    app = start()
    app.button(key="sample_nab_taxi").click().run()
    assert not app.exception
    frame = pd.read_csv(ROOT / "sample_data" / "nab_taxi.csv")
    names = list(frame.columns[4:])
    ignore = np.arange(len(frame)) < 750
    for column, moved in (("label", False), ("label_from_moment", True)):
        if moved:
            onset = next(r for r in app.radio if r.label == "An incident begins")
            onset.set_value(True).run()
        scores = {
            name: padf.best_f1(
                frame[column], frame[name], [Settings().protocol("padf")], ignore=ignore
            )[0].f1
            for name in names
        }
        winner = max(scores, key=scores.get)
        assert (winner == "random") is not moved
        told = story_of(app)
        assert winner in told
        assert f"comes first with {scores[winner]:.3f}" in told
        assert f"{scores['random']:.3f}" in told
    assert app.query_params["onset"] == "moment"
    again = start(**dict(app.query_params))
    assert "An alarm at that moment is on time" in story_of(again)


# ---- onsets and thresholds without hindsight -----------------------------------------------------


def test_a_moved_onset_is_in_link_summary_ledger_and_picture():
    app = start(sample="pump", shift="3r", early="1200s", early_as="nothing")
    assert "Segments begin 3 rows later than labelled" in text_of(app)
    assert "alarms up to 20 min before the onset count as nothing" in text_of(app)
    frame = pd.read_csv(ROOT / "sample_data" / "pump.csv")
    onset = padf.Onset(3, early=2, early_alarms="nothing")
    e = padf.evaluate(frame["label"], frame["steady"] * 0, padf.PointAdjust(), onset=onset)
    ledger = table_with(app, "Segment")
    assert ledger["Points"].tolist() == [segment.length for segment in e.segments]
    assert app.query_params["shift"] == "3r"
    assert app.query_params["early"] == "1200s"
    study = app.session_state["padf_kept"]["padf_study"]
    rows, _ = timeline_rows(
        study.series, study.detector, Settings(), 0.5, View(0, study.series.size)
    )
    assert len(rows["labelled"]) == len(e.segments)


def test_an_onset_can_be_set_and_taken_back():
    app = open_sections(start(sample="pump"), menu_Rules=True)
    before = table_with(app, "Segment")["Points"].tolist()
    next(n for n in app.number_input if n.label.startswith("Move the onset")).set_value(5.0).run()
    assert table_with(app, "Segment")["Points"].tolist() == [points - 5 for points in before]
    select(app, "counted in").set_value("share").run()
    assert table_with(app, "Segment")["Points"].tolist() == before
    next(n for n in app.number_input if n.label.startswith("Move the onset")).set_value(2.0).run()
    assert "shift must be from -1 to 1" in app.warning[0].value.replace("\\", "")
    assert not app.exception


@pytest.mark.parametrize("query", [{"shift": "3"}, {"early": "-1r"}, {"early_as": "soon"}])
def test_an_onset_that_cannot_be_read_is_told(query):
    app = start(sample="pump", **query)
    assert not app.exception
    assert app.warning


def test_thresholds_can_be_chosen_on_other_series():
    rng = np.random.default_rng(3)
    labels = np.tile([0] * 12 + [1] * 4 + [0] * 4, 3)
    frame = pd.DataFrame(
        {"machine": np.repeat(["a", "b", "c"], 20), "label": labels}
        | {"score": np.round(rng.random(60) + 0.4 * labels, 3)}
    )
    app = start()
    uploader(app).upload("three.csv", frame.to_csv(index=False).encode()).run()
    button(app, "Use this table").click().run()
    tabs = {"data_sections": "Compare detectors", "compare_sections": "Without hindsight"}
    open_sections(app, **tabs, held_out_on="series")
    table = table_with(app, "Without hindsight").set_index("Protocol")
    hits = claimed = 0
    for machine in "abc":
        others, own = frame[frame["machine"] != machine], frame[frame["machine"] == machine]
        (best,) = padf.best_f1(others["label"], others["score"], [padf.Pointwise()])
        alarms = own["score"] >= best.threshold
        hits, claimed = hits + int((alarms & own["label"]).sum()), claimed + int(alarms.sum())
    # 2 TP / (TP + FP + TP + FN), with twelve anomalous points in all.
    assert table.loc["Point-wise", "Without hindsight"] == pytest.approx(2 * hits / (claimed + 12))
    single = open_sections(start(sample="web_service"), **tabs)
    assert "other series (leave one out)" not in single.radio(key="held_out_on").options


def test_the_oracle_stands_beside_a_threshold_without_hindsight():
    tabs = {"data_sections": "Compare detectors", "compare_sections": "Without hindsight"}
    app = open_sections(start(sample="web_service"), **tabs)
    table = table_with(app, "Without hindsight")
    assert (table["Optimism"] == table["Oracle"] - table["Without hindsight"]).all()
    study = sample_study("web_service", Settings())
    wanted = [e for row in cross_fitted(study.series, Settings().protocols()) for e in row]
    assert table["Without hindsight"].tolist() == [each.f1 for each in wanted]
    assert "Under PAdf (d = 0.9), quick_noisy comes first either way." in text_of(app)
    assert "Use threshold" in " ".join(b.label for b in app.button)
    few = open_sections(start(sample="nab_latency"), **tabs)
    assert any("at least 4 segments are needed" in i.value for i in few.info)

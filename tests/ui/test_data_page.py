"""The data page without a browser: what is brought, what is refused, and the core's numbers."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import padf_core as padf
from padf_core import Settings
from padf_ui.frame import PAGES
from padf_ui.study import SAMPLES
from tests.browser.server import ROOT
from tests.core.test_tables import ACCEPTED, REFUSED, ROWS
from tests.ui.test_exports import HOSTILE

PAGE = PAGES["your_data"].script


def start(**query):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    app.switch_page(PAGE)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def button(app, label):
    return next(b for b in app.button if b.label == label)


def uploader(app, label="A table of labels and scores"):
    return next(u for u in app.file_uploader if u.label.startswith(label))


def select(app, label):
    return next(s for s in app.selectbox if s.label == label)


def bring(app, content, name="mine.csv"):
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


def table_with(app, column):
    return next(d.value for d in app.dataframe if column in d.value.columns)


@pytest.mark.parametrize("key", SAMPLES)
def test_a_sample_opens_and_shows_the_cores_numbers(key):
    app = start()
    app.button(key=f"sample_{key}").click().run()
    assert not app.exception
    frame = pd.read_csv(ROOT / "sample_data" / f"{key}.csv")
    labels, scores = frame["label"].to_numpy(), frame["quick_noisy"].to_numpy()
    settings = Settings()
    best = padf.best_f1(labels, scores, settings.protocols())
    shown = [b.label for b in app.button if b.key and b.key.startswith("best_")]
    assert shown == [f"{p.protocol.name}: {p.threshold:.6g}" for p in best]
    ledger = table_with(app, "Segment")
    found = padf.evaluate_all(labels, scores >= best[3].threshold, settings.protocols())
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
    assert table["Detector"].iloc[-1] == "random detector, mean of 20"
    assert "do not beat the random detector" in text_of(app)
    noise = [
        np.random.default_rng([0, run]).random(len(frame), dtype=np.float32) for run in range(20)
    ]
    means = np.mean(
        [[p.f1 for p in padf.best_f1(frame["label"], n, protocols)] for n in noise], axis=0
    )
    shown = [table[p.label].iloc[-1] for p in protocols]
    assert shown == pytest.approx(means.tolist())


def test_every_section_runs_for_scores_and_for_detections():
    for content in (ROWS.encode(), b"label,a\n" + b"0,0\n1,1\n1,0\n0,1\n" * 5):
        app = bring(start(), content)
        for name in ("Segments and delays", "Thresholds", "Compare detectors", "Take it away"):
            open_section(app, name)
            assert not app.exception, name
        open_section(app, "Compare detectors")
        for name in ("Ranks", "Over the decay", "Over K", "Areas", "How sure is it?"):
            app.session_state["compare_sections"] = name
            app.run()
            assert not app.exception, name


@pytest.mark.parametrize("content", ACCEPTED.values(), ids=ACCEPTED)
def test_every_accepted_upload_gives_the_same_page(content):
    app = bring(start(), content)
    assert not app.error
    ledger = table_with(app, "Segment")
    # quick under PAdf: 0.8 hits one step late with one false alarm, 7.2/8.6; 0.2 hits at once with
    # two, 8/10. So 0.8 is the best, and the segment earns 0.9.
    assert ledger["PAdf (d = 0.9)"].tolist() == [0.9]
    assert "6 points · 67 % anomalous · 1 segment" in text_of(app)
    assert "every 1 min" in text_of(app)


GUESSED = {name: case for name, case in REFUSED.items() if name != "complex numbers"}
"""Refused files whose bad column is among those that are guessed to be needed."""


@pytest.mark.parametrize(("content", "message"), GUESSED.values(), ids=GUESSED)
def test_every_refused_upload_says_why_and_leaves_everything_as_it_was(content, message):
    app = start(sample="pump", detector="3", at="padf_padf_0.5_padf", view="10-200")
    before = dict(app.query_params)
    button(app, "Other data").click().run()
    bring(app, content)
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
    assert app.multiselect[0].value == ["quick", "sure", "flag"]
    select(app, "Label").set_value("flag").run()
    select(app, "Time").set_value("(none)").run()
    app.multiselect[0].set_value(["sure"]).run()
    button(app, "Use this table").click().run()
    assert "6 points · 33 % anomalous · 2 segments · no clock" in text_of(app)
    assert select(app, "Detector").options == ["sure"]


def test_a_clash_of_roles_is_told():
    app = start()
    uploader(app).upload("mine.csv", ROWS.encode()).run()
    app.multiselect[0].set_value([]).run()
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
    button(app, "Lay them on the clock").click().run()
    assert not app.exception
    ledger = table_with(app, "Segment")
    # Ten minutes anomalous, an alert in the seventh: delay 6 min, credit 0.9 to the power of 6.
    assert ledger["Delay, min"].tolist() == [6.0]
    assert ledger["PAdf (d = 0.9)"].tolist() == pytest.approx([0.9**6])
    assert select(app, "Detector").options == ["quick", "late"]


def test_bad_events_are_told():
    app = start()
    uploader(app, "Incidents").upload(
        "i.csv", b"start,end\n2024-06-10 09:30,2024-06-10 08:40\n"
    ).run()
    uploader(app, "Alerts").upload("a.csv", b"time\n2024-06-10 08:36\n").run()
    button(app, "Lay them on the clock").click().run()
    assert "row 1: an incident must end after it starts" in app.error[0].value.replace("\\", "")
    assert not app.exception


def test_settings_thresholds_and_view_are_in_the_link_and_come_back():
    app = start(sample="ad_bidding")
    select(app, "Detector").set_value(1).run()
    app.button(key="best_pa").click().run()
    query = dict(app.query_params)
    assert (query["detector"], query["at"]) == ("2", "padf_pa_padf_padf")
    again = start(**query)
    assert dict(again.query_params).items() >= query.items()
    assert select(again, "Detector").value == 1
    assert "The threshold follows PA." in text_of(again)


def test_a_link_without_its_data_waits_for_them():
    app = start(detector="2", at="padf_0.25_padf", decay="0.5")
    assert "not data" in app.info[0].value
    bring(app, ROWS.encode())
    query = dict(app.query_params)
    assert (query["detector"], query["at"], query["decay"]) == ("2", "padf_0.25_padf", "0.5")
    assert "The threshold is your own." in text_of(app)


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
    app.multiselect[0].set_value(app.multiselect[0].options[1:12]).run()
    button(app, "Use this table").click().run()
    assert not app.exception
    for name in ("Compare detectors", "Take it away"):
        open_section(app, name)
        assert not app.exception
        for part in app.markdown:
            assert "<img" not in part.value.replace("\\<", "")
            assert "![x](" not in part.value


def test_all_normal_and_all_anomalous_labels_are_told():
    app = bring(start(), b"label,a\n" + b"0,0.5\n0,0.7\n0,0.2\n" * 5)
    assert "nothing to detect" in app.warning[0].value
    assert not app.exception
    app = bring(start(), b"label,a\n" + b"1,0.5\n1,0.7\n1,0.2\n" * 5)
    assert "Every point is labelled 1" in app.warning[0].value
    for name in ("Thresholds", "Compare detectors", "Take it away"):
        open_section(app, name)
        assert not app.exception

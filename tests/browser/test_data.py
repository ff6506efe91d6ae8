"""The data page as an engineer uses it: upload, look, choose, compare, take away."""

import gzip
import json
import os
import re
import signal

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

import padf_core as padf
from padf_core import Settings
from padf_core.metrics.clock import format_duration
from tests.browser.board import READ_SCORES
from tests.browser.conftest import (
    count_frames,
    visit,
    wait_until_idle,
    wait_until_it_fits,
    wait_until_quiet,
    wait_until_settled,
    wait_until_still,
)
from tests.browser.server import ROOT, children_of
from tests.hostile import HOSTILE

PROTOCOLS = Settings().protocols()


class Reader:
    """Reads and moves the timeline of a page."""

    def __init__(self, page):
        self.page = page
        self.settle()

    def settle(self):
        wait_until_settled(self.page, "timeline")

    def scores(self):
        return self.page.locator(".timeline [data-f1]").evaluate_all(READ_SCORES)

    def comes_to_show(self, scores):
        """Wait until the lanes show these scores, and hold still."""
        for lane, text in scores.items():
            expect(self.page.locator(f".timeline [data-f1={lane}]")).to_have_text(text)
        self.settle()

    def tool(self, name):
        self.page.locator(f".timeline .tool[data-tool={name}]").click()

    def thumb(self, key):
        return self.page.locator(f".timeline [data-slider={key}] input[type=range]")

    def number(self, key):
        return self.page.locator(f".timeline [data-slider={key}] .slider-number")

    def value(self, key):
        return float(self.number(key).input_value())

    def view(self):
        return re.search(r"view=(\d+)-(\d+)", self.page.url).groups()


def sample(name):
    return pd.read_csv(ROOT / "sample_data" / f"{name}.csv")


def scores_at(frame, detector, threshold):
    results = padf.evaluate_all(frame["label"], frame[detector] >= threshold, PROTOCOLS)
    return {result.protocol.key: f"{result.f1:.3f}" for result in results}


def best_threshold(frame, detector, protocol):
    leading = Settings().protocol(protocol)
    return padf.best_f1(frame["label"], frame[detector], [leading])[0].threshold


def test_thresholds_are_the_cores_and_the_view_survives_them(open_page):
    frame = sample("web_service")
    page = open_page("your_data")
    page.get_by_role("button", name="Open Web service").click()
    page.get_by_role("button", name="PAdf: ").click()
    reader = Reader(page)
    reader.comes_to_show(
        scores_at(frame, "quick_noisy", best_threshold(frame, "quick_noisy", "padf"))
    )
    reader.tool("next")
    page.wait_for_url(re.compile("view=(?!0-2016)"))
    reader.settle()
    zoomed = reader.view()
    expect(page.locator(".stretch")).to_contain_text("of 2,016 points")
    for protocol in PROTOCOLS[:3]:
        page.get_by_role("button", name=f"{protocol.name}: ").click()
        best = best_threshold(frame, "quick_noisy", protocol.key)
        wanted = scores_at(frame, "quick_noisy", best)
        reader.comes_to_show(wanted)
        assert reader.view() == zoomed
    # A typed threshold as close to a step as scores can be is that number, not the step.
    near = np.nextafter(best, 1)
    reader.number("threshold").fill(repr(float(near)))
    reader.number("threshold").press("Enter")
    page.wait_for_url(re.compile(f"at={float(near)!r}~"))
    # A typed threshold, in no way special.
    reader.number("threshold").fill("0.5")
    reader.number("threshold").press("Enter")
    reader.comes_to_show(scores_at(frame, "quick_noisy", 0.5))
    page.wait_for_url(re.compile("at=0.5~"))
    assert reader.view() == zoomed
    # The address alone brings all of it back.
    visit(page, page.url)
    again = Reader(page)
    again.comes_to_show(scores_at(frame, "quick_noisy", 0.5))
    assert again.view() == zoomed


def test_scores_follow_the_slider_before_python_answers(open_page):
    frame = sample("ad_bidding")
    page = open_page("your_data?sample=ad_bidding&detector=2")
    reader = Reader(page)
    reader.thumb("threshold").focus()
    before = reader.value("threshold")
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    reader.settle()
    value = reader.value("threshold")
    assert value < before
    reader.comes_to_show(scores_at(frame, "slow_sure", value))
    # Dragging the line shows the core's scores while it is still held.
    line = page.locator(".threshold-line").bounding_box()
    page.mouse.move(line["x"] + 300, line["y"] + line["height"] / 2)
    page.mouse.down()
    page.mouse.move(line["x"] + 300, line["y"] - 25, steps=4)
    held = reader.value("threshold")
    assert held > value
    assert reader.scores() == scores_at(frame, "slow_sure", held)
    page.mouse.up()
    page.wait_for_url(re.compile(f"at=[0-9.]+~{re.escape(repr(held))}~"))
    reader.settle()
    assert reader.scores() == scores_at(frame, "slow_sure", held)


EVERYTHING = """
root => {
  const texts = (chosen) => [...root.querySelectorAll(chosen)].map((text) => text.textContent);
  const named = (name) => Object.fromEntries(
    [...root.querySelectorAll(`[data-${name}]`)].map(
      (text) => [text.dataset[name], text.textContent],
    ),
  );
  const paths = (layer) => Object.fromEntries(
    [...root.querySelectorAll(`.layer-${layer} path`)].map(
      (path) => [path.classList[0], path.getAttribute("d")],
    ),
  );
  const layers = ["detections", "pointwise", "pa", "pa_k", "padf"];
  return {
    f1: named("f1"),
    gain: named("gain"),
    beside: texts(".lane-parameter"),
    arrows: texts(".arrow-text"),
    line: texts(".threshold-text")[0],
    numbers: Object.fromEntries(
      [...root.querySelectorAll(".slider")].map(
        (slider) => [slider.dataset.slider, slider.querySelector(".slider-number").value],
      ),
    ),
    lanes: Object.fromEntries(layers.map((layer) => [layer, paths(layer)])),
    ground: root.querySelector(".layer-detections .normal").getAttribute("width"),
  };
}
"""
"""Every number and every cell that the timeline shows, at one moment."""

RECTANGLE = re.compile(r"M(-?[\d.]+),(-?[\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z")


def stretches(drawn, cell):
    """Read the rectangles of a path: first cell, last cell and height."""
    found = [tuple(map(float, rect)) for rect in RECTANGLE.findall(drawn)]
    return [(x / cell, (x + width) / cell, height) for x, _, width, height in found]


def runs(flags):
    """Return first and last of each stretch that is true."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.asarray(flags, dtype=int), [0]))))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


LANE_HEIGHT = 28


def check_everything(shown, frame, detector, view):
    """Compare all that a timeline of one cell per point shows with padf_core."""
    values = {key: float(text) for key, text in shown["numbers"].items()}
    settings = Settings(k=values["k"], decay=values["decay"])
    labels = frame["label"].to_numpy().astype(bool)
    flagged = frame[detector].to_numpy() >= values["threshold"]
    results = {e.protocol.key: e for e in padf.evaluate_all(labels, flagged, settings.protocols())}
    assert shown["f1"] == {key: f"{e.f1:.3f}" for key, e in results.items()}
    base = results["pointwise"].f1
    assert shown["gain"] == {
        key: f"{e.f1 - base:+.3f}" for key, e in results.items() if key != "pointwise"
    }
    # The lanes are named by the value under the thumb, the alarms are counted, the line is named.
    for protocol in settings.protocols():
        assert not protocol.setting or protocol.setting in shown["beside"]
    false = int(np.sum(flagged & ~labels))
    counted = f"{int(flagged.sum()):,} flagged, {false:,} false"
    assert f", {counted}, " in ", ".join(("", *shown["beside"], ""))
    # The number at the line is as short as can be, and flags the same.
    named = float(shown["line"].removeprefix("threshold "))
    np.testing.assert_array_equal(frame[detector].to_numpy() >= named, flagged)
    check_cells(shown, results, labels, flagged, view)


def check_cells(shown, results, labels, flagged, view):
    """Compare cells, heights and arrows of the points in view."""
    first, last = view
    cell = float(shown["ground"]) / (last - first)
    lanes = {
        lane: {kind: stretches(path, cell) for kind, path in kinds.items()}
        for lane, kinds in shown["lanes"].items()
    }
    inside = [s for s in results["padf"].segments if s.start < last and s.stop > first]
    hits = runs((flagged & labels)[first:last])
    wrong = runs((flagged & ~labels)[first:last])
    drawn = lanes["detections"]
    check_stretches(drawn["hit"], [(*run, 1) for run in hits])
    check_stretches(sorted(drawn["false"] + drawn["false-fill"]), [(*run, 1) for run in wrong])
    # PAdf draws a segment as high as its credit, and says it under the lane.
    heights = [float(f"{segment.credit:.2f}") for segment in inside]
    spans = [(s.start - first, s.stop - first, h) for s, h in zip(inside, heights, strict=True)]
    check_stretches(lanes["padf"]["adjusted"], [span for span in spans if span[2] > 0])
    inner = [
        (start, stop, height)
        for start, stop in hits
        for begin, end, height in spans
        if begin <= start < end and height > 0
    ]
    check_stretches(lanes["padf"]["hit"], inner)
    assert shown["arrows"] == [arrow_text(segment) for segment in inside]
    # PA fills every segment that was hit, PA%K those with more than K % of hits.
    whole = [(s.start - first, s.stop - first, 1) for s in inside if s.hits]
    check_stretches(lanes["pa"]["adjusted"], whole)
    share = results["pa_k"].protocol.k / 100
    enough = [
        (s.start - first, s.stop - first, 1)
        for s in inside
        if s.hits and s.hits > share * (s.stop - s.start)
    ]
    check_stretches(lanes["pa_k"]["adjusted"], enough)


def check_stretches(drawn, wanted):
    assert len(drawn) == len(wanted)
    for (start, stop, height), (first, last, share) in zip(drawn, wanted, strict=True):
        assert (start, stop) == pytest.approx((first, last), abs=0.05)
        assert height == pytest.approx(share * LANE_HEIGHT, abs=0.06) or share * LANE_HEIGHT < 0.5


def arrow_text(segment):
    """Return what stands under a segment of a series with a point every five minutes."""
    if segment.delay is None:
        return "missed"
    late = f"delay {format_duration(segment.delay * 300)}" if segment.delay else "no delay"
    return f"{late} → credit {segment.credit:.2f}"


def test_every_number_is_the_core_s_while_a_thumb_is_held(open_page):
    frame = sample("web_service")
    view = (340, 940)
    frames = []
    page = open_page(
        "your_data?sample=web_service&detector=2&view=340-940", before=count_frames(frames)
    )
    reader = Reader(page)
    timeline = page.locator(".timeline")
    for key in ("decay", "k", "threshold"):
        wait_until_quiet(page, frames)
        sent = len(frames)
        box = reader.thumb(key).bounding_box()
        y = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] * 0.97, y)
        page.mouse.down()
        seen = {}
        for step in range(14):
            page.mouse.move(box["x"] + box["width"] * (0.97 - 0.07 * step), y)
            shown = timeline.evaluate(EVERYTHING)
            check_everything(shown, frame, "slow_sure", view)
            seen[shown["numbers"][key]] = json.dumps([shown["f1"], shown["beside"], shown["lanes"]])
        assert len(frames) == sent, "nothing is asked while a thumb is held"
        assert len(seen) >= 10
        assert len(set(seen.values())) >= (4 if key == "k" else 9), "the picture follows the thumb"
        # Back to a place at which something happens, for the next slider to move.
        page.mouse.move(box["x"] + box["width"] * {"decay": 0.8, "k": 0.1}.get(key, 0.6), y)
        page.mouse.up()
        reader.settle()
        check_everything(timeline.evaluate(EVERYTHING), frame, "slow_sure", view)


def test_moving_d_does_not_move_point_wise_and_pa(open_page):
    frame = sample("web_service")
    page = open_page("your_data?sample=web_service&detector=2")
    reader = Reader(page)
    before, threshold = reader.scores(), reader.value("threshold")
    for d in (0.5, 0.99):
        reader.number("decay").fill(str(d))
        reader.number("decay").press("Enter")
        page.wait_for_url(re.compile(f"decay={d}&"))
        reader.settle()
        assert reader.value("threshold") == threshold
        after = reader.scores()
        assert {lane: after[lane] for lane in ("pointwise", "pa", "pa_k")} == {
            lane: before[lane] for lane in ("pointwise", "pa", "pa_k")
        }
        assert after["padf"] != before["padf"]
    # Unless it is asked to follow a protocol: then it is that protocol's best, at every d.
    page.get_by_role("combobox", name="When d or K changes, the threshold").click()
    page.get_by_role("option", name="follows PAdf").click()
    for d in (0.99, 0.5):
        if d != reader.value("decay"):
            reader.number("decay").fill(str(d))
            reader.number("decay").press("Enter")
        protocols = Settings(decay=d).protocols()
        best = padf.best_f1(frame["label"], frame["slow_sure"], protocols)
        wanted = next(each for each in best if each.protocol.key == "padf").threshold
        results = padf.evaluate_all(frame["label"], frame["slow_sure"] >= wanted, protocols)
        reader.comes_to_show({each.protocol.key: f"{each.f1:.3f}" for each in results})
        assert reader.value("threshold") == wanted


def test_zoom_pan_strip_and_a_row_of_the_ledger(open_page):
    page = open_page("your_data?sample=pump")
    reader = Reader(page)
    stage = page.locator(".timeline .stage")
    stage.focus()
    page.keyboard.press("+")
    page.wait_for_url(re.compile("view=1080-3240"))
    reader.settle()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("view=1620-3780"))
    reader.settle()
    box = page.locator(".timeline .lanes").bounding_box()
    # Half of the width to the right: as many points earlier.
    y = box["y"] + box["height"] - 60
    page.mouse.move(box["x"] + 300, y)
    page.mouse.down()
    page.mouse.move(box["x"] + 700, y, steps=5)
    page.mouse.up()
    page.wait_for_url(re.compile("view=(?!1620)"))
    reader.settle()
    assert int(reader.view()[0]) < 1620
    page.keyboard.press("Home")
    page.wait_for_url(re.compile("view=0-4320"))
    reader.settle()
    strip = page.locator(".strip").bounding_box()
    page.mouse.move(strip["x"] + 400, strip["y"] + 15)
    page.mouse.down()
    page.mouse.move(strip["x"] + 600, strip["y"] + 15, steps=5)
    page.mouse.up()
    page.wait_for_url(re.compile("view=(?!0-4320)"))
    reader.settle()
    first, last = map(int, reader.view())
    room = strip["width"] - 124 - 150
    assert first == pytest.approx((400 - 124) / room * 4320, abs=30)
    assert last == pytest.approx((600 - 124) / room * 4320, abs=30)
    # Every segment in view is drawn, with its delay below.
    frame = sample("pump")
    starts = np.flatnonzero(np.diff(frame["label"], prepend=0) == 1)
    ends = np.flatnonzero(np.diff(frame["label"], append=0) == -1)
    inside = int(np.sum((starts < last) & (ends >= first)))
    assert page.locator(".timeline .layer-truth .truth").count() == inside
    # A row of the ledger zooms to its segment. Its head is 35 px high, and so is every row; the
    # boxes to choose a row stand at the left.
    before = page.url
    grid = page.locator("[data-testid=stDataFrame] canvas").first
    grid.scroll_into_view_if_needed()
    box = wait_until_still(grid)
    page.mouse.click(box["x"] + 16, box["y"] + 35 + 35 + 17)
    page.wait_for_url(lambda url: url != before)
    reader.settle()
    first, last = map(int, reader.view())
    assert first < starts[1] < last
    assert page.locator(".timeline .layer-truth .truth").count() >= 1


def test_upload_use_and_refuse(open_page, tmp_path):
    rng = np.random.default_rng(3)
    labels = (np.arange(400) % 80 >= 70).astype(int)
    frame = pd.DataFrame({"when": pd.date_range("2024-05-01", periods=400, freq="5min")})
    frame["attack"] = labels
    frame["model one"] = np.round(rng.random(400) + 0.5 * labels, 4)
    frame["model two"] = np.round(rng.random(400), 4)
    frame.to_csv(tmp_path / "mine.csv", index=False, sep=";")
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04" + b"\0" * 2000)
    page = open_page("your_data")
    page.get_by_role("tab", name="A table").click()
    page.locator("input[type=file]").first.set_input_files(tmp_path / "mine.csv")
    page.get_by_role("button", name="Use this table").click()
    reader = Reader(page)
    reader.comes_to_show(
        scores_at(
            frame.rename(columns={"attack": "label"}),
            "model one",
            best_threshold(frame.rename(columns={"attack": "label"}), "model one", "padf"),
        )
    )
    expect(
        page.get_by_text("5 segments · 2024-05-01 00:00 to 2024-05-02 09:15 UTC")
    ).to_be_visible()
    before = reader.scores()
    page.get_by_role("button", name="Other data").click()
    page.get_by_role("tab", name="A table").click()
    page.locator("input[type=file]").first.set_input_files(tmp_path / "book.xlsx")
    expect(page.get_by_text("is an Excel workbook or a zip archive")).to_be_visible()
    page.get_by_role("button", name="Back to the data").click()
    assert Reader(page).scores() == before


def test_reading_can_be_stopped_and_begun_again(open_page, server, tmp_path):
    # Eight million rows, which take seconds; gzip is read beside the server, row by row.
    rows = b"0,0.12345\n0,0.54321\n" * 500 + b"1,0.98765\n1,0.4\n" * 20
    (tmp_path / "long.csv.gz").write_bytes(gzip.compress(b"label,score\n" + rows * 8000, 1))
    page = open_page("your_data")
    page.get_by_role("tab", name="A table").click()
    page.locator("input[type=file]").first.set_input_files(tmp_path / "long.csv.gz")
    use = page.get_by_role("button", name="Use this table")
    use.click()
    stop = page.get_by_role("button", name="Stop")
    stop.wait_for()
    # However long the click takes, the file is not read to its end meanwhile.
    readers = children_of(server[1])
    for reader in readers:
        os.kill(reader, signal.SIGSTOP)
    stop.click()
    expect(stop).to_have_count(0)
    for reader in set(readers) & set(children_of(server[1])):
        os.kill(reader, signal.SIGCONT)
    wait_until_idle(page)
    expect(page.locator(".timeline .lane-score")).to_have_count(0)
    # All that was chosen is still there, and can be used.
    use.click()
    page.locator(".timeline .lane-score").first.wait_for(timeout=60_000)
    expect(page.get_by_text("8,320,000 points").first).to_be_visible()


def test_incidents_and_alerts_are_laid_on_the_clock(open_page, server, tmp_path):
    for name, rows in {
        "wrong.csv": "start,end\n2024-06-10 08:00,2024-06-10 08:10\n",
        "i.csv": "start,end\n2024-06-10 08:30,2024-06-10 08:40\n",
        "a.csv": "time,detector\n2024-06-10 08:36,quick\n2024-06-10 09:01,late\n",
    }.items():
        (tmp_path / name).write_text(rows)
    page = open_page("your_data")
    page.get_by_role("tab", name="Incidents and alerts").click()

    def choose(label, name):
        field = page.locator("[data-testid=stFileUploader]", has_text=label)
        field.locator("input[type=file]").set_input_files(tmp_path / name)
        return page.get_by_role("button", name=f"Remove {name}")

    wrong = choose("Incidents: start, end", "wrong.csv")
    expect(wrong).to_be_visible()
    wait_until_idle(page)
    # A slow server hears in one moment that one file was removed and another one chosen.
    os.kill(server[1], signal.SIGSTOP)
    try:
        wrong.click()
        chosen = choose("Alerts: time", "a.csv")
    finally:
        os.kill(server[1], signal.SIGCONT)
    expect(chosen).to_be_visible()
    expect(choose("Incidents: start, end", "i.csv")).to_be_visible()
    page.get_by_role("button", name="Convert to a time series").click()
    reader = Reader(page)
    # Ten anomalous minutes, one alert in the seventh, none false: 2/11, 1, 2/11 (10 % of 20 %),
    # and 2 * 10 * 0.9^6 / (10 + 10 * 0.9^6).
    late = 0.9**6
    reader.comes_to_show(
        {
            "pointwise": "0.182",
            "pa": "1.000",
            "pa_k": "0.182",
            "padf": f"{2 * late / (1 + late):.3f}",
        }
    )
    expect(page.locator(".timeline [data-slider=threshold]")).to_have_count(0)
    expect(page.locator(".timeline .slider")).to_have_count(len(Settings().numbers()))
    expect(page.locator(".arrow-text")).to_have_text("delay 6 min → credit 0.53")


def test_comparing_and_taking_away(open_page, browser, tmp_path):
    page = open_page("your_data?sample=web_service")
    Reader(page)
    page.get_by_role("tab", name="Compare detectors").click()
    expect(page.get_by_text("not beat 95 % of 199 random detectors").first).to_be_visible()
    page.get_by_role("tab", name="How certain is this?").click()
    expect(page.get_by_text("no significant difference").first).to_be_visible()
    page.get_by_role("tab", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Everything (JSON)").click()
    saved = json.loads(waiting.value.path().read_text())
    frame = sample("web_service")
    for entry in saved["detectors"]:
        best = padf.best_f1(frame["label"], frame[entry["name"]], PROTOCOLS)
        assert [point["f1"] for point in entry["best"]] == [point.f1 for point in best]
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Report (HTML)").click()
    waiting.value.save_as(tmp_path / "report.html")
    asked, faults = [], []
    context = browser.new_context(offline=True)
    report = context.new_page()
    report.on("request", lambda request: asked.append(request.url))
    report.on("pageerror", lambda error: faults.append(str(error)))
    report.goto((tmp_path / "report.html").as_uri())
    expect(report.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    # The comparison, the thresholds, the delays, and a curve over each protocol's number.
    assert report.locator(".js-plotly-plot").count() == 3 + len(Settings().numbers())
    wanted = padf.best_f1(frame["label"], frame["slow_sure"], PROTOCOLS)
    row = report.locator("table").first.locator("tr", has_text="slow_sure")
    cells = row.locator("td").all_inner_texts()
    assert cells[1::2] == [f"{point.f1:.3f}" for point in wanted]
    assert faults == []
    assert [url for url in asked if url.startswith("http")] == []
    context.close()


def test_hostile_names_do_nothing_in_the_browser(open_page, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"label": (np.arange(60) % 20 >= 15).astype(int)})
    for name in HOSTILE:
        if name and "\n" not in name:
            frame[name] = rng.random(60)
    file = tmp_path / "<img src=x onerror=alert(1)>.csv"
    frame.to_csv(file, index=False)
    page = open_page("your_data", own_tab=True)
    alarms, asked = [], []
    page.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("tab", name="A table").click()
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_role("button", name="Use this table").click()
    Reader(page)
    page.get_by_role("tab", name="Compare detectors").click()
    expect(page.get_by_text("not beat 95 % of 199 random detectors").first).to_be_visible()
    page.wait_for_timeout(500)
    assert alarms == []
    assert page.locator("[data-testid=stMain] img").count() == 0
    assert page.locator("[data-testid=stMain] a[href*=example]").count() == 0
    assert [url for url in asked if ":9/" in url or url.endswith("/x")] == []
    wait_until_it_fits(page)


NAB = ("numenta", "random")


def test_real_files_open_in_one_drop(open_page):
    page = open_page("your_data")
    page.get_by_role("tab", name="A table").click()
    frame = sample("nab_taxi")
    columns = {"timestamp": frame["time"], "value": frame["value"], "label": frame["label"]}
    files = [
        {
            "name": f"{name}_nyc_taxi.csv",
            "mimeType": "text/csv",
            "buffer": pd.DataFrame(
                {**columns, "anomaly_score": frame[name], "S(t)_standard": 0.1 * frame["label"]}
            )
            .to_csv(index=False)
            .encode(),
        }
        for name in NAB
    ]
    page.locator("input[type=file]").first.set_input_files(files)
    expect(page.get_by_text("About 10,320 rows")).to_be_visible()
    page.get_by_role("button", name="Use this table").click()
    best = best_threshold(frame, "numenta", "padf")
    Reader(page).comes_to_show(scores_at(frame, "numenta", best))
    expect(page.get_by_text("2 files of nyc_taxi.csv")).to_be_visible()


def test_the_real_sample_turns_with_the_onset_and_shows_what_does_not_count(open_page):
    page = open_page("your_data?sample=nab_taxi")
    story = page.locator(".padf-said")
    expect(story).to_contain_text("random, which guesses at random, comes first with 0.550")
    expect(page.locator(".timeline .left-out")).to_have_count(1)
    page.get_by_text("at the labelled moment", exact=True).click()
    expect(story).to_contain_text("numenta comes first with 0.743")
    page.wait_for_url(re.compile("onset=moment"))

"""As fast as the mouse goes: no component is put up anew, and nothing that was done is lost."""

import json
import math
import random
from urllib.parse import parse_qs, urlsplit

import numpy as np
from playwright.sync_api import expect

import padf_core as padf
from padf_core import Settings
from padf_core.io.notation import format_bits, parse_points
from padf_core.paper.cases import TOY_CASES
from padf_ui.session.board_file import Board
from padf_ui.session.stretch import View, around, next_segment
from padf_ui.session.study import sample_study
from tests.browser.board import Hand
from tests.browser.conftest import visit
from tests.browser.test_data import Reader, sample

STROKES = 100
MOVES = 40

NOTE_STROKES = """
canvas => {
  const log = (window.strokes = []);
  const note = (event) => {
    const rows = [...canvas.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
    const x = (event.clientX - rows[0].left) / rows[0].width;
    log.push([event.type, x, event.clientY, ...rows.map((row) => [row.top, row.bottom])]);
  };
  for (const type of ["pointerdown", "pointermove", "pointerup"]) {
    canvas.addEventListener(type, note, true);
  }
}
"""
"""Lets the page note where the hand was, as shares of the board that was there at that moment."""


PAINT = """
async (canvas, strokes) => {
  const rest = () => new Promise((resolve) => setTimeout(resolve));
  const point = (type, row, share) => {
    const lane = canvas.querySelectorAll(".row")[row];
    const { left, width, top, height } = lane.getBoundingClientRect();
    const place = { clientX: left + share * width, clientY: top + height / 2 };
    const mouse = { pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0 };
    canvas.dispatchEvent(
      new PointerEvent(type, { ...place, ...mouse, bubbles: true, composed: true }),
    );
  };
  for (const [row, first, last] of strokes) {
    point("pointerdown", row, first);
    await rest();
    if (last !== first) point("pointermove", row, last);
    await rest();
    point("pointerup", row, last);
    await rest();
  }
}
"""
"""Paints faster than any hand: an event in every task."""

SLIDE = """
(range, shares) => {
  for (const share of shares) {
    range.value = String(Math.round(share * Number(range.max)));
    range.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  }
  range.dispatchEvent(new Event("change", { bubbles: true, composed: true }));
}
"""


def mounts(page):
    return page.evaluate('() => ({...window[Symbol.for("padf.mounts")]})')


def query_of(page):
    parts = parse_qs(urlsplit(page.url).query, keep_blank_values=True)
    return {name: values[0] for name, values in parts.items()}


def replay(log):
    """Paint what the hand did, in plain Python; return truth and alarms."""
    rows = []
    row = brush = at = None
    for kind, *rest in log:
        if kind == "put":
            rows = [[int(bit) for bit in bits] for bits in rest]
            row = None
            continue
        x, y, *places = rest
        size = len(rows[0])
        t = min(max(math.floor(x * size), 0), size - 1)
        if kind == "pointerdown":
            inside = [n for n, (top, bottom) in enumerate(places) if top - 4 <= y <= bottom + 4]
            row = inside[0] if inside else None
            if row is not None:
                brush, at = 1 - rows[row][t], t
        if row is not None and kind != "pointerup":
            low, high = sorted((at, t))
            rows[row][low : high + 1] = [brush] * (high - low + 1)
            at = t
        if kind == "pointerup":
            row = None
    return tuple("".join(map(str, bits)) for bits in rows)


def scores_of(truth, alarms, settings):
    bits = [[int(bit) for bit in text] for text in (truth, alarms)]
    return {e.protocol.key: f"{e.f1:.3f}" for e in padf.evaluate_all(*bits, settings.protocols())}


class Storm:
    """Strokes, sliders, presets and messages, one after another."""

    def __init__(self, hand, seed):
        self.hand = hand
        self.page = hand.page
        self.draw = random.Random(seed)
        self.values = {"decay": 0.9, "k": 20.0}
        self.page.locator(".board .canvas").evaluate(NOTE_STROKES)
        self.put(*hand.pattern)

    def some_stroke(self):
        row, first = self.draw.randrange(2), self.draw.randrange(30)
        last = min(29, max(0, first + self.draw.randrange(-6, 7)))
        return row, (first + 0.37) / 30, (last + 0.37) / 30

    def paint_by_mouse(self):
        row, first, last = self.some_stroke()
        left, width, tops = self.place()
        mouse = self.page.mouse
        mouse.move(left + first * width, tops[row])
        mouse.down()
        if last != first:
            mouse.move(left + last * width, tops[row])
        mouse.up()

    def paint(self, count):
        strokes = [self.some_stroke() for _ in range(count)]
        self.page.locator(".board .canvas").evaluate(PAINT, strokes)

    def place(self):
        """Return where the rows are now: what comes and goes above them moves them."""
        return self.page.locator(".grid").evaluate(
            """grid => {
              const rows = [...grid.querySelectorAll(".row")].map((r) => r.getBoundingClientRect());
              return [rows[0].left, rows[0].width, rows.map((r) => (r.top + r.bottom) / 2)];
            }"""
        )

    def slide(self, key):
        """Take a thumb somewhere and let go."""
        box = self.hand.slider(key).bounding_box()
        y = box["y"] + box["height"] / 2
        self.page.mouse.move(box["x"] + box["width"] * self.draw.random(), y)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + box["width"] * self.draw.random(), y)
        self.page.mouse.up()
        self.values[key] = float(self.hand.number(key).input_value())

    def look_into_a_menu(self):
        self.hand.panel("Lanes")

    def preset(self):
        """Put a case on the board, and go on as soon as it is there."""
        number = self.draw.randrange(1, 6)
        case = TOY_CASES[number - 1]
        if self.hand.pattern == bits_of(case):
            return
        self.hand.panel("Examples")
        self.hand.example("Paper", case.key)
        self.wait_for(*bits_of(case))

    def damage(self):
        """Step back to a link that cannot be read: a message comes, and goes with a stroke."""
        self.page.evaluate(
            """() => {
              const here = location.href;
              // The app's own pushState takes both for one step: nothing is done between them.
              const { pushState } = History.prototype;
              pushState.call(history, {}, "", "?n=30&truth=12-18&alarms=99");
              pushState.call(history, {}, "", here);
              history.back();
            }"""
        )
        expect(self.page.get_by_role("alert")).to_contain_text("lies beyond the last point")
        self.values = {"decay": 0.9, "k": 20.0}
        self.wait_for(*bits_of(Board()))

    def wait_for(self, labels, detections):
        """Wait until Python's pattern is on the board; it takes the place of what was there."""
        self.hand.has_pattern(labels, detections)
        self.put(labels, detections)

    def put(self, labels, detections):
        self.page.evaluate("put => window.strokes.push(['put', ...put])", [labels, detections])


def bits_of(case):
    return format_bits(case.labels), format_bits(case.detections)


def test_many_strokes_with_sliders_and_messages(open_page, address):
    page = open_page(own_tab=True)
    hand = Hand(page)
    storm = Storm(hand, seed=20230516)
    before = mounts(page)
    between = [
        lambda: storm.slide("decay"),
        storm.look_into_a_menu,
        storm.damage,
        lambda: storm.slide("k"),
        storm.preset,
    ]
    for number in range(STROKES // 20):
        storm.paint(19)
        storm.paint_by_mouse()
        between[number % len(between)]()
        assert mounts(page) == before, f"put up anew at {number}, {number % len(between)}"
    storm.slide("decay")
    storm.slide("k")
    storm.paint(5)
    assert mounts(page) == before, "the board was never put up anew"
    strokes = page.evaluate("window.strokes")
    assert sum(entry[0] == "pointerdown" for entry in strokes) >= STROKES
    truth, alarms = replay(strokes)
    assert hand.pattern == (truth, alarms), "the board shows what was drawn"
    hand.settle()
    assert mounts(page) == before, "the board was never put up anew"
    assert hand.pattern == (truth, alarms)
    assert {key: float(hand.number(key).input_value()) for key in storm.values} == storm.values
    settings = Settings(**storm.values)
    assert hand.scores() == scores_of(truth, alarms, settings)
    # The link, the file and a page that is opened from the link say the same.
    query = query_of(page)
    size = int(query["n"])
    assert format_bits(parse_points(query["truth"].replace("_", ","), size, "truth")) == truth
    assert format_bits(parse_points(query["alarms"].replace("_", ","), size, "alarms")) == alarms
    assert (float(query["decay"]), float(query["k"])) == (settings["decay"], settings["k"])
    hand.panel("Save, load")
    with page.expect_download() as waiting:
        page.get_by_text("Everything (JSON)").click()
    saved = json.loads(waiting.value.path().read_text())
    assert (saved["labels"], saved["detections"]) == (truth, alarms)
    assert {r["protocol"]: f"{r['f1']:.3f}" for r in saved["results"]} == hand.scores()
    visit(page, page.url)
    again = Hand(page)
    assert again.pattern == (truth, alarms)
    assert again.scores() == scores_of(truth, alarms, settings)


# ---- the timeline --------------------------------------------------------------------------------


class Walk:
    """Moves through a long series, and what they must have led to."""

    def __init__(self, reader, series, seed):
        self.reader = reader
        self.page = reader.page
        self.series = series
        self.draw = random.Random(seed)
        self.view = View(0, series.size)
        self.values = {key: reader.value(key) for key in ("threshold", "decay", "k")}

    def slide(self, key):
        self.reader.thumb(key).evaluate(SLIDE, [self.draw.random() for _ in range(3)])
        self.values[key] = self.reader.value(key)

    def slide_by_mouse(self, key):
        box = self.reader.thumb(key).bounding_box()
        y = box["y"] + box["height"] / 2
        self.page.mouse.move(box["x"] + box["width"] * self.draw.random(), y)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + box["width"] * self.draw.random(), y)
        self.page.mouse.up()
        self.values[key] = self.reader.value(key)

    def press(self, name):
        """Press a button at once: a click by mouse would wait until it stands still."""
        self.page.locator(f".timeline .tool[data-tool={name}]").evaluate("tool => tool.click()")

    def zoom(self, tool):
        self.press(tool)
        first, last = self.view.first, self.view.last
        length = (last - first) * {"in": 0.5, "out": 2}[tool]
        begin = first + (last - first - length) * 0.5
        self.view = whole_view(begin, begin + length, self.series.size)

    def pan(self, tool):
        self.press(tool)
        by = (self.view.last - self.view.first) * {"earlier": -0.5, "later": 0.5}[tool]
        self.view = whole_view(self.view.first + by, self.view.last + by, self.series.size)

    def whole(self):
        self.press("whole")
        self.view = View(0, self.series.size)

    def next(self):
        """Go to the next segment, twice in a row; the moves after it begin from there."""
        for _ in range(2):
            self.press("next")
            self.view = around(self.series, next_segment(self.series, self.view))
        self.reader.settle()

    def move(self):
        kind = self.draw.choice(("threshold", "decay", "k", "zoom", "zoom", "pan", "pan", "next"))
        if kind == "zoom":
            self.zoom(self.draw.choice(("in", "in", "out")))
        elif kind == "pan":
            self.pan(self.draw.choice(("earlier", "later")))
        elif kind == "next":
            self.draw.choice((self.next, self.whole))()
        else:
            (self.slide_by_mouse if self.draw.random() < 0.2 else self.slide)(kind)


def whole_view(first, last, size):
    """Return a view as the browser rounds it: halves up."""
    length = min(size, max(5, math.floor(last - first + 0.5)))
    begin = max(0, min(size - length, math.floor(first + 0.5)))
    return View(begin, begin + length)


def test_many_moves_through_a_series(open_page):
    page = open_page("your_data?sample=web_service&detector=2", own_tab=True)
    reader = Reader(page)
    frame = sample("web_service")
    walk = Walk(reader, sample_study("web_service", Settings()).series, seed=20230516)
    before = mounts(page)
    for _ in range(MOVES):
        walk.move()
    reader.settle()
    assert mounts(page) == before, "the timeline was never put up anew"
    check_end(reader, walk, frame)
    # A page that is opened from the link shows the same.
    stretch = page.locator(".stretch").text_content()
    visit(page, page.url)
    check_end(Reader(page), walk, frame)
    assert page.locator(".stretch").text_content() == stretch


def check_end(reader, walk, frame):
    """Link, numbers and picture are what the moves have led to."""
    query = query_of(reader.page)
    assert query["view"] == f"{walk.view.first}-{walk.view.last}"
    assert {key: reader.value(key) for key in walk.values} == walk.values
    settings = Settings(decay=walk.values["decay"], k=walk.values["k"])
    assert (float(query["decay"]), float(query["k"])) == (settings["decay"], settings["k"])
    assert float(query["at"].split("~")[1]) == walk.values["threshold"]
    flagged = (frame["slow_sure"] >= walk.values["threshold"]).astype(int)
    results = padf.evaluate_all(frame["label"], flagged, settings.protocols())
    assert reader.scores() == {each.protocol.key: f"{each.f1:.3f}" for each in results}
    points = walk.view.last - walk.view.first
    assert f"{points:,} of 2,016 points" in reader.page.locator(".stretch").text_content()
    labels = frame["label"].to_numpy()[walk.view.first : walk.view.last]
    segments = int(np.sum(np.diff(labels, prepend=0) == 1))
    assert reader.page.locator(".timeline .layer-truth .truth").count() == segments

// A long series: signal, score, threshold, and the lanes of the stretch in view. The browser shows
// only what Python computed; zooming asks Python for the new stretch.

const HEIGHTS = 1000;
const SEND_AFTER_MS = 180;
const ASK_AGAIN_MS = 1500; // a request that met a run which was just replaced has no answer

const KEEP_MS = 5000;
const GIVE_UP_AFTER = 20;

// What must not be lost when Streamlit takes the timeline away and puts it up again.
const KEPT = (window[Symbol.for("padf.timeline")] ??= { chosen: "padf", closed: -Infinity });

class Timeline {
  constructor(parent) {
    this.id = `padf${(boardCount += 1)}`;
    this.root = parent.querySelector(".timeline");
    this.chosen = KEPT.chosen;
    this.isBack = performance.now() - KEPT.closed < KEEP_MS;
    if (this.isBack) {
      this.wish = KEPT.wish;
      this.revision = KEPT.revision;
    }
    this.build();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
  }

  close() {
    this.observer.disconnect();
    clearTimeout(this.timer);
    clearTimeout(this.again);
    KEPT.closed = performance.now();
    KEPT.wish = this.wish;
    KEPT.revision = this.revision;
  }

  build() {
    this.sliders = element("div", { class: "sliders single" }, this.root);
    this.slider = new CurveSlider(
      this.sliders,
      () => this.moveThreshold(),
      (value) => this.ask({ threshold: value }),
      (message) => this.say(message),
    );
    const bar = element("div", { class: "toolbar", role: "group" }, this.root);
    bar.setAttribute("aria-label", "Move through the series");
    const button = (text, title, name, action) => {
      const made = element("button", { type: "button", class: "tool", title, text }, bar);
      made.dataset.tool = name;
      made.addEventListener("click", action);
      return made;
    };
    button("Whole series", "Show all of it (Home)", "whole", () => this.go(0, this.rows.size));
    button("+", "Zoom in (+)", "in", () => this.zoom(0.5)).setAttribute("aria-label", "Zoom in");
    button("−", "Zoom out (-)", "out", () => this.zoom(2)).setAttribute("aria-label", "Zoom out");
    button("◀", "Earlier (left arrow)", "earlier", () => this.pan(-0.5))
      .setAttribute("aria-label", "Earlier");
    button("▶", "Later (right arrow)", "later", () => this.pan(0.5))
      .setAttribute("aria-label", "Later");
    button("Next segment", "Zoom to the next segment", "next", () => this.ask({ window: this.rows.next }));
    this.shown = element("span", { class: "stretch" }, bar);
    this.shown.setAttribute("role", "status");
    this.strip = shape("svg", { class: "strip", "aria-hidden": "true" }, this.root);
    this.stripLayer = shape("g", {}, this.strip);
    this.handle = shape("rect", { class: "handle" }, this.strip);
    this.stage = element("div", { class: "stage", tabindex: 0, role: "group" }, this.root);
    this.stage.setAttribute(
      "aria-label",
      "The stretch in view. Arrow keys move, plus and minus zoom, Home shows everything.",
    );
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.stage);
    addHatches(this.svg, this.id);
    const clip = shape("clipPath", { id: `${this.id}-clip` }, shape("defs", {}, this.svg));
    this.clip = shape("rect", { x: 0, y: 0 }, clip);
    this.fixed = shape("g", {}, this.svg);
    const window = shape("g", { "clip-path": `url(#${this.id}-clip)` }, this.svg);
    this.content = shape("g", {}, window);
    this.front = shape("g", {}, this.svg);
    this.line = shape("g", { class: "threshold" }, this.svg);
    this.picks = element("div", { class: "picks" }, this.stage);
    this.status = element("div", { class: "status", role: "status" }, this.root);
    this.listen();
  }

  listen() {
    this.stage.addEventListener("pointerdown", (event) => this.press(event));
    this.stage.addEventListener("pointermove", (event) => this.drag(event));
    this.stage.addEventListener("pointerup", () => this.release());
    this.stage.addEventListener("pointercancel", () => this.cancel());
    this.stage.addEventListener("dblclick", (event) => this.zoom(0.5, this.share(event)));
    this.stage.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.share(event));
      },
      { passive: false },
    );
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.stage.addEventListener("focusin", () => (KEPT.hasFocus = true));
    this.stage.addEventListener("focusout", () => {
      setTimeout(() => {
        if (this.root.isConnected && !this.stage.matches(":focus-within")) KEPT.hasFocus = false;
      });
    });
    this.strip.addEventListener("pointerdown", (event) => this.pressStrip(event));
    this.strip.addEventListener("pointermove", (event) => this.dragStrip(event));
    this.strip.addEventListener("pointerup", () => this.releaseStrip());
    this.strip.addEventListener("pointercancel", () => (this.brush = undefined));
  }

  receive(component) {
    this.component = component;
    const { data } = component;
    followTheme(this.root);
    this.rows = data.rows;
    this.model = data.slider;
    if (this.revision !== data.revision) this.wish = undefined;
    this.revision = data.revision;
    const { wish } = this;
    if (wish?.threshold === undefined || this.model?.steps[this.model.at] === wish.threshold) {
      delete wish?.threshold;
    }
    const isThere = (view) => view.first === this.rows.first && view.last === this.rows.last;
    if (!wish?.window || isThere(wish.window)) {
      this.view = { first: this.rows.first, last: this.rows.last };
      delete wish?.window;
    }
    this.sliders.hidden = !this.model;
    if (this.model) this.giveCurve();
    this.stale(this.isWaiting);
    this.draw();
    if (this.isBack) {
      this.isBack = false;
      const isFree = !document.activeElement || document.activeElement === document.body;
      if (KEPT.hasFocus && isFree) this.stage.focus({ preventScroll: true });
      if (this.isWaiting) this.ask({});
    }
  }

  get isWaiting() {
    return this.wish?.window !== undefined || this.wish?.threshold !== undefined;
  }

  // Asks Python for another view or threshold, and again if no answer comes.
  ask(wanted) {
    this.wish = { ...this.wish, ...wanted };
    this.stale(true);
    const stamp = performance.now();
    const { window, threshold } = this.wish;
    if (window) this.component.setStateValue("window", { ...window, stamp });
    if (threshold !== undefined) {
      this.component.setStateValue("threshold", { value: threshold, stamp });
    }
    clearTimeout(this.again);
    this.again = setTimeout(() => this.askAgain(), ASK_AGAIN_MS);
  }

  askAgain() {
    this.tries = this.isWaiting ? (this.tries ?? 0) + 1 : 0;
    if (!this.isWaiting) return;
    if (this.tries < GIVE_UP_AFTER || this.held) this.ask({});
    else this.wish = undefined;
  }

  stale(isStale) {
    this.root.dataset.stale = String(isStale);
  }

  giveCurve() {
    const lane = this.rows.lanes.find((candidate) => candidate.key === this.chosen);
    this.slider.update(
      { ...this.model, curve: `the curve: F1 of ${lane.name}` },
      this.model.f1[this.chosen],
    );
  }

  // ---- drawing -----------------------------------------------------------------------------

  draw() {
    const width = this.root.clientWidth;
    if (!width || !this.rows) return;
    if (this.model) this.slider.draw();
    const wide = width >= 700;
    const left = wide ? 124 : 0;
    const right = wide ? 150 : 0;
    const room = width - left - right;
    const label = wide ? 0 : 18;
    const height = wide ? 28 : 24;
    let y = drawLegend(this.fixed, left, 2, width - left, this.id) + 8;
    const lanes = {};
    const add = (key, h) => {
      lanes[key] = { y: y + label, h, top: y };
      y += label + h + (wide ? 9 : 7);
    };
    if (this.rows.value) add("value", wide ? 84 : 64);
    add("score", wide ? 104 : 84);
    for (const key of ["truth", "detections", ...this.rows.lanes.map((lane) => lane.key)]) {
      add(key, height);
    }
    const arrows = y - 4;
    const axis = arrows + 40;
    const cell = room / this.rows.cells;
    this.box = { width, wide, left, right, room, lanes, arrows, axis, cell, bottom: axis + 22 };
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", this.box.bottom);
    for (const [name, value] of Object.entries({ x: left, width: room, height: this.box.bottom })) {
      this.clip.setAttribute(name, value);
    }
    this.drawStrip();
    this.drawContent();
    this.drawFront();
    this.drawThreshold();
    this.place();
  }

  drawStrip() {
    const { left, room } = this.box;
    this.strip.setAttribute("width", this.box.width);
    this.strip.setAttribute("height", 30);
    this.stripLayer.replaceChildren();
    const { labels, alarms } = this.rows.strip;
    const cell = room / labels.length;
    shape("rect", { class: "normal", x: left, y: 2, width: room, height: 26 }, this.stripLayer);
    for (const [bits, kind, y] of [[labels, "truth", 2], [alarms, "hit", 18]]) {
      for (const run of runs(0, bits.length, (t) => bits[t])) {
        if (run.kind !== "1") continue;
        const size = Math.max(1.5, (run.to - run.from) * cell);
        shape(
          "rect",
          { class: kind, x: left + run.from * cell, y, width: size, height: kind === "hit" ? 10 : 15 },
          this.stripLayer,
        );
      }
    }
  }

  drawContent() {
    const { left, lanes, cell, room, bottom } = this.box;
    const { rows } = this;
    this.content.replaceChildren();
    const g = shape("g", { transform: `translate(${left},0)` }, this.content);
    const group = (name) => shape("g", { class: `layer-${name}` }, g);
    const bar = (parent, kind, x, y, width, height) => this.bar(parent, kind, x, y, width, height);
    const bands = group("bands");
    for (const key of rows.value ? ["value", "score"] : ["score"]) {
      const lane = lanes[key];
      shape("rect", { class: "panel", x: 0, y: lane.y, width: room, height: lane.h }, bands);
      for (const s of rows.segments) {
        bar(bands, "band", s.start * cell, lane.y, (s.stop - s.start) * cell, lane.h);
      }
    }
    if (rows.value) this.drawLine(group("value"), rows.value, lanes.value, "value-line");
    this.drawLine(group("score"), rows.score, lanes.score, "score-line");
    const marks = (parent, bits, kind, lane, base = 0, height = 1) => {
      for (const run of runs(0, bits.length, (t) => bits[t])) {
        if (run.kind !== "1") continue;
        const y = lane.y + (1 - base - height) * lane.h;
        bar(parent, kind, run.from * cell, y, (run.to - run.from) * cell, height * lane.h);
      }
    };
    for (const key of ["truth", "detections", ...rows.lanes.map((lane) => lane.key)]) {
      const lane = lanes[key];
      const parent = group(key);
      bar(parent, "normal", 0, lane.y, room, lane.h);
      if (key === "truth") {
        for (const s of rows.segments) {
          bar(parent, "truth", s.start * cell, lane.y, (s.stop - s.start) * cell, lane.h);
        }
      } else if (key === "detections") {
        this.detections = parent;
        marks(parent, rows.falses, "false", lane);
        marks(parent, rows.hits, "hit", lane);
      } else {
        const at = rows.lanes.findIndex((candidate) => candidate.key === key);
        marks(parent, rows.falses, "false", lane);
        for (const s of rows.segments) this.drawSegment(parent, s, s.credit[at], lane, bar);
      }
    }
    const boxes = group("boxes");
    if (rows.segments.length <= 60) {
      drawSegmentBoxes(boxes, rows.segments, lanes.truth.y - 3, this.box.arrows - 2, cell);
      const last = rows.segments.map((segment) => segment.credit[segment.credit.length - 1]);
      drawArrows(group("arrows"), rows.segments, last, this.box.arrows, cell, room);
    }
    const axis = group("axis");
    let free = -Infinity;
    for (const tick of rows.ticks) {
      const x = tick.at * cell;
      const half = tick.name.length * 3.4;
      shape("path", { class: "tick", d: `M${x},${this.box.axis}v4` }, axis);
      const at = Math.max(half, Math.min(room - half, x));
      if (at - half < free + 10) continue;
      free = at + half;
      shape(
        "text",
        { class: "tick-text", x: at, y: this.box.axis + 17, "text-anchor": "middle" },
        axis,
        tick.name,
      );
    }
    this.clip.setAttribute("height", bottom);
  }

  // A mark of at least a pixel; where a hatch would not be seen, its colour alone.
  bar(parent, kind, x, y, width, height) {
    const isNarrow = kind === "false" && width < 5;
    const made = shape(
      "rect",
      { class: isNarrow ? "false-fill" : kind, x, y, width: Math.max(1.2, width), height },
      parent,
    );
    const fill = isNarrow ? null : fillOf(kind, this.id);
    if (fill) made.setAttribute("fill", fill);
  }

  // What a protocol makes of a segment: its credit as height, hits solid.
  drawSegment(parent, segment, credit, lane, bar) {
    const { cell } = this.box;
    const x = segment.start * cell;
    const width = Math.max(1.2, (segment.stop - segment.start) * cell);
    const worth = credit === null ? 1 : Number(credit);
    const top = lane.y + (1 - worth) * lane.h;
    if (credit === null || worth < 1) {
      const base = credit === null ? lane.h : (1 - worth) * lane.h;
      bar(parent, "missed thin", x + 0.5, lane.y + 0.5, Math.max(1, width - 1), Math.max(0.5, base - 1));
    }
    if (credit !== null && worth > 0) bar(parent, "adjusted", x, top, width, worth * lane.h);
    if (!worth) return;
    const from = Math.floor(segment.start + 1e-6);
    const to = Math.max(from + 1, Math.ceil(segment.stop - 1e-6));
    const { hits } = this.rows;
    for (const run of runs(from, Math.min(to, hits.length), (t) => hits[t])) {
      if (run.kind === "1") {
        bar(parent, "hit", run.from * cell, top, (run.to - run.from) * cell, worth * lane.h);
      }
    }
  }

  // Lowest and highest value of each cell, as one line that covers both.
  drawLine(parent, line, lane, className) {
    const { cell } = this.box;
    const y = (value) => (lane.y + lane.h - 3 - (value / HEIGHTS) * (lane.h - 6)).toFixed(1);
    let path = "";
    let isOpen = false;
    line.high.forEach((high, index) => {
      if (high < 0) {
        isOpen = false;
        return;
      }
      const x = ((index + 0.5) * cell).toFixed(1);
      path += `${isOpen ? "L" : "M"}${x},${y(high)}`;
      if (line.low[index] !== high) path += `L${x},${y(line.low[index])}`;
      isOpen = true;
    });
    shape("path", { class: className, d: path }, parent);
  }

  drawFront() {
    const { wide, width, left, room, lanes } = this.box;
    const { rows } = this;
    this.front.replaceChildren();
    const text = (className, x, y, anchor, content) =>
      shape("text", { class: className, x, y, "text-anchor": anchor }, this.front, content);
    const name = (key, title, parameter = "") => {
      const lane = lanes[key];
      if (wide) {
        const first = lane.y + lane.h / 2 + (parameter ? -2 : 5);
        text("lane-name", left - 14, first, "end", short(title, 15));
        if (parameter) text("lane-parameter", left - 14, first + 14, "end", parameter);
      } else {
        text("lane-name", 0, lane.top + 14, "start", short(parameter ? `${title} (${parameter})` : title, 26));
      }
    };
    if (rows.value) {
      name("value", rows.value_name || "Signal");
      const [low, high] = rows.value.names;
      if (wide) {
        text("lane-parameter", left + room + 14, lanes.value.y + 11, "start", high);
        text("lane-parameter", left + room + 14, lanes.value.y + lanes.value.h, "start", low);
      }
    }
    name("score", "Score");
    name("truth", "Truth");
    name("detections", "Detections");
    const end = wide ? left + room + 14 : width;
    text(
      "lane-parameter",
      end,
      wide ? lanes.detections.y + lanes.detections.h / 2 + 5 : lanes.detections.top + 14,
      wide ? "start" : "end",
      rows.alarms,
    );
    this.scores = {};
    for (const lane of rows.lanes) {
      const place = lanes[lane.key];
      name(lane.key, lane.name, lane.parameter);
      const y = wide ? place.y + place.h / 2 + 8 : place.top + 15;
      this.scores[lane.key] = text("lane-score", wide ? end : width - 56, y, wide ? "start" : "end", lane.f1);
      this.scores[lane.key].dataset.f1 = lane.key;
      text("lane-gain", width, y - 1, "end", lane.gain).dataset.gain = lane.key;
      if (lane.key === this.chosen) {
        shape(
          "rect",
          { class: "chosen", x: wide ? 0 : -6, y: place.top, width: 3, height: place.h + place.y - place.top },
          this.front,
        );
      }
    }
    if (wide) text("lane-parameter", left - 14, this.box.axis + 17, "end", rows.axis);
    this.shown.textContent = rows.shown;
    const scores = rows.lanes.map((lane) => `${lane.name} ${lane.f1}`).join(", ");
    this.svg.setAttribute(
      "aria-label",
      `${rows.shown}: ${rows.segments.length} segments in view. F1 of the whole series: ${scores}. ${rows.alarms}.`,
    );
    this.drawPicks();
  }

  drawPicks() {
    const { wide, width, left, lanes } = this.box;
    if (!this.pickButtons) {
      this.pickButtons = {};
      for (const { key } of this.rows.lanes) {
        const pick = element("button", { type: "button", class: "pick" }, this.picks);
        pick.dataset.lane = key;
        pick.addEventListener("click", () => {
          this.chosen = KEPT.chosen = key;
          if (this.model) this.giveCurve();
          this.drawFront();
        });
        this.pickButtons[key] = pick;
      }
    }
    for (const lane of this.rows.lanes) {
      const pick = this.pickButtons[lane.key];
      pick.setAttribute("aria-pressed", String(lane.key === this.chosen));
      pick.setAttribute(
        "aria-label",
        `${lane.name} ${lane.parameter}: F1 ${lane.f1}. Show its curve on the threshold slider`,
      );
      pick.style.top = `${lanes[lane.key].top}px`;
      pick.style.left = "0px";
      pick.style.width = `${wide ? left - 4 : width}px`;
      pick.style.height = `${wide ? lanes[lane.key].h : lanes[lane.key].y - lanes[lane.key].top}px`;
    }
  }

  thresholdY(height) {
    const lane = this.box.lanes.score;
    return lane.y + lane.h - 3 - (height / HEIGHTS) * (lane.h - 6);
  }

  drawThreshold(height = this.rows.threshold, value) {
    const { left, room } = this.box;
    this.line.replaceChildren();
    if (!this.model) return;
    const y = this.thresholdY(height);
    shape("path", { class: "threshold-line", d: `M${left},${y}h${room}` }, this.line);
    shape("circle", { class: "threshold-knob", cx: left + room, cy: y, r: 6 }, this.line);
    const shown = value ?? this.slider.value;
    shape(
      "text",
      { class: "threshold-text", x: left + room - 12, y: y - 5, "text-anchor": "end" },
      this.line,
      `threshold ${Number(shown.toPrecision(6))}`,
    );
  }

  // While the threshold moves: the line, the scores and the detections in view follow.
  moveThreshold() {
    const { at } = this.slider;
    const height = this.model.heights[at];
    this.drawThreshold(height);
    for (const [key, text] of Object.entries(this.scores)) {
      text.textContent = this.model.texts[key][at];
    }
    const { labels, score } = this.rows;
    const lane = this.box.lanes.detections;
    this.detections.replaceChildren();
    shape("rect", { class: "normal", x: 0, y: lane.y, width: this.box.room, height: lane.h }, this.detections);
    for (const run of runs(0, labels.length, (t) => (score.high[t] >= height ? labels[t] : "-"))) {
      if (run.kind === "-") continue;
      const width = (run.to - run.from) * this.box.cell;
      const kind = run.kind === "1" ? "hit" : "false";
      this.bar(this.detections, kind, run.from * this.box.cell, lane.y, width, lane.h);
    }
    this.stale(true);
  }

  // ---- moving through the series -------------------------------------------------------------

  // Shows the drawing at once where the new view has it, and asks Python for the rest.
  go(first, last) {
    const { size } = this.rows;
    const length = Math.min(size, Math.max(5, Math.round(last - first)));
    const begin = Math.max(0, Math.min(size - length, Math.round(first)));
    this.view = { first: begin, last: begin + length };
    this.place();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask({ window: { ...this.view } }), SEND_AFTER_MS);
  }

  zoom(factor, share = 0.5) {
    const { first, last } = this.view;
    const length = (last - first) * factor;
    const begin = first + (last - first - length) * share;
    this.go(begin, begin + length);
  }

  pan(share) {
    const by = (this.view.last - this.view.first) * share;
    this.go(this.view.first + by, this.view.last + by);
  }

  place() {
    const { left, room } = this.box;
    const { first, last } = this.view;
    const { rows } = this;
    const scale = (rows.last - rows.first) / (last - first);
    const shift = ((rows.first - first) / (last - first)) * room;
    const moved = scale === 1 && shift === 0;
    this.content.setAttribute(
      "transform",
      moved ? "" : `translate(${left + shift},0) scale(${scale},1) translate(${-left},0)`,
    );
    this.handle.setAttribute("x", left + (first / rows.size) * room);
    this.handle.setAttribute("width", Math.max(4, ((last - first) / rows.size) * room));
    this.handle.setAttribute("y", 1);
    this.handle.setAttribute("height", 28);
  }

  share(event) {
    const bounds = this.stage.getBoundingClientRect();
    const x = event.clientX - bounds.left - this.box.left;
    return Math.max(0, Math.min(1, x / this.box.room));
  }

  press(event) {
    if (event.button !== 0 || event.target.closest?.(".pick")) return;
    const bounds = this.stage.getBoundingClientRect();
    const y = event.clientY - bounds.top;
    const lineY = this.model && this.thresholdY(this.model.heights[this.slider.at]);
    const isLine = this.model && Math.abs(y - lineY) < (event.pointerType === "touch" ? 16 : 8);
    this.held = { isLine, x: event.clientX, view: { ...this.view }, at: this.slider.at };
    if (isLine || event.pointerType !== "touch") event.preventDefault();
    this.stage.setPointerCapture(event.pointerId);
    this.stage.focus({ preventScroll: true });
  }

  drag(event) {
    if (!this.held) {
      const bounds = this.stage.getBoundingClientRect();
      const near =
        this.model &&
        this.box &&
        Math.abs(event.clientY - bounds.top - this.thresholdY(this.model.heights[this.slider.at])) < 8;
      this.stage.style.cursor = near ? "ns-resize" : "grab";
      return;
    }
    if (this.held.isLine) {
      const bounds = this.stage.getBoundingClientRect();
      const lane = this.box.lanes.score;
      const up = lane.y + lane.h - 3 - (event.clientY - bounds.top);
      const height = (up / (lane.h - 6)) * HEIGHTS;
      const { heights } = this.model;
      let nearest = 0;
      heights.forEach((candidate, index) => {
        if (Math.abs(candidate - height) < Math.abs(heights[nearest] - height)) nearest = index;
      });
      this.slider.at = nearest;
      this.slider.place();
      this.moveThreshold();
      return;
    }
    const { first, last } = this.held.view;
    const by = ((this.held.x - event.clientX) / this.box.room) * (last - first);
    if (Math.abs(this.held.x - event.clientX) > 3) this.go(first + by, last + by);
  }

  release() {
    const { held } = this;
    this.held = undefined;
    if (!held?.isLine || held.at === this.slider.at) return;
    this.slider.pending = this.slider.value;
    this.ask({ threshold: this.slider.value });
  }

  cancel() {
    const { held } = this;
    this.held = undefined;
    if (held?.isLine) {
      this.slider.at = held.at;
      this.slider.place();
      this.draw();
    } else if (held) {
      this.go(held.view.first, held.view.last);
    }
  }

  pressStrip(event) {
    this.strip.setPointerCapture(event.pointerId);
    this.brush = { from: this.stripShare(event), to: this.stripShare(event) };
  }

  dragStrip(event) {
    if (!this.brush) return;
    this.brush.to = this.stripShare(event);
    const { left, room } = this.box;
    const [low, high] = [this.brush.from, this.brush.to].sort((a, b) => a - b);
    this.handle.setAttribute("x", left + low * room);
    this.handle.setAttribute("width", Math.max(2, (high - low) * room));
  }

  releaseStrip() {
    if (!this.brush) return;
    const [low, high] = [this.brush.from, this.brush.to].sort((a, b) => a - b);
    this.brush = undefined;
    const { size } = this.rows;
    if ((high - low) * this.box.room > 4) {
      this.go(low * size, high * size);
    } else {
      const half = (this.view.last - this.view.first) / 2;
      this.go(low * size - half, low * size + half);
    }
  }

  stripShare(event) {
    const bounds = this.strip.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - bounds.left - this.box.left) / this.box.room));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => this.pan(-0.25),
      ArrowRight: () => this.pan(0.25),
      "+": () => this.zoom(0.5),
      "=": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      Home: () => this.go(0, this.rows.size),
    };
    if (event.target !== this.stage || !actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  }

  say(message) {
    this.status.textContent = message;
    this.status.classList.add("visible");
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.status.classList.remove("visible"), 4000);
  }
}

function short(text, longest) {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

export default mountOnce(Timeline);

// The live drawing board. Strokes are drawn at once and sent to Python; every score, height and
// sentence shown is a row that Python computed for this pattern and slider step.

const SEND_EVERY_MS = 60;
const SEND_AGAIN_MS = 1500; // a stroke that met a run which was just replaced has no answer
const GIVE_UP_AFTER = 5; // tries without an answer; then the page is opened anew from its link
const PAINTED = ["truth", "detections"];

// What was drawn in this tab, so that Undo also works after a visit to another page.
const HISTORY = (window[Symbol.for("padf.history")] ??= { past: [], future: [], last: null });

class Board {
  constructor(parent) {
    this.id = `padf${(boardCount += 1)}`;
    this.root = parent.querySelector(".board");
    this.past = HISTORY.past;
    this.future = HISTORY.future;
    this.chosen = "padf";
    this.seed = 1;
    this.active = { row: 1, t: 0 };
    this.sent = 0;
    this.build();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.root);
  }

  close() {
    this.observer.disconnect();
    clearTimeout(this.timer);
    clearTimeout(this.watch);
  }

  build() {
    this.buildToolbar();
    const sliders = element("div", { class: "sliders" }, this.root);
    this.sliders = {};
    for (const key of ["decay", "k"]) {
      this.sliders[key] = new CurveSlider(
        sliders,
        () => this.drawLanes(),
        (value) => this.component.setStateValue(key, value),
        (message) => this.say(message, true),
      );
    }
    this.stage = element("div", { class: "stage" }, this.root);
    this.scroll = element("div", { class: "scroll" }, this.stage);
    this.canvas = element("div", { class: "canvas" }, this.scroll);
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.canvas);
    addHatches(this.svg, this.id);
    this.layers = {};
    for (const name of [
      "truth", "detections", "pointwise", "pa", "pa_k", "padf",
      "separators", "boxes", "arrows", "axis", "hint",
    ]) {
      this.layers[name] = shape("g", { class: `layer-${name}` }, this.svg);
    }
    this.grid = element("div", { class: "grid", role: "grid" }, this.canvas);
    this.grid.setAttribute("aria-label", "Truth and detections, one column per point in time");
    this.frame = shape("svg", { class: "frame", "aria-hidden": "true" }, this.stage);
    this.frameLayer = shape("g", {}, this.frame);
    addHatches(this.frame, `${this.id}f`);
    this.legend = shape("g", {}, this.frame);
    this.picks = element("div", { class: "picks" }, this.stage);
    this.formula = element("div", { class: "formula" }, this.root);
    this.status = element("div", { class: "status", role: "status" }, this.root);
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", () => this.release());
    this.canvas.addEventListener("pointercancel", () => this.cancel());
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focusin", () => (HISTORY.focus = this.active));
    this.grid.addEventListener("focusout", () => {
      // A cell that loses the focus because Streamlit took the board away gets it back below.
      setTimeout(() => {
        if (this.root.isConnected && !this.grid.matches(":focus-within")) HISTORY.focus = null;
      });
    });
    this.showHistory();
  }

  buildToolbar() {
    const bar = element("div", { class: "toolbar", role: "group" }, this.root);
    bar.setAttribute("aria-label", "Edit the board");
    const button = (text, title, action, name) => {
      const made = element("button", { type: "button", class: "tool", title, text }, bar);
      if (name) made.dataset.tool = name;
      made.addEventListener("click", action);
      return made;
    };
    this.undoButton = button("↶ Undo", "Undo (Ctrl+Z)", () => this.undo(), "undo");
    this.redoButton = button("↷ Redo", "Redo (Ctrl+Shift+Z)", () => this.redo(), "redo");
    button("◀ Earlier", "Move all alarms one step earlier", () => this.shift(-1), "earlier");
    button("Later ▶", "Move all alarms one step later", () => this.shift(1), "later");
    button("Clear alarms", "Remove all alarms", () => this.clear(), "clear");
    button(
      "Random alarms",
      "Replace the alarms by a random detector's, from the next seed",
      () => this.random(),
      "random",
    );
    const rate = element("label", { class: "rate", text: "rate " }, bar);
    this.rate = element(
      "input",
      { type: "number", min: 0, max: 100, step: 1, value: 6, "aria-label": "alarm rate in percent" },
      rate,
    );
    element("span", { text: " %" }, rate);
    element("span", { class: "gap" }, bar);
    button("Copy link", "Copy a link that restores this board", () => this.copyLink(), "link");
    button("SVG", "Save the board as a vector picture", () => this.saveSvg(), "svg");
    button("PNG", "Save the board as a picture", () => this.savePng(), "png");
  }

  // ---- what Python sends -------------------------------------------------------------------

  receive(component) {
    this.component = component;
    const { data } = component;
    followTheme(this.root);
    const rows = data.rows;
    const { last } = HISTORY;
    const isOther = last && (last.labels !== rows.labels || last.detections !== rows.detections);
    const isNew = this.revision === undefined;
    // Put up anew by Streamlit while nothing but strokes has changed: what was drawn is the newer.
    const isLate = isNew && isOther && HISTORY.revision === data.revision;
    if (isLate) {
      this.take(last.labels, last.detections);
    } else if (this.revision !== data.revision) {
      if (isOther) {
        this.past.push(last);
        this.future.length = 0;
      }
      this.stroke = undefined;
      this.take(rows.labels, rows.detections);
      for (const slider of Object.values(this.sliders)) slider.pending = undefined;
    }
    this.revision = HISTORY.revision = data.revision;
    this.showHistory();
    this.offerHint = data.hint;
    if (isNew || (rows.labels === this.labels && rows.detections === this.detections)) {
      this.rows = rows;
      for (const model of data.sliders) {
        const lane = rows.lanes.find((candidate) => candidate.slider === model.key);
        this.sliders[model.key].update(model, lane.places.map((place) => lane.rows[place].height));
      }
    }
    this.resize();
    if (isNew) this.refocus();
    if (isLate) this.send(true);
  }

  // ---- layout and drawing ------------------------------------------------------------------

  resize() {
    this.layOut(this.root.clientWidth);
  }

  layOut(width) {
    if (!width || !this.rows) return;
    const count = this.labels.length;
    const wide = width >= 700;
    const left = wide ? 124 : 0;
    const right = wide ? 150 : 0;
    const room = width - left - right;
    const cell = Math.min(230, Math.max(wide ? 3 : 9, room / count));
    const legendHeight = drawLegend(this.legend, left, 0, width - left, `${this.id}f`);
    const label = wide ? 0 : 19;
    const height = wide ? 42 : 30;
    const gap = wide ? 11 : 9;
    let y = legendHeight + 6;
    const lanes = {};
    for (const key of [...PAINTED, ...this.rows.lanes.map((lane) => lane.key)]) {
      lanes[key] = { y: y + label, h: height, top: y };
      y += label + height + gap;
    }
    const arrows = y - gap + 2;
    const axis = arrows + 40;
    this.box = { width, wide, left, right, room, cell, lanes, arrows, axis, bottom: axis + 20 };
    this.stage.style.height = `${this.box.bottom}px`;
    this.scroll.style.left = `${left}px`;
    this.scroll.style.width = `${room}px`;
    this.scroll.classList.toggle("scrolls", cell * count > room + 1);
    this.canvas.style.width = `${cell * count}px`;
    this.canvas.style.height = `${this.box.bottom}px`;
    for (const svg of [this.svg, this.frame]) svg.setAttribute("height", this.box.bottom);
    this.svg.setAttribute("width", cell * count);
    this.frame.setAttribute("width", width);
    for (const slider of Object.values(this.sliders)) slider.draw();
    this.drawGrid();
    this.drawAll();
  }

  drawAll() {
    const { lanes, cell, axis, arrows } = this.box;
    this.drawPainted();
    drawSeparators(this.layers.separators, Object.values(lanes), this.labels.length, cell);
    drawAxis(this.layers.axis, this.rows.times, axis, cell);
    drawSegmentBoxes(
      this.layers.boxes,
      this.rows.segments,
      lanes.truth.y - 3,
      arrows - 2,
      cell,
    );
    this.drawPicks();
    this.drawLanes();
  }

  drawPainted() {
    const { lanes, cell } = this.box;
    drawPieces(this.layers.truth, truthPieces(this.labels), lanes.truth, cell, this.id);
    drawPieces(
      this.layers.detections,
      detectionPieces(this.labels, this.detections),
      lanes.detections,
      cell,
      this.id,
    );
    this.layers.hint.replaceChildren();
    if (this.offerHint && !this.painted) {
      const gap = this.labels.indexOf("1") * cell;
      shape(
        "text",
        { class: "hint", x: Math.max(gap - 10, 150), y: lanes.truth.y + lanes.truth.h / 2 + 4,
          "text-anchor": "end" },
        this.layers.hint,
        gap > 150 ? "press and drag to paint" : "",
      );
    }
  }

  rowOf(lane) {
    const at = lane.slider ? this.sliders[lane.slider].at : 0;
    return lane.rows[lane.places[Math.min(at, lane.places.length - 1)]];
  }

  nameOf(lane) {
    const slider = lane.slider && this.sliders[lane.slider];
    return slider ? slider.model.names[slider.at] : "";
  }

  // Everything that a slider moves: lanes, scores, arrows and the formula.
  drawLanes() {
    const { labels, detections, segments } = this.rows;
    const { lanes, cell, arrows } = this.box;
    for (const lane of this.rows.lanes) {
      const pieces = protocolPieces(labels, detections, segments, this.rowOf(lane).credit);
      drawPieces(this.layers[lane.key], pieces, lanes[lane.key], cell, this.id);
    }
    const last = this.rows.lanes[this.rows.lanes.length - 1];
    drawArrows(
      this.layers.arrows, segments, this.rowOf(last).credit, arrows, cell, cell * labels.length,
    );
    this.drawFrame();
    this.drawFormula();
    this.root.dataset.stale = String(this.isStale());
  }

  drawFrame() {
    const { wide, width, left, room, lanes } = this.box;
    this.frameLayer.replaceChildren();
    const text = (className, x, y, anchor, content) =>
      shape("text", { class: className, x, y, "text-anchor": anchor }, this.frameLayer, content);
    const middle = (key) => lanes[key].y + lanes[key].h / 2;
    const labelAt = (key, name, parameter) => {
      if (wide) {
        const lines = parameter ? parameter.split(", ") : [];
        const first = middle(key) + 5 - 7.5 * lines.length;
        text("lane-name", left - 14, first, "end", name);
        lines.forEach((line, index) => {
          text("lane-parameter", left - 14, first + 15 * (index + 1), "end", line);
        });
      } else {
        const whole = parameter ? `${name} (${parameter})` : name;
        text("lane-name", 0, lanes[key].top + 14, "start", whole);
      }
    };
    labelAt("truth", "Truth", "");
    labelAt("detections", "Detections", "");
    const end = wide ? left + room + 14 : width;
    if (wide) text("lane-parameter", left - 14, this.box.axis + 16, "end", this.rows.axis);
    text(
      "lane-parameter",
      end,
      wide ? middle("detections") + 5 : lanes.detections.top + 14,
      wide ? "start" : "end",
      this.rows.alarms,
    );
    for (const lane of this.rows.lanes) {
      const row = this.rowOf(lane);
      labelAt(lane.key, lane.name, this.nameOf(lane));
      if (wide) {
        text("lane-score", end, middle(lane.key) + 8, "start", row.f1).dataset.f1 = lane.key;
        text("lane-gain", width, middle(lane.key) + 7, "end", row.gain).dataset.gain = lane.key;
      } else {
        text("lane-score", width - 56, lanes[lane.key].top + 15, "end", row.f1).dataset.f1 = lane.key;
        text("lane-gain", width, lanes[lane.key].top + 14, "end", row.gain).dataset.gain = lane.key;
      }
      if (lane.key === this.chosen) {
        shape(
          "rect",
          { class: "chosen", x: wide ? 0 : -6, y: lanes[lane.key].top, width: 3,
            height: lanes[lane.key].h + lanes[lane.key].y - lanes[lane.key].top },
          this.frameLayer,
        );
      }
      const pick = this.pickButtons[lane.key];
      pick.setAttribute("aria-pressed", String(lane.key === this.chosen));
      pick.setAttribute(
        "aria-label",
        `${lane.name} ${this.nameOf(lane)}: F1 ${row.f1}${row.gain && `, ${row.gain} against point-wise`}. Show the formula`,
      );
    }
    const scores = this.rows.lanes.map((lane) => `${lane.name} ${this.rowOf(lane).f1}`).join(", ");
    this.svg.setAttribute("aria-label", `Lanes of the board. F1: ${scores}. ${this.rows.alarms}.`);
  }

  drawPicks() {
    const { wide, width, left, right, room, lanes } = this.box;
    const keys = this.rows.lanes.map((lane) => lane.key);
    if (!this.pickButtons) {
      this.pickButtons = {};
      for (const key of keys) {
        const pick = element("button", { type: "button", class: "pick" }, this.picks);
        pick.dataset.lane = key;
        pick.addEventListener("click", () => this.choose(key));
        this.pickButtons[key] = pick;
      }
    }
    for (const key of keys) {
      const lane = lanes[key];
      const style = this.pickButtons[key].style;
      style.top = `${lane.top}px`;
      style.left = "0px";
      style.width = `${wide ? left - 4 : width}px`;
      style.height = `${wide ? lane.h : lane.y - lane.top}px`;
    }
  }

  choose(key) {
    this.chosen = key;
    this.drawFrame();
    this.drawFormula();
  }

  drawFormula() {
    const lane = this.rows.lanes.find((candidate) => candidate.key === this.chosen);
    const row = this.rowOf(lane);
    const parameter = this.nameOf(lane);
    this.formula.replaceChildren();
    element(
      "strong",
      { class: "formula-name", text: parameter ? `${lane.name} (${parameter})` : lane.name },
      this.formula,
    );
    for (const key of ["precision", "recall", "formula"]) {
      const part = element("span", { class: "formula-part", text: row[key] }, this.formula);
      part.dataset.formula = key;
    }
    element("p", { class: "formula-why", text: row.why }, this.formula);
  }

  // ---- the paintable cells, for keyboard and screen reader -----------------------------------

  drawGrid() {
    const { cell, lanes } = this.box;
    const count = this.labels.length;
    if (this.cells?.[0].length !== count) {
      this.grid.replaceChildren();
      this.cells = PAINTED.map((name) => {
        const row = element("div", { class: "row", role: "row" }, this.grid);
        row.setAttribute("aria-label", name === "truth" ? "Truth" : "Detections");
        return Array.from({ length: count }, () =>
          element("div", { class: "cell", role: "gridcell", tabindex: -1 }, row),
        );
      });
      this.active.t = Math.min(this.active.t, count - 1);
      this.cells[this.active.row][this.active.t].tabIndex = 0;
    }
    PAINTED.forEach((name, row) => {
      const line = this.grid.children[row];
      line.style.top = `${lanes[name].y}px`;
      line.style.height = `${lanes[name].h}px`;
      line.style.gridTemplateColumns = `repeat(${count}, ${cell}px)`;
    });
    this.nameCells();
  }

  nameCells() {
    PAINTED.forEach((_, row) => {
      this.cells[row].forEach((made, t) => {
        const name = this.cellName(row, t);
        if (made.getAttribute("aria-label") !== name) made.setAttribute("aria-label", name);
      });
    });
  }

  cellName(row, t) {
    const time = this.rows.times[t] ?? t;
    if (row === 0) return `time ${time}, truth: ${this.labels[t] === "1" ? "anomaly" : "normal"}`;
    return `time ${time}, detection: ${this.detections[t] === "1" ? "alarm" : "none"}`;
  }

  focus(row, t, scroll) {
    this.cells[this.active.row][this.active.t].tabIndex = -1;
    this.active = { row, t };
    const made = this.cells[row][t];
    made.tabIndex = 0;
    made.focus({ preventScroll: !scroll });
  }

  // Puts the keyboard back where it was when Streamlit puts the board up anew.
  refocus() {
    const { focus } = HISTORY;
    const isFree = !document.activeElement || document.activeElement === document.body;
    if (focus && isFree && focus.t < this.labels.length) this.focus(focus.row, focus.t, false);
  }

  key(event) {
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === "z" && event.target.type !== "number") {
      event.preventDefault();
      if (event.shiftKey) this.redo();
      else this.undo();
      return;
    }
    if (event.target.getAttribute("role") !== "gridcell" || command || event.altKey) return;
    const { row, t } = this.active;
    const last = this.labels.length - 1;
    if (event.key === " " || event.key === "Enter") {
      this.begin();
      this.brush = this.seriesOf(row)[t] === "1" ? "0" : "1";
      this.paint(row, t, t);
      this.finish();
      this.say(this.cellName(row, t));
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const to = Math.max(0, Math.min(last, t + (event.key === "ArrowLeft" ? -1 : 1)));
      if (event.shiftKey) {
        this.begin();
        this.brush ??= this.seriesOf(row)[t] === "1" ? "0" : "1";
        this.paint(row, t, to);
        this.finish();
      }
      this.focus(row, to, true);
      if (event.shiftKey) this.say(this.cellName(row, to));
      else this.brush = undefined;
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      this.focus(event.key === "ArrowUp" ? 0 : 1, t, true);
      this.brush = undefined;
    } else if (event.key === "Home" || event.key === "End") {
      this.focus(row, event.key === "Home" ? 0 : last, true);
      this.brush = undefined;
    } else {
      return;
    }
    event.preventDefault();
  }

  // ---- painting ----------------------------------------------------------------------------

  place(event) {
    const bounds = this.canvas.getBoundingClientRect();
    const t = Math.floor((event.clientX - bounds.left) / this.box.cell);
    return { t: Math.max(0, Math.min(this.labels.length - 1, t)), y: event.clientY - bounds.top };
  }

  press(event) {
    if (event.button !== 0) return;
    const { t, y } = this.place(event);
    const { lanes } = this.box;
    const inside = (key) => y >= lanes[key].y - 4 && y <= lanes[key].y + lanes[key].h + 4;
    const row = PAINTED.findIndex(inside);
    if (row < 0) {
      const lane = this.rows.lanes.find((candidate) => inside(candidate.key));
      if (lane) this.choose(lane.key);
      return;
    }
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    this.begin();
    this.brush = this.seriesOf(row)[t] === "1" ? "0" : "1";
    this.stroke = { row, t };
    this.paint(row, t, t);
    this.focus(row, t, false);
  }

  drag(event) {
    if (!this.stroke) return;
    const { t } = this.place(event);
    if (t === this.stroke.t) return;
    this.paint(this.stroke.row, this.stroke.t, t);
    this.stroke.t = t;
  }

  release() {
    if (!this.stroke) return;
    this.stroke = undefined;
    this.finish();
  }

  // The browser took the touch for scrolling: nothing was meant to be painted.
  cancel() {
    if (!this.stroke) return;
    this.set(this.before.labels, this.before.detections);
    this.release();
  }

  seriesOf(row) {
    return row === 0 ? this.labels : this.detections;
  }

  begin() {
    this.before = { labels: this.labels, detections: this.detections };
  }

  paint(row, from, to) {
    const [first, last] = from <= to ? [from, to] : [to, from];
    const series = this.seriesOf(row);
    const changed =
      series.slice(0, first) + this.brush.repeat(last - first + 1) + series.slice(last + 1);
    this.set(row === 0 ? changed : this.labels, row === 1 ? changed : this.detections);
    this.send(false);
  }

  take(labels, detections) {
    this.labels = labels;
    this.detections = detections;
    HISTORY.last = { labels, detections };
  }

  set(labels, detections) {
    this.take(labels, detections);
    this.painted = true;
    this.drawPainted();
    this.nameCells();
    this.root.dataset.stale = String(this.isStale());
  }

  finish() {
    if (this.before.labels !== this.labels || this.before.detections !== this.detections) {
      this.past.push(this.before);
      this.future.length = 0;
    }
    this.send(true);
    this.showHistory();
  }

  send(final) {
    clearTimeout(this.timer);
    const wait = SEND_EVERY_MS - (performance.now() - this.sent);
    if (!final && wait > 0) {
      this.timer = setTimeout(() => this.send(false), wait);
      return;
    }
    this.sent = performance.now();
    this.component.setStateValue("stroke", {
      labels: this.labels,
      detections: this.detections,
      revision: this.revision,
      final,
      stamp: this.sent,
    });
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.askAgain(), SEND_AGAIN_MS);
  }

  // A stroke without an answer is sent again; if none comes at all, the page is opened anew with
  // what is on the board.
  askAgain() {
    if (!this.isStale()) {
      this.tries = 0;
      return;
    }
    this.tries = (this.tries ?? 0) + 1;
    this.send(!this.stroke);
    if (this.tries >= GIVE_UP_AFTER && !this.stroke) this.openAnew();
  }

  async openAnew() {
    const answer = await fetch("_stcore/health").catch(() => null);
    if (answer?.ok && this.isStale()) location.search = this.address();
  }

  // The link of what is on the board, for when Python cannot give it.
  address() {
    const query = new URLSearchParams(location.search || this.component.data.link);
    query.set("n", this.labels.length);
    query.set("truth", ranges(this.labels));
    query.set("alarms", ranges(this.detections));
    return `?${query}`;
  }

  // Whether Python's rows are not those of the pattern on the board.
  isStale() {
    return this.rows.labels !== this.labels || this.rows.detections !== this.detections;
  }

  replace(labels, detections) {
    this.begin();
    this.set(labels, detections);
    this.finish();
  }

  shift(by) {
    const { detections } = this;
    this.replace(this.labels, by < 0 ? `${detections.slice(1)}0` : `0${detections.slice(0, -1)}`);
  }

  clear() {
    this.replace(this.labels, "0".repeat(this.labels.length));
  }

  random() {
    const rate = Number(this.rate.value);
    if (this.rate.value === "" || !(rate >= 0 && rate <= 100)) {
      this.say("The alarm rate must be from 0 to 100 %.", true);
      return;
    }
    this.component.setTriggerValue("random", { rate, seed: this.seed });
    this.say(`Random alarms from seed ${this.seed}.`, true);
    this.seed += 1;
  }

  undo() {
    this.travel(this.past, this.future);
  }

  redo() {
    this.travel(this.future, this.past);
  }

  travel(from, to) {
    const there = from.pop();
    if (!there) return;
    to.push({ labels: this.labels, detections: this.detections });
    const resized = there.labels.length !== this.labels.length;
    if (resized) this.take(there.labels, there.detections);
    else this.set(there.labels, there.detections);
    this.send(true);
    this.showHistory();
  }

  showHistory() {
    this.undoButton.disabled = !this.past.length;
    this.redoButton.disabled = !this.future.length;
  }

  say(message, visible = false) {
    this.status.textContent = message;
    this.status.classList.toggle("visible", visible);
    clearTimeout(this.quiet);
    if (visible) this.quiet = setTimeout(() => this.status.classList.remove("visible"), 4000);
  }

  // ---- taking the board away -----------------------------------------------------------------

  async copyLink() {
    try {
      await navigator.clipboard.writeText(
        location.origin + location.pathname + this.component.data.link,
      );
      this.say("Link copied.", true);
    } catch {
      this.say("Copying is not allowed here: take the link from the address bar.", true);
    }
  }

  // The board as it is on a wide screen, whatever the screen.
  picture() {
    this.layOut(Math.max(1100, 280 + 8 * this.labels.length));
    this.layers.hint.replaceChildren();
    const drawn = this.compose();
    this.resize();
    return drawn;
  }

  compose() {
    const { width: full, left, bottom } = this.box;
    const margin = 16;
    const whole = shape("svg", {
      xmlns: SVG,
      width: full + 2 * margin,
      height: bottom + 2 * margin,
      viewBox: `${-margin} ${-margin} ${full + 2 * margin} ${bottom + 2 * margin}`,
    });
    const style = getComputedStyle(this.root);
    shape(
      "rect",
      { x: -margin, y: -margin, width: full + 2 * margin, height: bottom + 2 * margin,
        fill: style.getPropertyValue("--st-background-color").trim() || "#ffffff" },
      whole,
    );
    shape("title", {}, whole, this.svg.getAttribute("aria-label"));
    const moved = shape("g", { transform: `translate(${left},0)` }, whole);
    copyStyled(this.svg, moved);
    copyStyled(this.frame, whole);
    return new XMLSerializer().serializeToString(whole);
  }

  saveSvg() {
    saveFile(new Blob([this.picture()], { type: "image/svg+xml" }), "padf-board.svg");
  }

  savePng() {
    const markup = this.picture();
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = image.width * 2;
      canvas.height = image.height * 2;
      const context = canvas.getContext("2d");
      context.scale(2, 2);
      context.drawImage(image, 0, 0);
      canvas.toBlob((blob) => saveFile(blob, "padf-board.png"));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`;
  }
}

export default mountOnce(Board);

// Bits as links write them: "12-18_30".
function ranges(bits) {
  return runs(0, bits.length, (t) => bits[t])
    .filter((run) => run.kind === "1")
    .map((run) => (run.to - run.from === 1 ? `${run.from}` : `${run.from}-${run.to - 1}`))
    .join("_");
}

const STYLED = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "opacity",
  "paint-order", "font-family", "font-size", "font-weight", "font-variant-numeric",
];

// Copies the content of a drawing with its computed styles, so that it stands alone.
function copyStyled(source, target) {
  for (const child of source.children) {
    const copy = child.cloneNode(false);
    const style = getComputedStyle(child);
    const looks = child.namespaceURI === SVG && !["defs", "pattern", "g"].includes(child.tagName);
    if (looks) {
      for (const name of STYLED) copy.setAttribute(name, style.getPropertyValue(name));
      if (child.hasAttribute("fill")) copy.setAttribute("fill", child.getAttribute("fill"));
    }
    if (!child.children.length) copy.textContent = child.textContent;
    target.append(copy);
    copyStyled(child, copy);
  }
}

function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Drawing lanes: what Python computed in, SVG out. No protocol is computed here.

const SVG = "http://www.w3.org/2000/svg";
let boardCount = 0;

function shape(tag, attributes, parent, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

function element(tag, properties, parent) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") made.className = value;
    else if (name === "text") made.textContent = value;
    else made.setAttribute(name, value);
  }
  parent?.append(made);
  return made;
}

// What Streamlit calls at each change of data or theme: one instance of the class per place. Steps
// back or forward in the browser, on the same page, are passed on to Python.
function mountOnce(Kind) {
  const made = new WeakMap();
  return (component) => {
    const { parentElement } = component;
    if (!made.has(parentElement)) {
      const instance = new Kind(parentElement);
      instance.onPopState = () => {
        const { data, setTriggerValue } = instance.component;
        const page = location.pathname.split("/").pop();
        if (data.paths.includes(page)) setTriggerValue("back", location.search);
      };
      addEventListener("popstate", instance.onPopState);
      made.set(parentElement, instance);
    }
    made.get(parentElement).receive(component);
    return () => {
      const instance = made.get(parentElement);
      if (!instance) return;
      removeEventListener("popstate", instance.onPopState);
      instance.close();
      made.delete(parentElement);
    };
  };
}

// Hatches, so that nothing is told by colour alone. The id makes them unique in an exported file.
function addHatches(svg, id) {
  const defs = shape("defs", {}, svg);
  const adjusted = shape(
    "pattern",
    { id: `${id}-adjusted`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    defs,
  );
  shape("rect", { width: 6, height: 6, class: "adjusted-fill" }, adjusted);
  shape("path", { d: "M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2", class: "adjusted-line" }, adjusted);
  const wrong = shape(
    "pattern",
    { id: `${id}-false`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    defs,
  );
  shape("rect", { width: 6, height: 6, class: "false-fill" }, wrong);
  shape("path", { d: "M0,0 l6,6 M0,6 l6,-6", class: "false-line" }, wrong);
}

function fillOf(kind, id) {
  return kind === "adjusted" || kind === "false" ? `url(#${id}-${kind})` : null;
}

// Maximal runs of equal kinds, as pieces of a lane: {kind, from, to, base, height}.
function runs(from, to, kindAt, base = 0, height = 1) {
  const pieces = [];
  for (let t = from; t < to; t += 1) {
    const kind = kindAt(t);
    const last = pieces[pieces.length - 1];
    if (last && last.kind === kind) last.to = t + 1;
    else pieces.push({ kind, from: t, to: t + 1, base, height });
  }
  return pieces;
}

function truthPieces(labels) {
  return runs(0, labels.length, (t) => (labels[t] === "1" ? "truth" : "normal"));
}

function detectionPieces(labels, detections) {
  return runs(0, labels.length, (t) => {
    if (detections[t] !== "1") return "normal";
    return labels[t] === "1" ? "hit" : "false";
  });
}

// A protocol's lane. A segment's credit is the height of its cells; null keeps the detections.
function protocolPieces(labels, detections, segments, credit) {
  const isHit = (t) => detections[t] === "1";
  const pieces = [];
  let done = 0;
  const outside = (to) =>
    pieces.push(...runs(done, to, (t) => (isHit(t) ? "false" : "normal")));
  segments.forEach((segment, index) => {
    outside(segment.start);
    const worth = credit[index] === null ? null : Number(credit[index]);
    if (worth === null) {
      pieces.push(
        ...runs(segment.start, segment.stop, (t) => (isHit(t) ? "hit" : "missed")),
      );
    } else {
      if (worth > 0) {
        pieces.push(
          ...runs(segment.start, segment.stop, (t) => (isHit(t) ? "hit" : "adjusted"), 0, worth),
        );
      }
      if (worth < 1) {
        pieces.push({
          kind: "missed",
          from: segment.start,
          to: segment.stop,
          base: worth,
          height: 1 - worth,
        });
      }
    }
    done = segment.stop;
  });
  outside(labels.length);
  return pieces;
}

// Draws pieces into a group that is emptied first. lane: {y, h}; cell: width of one point.
function drawPieces(group, pieces, lane, cell, id) {
  group.replaceChildren();
  for (const piece of pieces) {
    if (piece.kind === "missed") {
      drawMissed(group, piece, lane, cell);
      continue;
    }
    const rect = shape(
      "rect",
      {
        class: piece.kind,
        x: piece.from * cell,
        y: lane.y + (1 - piece.base - piece.height) * lane.h,
        width: (piece.to - piece.from) * cell,
        height: piece.height * lane.h,
      },
      group,
    );
    const fill = fillOf(piece.kind, id);
    if (fill) rect.setAttribute("fill", fill);
  }
}

// Missed credit is an outline: around each cell where there is room, else around the whole run.
function drawMissed(group, piece, lane, cell) {
  const top = lane.y + (1 - piece.base - piece.height) * lane.h;
  const height = piece.height * lane.h;
  const line = height >= 7 ? 1.25 : 0.75;
  const inset = line / 2;
  const side = cell >= 12 ? 1 : cell >= 4 ? 0.5 : 0;
  const width = cell >= 8 ? cell : (piece.to - piece.from) * cell;
  for (let x = piece.from * cell; x < piece.to * cell - 0.01; x += width) {
    shape(
      "rect",
      {
        class: "missed",
        x: x + side + inset,
        y: top + inset,
        width: Math.max(0.5, width - 2 * (side + inset)),
        height: Math.max(0.5, height - line),
        style: `stroke-width: ${line}px`,
      },
      group,
    );
  }
}

function drawSeparators(group, lanes, count, cell) {
  group.replaceChildren();
  if (cell < 4) return;
  let path = "";
  for (const lane of lanes) {
    for (let t = 0; t <= count; t += 1) path += `M${t * cell},${lane.y}v${lane.h}`;
  }
  shape("path", { d: path, class: "separator", "stroke-width": cell >= 12 ? 2 : 1 }, group);
}

function drawSegmentBoxes(group, segments, top, bottom, cell) {
  group.replaceChildren();
  for (const segment of segments) {
    shape(
      "rect",
      {
        class: "segment-box",
        x: segment.start * cell - 1,
        y: top,
        width: (segment.stop - segment.start) * cell + 2,
        height: bottom - top,
        rx: 2,
      },
      group,
    );
  }
}

// Arrows from onset to first hit, with their labels in two rows where they would collide.
function drawArrows(group, segments, credit, top, cell, width) {
  group.replaceChildren();
  const ends = [-Infinity, -Infinity];
  segments.forEach((segment, index) => {
    const x = segment.start * cell;
    const found = segment.delay >= 0;
    if (found && segment.delay > 0) {
      const tip = (segment.start + segment.delay + 0.5) * cell;
      shape("path", { class: "arrow", d: `M${x + 1},${top + 6}H${tip - 1}` }, group);
      shape(
        "path",
        { class: "arrow-tip", d: `M${tip + 1},${top + 6}l-6,-3.5v7z` },
        group,
      );
    }
    const long = found ? `${segment.late} → credit ${credit[index]}` : "missed";
    const short = found ? `→ ${credit[index]}` : "missed";
    for (const text of [long, short]) {
      const size = text.length * 6.1;
      const left = Math.max(0, Math.min(x, width - size));
      const row = ends.findIndex((end) => left > end + 8);
      if (row < 0) continue;
      shape("text", { class: "arrow-text", x: left, y: top + 21 + row * 13 }, group, text);
      ends[row] = left + size;
      break;
    }
  });
}

function drawAxis(group, times, y, cell) {
  group.replaceChildren();
  const count = times.length;
  const longest = Math.max(...times.map((name) => name.length));
  const wanted = Math.max(2, Math.floor((cell * count) / Math.max(56, longest * 8 + 16)));
  const step = [1, 2, 5, 10, 15, 20, 25, 30, 50, 60, 100, 150].find((s) => count / s <= wanted) ?? 150;
  for (let t = 0; t < count; t += step) {
    shape("path", { class: "tick", d: `M${(t + 0.5) * cell},${y}v4` }, group);
    const isCut = (t + 0.5) * cell < times[t].length * 3.5;
    shape(
      "text",
      {
        class: "tick-text",
        x: isCut ? 0 : (t + 0.5) * cell,
        y: y + 16,
        "text-anchor": isCut ? "start" : "middle",
      },
      group,
      times[t],
    );
  }
}

const LEGEND = [
  ["truth", "true anomaly"],
  ["hit", "hit"],
  ["adjusted", "credit given by adjustment"],
  ["missed", "missed credit"],
  ["false", "false alarm"],
  ["normal", "normal"],
];

// Draws the legend into at most `width`; returns the height it took.
function drawLegend(group, x, y, width, id) {
  group.replaceChildren();
  let left = x;
  let top = y;
  for (const [kind, text] of LEGEND) {
    const size = 20 + text.length * 6.4 + 14;
    if (left > x && left + size > x + width) {
      left = x;
      top += 18;
    }
    const swatch = shape(
      "rect",
      { class: kind, x: left + 0.75, y: top + 0.75, width: 11.5, height: 11.5 },
      group,
    );
    const fill = fillOf(kind, id);
    if (fill) swatch.setAttribute("fill", fill);
    shape("text", { class: "legend-text", x: left + 19, y: top + 10.5 }, group, text);
    left += size;
  }
  return top - y + 18;
}

// Sets data-mode to light or dark by the background that Streamlit gives.
function followTheme(root) {
  const background = getComputedStyle(root).getPropertyValue("--st-background-color").trim();
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.fillStyle = background || "#ffffff";
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
  root.dataset.mode = 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
}

// A slider whose track is the curve of F1 over its range; the thumb rides on the curve. A touch that
// the browser takes for scrolling leaves it where it was.
class CurveSlider {
  constructor(parent, onMove, onRelease, onTyped) {
    this.root = element("div", { class: "slider" }, parent);
    const head = element("div", { class: "slider-head" }, this.root);
    this.title = element("span", { class: "slider-title" }, head);
    this.number = element("input", { type: "number", class: "slider-number" }, head);
    this.note = element("span", { class: "slider-note" }, head);
    this.key = element("span", { class: "slider-key" }, head);
    const track = element("div", { class: "track" }, this.root);
    this.svg = shape("svg", { class: "curve", "aria-hidden": "true" }, track);
    this.area = shape("path", { class: "curve-area" }, this.svg);
    this.line = shape("path", { class: "curve-line" }, this.svg);
    this.stem = shape("path", { class: "curve-stem" }, this.svg);
    this.dot = shape("circle", { class: "curve-dot", r: 8 }, this.svg);
    this.range = element("input", { type: "range", min: 0, step: 1 }, track);
    this.range.addEventListener("pointerdown", () => {
      this.before = this.at;
      this.cancelled = false;
    });
    this.range.addEventListener("pointercancel", () => {
      this.cancelled = true;
      this.dragging = false;
      this.at = this.before;
      this.place();
      onMove();
    });
    this.range.addEventListener("input", () => {
      if (this.cancelled) {
        this.place();
        return;
      }
      this.dragging = true;
      this.at = Number(this.range.value);
      this.place();
      onMove();
    });
    this.range.addEventListener("change", () => {
      if (this.cancelled) {
        this.cancelled = false;
        this.place();
        return;
      }
      this.dragging = false;
      this.pending = this.value;
      onRelease(this.value);
    });
    this.number.addEventListener("change", () => {
      const typed = Number(this.number.value);
      const [low, high] = this.model.limits;
      const isFraction = this.model.key === "k" && typed > 0 && typed < 1;
      if (this.number.value === "" || !(typed >= low && typed <= high) || isFraction) {
        onTyped(`${this.model.title} must be ${this.model.rule}.`);
        this.place();
        return;
      }
      const step = this.model.steps.findIndex((value) => Math.abs(value - typed) < 1e-9);
      if (step >= 0) {
        this.at = step;
        this.place();
        onMove();
      }
      this.pending = step >= 0 ? this.model.steps[step] : typed;
      onRelease(this.pending);
    });
  }

  get value() {
    return this.model.steps[this.at];
  }

  // heights: F1 per step, from Python.
  update(model, heights) {
    this.model = model;
    this.heights = heights;
    const pending = this.pending === undefined ? -1 : model.steps.indexOf(this.pending);
    if (this.pending !== undefined && model.steps[model.at] === this.pending) {
      this.pending = undefined;
    }
    if (this.dragging) this.at = Math.min(this.at, model.steps.length - 1);
    else this.at = pending >= 0 ? pending : model.at;
    this.title.textContent = model.title;
    this.key.textContent = model.curve;
    this.range.max = model.steps.length - 1;
    this.range.setAttribute("aria-label", model.title);
    this.number.setAttribute("aria-label", `${model.title}, typed`);
    this.number.step = "any";
    this.draw();
  }

  draw() {
    const width = this.svg.clientWidth || 300;
    const height = this.svg.clientHeight || 44;
    const last = this.heights.length - 1;
    this.x = (index) => 10 + ((width - 20) * index) / Math.max(1, last);
    this.y = (value) => height - 10 - value * (height - 20);
    let path = "";
    this.heights.forEach((value, index) => {
      path += `${index ? "L" : "M"}${this.x(index).toFixed(1)},${this.y(value).toFixed(1)}`;
    });
    this.line.setAttribute("d", path);
    this.area.setAttribute(
      "d",
      `${path}L${this.x(last)},${height - 2}L${this.x(0)},${height - 2}Z`,
    );
    this.floor = height - 2;
    this.place();
  }

  place() {
    const x = this.x(this.at);
    const y = this.y(this.heights[this.at]);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", y);
    this.stem.setAttribute("d", `M${x},${y}V${this.floor}`);
    this.range.value = this.at;
    this.range.setAttribute("aria-valuetext", `${this.value}; ${this.model.notes[this.at]}`);
    this.number.value = this.value;
    this.note.textContent = this.model.notes[this.at];
  }
}

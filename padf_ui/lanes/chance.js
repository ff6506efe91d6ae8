// A detector that alarms by chance: draw its alarm probability over one segment, and see the expected
// credit add up. All terms come from Python.

const SEND_CHANCES_MS = 120;

class Chance {
  constructor(parent) {
    this.id = `padf${(boardCount += 1)}`;
    this.root = parent.querySelector(".chance");
    element("p", {
      class: "lead",
      text: "Drag the bars: the chance of an alarm at each point of the segment.",
    }, this.root);
    this.stage = element("div", { class: "stage" }, this.root);
    this.svg = shape("svg", { class: "lanes", role: "img" }, this.stage);
    this.bars = element("div", { class: "bars" }, this.stage);
    this.stage.addEventListener("pointerdown", (event) => this.press(event));
    this.stage.addEventListener("pointermove", (event) => this.held && this.drag(event));
    this.stage.addEventListener("pointerup", () => this.release());
    this.stage.addEventListener("pointercancel", () => this.release());
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
  }

  close() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }

  receive(component) {
    this.component = component;
    followTheme(this.root);
    const { data } = component;
    this.rows = data;
    if (this.revision !== data.revision || !this.held) this.alarm = data.alarm.slice();
    this.revision = data.revision;
    this.draw();
  }

  layOut() {
    const width = this.root.clientWidth;
    const count = this.alarm.length;
    const left = 46;
    const room = Math.max(100, width - left - 8);
    this.box = { width, left, room, cell: room / count, top: 22, height: 120, low: 188, lowHeight: 150 };
  }

  draw() {
    if (!this.rows || !this.root.clientWidth) return;
    this.layOut();
    const { width, left, room, cell, top, height, low, lowHeight } = this.box;
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", low + lowHeight + 40);
    this.svg.replaceChildren();
    addHatches(this.svg, this.id);
    const text = (className, x, y, anchor, content) =>
      shape("text", { class: className, x, y, "text-anchor": anchor }, this.svg, content);
    const axis = (y, h, name) => {
      for (const share of [0, 0.5, 1]) {
        const at = y + h - share * h;
        shape("path", { class: "grid-line", d: `M${left},${at}h${room}` }, this.svg);
        text("tick-text", left - 6, at + 4, "end", String(share));
      }
      text("lane-parameter", left, y - 8, "start", name);
    };
    axis(top, height, "chance of an alarm, 1 − p(t)");
    this.alarm.forEach((chance, index) => {
      const x = left + index * cell;
      shape(
        "rect",
        { class: "hit", x: x + cell * 0.1, y: top + height - chance * height,
          width: cell * 0.8, height: Math.max(1, chance * height) },
        this.svg,
      );
    });
    axis(low, lowHeight, "expected credit: each term, and all so far");
    let path = "";
    this.rows.terms.forEach((term, index) => {
      const x = left + index * cell;
      const bar = shape(
        "rect",
        { class: "adjusted", x: x + cell * 0.1, y: low + lowHeight - term * lowHeight,
          width: cell * 0.8, height: Math.max(0.5, term * lowHeight) },
        this.svg,
      );
      bar.setAttribute("fill", fillOf("adjusted", this.id));
      const y = low + lowHeight - this.rows.sums[index] * lowHeight;
      path += `${index ? "L" : "M"}${x},${y}L${x + cell},${y}`;
    });
    shape("path", { class: "sum-line", d: path }, this.svg);
    const last = low + lowHeight - this.rows.sums[this.rows.sums.length - 1] * lowHeight;
    text("lane-score", left + room, last < low + 30 ? last + 24 : last - 8, "end", this.rows.total);
    const every = Math.max(1, Math.ceil(28 / cell));
    this.alarm.forEach((_, index) => {
      if (index % every === 0) {
        text("tick-text", left + (index + 0.5) * cell, low + lowHeight + 16, "middle", String(index));
      }
    });
    text("lane-parameter", left, low + lowHeight + 34, "start", "delay of the first alarm, steps");
    this.svg.setAttribute("aria-label", this.rows.words);
    this.drawSliders();
  }

  // One slider per bar, for keyboard and screen reader.
  drawSliders() {
    const { left, cell, top, height } = this.box;
    if (this.handles?.length !== this.alarm.length) {
      this.bars.replaceChildren();
      this.handles = this.alarm.map((_, index) => {
        const made = element("div", { class: "bar", role: "slider", tabindex: 0 }, this.bars);
        made.setAttribute("aria-label", `chance of an alarm at delay ${index}`);
        made.setAttribute("aria-valuemin", "0");
        made.setAttribute("aria-valuemax", "100");
        made.setAttribute("aria-orientation", "vertical");
        made.addEventListener("keydown", (event) => this.key(event, index));
        return made;
      });
    }
    this.handles.forEach((made, index) => {
      made.style.left = `${left + index * cell}px`;
      made.style.width = `${cell}px`;
      made.style.top = `${top}px`;
      made.style.height = `${height}px`;
      made.setAttribute("aria-valuenow", String(Math.round(this.alarm[index] * 100)));
    });
  }

  key(event, index) {
    const steps = { ArrowUp: 0.05, ArrowRight: 0.05, ArrowDown: -0.05, ArrowLeft: -0.05, Home: -1, End: 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.set(index, this.alarm[index] + steps[event.key]);
    this.send();
  }

  set(index, chance) {
    this.alarm[index] = Math.round(Math.max(0, Math.min(1, chance)) * 100) / 100;
    this.draw();
  }

  place(event) {
    const bounds = this.stage.getBoundingClientRect();
    const { left, cell, top, height } = this.box;
    const y = event.clientY - bounds.top;
    return {
      index: Math.floor((event.clientX - bounds.left - left) / cell),
      chance: 1 - (y - top) / height,
      isAbove: y <= top + height + 12,
    };
  }

  press(event) {
    const { index, chance, isAbove } = this.place(event);
    if (event.button !== 0 || !isAbove || index < 0 || index >= this.alarm.length) return;
    event.preventDefault();
    this.stage.setPointerCapture(event.pointerId);
    this.held = { index };
    this.set(index, chance);
    this.send();
  }

  drag(event) {
    const { index, chance } = this.place(event);
    if (index < 0 || index >= this.alarm.length) return;
    const [low, high] = [this.held.index, index].sort((a, b) => a - b);
    for (let at = low; at <= high; at += 1) this.set(at, chance);
    this.held.index = index;
    this.send();
  }

  release() {
    if (!this.held) return;
    this.held = undefined;
    this.send();
  }

  send() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.component.setStateValue("alarm", { values: this.alarm, stamp: performance.now() });
    }, SEND_CHANCES_MS);
  }
}

export default mountOnce(Chance);

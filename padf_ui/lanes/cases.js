// The paper's cases, all live in d and K. Every score and verdict shown is a row from Python.

const MARKS = { pass: "✓ holds", fail: "✗ fails", differs: "– differs" };

class CasesPage {
  constructor(parent) {
    this.id = `padf${(boardCount += 1)}`;
    this.root = parent.querySelector(".cases");
    const bar = element("div", { class: "sliders sticky" }, this.root);
    this.sliders = {};
    for (const key of ["decay", "k"]) {
      this.sliders[key] = new CurveSlider(
        bar,
        () => {
          this.status.textContent = "";
          this.draw();
        },
        (value) => this.component.setStateValue(key, value),
        (message) => (this.status.textContent = message),
      );
    }
    this.status = element("div", { class: "message", role: "status" }, this.root);
    this.rules = element("p", { class: "rules" }, this.root);
    this.legend = shape("svg", { class: "legend", "aria-hidden": "true" }, this.root);
    addHatches(this.legend, `${this.id}l`);
    this.legendLayer = shape("g", {}, this.legend);
    this.toy = this.section(
      "Fig. 1: five detectors under every protocol",
      "One anomaly of seven points. Move d and K above and watch who wins.",
    );
    this.toyGrid = element("div", { class: "case-grid" }, this.toy);
    this.table = this.section(
      "Table 1: computed beside published",
      "F1 at the sliders' d and K. Where the paper prints that value, it stands beside with ✓ if its digits agree: at K = 20, d = 0.7 and d = 0.9. (14/19 = 0.7368 is printed as 0.736.)",
    );
    this.tableBox = element("div", { class: "table-box", tabindex: 0, role: "region" }, this.table);
    this.tableBox.setAttribute("aria-label", "Table 1, computed and published");
    this.conditions = this.section(
      "Sec. 5.1: what an evaluation should do",
      "The paper asks four things of a protocol on these five cases; the third is a permission, so a difference there is no fault.",
    );
    this.conditionBox = element(
      "div", { class: "table-box", tabindex: 0, role: "region" }, this.conditions,
    );
    this.conditionBox.setAttribute("aria-label", "Conditions of Sec. 5.1 by protocol");
    this.sentences = element("div", { class: "sentences" }, this.conditions);
    this.adjustments = this.section("Fig. 2: three adjustments of case 2", "");
    this.adjustmentBox = element("div", { class: "case-wide" }, this.adjustments);
    this.robust = this.section(
      "Robustness: sixteen detectors under PAdf",
      "Computed at the slider's d; at d = 0.9 beside the published value of Table 4.",
    );
    this.robustGrid = element("div", { class: "case-grid small" }, this.robust);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
  }

  close() {
    this.observer.disconnect();
  }

  section(title, lead) {
    const made = element("section", {}, this.root);
    element("h2", { text: title }, made);
    element("p", { class: "lead", text: lead }, made);
    return made;
  }

  receive(component) {
    this.component = component;
    this.data = component.data;
    followTheme(this.root);
    const { sliders, toy } = this.data;
    for (const model of sliders) {
      const key = model.key;
      const lane = toy[1].rows.lanes.find((candidate) => candidate.slider === key);
      const heights = lane.places.map((place) => lane.rows[place].height);
      this.sliders[key].update(model, heights);
    }
    if (!this.cards) this.buildCards();
    this.draw();
  }

  buildCards() {
    const card = (parent, entry, number) => {
      const made = element("article", { class: "card" }, parent);
      element("h3", { text: entry.title }, made);
      element("p", { class: "about", text: entry.about }, made);
      const svg = shape("svg", { class: "mini", role: "img" }, made);
      addHatches(svg, `${this.id}c${number}`);
      const layer = shape("g", {}, svg);
      const foot = element("div", { class: "card-foot" }, made);
      const printed = element("span", { class: "printed" }, foot);
      const open = element("button", { type: "button", class: "tool", text: "Open" }, foot);
      open.setAttribute("aria-label", `Open ${entry.title} in the Playground`);
      open.addEventListener("click", () => this.component.setTriggerValue("open", number));
      return { svg, layer, printed, id: `${this.id}c${number}` };
    };
    const { toy, robustness } = this.data;
    this.cards = [
      ...toy.map((entry, index) => card(this.toyGrid, entry, index)),
      ...robustness.map((entry, index) => card(this.robustGrid, entry, toy.length + index)),
    ];
    const svg = shape("svg", { class: "mini", role: "img" }, this.adjustmentBox);
    addHatches(svg, `${this.id}w`);
    this.wide = { svg, layer: shape("g", {}, svg), id: `${this.id}w` };
  }

  rowOf(lane) {
    return lane.rows[lane.places[lane.slider ? this.sliders[lane.slider].at : 0]];
  }

  nameOf(key, name) {
    const slider = this.sliders[{ padf: "decay", pa_k: "k" }[key]];
    return slider ? `${name} (${slider.model.names[slider.at]})` : name;
  }

  printedOf(entry, key) {
    const slider = this.sliders[{ padf: "decay", pa_k: "k" }[key]];
    return entry.printed.find(
      (value) => value.lane === key && (value.at === null || value.at === slider.value),
    );
  }

  draw() {
    const width = this.root.clientWidth;
    if (!width || !this.data) return;
    const legendHeight = drawLegend(this.legendLayer, 0, 2, width, `${this.id}l`);
    this.legend.setAttribute("width", width);
    this.legend.setAttribute("height", legendHeight + 4);
    for (const slider of Object.values(this.sliders)) slider.draw();
    const { toy, robustness } = this.data;
    toy.forEach((entry, index) => this.drawCard(this.cards[index], entry, 20));
    robustness.forEach((entry, index) => {
      const card = this.cards[toy.length + index];
      this.drawCard(card, entry, 20);
      const printed = this.printedOf(entry, "padf");
      card.printed.textContent = printed
        ? `published ${printed.text} ${printed.agrees ? "✓" : "✗"}`
        : "";
    });
    const second = { ...toy[1], rows: { ...toy[1].rows } };
    second.rows.lanes = second.rows.lanes.filter((lane) => lane.key !== "pointwise");
    this.drawCard(this.wide, second, 30);
    const pa_k = second.rows.lanes.find((lane) => lane.key === "pa_k");
    const isFilled = this.rowOf(pa_k).credit[0] !== null;
    this.adjustments.querySelector(".lead").textContent =
      `One alarm, one step late. PA fills the segment, PA%K ${isFilled ? "fills it too" : "leaves it"}, ` +
      "PAdf fills it to the height of the credit.";
    this.rules.textContent = this.data.rules;
    this.drawTable();
    this.drawConditions();
  }

  // A small board: truth and detections as one lane each, then one lane per protocol.
  drawCard(card, entry, height) {
    const { labels, detections, segments, lanes } = entry.rows;
    const width = card.svg.parentElement.clientWidth - (card === this.wide ? 0 : 24);
    const cell = width / labels.length;
    card.layer.replaceChildren();
    let y = 0;
    const lane = (name, value, pieces) => {
      shape("text", { class: "mini-name", x: 0, y: y + 12 }, card.layer, name);
      const text = shape(
        "text", { class: "mini-score", x: width, y: y + 13, "text-anchor": "end" }, card.layer, value,
      );
      const place = { y: y + 18, h: height };
      drawPieces(shape("g", {}, card.layer), pieces, place, cell, card.id);
      drawSeparators(shape("g", {}, card.layer), [place], labels.length, cell);
      y += 18 + height + 6;
      return text;
    };
    lane("Truth", "", truthPieces(labels));
    lane("Detections", "", detectionPieces(labels, detections));
    for (const made of lanes) {
      const row = this.rowOf(made);
      const pieces = protocolPieces(labels, detections, segments, row.credit);
      lane(this.nameOf(made.key, made.name), row.f1, pieces).dataset.f1 = made.key;
    }
    drawSegmentBoxes(shape("g", {}, card.layer), segments, 15, y - 3, cell);
    card.svg.setAttribute("width", width);
    card.svg.setAttribute("height", y);
    const scores = lanes.map((made) => `${made.name} ${this.rowOf(made).f1}`).join(", ");
    card.svg.setAttribute("aria-label", `${entry.title}. F1: ${scores}.`);
  }

  drawTable() {
    const { toy } = this.data;
    const lanes = toy[0].rows.lanes;
    const rows = toy.map((entry) => [
      entry.title,
      ...entry.rows.lanes.map((lane) => {
        const printed = this.printedOf(entry, lane.key);
        const beside = printed ? `${printed.agrees ? "✓" : "✗"} ${printed.text}` : "";
        return [this.rowOf(lane).f1, beside];
      }),
    ]);
    drawTable(
      this.tableBox,
      ["Case", ...lanes.map((lane) => this.nameOf(lane.key, lane.name))],
      rows,
    );
  }

  drawConditions() {
    const { conditions, verdicts, ranges, toy } = this.data;
    const lanes = toy[0].rows.lanes;
    const verdictOf = (lane) => {
      const rows = verdicts[lane.key];
      return rows[lane.slider ? this.sliders[lane.slider].at : 0];
    };
    drawTable(
      this.conditionBox,
      ["Condition", ...lanes.map((lane) => this.nameOf(lane.key, lane.name))],
      conditions.map((condition, index) => [
        `${index + 1}. ${condition.text}`,
        ...lanes.map((lane) => [MARKS[verdictOf(lane)[index]], ""]),
      ]),
    );
    this.sentences.replaceChildren();
    for (const lane of lanes) {
      const failed = conditions.filter((_, index) => verdictOf(lane)[index] === "fail");
      const name = this.nameOf(lane.key, lane.name);
      const text = failed.length
        ? `${name} fails on ${listed(failed.map((condition) => condition.name))}.`
        : `${name} meets every required condition.`;
      element("p", { text }, this.sentences);
    }
    for (const text of ranges) element("p", { class: "range", text }, this.sentences);
  }
}

export default mountOnce(CasesPage);

function listed(names) {
  if (names.length < 2) return names.join();
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

// A table of texts; a cell may be [main, beside].
function drawTable(box, head, rows) {
  box.replaceChildren();
  const table = element("table", {}, box);
  const line = element("tr", {}, element("thead", {}, table));
  for (const text of head) element("th", { text, scope: "col" }, line);
  const body = element("tbody", {}, table);
  for (const [name, ...cells] of rows) {
    const made = element("tr", {}, body);
    element("th", { text: name, scope: "row" }, made);
    for (const [main, beside] of cells) {
      const cell = element("td", {}, made);
      element("span", { class: `main ${main.slice(0, 1) === "✗" ? "bad" : ""}`, text: main }, cell);
      if (beside) cell.append(" ", element("span", { class: "beside", text: beside }));
    }
  }
}

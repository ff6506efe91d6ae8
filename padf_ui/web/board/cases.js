// @ts-check
// The paper's cases, which all follow the sliders. Every score and verdict shown is a row from Python.

import { addTable, element, newDrawingId, setAll, shape } from "../core/dom.js";
import { drawLegend } from "../lanes/labels.js";
import { addHatches } from "../lanes/lanes.js";
import { isWide } from "../lanes/layout.js";
import { creditAt, curveOf, listNames, rowAt, scoreAt } from "../core/lookup.js";
import { buildMini, drawMini } from "../lanes/mini.js";
import { Drawing, mount } from "../core/mount.js";
import { Sliders } from "../core/slider.js";
import { writeTerms } from "../core/terms.js";
import { colourIn, followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").CasesData} CasesData
 * @typedef {import("../payload.d.ts").CaseRows} CaseRows
 * @typedef {import("../payload.d.ts").Lane} Lane
 * @typedef {import("../lanes/mini.js").Mini} Mini
 * @typedef {import("../core/mount.js").Component<CasesData>} CasesComponent
 */

/** @type {Record<string, string>} */
const MARKS = { pass: "✓ holds", fail: "✗ fails", differs: "– differs" };
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
const CARD_PADDING = 24;

/** @extends {Drawing<CasesData, import("../payload.d.ts").CasesAsk>} */
class CasesPage extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.id = newDrawingId();
    this.sliders = new Sliders(
      root,
      {
        onMove: () => {
          this.message.textContent = "";
          this.draw();
        },
        onRelease: (key, value) => this.ask({ settings: { [key]: value } }),
        onRefuse: (message) => (this.message.textContent = message),
      },
      "sliders sticky",
    );
    this.message = element("div", { class: "message", role: "status" }, root);
    this.rules = element("p", { class: "rules" }, root);
    this.legend = shape("svg", { class: "legend", "aria-hidden": "true" }, root);
    addHatches(this.legend, `${this.id}l`);
    this.legendLayer = shape("g", {}, this.legend);
    this.parts = buildSections(root);
    /** @type {(Mini & {printed: HTMLElement})[]} */
    this.cards = [];
    /** @type {Mini | undefined} */
    this.second = undefined;
  }

  /** @param {CasesComponent} component */
  receive(component) {
    const { data } = component;
    this.component = component;
    this.asker.receive(data);
    followTheme(this.root);
    this.sliders.update(
      data.sliders,
      (model) => {
        const { lanes } = data.toy[1].rows;
        const lane = lanes.find((candidate) => candidate.key === model.lane) ?? lanes[0];
        const colour = colourIn(lane.colours, this.root);
        return { heights: curveOf(lane), name: lane.name, colour };
      },
      this.asker.wanted.settings ?? {},
    );
    if (this.cards.length !== data.toy.length + data.robustness.length) this.buildCards(data);
    for (const { lead, text } of this.parts.leads) writeTerms(lead, text, data.terms);
    this.draw();
    this.asker.go();
  }

  /** @param {CasesData} data */
  buildCards({ toy, robustness }) {
    const { toyGrid, robustGrid, adjustmentBox } = this.parts;
    for (const box of [toyGrid, robustGrid, adjustmentBox]) box.replaceChildren();
    this.cards = [...toy, ...robustness].map((entry, number) => {
      const card = element("article", { class: "card" }, number < toy.length ? toyGrid : robustGrid);
      element("h3", {}, card, entry.title);
      element("p", { class: "about" }, card, entry.about);
      const mini = buildMini(card, `${this.id}c${number}`);
      const foot = element("div", { class: "card-foot" }, card);
      const printed = element("span", { class: "printed" }, foot);
      const open = element("button", { type: "button", class: "tool" }, foot, "Open");
      open.setAttribute("aria-label", `Open ${entry.title} in the Playground`);
      open.addEventListener("click", () => this.ask({ open: number }));
      return { ...mini, printed };
    });
    this.second = buildMini(adjustmentBox, `${this.id}w`);
  }

  /** @param {Lane} lane */
  rowOf(lane) {
    return rowAt(lane, this.sliders.stepOf(lane.slider));
  }

  /** @param {Lane} lane */
  scoreOf(lane) {
    return scoreAt(lane, this.rowOf(lane));
  }

  /** @param {Lane} lane */
  nameOf(lane) {
    const parameter = this.sliders.nameAt(lane.slider);
    return parameter ? `${lane.name} (${parameter})` : lane.name;
  }

  /**
   * Returns the published value of a lane at the slider's step, or undefined if there is none.
   * @param {CaseRows} entry
   * @param {Lane} lane
   */
  printedOf(entry, lane) {
    const value = this.sliders.get(lane.slider)?.value;
    return entry.printed.find(
      (printed) => printed.lane === lane.key && (printed.at === null || printed.at === value),
    );
  }

  /** @override */
  draw() {
    const width = this.root.clientWidth;
    const data = this.component?.data;
    if (!width || !data) return;
    this.root.classList.toggle("narrow", !isWide(width));
    const height = drawLegend(this.legendLayer, 0, width, `${this.id}l`);
    setAll(this.legend, { width, height: height + 4 });
    this.sliders.draw();
    this.drawCards(data);
    this.drawAdjustments(data.toy[1], data.terms);
    this.rules.textContent = data.rules;
    this.drawTable(data);
    this.drawConditions(data);
    this.showStale();
  }

  /** @param {CasesData} data */
  drawCards({ toy, robustness }) {
    [...toy, ...robustness].forEach((entry, number) => {
      const card = this.cards[number];
      this.drawMini(card, entry, entry.rows.lanes, 20, CARD_PADDING);
      const printed = number < toy.length ? undefined : this.printedOf(entry, entry.rows.lanes[0]);
      const text = printed ? `published ${printed.text} ${printed.agrees ? "✓" : "✗"}` : "";
      card.printed.textContent = text;
    });
  }

  /**
   * @param {CaseRows} second
   * @param {Record<string, string>} terms
   */
  drawAdjustments(second, terms) {
    const lanes = second.rows.lanes.slice(1);
    if (this.second) this.drawMini(this.second, second, lanes, 30, 0);
    const { title, lead } = this.parts.adjustments;
    title.textContent = `Fig. 2: ${NUMBERS[lanes.length]} adjustments of case 2`;
    const words = lanes.map((lane) => this.adjustmentOf(lane)).filter(Boolean);
    const said = `${words.join(", ")}${words.length ? "." : ""}`;
    writeTerms(lead, `One **alarm**, one step late. ${said}`, terms);
  }

  /** @param {Lane} lane */
  adjustmentOf(lane) {
    const isFilled = creditAt(lane.credit, this.rowOf(lane), 0) >= 0;
    /** @type {Record<string, string>} */
    const words = {
      pa: "fills the **segment**",
      pa_k: isFilled ? "fills it too" : "leaves it unchanged",
      padf: "fills it up to the height of the **credit**",
    };
    return words[lane.key] ? `**${lane.name}** ${words[lane.key]}` : "";
  }

  /**
   * @param {Mini} mini
   * @param {CaseRows} entry
   * @param {Lane[]} lanes
   * @param {number} height of a lane
   * @param {number} padding
   */
  drawMini(mini, entry, lanes, height, padding) {
    const shown = lanes.map((lane) => ({
      ...lane,
      name: this.nameOf(lane),
      row: this.rowOf(lane),
      score: this.scoreOf(lane),
    }));
    const scores = lanes.map((lane) => `${lane.name} ${this.scoreOf(lane)}`).join(", ");
    drawMini(mini, entry.rows, shown, height, padding, `${entry.title}. F1: ${scores}.`);
  }

  /** @param {CasesData} data */
  drawTable({ toy }) {
    const head = ["Case", ...toy[0].rows.lanes.map((lane) => this.nameOf(lane))];
    const rows = toy.map((entry) => ({
      name: entry.title,
      cells: entry.rows.lanes.map((lane) => {
        const printed = this.printedOf(entry, lane);
        const beside = printed ? `${printed.agrees ? "✓" : "✗"} ${printed.text}` : "";
        return { main: this.scoreOf(lane), beside };
      }),
    }));
    drawTable(this.parts.tableBox, head, rows);
  }

  /** @param {CasesData} data */
  drawConditions({ conditions, verdicts, ranges, toy }) {
    const { lanes } = toy[0].rows;
    /** @param {Lane} lane */
    const verdictOf = (lane) => verdicts[lane.key][this.sliders.stepOf(lane.slider)];
    const rows = conditions.map((condition, index) => ({
      name: `${index + 1}. ${condition.text}`,
      cells: lanes.map((lane) => ({ main: MARKS[verdictOf(lane)[index]], beside: "" })),
    }));
    const head = ["Condition", ...lanes.map((lane) => this.nameOf(lane))];
    drawTable(this.parts.conditionBox, head, rows);
    const { sentences } = this.parts;
    sentences.replaceChildren();
    for (const lane of lanes) {
      const failed = conditions.flatMap(({ name }, index) =>
        verdictOf(lane)[index] === "fail" ? [`${index + 1} (${name})`] : [],
      );
      const noun = failed.length === 1 ? "condition" : "conditions";
      const said = failed.length
        ? `fails ${noun} ${listNames(failed)}.`
        : "meets every required condition.";
      element("p", {}, sentences, `${this.nameOf(lane)} ${said}`);
    }
    for (const text of ranges) element("p", { class: "range" }, sentences, text);
  }
}

/** @param {HTMLElement} root */
function buildSections(root) {
  const toy = addSection(
    root,
    "Fig. 1: five detectors under every protocol",
    "One anomaly of seven points. Move d and K above to see which detector wins.",
  );
  const table = addSection(
    root,
    "Table 1: computed and published values",
    "**F1** at the sliders' d and K. ✓ means that our value matches the published one, rounded or truncated (the paper prints 14/19 = 0.7368 as 0.736). The paper gives values at K = 20, d = 0.7 and d = 0.9.",
  );
  const conditions = addSection(
    root,
    "Sec. 5.1: what an evaluation should do",
    "The paper sets four conditions for a **protocol** on these five cases. The third is optional.",
  );
  const toyGrid = element("div", { class: "case-grid" }, toy.section);
  const tableBox = addTableBox(table.section, "Table 1, computed and published");
  const conditionBox = addTableBox(conditions.section, "Conditions of Sec. 5.1 by protocol");
  const sentences = element("div", { class: "sentences" }, conditions.section);
  const adjustments = addSection(root, "", "");
  const adjustmentBox = element("div", { class: "case-wide" }, adjustments.section);
  const robust = addSection(
    root,
    "Robustness: sixteen detectors under PAdf",
    "Computed at the slider's d. At d = 0.9, each card also shows the published value from Table 4.",
  );
  const robustGrid = element("div", { class: "case-grid small" }, robust.section);
  const leads = [toy, table, conditions, robust];
  return { toyGrid, tableBox, conditionBox, sentences, adjustments, adjustmentBox, robustGrid, leads };
}

/**
 * @param {Element} root
 * @param {string} title
 * @param {string} text the lead, with ** around terms
 */
function addSection(root, title, text) {
  const section = element("section", {}, root);
  return {
    section,
    title: element("h2", {}, section, title),
    lead: element("p", { class: "lead" }, section),
    text,
  };
}

/**
 * @param {Element} parent
 * @param {string} label
 */
function addTableBox(parent, label) {
  const region = { class: "table-box", tabindex: 0, role: "region", "aria-label": label };
  return element("div", region, parent);
}

/**
 * @param {Element} box cleared first
 * @param {string[]} head
 * @param {{name: string, cells: {main: string, beside: string}[]}[]} rows
 */
function drawTable(box, head, rows) {
  box.replaceChildren();
  addTable(box, head, rows, (cell, { main, beside }) => {
    element("span", { class: main.startsWith("✗") ? "main bad" : "main" }, cell, main);
    if (beside) cell.append(" ", element("span", { class: "beside" }, undefined, beside));
  });
}

export default mount("cases", CasesPage);

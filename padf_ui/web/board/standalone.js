// @ts-check
// A board, a step or a whole lesson in one HTML file. The file contains Python's rows, so the sliders
// work without a server.

import { element } from "../core/dom.js";
import { Board } from "./drawing.js";
import { meaningOf, readKey } from "../core/keys.js";
import { tailorOf } from "./tailor.js";

/**
 * @typedef {import("../payload.d.ts").FileData} FileData
 * @typedef {import("../payload.d.ts").FileStep} FileStep
 * @typedef {import("../payload.d.ts").FileQuestion} FileQuestion
 * @typedef {import("../payload.d.ts").BoardData} BoardData
 */

const LETTERS = "ABCDEFGHIJ";
const KEPT_TOOLS = ["svg", "png"];

/**
 * Returns the step that an address names, counted from 0. Without one, returns the first step.
 * @param {string} hash "#step=3"
 * @param {number} count
 */
export function stepInHash(hash, count) {
  const wanted = Number(/^#step=(\d+)$/.exec(hash)?.[1] ?? 1);
  return Math.max(0, Math.min(count - 1, wanted - 1));
}

/**
 * Returns a board whose sliders work but that cannot be painted, because there is no server to ask.
 * @param {BoardData} data
 * @param {number} number distinguishes it from other boards
 * @param {boolean} waits whether a question waits for its answer
 * @returns {BoardData}
 */
export function lockBoard(data, number, waits) {
  const tailor = { ...tailorOf(data), paint: [], tools: KEPT_TOOLS, waits };
  return { ...data, session: `step ${number}`, answered: 0, hint: false, tailor };
}

/**
 * @param {HTMLElement} root
 * @param {BoardData} data
 */
function componentOf(root, data) {
  return { data, parentElement: root, setStateValue() {}, setTriggerValue() {} };
}

class FilePage {
  /**
   * @param {HTMLElement} root
   * @param {FileData} payload
   */
  constructor(root, payload) {
    this.steps = payload.steps;
    this.at = 0;
    /** @type {(number | undefined)[]} the answer given at each step */
    this.given = [];
    const screen = element("div", { class: "screen" }, root);
    if (this.hasMany) element("h1", {}, screen, payload.title);
    this.title = element("h2", { "aria-live": "polite" }, screen);
    this.text = element("div", { class: "step-text" }, screen);
    this.boardRoot = element("div", { class: "board" }, screen);
    this.board = new Board(this.boardRoot);
    this.question = element("div", { class: "question" }, screen);
    this.ways = this.hasMany ? this.buildWays(screen) : undefined;
    element("p", { class: "file-name" }, screen, payload.name);
    addEventListener("hashchange", () => this.show(stepInHash(location.hash, this.steps.length)));
    addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawBoard());
    this.show(stepInHash(location.hash, this.steps.length));
  }

  get hasMany() {
    return this.steps.length > 1;
  }

  /** @param {Element} screen */
  buildWays(screen) {
    const nav = element("nav", { class: "ways", "aria-label": "Steps" }, screen);
    const back = element("button", { type: "button", class: "way" }, nav, "◀ Back");
    const dots = element("div", { class: "dots" }, nav);
    const marks = this.steps.map((step, index) => {
      const label = `Step ${index + 1} of ${this.steps.length}: ${step.title}`;
      const dot = element("button", { type: "button", class: "dot", "aria-label": label }, dots);
      dot.addEventListener("click", () => this.go(index));
      return dot;
    });
    const next = element("button", { type: "button", class: "way" }, nav, "Next ▶");
    back.addEventListener("click", () => this.go(this.at - 1));
    next.addEventListener("click", () => this.go(this.at + 1));
    return { back, next, marks };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const meaning = this.hasMany ? meaningOf(readKey(event)) : undefined;
    if (!meaning || !("step" in meaning)) return;
    event.preventDefault();
    this.go(this.at + meaning.step);
  }

  /** @param {number} index */
  go(index) {
    if (index < 0 || index >= this.steps.length || index === this.at) return;
    this.show(index);
    location.hash = `step=${index + 1}`;
  }

  /** @param {number} index */
  show(index) {
    this.at = index;
    const step = this.steps[index];
    this.title.textContent = step.title;
    writeParagraphs(this.text, step.text);
    this.drawBoard();
    this.drawQuestion();
    if (!this.ways) return;
    this.ways.back.disabled = index === 0;
    this.ways.next.disabled = index === this.steps.length - 1;
    this.ways.marks.forEach((mark, number) => {
      if (number === index) mark.setAttribute("aria-current", "step");
      else mark.removeAttribute("aria-current");
    });
  }

  drawBoard() {
    const { board, question } = this.steps[this.at];
    const waits = question !== undefined && this.given[this.at] === undefined;
    const data = lockBoard(board, this.at, waits);
    this.board.receive(componentOf(this.boardRoot, data));
  }

  drawQuestion() {
    const { question } = this.steps[this.at];
    const given = this.given[this.at];
    this.question.replaceChildren();
    if (!question) return;
    element("p", { class: "asked" }, this.question, question.text);
    const box = element("div", { class: "answers", role: "group" }, this.question);
    box.setAttribute("aria-label", question.text);
    question.answers.forEach((text, index) => {
      const isRight = given !== undefined && index === question.right;
      const mark = isRight ? "✓ " : index === given ? "✗ " : "";
      const button = element("button", { type: "button", class: "answer" }, box, mark + text);
      button.setAttribute("aria-pressed", String(index === given));
      button.addEventListener("click", () => this.answer(index));
    });
    const said = given === undefined ? "" : question.verdicts[given];
    element("p", { class: "why", role: "status" }, this.question, said);
  }

  /** @param {number} index */
  answer(index) {
    this.given[this.at] = index;
    this.drawBoard();
    this.drawQuestion();
    const buttons = this.question.querySelectorAll("button");
    buttons[index].focus();
  }
}

/**
 * @param {Element} box cleared first
 * @param {string} text
 */
function writeParagraphs(box, text) {
  box.replaceChildren();
  for (const part of text.split(/\n\s*\n/)) element("p", {}, box, part);
}

/**
 * Adds the print version: all steps with their pictures, then the answers on a separate page.
 * @param {HTMLElement} root
 * @param {FileData} payload
 */
function addPrint(root, { title, name, steps }) {
  const print = element("div", { class: "print" }, root);
  if (steps.length > 1) element("h1", {}, print, title);
  steps.forEach((step, index) => {
    const section = element("section", { class: "print-step" }, print);
    element("h2", {}, section, steps.length > 1 ? `${index + 1}. ${step.title}` : step.title);
    writeParagraphs(element("div", { class: "step-text" }, section), step.text);
    const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(pictureOf(root, step, index))}`;
    element("img", { src, alt: `Board of step ${index + 1}.` }, section);
    if (step.question) printQuestion(section, step.question);
  });
  element("p", { class: "file-name" }, print, name);
  if (steps.some((step) => step.question)) printAnswers(print, steps);
}

/**
 * Draws a board outside the visible page, in colours for print, and returns it as SVG.
 * @param {HTMLElement} root
 * @param {FileStep} step
 * @param {number} index
 */
function pictureOf(root, step, index) {
  const place = element("div", { class: "board out-of-sight" }, root);
  const board = new Board(place);
  board.receive(componentOf(place, lockBoard(step.board, index, Boolean(step.question))));
  const picture = board.picture();
  board.close();
  place.remove();
  return picture;
}

/**
 * @param {Element} section
 * @param {FileQuestion} question
 */
function printQuestion(section, { text, answers }) {
  element("p", { class: "asked" }, section, text);
  answers.forEach((answer, index) => {
    element("p", { class: "print-answer" }, section, `${LETTERS[index]}. ${answer}`);
  });
}

/**
 * @param {Element} print
 * @param {FileStep[]} steps
 */
function printAnswers(print, steps) {
  const section = element("section", { class: "print-answers" }, print);
  element("h2", {}, section, "Answers");
  steps.forEach(({ title, question }, index) => {
    if (!question) return;
    const { answers, right, why } = question;
    const line = element("p", {}, section);
    element("strong", {}, line, `${index + 1}. ${title}: ${LETTERS[right]}. ${answers[right]}`);
    line.append(` ${why}`);
  });
}

/**
 * @param {HTMLElement} documentRoot
 * @param {FileData} payload
 */
export default function start(documentRoot, payload) {
  addPrint(documentRoot, payload);
  return new FilePage(documentRoot, payload);
}

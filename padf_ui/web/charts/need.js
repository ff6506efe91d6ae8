// @ts-check
// A need as a sentence with numbers that can be dragged, and its decay with a star that can be dragged.
// Everything shown at any step of the numbers comes from Python.

import { element } from "../core/dom.js";
import { isWide } from "../lanes/layout.js";
import { tellNow } from "../core/live.js";
import { textAt } from "../core/lookup.js";
import { Drawing, mount } from "../core/mount.js";
import { NeedCurve } from "./need_curve.js";
import { NeedNumbers } from "./need_numbers.js";
import { NeedSentence } from "./need_sentence.js";
import { onPaper, saveSvg } from "../core/picture.js";
import { colourIn, followTheme } from "../core/theme.js";

/**
 * @typedef {import("../payload.d.ts").NeedData} NeedData
 * @typedef {import("../core/mount.js").Component<NeedData>} NeedComponent
 */

/** @extends {Drawing<NeedData, import("../payload.d.ts").NeedAsk>} */
class Need extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    /** @type {NeedData | undefined} the rows shown; Python's newest replace them when nothing is held */
    this.data = undefined;
    this.isUsed = false;
    this.numbers = new NeedNumbers({
      onMove: () => this.move(),
      onRelease: () => this.release(),
      onReturn: () => this.takeBack(),
    });
    const told = element("div", { class: "need-told" }, root);
    this.words = element("p", { class: "need-words" }, told);
    this.sentence = new NeedSentence(this.words, this.numbers, (typed) => {
      this.isUsed = true;
      this.asker.ask({ typed });
      this.draw();
    });
    this.said = element("p", { class: "need-said" }, told);
    const save = element("button", { class: "tool", type: "button" }, told, "Figure (SVG)");
    save.title = "Save the figure for a paper. Print it to get a PDF.";
    save.addEventListener("click", () => this.save());
    this.curve = new NeedCurve(root, this.numbers);
    const hint = "◀ drag a number or the star ▶";
    this.hint = element("span", { class: "front-hint need-hint" }, this.curve.plot, hint);
  }

  /** @param {NeedComponent} component */
  receive(component) {
    this.asker.receive(component.data);
    this.component = component;
    followTheme(this.root);
    if (!this.numbers.isHeld && !this.asker.isWaiting) this.takeRows(component.data);
    this.draw();
    this.asker.go();
  }

  /** @param {NeedData} data */
  takeRows(data) {
    const isOther = this.data?.parts.join() !== data.parts.join();
    this.data = data;
    this.numbers.take(data.numbers);
    if (isOther) this.sentence.build(data);
  }

  /** @override */
  draw() {
    const { data, root, numbers } = this;
    if (!data || !root.clientWidth) return;
    root.classList.toggle("narrow", !isWide(root.clientWidth));
    root.style.setProperty("--curve", colourIn(data.colours, root));
    this.sentence.show(data.slots);
    const { seconds, share, grace } = numbers.at;
    const decay = textAt(data.said, seconds * data.credit.length + share);
    this.said.textContent = `${decay} ${data.begins[grace]}`;
    this.curve.draw(data, `What an alarm is worth: ${this.words.textContent}`);
    this.hint.hidden = this.isUsed;
    root.dataset.stale = String(this.asker.isWaiting || numbers.isHeld);
  }

  // A new grace period changes more than this number, so other components must wait for Python.
  move() {
    const { numbers } = this;
    this.isUsed = true;
    const isSame = numbers.at.grace === numbers.before.grace;
    const per = this.data?.reaches[numbers.at.share] ?? 1;
    tellNow("need", isSame ? per * numbers.numberAt("seconds") : null);
    this.draw();
  }

  takeBack() {
    this.curve.release();
    tellNow("need", null);
    this.draw();
  }

  release() {
    this.curve.release();
    if (this.numbers.isMoved) this.asker.ask({ numbers: this.numbers.values });
    else {
      tellNow("need", null);
      if (this.component && !this.asker.isWaiting) this.takeRows(this.component.data);
    }
    this.draw();
  }

  save() {
    const { svg } = this.curve;
    const title = svg.getAttribute("aria-label") ?? "";
    saveSvg(onPaper(this.root, svg, title, () => this.draw()), "padf-credit-over-delay.svg");
  }
}

export default mount("need", Need);

// @ts-check
// A replay on the clock: incidents as they ran, detectors and the watcher side by side. Every number
// and sentence is Python's; here time passes.

import { element, kept, shape } from "../core/dom.js";
import { isWide } from "../lanes/layout.js";
import { Drawing } from "../core/mount.js";
import { composeSvg, savePng, saveSvg } from "../core/picture.js";
import {
  advance, callsUntil, clockText, firstPress, happens, isFineClip, nextEvent, phaseAt, pointTime,
  stopwatch, worthAt,
} from "./playing.js";
import { Stage } from "./stage.js";
import { colourIn, followTheme, isStill } from "../core/theme.js";
import { addTool, addToolbar, Status, copyLink } from "../core/toolbar.js";

/**
 * @typedef {import("../payload.d.ts").ReplayData} ReplayData
 * @typedef {import("../payload.d.ts").ReplayRow} ReplayRow
 * @typedef {import("../payload.d.ts").ReplayClip} ReplayClip
 * @typedef {import("./playing.js").Position} Position
 * @typedef {import("./playing.js").Phase} Phase
 * @typedef {import("../core/mount.js").Component<ReplayData>} ReplayComponent
 * @typedef {{box: HTMLElement, name: HTMLElement, rule: HTMLElement, said: HTMLElement, calls: HTMLElement}} Seat
 */

const SIDE = 320;
const STEP_MS = 1000;
const RING_MS = 700;
/** @type {import("../payload.d.ts").MOST_PRESSES} as many as Python takes for a clip */
const MOST_PRESSES = 100;
const BEEP = { hertz: [660, 440], seconds: 0.12, volume: 0.08 };
const ICONS = {
  play: "M3,2L14,8L3,14Z",
  pause: "M3,2H6.5V14H3ZM9.5,2H13V14H9.5Z",
  back: "M2,2H4.5V14H2ZM14,2V14L5.5,8Z",
  next: "M11.5,2H14V14H11.5ZM2,2V14L10.5,8Z",
};
const KEYS = "Space plays and pauses, arrow keys move by a point, N goes to the next event, I says that you see it.";

/** @extends {Drawing<ReplayData, import("../payload.d.ts").ReplayAsk>} */
export class Replay extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    /** @type {ReplayData | undefined} */
    this.data = undefined;
    /** @type {Position} */
    this.at = { clip: 0, seconds: 0 };
    /** @type {number[][]} when the watcher pressed, clip by clip */
    this.presses = [];
    this.speed = 60;
    this.isPlaying = false;
    this.hasSound = kept("sound", { on: false });
    /** @type {number | undefined} */
    this.frame = undefined;
    this.last = 0;
    this.main = element("div", { class: "replay-main" }, root);
    this.stageBox = element("div", { class: "stage", tabindex: 0, role: "group", "aria-label": KEYS }, this.main);
    this.stage = new Stage(this.stageBox, root);
    this.note = element("p", { class: "replay-note" }, this.stageBox);
    this.invitation = element("div", { class: "replay-invitation" }, this.stageBox);
    this.big = element("button", { type: "button", class: "replay-big" }, this.invitation);
    addIcon(this.big, ICONS.play);
    this.big.append(" Play");
    this.asks = element("p", { class: "replay-asks" }, this.invitation);
    this.controls = this.buildControls();
    this.side = this.buildSide();
    this.card = element("div", { class: "replay-card", role: "region", "aria-label": "How it went" }, root);
    this.setOver(false);
    this.status = new Status(root);
    this.listen();
  }

  /** @override */
  close() {
    super.close();
    this.pause();
    this.status.close();
  }

  // ---- building ------------------------------------------------------------------------------

  buildControls() {
    const bar = addToolbar(this.main, "Playing");
    bar.classList.add("replay-controls");
    const back = { name: "back", text: "", title: "To the beginning", label: "to the beginning" };
    addIcon(addTool(bar, { ...back, run: () => this.goBack() }), ICONS.back);
    const play = addTool(bar, { name: "play", text: "", title: "Play or pause (space)", run: () => this.toggle() });
    const icon = addIcon(play, ICONS.play);
    const next = { name: "next", text: "next event ", title: "Step to the next event (N)" };
    addIcon(addTool(bar, { ...next, run: () => this.goNext() }), ICONS.next);
    const scrub = element("input", { type: "range", class: "replay-scrub", min: 0, max: 1000, step: "any", "aria-label": "time" }, bar);
    const label = element("label", { class: "replay-speed" }, bar, "speed ");
    const speed = element("select", { "aria-label": "speed" }, label);
    const sound = { name: "sound", text: "", title: "Let alarms be heard" };
    const loud = addTool(bar, { ...sound, run: () => this.toggleSound() });
    return { bar, play, icon, scrub, speed, loud };
  }

  buildSide() {
    const top = element("div", { class: "replay-top" }, this.root);
    const title = element("p", { class: "replay-title" }, top);
    const clock = element("p", { class: "replay-clock" }, top);
    const gauge = element("div", { class: "replay-gauge" }, top);
    const now = element("p", { class: "replay-now" }, gauge);
    const bar = element("span", { class: "replay-bar", "aria-hidden": "true" }, gauge);
    const fill = element("span", { class: "replay-fill" }, bar);
    const see = element("button", { type: "button", class: "replay-see" }, this.root, "I see it");
    const seats = element("div", { class: "replay-seats" }, this.root);
    return { title, clock, now, fill, seats, see, all: /** @type {Seat[]} */ ([]) };
  }

  listen() {
    const { controls, side, big, stageBox } = this;
    big.addEventListener("click", () => this.toggle());
    side.see.addEventListener("click", () => this.press());
    controls.scrub.addEventListener("input", () => this.scrub(Number(controls.scrub.value)));
    controls.speed.addEventListener("change", () => (this.speed = Number(controls.speed.value)));
    stageBox.addEventListener("pointerdown", (event) => {
      if (event.composedPath().includes(big) || event.button !== 0) return;
      stageBox.setPointerCapture(event.pointerId);
      this.pause();
      this.scrubTo(event);
    });
    stageBox.addEventListener("pointermove", (event) => {
      if (stageBox.hasPointerCapture(event.pointerId)) this.scrubTo(event);
    });
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  // ---- what comes ----------------------------------------------------------------------------

  /** @param {ReplayComponent} component */
  receive(component) {
    this.component = component;
    const { data } = component;
    const isNew = this.data?.key !== data.key;
    const isAlike = this.data !== undefined && shapeOf(this.data) === shapeOf(data);
    this.asker.receive(data);
    this.data = data;
    followTheme(this.root);
    if (isNew) this.begin(isAlike);
    this.draw();
    if (!this.card.hidden) this.fillCard();
    this.asker.go();
  }

  /**
   * Begins another replay; where only rules or worth differ, the clock stays where it is.
   * @param {boolean} staysPut
   */
  begin(staysPut) {
    const { rows } = this.current;
    if (!staysPut) {
      this.pause();
      this.at = this.start;
      this.setOver(false);
    }
    this.presses = rows.clips.map(() => []);
    this.speed = staysPut && rows.speeds.includes(this.speed) ? this.speed : rows.speed;
    this.controls.speed.replaceChildren();
    for (const speed of rows.speeds) {
      element("option", { value: speed }, this.controls.speed, `${speed}x`);
    }
    this.controls.speed.value = String(this.speed);
    this.side.seats.replaceChildren();
    this.side.all = [...rows.detectors.map(({ name }) => name), "You"].map((name) => {
      return buildSeat(this.side.seats, name);
    });
    rows.detectors.forEach(({ rule }, index) => (this.side.all[index].rule.textContent = rule));
  }

  /** Where a replay begins: with something to see, and nothing happening yet. */
  get start() {
    return { clip: 0, seconds: 0.6 * this.clips[0].onset };
  }

  /** @returns {ReplayData} */
  get current() {
    if (!this.data) throw new Error("Nothing has been sent to replay.");
    return this.data;
  }

  get clips() {
    return this.current.rows.clips;
  }

  get clip() {
    return this.clips[this.at.clip];
  }

  // ---- drawing -------------------------------------------------------------------------------

  /** @override */
  draw() {
    const width = this.root.clientWidth;
    if (!this.data || !width) return;
    const wide = isWide(width);
    this.root.classList.toggle("narrow", !wide);
    this.drawStage(wide ? width - SIDE - 20 : width);
    this.side.all.forEach(({ box }, index) => {
      const colours = this.current.rows.detectors[index]?.colours;
      box.style.setProperty("--curve", colourIn(colours, this.root) || "var(--ink)");
    });
    this.show();
  }

  /** @param {number} width */
  drawStage(width) {
    this.stage.draw(this.current.rows, this.clip, width);
    this.drawn = this.at.clip;
    this.drawPresses();
  }

  drawPresses() {
    const { clip } = this;
    const own = this.presses[this.at.clip].map((seconds) => pointTime(clip, seconds));
    const first = firstPress(clip, own);
    this.stage.drawPresses(clip, own, first, first === null ? 0 : (worthAt(clip, first) ?? 0));
  }

  // Everything that time moves.
  show() {
    const { at, clip, side } = this;
    const { rows } = this.current;
    if (this.drawn !== at.clip) this.drawStage(this.stage.width);
    this.stage.show(at.seconds);
    const isFine = isFineClip(clip);
    write(side.clock, clockText(clip.begins + at.seconds, rows.has_clock, isFine));
    write(side.title, rows.clips.length > 1 ? `${rows.title}: ${clip.title}` : rows.title);
    this.showWorth(clip);
    side.all.forEach((seat, index) => this.showSeat(seat, index, isFine));
    const { start } = this;
    this.invitation.hidden = this.isPlaying || at.clip > 0 || at.seconds > start.seconds;
    const names = [...rows.detectors.map(({ name }) => name), "you"];
    write(this.asks, `An incident is coming. Who sees it first: ${names.slice(0, -1).join(", ")} or you?`);
    const isBefore = at.seconds < clip.onset && this.invitation.hidden;
    write(this.note, isBefore ? clip.skipped : "");
    this.controls.icon.setAttribute("d", this.isPlaying ? ICONS.pause : ICONS.play);
    this.controls.play.setAttribute("aria-label", this.isPlaying ? "pause" : "play");
    this.controls.scrub.max = String(clip.seconds);
    this.controls.scrub.value = String(at.seconds);
    this.controls.scrub.setAttribute("aria-valuetext", side.clock.textContent ?? "");
    write(this.controls.loud, this.hasSound.on ? "sound is on" : "sound is off");
    this.controls.loud.setAttribute("aria-pressed", String(this.hasSound.on));
  }

  /** @param {ReplayClip} clip */
  showWorth(clip) {
    const { side, at } = this;
    const worth = worthAt(clip, at.seconds);
    const isOver = at.seconds >= clip.over;
    const words = isOver ? "The incident is over" : "All is quiet";
    write(side.now, worth === null ? words : `An alarm now is worth ${worth} %`);
    side.fill.style.width = `${worth ?? 0}%`;
  }

  /**
   * @param {Seat} seat
   * @param {number} index
   * @param {boolean} isFine
   */
  showSeat({ box, said, calls }, index, isFine) {
    const { at, clip, clips } = this;
    const { rows, watched } = this.current;
    const track = clip.tracks[index];
    const own = track ? null : firstPress(clip, this.presses[at.clip]);
    const noticed = track ? track.noticed : own;
    const phase = phaseAt(clip, noticed, at.seconds);
    box.dataset.phase = phase;
    write(said, this.wordsOf(phase, clip, at.seconds, isFine, track ? track.said : this.ownWords(own)));
    if (track) {
      const count = callsUntil(clips, index, at);
      const far = rows.detectors[index].calls;
      write(calls, `${count} false ${count === 1 ? "call" : "calls"} so far, ${far} a day in all the data`);
      return;
    }
    const wrong = countWrong(clips, this.presses, at);
    const isScored = watched && isSame(watched.presses, this.presses);
    const scored = isScored ? `; usual score ${watched.row.cells[0]}, time-aware ${watched.row.cells[1]}` : "";
    write(calls, `${wrong} false ${wrong === 1 ? "call" : "calls"}${scored}`);
  }

  /**
   * @param {Phase} phase
   * @param {ReplayClip} clip
   * @param {number} seconds
   * @param {boolean} isFine
   * @param {string} told
   */
  wordsOf(phase, clip, seconds, isFine, told) {
    if (phase === "quiet") return "quiet";
    if (phase === "unnoticed") return `unnoticed for ${stopwatch(seconds - clip.onset, isFine)}`;
    return told;
  }

  /**
   * Returns what is said of the watcher in this clip: Python's words, once they are there.
   * @param {number | null} own
   */
  ownWords(own) {
    const { clip, at } = this;
    const scored = this.current.watched;
    if (scored && isSame(scored.presses, this.presses)) return scored.said[at.clip];
    if (own === null) return "not seen";
    const when = clockText(clip.begins + own, this.current.rows.has_clock, isFineClip(clip));
    return `seen at ${when.split(" ").at(-1)}, worth ${worthAt(clip, own) ?? 0} %`;
  }

  // ---- playing -------------------------------------------------------------------------------

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
    this.show();
  }

  play() {
    if (!this.card.hidden) this.again();
    this.isPlaying = true;
    this.last = performance.now();
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  pause() {
    this.isPlaying = false;
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
  }

  /** @param {number} now */
  tick(now) {
    if (!this.isPlaying) return;
    const gone = Math.max(0, now - this.last);
    // Where motion is not wanted, time goes on in steps of a second.
    if (!isStill() || gone >= STEP_MS) {
      this.last = now;
      this.pass((gone / 1000) * this.speed);
    }
    if (this.isPlaying) this.frame = requestAnimationFrame((next) => this.tick(next));
  }

  /** @param {number} by seconds of the replay */
  pass(by) {
    const before = this.at;
    const { clip, seconds, isOver } = advance(this.clips, before, by);
    this.at = { clip, seconds };
    this.ring(clip === before.clip ? before.seconds : -1, seconds);
    this.show();
    if (isOver) this.finish();
  }

  /**
   * Rings for what happens between two moments.
   * @param {number} from
   * @param {number} to
   */
  ring(from, to) {
    const { onset, noticed, wrong } = happens(this.clip, from, to);
    const names = this.current.rows.detectors.map(({ name }) => name);
    if (onset) this.status.say("The incident begins.");
    names.forEach((name, index) => {
      if (noticed[index]) this.status.say(`${name}: ${this.clip.tracks[index].said}`);
      else if (wrong[index]) this.status.say(`${name}: a false call`);
      if (noticed[index] || wrong[index]) this.flash(this.side.all[index].box, wrong[index]);
    });
  }

  /**
   * @param {HTMLElement} box
   * @param {boolean} isFalse
   */
  flash(box, isFalse) {
    box.classList.add(isFalse ? "rings-false" : "rings");
    setTimeout(() => box.classList.remove("rings-false", "rings"), RING_MS);
    if (this.hasSound.on) beep(isFalse ? BEEP.hertz[1] : BEEP.hertz[0]);
  }

  toggleSound() {
    this.hasSound.on = !this.hasSound.on;
    this.show();
  }

  /**
   * @param {number} clip
   * @param {number} seconds
   */
  go(clip, seconds) {
    this.at = { clip, seconds: Math.max(0, Math.min(this.clips[clip].seconds, seconds)) };
    this.setOver(false);
    this.last = performance.now();
    this.show();
  }

  goBack() {
    const { clip, seconds } = this.at;
    const first = clip === 0 ? this.start.seconds : 0;
    if (seconds > first) this.go(clip, first);
    else if (clip > 0) this.go(clip - 1, clip === 1 ? this.start.seconds : 0);
    else this.go(0, first);
  }

  goNext() {
    this.pause();
    const { clip, seconds } = nextEvent(this.clips, this.at);
    const before = this.at;
    this.go(clip, seconds);
    this.ring(clip === before.clip ? before.seconds : -1, seconds);
    if (clip === this.clips.length - 1 && seconds >= this.clip.seconds) this.finish();
  }

  /** @param {number} seconds */
  scrub(seconds) {
    this.go(this.at.clip, seconds);
  }

  /** @param {PointerEvent} event */
  scrubTo(event) {
    const { left } = this.stage.svg.getBoundingClientRect();
    this.scrub(((event.clientX - left) / this.stage.width) * this.clip.seconds);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyped = target.matches("input, select");
    const isButton = target.matches("button");
    if (event.ctrlKey || event.metaKey || event.altKey || !this.data) return;
    const point = (/** @type {number} */ by) => {
      this.pause();
      this.scrub(pointTime(this.clip, this.at.seconds) + by * this.clip.step);
    };
    /** @type {Record<string, () => unknown>} */
    const actions = {
      n: () => this.goNext(),
      N: () => this.goNext(),
      // A key that is held down is one press.
      i: () => event.repeat || this.press(),
      I: () => event.repeat || this.press(),
      ...(isButton ? {} : { " ": () => this.toggle(), ...(isTyped ? {} : { Home: () => this.goBack() }) }),
      ...(isTyped ? {} : { ArrowRight: () => point(1), ArrowLeft: () => point(-1) }),
    };
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  // ---- the watcher ---------------------------------------------------------------------------

  press() {
    if (!this.data || !this.card.hidden || this.presses[this.at.clip].length >= MOST_PRESSES) return;
    this.presses[this.at.clip].push(this.at.seconds);
    this.drawPresses();
    this.show();
    const box = this.side.all[this.side.all.length - 1].box;
    this.flash(box, worthAt(this.clip, this.at.seconds) === null);
    if (!this.current.name) this.asker.ask({ key: this.current.key, presses: this.presses });
  }

  // ---- the end -------------------------------------------------------------------------------

  finish() {
    this.pause();
    this.show();
    this.fillCard();
    this.setOver(true);
    this.status.say("The replay is over.");
    /** @type {HTMLElement | null} */ (this.card.querySelector("button"))?.focus({ preventScroll: true });
  }

  /**
   * Shows the card instead of everything else, or takes it away.
   * @param {boolean} isOver
   */
  setOver(isOver) {
    this.card.hidden = !isOver;
    this.root.classList.toggle("over", isOver);
  }

  again() {
    this.setOver(false);
    this.controls.play.focus({ preventScroll: true });
    this.presses = this.clips.map(() => []);
    this.at = this.start;
    this.drawn = undefined;
  }

  /** What there is to say at the end: Python's lines, and the watcher's. */
  get lines() {
    const { rows, watched } = this.current;
    const pressed = this.presses.some((own) => own.length);
    const isScored = watched !== null && isSame(watched.presses, this.presses);
    const own = this.clips.length === 1 && pressed ? [`You: ${this.ownWords(firstPress(this.clip, this.presses[0]))}.`] : [];
    const table = isScored && pressed ? [...rows.card.rows, watched.row] : rows.card.rows;
    const note = isScored && pressed ? ["Your line is about what you watched."] : [];
    return { lines: [...rows.card.lines, ...own], table, notes: [...rows.card.notes, ...note] };
  }

  fillCard() {
    const { card } = this.current.rows;
    const { lines, table, notes } = this.lines;
    this.card.replaceChildren();
    const top = element("div", { class: "replay-card-top" }, this.card);
    element("h2", {}, top, this.current.rows.title);
    this.addWays(top);
    for (const line of lines) element("p", { class: "replay-line" }, this.card, line);
    element("p", { class: "replay-over" }, this.card, card.title);
    const isTurned = this.root.classList.contains("narrow");
    // Where there is little room, what is counted stands below each other.
    if (isTurned) this.addTable(table.map(({ name }) => name), turned(card.heads, table));
    else this.addTable(card.heads, table);
    for (const note of notes) element("p", { class: "replay-small" }, this.card, note);
    if (card.each.length) this.addTable(this.current.rows.detectors.map(({ name }) => name), card.each);
  }

  /** @param {HTMLElement} parent */
  addWays(parent) {
    const bar = addToolbar(parent, "What to do now");
    addTool(bar, { name: "again", text: "Play again", title: "From the beginning", run: () => this.toggle() });
    addTool(bar, { name: "svg", text: "Picture (SVG)", title: "Save as a picture", run: () => this.save("svg") });
    addTool(bar, { name: "png", text: "PNG", title: "Save as a picture of pixels", run: () => this.save("png") });
    if (!this.current.name) {
      const link = { name: "link", text: "Copy link", title: "Everything but your presses is in it" };
      addTool(bar, { ...link, run: () => copyLink(location.href, this.status) });
    }
  }

  /**
   * @param {string[]} heads
   * @param {ReplayRow[]} rows
   */
  addTable(heads, rows) {
    const scroll = element("div", { class: "replay-table", tabindex: 0, role: "group", "aria-label": "a table" }, this.card);
    const table = element("table", {}, scroll);
    const head = element("tr", {}, element("thead", {}, table));
    for (const name of ["", ...heads]) element("th", { scope: "col" }, head, name);
    const body = element("tbody", {}, table);
    for (const { name, cells } of rows) {
      const line = element("tr", {}, body);
      element("th", { scope: "row" }, line, name);
      for (const cell of cells) element("td", {}, line, cell);
    }
  }

  /** Returns the whole clip and what was said at the end, as a picture. */
  picture() {
    const { stage } = this;
    const { rows } = this.current;
    const { lines, table, notes } = this.lines;
    const told = table.map(({ name, cells }) => {
      return `${name}: ${cells.map((cell, index) => `${rows.card.heads[index]}: ${cell}`).join("; ")}`;
    });
    const text = [rows.title, ...lines, rows.card.title, ...told, ...notes];
    const caption = shape("svg", { class: "lanes replay-caption" }, this.root);
    const fitting = text.flatMap((line) => wrapped(line, Math.floor(stage.width / 7)));
    fitting.forEach((line, index) => {
      shape("text", { class: "replay-saved", x: 4, y: stage.height + 24 + 20 * index }, caption, line);
    });
    stage.show(this.clip.seconds);
    const markup = composeSvg({
      width: stage.width,
      height: stage.height + 34 + 20 * fitting.length,
      title: rows.title,
      root: this.root,
      parts: [{ svg: stage.svg, left: 0 }, { svg: caption, left: 0 }],
    });
    stage.show(this.at.seconds);
    caption.remove();
    return markup;
  }

  /** @param {"svg" | "png"} kind */
  save(kind) {
    (kind === "svg" ? saveSvg : savePng)(this.picture(), `replay.${kind}`);
  }
}

/**
 * @param {Element} parent
 * @param {string} path
 */
function addIcon(parent, path) {
  const svg = shape("svg", { class: "replay-icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, parent);
  return shape("path", { d: path }, svg);
}

/**
 * Returns a table whose columns have become rows.
 * @param {string[]} heads
 * @param {ReplayRow[]} rows
 * @returns {ReplayRow[]}
 */
export function turned(heads, rows) {
  return heads.map((name, index) => ({ name, cells: rows.map(({ cells }) => cells[index]) }));
}

/**
 * Returns what must be alike for the clock of a replay to stay where it is.
 * @param {ReplayData} data
 */
function shapeOf({ rows }) {
  return JSON.stringify([rows.title, rows.clips.map(({ begins, seconds }) => [begins, seconds])]);
}

/**
 * @param {number[][]} one
 * @param {number[][]} other
 */
function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Counts the watcher's presses outside incidents, up to a moment.
 * @param {ReplayClip[]} clips
 * @param {number[][]} presses
 * @param {Position} position
 */
function countWrong(clips, presses, position) {
  return presses.slice(0, position.clip + 1).reduce((count, own, index) => {
    const { onset, over } = clips[index];
    const outside = own.map((seconds) => pointTime(clips[index], seconds)).filter((at) => at < onset || at >= over);
    return count + new Set(outside).size;
  }, 0);
}

/**
 * @param {HTMLElement} box
 * @param {string} text
 */
function write(box, text) {
  if (box.textContent !== text) box.textContent = text;
}

/**
 * @param {Element} parent
 * @param {string} title
 * @returns {Seat}
 */
function buildSeat(parent, title) {
  const box = element("div", { class: "replay-seat" }, parent);
  const name = element("p", { class: "replay-who" }, box, title);
  const rule = element("p", { class: "replay-rule" }, box);
  const said = element("p", { class: "replay-said" }, box);
  const calls = element("p", { class: "replay-calls" }, box);
  return { box, name, rule, said, calls };
}

/**
 * Breaks a text into lines of so many letters.
 * @param {string} text
 * @param {number} most
 */
export function wrapped(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** @param {number} hertz */
function beep(hertz) {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = hertz;
  volume.gain.value = BEEP.volume;
  tone.connect(volume).connect(audio.destination);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + BEEP.seconds);
}

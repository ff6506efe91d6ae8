// @ts-check
// A real-time replay: incidents as they happened, with detectors and the watcher side by side. Every number
// and sentence comes from Python. This module only moves the time.

import { beep } from "./beep.js";
import { actionOf, addIcon, Controls, KEYS } from "./controls.js";
import { element, kept, writeText } from "../core/dom.js";
import { EndCard, tellEnd } from "./end_card.js";
import { isWide } from "../lanes/layout.js";
import { Drawing } from "../core/mount.js";
import { savePng, saveSvg } from "../core/picture.js";
import { Playback } from "./playback.js";
import { advance, backFrom, happens, nextEvent, pointTime, startOf, worthAt } from "./playing.js";
import { replayPicture } from "./replay_picture.js";
import { Scoreboard } from "./scoreboard.js";
import { Stage } from "./stage.js";
import { followTheme } from "../core/theme.js";
import { copyLink, Status } from "../core/toolbar.js";
import { Watcher } from "./watcher.js";

/**
 * @typedef {import("../payload.d.ts").ReplayData} ReplayData
 * @typedef {import("./playing.js").Position} Position
 * @typedef {import("../core/mount.js").Component<ReplayData>} ReplayComponent
 */

const SIDE = 320;

/** @extends {Drawing<ReplayData, import("../payload.d.ts").ReplayAsk>} */
export class Replay extends Drawing {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    /** @type {ReplayData | undefined} */
    this.data = undefined;
    /** @type {Position} */
    this.at = { clip: 0, seconds: 0 };
    /** @type {number | undefined} the clip that the stage shows */
    this.drawn = undefined;
    this.watcher = new Watcher();
    this.playback = new Playback((seconds) => this.pass(seconds));
    this.sound = kept("sound", { on: false });
    const main = element("div", { class: "replay-main" }, root);
    this.stageBox = element("div", { class: "stage", tabindex: 0, role: "group", "aria-label": KEYS }, main);
    this.stage = new Stage(this.stageBox, root);
    this.note = element("p", { class: "replay-note" }, this.stageBox);
    this.invitation = element("div", { class: "replay-invitation" }, this.stageBox);
    this.big = element("button", { type: "button", class: "replay-big" }, this.invitation);
    addIcon(this.big, "play");
    this.big.append(" Play");
    this.asks = element("p", { class: "replay-asks" }, this.invitation);
    this.controls = new Controls(main, {
      onBack: () => this.goBack(),
      onToggle: () => this.toggle(),
      onNext: () => this.goNext(),
      onSound: () => this.toggleSound(),
      onScrub: (seconds) => this.scrub(seconds),
      onSpeed: (speed) => (this.playback.speed = speed),
    });
    this.scoreboard = new Scoreboard(root, () => this.press());
    this.card = new EndCard(root, {
      onAgain: () => this.toggle(),
      onSave: (kind) => this.save(kind),
      onLink: () => copyLink(location.href, this.status),
    });
    this.status = new Status(root);
    this.listen();
  }

  /** @override */
  close() {
    super.close();
    this.playback.pause();
    this.status.close();
  }

  listen() {
    const { big, stageBox } = this;
    big.addEventListener("click", () => this.toggle());
    stageBox.addEventListener("pointerdown", (event) => {
      if (event.composedPath().includes(big) || event.button !== 0) return;
      stageBox.setPointerCapture(event.pointerId);
      this.playback.pause();
      this.scrubTo(event);
    });
    stageBox.addEventListener("pointermove", (event) => {
      if (stageBox.hasPointerCapture(event.pointerId)) this.scrubTo(event);
    });
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

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
    if (this.card.isShown) this.card.fill(data, tellEnd(data, this.watcher));
    this.asker.go();
  }

  /**
   * Starts another replay. If only the rules or the worth changed, the clock keeps its time.
   * @param {boolean} staysPut
   */
  begin(staysPut) {
    const { rows } = this.current;
    const { playback } = this;
    if (!staysPut) {
      playback.pause();
      this.at = startOf(rows.clips);
      this.card.show(false);
    }
    this.watcher.begin(rows.clips);
    if (!staysPut || !rows.speeds.includes(playback.speed)) playback.speed = rows.speed;
    this.controls.offer(rows.speeds, playback.speed);
    this.scoreboard.seat(rows.detectors);
  }

  /** @returns {ReplayData} */
  get current() {
    if (!this.data) throw new Error("No replay has been received.");
    return this.data;
  }

  get clips() {
    return this.current.rows.clips;
  }

  get clip() {
    return this.clips[this.at.clip];
  }

  /** @override */
  draw() {
    const width = this.root.clientWidth;
    if (!this.data || !width) return;
    const wide = isWide(width);
    this.root.classList.toggle("narrow", !wide);
    this.drawStage(wide ? width - SIDE - 20 : width);
    this.scoreboard.colour(this.current.rows.detectors);
    this.show();
  }

  /** @param {number} width */
  drawStage(width) {
    this.stage.draw(this.current.rows, this.clip, width);
    this.drawn = this.at.clip;
    this.drawPresses();
  }

  drawPresses() {
    const { clip, watcher, at } = this;
    const own = watcher.presses[at.clip].map((seconds) => pointTime(clip, seconds));
    const first = watcher.noticed(this.clips, at.clip);
    this.stage.drawPresses(clip, own, first, first === null ? 0 : (worthAt(clip, first) ?? 0));
  }

  // Shows everything that depends on the time.
  show() {
    const { at, clip, controls, scoreboard } = this;
    const { isPlaying } = this.playback;
    if (this.drawn !== at.clip) this.drawStage(this.stage.width);
    this.stage.show(at.seconds);
    scoreboard.show(this.current, at, this.watcher);
    this.invitation.hidden = isPlaying || at.clip > 0 || at.seconds > startOf(this.clips).seconds;
    const names = this.current.rows.detectors.map(({ name }) => name);
    writeText(this.asks, `An incident is coming. Who sees it first: ${names.join(", ")} or you?`);
    const isBefore = at.seconds < clip.onset && this.invitation.hidden;
    writeText(this.note, isBefore ? clip.skipped : "");
    controls.show(isPlaying, this.sound.on);
    controls.showTime(at.seconds, clip.seconds, scoreboard.clock.textContent ?? "");
  }

  toggle() {
    if (this.playback.isPlaying) this.playback.pause();
    else {
      if (this.card.isShown) this.again();
      this.playback.play();
    }
    this.show();
  }

  again() {
    this.card.show(false);
    this.controls.play.focus({ preventScroll: true });
    this.watcher.begin(this.clips);
    this.at = startOf(this.clips);
    this.drawn = undefined;
  }

  /** @param {number} by seconds of the replay */
  pass(by) {
    const before = this.at;
    const { clip, seconds, isOver } = advance(this.clips, before, by);
    this.at = { clip, seconds };
    this.ring(before, seconds);
    this.show();
    if (isOver) this.finish();
  }

  /**
   * Announces what has happened since a moment.
   * @param {Position} before
   * @param {number} seconds where the clip is now
   */
  ring(before, seconds) {
    const { at, clip } = this;
    const from = at.clip === before.clip ? before.seconds : -1;
    const { onset, noticed, wrong } = happens(clip, from, seconds);
    if (onset) this.status.say("The incident begins.");
    this.current.rows.detectors.forEach(({ name }, index) => {
      if (noticed[index]) this.status.say(`${name}: ${clip.tracks[index].said}`);
      else if (wrong[index]) this.status.say(`${name}: a false call`);
      if (noticed[index] || wrong[index]) this.flash(index, wrong[index]);
    });
  }

  /**
   * @param {number} seat
   * @param {boolean} isFalse
   */
  flash(seat, isFalse) {
    this.scoreboard.flash(seat, isFalse);
    if (this.sound.on) beep(isFalse);
  }

  toggleSound() {
    this.sound.on = !this.sound.on;
    this.show();
  }

  // The watcher reports that they see the incident.
  press() {
    if (!this.data || this.card.isShown || !this.watcher.press(this.at)) return;
    this.drawPresses();
    this.show();
    this.flash(this.current.rows.detectors.length, worthAt(this.clip, this.at.seconds) === null);
    const { key, name } = this.current;
    if (!name) this.asker.ask({ key, presses: this.watcher.presses });
  }

  finish() {
    this.playback.pause();
    this.show();
    this.card.fill(this.current, tellEnd(this.current, this.watcher));
    this.card.show(true);
    this.status.say("The replay is over.");
    this.card.focus();
  }

  /**
   * @param {number} clip
   * @param {number} seconds
   */
  go(clip, seconds) {
    this.at = { clip, seconds: Math.max(0, Math.min(this.clips[clip].seconds, seconds)) };
    this.card.show(false);
    this.playback.restart();
    this.show();
  }

  goBack() {
    const { clip, seconds } = backFrom(this.clips, this.at);
    this.go(clip, seconds);
  }

  goNext() {
    this.playback.pause();
    const before = this.at;
    const { clip, seconds } = nextEvent(this.clips, before);
    this.go(clip, seconds);
    this.ring(before, seconds);
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

  /** @param {number} by points of the signal */
  step(by) {
    this.playback.pause();
    this.scrub(pointTime(this.clip, this.at.seconds) + by * this.clip.step);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const action = this.data && actionOf(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    const actions = {
      toggle: () => this.toggle(),
      back: () => this.goBack(),
      next: () => this.goNext(),
      // A key that is held down counts as one press.
      see: () => event.repeat || this.press(),
      earlier: () => this.step(-1),
      later: () => this.step(1),
    };
    actions[action]();
  }

  /** @param {"svg" | "png"} kind */
  save(kind) {
    const { root, stage, current } = this;
    stage.show(this.clip.seconds);
    const markup = replayPicture(root, stage, current.rows, tellEnd(current, this.watcher));
    stage.show(this.at.seconds);
    (kind === "svg" ? saveSvg : savePng)(markup, `replay.${kind}`);
  }
}

/**
 * Returns what must be the same in two replays for the clock to keep its time.
 * @param {ReplayData} data
 */
function shapeOf({ rows }) {
  return JSON.stringify([rows.title, rows.clips.map(({ begins, seconds }) => [begins, seconds])]);
}

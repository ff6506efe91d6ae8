// @ts-check
// Sends asks to Python. At most one ask is in flight. Wishes made meanwhile are merged into the next ask.

import { kept, nextAskNumber } from "./dom.js";

const EVERY_MS = 60;

/** @typedef {{id: number}} Ask every ask has a number */

/**
 * The content of an ask, without its number.
 * @template {Ask} Kind
 * @typedef {Omit<Kind, "id">} Wish
 */

/** @typedef {{settings?: Record<string, number>}} Moved settings that were changed, if a wish has any */

/**
 * Merges two wishes. For each field and each setting, the newer value wins.
 * @template {object} Fields
 * @param {Fields | null} older
 * @param {Fields} newer
 * @returns {Fields}
 */
export function mergeWishes(older, newer) {
  const merged = { ...older, ...newer };
  const [before, now] = /** @type {[Moved | null, Moved]} */ ([older, newer]);
  if (!before?.settings && !now.settings) return merged;
  return { ...merged, settings: { ...before?.settings, ...now.settings } };
}

/**
 * Tracks what was asked, what is still wanted, and when the next ask may be sent. It has no clock and no
 * connection, so it can be tested alone.
 * @template {Ask} Kind the type of ask, as declared in Python
 */
export class Asking {
  constructor() {
    /** @type {string | undefined} */
    this.session = undefined;
    /** @type {Kind | null} */
    this.sent = null;
    /** @type {Partial<Wish<Kind>> | null} */
    this.pending = null;
    /** @type {Partial<Wish<Kind>> | null} what the server had not answered before it restarted */
    this.lost = null;
    this.isUrgent = false;
    this.sentAt = -Infinity;
  }

  get isWaiting() {
    return this.sent !== null || this.pending !== null;
  }

  /**
   * Everything that was asked or is about to be asked, and has no answer yet.
   * @returns {Partial<Wish<Kind>>}
   */
  get wanted() {
    return mergeWishes(/** @type {Partial<Wish<Kind>> | null} */ (this.sent), this.pending ?? {});
  }

  /**
   * @param {Partial<Wish<Kind>>} wish
   * @param {boolean} isUrgent whether to send it as soon as no other ask is in flight
   */
  want(wish, isUrgent) {
    this.pending = mergeWishes(this.pending, wish);
    this.isUrgent = isUrgent;
  }

  /**
   * Drops fields that have not been sent yet. A stroke that is dropped halfway gets no further update,
   * so the fields that remain are marked as final.
   * @param {(keyof Wish<Kind> & string)[]} fields
   */
  withdraw(...fields) {
    const { pending } = this;
    if (!pending) return;
    for (const field of fields) delete pending[field];
    if (Object.keys(pending).every((field) => field === "final")) this.pending = null;
    else if ("final" in pending) Object.assign(pending, { final: true });
  }

  /**
   * Takes Python's answer. Returns whether it comes from a new server session, which has not received
   * the earlier asks.
   * @param {{session: string, answered: number}} data
   */
  receive(data) {
    const isNew = this.session !== data.session;
    this.session = data.session;
    if (isNew) {
      if (this.isWaiting) this.lost = this.wanted;
      this.sent = this.pending = null;
    } else if (this.sent?.id === data.answered) this.sent = null;
    return isNew;
  }

  /**
   * Returns how many ms the next ask must wait, or null if there is nothing to send.
   * @param {number} now in ms
   */
  delay(now) {
    if (this.sent || !this.pending) return null;
    return this.isUrgent ? 0 : Math.max(0, this.sentAt + EVERY_MS - now);
  }

  /**
   * Returns the next ask and marks it as sent.
   * @param {number} id
   * @param {number} now in ms
   * @returns {Kind}
   */
  send(id, now) {
    const sent = /** @type {Kind} */ (/** @type {unknown} */ ({ ...this.pending, id }));
    this.sent = sent;
    this.pending = null;
    this.sentAt = now;
    return sent;
  }
}

/**
 * The unanswered wishes of components that were removed, by place.
 * @returns {Record<string, {session: string | undefined, wish: object} | undefined>}
 */
const leftBehind = () => kept("left", {});

/**
 * Connects an Asking to the clock and to Streamlit.
 * @template {Ask} Kind the type of ask, as declared in Python
 */
export class Asker {
  /**
   * @param {(ask: Kind) => void} send
   * @param {() => Partial<Wish<Kind>>} [stamp] fields that are added to every ask when it is sent
   * @param {string} [place] identifies the component, so that its replacement can repeat its wishes
   */
  constructor(send, stamp = () => ({}), place = "") {
    this.place = place;
    /** @type {Asking<Kind>} */
    this.asking = new Asking();
    this.sendAsk = send;
    this.stamp = stamp;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  get isWaiting() {
    return this.asking.isWaiting;
  }

  get wanted() {
    return this.asking.wanted;
  }

  /**
   * @param {Wish<Kind>} wish
   * @param {boolean} [isUrgent]
   */
  ask(wish, isUrgent = true) {
    this.asking.want(wish, isUrgent);
    this.go();
  }

  /** @param {(keyof Wish<Kind> & string)[]} fields */
  withdraw(...fields) {
    this.asking.withdraw(...fields);
  }

  /** @param {{session: string, answered: number}} data */
  receive(data) {
    const before = leftBehind()[this.place];
    delete leftBehind()[this.place];
    if (before && this.asking.session === undefined && before.session !== data.session) {
      this.asking.session = before.session;
      this.asking.pending = /** @type {Partial<Wish<Kind>>} */ (before.wish);
    }
    return this.asking.receive(data);
  }

  /** Returns what the server had not answered before it restarted, and forgets it. */
  takeLost() {
    const { lost } = this.asking;
    this.asking.lost = null;
    return lost;
  }

  /** Sends the next ask when it is due. Called after Python's answer has been processed. */
  go() {
    clearTimeout(this.timer);
    const wait = this.asking.delay(performance.now());
    if (wait === null) return;
    if (wait > 0) this.timer = setTimeout(() => this.go(), wait);
    else {
      this.asking.want(this.stamp(), this.asking.isUrgent);
      this.sendAsk(this.asking.send(nextAskNumber(), performance.now()));
    }
  }

  /** Sends the unanswered ask again, with the same number. */
  askAgain() {
    if (this.asking.sent) this.sendAsk({ ...this.asking.sent });
  }

  close() {
    clearTimeout(this.timer);
    const { session, wanted } = this.asking;
    if (this.isWaiting && this.place) leftBehind()[this.place] = { session, wish: wanted };
  }
}

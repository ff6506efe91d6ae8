// @ts-check
// Asking Python. At most one ask is on its way; what is wanted meanwhile is merged into the next.

import { kept, nextAskNumber } from "./dom.js";

const EVERY_MS = 60;

/** @typedef {{id: number}} Ask every ask has a number */

/**
 * What is asked, without its number.
 * @template {Ask} Kind
 * @typedef {Omit<Kind, "id">} Wish
 */

/** @typedef {{settings?: Record<string, number>}} Moved settings that were moved, where a wish has any */

/**
 * Merges wishes: the newest wins, field by field and setting by setting.
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
 * What was asked, what is wanted, and when the next may go. Knows neither clock nor server.
 * @template {Ask} Kind what may be asked, as Python states it
 */
export class Asking {
  constructor() {
    /** @type {string | undefined} */
    this.session = undefined;
    /** @type {Kind | null} */
    this.sent = null;
    /** @type {Partial<Wish<Kind>> | null} */
    this.pending = null;
    /** @type {Partial<Wish<Kind>> | null} what a server that is gone has not answered */
    this.lost = null;
    this.isUrgent = false;
    this.sentAt = -Infinity;
  }

  get isWaiting() {
    return this.sent !== null || this.pending !== null;
  }

  /**
   * Everything that is asked and not yet answered.
   * @returns {Partial<Wish<Kind>>}
   */
  get wanted() {
    return mergeWishes(/** @type {Partial<Wish<Kind>> | null} */ (this.sent), this.pending ?? {});
  }

  /**
   * @param {Partial<Wish<Kind>>} wish
   * @param {boolean} isUrgent whether it goes as soon as no other is on its way
   */
  want(wish, isUrgent) {
    this.pending = mergeWishes(this.pending, wish);
    this.isUrgent = isUrgent;
  }

  /**
   * Takes back what has not been sent. Nothing follows a stroke that is taken back in its midst, so
   * what was asked beside it is final.
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
   * Takes Python's word; returns whether it comes from a server that knows nothing of what was asked.
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
   * Returns how long the next ask must still wait, or nothing when there is none to send.
   * @param {number} now in ms
   */
  delay(now) {
    if (this.sent || !this.pending) return null;
    return this.isUrgent ? 0 : Math.max(0, this.sentAt + EVERY_MS - now);
  }

  /**
   * Returns the next ask, which is then on its way.
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
 * What was asked in vain by those that were taken away, by place.
 * @returns {Record<string, {session: string | undefined, wish: object} | undefined>}
 */
const leftBehind = () => kept("left", {});

/**
 * Joins an Asking to the clock and to Streamlit.
 * @template {Ask} Kind what may be asked, as Python states it
 */
export class Asker {
  /**
   * @param {(ask: Kind) => void} send
   * @param {() => Partial<Wish<Kind>>} [stamp] fields that every ask carries, as they are when it is sent
   * @param {string} [place] where it stands, so that another one there can ask on for it
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

  /** Returns once what a server that is gone was asked in vain. */
  takeLost() {
    const { lost } = this.asking;
    this.asking.lost = null;
    return lost;
  }

  /** Sends what may be sent: called once Python's word has been taken. */
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

  /** Sends what has no answer yet once more, under its number. */
  askAgain() {
    if (this.asking.sent) this.sendAsk({ ...this.asking.sent });
  }

  close() {
    clearTimeout(this.timer);
    const { session, wanted } = this.asking;
    if (this.isWaiting && this.place) leftBehind()[this.place] = { session, wish: wanted };
  }
}

// @ts-check
// Makes the functions that Streamlit calls at each change of data or theme: one instance per place.
//
// Streamlit may remove a component that is inside a fragment. If a run of the whole page ends and a run
// of a fragment starts at once, the elements of the fragment can be dropped. Components with a picture
// therefore stand outside fragments, and their data comes by post: through an invisible component inside
// the fragment. That one can be removed and mounted again without any visible effect. An ask can be lost
// together with its sender, so unanswered asks are sent again when a new sender arrives.

import { Asker } from "./asking.js";
import { kept } from "./dom.js";

/**
 * @typedef {import("../payload.d.ts").Letter} Letter
 * @typedef {import("../payload.d.ts").PageTriggers} PageTriggers
 * @typedef {import("../payload.d.ts").Post} Post
 * @typedef {import("../payload.d.ts").Mailbox} Mailbox
 */

/**
 * @template Data
 * @typedef {object} Component
 * @property {Data} data
 * @property {HTMLElement | ShadowRoot} parentElement
 * @property {(name: "ask", value: {id: number}) => void} setStateValue
 * @property {<Name extends keyof PageTriggers>(name: Name, value: PageTriggers[Name]) => void} setTriggerValue
 */

/**
 * @template Data
 * @typedef {object} Instance
 * @property {(component: Component<Data>) => void} receive
 * @property {() => void} close
 * @property {() => void} [askAgain] called when an ask may have been lost with its sender
 */

/**
 * @typedef {object} Box holds the post for one instance
 * @property {Component<Letter>} [last] the newest letter
 * @property {Component<Letter>["parentElement"]} [sender]
 * @property {(letter: Component<Letter>) => void} [take]
 * @property {() => void} [askAgain]
 */

/**
 * @param {string} name
 * @returns {Box}
 */
function boxOf(name) {
  const boxes = kept("boxes", /** @type {Record<string, Box>} */ ({}));
  return (boxes[name] ??= {});
}

/**
 * @template {object} Data
 * @param {string} name the class of the component's root
 * @param {new (root: HTMLElement) => Instance<Data>} Kind
 * @returns {(component: Component<Data | Mailbox>) => () => void}
 */
export function mount(name, Kind) {
  /** @type {WeakMap<object, {instance: Instance<Data>, root: HTMLElement}>} */
  const made = new WeakMap();
  return (component) => {
    const { parentElement } = component;
    let place = made.get(parentElement);
    if (!place) {
      const root = parentElement.querySelector(`.${name}`);
      if (!(root instanceof HTMLElement)) throw new Error(`There is no .${name} to draw into.`);
      root.replaceChildren();
      // Hidden until the first letter: an empty component would make the page jump.
      root.hidden = true;
      place = { instance: new Kind(root), root };
      made.set(parentElement, place);
      const mounts = kept("mounts", /** @type {Record<string, number>} */ ({}));
      mounts[name] = (mounts[name] ?? 0) + 1;
    }
    const { instance, root: shown } = place;
    // The cast is safe: the sender of a letter knows which component reads the box.
    /** @param {Component<object>} letter */
    const show = (letter) => {
      shown.hidden = false;
      instance.receive(/** @type {Component<Data>} */ (letter));
    };
    const { data } = component;
    const box = "box" in data && typeof data.box === "string" ? boxOf(data.box) : null;
    if (box) {
      box.take = show;
      box.askAgain = () => instance.askAgain?.();
      if (box.last) box.take(box.last);
    } else show(component);
    return () => {
      if (box) box.take = box.askAgain = undefined;
      instance.close();
      made.delete(parentElement);
    };
  };
}

/**
 * Puts a letter into its box. Returns a function that takes it out when the sender is removed.
 * @param {Component<Post>} component
 */
export function deliver(component) {
  const box = boxOf(component.data.box);
  const letter = { ...component, data: component.data.letter };
  const isNewSender = box.sender !== undefined && box.sender !== component.parentElement;
  box.last = letter;
  box.sender = component.parentElement;
  box.take?.(letter);
  if (isNewSender) box.askAgain?.();
  return () => {
    if (box.sender === component.parentElement) delete box.last;
  };
}

/**
 * The base of components that draw into their root, redraw when its size changes, and ask Python.
 * @template Data
 * @template {{id: number}} [Kind={id: number}] the type of ask, as declared in Python
 */
export class Drawing {
  /**
   * @param {HTMLElement} root
   * @param {() => Partial<import("./asking.js").Wish<Kind>>} [stamp] fields that are added to every ask
   */
  constructor(root, stamp) {
    this.root = root;
    /** @type {Component<Data> | undefined} */
    this.component = undefined;
    const place = `${location.pathname} ${root.className}`;
    /** @type {Asker<Kind>} */
    this.asker = new Asker((ask) => this.component?.setStateValue("ask", ask), stamp, place);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(root);
  }

  close() {
    this.observer.disconnect();
    this.asker.close();
  }

  draw() {}

  /**
   * @param {import("./asking.js").Wish<Kind>} wish
   * @param {boolean} [isUrgent]
   */
  ask(wish, isUrgent = true) {
    this.asker.ask(wish, isUrgent);
    this.showStale();
  }

  /** Whether what is shown may be out of date, because an ask has no answer yet. */
  get isStale() {
    return this.asker.isWaiting;
  }

  showStale() {
    this.root.dataset.stale = String(this.isStale);
  }

  // Repeating an ask is safe: Python ignores numbers that it has already processed.
  askAgain() {
    this.asker.askAgain();
  }
}

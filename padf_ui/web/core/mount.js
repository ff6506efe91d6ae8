// @ts-check
// What Streamlit calls at each change of data or theme: one instance per place.
//
// A fragment is where Streamlit may take a component away: when a run of the whole page ends and one
// of a fragment begins at once, what the fragment showed in the former can be dropped on its way. So
// what is drawn on stands outside of fragments, and what it shows comes by post: a component without
// a picture, which may be taken away and put up again without anybody seeing it. An ask can be lost
// with the one that was taken away: when another one has come, what has no answer is asked again.

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
 * @property {() => void} [askAgain] called when what was asked may have been lost with its sender
 */

/**
 * @typedef {object} Box where the post for one instance is put
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
      // Until its first letter there is nothing to show, and nothing that could jump.
      root.hidden = true;
      place = { instance: new Kind(root), root };
      made.set(parentElement, place);
      const mounts = kept("mounts", /** @type {Record<string, number>} */ ({}));
      mounts[name] = (mounts[name] ?? 0) + 1;
    }
    const { instance, root: shown } = place;
    // The sender of a letter knows what its box shows.
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
 * Puts a letter into its box; returns what takes it out when the sender is taken away.
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
 * What draws into its root, draws again when there is other room, and asks Python.
 * @template Data
 * @template {{id: number}} [Kind={id: number}] what may be asked, as Python states it
 */
export class Drawing {
  /**
   * @param {HTMLElement} root
   * @param {() => Partial<import("./asking.js").Wish<Kind>>} [stamp] fields that every ask carries
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

  /** Whether what is shown may not be Python's last word. */
  get isStale() {
    return this.asker.isWaiting;
  }

  showStale() {
    this.root.dataset.stale = String(this.isStale);
  }

  // Python takes an ask once, by its number: what it has taken already is not taken again.
  askAgain() {
    this.asker.askAgain();
  }
}

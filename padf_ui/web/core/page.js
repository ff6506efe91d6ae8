// @ts-check
// What every page tells Python: that its style is in force, that light and dark were switched,
// steps back or forward in the browser that stay on this page, and, where it asks for keys, those
// that step through a lesson. It also keeps the meanings of terms on the screen.

import { ConnectionWatch } from "./connection.js";
import { meaningOf, readKey } from "./keys.js";
import { mount } from "./mount.js";
import { shiftOf } from "./terms.js";
import { followTheme } from "./theme.js";

/** @typedef {import("./mount.js").Component<import("../payload.d.ts").PageData>} PageComponent */

const SHOWS_TERM = ["pointerover", "focusin"];
const AGAIN_MS = 2000;

/**
 * Moves the meaning of a term so that none of it is beside the screen.
 * @param {EventTarget | undefined} target
 */
function keepOnScreen(target) {
  if (!(target instanceof HTMLElement) || !target.matches(".padf-term")) return;
  const [first] = target.getClientRects();
  const shift = shiftOf(first.left, document.documentElement.clientWidth);
  target.style.setProperty("--shift", `${shift}px`);
}

class Page {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {PageComponent | undefined} */
    this.component = undefined;
    /** @type {string | undefined} */
    this.mode = undefined;
    this.path = location.pathname;
    /** @type {string | undefined} */
    this.visit = undefined;
    this.isTold = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.onPopState = () => {
      if (location.pathname === this.path) {
        this.component?.setTriggerValue("back", location.search);
      }
    };
    /** @param {KeyboardEvent} event */
    this.onKey = (event) => this.key(event);
    /** @param {Event} event */
    this.onTerm = (event) => keepOnScreen(event.composedPath()[0]);
    this.connection = new ConnectionWatch();
    addEventListener("popstate", this.onPopState);
    addEventListener("keydown", this.onKey);
    for (const name of SHOWS_TERM) addEventListener(name, this.onTerm);
  }

  close() {
    this.isTold = true;
    clearTimeout(this.timer);
    this.connection.close();
    removeEventListener("popstate", this.onPopState);
    removeEventListener("keydown", this.onKey);
    for (const name of SHOWS_TERM) removeEventListener(name, this.onTerm);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { component } = this;
    if (component?.data?.keys !== true) return;
    const meaning = meaningOf(readKey(event));
    if (!meaning) return;
    event.preventDefault();
    if ("step" in meaning) component.setTriggerValue("step", meaning.step);
    else component.setTriggerValue("leave", meaning.leave);
  }

  // Another page comes with other data: what was the address of the last one is then forgotten.
  /** @param {PageComponent} component */
  receive(component) {
    this.component = component;
    this.path = location.pathname;
    // A server that began anew does not know yet that its style is here.
    if (component.data.visit !== this.visit) this.isTold = false;
    this.visit = component.data.visit;
    const mode = followTheme(this.root);
    const isSwitched = this.mode !== undefined && this.mode !== mode;
    this.mode = mode;
    if (isSwitched) component.setTriggerValue("theme", mode);
    this.tellStyled();
  }

  // Python's own style sets a mark: the browser has loaded what is needed to reserve space.
  tellStyled() {
    if (this.isTold) return;
    const inside = this.root.getRootNode();
    const host = inside instanceof ShadowRoot ? inside.host : this.root;
    const around = host.closest(".st-key-padf_page");
    if (around && !getComputedStyle(around).getPropertyValue("--padf-styled")) {
      requestAnimationFrame(() => this.tellStyled());
      return;
    }
    this.isTold = true;
    this.component?.setTriggerValue("styled", true);
    // What is told just when a connection comes back can be lost: without it there is no page.
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tellAgain(), AGAIN_MS);
  }

  tellAgain() {
    if (this.component?.data.shown !== false) return;
    this.isTold = false;
    this.tellStyled();
  }
}

export default mount("page", Page);

// @ts-check
// What every page reports to Python: that its style sheet is loaded, that the user switched between light
// and dark, and steps back or forward in the browser that stay on this page. A page that asks for keys also
// gets those that step through a lesson. The module also keeps the definitions of terms on the screen.

import { ConnectionWatch } from "./connection.js";
import { meaningOf, readKey } from "./keys.js";
import { mount } from "./mount.js";
import { shiftOf } from "./terms.js";
import { followTheme } from "./theme.js";

/** @typedef {import("./mount.js").Component<import("../payload.d.ts").PageData>} PageComponent */

const SHOWS_TERM = ["pointerover", "focusin"];
const AGAIN_MS = 2000;

/**
 * Shifts the definition of a term so that all of it is on the screen.
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
    this.connection = new ConnectionWatch(() => this.reconnect());
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
    else if ("answer" in meaning) component.setTriggerValue("answer", meaning.answer);
    else if ("reveal" in meaning) component.setTriggerValue("reveal", meaning.reveal);
    else component.setTriggerValue("leave", meaning.leave);
  }

  // New data can mean a new page, so the path is read again.
  /** @param {PageComponent} component */
  receive(component) {
    this.component = component;
    this.path = location.pathname;
    // A restarted server does not know yet that the style sheet is loaded.
    if (component.data.visit !== this.visit) this.isTold = false;
    this.visit = component.data.visit;
    const mode = followTheme(this.root);
    const isSwitched = this.mode !== undefined && this.mode !== mode;
    this.mode = mode;
    if (isSwitched) component.setTriggerValue("theme", mode);
    this.tellStyled();
  }

  // On a new connection, Streamlit starts a run only if one was interrupted. Without a run, what was drawn
  // meanwhile would never be sent.
  reconnect() {
    this.isTold = false;
    this.tellStyled();
  }

  // Waits for the mark that Python's style sheet sets: only then can the browser reserve space.
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
    // A message can be lost if it is sent just as the connection comes back. Without this one, Python shows
    // no page, so it is sent again.
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

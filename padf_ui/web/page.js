// @ts-check
// What every page tells Python: that its style is in force, that light and dark were switched,
// steps back or forward in the browser that stay on this page, and, where it asks for keys, those
// that step through a lesson.

import { meaningOf, readKey } from "./keys.js";
import { mount } from "./mount.js";
import { followTheme } from "./theme.js";

/** @typedef {import("./mount.js").Component<{page: string, keys?: boolean}>} PageComponent */

class Page {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {PageComponent | undefined} */
    this.component = undefined;
    /** @type {string | undefined} */
    this.mode = undefined;
    this.path = location.pathname;
    this.isTold = false;
    this.onPopState = () => {
      if (location.pathname === this.path) {
        this.component?.setTriggerValue("back", location.search);
      }
    };
    /** @param {KeyboardEvent} event */
    this.onKey = (event) => this.key(event);
    addEventListener("popstate", this.onPopState);
    addEventListener("keydown", this.onKey);
  }

  close() {
    this.isTold = true;
    removeEventListener("popstate", this.onPopState);
    removeEventListener("keydown", this.onKey);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { component } = this;
    if (component?.data?.keys !== true) return;
    for (const [name, value] of Object.entries(meaningOf(readKey(event)) ?? {})) {
      event.preventDefault();
      component.setTriggerValue(name, value);
    }
  }

  // Another page comes with other data: what was the address of the last one is then forgotten.
  /** @param {PageComponent} component */
  receive(component) {
    this.component = component;
    this.path = location.pathname;
    const mode = followTheme(this.root);
    const isSwitched = this.mode !== undefined && this.mode !== mode;
    this.mode = mode;
    if (isSwitched) component.setTriggerValue("theme", mode);
    this.tellStyled();
  }

  // The style takes what is around this component out of the page's flow.
  tellStyled() {
    if (this.isTold) return;
    const inside = this.root.getRootNode();
    const host = inside instanceof ShadowRoot ? inside.host : this.root;
    const around = host.closest(".st-key-padf_page");
    if (around && getComputedStyle(around).position !== "absolute") {
      requestAnimationFrame(() => this.tellStyled());
      return;
    }
    this.isTold = true;
    this.component?.setTriggerValue("styled", true);
  }
}

export default mount("page", Page);

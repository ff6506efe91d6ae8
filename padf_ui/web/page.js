// @ts-check
// What every page tells Python: that light and dark were switched, and steps back or forward in the
// browser that stay on this page.

import { mount } from "./mount.js";
import { followTheme } from "./theme.js";

/** @typedef {import("./mount.js").Component<unknown>} PageComponent */

class Page {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {PageComponent | undefined} */
    this.component = undefined;
    /** @type {string | undefined} */
    this.mode = undefined;
    this.path = location.pathname;
    this.onPopState = () => {
      if (location.pathname === this.path) {
        this.component?.setTriggerValue("back", location.search);
      }
    };
    addEventListener("popstate", this.onPopState);
  }

  close() {
    removeEventListener("popstate", this.onPopState);
  }

  /** @param {PageComponent} component */
  receive(component) {
    this.component = component;
    this.path = location.pathname;
    const mode = followTheme(this.root);
    const isSwitched = this.mode !== undefined && this.mode !== mode;
    this.mode = mode;
    if (isSwitched) component.setTriggerValue("theme", mode);
  }
}

export default mount("page", Page);

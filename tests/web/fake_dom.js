// @ts-check
// A small browser for unit tests: elements, events, focus, timers and animation frames. There is no
// layout: a test says how wide an element is and where it stands. Markup is never parsed, and code
// that tries to write markup gets an error.


/** How long one animation frame takes. */
export const FRAME_MS = 20;

// ---- time --------------------------------------------------------------------------------------

/** A clock that moves only when a test says so. */
class Clock {
  constructor() {
    this.now = 0;
    this.last = 0;
    /** @type {Map<number, {at: number, run: () => void}>} */
    this.waiting = new Map();
  }

  /**
   * @param {() => void} run
   * @param {number} [after]
   */
  add(run, after = 0) {
    this.last += 1;
    this.waiting.set(this.last, { at: this.now + Math.max(0, after), run });
    return this.last;
  }

  /**
   * Lets time pass: timers and frames run in order, each at its own moment.
   * @param {number} by in ms
   */
  pass(by) {
    const end = this.now + by;
    for (;;) {
      const due = [...this.waiting].filter(([, { at }]) => at <= end);
      if (!due.length) break;
      const [id, next] = due.reduce((one, other) => (other[1].at < one[1].at ? other : one));
      this.waiting.delete(id);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }
}

export const clock = new Clock();

// ---- events ------------------------------------------------------------------------------------

class Happening {
  /**
   * @param {string} type
   * @param {Record<string, any>} init
   */
  constructor(type, init) {
    this.type = type;
    this.defaultPrevented = false;
    this.isStopped = false;
    /** @type {any} */
    this.target = null;
    /** @type {any[]} */
    this.path = [];
    Object.assign(this, init);
  }

  preventDefault() {
    this.defaultPrevented = true;
  }

  stopPropagation() {
    this.isStopped = true;
  }

  composedPath() {
    return this.path;
  }
}

class Target {
  constructor() {
    /** @type {Map<string, Set<(event: any) => void>>} */
    this.listeners = new Map();
  }

  /**
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  addEventListener(type, listener) {
    if (!this.listeners.has(type)) this.listeners.set(type, new Set());
    this.listeners.get(type)?.add(listener);
  }

  /**
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  removeEventListener(type, listener) {
    this.listeners.get(type)?.delete(listener);
  }

  /** @param {Happening} event */
  hear(event) {
    for (const listener of [...(this.listeners.get(event.type) ?? [])]) listener(event);
  }
}

const DOES_NOT_BUBBLE = ["focus", "blur", "pointerleave", "scroll"];
const POINTER = { button: 0, pointerId: 1, pointerType: "mouse", clientX: 0, clientY: 0 };
const KEYBOARD = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };

/** What listens on the window itself. */
const onWindow = new Target();

/**
 * Lets an event happen at an element, as a browser does: it bubbles up to the window.
 * @param {any} target
 * @param {string} type
 * @param {Record<string, any>} [init]
 * @returns {Happening}
 */
export function fire(target, type, init = {}) {
  const usual = type.startsWith("key") ? KEYBOARD : POINTER;
  const event = new Happening(type, { ...usual, ...init });
  event.target = target;
  for (let at = target; at; at = at.parentElement) event.path.push(at);
  event.path.push(onWindow);
  for (const at of DOES_NOT_BUBBLE.includes(type) ? [target] : event.path) {
    if (!event.isStopped) at.hear(event);
  }
  return event;
}

/**
 * Lets an event happen at the window itself.
 * @param {string} type
 */
export function fireOnWindow(type) {
  onWindow.hear(new Happening(type, {}));
}

/**
 * Presses a key at an element.
 * @param {any} target
 * @param {string} key
 * @param {Record<string, any>} [init]
 */
export function pressKey(target, key, init = {}) {
  return fire(target, "keydown", { key, ...init });
}

/**
 * Types a value into a field or moves a range, and lets it go.
 * @param {any} field
 * @param {string | number} value
 */
export function enter(field, value) {
  field.value = String(value);
  fire(field, "input");
  fire(field, "change");
}

// ---- elements ----------------------------------------------------------------------------------

class Style {
  /** @param {string} name */
  getPropertyValue(name) {
    return /** @type {any} */ (this)[name] ?? "";
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  setProperty(name, value) {
    /** @type {any} */ (this)[name] = value;
  }

  /** @param {string} name */
  removeProperty(name) {
    delete (/** @type {any} */ (this)[name]);
  }
}

/** @param {string} name */
const asAttribute = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const SIMPLE = /([.#]?[\w-]+)|\[([\w-]+)(?:=["']?([^"'\]]*)["']?)?\]|:([\w-]+)/g;

/**
 * Says whether an element matches a selector without combinators.
 * @param {any} element
 * @param {string} selector
 */
function matchesSimple(element, selector) {
  return [...selector.matchAll(SIMPLE)].every(([, name, attribute, value, state]) => {
    if (state === "focus" || state === "focus-visible") return page.activeElement === element;
    if (state === "focus-within") return element.contains(page.activeElement);
    if (state) throw new Error(`The fake DOM does not know :${state}.`);
    if (attribute) {
      const has = element.getAttribute(attribute);
      return value === undefined ? has !== null : has === value;
    }
    if (name.startsWith(".")) return element.classList.contains(name.slice(1));
    if (name.startsWith("#")) return element.getAttribute("id") === name.slice(1);
    return element.tagName === name;
  });
}

export class FakeElement extends Target {
  /** @param {string} tag */
  constructor(tag) {
    super();
    this.tagName = tag;
    /** @type {any} */
    this.parentElement = null;
    /** @type {any[]} elements and texts */
    this.childNodes = [];
    /** @type {Map<string, string>} */
    this.attributes = new Map();
    this.style = /** @type {any} */ (new Style());
    /** @type {Record<string, any>} what a test said about its size and place */
    this.said = {};
    this.value = "";
    this.scrollLeft = 0;
    /** @type {Set<number>} */
    this.captured = new Set();
    this.dataset = new Proxy(/** @type {Record<string, string>} */ ({}), {
      get: (_, name) => this.getAttribute(asAttribute(String(name))) ?? undefined,
      set: (_, name, value) => {
        this.setAttribute(asAttribute(String(name)), String(value));
        return true;
      },
    });
    const list = () => (this.getAttribute("class") ?? "").split(" ").filter(Boolean);
    /** @param {string[]} names */
    const write = (names) => this.setAttribute("class", names.join(" "));
    this.classList = {
      /** @param {string[]} names */
      add: (...names) => write([...new Set([...list(), ...names])]),
      /** @param {string[]} names */
      remove: (...names) => write(list().filter((name) => !names.includes(name))),
      /** @param {string} name */
      contains: (name) => list().includes(name),
      /**
       * @param {string} name
       * @param {boolean} [force]
       */
      toggle: (name, force = !list().includes(name)) => {
        if (force) this.classList.add(name);
        else this.classList.remove(name);
        return force;
      },
    };
  }

  // Attributes.

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  setAttribute(name, value) {
    if (name === "value") this.value = String(value);
    this.attributes.set(name, String(value));
  }

  /** @param {string} name */
  hasAttribute(name) {
    return this.attributes.has(name);
  }

  /** @param {string} name */
  removeAttribute(name) {
    this.attributes.delete(name);
  }

  /**
   * @param {string} name
   * @param {boolean} force
   */
  toggleAttribute(name, force) {
    if (force) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }

  // The tree.

  get children() {
    return this.childNodes.filter((node) => node instanceof FakeElement);
  }

  get textContent() {
    return this.childNodes
      .map((/** @type {any} */ node) => (typeof node === "string" ? node : node.textContent))
      .join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text === "" || text === null ? [] : [String(text)]));
  }

  get innerHTML() {
    return this.refuse();
  }

  set innerHTML(_) {
    this.refuse();
  }

  get outerHTML() {
    return this.refuse();
  }

  set outerHTML(_) {
    this.refuse();
  }

  insertAdjacentHTML() {
    this.refuse();
  }

  /** @returns {never} */
  refuse() {
    throw new Error("Texts must not be written as markup.");
  }

  /**
   * @param {any[]} nodes
   * @param {number} at
   */
  put(nodes, at) {
    for (const node of nodes) if (node instanceof FakeElement) node.parentElement = this;
    this.childNodes.splice(at, 0, ...nodes);
  }

  /** @param {any[]} nodes */
  detach(...nodes) {
    for (const node of nodes) if (node instanceof FakeElement) node.remove();
  }

  /** @param {any[]} nodes */
  append(...nodes) {
    this.detach(...nodes);
    this.put(nodes, this.childNodes.length);
  }

  /** @param {any[]} nodes */
  prepend(...nodes) {
    this.detach(...nodes);
    this.put(nodes, 0);
  }

  /** @param {any[]} nodes */
  before(...nodes) {
    this.detach(...nodes);
    this.parentElement.put(nodes, this.parentElement.childNodes.indexOf(this));
  }

  /**
   * @param {any} node
   * @param {any} there
   */
  insertBefore(node, there) {
    this.detach(node);
    this.put([node], there ? this.childNodes.indexOf(there) : this.childNodes.length);
  }

  remove() {
    const siblings = this.parentElement?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentElement = null;
    if (this.contains(page.activeElement)) page.activeElement = page.body;
  }

  /** @param {any[]} nodes */
  replaceChildren(...nodes) {
    for (const child of this.children) child.remove();
    this.childNodes = [];
    this.append(...nodes);
  }

  /**
   * Copies the element without what is in it.
   * @returns {FakeElement}
   */
  cloneNode() {
    const copy = make(this.tagName);
    for (const [name, value] of this.attributes) copy.setAttribute(name, value);
    return copy;
  }

  /** @param {any} other */
  contains(other) {
    for (let at = other; at; at = at.parentElement) if (at === this) return true;
    return false;
  }

  getRootNode() {
    return this.isConnected ? page : this;
  }

  get isConnected() {
    return page.body.contains(this);
  }

  /** @returns {any[]} */
  get descendants() {
    return this.children.flatMap((child) => [child, ...child.descendants]);
  }

  /** @param {string} selector */
  matches(selector) {
    return selector.split(",").some((one) => {
      const parts = one.trim().split(/\s+/);
      if (!matchesSimple(this, parts[parts.length - 1])) return false;
      const around = parts.slice(0, -1);
      for (let at = this.parentElement; at && around.length; at = at.parentElement) {
        if (matchesSimple(at, around[around.length - 1])) around.pop();
      }
      return !around.length;
    });
  }

  /** @param {string} selector */
  closest(selector) {
    for (let at = /** @type {any} */ (this); at; at = at.parentElement) {
      if (at.matches(selector)) return at;
    }
    return null;
  }

  /** @param {string} selector */
  querySelectorAll(selector) {
    return this.descendants.filter((each) => each.matches(selector));
  }

  /** @param {string} selector */
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  // Size and place. An element is as wide as what is around it unless a test says otherwise.

  /** @type {number} */
  get clientWidth() {
    return this.said.width ?? this.parentElement?.clientWidth ?? 0;
  }

  get clientHeight() {
    return this.said.height ?? 0;
  }

  get offsetWidth() {
    return this.said.width ?? 0;
  }

  get offsetHeight() {
    return this.said.height ?? 0;
  }

  get scrollWidth() {
    return this.said.scrollWidth ?? this.clientWidth;
  }

  getBoundingClientRect() {
    const { left = 0, top = 0 } = this.said;
    return { left, top, width: this.clientWidth, height: this.clientHeight };
  }

  getClientRects() {
    return [this.getBoundingClientRect()];
  }

  // Focus and pointers.

  focus() {
    const before = page.activeElement;
    if (before === this || !this.isConnected) return;
    page.activeElement = this;
    if (before !== page.body) {
      fire(before, "blur");
      fire(before, "focusout");
    }
    fire(this, "focus");
    fire(this, "focusin");
  }

  select() {}

  click() {
    if (!this.hasAttribute("disabled")) fire(this, "click");
  }

  /** @param {number} id */
  setPointerCapture(id) {
    this.captured.add(id);
  }

  /** @param {number} id */
  hasPointerCapture(id) {
    return this.captured.has(id);
  }
}

/**
 * Lets a property stand for an attribute.
 * @param {string} property
 * @param {(text: string | null) => any} read
 * @param {(element: FakeElement, value: any) => void} write
 */
function reflect(property, read, write) {
  const attribute = { className: "class" }[property] ?? property.toLowerCase();
  Object.defineProperty(FakeElement.prototype, property, {
    get() {
      return read(this.getAttribute(attribute));
    },
    set(value) {
      write(this, value);
    },
  });
}

for (const name of ["hidden", "disabled"]) {
  reflect(name, (text) => text !== null, (element, value) => element.toggleAttribute(name, value));
}
for (const name of ["className", "id", "title", "type", "max", "href", "download"]) {
  const attribute = name === "className" ? "class" : name;
  reflect(name, (text) => text ?? "", (element, value) => element.setAttribute(attribute, value));
}
reflect("tabIndex", (text) => Number(text ?? -1), (element, value) => {
  element.setAttribute("tabindex", String(value));
});

class FakeHtml extends FakeElement {}
class FakeInput extends FakeHtml {}
class FakeCanvas extends FakeHtml {
  getContext() {
    return { fillStyle: "", fillRect() {}, getImageData: () => ({ data: theme.background }) };
  }
}

/** The colour behind everything; a test may make it dark. */
export const theme = { background: [255, 255, 255] };

/** Whether the user wants no motion. */
export const motion = { isReduced: false };

/**
 * @param {string} tag
 * @returns {FakeHtml}
 */
function make(tag) {
  if (tag === "input") return new FakeInput(tag);
  return tag === "canvas" ? new FakeCanvas(tag) : new FakeHtml(tag);
}

// ---- the page ----------------------------------------------------------------------------------

/** @type {any} */
export const page = {
  body: new FakeHtml("body"),
  documentElement: new FakeHtml("html"),
  activeElement: null,
  createElement: make,
  /**
   * @param {string} _space
   * @param {string} tag
   */
  createElementNS: (_space, tag) => new FakeElement(tag),
  querySelector: () => null,
};

class Observer {
  observe() {}
  disconnect() {}
}

const globals = {
  document: page,
  window: globalThis,
  innerHeight: 900,
  location: { pathname: "/playground", origin: "http://localhost", search: "", href: "" },
  navigator: { clipboard: { writeText: () => Promise.resolve() } },
  performance: { now: () => clock.now },
  setTimeout: (/** @type {() => void} */ run, /** @type {number} */ after) => clock.add(run, after),
  clearTimeout: (/** @type {number} */ id) => clock.waiting.delete(id),
  requestAnimationFrame: (/** @type {(now: number) => void} */ run) => {
    return clock.add(() => run(clock.now), FRAME_MS);
  },
  cancelAnimationFrame: (/** @type {number} */ id) => clock.waiting.delete(id),
  addEventListener: onWindow.addEventListener.bind(onWindow),
  removeEventListener: onWindow.removeEventListener.bind(onWindow),
  matchMedia: () => ({ matches: motion.isReduced, addEventListener() {} }),
  getComputedStyle: () => ({ getPropertyValue: () => "" }),
  ResizeObserver: Observer,
  MutationObserver: Observer,
  Element: FakeElement,
  HTMLElement: FakeHtml,
  HTMLInputElement: FakeInput,
  ShadowRoot: class {},
};
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** Opens a new tab: nothing is drawn, kept, focused or waited for. */
export function openTab() {
  page.body.replaceChildren();
  page.activeElement = page.body;
  onWindow.listeners.clear();
  clock.waiting.clear();
  theme.background = [255, 255, 255];
  motion.isReduced = false;
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    if (key.description?.startsWith("padf.")) delete (/** @type {any} */ (globalThis)[key]);
  }
}

openTab();

// ---- tests -------------------------------------------------------------------------------------

// ---- components --------------------------------------------------------------------------------

/** A component on the page, as Streamlit mounts it, and everything that it sends. */
export class Mounted {
  /**
   * @param {(component: any) => () => void} start the module's default export
   * @param {string} name the class of the component's root
   * @param {any} data
   * @param {number} [width]
   */
  constructor(start, name, data, width = 1274) {
    this.start = start;
    this.data = data;
    this.parent = make("div");
    /** @type {any} */
    this.root = make("div");
    this.root.className = name;
    this.root.said.width = width;
    this.parent.append(this.root);
    page.body.append(this.parent);
    /** @type {any[]} asks, in the order in which they were sent */
    this.asks = [];
    /** @type {[string, any][]} */
    this.triggers = [];
    this.receive(data);
  }

  /**
   * Sends data to the component, as each run of the page does.
   * @param {any} data
   */
  receive(data) {
    this.data = data;
    this.close = this.start({
      data,
      parentElement: this.parent,
      setStateValue: (/** @type {string} */ name, /** @type {any} */ value) => {
        if (name !== "ask") throw new Error(`There is no state called ${name}.`);
        this.asks.push(structuredClone(value));
      },
      setTriggerValue: (/** @type {string} */ name, /** @type {any} */ value) => {
        this.triggers.push([name, value]);
      },
    });
  }

  /**
   * Answers the last ask, with what has changed.
   * @param {Record<string, any>} [changes]
   */
  answer(changes = {}) {
    this.receive({ ...this.data, answered: this.asks[this.asks.length - 1].id, ...changes });
  }

  /** The last ask without its number. */
  get asked() {
    const last = this.asks[this.asks.length - 1];
    if (!last) return undefined;
    const { id, ...ask } = last;
    if (!Number.isInteger(id)) throw new Error(`An ask must have a number; got ${id}.`);
    return ask;
  }

  /** @param {string} selector */
  one(selector) {
    const found = this.root.querySelectorAll(selector);
    if (found.length !== 1) throw new Error(`There are ${found.length} of ${selector}, not one.`);
    return found[0];
  }

  /** @param {string} selector */
  all(selector) {
    return this.root.querySelectorAll(selector);
  }

  /** @param {string} selector */
  texts(selector) {
    return this.all(selector).map((/** @type {any} */ each) => each.textContent);
  }
}

/**
 * Returns attributes of an element as numbers.
 * @param {any} element
 * @param {string[]} names
 */
export function numbersOf(element, ...names) {
  return names.map((name) => Math.round(Number(element.getAttribute(name)) * 1000) / 1000);
}

/**
 * Returns the place and size of a rectangle.
 * @param {any} element
 */
export function rect(element) {
  return numbersOf(element, "x", "y", "width", "height");
}

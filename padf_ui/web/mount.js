// @ts-check
// What Streamlit calls at each change of data or theme: one instance per place.

import { kept } from "./dom.js";

/**
 * @template Data
 * @typedef {object} Component
 * @property {Data} data
 * @property {HTMLElement | ShadowRoot} parentElement
 * @property {(name: string, value: unknown) => void} setStateValue
 * @property {(name: string, value: unknown) => void} setTriggerValue
 */

/**
 * @template Data
 * @typedef {object} Instance
 * @property {(component: Component<Data>) => void} receive
 * @property {() => void} close
 */

/**
 * @template Data
 * @param {string} name the class of the component's root
 * @param {new (root: HTMLElement) => Instance<Data>} Kind
 * @returns {(component: Component<Data>) => () => void}
 */
export function mount(name, Kind) {
  /** @type {WeakMap<object, Instance<Data>>} */
  const made = new WeakMap();
  return (component) => {
    const { parentElement } = component;
    let instance = made.get(parentElement);
    if (!instance) {
      const root = parentElement.querySelector(`.${name}`);
      if (!(root instanceof HTMLElement)) throw new Error(`There is no .${name} to draw into.`);
      root.replaceChildren();
      instance = new Kind(root);
      made.set(parentElement, instance);
      const mounts = kept("mounts", /** @type {Record<string, number>} */ ({}));
      mounts[name] = (mounts[name] ?? 0) + 1;
    }
    instance.receive(component);
    return () => {
      made.get(parentElement)?.close();
      made.delete(parentElement);
    };
  };
}

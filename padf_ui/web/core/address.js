// @ts-check
// One action is one step of the browser's Back button. When a page is opened, Streamlit may add three
// addresses to the history: the new page without its link, the last page with the link of the new one,
// and the right one. How many it adds depends on how fast the answers arrive.

const ACTIONS = ["pointerdown", "click", "keydown", "input", "drop"];

/**
 * Gives the first address after an action an entry of its own. Further addresses replace it, until the
 * next action.
 * @param {Pick<History, "pushState" | "replaceState">} entries
 * @param {EventTarget} target  where all actions can be seen
 */
export function addOneEntryPerAction(entries, target) {
  let hasActed = false;
  const listen = (/** @type {string} */ name, /** @type {boolean} */ isAction) =>
    target.addEventListener(name, () => (hasActed = isAction), { capture: true });
  for (const name of ACTIONS) listen(name, true);
  listen("popstate", false);
  const push = entries.pushState.bind(entries);
  entries.pushState = (...entry) => {
    if (hasActed) push(...entry);
    else entries.replaceState(...entry);
    hasActed = false;
  };
}

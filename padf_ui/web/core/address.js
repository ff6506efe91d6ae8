// @ts-check
// Makes each user action one step of the browser's Back button. When a page opens, Streamlit may add up
// to three addresses to the history: the new page without its link, the previous page with the new page's
// link, and the correct one. How many it adds depends on how fast the responses arrive.

const ACTIONS = ["pointerdown", "click", "keydown", "input", "drop"];

/**
 * Adds a history entry for the first address after a user action. Later addresses replace that entry
 * until the next action.
 * @param {Pick<History, "pushState" | "replaceState">} entries
 * @param {EventTarget} target  receives the events of all actions
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

// @ts-check
// Undo and redo of patterns.

/**
 * @typedef {{labels: string, detections: string}} Pattern
 * @typedef {{past: Pattern[], future: Pattern[], last: Pattern | null}} Past
 */

/** @returns {Past} */
export function newHistory() {
  return { past: [], future: [], last: null };
}

/**
 * @param {Pattern} one
 * @param {Pattern} other
 */
export function isSamePattern(one, other) {
  return one.labels === other.labels && one.detections === other.detections;
}

/**
 * Notes that a pattern gave way to another.
 * @param {Past} history
 * @param {Pattern} before
 * @param {Pattern} after
 */
export function noteChange(history, before, after) {
  if (isSamePattern(before, after)) return;
  history.past.push(before);
  history.future.length = 0;
}

/**
 * Steps back or forth; returns the pattern there, or nothing at the end.
 * @param {Past} history
 * @param {"undo" | "redo"} way
 * @param {Pattern} now
 */
export function travel(history, way, now) {
  const [from, to] =
    way === "undo" ? [history.past, history.future] : [history.future, history.past];
  const there = from.pop();
  if (there) to.push(now);
  return there;
}

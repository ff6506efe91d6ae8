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
 * Records that a pattern was replaced by another one.
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
 * Steps back or forward. Returns the pattern there, or undefined at the end of the history.
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

/**
 * Alarms that were moved off either edge, and the pattern that remained.
 * @typedef {{pattern: Pattern | null, before: string, after: string}} Carry
 */

/** @returns {Carry} */
export function newCarry() {
  return { pattern: null, before: "", after: "" };
}

/**
 * Moves all alarms one step. Alarms that go off the edge come back when they are moved back, unless the
 * pattern was edited meanwhile.
 * @param {Carry} carry
 * @param {Pattern} now
 * @param {"earlier" | "later"} way
 * @returns {Carry & {pattern: Pattern}} with the new pattern
 */
export function moveAlarms(carry, now, way) {
  const isHeld = carry.pattern !== null && isSamePattern(carry.pattern, now);
  const { before, after } = isHeld ? carry : newCarry();
  const { detections } = now;
  if (way === "earlier") {
    const moved = detections.slice(1) + (after[0] ?? "0");
    const kept = before + detections[0];
    return { pattern: { ...now, detections: moved }, before: kept, after: after.slice(1) };
  }
  const moved = (before.at(-1) ?? "0") + detections.slice(0, -1);
  const kept = (detections.at(-1) ?? "") + after;
  return { pattern: { ...now, detections: moved }, before: before.slice(0, -1), after: kept };
}

// @ts-check
// Looks up what Python sent (texts, rows, credit) and formats numbers.

/**
 * @typedef {import("../payload.d.ts").Texts} Texts
 * @typedef {import("../payload.d.ts").Credit} Credit
 * @typedef {import("../payload.d.ts").LaneRows} LaneRows
 * @typedef {import("../payload.d.ts").FirstHit} FirstHit
 * @typedef {import("../payload.d.ts").TimelineLane} TimelineLane
 */

/**
 * Returns one of many texts, or an empty text if there is none.
 * @param {Texts | undefined} texts
 * @param {number} at
 */
export function textAt(texts, at) {
  const row = texts?.rows[at];
  if (!texts || !row) return "";
  const [which, ...numbers] = row;
  return texts.parts[Number(which)].map((part, index) => `${part}${numbers[index] ?? ""}`).join("");
}

/**
 * Returns the row of a slider's step. A lane without a slider has one row for all steps.
 * @param {LaneRows} rows
 * @param {number} step
 */
export function rowAt(rows, step) {
  return rows.places[Math.max(0, Math.min(step, rows.places.length - 1))];
}

/**
 * Returns the credit, in hundredths, of a segment or of an anomalous point.
 * @param {Credit} credit
 * @param {number} row
 * @param {number} index
 */
export function creditAt(credit, row, index) {
  return credit.rows[row][credit.columns[index]];
}

/**
 * Returns whether a cell is flagged at a step of the threshold.
 * @param {number} level
 * @param {number} step
 */
export function isFlagged(level, step) {
  return step < level;
}

/**
 * Returns where a segment is first hit at a step of the threshold.
 * @param {FirstHit[]} found sorted by step; the first one starts at step 0
 * @param {number} step
 */
export function firstHitAt(found, step) {
  let first = found[0];
  for (const candidate of found) {
    if (candidate.step > step) break;
    first = candidate;
  }
  return first;
}

/**
 * Returns the F1 of a lane at every step, from 0 to 1: the curve of a slider.
 * @param {LaneRows} rows
 */
export function curveOf(rows) {
  return rows.places.map((place) => rows.f1[place] / 1000);
}

/**
 * Returns the step whose value is nearest to a given one.
 * @param {number[]} steps
 * @param {number} value
 */
export function nearestStep(steps, value) {
  let nearest = 0;
  steps.forEach((candidate, index) => {
    if (Math.abs(candidate - value) < Math.abs(steps[nearest] - value)) nearest = index;
  });
  return nearest;
}

/**
 * The positions of the sliders, for one lane of the timeline.
 * @typedef {object} Stand
 * @property {number} threshold the step of the threshold's thumb
 * @property {number} thresholdInUse the threshold's step that Python used for the other rows
 * @property {number} own the step of the thumb of the lane's own slider
 * @property {number} ownInUse the step of that slider that Python used for the other rows
 * @property {boolean} isOwnNewest whether the lane's own slider was moved last
 */

/**
 * The rows of a lane to show, and the steps that they were computed for.
 * @typedef {object} Shown
 * @property {LaneRows} rows
 * @property {number} row
 * @property {number} threshold
 * @property {number} own
 */

/**
 * Python sends a lane's rows along each slider, but not for both moved at once. If both have moved, the
 * one that moved last counts.
 * @param {TimelineLane} lane
 * @param {Stand} stand
 * @returns {Shown}
 */
export function shownAt(lane, stand) {
  const isOwnMoved = stand.own !== stand.ownInUse;
  const isThresholdMoved = stand.threshold !== stand.thresholdInUse;
  if (lane.over_own && isOwnMoved && (stand.isOwnNewest || !isThresholdMoved)) {
    const row = rowAt(lane.over_own, stand.own);
    return { rows: lane.over_own, row, threshold: stand.thresholdInUse, own: stand.own };
  }
  const row = rowAt(lane.over_threshold, stand.threshold);
  return { rows: lane.over_threshold, row, threshold: stand.threshold, own: stand.ownInUse };
}

/**
 * Formats thousandths as a score: 881 becomes 0.881.
 * @param {number} thousandths
 */
export function writeScore(thousandths) {
  return (thousandths / 1000).toFixed(3);
}

/**
 * Formats the F1 of a lane's row.
 * @param {LaneRows} rows
 * @param {number} row
 */
export function scoreAt(rows, row) {
  return writeScore(rows.f1[row]);
}

/**
 * Formats the difference between a lane's F1 and that of the first lane. For the first lane itself,
 * returns an empty text.
 * @param {LaneRows} rows
 * @param {number} row
 */
export function gainAt(rows, row) {
  return rows.gain ? writeGain(rows.gain[row]) : "";
}

/**
 * Formats thousandths with a sign: 533 becomes +0.533.
 * @param {number} thousandths
 */
export function writeGain(thousandths) {
  return `${thousandths < 0 ? "-" : "+"}${writeScore(Math.abs(thousandths))}`;
}

/**
 * Formats hundredths: 90 becomes 0.90.
 * @param {number} hundredths
 */
export function writeCredit(hundredths) {
  return (hundredths / 100).toFixed(2);
}

/**
 * Shortens a text that is too long.
 * @param {string} text
 * @param {number} longest
 */
export function shorten(text, longest) {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/**
 * Joins names as in a sentence: "a, b and c".
 * @param {string[]} names
 */
export function listNames(names) {
  if (names.length < 2) return names.join();
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

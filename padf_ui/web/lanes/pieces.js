// @ts-check
// The pieces of a lane, which lie on a background of normal points. Positions are counted in cells,
// heights from 0 to 1.

import { creditAt, isFlagged } from "../core/lookup.js";

/**
 * @typedef {"normal" | "truth" | "hit" | "false" | "adjusted" | "missed"} Kind
 * @typedef {{kind: Kind, from: number, to: number, base: number, height: number, wait?: number}} Piece
 * the wait, from 0 to 1, delays a piece in an animation
 * @typedef {{start: number, stop: number}} Span
 * @typedef {import("../payload.d.ts").Credit} Credit
 */

/**
 * Which cells are hits, and which are false alarms.
 * @typedef {object} Cells
 * @property {number} count
 * @property {(cell: number) => boolean} isHit
 * @property {(cell: number) => boolean} isWrong
 */

/**
 * Returns the runs of cells for which a condition holds.
 * @param {number} from
 * @param {number} to
 * @param {(cell: number) => boolean} holds
 * @returns {Span[]}
 */
export function findRuns(from, to, holds) {
  const runs = [];
  for (let cell = from; cell < to; cell += 1) {
    if (!holds(cell)) continue;
    const start = cell;
    while (cell < to && holds(cell)) cell += 1;
    runs.push({ start, stop: cell });
  }
  return runs;
}

/**
 * Returns the runs of ones in a text of 0 and 1.
 * @param {string} bits
 */
export function findOnes(bits) {
  return findRuns(0, bits.length, (t) => bits[t] === "1");
}

/**
 * @param {string} labels
 * @param {string} detections
 * @returns {Cells}
 */
export function cellsOfPattern(labels, detections) {
  return {
    count: labels.length,
    isHit: (t) => detections[t] === "1" && labels[t] === "1",
    isWrong: (t) => detections[t] === "1" && labels[t] !== "1",
  };
}

/**
 * @param {{hit: number[], wrong: number[]}} levels
 * @param {number} step of the threshold
 * @returns {Cells}
 */
export function cellsAtStep(levels, step) {
  return {
    count: levels.hit.length,
    isHit: (cell) => isFlagged(levels.hit[cell], step),
    isWrong: (cell) => isFlagged(levels.wrong[cell], step),
  };
}

/**
 * @param {Kind} kind
 * @param {Span[]} spans
 * @param {number} [base]
 * @param {number} [height]
 * @returns {Piece[]}
 */
export function makePieces(kind, spans, base = 0, height = 1) {
  return spans.map(({ start, stop }) => ({ kind, from: start, to: stop, base, height }));
}

/**
 * @param {Cells} cells
 * @returns {Piece[]}
 */
export function detectionPieces(cells) {
  return [
    ...makePieces("false", findRuns(0, cells.count, cells.isWrong)),
    ...makePieces("hit", findRuns(0, cells.count, cells.isHit)),
  ];
}

/**
 * Returns the first cell of a segment and the cell after its last one. A segment may begin or end inside
 * a cell if a cell stands for many points.
 * @param {Span} segment
 */
export function cellsOfSegment(segment) {
  const from = Math.floor(segment.start + 1e-6);
  return { from, to: Math.max(from + 1, Math.ceil(segment.stop - 1e-6)) };
}

/**
 * Returns the runs of a segment that get the same credit.
 * @param {Span} segment
 * @param {Credit} credit
 * @param {number} row
 * @param {number} index of the segment, or of its first anomalous point
 * @returns {{start: number, stop: number, credit: number}[]}
 */
function stretchesOf(segment, credit, row, index) {
  if (credit.by === "segment") return [{ ...segment, credit: creditAt(credit, row, index) }];
  const { from, to } = cellsOfSegment(segment);
  /** @type {{start: number, stop: number, credit: number}[]} */
  const made = [];
  for (let cell = from; cell < to; cell += 1) {
    const worth = creditAt(credit, row, index + cell - from);
    const last = made[made.length - 1];
    if (last?.credit === worth) last.stop = cell + 1;
    else made.push({ start: cell, stop: cell + 1, credit: worth });
  }
  made[0].start = segment.start;
  made[made.length - 1].stop = segment.stop;
  return made;
}

/**
 * Returns the pieces of a protocol's lane. Credit is the height of cells. Hits are solid, credit given by
 * adjustment is hatched, and missed credit is an outline. Without adjustment, the detections are unchanged.
 * @param {Cells} cells
 * @param {Span[]} segments
 * @param {Credit} credit
 * @param {number} row
 * @returns {Piece[]}
 */
export function protocolPieces(cells, segments, credit, row) {
  const pieces = makePieces("false", findRuns(0, cells.count, cells.isWrong));
  let index = 0;
  for (const segment of segments) {
    for (const stretch of stretchesOf(segment, credit, row, index)) {
      pieces.push(...stretchPieces(cells, stretch, stretch.credit / 100));
    }
    const { from, to } = cellsOfSegment(segment);
    index += credit.by === "segment" ? 1 : to - from;
  }
  return pieces;
}

/**
 * @param {Cells} cells
 * @param {Span} span
 * @param {number} worth from 0 to 1; below 0 without adjustment
 * @returns {Piece[]}
 */
function stretchPieces(cells, span, worth) {
  const { from, to } = cellsOfSegment(span);
  const hits = findRuns(from, Math.min(to, cells.count), cells.isHit);
  if (worth < 0) return [...makePieces("missed", [span]), ...makePieces("hit", hits)];
  const pieces = worth < 1 ? makePieces("missed", [span], worth, 1 - worth) : [];
  if (worth > 0) {
    pieces.push(...makePieces("adjusted", [span], 0, worth), ...makePieces("hit", hits, 0, worth));
  }
  return pieces;
}

// @ts-check
// Animates credit given by adjustment: it fades in cell by cell, starting at the first hit.

import { isStill } from "../core/theme.js";

/**
 * @typedef {import("./pieces.js").Piece} Piece
 * @typedef {import("./pieces.js").Span & {delay: number}} HitSpan
 */

/** The time until the last cell begins to fade in. */
export const SPREAD_MS = 1000;
const FADE_MS = 300;

/** An animation that can be redrawn at any moment. */
export class Spread {
  constructor() {
    /** @type {number | null} when it began */
    this.begun = null;
  }

  start() {
    this.begun = isStill() ? null : performance.now();
  }

  stop() {
    this.begun = null;
  }

  /**
   * Returns the pieces with the rest of their waits, or unchanged when the animation is over.
   * @param {Piece[]} pieces
   * @param {HitSpan[]} segments
   * @returns {Piece[]}
   */
  delay(pieces, segments) {
    if (this.begun === null) return pieces;
    const gone = performance.now() - this.begun;
    if (gone > SPREAD_MS + FADE_MS) {
      this.begun = null;
      return pieces;
    }
    return spreadPieces(pieces, segments).map((piece) =>
      piece.wait === undefined ? piece : { ...piece, wait: piece.wait - gone / SPREAD_MS },
    );
  }
}

/**
 * Cuts credit given by adjustment into cells. Cells that are farther from the first hit wait longer.
 * @param {Piece[]} pieces
 * @param {HitSpan[]} segments
 * @returns {Piece[]}
 */
export function spreadPieces(pieces, segments) {
  const farthest = Math.max(
    1,
    ...segments.map(({ start, stop, delay }) => Math.max(delay, stop - 1 - start - delay)),
  );
  return pieces.flatMap((piece) => {
    const segment = segments.find(({ start, stop }) => piece.from >= start && piece.to <= stop);
    if (piece.kind !== "adjusted" || !segment) return [piece];
    const hit = segment.start + segment.delay;
    return Array.from({ length: piece.to - piece.from }, (_, index) => {
      const from = piece.from + index;
      return { ...piece, from, to: from + 1, wait: Math.abs(from - hit) / farthest };
    });
  });
}

// @ts-check
// Credit that adjustment gives, fading in cell by cell, away from the first hit.

import { isStill } from "../core/theme.js";

/**
 * @typedef {import("./pieces.js").Piece} Piece
 * @typedef {import("./pieces.js").Span & {delay: number}} HitSpan
 */

/** How long it takes until the last cell of a spread begins to fade in. */
export const SPREAD_MS = 1000;
const FADE_MS = 300;

/** A spread that can be drawn again at any moment of it. */
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
   * Returns pieces with what is left of their waits; as they are when the spread is over.
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
 * Cuts what adjustment gives into cells that wait the longer, the farther they are from the first hit.
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

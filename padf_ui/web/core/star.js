// @ts-check
// The star that marks the chosen value.

export const STAR =
  "M0,-13L3.8,-4.6L12.9,-3.6L6.2,2.6L8,11.6L0,7L-8,11.6L-6.2,2.6L-12.9,-3.6L-3.8,-4.6Z";

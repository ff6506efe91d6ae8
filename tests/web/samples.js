// @ts-check
// Small payloads with numbers that can be checked by hand.

/**
 * @typedef {import("../../padf_ui/web/payload.d.ts").BoardData} BoardData
 * @typedef {import("../../padf_ui/web/payload.d.ts").BoardRows} BoardRows
 * @typedef {import("../../padf_ui/web/payload.d.ts").CasesData} CasesData
 * @typedef {import("../../padf_ui/web/payload.d.ts").Credit} Credit
 * @typedef {import("../../padf_ui/web/payload.d.ts").Lane} Lane
 * @typedef {import("../../padf_ui/web/payload.d.ts").ReplayClip} ReplayClip
 * @typedef {import("../../padf_ui/web/payload.d.ts").ReplayData} ReplayData
 * @typedef {import("../../padf_ui/web/payload.d.ts").Slider} Slider
 * @typedef {import("../../padf_ui/web/payload.d.ts").Texts} Texts
 * @typedef {import("../../padf_ui/web/payload.d.ts").TimelineData} TimelineData
 */

/** A name that would create an element if it were read as markup. */
export const HOSTILE = "<img src=x onerror=alert(1)>";

/**
 * @param {string[]} texts
 * @returns {Texts}
 */
export function textsOf(...texts) {
  return { parts: texts.map((text) => [text]), rows: texts.map((_, index) => [index]) };
}

/**
 * @param {number[][]} rows hundredths, for each row and segment
 * @returns {Credit}
 */
export function bySegment(...rows) {
  return { by: "segment", columns: rows[0].map((_, index) => index), rows };
}

/** @returns {Slider} the slider of the decay, at 0.9 */
export function decaySlider() {
  return {
    key: "decay",
    title: "d",
    steps: [0.5, 0.9, 0.99],
    at: 1,
    lane: "padf",
    rule: "between 0 and 1",
    limits: [0, 1],
    gaps: [],
    names: textsOf("d = 0.5", "d = 0.9", "d = 0.99"),
    notes: textsOf("note 0.5", "note 0.9", "note 0.99"),
    stepped: false,
  };
}

// Twenty points. The segment holds the points 5 to 14, its first hit is at 11, so the delay is 6.
// There are two false alarms, at 1 and 2.
export const LABELS = "00000111111111100000";
export const ALARMS = "01100000000100000000";

/**
 * Returns a lane with full credit and no slider, unless it is told otherwise.
 * @param {Partial<Lane> & {key: string, name: string}} told
 * @returns {Lane}
 */
function lane(told) {
  const plain = { slider: null, arrows: false, places: [0], f1: [0], gain: [0] };
  return { ...plain, credit: bySegment([100]), ...told };
}

/**
 * Point-wise: TP 1, FP 2, FN 9, so F1 = 2 / (2 + 2 + 9) = 0.154. PA: TP 10, so 20 / 22 = 0.909.
 * PAdf: credit d^6 = 0.016, 0.531 and 0.941 at d = 0.5, 0.9 and 0.99.
 * @returns {BoardRows}
 */
export function boardRows() {
  return {
    labels: LABELS,
    detections: ALARMS,
    times: [],
    axis: "time",
    alarms: "3 flagged, 2 false",
    segments: [{ start: 5, stop: 15, delay: 6, late: "delay 6" }],
    lanes: [
      lane({ key: "pw", name: "Point-wise", f1: [154], gain: null, credit: bySegment([-1]) }),
      lane({ key: "pa", name: "PA", f1: [909], gain: [755], why: textsOf("One hit fills it.") }),
      lane({
        key: "padf",
        name: "PAdf",
        slider: "decay",
        arrows: true,
        places: [0, 1, 2],
        f1: [26, 614, 879],
        gain: [-128, 460, 725],
        credit: bySegment([2], [53], [94]),
        precision: textsOf("P at 0.5", "P at 0.9", "P at 0.99"),
        why: textsOf("Why at 0.5.", "Why at 0.9.", "Why at 0.99."),
      }),
    ],
  };
}

/** @returns {BoardData} */
export function boardData() {
  return {
    session: "s",
    revision: 4,
    answered: 0,
    hint: false,
    history: "playground",
    link: "?n=20",
    rows: boardRows(),
    sliders: [decaySlider()],
  };
}

/**
 * A series of 1000 points in 100 cells. One segment in the cells 40 to 49. The threshold has the steps
 * 0.2, 0.4, 0.6 and 0.8 and stands at 0.4. Cell 42 is flagged below 0.6, cell 45 below 0.8: the segment
 * is hit after 2 cells at the steps 0 and 1, after 5 cells at step 2, and missed at step 3. False
 * alarms: cell 10 at step 0 only, cell 70 at the steps 0 to 2.
 * @returns {TimelineData}
 */
export function timelineData() {
  const cells = Array.from({ length: 100 }, () => 0);
  const wave = cells.map((_, index) => (index % 2 ? 100 : 0));
  const hit = [...cells];
  hit[42] = 2;
  hit[45] = 3;
  const wrong = [...cells];
  wrong[10] = 1;
  wrong[70] = 3;
  const labels = cells.map((_, index) => (index >= 40 && index < 50 ? "1" : "0")).join("");
  const threshold = {
    ...decaySlider(),
    key: "threshold",
    title: "threshold",
    steps: [0.2, 0.4, 0.6, 0.8],
    lane: null,
    limits: [-1, 2],
    names: textsOf("", "", "", ""),
    notes: textsOf("", "", "", ""),
  };
  return {
    session: "s",
    revision: 0,
    answered: 0,
    rows: {
      first: 0,
      last: 1000,
      size: 1000,
      cells: 100,
      shown: "points 0 to 999",
      axis: "time",
      ticks: [{ at: 0, name: "0" }, { at: 50, name: "500" }],
      next: { first: 350, last: 550 },
      value: { low: wave, high: wave, names: ["lowest", "highest"] },
      value_name: "pressure",
      score: { low: wave, high: wave },
      heights: [200, 400, 600, 800],
      thresholds: ["0.2", "0.4", "0.6", "0.8"],
      at: 1,
      hit,
      wrong,
      strip: { labels, levels: hit.map((level, index) => Math.max(level, wrong[index])) },
      left_out: [],
      labelled: [],
      segments: [{ number: 1, start: 40, stop: 50 }],
      found: [
        [
          { step: 0, delay: 2, late: "delay 20" },
          { step: 2, delay: 5, late: "delay 50" },
          { step: 3, delay: -1, late: "" },
        ],
      ],
      alarms: textsOf("4 flagged", "3 flagged", "2 flagged", "0 flagged"),
      lanes: [
        {
          key: "pw",
          name: "Point-wise",
          slider: null,
          arrows: false,
          over_threshold: {
            places: [0, 1, 2, 3],
            f1: [280, 300, 180, 0],
            gain: null,
            credit: bySegment([-1], [-1], [-1], [-1]),
          },
          over_own: null,
        },
        {
          key: "padf",
          name: "PAdf",
          slider: "decay",
          arrows: true,
          over_threshold: {
            places: [0, 1, 2, 3],
            f1: [700, 800, 600, 0],
            gain: [420, 500, 420, 0],
            credit: bySegment([81], [81], [59], [0]),
          },
          over_own: { places: [0, 1, 2], f1: [350, 800, 950], gain: [50, 500, 650], credit: bySegment([25], [81], [98]) },
        },
      ],
    },
    sliders: [threshold, decaySlider()],
  };
}

/**
 * A clip of 6000 seconds with a point every minute. The incident begins at 3000 and ends at 4200; its
 * worth falls in quarters. A notices it at 3300, when it is worth 75 %. B misses it and calls falsely at
 * 2000 and 2500.
 * @returns {ReplayClip}
 */
export function replayClip() {
  return {
    title: "first",
    begins: 0,
    seconds: 6000,
    onset: 3000,
    over: 4200,
    step: 60,
    at: [0, 5000, 10000],
    signal: [0, 1000, 500],
    ticks: [{ at: 3000, name: "00:50" }],
    worth: [100, 75, 50, 25, 0],
    tracks: [
      { rings: [3300, 3600], wrong: [], counts: [], noticed: 3300, worth: 75, said: "alarm at 00:55, worth 75 %" },
      { rings: [], wrong: [2000, 2500], counts: [1, 2], noticed: null, worth: 0, said: "missed it" },
    ],
    skipped: "",
    missed_calls: [0, 0],
  };
}

/** @returns {ReplayData} */
export function replayData() {
  return {
    session: "s",
    answered: 0,
    key: "web_service/1",
    rows: {
      title: "Web shop",
      has_clock: true,
      signal_name: "requests",
      limits: ["0", "90"],
      detectors: [
        { name: "A", rule: "score of 0.5 or more", colours: ["#111111", "#eeeeee"], calls: "0.1" },
        { name: "B", rule: "score of 0.7 or more", colours: ["#222222", "#dddddd"], calls: "2.0" },
      ],
      clips: [replayClip()],
      speeds: [30, 60, 120],
      speed: 60,
      card: {
        title: "In all the data",
        lines: ["A was first."],
        heads: ["usual", "time-aware"],
        rows: [{ name: "A", cells: ["0.9", "0.8"] }, { name: "B", cells: ["0.3", "0.2"] }],
        notes: ["What it means."],
        each: [],
      },
    },
    watched: null,
    name: "",
  };
}

/**
 * Two toy cases and one more. In the first the alarm is at once, in the second six steps late.
 * @returns {CasesData}
 */
export function casesData() {
  const first = boardRows();
  const second = boardRows();
  first.lanes[2].credit = bySegment([100], [100], [100]);
  first.lanes[2].f1 = [900, 900, 900];
  const only = { ...boardRows(), lanes: [boardRows().lanes[2]] };
  const agrees = { lane: "padf", at: 0.9, text: "0.61", agrees: true };
  return {
    session: "s",
    answered: 0,
    rules: "Rules in use.",
    terms: { alarm: "a flagged point" },
    sliders: [decaySlider()],
    toy: [
      { title: "Case 1", about: "at once", rows: first, printed: [{ lane: "pw", at: null, text: "0.2", agrees: false }] },
      { title: "Case 2", about: "six late", rows: second, printed: [agrees] },
    ],
    robustness: [{ title: "Case A", about: "another", rows: only, printed: [agrees] }],
    conditions: [
      { text: "a late alarm earns less", name: "lateness", required: true },
      { text: "a miss earns nothing", name: "misses", required: true },
    ],
    verdicts: {
      pw: [["fail", "pass"]],
      pa: [["fail", "pass"]],
      padf: [["pass", "fail"], ["pass", "pass"], ["differs", "pass"]],
    },
    ranges: ["It holds from d = 0.6 on."],
  };
}

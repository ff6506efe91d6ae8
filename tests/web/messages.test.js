// @ts-check
// What the browser sends to Python. Each message in messages.json is one that a component really
// sends; tests/ui/test_browser_messages.py gives the same messages to the Python that receives them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test, { beforeEach } from "node:test";

import startBoard from "../../padf_ui/web/board/board.js";
import startCases from "../../padf_ui/web/board/cases.js";
import startGuess from "../../padf_ui/web/board/guess.js";
import startNeed from "../../padf_ui/web/charts/need.js";
import startPage from "../../padf_ui/web/core/page.js";
import startProbabilities from "../../padf_ui/web/charts/probabilities.js";
import startRace from "../../padf_ui/web/charts/race.js";
import startReplay from "../../padf_ui/web/replay/replay.js";
import startTimeline from "../../padf_ui/web/timeline/timeline.js";
import { clock, enter, fire, fireOnWindow, Mounted, openTab, page, pressKey, theme } from "./fake_dom.js";
import { boardData, boardRows, casesData, replayData, textsOf, timelineData } from "./samples.js";

const WEB = new URL("../../padf_ui/web/", import.meta.url);

/** @type {{name: string, component: string, sends: string, merged?: boolean, message: any}[]} */
const MESSAGES = JSON.parse(readFileSync(new URL("messages.json", import.meta.url), "utf8"));

beforeEach(() => {
  openTab();
  /** @type {any} */ (globalThis).location.search = "";
});

// ---- the components ----------------------------------------------------------------------------

const CELL = 50;

const board = () => new Mounted(startBoard, "board", { ...boardData(), revision: 0 });

/**
 * Drags over detections. With the payload of the samples a cell is 50 wide, and the row begins at 77.
 * @param {Mounted} mounted
 * @param {number} from
 * @param {number} to
 */
function drag(mounted, from, to) {
  const canvas = mounted.one(".canvas");
  fire(canvas, "pointerdown", { clientX: (from + 0.5) * CELL, clientY: 97 });
  fire(canvas, "pointermove", { clientX: (to + 0.5) * CELL, clientY: 97 });
  fire(canvas, "pointerup");
}

/**
 * @param {Mounted} mounted
 * @param {string} key
 * @param {number} step
 */
const slide = (mounted, key, step) => enter(mounted.one(`[data-slider=${key}] [type=range]`), step);

/** @param {Mounted} mounted */
const answerStroke = (mounted) => {
  mounted.answer({ rows: { ...boardRows(), detections: mounted.asked.detections } });
};

const timeline = () => new Mounted(startTimeline, "timeline", timelineData());

function probabilities() {
  const alarm = [1, ...Array.from({ length: 11 }, () => 0)];
  const data = { session: "s", revision: 0, answered: 0, alarm, terms: alarm, sums: alarm, total: "1", words: "" };
  return new Mounted(startProbabilities, "probabilities", data, 654);
}

function guess() {
  const data = {
    session: "s", answered: 0, title: "F1", x: Array.from({ length: 12 }, (_, index) => String(index)),
    axis: "delay", truth: null, guess: [], words: "",
  };
  return new Mounted(startGuess, "guess", data, 660);
}

function need() {
  const data = {
    session: "s",
    answered: 0,
    numbers: [
      { key: "seconds", steps: [300, 600, 1200], at: 1 },
      { key: "share", steps: [0.25, 0.5], at: 1 },
      { key: "grace", steps: [0, 60], at: 0 },
    ],
    parts: ["An alarm after ", " is worth half."],
    slots: [{ number: "seconds", moves: "seconds", title: "time", texts: ["5 min", "10 min", "20 min"], turned: false }],
    said: textsOf("a", "b", "c", "d", "e", "f"),
    begins: ["", ""],
    delays: [0, 1, 2],
    credit: [[1000, 250, 60], [1000, 500, 250]],
    stars: [250, 500],
    reaches: [0.5, 1],
    axes: [{ last: 3600, ticks: [] }],
    axis: "delay",
    colours: ["#111111", "#eeeeee"],
  };
  return new Mounted(startNeed, "need", data);
}

function race() {
  const line = { name: "A", colours: ["#111111", "#eeeeee"], dash: "", f1: [500, 600, 700], here: 600, against: "" };
  const data = {
    session: "s",
    answered: 0,
    title: "half-life",
    numbers: [300, 600, 900],
    texts: textsOf("5 min", "10 min", "15 min"),
    note: "p: null hypothesis",
    at: 600,
    here: "10 min",
    lines: [line],
    random: { low: [1, 1, 1], high: [3, 3, 3], mean: [2, 2, 2], here: 2 },
    bands: [{ start: 300, stop: 900, ranking: [0] }],
    flips: [],
    ticks: [],
    file: "race.svg",
  };
  return new Mounted(startRace, "race", data);
}

/** @param {boolean} [keys] */
const anyPage = (keys = true) => {
  return new Mounted(startPage, "page", { page: "learn", visit: "v", keys, shown: true });
};

/**
 * How each message comes about. Each returns the component that sent it.
 * @type {Record<string, () => Mounted>}
 */
const DRIVEN = {
  "a stroke under way": () => {
    const mounted = board();
    fire(mounted.one(".canvas"), "pointerdown", { clientX: 16.5 * CELL, clientY: 97 });
    return mounted;
  },
  "a finished stroke": () => {
    const mounted = board();
    drag(mounted, 16, 18);
    answerStroke(mounted);
    return mounted;
  },
  "a slider of the board": () => {
    const mounted = board();
    slide(mounted, "decay", 2);
    return mounted;
  },
  "random alarms": () => {
    const mounted = board();
    mounted.one(".rate input").value = "30";
    mounted.one("[data-tool=random]").click();
    return mounted;
  },
  "a slider that a restarted server has not seen": () => {
    const mounted = board();
    drag(mounted, 16, 18);
    slide(mounted, "decay", 2);
    mounted.receive({ ...mounted.data, session: "another" });
    return mounted;
  },
  "a stroke and a slider in one ask": () => {
    const mounted = board();
    drag(mounted, 16, 18);
    slide(mounted, "decay", 2);
    answerStroke(mounted);
    return mounted;
  },
  "another stretch": () => {
    const mounted = timeline();
    mounted.one("[data-tool=next]").click();
    return mounted;
  },
  "the threshold": () => {
    const mounted = timeline();
    slide(mounted, "threshold", 2);
    return mounted;
  },
  "a slider of the timeline": () => {
    const mounted = timeline();
    slide(mounted, "decay", 2);
    return mounted;
  },
  "a slider of the cases": () => {
    const mounted = new Mounted(startCases, "cases", casesData());
    slide(mounted, "decay", 0);
    return mounted;
  },
  "a case to open": () => {
    const mounted = new Mounted(startCases, "cases", casesData());
    mounted.all(".card button")[2].click();
    return mounted;
  },
  probabilities: () => {
    const mounted = probabilities();
    // The bars begin at 46 and are 600 wide, 50 each; their panel is 120 high, from 22 on. A quarter
    // of it below its top is 0.75.
    fire(mounted.one(".stage"), "pointerdown", { clientX: 46 + 2.5 * 50, clientY: 22 + 30 });
    return mounted;
  },
  "a guess": () => {
    const mounted = guess();
    const { left, top, width, height } = plotOf(mounted);
    const spot = (/** @type {number} */ index, /** @type {number} */ share) => ({
      clientX: left + (index + 0.5) * width, clientY: top + (1 - share) * height,
    });
    fire(mounted.one(".stage"), "pointerdown", spot(2, 0.8));
    fire(mounted.one(".stage"), "pointermove", spot(4, 0.4));
    mounted.answer();
    clock.pass(60);
    return mounted;
  },
  "a number of the need that was dragged": () => {
    const mounted = need();
    pressKey(mounted.one(".need-slot"), "ArrowRight");
    fire(mounted.one(".need-slot"), "keyup");
    return mounted;
  },
  "a number of the need that was typed": () => {
    const mounted = need();
    pressKey(mounted.one(".need-slot"), "Enter");
    mounted.one(".need-typed").value = " 2 h ";
    pressKey(mounted.one(".need-typed"), "Enter");
    return mounted;
  },
  "a place on the race's axis": () => {
    const mounted = race();
    pressKey(mounted.one(".race-star"), "ArrowRight");
    fire(mounted.one(".race-star"), "keyup");
    return mounted;
  },
  "presses of the watcher": () => {
    const mounted = new Mounted(startReplay, "replay", replayData());
    for (const seconds of [3000, 3600]) {
      enter(mounted.one(".replay-scrub"), seconds);
      mounted.one(".replay-see").click();
    }
    mounted.answer();
    return mounted;
  },
  "the browser stepped back": () => {
    const mounted = anyPage();
    /** @type {any} */ (globalThis).location.search = "?n=10&truth=3-5&alarms=4";
    fireOnWindow("popstate");
    return mounted;
  },
  "a step on": () => pressed("ArrowRight"),
  "a step back": () => pressed("PageUp"),
  "the end of a presentation": () => pressed("Escape"),
  "an answer by its number": () => pressed("2"),
  "the answer to reveal": () => pressed("r"),
  "another theme": () => {
    const mounted = anyPage();
    theme.background = [0, 0, 0];
    mounted.receive(mounted.data);
    return mounted;
  },
  "the style is in force": () => anyPage(),
};

/** @param {string} key */
function pressed(key) {
  const mounted = anyPage();
  pressKey(page.body, key);
  return mounted;
}

/**
 * Returns where the curve of a guess is drawn, as its sliders tell.
 * @param {Mounted} mounted
 */
function plotOf(mounted) {
  const { left, top, width, height } = mounted.all("[role=slider]")[0].style;
  return { left: parseFloat(left), top: parseFloat(top), width: parseFloat(width), height: parseFloat(height) };
}

for (const { name, component, sends, message } of MESSAGES) {
  test(`${component} sends: ${name}`, () => {
    assert.ok(name in DRIVEN, "this test must say how the message comes about");
    const mounted = DRIVEN[name]();
    assert.ok(mounted.root.classList.contains(component));
    if (sends === "ask") {
      assert.deepEqual(mounted.asked, message);
      assert.deepEqual(mounted.triggers, []);
    } else {
      // Each page tells first that its style is in force.
      const sent = mounted.triggers.filter(([what]) => what !== "styled" || sends === "styled");
      assert.deepEqual(sent, [[sends, message]]);
      assert.deepEqual(mounted.asks, []);
    }
  });
}

test("every message has a name of its own, and nothing is driven that is not in the list", () => {
  assert.deepEqual(Object.keys(DRIVEN).sort(), MESSAGES.map(({ name }) => name).sort());
});

test("asks are numbered, and the numbers rise over all components of a tab", () => {
  const numbers = ["a stroke under way", "another stretch", "a case to open"]
    .map((name) => DRIVEN[name]().asks[0].id);
  assert.deepEqual(numbers, [1, 2, 3]);
});

test("a page that asks for no keys sends none", () => {
  const mounted = anyPage(false);
  pressKey(page.body, "ArrowRight");
  pressKey(page.body, "Escape");
  assert.deepEqual(mounted.triggers.filter(([name]) => name !== "styled"), []);
});

// ---- the list is complete ----------------------------------------------------------------------

/** The component of each module that has another name than its component. */
const COMPONENT_OF = /** @type {Record<string, string>} */ ({
  drawing: "board", board_picture: "board", replaying: "replay", timeline_picture: "timeline",
});

/** What the modules spread into an ask. */
const SPREADS = /** @type {Record<string, string[]>} */ ({ "...this.pattern": ["labels", "detections"] });

const SOURCES = readdirSync(WEB, { encoding: "utf8", recursive: true })
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({
    module: name.slice(name.lastIndexOf("/") + 1, -3),
    text: readFileSync(new URL(name, WEB), "utf8").replace(/^\s*(\/\/|\*|\/\*).*$/gm, ""),
  }));

/**
 * Cuts a text at the commas that stand in no bracket, up to the bracket that closes it.
 * @param {string} text
 */
function partsUntilClosed(text) {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (depth < 0) break;
    if (letter === "," && !depth) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/**
 * Returns the names of the fields of an object that is written down.
 * @param {string} literal
 */
function fieldsOf(literal) {
  assert.ok(literal.startsWith("{"), `this test cannot read what is asked for: ${literal}`);
  return partsUntilClosed(literal.slice(1)).flatMap((field) => {
    if (field.startsWith("...")) {
      assert.ok(field in SPREADS, `this test must say which fields ${field} has`);
      return SPREADS[field];
    }
    const name = /^(\w+)(?=$|\s*:)/.exec(field)?.[1];
    assert.ok(name, `this test cannot read the field ${field}`);
    return [name];
  });
}

/**
 * Returns the arguments of every call of a method.
 * @param {string} text
 * @param {RegExp} call up to its opening bracket
 */
function callsOf(text, call) {
  return [...text.matchAll(call)].map((found) => partsUntilClosed(text.slice(found.index + found[0].length)));
}

/** @param {string} module */
const componentOf = (module) => COMPONENT_OF[module] ?? module;

/**
 * Returns the kinds of asks and triggers that the modules can send, as "component: field+field".
 */
function kindsInSources() {
  const kinds = new Set();
  for (const { module, text } of SOURCES) {
    for (const [wish] of callsOf(text, /\.ask\(/g)) {
      // A method that passes on what it was given is looked into where it is called.
      if (wish === "wish") continue;
      kinds.add(`${componentOf(module)}: ask ${fieldsOf(wish).sort().join("+")}`);
    }
    for (const [name] of callsOf(text, /\.setTriggerValue\(/g)) {
      kinds.add(`${componentOf(module)}: ${JSON.parse(name)}`);
    }
  }
  return [...kinds].sort();
}

/**
 * Returns the fields that a component adds to each of its asks, by component.
 * @returns {Record<string, string[]>}
 */
function stampsInSources() {
  return Object.fromEntries(
    SOURCES.flatMap(({ module, text }) => {
      const [call] = callsOf(text, /super\(/g).filter((args) => args.length > 1);
      return call ? [[componentOf(module), fieldsOf(call[1].replace(/^\(\) => \(/, ""))]] : [];
    }),
  );
}

test("no component can send a kind of message that is not in messages.json", () => {
  const stamps = stampsInSources();
  assert.deepEqual(Object.keys(stamps), ["board"]);
  const listed = MESSAGES.filter(({ merged }) => !merged).map(({ component, sends, message }) => {
    if (sends !== "ask") return `${component}: ${sends}`;
    const stamped = stamps[component] ?? [];
    for (const field of stamped) assert.ok(field in message, `${component} sends ${field} with each ask`);
    const fields = Object.keys(message).filter((field) => !stamped.includes(field));
    return `${component}: ask ${fields.sort().join("+")}`;
  });
  assert.deepEqual(kindsInSources(), [...new Set(listed)].sort());
});

test("components speak to Streamlit in the known ways only", () => {
  const states = SOURCES.flatMap(({ module, text }) =>
    callsOf(text, /\.setStateValue\(/g).map((args) => [module, ...args]),
  );
  assert.deepEqual(states, [["mount", '"ask"', "ask"]]);
  const speakers = SOURCES.filter(({ text }) => /\.setTriggerValue\b/.test(text)).map(({ module }) => module);
  assert.deepEqual(speakers, ["page"]);
  // An alias would hide calls from this test.
  for (const { module, text } of SOURCES) {
    assert.doesNotMatch(text, /\{[^}()]*\b(setStateValue|setTriggerValue)\b[^}()]*\}\s*=/, module);
    assert.doesNotMatch(text, /\bask\b[^(\n]*\.bind\(/, module);
    assert.doesNotMatch(text, /\[\s*["'`](ask|setStateValue|setTriggerValue)["'`]\s*\]/, module);
  }
});

test("the messages of a component have exactly the fields that its payload type names", () => {
  const declared = readFileSync(new URL("payload.d.ts", WEB), "utf8");
  /** @type {Record<string, string[]>} */
  const types = {};
  for (const [, name, body] of declared.matchAll(/export interface (\w+)Ask \{\n([^}]*)\}/g)) {
    const fields = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field]) => field);
    const component = { Probability: "probabilities" }[name] ?? name.toLowerCase();
    types[component] = fields.filter((field) => field !== "id").sort();
  }
  /** @type {Record<string, string[]>} */
  const sent = {};
  for (const { component, sends, message } of MESSAGES) {
    if (sends !== "ask") continue;
    sent[component] = [...new Set([...(sent[component] ?? []), ...Object.keys(message)])].sort();
  }
  assert.deepEqual(sent, types);
});

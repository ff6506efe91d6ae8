// @ts-check
// The replay for operators in one file that needs no server.

import { element } from "../core/dom.js";
import { Replay } from "./replaying.js";

/** @typedef {import("../payload.d.ts").ReplayData} ReplayData */

/**
 * @param {HTMLElement} documentRoot
 * @param {ReplayData} payload
 */
export default function start(documentRoot, payload) {
  element("h1", {}, documentRoot, payload.rows.title);
  const root = element("div", { class: "replay" }, documentRoot);
  const replay = new Replay(root);
  const show = () => {
    replay.receive({ data: payload, parentElement: root, setStateValue() {}, setTriggerValue() {} });
  };
  show();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  element("p", { class: "file-name" }, documentRoot, payload.name);
  return replay;
}

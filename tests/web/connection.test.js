// @ts-check
import assert from "node:assert/strict";
import test from "node:test";

import { isLost } from "../../padf_ui/web/core/connection.js";

test("only a state without a server is told", () => {
  for (const state of ["CONNECTED", "INITIAL", "", null, undefined]) {
    assert.equal(isLost(state), false);
  }
  for (const state of ["CONNECTING", "PINGING_SERVER", "DISCONNECTED_FOREVER"]) {
    assert.equal(isLost(state), true);
  }
});

// @ts-check
// Delivers data from a fragment to a component outside it. See mount.js for the reason.

import { deliver } from "./mount.js";

export default deliver;

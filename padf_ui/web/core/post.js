// @ts-check
// Brings what a fragment has to say to a component that stands outside of it.

import { deliver } from "./mount.js";

export default deliver;

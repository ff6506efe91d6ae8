// @ts-check
// The replay for operators, as Streamlit mounts it.

import { mount } from "../core/mount.js";
import { Replay } from "./replaying.js";

export default mount("replay", Replay);

// @ts-check
// The live drawing board, as Streamlit mounts it.

import { Board } from "./drawing.js";
import { mount } from "../core/mount.js";

export default mount("board", Board);

// The tools live in .venv/web, apart from the code: see find_node.py.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../.venv/web/package.json", import.meta.url));
const js = require("@eslint/js");
const globals = require("globals");

const rules = {
  ...js.configs.recommended.rules,
  "no-unused-vars": "error",
  eqeqeq: "error",
  "prefer-const": "error",
  "no-var": "error",
  "no-shadow": "error",
  "object-shorthand": "error",
};

export default [
  {
    files: ["**/padf_ui/web/**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    rules,
  },
  {
    files: ["**/tests/web/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.nodeBuiltin },
    rules,
  },
];

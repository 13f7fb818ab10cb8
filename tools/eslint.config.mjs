// The rules of ESLint for the scripts of the page of `orca html`: tools/lint.
import {readdirSync, readFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const folder = "orca/html/page";
const root = dirname(fileURLToPath(import.meta.url));
const scripts = readdirSync(join(root, folder)).filter((name) => name.endsWith(".js"))
  .map((name) => ({name, text: readFileSync(join(root, folder, name), "utf8")}));

// The build joins the scripts in one function, so each script uses top-level names of the others. The scripts of the
// views use the parameters of openRecording too.
const declaration = /^(?:const|let|function|class) ([\w$]+)/gm;
for (const script of scripts) script.names = [...script.text.matchAll(declaration)].map((match) => match[1]);

const browser = ["Event", "ResizeObserver", "cancelAnimationFrame", "clearTimeout", "document", "getComputedStyle",
  "history", "innerHeight", "innerWidth", "localStorage", "location", "matchMedia", "navigator",
  "requestAnimationFrame", "setTimeout", "window"];

function makeConfig(script) {
  const others = scripts.filter((other) => other !== script);
  const foreign = [...browser, "data", "side", ...others.flatMap((other) => other.names)];
  const exported = script.names.filter((name) => others.some((other) => new RegExp(`\\b${name}\\b`).test(other.text)));
  return {
    files: [`${folder}/${script.name}`],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "script",
      globals: Object.fromEntries(foreign.map((name) => [name, "readonly"])),
    },
    rules: {
      "no-undef": "error",
      "no-unused-vars": ["error", {varsIgnorePattern: `^(${exported.join("|")})$`}],
      ...Object.fromEntries(rules.map((rule) => [rule, "error"])),
      "no-unused-expressions": ["error", {allowTernary: true}],
      "max-len": ["error", 120],
      eqeqeq: "error",
    },
  };
}

const rules = ["array-callback-return", "consistent-return", "for-direction", "no-const-assign", "no-constant-condition",
  "no-dupe-args", "no-dupe-class-members", "no-dupe-else-if", "no-dupe-keys", "no-duplicate-case", "no-empty",
  "no-fallthrough", "no-func-assign", "no-irregular-whitespace", "no-loss-of-precision",
  "no-redeclare", "no-self-assign", "no-self-compare", "no-shadow", "no-sparse-arrays", "no-this-before-super",
  "no-undef-init", "no-unreachable", "no-unsafe-finally", "no-unsafe-optional-chaining", "no-useless-escape", "no-var",
  "prefer-const", "use-isnan", "valid-typeof"];

export default scripts.map(makeConfig);

// Every word of the language is used by a game that is offered, by a step of games/road, by one of games/examples or, if it is of the first
// form, by a game of games/format-1.md or tests/engine/version_0: a word that nobody needs is named here, but for names of before.
//
// Run by `node --test`; ajv comes from the packages of tests/browser.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(path.join(root, "tests/browser/package.json"));
const Ajv2020 = require("ajv/dist/2020.js").default;

const schema = JSON.parse(readFileSync(path.join(root, "protocol/schema/game.schema.json"), "utf8"));
const ajv = new Ajv2020({ strict: true, strictTypes: false }); // a branch alone does not say the type that stands beside it
ajv.addSchema(schema);

const filesIn = (folder) => readdirSync(path.join(root, folder)).filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(path.join(root, folder, name), "utf8"));
const page = readFileSync(path.join(root, "games/format-1.md"), "utf8");
const games = [...filesIn("games"), ...filesIn("games/road"), ...filesIn("games/examples"), ...filesIn("tests/engine/version_0"), ...[...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text)]
    .map((text) => JSON.parse(text));

const nodeAt = (pointer) => pointer.split("/").slice(1).reduce((node, key) => node[key.replaceAll("~1", "/").replaceAll("~0", "~")], schema);
const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");
const compiled = new Map();
function fits(pointer, value) {
    if (!compiled.has(pointer)) compiled.set(pointer, ajv.compile({ $ref: `${schema.$id}#${pointer}` }));
    return compiled.get(pointer)(value);
}

// Walks a value along the schema and marks each word of it where the schema says the word.
const used = new Set();
function walk(value, pointer) {
    const node = nodeAt(pointer);
    if (typeof node !== "object" || value === null) return;
    if (node.$ref) walk(value, node.$ref.slice(1));
    for (const word of ["oneOf", "anyOf", "allOf"])
        (node[word] ?? []).forEach((_, i) => {
            const branch = `${pointer}/${word}/${i}`;
            if (fits(branch, value)) walk(value, branch);
        });
    if (Array.isArray(value)) {
        if (node.items) for (const item of value) walk(item, `${pointer}/items`);
        (node.prefixItems ?? []).forEach((_, i) => i < value.length && walk(value[i], `${pointer}/prefixItems/${i}`));
    } else if (typeof value === "object")
        for (const [key, member] of Object.entries(value)) {
            if (node.properties && key in node.properties) {
                used.add(`${pointer}/properties/${escaped(key)}`);
                walk(member, `${pointer}/properties/${escaped(key)}`);
            } else if (typeof node.additionalProperties === "object") walk(member, `${pointer}/additionalProperties`);
        }
}

function allWords(node, pointer, found) {
    if (node === null || typeof node !== "object") return found;
    // `true` only names a word that is said elsewhere
    for (const [word, value] of Object.entries(pointer.endsWith("/not") || pointer.endsWith("/if") ? {} : node.properties ?? {}))
        if (value !== true && !value.deprecated) found.push(`${pointer}/properties/${escaped(word)}`);
    for (const [key, value] of Object.entries(node)) allWords(value, `${pointer}/${escaped(key)}`, found);
    return found;
}

test("every word is used by a game", () => {
    for (const game of games) walk(game, "");
    const words = allWords(schema, "", []);
    assert.ok(words.length > 150, `${words.length} words`);
    assert.deepEqual(words.filter((word) => !used.has(word)), []);
});

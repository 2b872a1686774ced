// The language reference in games/README.md and games/format-1.md is true: its games load and play, its tables have every word of
// the schema, every example in them is valid, and what it shows of games/road is what stands there.
//
// Run by `node --test`; ajv comes from the packages of tests/browser. SENET_PROGRAM names the program; without it what
// needs the program is skipped.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(path.join(root, "tests/browser/package.json"));
const Ajv2020 = require("ajv/dist/2020.js").default;

const readPage = (name) => readFileSync(path.join(root, "games", name), "utf8");
const readme = readPage("README.md"), format1 = readPage("format-1.md"), pages = readme + format1;
const schema = JSON.parse(readFileSync(path.join(root, "protocol/schema/game.schema.json"), "utf8"));
const ajv = new Ajv2020({ allErrors: true, strict: true });
ajv.addSchema(schema);

const FOX_NODES = [2, 10, 40, 168, 418, 1730];

const program = process.env.SENET_PROGRAM;
const skip = program ? false : "SENET_PROGRAM is not set";
const folder = mkdtempSync(path.join(tmpdir(), "senet-readme-"));
after(() => rmSync(folder, { recursive: true }));

function senet(...words) {
    const run = spawnSync(program, words, { encoding: "utf8", timeout: 60_000 });
    assert.equal(run.error, undefined);
    return run;
}

// The same game twice: in the first language and in format 2.
const examples = [...format1.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text).slice(0, 2);
const exampleFiles = examples.map((text, index) => {
    const file = path.join(folder, `fox-${index}.json`);
    writeFileSync(file, text);
    return file;
});

test("the page of format 1 shows a whole game, twice", () => {
    assert.deepEqual(examples.map((text) => JSON.parse(text).format), [undefined, 2]);
    for (const text of examples) {
        const validate = ajv.getSchema(schema.$id);
        assert.ok(validate(JSON.parse(text)), JSON.stringify(validate.errors));
    }
});

for (const file of [...exampleFiles, ...readdirSync(path.join(root, "games")).filter((name) => name.endsWith(".json"))
    .map((name) => path.join(root, "games", name))])
    test(`${path.basename(file)} loads without any complaint`, { skip }, () => {
        const run = senet("check", file);
        assert.equal(run.status, 0, run.stdout + run.stderr);
        assert.doesNotMatch(run.stdout + run.stderr, /:\d+:\d+:/); // file:line:column: as compilers complain
    });

// Counted by a program of its own that knows nothing of game files.
for (const file of exampleFiles)
    test(`${path.basename(file)} plays as the page says`, { skip }, () => {
        const run = senet("perft", file, "6");
        assert.equal(run.status, 0, run.stderr);
        const nodes = run.stdout.split("\n").filter((line) => /^\d+\t/.test(line)).map((line) => Number(line.split("\t")[1]));
        assert.deepEqual(nodes, FOX_NODES);
    });

test("the steps that the page shows are the files of games/road", () => {
    const shown = [...readme.matchAll(/<!-- road\/(\S+\.json) -->\n```json\n([\s\S]*?)```/g)];
    const inPart = [...readme.matchAll(/<!-- of road\/(\S+\.json) -->\n```\n([\s\S]*?)```/g)];
    for (const [, file, text] of shown) assert.equal(text, readPage(`road/${file}`), file);
    for (const [, file, text] of inPart) assert.ok(readPage(`road/${file}`).includes(text), file);
    const files = readdirSync(path.join(root, "games/road"));
    assert.deepEqual([...shown, ...inPart].map(([, file]) => file).sort(), files.sort());
    assert.equal(files.length, 10);
    assert.ok(readPage("road/01-tic-tac-toe.json").trim().split("\n").length <= 15);
});

// [pointer into the schema, rows of [word, example]]; a pointer's words may stand in several tables.
function tables() {
    const found = new Map();
    for (const [, pointer, body] of pages.matchAll(/<!-- schema: (\S+) -->\n((?:\|.*\n)+)/g)) {
        const rows = body.trim().split("\n").slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
        found.set(pointer, [...(found.get(pointer) ?? []), ...rows.map((row) => [row[0].slice(1, -1), row[3].slice(1, -1)])]);
    }
    return [...found];
}

const wordsAt = (pointer) =>
    pointer.split("/").slice(1).reduce((node, key) => node[key], schema).properties;

for (const [pointer, rows] of tables())
    test(`the tables for ${pointer} have its words, each with a valid example`, () => {
        assert.deepEqual(rows.map(([word]) => word).sort(), Object.keys(wordsAt(pointer)).sort());
        for (const [word, text] of rows) {
            const value = JSON.parse(`{${text}}`);
            assert.deepEqual(Object.keys(value), [word]);
            const validate = ajv.compile({ $ref: `${schema.$id}${pointer}/properties/${word}` });
            assert.ok(validate(value[word]), `${text}: ${JSON.stringify(validate.errors)}`);
        }
    });

test("every word of the schema is in some table", () => {
    const explained = new Set(tables().flatMap(([, rows]) => rows.map(([word]) => word)));
    const small = ["action", "new_figure", "player", "state"]; // shown in examples only
    const missing = new Set();
    const visit = (node) => {
        if (node === null || typeof node !== "object") return;
        for (const word of Object.keys(node.properties ?? {}))
            if (!explained.has(word) && !small.includes(word)) missing.add(word);
        Object.values(node).forEach(visit);
    };
    visit(schema);
    assert.deepEqual([...missing], []);
    for (const word of small) assert.ok(pages.includes(`"${word}"`), word);
});

// Every game file has the shape that protocol/schema/game.schema.json describes, and the schema describes every word.
//
// Run by `node --test`; ajv comes from the packages of tests/browser.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { applyPatch } from "../support/state.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(path.join(root, "tests/browser/package.json"));
const Ajv2020 = require("ajv/dist/2020.js").default;

const games = path.join(root, "games");
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
const filesIn = (folder) => readdirSync(folder).filter((name) => name.endsWith(".json"));

// A variant is merged into what it extends.
const readWhole = (file) => {
    const { extends: base, ...rest } = readJson(file);
    return base === undefined ? rest : applyPatch(readWhole(path.join(games, `${base}.json`)), rest);
};

const schema = readJson(path.join(root, "protocol/schema/game.schema.json"));
const ajv = new Ajv2020({ allErrors: true, strict: true });
const validate = ajv.compile(schema);

function faults(game) {
    return validate(game) ? [] : validate.errors.map((error) => `${error.instancePath} ${error.message}`);
}

// Where an editor that has this repository open finds it; a server serves the same at /schema/game.json.
test("games name the schema by which editors know their words", () => {
    const named = filesIn(games).map((name) => readJson(path.join(games, name)).$schema).filter((name) => name !== undefined);
    assert.ok(named.length > 30);
    assert.deepEqual([...new Set(named)], ["../protocol/schema/game.schema.json"]);
    assert.ok(existsSync(path.join(games, named[0])));
});

test("there are games", () => {
    assert.ok(filesIn(games).length >= 3);
});

const variants = filesIn(games).filter((name) => readJson(path.join(games, name)).extends);

test("the variants of chess are short", () => {
    assert.ok(variants.length >= 4, variants.join());
    assert.ok(readFileSync(path.join(games, "knightmate.json"), "utf8").trim().split("\n").length <= 15);
});

for (const name of variants)
    test(`${name} says what the program makes of it`, { skip: process.env.SENET_PROGRAM ? false : "SENET_PROGRAM is not set" }, () => {
        const { stdout, status } = spawnSync(process.env.SENET_PROGRAM, ["check", "--merged", path.join(games, name)], { encoding: "utf8" });
        assert.equal(status, 0);
        assert.deepEqual(JSON.parse(stdout), readWhole(path.join(games, name)));
        const words = Object.keys(readJson(path.join(games, name))).filter((word) => !schema.properties[word]);
        assert.deepEqual(words, []);
    });

for (const name of filesIn(games)) {
    const game = readWhole(path.join(games, name));

    test(`${name} is valid`, () => assert.deepEqual(faults(game), []));

    test(`${name} says in words what it is`, () => {
        assert.equal(game.name, path.basename(name, ".json"));
        const words = game.format === 2 ? ["title", "description"] : ["title", "description", "no_moves", "max_plies"];
        for (const word of words) assert.ok(game[word], word);
    });

    test(`${name} has a picture for every figure of every player, in each of its sets, and each is a plain drawing`, () => {
        const { images, sets = {} } = game.resources;
        for (const { figures } of [images, ...Object.values(sets)])
            for (const player of game.players)
                for (const figure of Object.keys(game.figures)) {
                    const picture = figures[player][figure];
                    const drawing = readFileSync(path.join(games, picture), "utf8");
                    assert.match(drawing, /^<svg [^>]*viewBox="0 0 100 100"/, picture);
                    assert.doesNotMatch(drawing, /<script|href|url\(|<image|<foreignObject|\son\w+=/i, picture);
                }
    });

    test(`every end of ${name} says who won and why`, () => {
        const ends = Object.entries(game.game_states ?? {}).filter(([, state]) => state.type === "end");
        const results = game.results ?? [];
        assert.ok(ends.length + results.length > 0 || game.no_moves);
        for (const [label, end] of ends) assert.ok((end.winner || end.draw) && end.reason, label);
        for (const result of results) assert.ok(result.reason, JSON.stringify(result));
    });
}

const originals = path.join(process.env.SENET_SHARED ?? path.join(root, "../shared"), "data/original-games");
test("the files of the original program are valid", { skip: existsSync(originals) ? false : `no ${originals}` }, () => {
    for (const name of filesIn(originals)) assert.deepEqual(faults(readJson(path.join(originals, name))), [], name);
});

test("a file that extends another one needs nothing else", () => {
    assert.deepEqual(faults({ extends: "chess", name: "mine", zones: { home: "y == 2" } }), []);
    assert.notDeepEqual(faults({ extends: "../chess" }), []);
    assert.notDeepEqual(faults({ extends: "chess", figurs: {} }), []);
});

// Each row breaks a sound game in one place, and says where the schema must notice.
const broken = [
    ["an unknown word at the top", "", (game) => { game.figurs = {}; }],
    ["no figures", "", (game) => { delete game.figures; }],
    ["a coordinate that is not whole", "/board/cells/0/x", (game) => { game.board.cells[0].x = 0.5; }],
    ["a cell listed twice", "/board/cells", (game) => { game.board.cells.push({ ...game.board.cells[0] }); }],
    ["too many plies", "/max_plies", (game) => { game.max_plies = 20001; }],
    ["a result for no moves that is none", "/no_moves", (game) => { game.no_moves = "maybe"; }],
    ["an unknown action", "/figures/king/cell_actions/destination/0/actions/0",
        (game) => { game.figures.king.cell_actions.destination[0].actions[0] = "jump"; }],
    ["replace without a figure", "/figures/king/cell_actions/destination/0/actions/0",
        (game) => { game.figures.king.cell_actions.destination[0].actions[0] = "replace"; }],
    ["conditions that are a number", "/figures/king/cell_actions/destination/0/if",
        (game) => { game.figures.king.cell_actions.destination[0].if = 5; }],
    ["a movement's word misspelt", "/figures/rook/movement/0/repaet",
        (game) => { game.figures.rook.movement[0].repaet = true; }],
    ["an inline delta in a complex movement", "/complex_movement/0/figures/0",
        (game) => { game.complex_movement[0].figures[0].x = 2; }],
    ["an unknown computed function", "/figures/king/cell_actions/destination/0/if/0/computed",
        (game) => { game.figures.king.cell_actions.destination[0].if[0] = { computed: { is_friend: true } }; }],
    ["a win condition about figures", "/win_conditions/white/0/entity",
        (game) => { game.win_conditions.white[0].entity = "figure"; }],
    ["a drawn game with a winner", "/game_states/white_won", (game) => { game.game_states.white_won.draw = true; }],
    ["a state that moves nobody", "/game_states/white_move",
        (game) => { delete game.game_states.white_move.parameters; }],
    ["a picture outside the folder", "/resources/images/figures/white/king",
        (game) => { game.resources.images.figures.white.king = "chess/../../secret.svg"; }],
    ["a picture that is not fetched safely", "/resources/images/figures/white/king",
        (game) => { game.resources.images.figures.white.king = "javascript:alert(1)"; }],
    ["a picture of a set outside the folder", "/resources/sets/Plain/figures/white/king",
        (game) => { game.resources.sets = { Plain: { figures: { white: { king: "../king.svg" } } } }; }],
    ["too many sets of pictures", "/resources/sets",
        (game) => { game.resources.sets = Object.fromEntries([..."abcdefghi"].map((name) => [name, {}])); }],
    ["an outline of two points", "/cell/geometry", (game) => { game.cell.geometry.length = 2; }],
];

const inFormat2 = [
    ["a word of format 2 in a file of format 0", "", (game) => { delete game.format; }],
    ["neither turns nor states", "", (game) => { delete game.turns; }],
    ["turns and states", "", (game) => { game.game_states = {}; game.initial_game_state = "white"; }],
    ["no players", "", (game) => { delete game.players; }],
    ["a number of players that is none", "/player_counts", (game) => { game.player_counts = { many: ["white"] }; }],
    ["a shape that is none", "/board/cells", (game) => { game.board.cells = { circle: 3 }; }],
    ["a shape that is two", "/board/cells", (game) => { game.board.cells.hexagon = 4; }],
    ["an empty range", "/board/cells/box/x", (game) => { game.board.cells.box.x = 0; }],
    ["a mirror that is no expression", "/board/mirror/black/y", (game) => { game.board.mirror.black.y = 7; }],
    ["a direction that is a number", "/directions/forward", (game) => { game.directions = { forward: 1 }; }],
    ["a zone that is a number", "/zones/last", (game) => { game.zones.last = 8; }],
    ["a symmetry that is none", "/figures/king/movement/0/symmetric",
        (game) => { game.figures.king.movement[0].symmetric = "every"; }],
    ["a purpose that is none", "/figures/pawn/movement/0/for", (game) => { game.figures.pawn.movement[0].for = "capture"; }],
    ["half a step", "/figures/pawn/movement/0/repeat", (game) => { game.figures.pawn.movement[0].repeat = 0.5; }],
    ["a promotion into nothing", "/figures/pawn/promote", (game) => { delete game.figures.pawn.promote.to; }],
    ["a condition misspelt", "/forbid/0", (game) => { game.forbid[0] = { atacked: { figure: "king" } }; }],
    ["a forbidden position without conditions", "/forbid/0", (game) => { game.forbid[0] = {}; }],
    ["a result that says two things", "/results/0/result",
        (game) => { game.results[0].result = { winner: "mover", loser: "next" }; }],
    ["a result without a condition", "/results/0", (game) => { delete game.results[0].if; }],
    ["a repetition of once", "/results/0/if/repetition", (game) => { game.results[0].if = { repetition: 1 }; }],
    ["a counter that begins below nothing", "/counters/quiet/start", (game) => { game.counters.quiet.start = -1; }],
    ["a priority that is none", "/priority/0", (game) => { game.priority = ["check"]; }],
    ["a turn without a player", "/turns/0", (game) => { game.turns[0] = { phase: "shoot" }; }],
    ["a place by half a coordinate", "/initial_position/white/king/0",
        (game) => { game.initial_position = { white: { king: [{ x: 0.5, y: 0 }] } }; }],
];

const formats = [["tests/engine/version_0/chess.json", broken], ["games/chess.json", inFormat2]];
for (const [file, rows] of formats)
    for (const [name, where, breakIt] of rows)
        test(`${name} is noticed at "${where}"`, () => {
            const game = readJson(path.join(root, file));
            assert.deepEqual(faults(game), []);
            breakIt(game);
            assert.equal(validate(game), false);
            const places = validate.errors.map((error) => error.instancePath);
            assert.ok(places.includes(where), `noticed at ${JSON.stringify(places)}`);
        });

test("every word of the schema is explained", () => {
    const silent = [];
    const visit = (node, pointer) => {
        if (node === null || typeof node !== "object") return;
        for (const [word, value] of Object.entries(node.properties ?? {})) {
            const target = value.$ref ? schema.$defs[value.$ref.split("/").pop()] : value;
            // `{"const": …}` in a `not` or `if` narrows a word, and `true` only names it; it is explained where it is defined
            const narrows = pointer.endsWith("/not") || pointer === "/else/if";
            if (!narrows && value !== true && !value.description && !target.description) silent.push(`${pointer}/${word}`);
        }
        for (const [key, value] of Object.entries(node)) visit(value, `${pointer}/${key}`);
    };
    visit(schema, "");
    assert.deepEqual(silent, []);
});

// The ten steps of games/road and the games of games/examples: each loads without a complaint, keeps what its tests promise and plays to
// its end by chance; the last step is chess.
//
// Run by `node --test`. SENET_PROGRAM names the program; without it all is skipped.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const filesIn = (folder) => readdirSync(path.join(root, folder)).sort().map((name) => path.join(root, folder, name));
const road = filesIn("games/road");
const program = process.env.SENET_PROGRAM;
const skip = program ? false : "SENET_PROGRAM is not set";

function senet(...words) {
    const run = spawnSync(program, words, { encoding: "utf8", timeout: 120_000 });
    assert.equal(run.error, undefined);
    assert.equal(run.status, 0, run.stdout + run.stderr);
    return run;
}

for (const file of [...road, ...filesIn("games/examples")]) {
    const name = path.relative(root, file);

    test(`${name} loads, and its tests pass`, { skip }, () => {
        const { stdout, stderr } = senet("check", file);
        assert.doesNotMatch(stdout + stderr, /:\d+:\d+:/); // file:line:column: as compilers complain
        assert.ok(JSON.parse(readFileSync(file, "utf8")).tests.length > 0);
    });

    test(`${name} plays twenty games by chance`, { skip }, () => {
        const { games } = JSON.parse(senet("playouts", file, "-n", "20", "--json").stdout);
        assert.equal(games, 20);
    });
}

// What a flag means, and other languages, are left out of the road.
test("the last step is the chess that is offered", { skip }, () => {
    const [ours, chess] = [road.at(-1), path.join(root, "games/chess.json")]
        .map((file) => JSON.parse(senet("check", "--merged", file).stdout));
    chess.results = chess.results.filter(({ flag }) => !flag);
    for (const game of [ours, chess]) for (const word of ["$schema", "name", "title", "description", "tests", "translations"]) delete game[word];
    assert.deepEqual(ours, chess);
});

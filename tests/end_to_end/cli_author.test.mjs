// What an author asks on the command line: a file to begin with, a game in the terminal, many games by chance.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {after} from 'node:test';
import {program} from '../support/server.mjs';

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'senet-author-'));
after(() => rmSync(folder, {recursive: true, force: true}));

function senet(words, {input = '', status = 0} = {}) {
    const ran = spawnSync(program, words, {input, encoding: 'utf8', timeout: 300000, cwd: root});
    assert.equal(ran.status, status, ran.stdout + ran.stderr);
    return ran;
}

const game = name => join(root, `games/${name}.json`);
const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
};

test('new: templates load, a variant is one of what it names, and no file is written over', () => {
    const names = senet(['new', '--list']).stdout.trim().split('\n');
    assert.deepEqual(names, ['empty', 'hexagon', 'layers', 'square', 'stones']);
    for (const name of names) {
        const file = join(folder, `${name}.json`);
        senet(['new', '--template', name, file]);
        assert.equal(readFileSync(file, 'utf8'), readFileSync(join(root, `server/web/make/templates/${name}.json`), 'utf8'));
        senet(['check', file]);
        assert.equal(senet(['new', '--template', name]).stdout, readFileSync(file, 'utf8'));
        assert.match(senet(['new', '--template', 'square', file], {status: 1}).stderr, /exists/);
    }
    const variant = join(folder, 'night-chess.json');
    senet(['new', '--extends', 'chess', variant]);
    assert.deepEqual(JSON.parse(readFileSync(variant, 'utf8')).extends, 'chess');
    assert.match(senet(['check', variant]).stdout, /: night-chess: 64 cells, 6 figures/);
    assert.match(senet(['new', '--extends', 'nowhere', join(folder, 'other.json')], {status: 1}).stderr, /no game `nowhere`/);
    assert.ok(!existsSync(join(folder, 'other.json')));
    assert.match(senet(['new', '--template', 'nothing'], {status: 1}).stderr, /no template nothing/);
    for (const wrong of [[], ['--template'], ['--template', '../square'], ['--template', 'square', '--list'], ['--list', 'file'], ['--extends', 'a/b']])
        assert.match(senet(['new', ...wrong], {status: 2}).stderr, /^usage: /);
});

test('check: a picture that is not there is told with its place; one beside the file or of a game that came along is', () => {
    const picture = {nought: {mark: 'chess/white-pawn.svg'}, cross: {mark: 'pictured/cross.svg'}};
    const sets = {Bold: {figures: {cross: {mark: 'pictured/bold.svg'}}}};
    const file = write('pictured.json', JSON.stringify({extends: 'tic-tac-toe', name: 'pictured', resources: {images: {figures: picture}, sets}}, null, 1));
    const missing = pointer => new RegExp(`pictured\\.json:\\d+:\\d+: warning: there is no such picture beside the file \\(at ${pointer}\\)`);
    const first = senet(['check', file]).stderr;
    assert.match(first, missing('/resources/images/figures/cross/mark'));
    assert.match(first, missing('/resources/sets/Bold/figures/cross/mark'));
    assert.doesNotMatch(first, /nought/);
    mkdirSync(join(folder, 'pictured'));
    for (const name of ['cross', 'bold']) write(`pictured/${name}.svg`, readFileSync(join(root, 'games/chess/white-pawn.svg')));
    assert.equal(senet(['check', file]).stderr, '');
    for (const name of ['chess', 'minishogi']) assert.equal(senet(['check', game(name)]).stderr, '');
});

test('playouts: what the constructor is shown, added up', () => {
    const count = 40;
    const {next, first, ...whole} = JSON.parse(senet(['playouts', game('breakthrough'), '-n', `${count}`, '--json']).stdout);
    assert.deepEqual([first, next], [0, count]);
    const lines = [`{"do":"random","games":${count}}`].join('\n');
    const {random} = JSON.parse(senet(['engine', game('breakthrough')], {input: `${lines}\n`}).stdout);
    assert.equal(random.next, count, 'one slice is enough');
    assert.deepEqual({...whole, first, next}, random);
    const {stdout} = senet(['playouts', game('breakthrough'), '-n', `${count}`]);
    const wins = player => whole.ends.filter(({winner}) => winner === player).reduce((sum, {games}) => sum + games, 0);
    assert.match(stdout, new RegExp(`^  white wins: ${wins('white')} \\(`, 'm'));
    assert.match(stdout, new RegExp(`^  black wins: ${wins('black')} \\(`, 'm'));
    assert.match(stdout, new RegExp(`^  plies: ${(whole.plies.total / count).toFixed(1)} on average, ${whole.plies.least} to ${whole.plies.most}$`, 'm'));
});

test('playouts: what never comes up is told with its place, also in what is inherited', () => {
    const file = write('idle.json', `{"extends": "breakthrough",
 "name": "idle", "tests": null,
 "figures": {"owl": {"movement": [
    {"x": 1}]}},
 "notation": {"figures": {"owl": "o"}}, "resources": null}`);
    const {stdout} = senet(['playouts', file, '-n', '3']);
    assert.match(stdout, /idle\.json:4:5: never used \(at \/figures\/owl\/movement\/0\)/);
    const states = write('states.json', `{"extends": "chess", "name": "states", "tests": null,
 "results": [{"if": {"previous": {"figure": ["pawn", "knight"]}}, "result": "draw", "reason": "at once"}]}`);
    const {stdout: short} = senet(['playouts', states, '-n', '5']);
    assert.match(short, /drawn: 5 \(100\.0 %\)/);
    assert.match(short, /5 {2}100\.0 % {2}drawn: at once/);
    assert.match(short, /nobody ever moved in the state `.*black.*`/);
    assert.match(short, /in `chess`, line \d+, column \d+: never used/);
    senet(['playouts', join(folder, 'nowhere.json')], {status: 1});
    for (const wrong of [[], [game('chess'), '-n', '0'], [game('chess'), '-n', 'x'], [game('chess'), '--players', '9'], [game('chess'), game('chess')]])
        assert.match(senet(['playouts', ...wrong], {status: 2}).stderr, /^usage: /);
});

test('play: both sides to the end, in the file\'s notation', () => {
    const {stdout} = senet(['play', game('chess'), '--both'], {input: 'f3\ne7e5\ng4\nQh4#\nmore\n'});
    assert.match(stdout, /^ +a8 {2}r n b q k b n r {2}h8$/m);
    assert.match(stdout, /^ +a4 {2}\. \. \. \. \. \. P q {2}h4$/m);
    assert.ok(stdout.endsWith('black wins: checkmate\n'));
    assert.doesNotMatch(stdout, /more/);
});

test('play: mistakes are explained, moves are taken back, lines are bounded, and the input may end anywhere', () => {
    const input = ['e2e5', 'Ke2', 'zz', 'undo', 'claim', 'help', 'x'.repeat(100_000), 'e4', 'moves', 'undo', 'moves', ' board ', 'a\0b', ''].join('\n');
    const {stdout} = senet(['play', game('chess'), '--both'], {input});
    for (const words of [/no movement leads the pawn from e2 to e5/, /`zz` means no legal move/, /there is no move of yours to take back/, /there is nothing to claim/, /claim {3}end the game/, /no move is so long/, /`a\?b` means no legal move/])
        assert.match(stdout, words);
    const lists = stdout.split('\n').filter(line => line.includes('b1a3') || line.includes('b8a6'));
    assert.deepEqual(lists.map(line => line.replace(/^.*> /, '').split(' ').length), [20, 20]);
    assert.ok(lists[0].includes('b8a6') && lists[1].includes('b1a3'));
    for (const end of ['', '\n', 'e4', 'quit\n']) assert.ok(senet(['play', game('chess'), '--both'], {input: end}).stdout.length > 0);
});

test('play: against bots, whose moves come from a seed, to an end', () => {
    const input = `${'moves\n'.repeat(3)}e4\nundo\ne4\nd4\n`;
    const [one, same] = [1, 1].map(seed => senet(['play', game('chess'), '--seed', `${seed}`], {input}).stdout);
    assert.equal(one, same);
    assert.equal(one.match(/^black: \S+$|> black: \S+$/gm).length, 3);
    // Whoever plays the bots' side only watches.
    const {stdout} = senet(['play', game('chess'), '--as', 'black', '--seed', '5']);
    assert.match(stdout, /^white: \S+$/m);
    assert.ok(stdout.trim().endsWith('black>'));
    assert.match(senet(['play', game('chess'), '--as', 'red'], {status: 1}).stderr, /no player red/);
    for (const name of ['glinski', 'raumschach', 'chinese-checkers', 'international-draughts']) assert.match(senet(['play', game(name), '--both']).stdout, /\n.*\. .*\n/);
    for (const wrong of [[], [game('chess'), '--both', '--as', 'white'], [game('chess'), '--seed', '-1'], ['--loud', game('chess')]])
        assert.match(senet(['play', ...wrong], {status: 2}).stderr, /^usage: /);
});

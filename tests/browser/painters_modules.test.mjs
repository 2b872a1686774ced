// What painters do to a text, without a page: single edits as they are written, and random hands on random texts.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {test} from 'node:test';
import {addBox, addCells, removeCells, resizeBox, resizeHexagon, seenAs} from '../../server/web/make/cell_edits.js';
import {candidatesAround, withHoles} from '../../server/web/make/cells_around.js';
import {addFigure, moveFigure, waysToMove} from '../../server/web/make/figure_edits.js';
import {addLayers} from '../../server/web/make/layer_edits.js';
import {evaluate, readLinear} from '../../server/web/make/linear.js';
import {addStep, leadingTo, removeStep, setWord, stepsOf} from '../../server/web/make/movement_edits.js';
import {painting} from '../../server/web/make/painting.js';
import {addPlayer, mentionsOf, removePlayer, renamePlayer, setColour} from '../../server/web/make/player_edits.js';
import {addState, changeTurn, moveTurn, removeState, statesOf} from '../../server/web/make/turn_edits.js';
import {Engine, FILES, PAINTERS, hand, paintAtRandom, read} from './painting.mjs';

const engine = Engine.open();
const withEngine = {skip: engine === null && 'no engine for browsers is built'};

function becomes(text, work, expected) {
    const painted = painting(text, work);
    assert.equal(painted.refused, undefined);
    assert.equal(painted.text, expected);
}

function refuses(text, work, words, path) {
    const {refused, path: place, steps} = painting(text, work);
    assert.match(refused ?? 'nothing', words);
    assert.equal(steps, undefined);
    if (path) assert.deepEqual(place, path);
}

test('a mirror is a sum of multiples', () => {
    const names = ['x', 'y'];
    assert.deepEqual(readLinear('7 - y', names), {offset: 7, times: {y: -1}});
    assert.deepEqual(readLinear('-x - y', names), {offset: 0, times: {x: -1, y: -1}});
    assert.deepEqual(readLinear(' 2 * x + 3 - y*4', names), {offset: 3, times: {x: 2, y: -4}});
    for (const other of ['x * y', 'z', 'x ? 1 : 2', '(7 - y)', '1 2', '', 'Math.max(x, y)', '7 -', null]) assert.equal(readLinear(other, names), null, `${other}`);
    assert.equal(evaluate(readLinear('6 - x - y', names), {x: 1, y: 2}), 3);
});

const board = (cells, more = '') => `{"format": 2, "cell": {"coordinates_names": ["x", "y"]}, "board": {"cells": ${cells}${more}}}`;
const all = new Set(['0_0', '1_0', '0_1', '1_1']);
const there = inside => ({inside, count: 4, nameOf: ({x, y}) => 'ab'[x] + (y + 1)});

test('cells: each way to say which there are has its smallest edit', () => {
    const box = '{"box": {"x": 2, "y": 2}}', cell = {x: 1, y: 0};
    const without = '{"box": {"x": 2, "y": 2}, "except": [{"x": 1, "y": 0}]}';
    becomes(board(box), edited => removeCells(edited, [cell], there([all])), board(without));
    becomes(board(without), edited => addCells(edited, [cell], [all]), board(box));
    becomes(board(box), edited => addCells(edited, [{x: 2, y: 0}], [all]), board(`[${box}, {"x": 2, "y": 0}]`));
    becomes(board(`[${box}, {"x": 2, "y": 0}]`), edited => removeCells(edited, [{x: 2, y: 0}], there([all, undefined])), board(`[${box}]`));
    const row = '{"box": {"x": 2, "y": 2}, "except": [{"y": 0}]}';
    becomes(board(row), edited => addCells(edited, [cell], [all]), board(`[${row}, {"x": 1, "y": 0}]`));
    becomes(board(box), edited => addCells(edited, [cell], [all]), board(box));
    refuses(board('[{"x": 0, "y": 0}]'), edited => removeCells(edited, [{x: 0, y: 0}], {...there([undefined]), count: 1}), /at least one cell/);
    refuses(board('7'), edited => addCells(edited, [cell], []), /no list of cells and no shape/, ['board']);
});

test('cells: a box follows its mirrors and its letters, and nothing that only looks like them', () => {
    const file = (size, letters, mirror) => `{"cell": {"coordinates_names": ["x", "y"], "name": "${letters} + (y + 1)"}, "board": {"cells": {"box": {"x": ${size}, "y": 8}}, "mirror": {"b": {"x": "${mirror}"}}}}`;
    const path = ['board', 'cells'];
    becomes(file(3, "'abc'[x]", '2 - x'), edited => resizeBox(edited, path, 'x', [0, 4]), file(5, "'abcde'[x]", '4 - x'));
    becomes(file(3, "'ABC'[x]", 'y - x'), edited => resizeBox(edited, path, 'x', [-1, 2]), file('[-1, 2]', "'ZABC'[x + 1]", 'y - x'));
    becomes(file('[1, 3]', "'abc'[x - 1]", '4 - x'), edited => resizeBox(edited, path, 'x', [0, 3]), file('[0, 3]', "'zabc'[x]", '3 - x'));
    becomes(file(3, 'x', '5 - x'), edited => resizeBox(edited, path, 'x', [0, 1]), file(2, 'x', '5 - x'));
    refuses(file(3, 'x', '2 - x'), edited => resizeBox(edited, path, 'x', [1, 0]), /at least one cell/);
    refuses(file(3, 'x', '2 - x'), edited => resizeBox(edited, path, 'z', [0, 1]), /not said in numbers/);
    const hexagons = '{"cell": {"coordinates_names": ["q", "r"]}, "board": {"cells": [{"hexagon": {"side": 3, "at": {"q": 2}}}]}}';
    becomes(hexagons, edited => resizeHexagon(edited, ['board', 'cells', 0], 4), hexagons.replace('3', '4'));
});

test('cells: a box between two corners, with its mirrors; in the first formats cell by cell', () => {
    const file = (cells, mirror = '"y": "1 - y"', name = "'ab'[x] + (y + 1)") => `{"format": 2, "cell": {"coordinates_names": ["x", "y"], "name": "${name}"}, "board": {"cells": ${cells}, "mirror": {"b": {${mirror}}}}}`;
    const box = '{"box": {"x": 2, "y": 2}}';
    becomes(file(box), edited => addBox(edited, {x: 3, y: 1}, {x: 2, y: 0}, [all]), file(`[${box}, {"box": {"x": [2, 3], "y": 2}}]`, undefined, "'abcd'[x] + (y + 1)"));
    becomes(file(box), edited => addBox(edited, {x: 0, y: 1}, {x: 1, y: 3}, [all]), file(`[${box}, {"box": {"x": 2, "y": [1, 3]}}, {"box": {"x": 2, "y": [-2, 0]}}]`));
    refuses(file(box), edited => addBox(edited, {x: 0, y: 0}, {x: 1, y: 1}, [all]), /there already/);
    refuses(file(box), edited => addBox(edited, {x: 0, y: 0}, {x: 100, y: 100}, [all]), /at most 1024/);
    refuses(file(box, '"y": "-x - y"'), edited => addBox(edited, {x: 0, y: 0}, {x: 2, y: 2}, [all]), /To b this is no box/, ['board', 'mirror', 'b']);
    becomes('{"cell": {"coordinates_names": ["x"]}, "board": {"cells": [{"x": 0}]}}', edited => addBox(edited, {x: 0}, {x: 2}, [undefined]), '{"cell": {"coordinates_names": ["x"]}, "board": {"cells": [{"x": 0}, {"x": 1}, {"x": 2}]}}');
});

test('cells: layers of lists and of hexagons, whose movements are written out', () => {
    const file = (names, cells, position, name, movement) => `{"format": 2, "cell": {"coordinates_names": [${names}], "position": {"x": ${position}}, "name": ${name}}, "board": {"cells": ${cells}}, "figures": {"f": {"movement": [${movement}]}}}`;
    const layered = name => `"(z ? 'BCDEFGHIJKLMNOPQRSTUVWXYZ'[z - 1] : '') + (${name})"`;
    becomes(file('"x", "y"', '[{"x": 0, "y": 1}]', '"x"', '"x"', '{"x": 1}'), edited => addLayers(edited, 2), file('"x", "y", "z"', '[{"x": 0, "y": 1, "z": 0}, {"x": 0, "y": 1, "z": 1}]', '"x + z * 2"', layered('x'), '{"x": 1}'));
    becomes(
        file('"q", "r"', '{"hexagon": {"side": 3, "at": {"q": 2}}, "where": "q || r"}', '"q * 2"', '"q"', '{"r": 1, "symmetric": "hexagon", "repeat": true}'),
        edited => addLayers(edited, 2),
        file('"q", "r", "z"', '{"box": {"q": [0, 4], "r": [-2, 2], "z": 2}, "where": "Math.abs(q + r - 2) <= 2 && (q || r)"}', '"(q * 2) + z * 2"', layered('q'),
            '{"r": 1, "repeat": true}, {"q": 1, "repeat": true}, {"q": -1, "r": 1, "repeat": true}, {"q": 1, "r": -1, "repeat": true}, {"q": -1, "repeat": true}, {"r": -1, "repeat": true}'),
    );
});

test('layers: every game keeps its board on the first of them, and the moves it began with', withEngine, () => {
    let layered = 0;
    for (const file of FILES) {
        const text = read(file), plain = engine.board(text);
        const painted = painting(text, edited => addLayers(edited, 20));
        if (painted.refused || engine.ask({do: 'game', text: painted.text, short: true}).error) continue;
        layered++;
        plain.assertLayers(JSON.parse(painted.text));
        const moves = of => (engine.ask({do: 'game', text: of}), engine.ask({do: 'perft', depth: 1}).nodes);
        if (!/hexagon|"symmetric"|"place"/.test(text)) assert.equal(moves(painted.text), moves(text), file);
    }
    assert.ok(layered >= 8, `${layered}`);
});

test('figures: one is put elsewhere in the words that say where it begins; who stood there begins nowhere', () => {
    const file = (kings, rooks) => `{"initial_position": {"each": {"king": [${kings}], "rook": [${rooks}]}}}`;
    const words = (figure, index, many = false) => ({path: ['initial_position', 'each', figure, index], many});
    const move = (there, other) => edited => moveFigure(edited, {there, other}, path => (path.includes('rook') ? 'd4' : {x: 3}));
    becomes(file('"a1"', '"b1", "c1"'), move(words('rook', 1), null), file('"a1"', '"b1", "d4"'));
    becomes(file('"a1"', '"b1", "c1"'), move(words('king', 0), words('rook', 0)), file('{"x": 3}', '"c1"'));
    becomes(file('"a1"', '"b1", "c1"'), move(words('rook', 0), words('rook', 0)), file('"a1"', '"d4", "c1"'));
    const home = (index, at) => ({...words('rook', index, true), cells: ['b1', 'c1', 'd1'], at});
    becomes(file('"a1"', '{"zone": "home"}'), move(home(0, 1), null), file('"a1"', '"b1", "d4", "d1"'));
    becomes(file('"a1"', '"e1", {"zone": "home"}'), move(home(1, 1), words('rook', 0)), file('"a1"', '"b1", "d4", "d1"'));
    becomes(file('"a1"', '{"zone": "home"}, "e1"'), move(home(0, 2), words('rook', 1)), file('"a1"', '"b1", "c1", "d4"'));
    becomes(file('"a1"', '{"zone": "home"}, "e1"'), move(words('rook', 1), home(0, 0)), file('"a1"', '"c1", "d1", "d4"'));
    becomes(file('"a1"', '{"zone": "home"}'), move(words('king', 0), home(0, 1)), file('{"x": 3}', '"b1", "d1"'));
    becomes('{"initial_position": {"each": {"king": [{"x":\t1, "y": 2}]}}}', edited => moveFigure(edited, {there: words('king', 0)}, () => ({x: 3, y: 2})), '{"initial_position": {"each": {"king": [{"x":\t3, "y": 2}]}}}');
    refuses(file('"a1"', '{"zone": "home"}'), move(words('rook', 0, true), null), /words about several/, ['initial_position', 'each', 'rook', 0]);
    refuses(file('"a1"', '{"zone": "home"}'), move(words('king', 0), words('rook', 0, true)), /together with others/, ['initial_position', 'each', 'rook', 0]);
    refuses('{}', move(null, null), /words about several/, ['initial_position']);
});

test('what one player has on a cell the first one has where the mirror leads from, however many see the board', () => {
    const mirrored = mirror => ({cell: {coordinates_names: ['x', 'y']}, board: {mirror}});
    assert.deepEqual(seenAs({x: 2, y: 5}, 'black', mirrored({black: {y: '7 - y'}})), {x: 2, y: 2});
    assert.deepEqual(seenAs({x: 2, y: 5}, 'white', mirrored({black: {y: '7 - y'}})), {x: 2, y: 5});
    assert.deepEqual(seenAs({x: 2, y: 5}, 'white', {cell: {coordinates_names: ['x', 'y']}}), {x: 2, y: 5});
    const third = mirrored({green: {x: '-y', y: 'x + y'}}); // a sixth of a turn
    const seen = seenAs({x: 2, y: 1}, 'green', third);
    assert.deepEqual(seen, {x: 3, y: -2});
    assert.deepEqual({x: -seen.y, y: seen.x + seen.y}, {x: 2, y: 1});
    assert.throws(() => seenAs({x: 0, y: 0}, 'black', mirrored({black: {y: 'y + 1'}})), /leads nowhere back/);
});

test('figures: another one with a movement of each kind loads wherever there is such a kind', withEngine, () => {
    const stones = '{"format": 2, "figures": {"stone": {"movement": []}}}';
    becomes(stones.replace('"figures"', '"cell": {"coordinates_names": ["x", "y"]}, "figures"'), edited => addFigure(edited, 'owl', 'knight'),
        stones.replace('"figures"', '"cell": {"coordinates_names": ["x", "y"]}, "figures"').replace(']}}', ']}, "owl": {"movement": [{"x": 1, "y": 2, "symmetric": "all"}]}}'));
    refuses(stones, edited => addFigure(edited, 'stone', 'none'), /called stone already/, ['figures', 'stone']);
    refuses(stones, edited => addFigure(edited, ' ', 'none'), /1 to 64 bytes/);
    refuses(stones, edited => addFigure(edited, 'owl', 'knight'), /no such movement/);
    refuses('{"extends": "chess"}', edited => addFigure(edited, 'owl', 'none'), /extends a game/);
    for (const file of FILES)
        for (const {kind} of waysToMove(JSON.parse(read(file)))) {
            const {text} = painting(read(file), edited => addFigure(edited, 'owl', kind));
            const {error, findings} = engine.ask({do: 'game', text, short: true});
            assert.equal(error, undefined, `${file}, ${kind}: ${JSON.stringify(findings)}`);
        }
});

test('figures: in the first formats as well one goes to empty cells, takes, and passes over nothing', withEngine, () => {
    const first = JSON.parse(read('tests/engine/version_0/checkers.json'));
    const stand = {white: {owl: [{x: 3, y: 3}], man: [{x: 1, y: 3}]}, black: {man: [{x: 3, y: 5}]}};
    const counts = Object.fromEntries(waysToMove(first).map(({kind}) => {
        const {text} = painting(JSON.stringify({...first, initial_position: stand}), edited => addFigure(edited, 'owl', kind));
        engine.ask({do: 'game', text});
        return [kind, engine.ask({do: 'moves', from: {x: 3, y: 3}}).moves.length];
    }));
    assert.deepEqual(counts, {step: 4, king: 8, rook: 4 + 1 + 2 + 3, bishop: 13, queen: 23, knight: 8, none: 0});
});

test('holes lie where cells would, and not on other cells', withEngine, () => {
    for (const file of ['games/chess.json', 'games/glinski.json', 'games/raumschach.json', 'games/intellector.json']) {
        engine.ask({do: 'game', text: read(file)});
        const {layout, coordinates} = engine.ask({do: 'layout'});
        const names = JSON.parse(read(file)).cell.coordinates_names;
        const cells = candidatesAround(coordinates, names);
        const drawn = withHoles(layout, engine.ask({do: 'layout', cells}), names);
        assert.ok(drawn.holes.size > 20, file);
        assert.equal(drawn.layout.cells.length, layout.cells.length + drawn.holes.size);
        for (const {shape} of drawn.layout.cells) assert.ok(drawn.layout.shapes[shape], file);
        if (file.endsWith('chess.json')) assert.equal(drawn.holes.size, 36);
    }
});

test('movements: steps are what the engine makes of them', withEngine, () => {
    const ways = [{x: 1}, {x: 1, y: 2, symmetric: 'all'}, {x: 1, y: 2, symmetric: 'signs'}, {x: 1, y: 2, symmetric: 'mirror'}, {x: 1, y: 2, symmetric: 'hexagon'}, {y: 1, symmetric: 'hexagon'},
        {x: 2, y: -1, also_reversed: true}, {y: 1, symmetric: 'mirror', also_reversed: true}, {up: 2}, {up: 1, x: 1}, {side: 1},
        {by: [{x: 3}, {x: 3, y: 1}], symmetric: 'all'}, {by: [{x: 4, symmetric: 'mirror'}, {up: 3, side: 1}], symmetric: 'signs'}];
    const file = {format: 2, name: 'x', players: ['a', 'b'], cell: {coordinates_names: ['x', 'y'], geometry: [[0, 0], [1, 0], [1, 1], [0, 1]], position: {x: 'x', y: 'y'}},
        board: {cells: {box: {x: [-5, 5], y: [-5, 5]}}}, directions: {up: {y: 1}, side: {a: {x: -1}, b: {x: 1}}}, figures: {f: {movement: ways}, g: {movement: []}}, initial_position: {a: {f: [{x: 0, y: 0}]}, b: {g: [{x: 5, y: 5}]}}, turns: ['a', 'b']};
    const {error, findings} = engine.ask({do: 'game', text: JSON.stringify(file)});
    assert.equal(error, undefined, JSON.stringify(findings));
    for (const [index, element] of ways.entries()) {
        const {sets} = engine.ask({do: 'cells', pointer: `/figures/f/movement/${index}`}).cells;
        const reached = sets.find(({role}) => role === 'reach').cells.sort();
        const own = stepsOf(element, file).vectors.map(vector => vector.join('_')).sort();
        assert.deepEqual(own, reached, JSON.stringify(element));
    }
    assert.deepEqual(leadingTo(ways, [0, 2], file), [8]);
});

test('movements: added, taken out of several directions, given other words', () => {
    const file = list => `{"cell": {"coordinates_names": ["x", "y"]}, "movements": {"m": [{"x": 9}]}, "figures": {"f": {"movement": [${list}]}}}`;
    const path = ['figures', 'f', 'movement'];
    becomes(file(''), edited => addStep(edited, path, [1, 0], {repeat: true}), file('{"x": 1, "repeat": true}'));
    becomes(file('{"x": 1}'), edited => addStep(edited, path, [-1, 2], {for: 'take', symmetric: ''}), file('{"x": 1}, {"x": -1, "y": 2, "for": "take"}'));
    becomes(file('{"x": 1,  "symmetric": "mirror", "for": "move"}'), edited => removeStep(edited, [...path, 0], [-1, 0]), file('{"x": 1, "for": "move"}'));
    becomes(file('{"x": 1, "symmetric": "mirror"}'), edited => removeStep(edited, [...path, 0], [1, 0]), file('{"x": -1}'));
    becomes(file('{"x": 1, "symmetric": "all"}, {"y": 5}'), edited => removeStep(edited, [...path, 0], [0, 1]), file('{"x": 1}, {"x": -1}, {"y": -1}, {"y": 5}'));
    becomes(file('{"by": [{"x": 1}, {"y": 1}], "for": "move"}'), edited => removeStep(edited, [...path, 0], [0, 1]), file('{"for": "move", "x": 1}'));
    becomes(file('{"by": [{"x": 1}, {"y": 1}], "symmetric": "mirror"}, {"y": 5}'), edited => removeStep(edited, [...path, 0], [1, 0]), file('{"x": -1}, {"y": 1}, {"y": 5}'));
    becomes(file('{"x": 1}'), edited => setWord(edited, [...path, 0], 'repeat', true), file('{"x": 1, "repeat": true}'));
    refuses(file('"m"'), edited => removeStep(edited, [...path, 0], [9, 0]), /called “m”/, ['movements', 'm']);
    refuses(file('{"x": 1, "via": [{"x": 1}], "symmetric": "all"}'), edited => removeStep(edited, [...path, 0], [1, 0]), /via/);
    refuses(file('{"x": 1}'), edited => addStep(edited, path, [0, 0]), /stands there already/);
});

test('players: a name is changed wherever it is one, and nowhere else', () => {
    const file = name => `{"format": 2, "players": ["${name}", "b"], "title": "white", "player_counts": {"1": ["${name}"]}, "cell": {"name": "white", "coordinates_names": ["x"]},
        "board": {"mirror": {"b": {"x": "white"}}, "rotation_angle": {"${name}": 3}}, "directions": {"white": {"x": 1}, "d": {"${name}": {"x": 1}}}, "zones": {"white": ["white"], "z": {"${name}": ["white"]}},
        "movements": {"white": []}, "figures": {"white": {"movement": ["white"]}, "f": {"movement": {"${name}": ["white", {"x": 1, "if": {"target": {"player": "${name}", "zone": "white"}}}]}}},
        "initial_position": {"${name}": {"white": ["white"]}}, "resources": {"images": {"figures": {"${name}": {"white": "white"}}}, "sets": {"white": {"figures": {"${name}": {"white": "white"}}}, "figures": {"figures": {"b": {"white": "white"}}}}}, "turns": ["${name}", {"player": "${name}", "phase": "white"}, "${name}"],
        "results": [{"if": {"next": ["${name}", "enemy"]}, "result": {"winner": "${name}"}, "reason": "white"}], "counters": {"white": {"add": {"previous": {"player": ["${name}"], "figure": "white"}}}},
        "notation": {"case": {"${name}": "upper"}, "figures": {"white": {"${name}": "w"}}, "position": {"turn": {"${name}": "w", "${name}_white": "v", "${name}_2": "u"}}}, "tests": [{"name": "white", "result": {"winner": "${name}"}}]}`;
    becomes(file('white'), edited => renamePlayer(edited, 'white', 'r"ed'), file('r\\"ed'));
    refuses(file('white'), edited => renamePlayer(edited, 'white', 'b'), /called b already/);
    refuses(file('white'), edited => renamePlayer(edited, 'white', 'mover'), /means something else/);
    refuses(file('white'), edited => renamePlayer(edited, 'white', ' '), /1 to 64 bytes/);
    refuses(file('white'), edited => removePlayer(edited, 'white'), /A rule speaks of white/);
    refuses(read('games/checkers.json'), edited => removePlayer(edited, 'black'), /A rule speaks of black/);
});

test('players: every game is the same one under another name', withEngine, () => {
    for (const file of FILES) {
        const text = read(file);
        engine.ask({do: 'game', text});
        const {layout: {players: [first]}} = engine.ask({do: 'layout'});
        const nodes = engine.ask({do: 'perft', depth: 2}).nodes;
        const renamed = painting(text, edited => renamePlayer(edited, first, 'somebody else')).text;
        const answer = engine.ask({do: 'game', text: renamed});
        assert.equal(answer.error, undefined, `${file}: ${answer.error?.message}`);
        assert.equal(engine.ask({do: 'perft', depth: 2}).nodes, nodes, file);
        assert.deepEqual(mentionsOf(JSON.parse(renamed), first), [], file);
        assert.equal(painting(renamed, edited => renamePlayer(edited, 'somebody else', first)).text, text, file);
    }
});

test('players: added with a turn and taken away again; colours', () => {
    const empty = read('server/web/make/templates/empty.json');
    const more = empty.replaceAll('"second"]', '"second", "third"]');
    becomes(empty, edited => addPlayer(edited, 'third'), more);
    becomes(more, edited => removePlayer(edited, 'third'), empty);
    const square = read('server/web/make/templates/square.json');
    becomes(square, edited => setColour(edited, 'fill', 1, '#123456'), square.replace("'peru'", "'#123456'"));
});

test('turns and states', () => {
    const turns = list => `{"turns": [${list}]}`;
    becomes(turns('"a",\n  {"player": "b", "phase": "p"}'), edited => moveTurn(edited, 0, 1), turns('{"player": "b", "phase": "p"},\n  "a"'));
    becomes(turns('{"player": "b", "phase": "p"}'), edited => changeTurn(edited, 0, {phase: ''}), turns('"b"'));
    becomes(turns('"b"'), edited => changeTurn(edited, 0, {same_figure: true}), turns('{"player": "b", "same_figure": true}'));
    refuses(turns('7'), edited => changeTurn(edited, 0, {phase: 'p'}), /neither a name nor an object/);
    const checkers = read('games/checkers.json');
    assert.deepEqual(statesOf(JSON.parse(checkers)).find(({name}) => name === 'did_white_win').exits.map(({to, when}) => [when, to]), [['if so', 'white_won'], ['if not', 'black_move']]);
    refuses(checkers, edited => removeState(edited, 'did_white_win'), /more than one way on/, ['game_states', 'did_white_win']);
    refuses(checkers, edited => addState(edited, 'white_won', 'white'), /more than one way on, or none/);
});

test('what is no JSON, or no game at all, is left alone', () => {
    for (const text of ['', '{', '[1]', '7', '{"a": 1,}', '{"turns": }']) refuses(text, edited => edited.set(['turns'], []), /JSON|object in braces/);
    refuses('{"figures": {"f": {"movement": [], "movement": []}}}', edited => edited.set(['turns'], []), /“movement” stands twice/, ['figures', 'f', 'movement']);
    refuses('{"board": 3}', edited => edited.set(['board', 'cells'], []), /not as this painter knows it/, ['board']);
    refuses('{}', () => null.nothing, /not as this painter knows it/);
});

const SEED = Number(process.env.SENET_SEED ?? 20261122);
const TURNS = Number(process.env.SENET_TURNS ?? 2500);

test('random hands, painting and typing in turns: what is painted is there, and not a byte more is different', () => {
    const done = paintAtRandom({seed: SEED, turns: TURNS});
    assert.ok(done.painted > TURNS / 10 && done.refused > 0 && done.broken > 0 && Object.keys(done.by).length > 12, JSON.stringify(done));
});

test('random hands on texts that the engine reads: the board has the cells that were painted', withEngine, () => {
    const {addBox, addCell, addFigure, addLayers, removeCell, addPlayer, renamePlayer, removeStep} = PAINTERS;
    const done = paintAtRandom({seed: SEED, turns: TURNS / 8, engine, painters: {addBox, addCell, addFigure, addLayers, removeCell, renamePlayer, addPlayer, removeStep}});
    assert.ok(done.loads > 5 && done.by.removeCell + done.by.addCell > 5, JSON.stringify(done));
});

// Edits as somebody might write them. Each must be caught, or the hands prove nothing.
const CANARIES = {
    'a figure that forgets its movement': (file, random) => {
        const plan = PAINTERS.addFigure(file, random);
        return plan && {...plan, edit: edited => {
            plan.edit(edited);
            const name = Object.keys(edited.file.figures).at(-1);
            edited.set(['figures', name, 'movement'], [{}]);
        }};
    },
    'layers that leave out a step around a hexagon': (file, random) => {
        const plan = PAINTERS.addLayers(file, random, null);
        const turning = Object.entries(file.figures ?? {}).find(([, {movement}]) => Array.isArray(movement) && movement[0]?.symmetric === 'hexagon')?.[0];
        return turning && {...plan, edit: edited => {
            plan.edit(edited);
            edited.remove(['figures', turning, 'movement', 1]);
        }};
    },
    'a comma that stays behind': file => ({edit: edited => {
        const {offset, length} = edited.node(['players', 0]);
        edited.edit([{offset, length, content: ''}]);
    }}),
    'a text written anew': file => ({edit: edited => edited.edit([{offset: 0, length: edited.text.length, content: JSON.stringify({...file, title: 'x'}, null, 3)}])}),
    'a neighbour that changes its spaces': file => ({edit: edited => {
        edited.set(['title'], 'x');
        const {parent: {children: [key, value]}} = edited.node(['cell']);
        edited.edit([{offset: key.offset + key.length, length: value.offset - key.offset - key.length, content: '  :  '}]);
    }}),
    'an edit that is not made': (file, random) => PAINTERS.addTurn({...file, turns: file.turns ?? []}, random) && {edit: () => {}, check: after => assert.deepEqual(after.turns, [...(file.turns ?? []), 'x'])},
    'a step out of many that takes others along': (file, random) => {
        const plan = PAINTERS.removeStep(file, random);
        return plan && {...plan, edit: edited => {
            plan.edit(edited);
            const list = edited.at(['figures', Object.keys(edited.file.figures)[0], 'movement']);
            if (Array.isArray(list) && list.length > 0) edited.remove(['figures', Object.keys(edited.file.figures)[0], 'movement', 0]);
        }};
    },
};

for (const [name, painter] of Object.entries(CANARIES))
    test(`random hands find ${name}`, () => {
        assert.throws(() => paintAtRandom({seed: SEED, turns: 4000, painters: {canary: painter}}), error => error.name !== 'TypeError');
    });

test('the same hand does the same twice', () => {
    const draw = () => Array.from({length: 5}, hand(3).below.bind(null, 1000));
    assert.deepEqual(draw(), draw());
    assert.ok(existsSync(new URL('../../games', import.meta.url)));
});

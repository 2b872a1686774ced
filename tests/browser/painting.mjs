// Random hands on random texts: what each painter may do, and what must be true of the text afterwards. Used by tests, and for as long
// as one likes: node tests/browser/painting.mjs --turns 100000 --seed 7
import assert from 'node:assert/strict';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import {addBox, addCells, addShape, boardParts, isShape, keyOf, namesOf, orbitOf, rangeOf, removeCells, removePart, resizeBox, resizeHexagon} from '../../server/web/make/cell_edits.js';
import {parseTree} from '../../server/web/make/editor.js';
import {addFigure, figureOf, moveFigure, waysToMove} from '../../server/web/make/figure_edits.js';
import {jsonFault} from '../../server/web/make/json_fault.js';
import {addLayers} from '../../server/web/make/layer_edits.js';
import {addStep, leadingTo, movementLists, removeElement, removeStep, setWord, stepsOf} from '../../server/web/make/movement_edits.js';
import {painting as paint} from '../../server/web/make/painting.js';
import {addPlayer, colourTexts, mentionsOf, playersOf, removePlayer, renamePlayer, setColour} from '../../server/web/make/player_edits.js';
import {nodeValue} from '../../server/web/make/tolerant.js';
import {addState, addTurn, changeTurn, moveTurn, removeState, removeTurn, setInitial, setStateWord, statesOf, turnsOf} from '../../server/web/make/turn_edits.js';
import {openEngine} from '../../server/web/engine/lines.js';
import {wholeGame} from '../support/games.mjs';

const root = new URL('../../', import.meta.url);
const wasm = new URL('build/browser/engine.wasm', root);
export const read = path => (path.startsWith('games/') ? wholeGame(path.slice('games/'.length, -'.json'.length)) : readFileSync(new URL(path, root), 'utf8'));
const folder = path => readdirSync(new URL(path, root)).filter(name => name.endsWith('.json')).map(name => `${path}/${name}`);

export const FILES = [...folder('games'), ...folder('server/web/make/templates'), ...folder('tests/engine/version_0')];

// xorshift: the same numbers from the same seed, everywhere.
export function hand(seed) {
    let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
    const next = () => {
        state ^= state << 13;
        state >>>= 0;
        state ^= state >>> 17;
        state ^= state << 5;
        state >>>= 0;
        return state / 2 ** 32;
    };
    const below = count => Math.floor(next() * count);
    return {below, chance: part => next() < part, one: list => list[below(list.length)], between: (low, high) => low + below(high - low + 1)};
}

// --- texts -----------------------------------------------------------------------------------------------

const STYLES = [
    text => text,
    text => text,
    text => JSON.stringify(JSON.parse(text), null, 2),
    text => JSON.stringify(JSON.parse(text), null, '\t'),
    text => JSON.stringify(JSON.parse(text)),
    text => text.replaceAll('\n', '\r\n'),
    text => JSON.stringify(JSON.parse(text), null, 1).replace(/,\n\s*/g, ' ,\n'),
];

export const openText = random => random.one(STYLES)(read(random.one(FILES)));

// What a hand at the keyboard does: mostly something that leaves JSON.
export function type(text, random) {
    const places = [...text.matchAll(/[{}[\],:]/g)].map(({index}) => index);
    const numbers = [...text.matchAll(/(?<=[:[,]\s*)-?\d+(?=\s*[,\]}])/g)];
    switch (random.below(6)) {
        case 0:
        case 1: {
            const at = random.one(places) + 1;
            const isInString = typeof JSON.parse === 'function' && inString(text, at);
            return isInString ? text : text.slice(0, at) + random.one([' ', '  ', '\n', '\n    ', '\t']) + text.slice(at);
        }
        case 2: {
            if (numbers.length === 0) return text;
            const {index, 0: number} = random.one(numbers);
            return inString(text, index) ? text : text.slice(0, index) + random.between(-2, 9) + text.slice(index + number.length);
        }
        case 3: {
            const at = random.below(text.length);
            return text.slice(0, at) + random.one([...'{}[],:"x1 ']) + text.slice(at);
        }
        case 4: {
            const at = random.below(text.length);
            return text.slice(0, at) + text.slice(at + random.between(1, 40));
        }
        default: {
            const from = random.one(places), to = random.one(places);
            return from < to && to - from < 400 ? text.slice(0, from) + text.slice(to) : text;
        }
    }
}

function inString(text, at) {
    let inside = false;
    for (let i = 0; i < at; i++) {
        if (inside && text[i] === '\\') i++;
        else if (text[i] === '"') inside = !inside;
    }
    return inside;
}

// --- what is true of every edit -----------------------------------------------------------------------------

// Whatever means the same is written the same, and what stands between it as well.
export function assertKept(before, after, words = '') {
    const kept = (old, now, path) => {
        const was = before.slice(old.offset, old.offset + old.length), is = after.slice(now.offset, now.offset + now.length);
        if (isDeepStrictEqual(nodeValue(old), nodeValue(now))) return assert.equal(is, was, `${words}: written anew at /${path.join('/')}`);
        if (old.type !== now.type) return undefined;
        if (old.type === 'object') return keptMembers(old, now, path);
        return old.type === 'array' ? keptElements(old, now, path) : undefined;
    };
    const keptMembers = (old, now, path) => {
        const members = new Map(now.children.map(member => [member.children[0].value, member]));
        for (const member of old.children) {
            const other = members.get(member.children[0].value);
            if (!other) continue;
            const [key, value] = member.children, [otherKey, otherValue] = other.children;
            assert.equal(after.slice(otherKey.offset, otherValue.offset), before.slice(key.offset, value.offset), `${words}: the key ${key.value}`);
            kept(value, otherValue, [...path, key.value]);
        }
        const order = old.children.map(({children: [key]}) => key.value).filter(key => members.has(key));
        assert.deepEqual(now.children.map(({children: [key]}) => key.value).filter(key => order.includes(key)), order, `${words}: the order of members`);
    };
    // As it is written, here or elsewhere; else the one in its place, where as many are there as were; else one that means the same.
    const keptElements = (old, now, path) => {
        const written = (text, {offset, length}) => text.slice(offset, offset + length);
        const texts = now.children.map(child => written(after, child)), values = now.children.map(nodeValue);
        let at = 0;
        for (const [index, element] of old.children.entries()) {
            const text = written(before, element), value = nodeValue(element);
            const next = texts.indexOf(text, at);
            const alike = texts.includes(text) ? -1 : old.children.length === now.children.length ? index : values.findIndex((other, i) => i >= at && isDeepStrictEqual(other, value));
            if (alike >= 0) kept(element, now.children[alike], [...path, index]);
            if (next >= 0) at = next + 1;
        }
    };
    const [old, now] = [parseTree(before), parseTree(after)];
    assert.equal(after.slice(0, now.offset) + after.slice(now.offset + now.length), before.slice(0, old.offset) + before.slice(old.offset + old.length), `${words}: around the braces`);
    kept(old, now, []);
}

// --- the painters ---------------------------------------------------------------------------------------------

const clone = value => structuredClone(value);
const at = (file, path) => path.reduce((value, key) => value?.[key], file);

function changed(file, path, change) {
    const copy = clone(file);
    change(path.slice(0, -1).reduce((value, key) => (value[key] ??= {}), copy), path.at(-1));
    return copy;
}

const listOf = (file, random) => {
    const list = random.one(movementLists(file).filter(({path}) => at(file, path) === undefined || Array.isArray(at(file, path))));
    return list && {path: list.path, list: at(file, list.path) ?? []};
};

const vector = (file, random) => namesOf(file).map(() => random.between(-2, 2));

// draw(file, random, board): {edit(edited), check?(file after, text after)}, or nothing where there is nothing to do. `board` knows
// the cells, as the engine says; null without one.
export const PAINTERS = {
    addCell(file, random, board) {
        if (!board) return null;
        const cell = board.near(random);
        const orbit = orbitOf(cell, file);
        return {edit: edited => addCells(edited, orbit, board.inside()), check: after => board.assertCells(after, key => orbit.some(one => keyOf(one, namesOf(file)) === key) || board.has(key), words(orbit))};
    },
    removeCell(file, random, board) {
        if (!board) return null;
        const orbit = orbitOf(random.one(board.cells), file);
        const keys = orbit.map(one => keyOf(one, namesOf(file)));
        return {edit: edited => removeCells(edited, orbit, {inside: board.inside(), count: board.cells.length, nameOf: cell => board.nameOf(cell)}), check: after => board.assertCells(after, key => board.has(key) && !keys.includes(key), words(orbit))};
    },
    // Between two corners, and wherever the mirrors lead from there.
    addBox(file, random, board) {
        if (!board) return null;
        const corners = [board.near(random), board.near(random)], names = namesOf(file);
        const within = board.between(...corners);
        if (within.length > 200) return null;
        const keys = new Set(within.flatMap(cell => orbitOf(cell, file)).map(cell => keyOf(cell, names)));
        return {edit: edited => addBox(edited, ...corners, board.inside()), check: after => board.assertCells(after, key => keys.has(key) || board.has(key), JSON.stringify(corners))};
    },
    resizeBox(file, random) {
        const part = random.one(boardParts(file).filter(({value}) => isShape(value) && value.box));
        if (!part) return null;
        const name = random.one(namesOf(file));
        const [first, last] = rangeOf(part.value.box[name]);
        const range = random.one([[first, last + 1], [first, last - 1], [first - 1, last], [first + 1, last]]);
        return {edit: edited => resizeBox(edited, part.path, name, range), check: after => assert.deepEqual(rangeOf(at(after, [...part.path, 'box', name])), range)};
    },
    resizeHexagon(file, random) {
        const part = random.one(boardParts(file).filter(({value}) => isShape(value) && value.hexagon));
        if (!part) return null;
        const side = (part.value.hexagon.side ?? part.value.hexagon) + random.one([-1, 1]);
        return {edit: edited => resizeHexagon(edited, part.path, side), check: after => assert.equal(at(after, [...part.path, 'hexagon']).side ?? at(after, [...part.path, 'hexagon']), side)};
    },
    // Every cell is there on both layers, and under each figure the same steps as before.
    addLayers(file, random, board) {
        return {edit: edited => addLayers(edited, 9), check: after => {
            const names = namesOf(file), added = namesOf(after).at(-1);
            assert.deepEqual(namesOf(after), [...names, added]);
            for (const {path} of movementLists(file)) {
                const steps = (of, list) => (Array.isArray(list) ? list.flatMap(element => stepsOf(element, of).vectors.map(step => step.slice(0, names.length).join())) : []).sort();
                const list = JSON.stringify([at(file, path), file.movements]);
                // `all` has more directions where there is one more coordinate.
                if (/"hexagon"/.test(JSON.stringify(at(file, path) ?? null)) && !/"all"/.test(list)) assert.deepEqual(steps(after, at(after, path)), steps(file, at(file, path)), path.join('/'));
            }
            if (board) board.assertLayers(after);
        }};
    },
    addFigure(file, random) {
        const name = random.one(['zed', '“new” one', ...Object.keys(file.figures ?? {})]), {kind} = random.one(waysToMove(file)) ?? {};
        return kind && {edit: edited => addFigure(edited, name, kind), check: after => {
            assert.ok(!(name in (file.figures ?? {})));
            const letters = file.notation?.figures, letter = letters && after.notation.figures[name];
            const notation = letters && {notation: {...file.notation, figures: {...letters, [name]: letter}}};
            assert.deepEqual(after, {...file, ...notation, figures: {...file.figures, [name]: figureOf(kind, file)}});
            const spelled = one => (one && typeof one === 'object' ? Object.values(one) : [one]).map(text => `${text}`.toLowerCase());
            if (letters) for (const one of spelled(letter)) assert.ok(!Object.values(letters).flatMap(spelled).includes(one), one);
        }};
    },
    // One element of the position, perhaps to where another one is.
    moveFigure(file, random) {
        const lists = Object.entries(file.initial_position ?? {}).flatMap(([player, figures]) => Object.entries(figures ?? {}).map(([figure, list]) => ({path: ['initial_position', player, figure], list})));
        const places = lists.filter(({list}) => Array.isArray(list)).flatMap(({path, list}) => [...list.keys()].map(index => ({path: [...path, index], many: false})));
        if (places.length === 0) return null;
        const there = random.one(places), other = random.chance(0.5) ? random.one(places) : null, place = random.one(['k9', {x: 8, y: 1}]);
        return {edit: edited => moveFigure(edited, {there, other}, () => place), check: after => {
            const expected = changed(file, there.path, (list, index) => (list[index] = place));
            const taken = other && other.path.join() !== there.path.join();
            assert.deepEqual(after, taken ? changed(expected, other.path, (list, index) => list.splice(index, 1)) : expected);
        }};
    },
    addAndRemoveShape(file, random) {
        const shape = {box: Object.fromEntries(namesOf(file).map(name => [name, random.between(1, 3)]))};
        const count = boardParts(file).length;
        return {edit: edited => addShape(edited, shape), check: (after, text) => {
            assert.deepEqual(boardParts(after).at(-1).value, shape);
            if (!Array.isArray(file.board?.cells)) return;
            assert.deepEqual(JSON.parse(paint(text, edited => removePart(edited, ['board', 'cells', count])).text), file);
        }};
    },
    addStep(file, random) {
        const found = listOf(file, random), step = vector(file, random);
        if (!found) return null;
        const words = random.one([{}, {repeat: true}, {for: 'take'}, {symmetric: 'all', repeat: true}]);
        const element = {...Object.fromEntries(namesOf(file).map((name, i) => [name, step[i]]).filter(([, value]) => value !== 0)), ...words};
        return {edit: edited => addStep(edited, found.path, step, words), check: after => assert.deepEqual(at(after, found.path), [...found.list, element])};
    },
    removeStep(file, random) {
        const found = listOf(file, random);
        const index = found ? random.below(found.list.length) : -1;
        const {vectors = []} = index >= 0 ? stepsOf(found.list[index], file) : {};
        if (vectors.length === 0) return null;
        const step = random.one(vectors);
        const all = list => list.flatMap(element => stepsOf(element, file).vectors.map(String)).sort();
        const rest = all(found.list);
        rest.splice(rest.indexOf(String(step)), 1);
        return {edit: edited => removeStep(edited, [...found.path, index], step), check: after => assert.deepEqual(all(at(after, found.path)), rest)};
    },
    removeElement(file, random) {
        const found = listOf(file, random);
        if (!found || found.list.length === 0) return null;
        const index = random.below(found.list.length);
        return {edit: edited => removeElement(edited, [...found.path, index]), check: after => assert.deepEqual(at(after, found.path), found.list.toSpliced(index, 1))};
    },
    setWord(file, random) {
        const found = listOf(file, random);
        if (!found || found.list.length === 0) return null;
        const index = random.below(found.list.length);
        const [word, value] = random.one([['repeat', true], ['repeat', undefined], ['for', 'move'], ['for', undefined], ['symmetric', 'all'], ['also_reversed', true], ['also_reversed', undefined]]);
        return {edit: edited => setWord(edited, [...found.path, index], word, value), check: after => assert.deepEqual(at(after, [...found.path, index])[word], value)};
    },
    // There and back again: not a byte is different.
    renamePlayer(file, random) {
        const player = random.one(playersOf(file));
        const name = random.one(['zed', 'the other side', '“x”\\', 'mover', ...playersOf(file)]);
        return player && {edit: edited => renamePlayer(edited, player, name), check: (after, text, before) => {
            assert.deepEqual(mentionsOf(after, player), []);
            assert.deepEqual(playersOf(after), playersOf(file).map(one => (one === player ? name : one)));
            const back = paint(text, edited => renamePlayer(edited, name, player)).text;
            assert.deepEqual(JSON.parse(back), file);
            if (!before.includes('\\')) assert.equal(back, before);
        }};
    },
    addPlayer(file, random) {
        const name = random.one(['zed', 'each', '', 'y'.repeat(65)]);
        if (mentionsOf(file, name).length > 0) return null;
        return {edit: edited => addPlayer(edited, name), check: (after, text, before) => {
            assert.deepEqual(playersOf(after), [...playersOf(file), name]);
            const back = paint(text, edited => removePlayer(edited, name)).text;
            if (file.players?.length && Array.isArray(file.turns) !== (file.turns === undefined)) assert.equal(back, before);
        }};
    },
    removePlayer(file, random) {
        const player = random.one(playersOf(file));
        return player && {edit: edited => removePlayer(edited, player), check: after => assert.deepEqual(mentionsOf(after, player), [])};
    },
    setColour(file, random) {
        const texts = colourTexts(file.cell?.colors?.fill);
        const index = random.below(texts.length);
        return {edit: edited => setColour(edited, 'fill', index, '#123456'), check: after => {
            assert.equal(colourTexts(after.cell.colors.fill)[index].text, '#123456');
            assert.deepEqual(changed(after, ['cell', 'colors', 'fill'], (parent, key) => delete parent[key]).board, file.board);
        }};
    },
    addTurn(file, random) {
        const turns = turnsOf(file);
        if (!turns) return null;
        const index = random.below(turns.length + 1), player = random.one(playersOf(file));
        return player && {edit: edited => addTurn(edited, index, player), check: after => assert.deepEqual(after.turns, file.turns.toSpliced(index, 0, player))};
    },
    removeTurn(file, random) {
        if (!turnsOf(file)) return null;
        const index = random.below(file.turns.length);
        return {edit: edited => removeTurn(edited, index), check: after => assert.deepEqual(after.turns, file.turns.toSpliced(index, 1))};
    },
    moveTurn(file, random) {
        if (!turnsOf(file) || file.turns.length < 2) return null;
        const index = random.below(file.turns.length - 1), turns = [...file.turns];
        [turns[index], turns[index + 1]] = [turns[index + 1], turns[index]];
        return {edit: edited => moveTurn(edited, index, 1), check: after => assert.deepEqual(after.turns, turns)};
    },
    changeTurn(file, random) {
        if (!turnsOf(file)) return null;
        const index = random.below(file.turns.length);
        const words = random.one([{player: random.one(playersOf(file))}, {phase: 'p'}, {phase: ''}, {same_figure: true}, {same_figure: false}]);
        return {edit: edited => changeTurn(edited, index, words), check: after => {
            const [[word, value]] = Object.entries(words);
            assert.equal(turnsOf(after)[index][word] || '', value || '');
        }};
    },
    setState(file, random) {
        const states = statesOf(file).filter(({exits}) => exits.length > 0);
        if (states.length === 0) return null;
        const state = random.one(states), exit = random.one(state.exits), to = random.one(Object.keys(file.game_states));
        const path = ['game_states', state.name, ...exit.path];
        return {edit: edited => setStateWord(edited, path.slice(1), to), check: after => assert.deepEqual(after, changed(file, path, (parent, key) => (parent[key] = to)))};
    },
    addState(file, random) {
        const name = random.one(Object.keys(file.game_states ?? {})), player = random.one(playersOf(file));
        return name && player && {edit: edited => addState(edited, name, player), check: after => {
            const added = after.game_states[after.game_states[name].next];
            assert.deepEqual(added, {type: 'move', parameters: {player}, next: file.game_states[name].next});
        }};
    },
    removeState(file, random) {
        const name = random.one(Object.keys(file.game_states ?? {}));
        return name && {edit: edited => removeState(edited, name), check: after => {
            assert.equal(after.game_states[name], undefined);
            assert.ok(statesOf(after).every(({exits}) => exits.every(({to}) => to !== name)));
        }};
    },
    setInitial(file, random) {
        const name = random.one(Object.keys(file.game_states ?? {}));
        return name && {edit: edited => setInitial(edited, name), check: after => assert.deepEqual(after, {...file, initial_game_state: name})};
    },
};

const words = orbit => JSON.stringify(orbit);

// --- the engine ------------------------------------------------------------------------------------------------

export class Engine {
    static open() {
        return existsSync(wasm) ? new Engine(openEngine(new WebAssembly.Module(readFileSync(wasm)))) : null;
    }

    constructor(lines) {
        this.lines = lines;
    }

    ask(request) {
        return JSON.parse(this.lines.answer(JSON.stringify(request)));
    }

    // The cells of a text that loads, or null.
    board(text) {
        if (this.ask({do: 'game', text, short: true}).error) return null;
        return new BoardOf(this, JSON.parse(text));
    }
}

class BoardOf {
    constructor(engine, file) {
        const {layout, coordinates} = engine.ask({do: 'layout'});
        this.engine = engine;
        this.file = file;
        this.names = namesOf(file);
        this.cells = coordinates.map(numbers => this.#cell(numbers));
        this.keys = new Map(this.cells.map((cell, i) => [keyOf(cell, this.names), layout.cells[i].name]));
    }

    has(key) {
        return this.keys.has(key);
    }

    nameOf(cell) {
        return this.keys.get(keyOf(cell, this.names));
    }

    near(random) {
        const cell = random.one(this.cells);
        return Object.fromEntries(this.names.map(name => [name, cell[name] + random.between(-2, 2)]));
    }

    // All that lies between two corners.
    between(corner, opposite) {
        const grow = (cells, name) => {
            const [low, high] = [corner[name], opposite[name]].sort((a, b) => a - b);
            return cells.flatMap(cell => Array.from({length: high - low + 1}, (_, by) => ({...cell, [name]: low + by})));
        };
        return this.names.reduce(grow, [{}]);
    }

    inside() {
        return boardParts(this.file).map(({value}) => {
            if (!isShape(value)) return undefined;
            const {except, ...whole} = value;
            return this.#keysOf(whole);
        });
    }

    assertCells(after, isThere, words) {
        const keys = this.#keysOf(after.board.cells);
        for (const key of keys) assert.ok(isThere(key), `${key} is there: ${words}`);
        for (const key of this.keys.keys()) if (isThere(key)) assert.ok(keys.has(key), `${key} is gone: ${words}`);
    }

    // Of a file that loads: each cell twice, the first of them under its name.
    assertLayers(after) {
        if (this.engine.ask({do: 'game', text: JSON.stringify(after), short: true}).error) return;
        const {layout, coordinates} = this.engine.ask({do: 'layout'});
        const found = new Map(coordinates.map((numbers, i) => [numbers.join('_'), layout.cells[i].name]));
        assert.equal(found.size, 2 * this.keys.size);
        for (const [key, name] of this.keys) {
            assert.equal(found.get(`${key}_0`), name);
            assert.ok(found.has(`${key}_1`), key);
        }
    }

    #keysOf(cells) {
        const {coordinates, error} = this.engine.ask({do: 'layout', cells});
        assert.equal(error, undefined, JSON.stringify(cells).slice(0, 300));
        return new Set(coordinates.map(numbers => keyOf(this.#cell(numbers), this.names)));
    }

    #cell(numbers) {
        return Object.fromEntries(this.names.map((name, i) => [name, numbers[i]]));
    }
}

// --- the run -----------------------------------------------------------------------------------------------------

// painters: of PAINTERS, or others of their kind. Throws at the first text that is not as it must be. Returns what was done.
export function paintAtRandom({seed, turns, painters = PAINTERS, engine = null}) {
    const random = hand(seed);
    const done = {painted: 0, refused: 0, typed: 0, broken: 0, loads: 0, by: {}};
    let text = openText(random);
    for (let turn = 0; turn < turns; turn++) {
        if (random.chance(0.04) || text.length > 40_000) text = openText(random);
        if (random.chance(0.25)) {
            const typed = type(text, random);
            done.typed++;
            if (jsonFault(typed)) {
                assertUntouched(typed, painters, random);
                done.broken++;
            } else text = typed;
            continue;
        }
        text = paintOnce(text, random, painters, engine, done);
    }
    return done;
}

function paintOnce(text, random, painters, engine, done) {
    const file = JSON.parse(text);
    const board = engine?.board(text) ?? null;
    const name = random.one(Object.keys(painters));
    const plan = drawn(painters[name], file, random, board);
    if (!plan) return text;
    const result = paint(text, plan.edit);
    if (result.refused) {
        assert.ok(result.refused.length > 10);
        if (result.error && (board || /leaves no JSON/.test(result.error.message))) throw new Error(`${name} does not know a text that loads`, {cause: result.error});
        done.refused++;
        return text;
    }
    assertKept(text, result.text, name);
    plan.check?.(JSON.parse(result.text), result.text, text);
    done.painted++;
    done.by[name] = (done.by[name] ?? 0) + 1;
    const loads = board && engine.ask({do: 'check', text: result.text}).sound;
    if (loads) done.loads++;
    return board && !loads && random.chance(0.9) ? text : result.text;
}

// A text in which something of the wrong kind stands has nothing to be drawn in.
function drawn(painter, file, random, board) {
    if (board) return painter(file, random, board);
    try {
        return painter(file, random, null);
    } catch {
        return null;
    }
}

function assertUntouched(text, painters, random) {
    const file = nodeValue(parseTree(text)) ?? {};
    const plan = drawn(painters[random.one(Object.keys(painters))], file, random, null);
    if (plan) assert.ok(paint(text, plan.edit).refused, 'what is no JSON is not painted');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const option = (name, fallback) => Number(process.argv[process.argv.indexOf(`--${name}`) + 1] || fallback);
    const given = name => process.argv.includes(`--${name}`);
    const seed = given('seed') ? option('seed') : Math.floor(Math.random() * 2 ** 31);
    console.log(`from seed ${seed}`);
    console.log(paintAtRandom({seed, turns: given('turns') ? option('turns') : 20_000, engine: Engine.open()}));
}

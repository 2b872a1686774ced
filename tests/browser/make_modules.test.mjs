// The modules of /make that need no page: what the schema says of a place, why a text is not JSON, small edits, places.
import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {test} from 'node:test';
import {applyEdits, parseTree} from '../../server/web/make/editor.js';
import {jsonFault} from '../../server/web/make/json_fault.js';
import {offsetOf, spanAt} from '../../server/web/make/places.js';
import {pathOf, pointerAt, rangeOf} from '../../server/web/make/pointers.js';
import {SchemaWords} from '../../server/web/make/schema_words.js';
import {formatRange} from '../../server/web/make/style_of.js';
import {appendTo, removeAt, setAt} from '../../server/web/make/text_edits.js';
import {seeded} from './browser.mjs';

const web = new URL('../../server/web/make/', import.meta.url);
const games = new URL('../../games/', import.meta.url);
const words = new SchemaWords(JSON.parse(readFileSync(new URL('../../protocol/schema/game.schema.json', import.meta.url), 'utf8')));
const shippedGames = readdirSync(games).filter(name => name.endsWith('.json'));

test('the first fault of JSON is told where the hand has to go', () => {
    const faults = [
        ['{"a": 1 "b": 2}', '1:7', /comma is missing after 1/],
        ['{"a": 1,\n}', '1:8', /nothing comes after this comma/],
        ['[1, 2,\n]', '1:6', /nothing comes after this comma/],
        ['{"a" 1}', '1:2', /colon and a value are missing after "a"/],
        ['{"a": "x\n}', '1:7', /quote that ends/],
        ['[1,\n 2', '2:2', /closing bracket/],
        ['{"a": {"b": 1}', '1:14', /closing brace/],
        ['{a: 1}', '1:2', /double quotes/],
        ['{"ä": tru}', '1:8', /tru is no word/],
        ['{"a": 1} }', '1:10', /too much/],
        ['{"a": // why\n 1}', '1:7', /no comments/],
        ['', '1:1', /nothing here/],
    ];
    for (const [text, place, words] of faults) {
        const {line, column, message} = jsonFault(text);
        assert.equal(`${line}:${column}`, place, text);
        assert.match(message, words);
    }
    for (const name of shippedGames) assert.equal(jsonFault(readFileSync(new URL(name, games), 'utf8')), null, name);
});

test('whatever JSON.parse refuses has a fault, and nothing else has', () => {
    const random = seeded(7);
    const text = readFileSync(new URL('breakthrough.json', games), 'utf8');
    let broken = 0;
    for (let i = 0; i < 500; i++) {
        const at = Math.floor(random() * text.length);
        const spoilt = text.slice(0, at) + '{}[],:"x 1'[Math.floor(random() * 10)] + text.slice(at + Math.floor(random() * 2));
        let isJson = true;
        try {
            JSON.parse(spoilt);
        } catch {
            isJson = false;
            broken++;
        }
        assert.equal(jsonFault(spoilt) === null, isJson, spoilt.slice(at - 30, at + 30));
    }
    assert.ok(broken > 100);
});

test('the schema’s words by place, and names the file itself defines', () => {
    const file = {
        players: ['red', 'blue'],
        cell: {coordinates_names: ['q', 'r']},
        zones: {home: []},
        movements: {slide: []},
        figures: {king: {movement: [{}]}, rook: {}},
        directions: {ahead: {r: 1}},
    };
    const members = path => words.membersAt(path, file).map(({name}) => name);
    const values = path => words.valuesAt(path, file).map(({text}) => text);
    assert.ok(['players', 'figures', 'turns', 'forbid'].every(name => members([]).includes(name)));
    assert.deepEqual(members(['figures', 'rook']).sort(), ['cell_actions', 'in_hand', 'movement', 'promote']);
    assert.ok(['q', 'r', 'ahead', 'symmetric', 'within'].every(name => members(['figures', 'king', 'movement', 0]).includes(name)));
    assert.ok(members([]).includes('stuck') && !members([]).includes('no_moves'), 'names of before are not offered');
    assert.deepEqual(members(['initial_position']), ['red', 'blue']);
    assert.deepEqual(members(['initial_position', 'red']), ['king', 'rook']);
    assert.deepEqual(values(['no_moves']), ['"loss"', '"draw"', '"win"']);
    assert.deepEqual(values(['figures', 'king', 'movement', 0, 'within']), ['"home"']);
    assert.ok(values(['figures', 'king', 'movement', 0]).includes('"slide"'));
    assert.deepEqual(values(['figures', 'king', 'promote', 'to', 0]), ['"king"', '"rook"']);
    assert.match(words.explain(['figures', 'king', 'movement', 0, 'symmetric'], file).description, /other directions/);
    assert.equal(words.explain(['remove'], file).fallback, 'at_once');
    assert.equal(words.explain(['figures', 'king', 'nonsense'], file), null);
});

test('an edit leaves the author’s style: one line stays one line, lines stay lines, the rest stays as it is', () => {
    const text = '{\n  "zones": {"a": ["a1", "b1"],\n    "b": ["c1"]},\n  "list": [\n    {"x": 1},\n    {"x": 2}\n  ],\n  "empty": []\n}\n';
    const after = edits => applyEdits(text, edits);
    const root = parseTree(text);
    assert.equal(after(appendTo(text, root, ['zones', 'a'], 'c1')), text.replace('"b1"]', '"b1", "c1"]'));
    assert.equal(after(appendTo(text, root, ['list'], {x: 3, y: -1})), text.replace('{"x": 2}', '{"x": 2},\n    {"x": 3, "y": -1}'));
    assert.equal(after(appendTo(text, root, ['empty'], 1)), text.replace('[]', '[1]'));
    assert.equal(after(appendTo(text, root, ['zones', 'c'], 'd1')), text.replace('["c1"]', '["c1"],\n    "c": ["d1"]'));
    assert.equal(after(appendTo(text, root, ['new', 'er'], 1)), text.replace('[]', '[],\n  "new": {"er": [1]}'));
    assert.equal(after(setAt(text, root, ['zones', 'b', 0], 'd1')), text.replace('"c1"', '"d1"'));
    assert.equal(after(removeAt(text, root, ['zones', 'a', 0])), text.replace('"a1", ', ''));
    assert.equal(after(removeAt(text, root, ['zones', 'a', 1])), text.replace(', "b1"', ''));
    assert.equal(after(removeAt(text, root, ['zones', 'b', 0])), text.replace('"c1"', ''));
    assert.equal(after(removeAt(text, root, ['zones', 'a'])), text.replace('"a": ["a1", "b1"],\n    ', ''));
    assert.deepEqual(removeAt(text, root, ['nothing']), []);
});

test('appended and removed again, a text is what it was; every edit means what was asked', () => {
    const random = seeded(11);
    for (const name of shippedGames) {
        const text = readFileSync(new URL(name, games), 'utf8');
        const root = parseTree(text);
        const lists = [];
        const visit = (node, path) => {
            if (node.type === 'array') lists.push({path, length: node.children.length});
            node.children?.forEach((child, index) => {
                if (node.type === 'object') visit(child.children[1], [...path, child.children[0].value]);
                else visit(child, [...path, index]);
            });
        };
        visit(root, []);
        for (let i = 0; i < 20; i++) {
            const {path, length} = lists[Math.floor(random() * lists.length)];
            const added = applyEdits(text, appendTo(text, root, path, {added: [i]}));
            const list = path.reduce((value, key) => value[key], JSON.parse(added));
            assert.deepEqual(list.at(-1), {added: [i]});
            assert.equal(list.length, length + 1);
            const removed = applyEdits(added, removeAt(added, parseTree(added), [...path, length]));
            if (length > 0) assert.equal(removed, text);
            else assert.deepEqual(JSON.parse(removed), JSON.parse(text));
        }
    }
});

test('formatting changes nothing of a game that is formatted, and no meaning of one that is not', () => {
    for (const name of readdirSync(new URL('templates/', web))) {
        const text = readFileSync(new URL(`templates/${name}`, web), 'utf8');
        assert.deepEqual(applyEdits(text, formatRange(text, null)), text, name);
        const ragged = text.replace(/^ +/gm, spaces => spaces.slice(0, Math.floor(spaces.length / 3)));
        assert.deepEqual(JSON.parse(applyEdits(ragged, formatRange(ragged, null))), JSON.parse(text));
    }
});

test('lines and columns in bytes are found in a text of any letters; pointers lead there and back', () => {
    const text = '{"ä": "→",\n "b/c": [1, {"😀": true}]}';
    assert.equal(text.slice(offsetOf(text, 1, 8), offsetOf(text, 1, 8) + 3), '"→"');
    assert.equal(offsetOf(text, 2, 2), text.indexOf('"b/c"'));
    assert.equal(offsetOf(text, 2, 22), text.indexOf('true'));
    assert.deepEqual(spanAt(text, text.indexOf('true')), {from: text.indexOf('true'), to: text.indexOf('true') + 4});
    const root = parseTree(text);
    assert.equal(pointerAt(text.indexOf('true') + 1, root), '/b~1c/1/😀');
    assert.deepEqual(pathOf('/b~1c/1/😀', root), ['b/c', 1, '😀']);
    const {from, to} = rangeOf('/b~1c/1/😀', root);
    assert.equal(text.slice(from, to), '"😀": true');
    assert.equal(rangeOf('/nothing/7', root), null);
});

test('no module writes markup, and the bundle evaluates none of its own', () => {
    for (const name of readdirSync(web).filter(file => file.endsWith('.js') && file !== 'editor.js')) {
        const text = readFileSync(new URL(name, web), 'utf8');
        assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, name);
    }
});

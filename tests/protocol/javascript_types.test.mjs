// The types of the client in JavaScript beside the client itself, and beside the JSON Schemas of what servers say: whatever one side
// has, the other one has. They are read as text, by the way they are laid out: a member has a line of its own, four spaces in.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {describe, test} from 'node:test';

const client = await import(new URL('../../protocol/clients/javascript/senet.js', import.meta.url));
const text = path => readFileSync(new URL(`../../protocol/${path}`, import.meta.url), 'utf8');
const withoutComments = source => source.replace(/\/\*[^]*?\*\//g, '');
const sorted = names => [...new Set(names)].sort();
const namesIn = (source, pattern) => sorted([...source.matchAll(pattern)].map(([, name]) => name));
const wordsIn = source => namesIn(source, /"([\w.]+)"/g);

// --- senet.d.ts

const declarations = new Map(); // by name: {kind, parent, text: what follows the name}
for (const whole of withoutComments(text('clients/javascript/senet.d.ts')).split(/^(?=\S)/m)) {
    if (/^\s*$|^[})]/.test(whole)) { // the end of what came before
        [...declarations.values()].at(-1)?.lines.push(whole);
        continue;
    }
    const found = /^export (?:declare )?(class|interface|function|const|type) (\w+)(?:<[^>{]*>)?(?: extends (\w+))?([^]*)$/.exec(whole);
    assert.ok(found, `not understood: ${whole}`);
    const [, kind, name, parent, rest] = found;
    assert.ok(!declarations.has(name), `${name} is declared twice`);
    declarations.set(name, {kind, parent, lines: [rest]});
}
for (const it of declarations.values()) it.text = it.lines.join('');
const declared = (...kinds) => [...declarations].filter(([, {kind}]) => kinds.includes(kind)).map(([name]) => name);

// By name: {isReadonly, isOptional, isMethod, text}.
function membersOf(name) {
    const {parent, text: body} = declarations.get(name);
    const members = new Map(declarations.has(parent) ? membersOf(parent) : []);
    let last = null;
    for (const line of body.split('\n').slice(1)) {
        const found = /^ {4}(readonly )?(?:(\w+)|"([\w.]+)")(\?)?(?:<[^(]*>)?([(:].*)$/.exec(line);
        if (found) {
            const [, isReadonly, plain, quoted, isOptional, rest] = found;
            last = {isReadonly: !!isReadonly, isOptional: !!isOptional, isMethod: rest.startsWith('('), text: rest};
            members.set(plain ?? quoted, last);
        } else if (/^ {5,}|^ {4}[})|]/.test(line)) last.text += `\n${line}`;
        else assert.match(line, /^(\s*| {4}\[\w+: string\]: unknown;|};?)$/, `not understood, in ${name}: ${line}`);
    }
    return members;
}

// Names of types are what they stand for.
const spelled = type => type.replace(/\b[A-Z]\w+/g, name => (declarations.get(name)?.kind === 'type' ? declarations.get(name).text : name));

// How many parameters there are, and must be given.
function parametersOf(signature) {
    const parameters = [''];
    let depth = 0;
    for (const sign of signature.replaceAll('=>', '')) {
        if ('({[<'.includes(sign) && depth++ === 0) continue;
        if (')}]>'.includes(sign) && --depth === 0) break;
        if (sign === ',' && depth === 1) parameters.push('');
        else parameters[parameters.length - 1] += sign;
    }
    const given = parameters.filter(parameter => parameter.trim() !== '');
    return {most: given.length, least: given.filter(parameter => !/^\s*\w+\?:/.test(parameter)).length};
}

// A parameter with a default is not counted by `length`, another one that may be left out is.
function holdParameters(called, signature, what) {
    const {least, most} = parametersOf(signature);
    assert.ok(least <= called.length && called.length <= most, `${what}: ${called.length} parameters in the program, from ${least} to ${most} in its types`);
}

// --- the program

class SilentSocket extends EventTarget {
    readyState = 1;

    send() {}

    close() {}
}

const storage = () => ({getItem: () => null, setItem() {}, removeItem() {}});
const objects = {
    ProtocolError: new client.ProtocolError({code: 'stale'}),
    Connection: new client.Connection('ws://test/ws', storage()),
    Replica: new client.Replica('room'),
    Client: new client.Client('http://test', {WebSocket: SilentSocket}),
};
objects.Client.close();

const isOfError = name => name in new Error('') && name !== 'constructor';
const publicNames = object => [...Object.getOwnPropertyNames(object), ...Object.getOwnPropertyNames(Object.getPrototypeOf(object))]
    .filter(name => !name.startsWith('_') && !(object instanceof Error && isOfError(name)));

const sourceOf = called => withoutComments(called.toString());

// The names that are read of the options which `call` is given.
function namesRead(call, options = {}) {
    const names = [];
    call(new Proxy(options, {get: (target, name) => (names.push(name), target[name])}));
    return sorted(names);
}

describe('the exports of senet.js', () => {
    test('are declared, and nothing else', () => {
        assert.deepEqual(sorted(declared('class', 'function', 'const')), sorted(Object.keys(client)));
        for (const name of declared('class')) assert.match(client[name].toString(), /^class /);
        for (const name of declared('function')) assert.match(client[name].toString(), /^(async )?function /);
        assert.deepEqual(sorted(Object.keys(objects)), sorted(declared('class')), 'of each class there is one to look at');
    });

    for (const name of declared('function')) test(`${name} has its parameters`, () => holdParameters(client[name], declarations.get(name).text, name));

    for (const name of declared('class')) {
        const object = objects[name], members = membersOf(name);
        test(`${name} has its members`, () => {
            assert.deepEqual(sorted(members.keys()), sorted(publicNames(object)));
            assert.deepEqual(Object.getOwnPropertyNames(client[name]).filter(own => !['length', 'name', 'prototype'].includes(own)), [], 'no static ones');
        });
        test(`${name} has them as they are declared`, () => {
            for (const [member, {isReadonly, isMethod, text: type}] of members) {
                const what = `${name}.${member}`;
                if (member === 'constructor') {
                    holdParameters(client[name], type, what);
                    continue;
                }
                const accessor = Object.getOwnPropertyDescriptor(client[name].prototype, member);
                if (accessor?.get && !accessor.set) assert.ok(isReadonly, `${what} can only be read`);
                const value = object[member];
                assert.equal(typeof value === 'function', isMethod, what);
                if (isMethod) holdParameters(value, type, what);
                else if (value === null) assert.match(type, /\| null;$/, `${what} may be null`);
                else if (value !== undefined) assert.match(spelled(type), {string: /string|"/, number: /number/, boolean: /boolean/, object: /\[\]|\{|[A-Z]/}[typeof value], what);
            }
        });
    }

    test('CLOSE has its codes', () => {
        const codes = [...membersOf('CLOSE')].map(([name, {text: type}]) => [name, Number(/\d+/.exec(type)[0])]);
        assert.deepEqual(Object.fromEntries(codes), client.CLOSE);
    });
});

// What is read of each, here or there.
const given = {
    ConnectionOptions: () => namesRead(options => new client.Connection('ws://test/ws', storage(), null, options)),
    RequestOptions: () => namesRead(options => void objects.Connection.request({type: 'ping'}, options)),
    ClientOptions: () => sorted([
        ...namesRead(options => new client.Client('http://test', options).close(), {WebSocket: SilentSocket}),
        ...namesIn(sourceOf(client.Client), /#options\.(\w+)/g),
    ]),
    JoinOptions: () => namesRead(options => objects.Client.join('room', options)),
    CatchUpOptions: () => namesRead(options => void client.catchUp({request: async () => ({})}, new client.Replica('room'), options)),
    Handlers: () => namesIn(sourceOf(client.Connection), /handlers\??\.(\w+)/g),
    TokenStorage: () => namesIn(sourceOf(client.Connection), /#storage\.(\w+)/g),
    Socket: () => namesIn(sourceOf(client.Connection), /socket\??\.(\w+)/g),
};

describe('what senet.js is given', () => {
    for (const [name, read] of Object.entries(given)) test(`${name} are those it reads`, () => assert.deepEqual(sorted(membersOf(name).keys()), read()));

    test('all options may be left out', () => {
        for (const name of declared('interface').filter(name => name.endsWith('Options')))
            for (const [member, {isOptional}] of membersOf(name)) assert.ok(isOptional, `${name}.${member}`);
    });

    test('what it is in each status is declared', () => {
        const said = sourceOf(client.Connection).match(/\{ is: [^}]*\}/g).join().replace(/\[.*?\]/g, '');
        assert.deepEqual(wordsIn(declarations.get('Status').text), wordsIn(said));
    });

    test('what becomes of a frame is declared', () => {
        assert.deepEqual(wordsIn(membersOf('Replica').get('apply').text), namesIn(sourceOf(client.Replica), /return "(\w+)"/g));
    });
});

// --- the schemas

const common = JSON.parse(text('schema/common.schema.json')).$defs;
const server = Object.fromEntries(readdirSync(new URL('../../protocol/schema/server/', import.meta.url))
    .map(file => [file.replace('.schema.json', ''), JSON.parse(text(`schema/server/${file}`))]));
const commands = readdirSync(new URL('../../protocol/schema/client/', import.meta.url)).map(file => file.replace('.schema.json', ''));

const resolved = schema => (schema.$ref ? {...common[schema.$ref.split('/').at(-1)], ...schema, $ref: undefined} : schema);

// What an object may have, whatever it depends on: by name, all that is said of it.
function propertiesOf(schema) {
    const properties = new Map();
    const whole = resolved(schema);
    for (const part of [whole, ...(whole.allOf ?? []).map(({then}) => then ?? {})])
        for (const [name, said] of Object.entries(part.properties ?? {}))
            if (said !== false) properties.set(name, [...(properties.get(name) ?? []), resolved(said)]);
    return properties;
}

// All names in it, but not of what it refers to.
function allNames(schema) {
    if (typeof schema !== 'object' || schema === null) return [];
    const own = Object.keys(schema.properties ?? {});
    return [...own, ...[...Object.values(schema.properties ?? {}), schema.items, ...(schema.oneOf ?? [])].flatMap(allNames)];
}

const {snapshot: {properties: snapshot}, lobby: {properties: lobby}} = server;
// The schema of events is that of what has happened, and more.
const event = {
    ...server.event,
    $ref: undefined,
    properties: {...common.event_body.properties, ...server.event.properties},
    required: [...common.event_body.required, ...server.event.required],
    allOf: common.event_body.allOf,
};
const schemas = {
    State: common.state, Cell: common.cell, Seat: common.seat, TimeControl: common.time_control, Time: common.time_control.properties.seats.additionalProperties,
    MadePly: common.made_ply, Explanation: common.explanation, Diagnostic: common.diagnostics.items, GameSummary: common.game_summary, EventBody: common.event_body,
    Game: snapshot.game, Layout: snapshot.layout, LayoutCell: snapshot.layout.properties.cells.items, ChatLine: snapshot.chat.items, MadeMove: snapshot.moves.items,
    LobbyRoom: lobby.rooms.items, OwnRoom: lobby.mine.items, Seek: lobby.seeks.items, Limits: server.hello.properties.limits,
    EventFrame: event, SnapshotFrame: server.snapshot, PresenceFrame: server.presence, LobbyFrame: server.lobby, AckFrame: server.ack, ErrorFrame: server.error,
    PongFrame: server.pong, SeatKeyFrame: server.seat_key, LegalMovesFrame: server.legal_moves, HintFrame: server.hint,
};
const alternatives = {Move: common.move, Claim: common.claim, Result: common.result, HistoryFrame: server.history, GamesFrame: server.games};

describe('what senet.d.ts says of frames is what their schemas say', () => {
    for (const [name, schema] of Object.entries(schemas)) {
        test(name, () => {
            const members = membersOf(name), properties = propertiesOf(schema);
            assert.deepEqual(sorted(members.keys()), sorted(properties.keys()));
            const required = sorted([...members].filter(([, {isOptional}]) => !isOptional).map(([member]) => member));
            assert.deepEqual(required, sorted(schema.required ?? []), 'what is always there');
            for (const [member, said] of properties) {
                const type = spelled(members.get(member).text), words = said.flatMap(it => it.enum ?? (it.const === undefined ? [null] : [it.const]));
                if (words.every(word => typeof word === 'string') && !/\bstring\b/.test(type)) assert.deepEqual(wordsIn(type), sorted(words), member);
            }
        });
    }

    for (const [name, schema] of Object.entries(alternatives)) {
        test(name, () => assert.deepEqual(namesIn(declarations.get(name).text, /(\w+)\??:/g), sorted(allNames(schema))));
    }

    test('the words of types of their own', () => {
        for (const [name, {enum: words}] of Object.entries({Speed: common.speed, Voices: common.voices, EventKind: common.event_body.properties.kind}))
            assert.deepEqual(wordsIn(declarations.get(name).text), sorted(words), name);
    });

    test('there is a type of every frame and of every answer', () => {
        const typeOf = name => wordsIn(/type: "\w+"/.exec(declarations.get(name).text)[0])[0];
        const frames = ['ToldFrame', 'AnswerFrame'].flatMap(name => namesIn(declarations.get(name).text, /(\w+Frame)/g)).map(typeOf);
        const ofConnections = ['hello', 'welcome']; // which they keep to themselves
        assert.deepEqual(sorted(frames), sorted(Object.keys(server).filter(type => !ofConnections.includes(type))));
        const answers = [...membersOf('Answers')].map(([command, {text: type}]) => [command, typeOf(/\w+Frame/.exec(type)[0])]);
        for (const [command] of answers) assert.ok(commands.includes(command), command);
        const answering = Object.keys(server).filter(type => server[type].oneOf?.[0].properties?.re || server[type].properties?.re);
        assert.deepEqual(sorted(answers.map(([, type]) => type)), sorted(answering.filter(type => !['ack', 'error', ...ofConnections].includes(type))));
    });

    // A command is what the program's owner says, and has any members.
    test('no interface is held to nothing', () => {
        assert.deepEqual(sorted(declared('interface')), sorted([...Object.keys(given), ...Object.keys(schemas), 'Answers', 'Command']));
    });
});

// protocol/schema/openapi.json and asyncapi.json beside the specifications that they say they follow: the official schemas of OpenAPI 3.1
// (with each schema in it held to JSON Schema 2020-12) and of AsyncAPI 3.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import test from 'node:test';
import {fileURLToPath} from 'node:url';

const here = relative => fileURLToPath(new URL(relative, import.meta.url));
const require = createRequire(here('../browser/package.json'));
const Ajv = require('ajv').default;
const Ajv2020 = require('ajv/dist/2020.js').default;
const read = path => JSON.parse(readFileSync(path, 'utf8'));
const documentOf = name => read(here(`../../protocol/schema/${name}.json`));
const options = {strict: false, allErrors: true, validateFormats: false}; // what they look like is for the schemas to say

// The official schema leaves open what a schema is.
function openApi() {
    const official = read(join(dirname(require.resolve('@seriousme/openapi-schema-validator')), 'schemas/v3.1/schema.json'));
    official.$defs.schema = {$ref: 'https://json-schema.org/draft/2020-12/schema'};
    return new Ajv2020(options).compile(official);
}

const asyncApi = () => new Ajv({...options, meta: false, validateSchema: false}) // it brings draft-07 along
    .compile(require('@asyncapi/specs').schemas['3.0.0']);

const faultsOf = (validate, document) => (validate(document) ? [] : validate.errors.map(({instancePath, message, params}) => `${instancePath} ${message} ${JSON.stringify(params)}`));

function changed(document, path, value) {
    const copy = structuredClone(document);
    path.slice(0, -1).reduce((inner, key) => inner[key], copy)[path.at(-1)] = value;
    return copy;
}

for (const [name, compile, spoils] of [
    ['openapi', openApi, [[['paths', 'no-slash'], {}], [['info', 'licence'], 'MIT'], [['components', 'schemas', 'wrong'], {type: 'text'}], [['openapi'], '4.0.0'], [['components', 'responses', 'wrong'], {}]]],
    ['asyncapi', asyncApi, [[['channels', 'socket', 'adress'], '/ws'], [['operations', 'wrong'], {action: 'shout'}], [['asyncapi'], '2.6.0'], [['components', 'messages', 'wrong'], {payload: 5}]]],
])
    test(`${name}.json is what its specification says, and what is not is found`, () => {
        const [validate, document] = [compile(), documentOf(name)];
        assert.deepEqual(faultsOf(validate, document), []);
        for (const [path, value] of spoils) assert.notDeepEqual(faultsOf(validate, changed(document, path, value)), [], path.join('/'));
    });

// What these schemas cannot say.
test('openapi.json: every operation has a name of its own, and the parameters of its path', () => {
    const {paths, components} = documentOf('openapi');
    const find = parameter => (parameter.$ref ? components.parameters[parameter.$ref.split('/').at(-1)] : parameter);
    const names = new Set();
    for (const [path, {parameters: shared = [], ...operations}] of Object.entries(paths))
        for (const {operationId, parameters = []} of Object.values(operations)) {
            assert.ok(operationId && !names.has(operationId), `${path}: ${operationId}`);
            names.add(operationId);
            const said = [...shared, ...parameters].map(find).filter(parameter => parameter.in === 'path');
            assert.deepEqual(said.map(({name}) => name).sort(), [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(), path);
        }
});

test('asyncapi.json: operations use the messages of their channel', () => {
    const {channels, operations} = documentOf('asyncapi');
    for (const [name, {messages, channel, reply}] of Object.entries(operations))
        for (const {$ref} of [...messages, ...(reply?.messages ?? [])]) {
            assert.ok($ref.startsWith(`${channel.$ref}/messages/`), `${name}: ${$ref}`);
            assert.ok($ref.split('/').at(-1) in channels.socket.messages, `${name}: ${$ref}`);
        }
});

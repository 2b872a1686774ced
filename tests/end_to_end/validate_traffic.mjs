// Holds recorded traffic against the schemas of protocol/schema, in both directions.
//
//     node tests/end_to_end/validate_traffic.mjs FILE…
//
// Each line of a file is {"dir":"in"|"out","frame":{…}}: "in" is what a client said, "out" what the server said. Prints
// "N frames valid"; or the first faults, and the status is 1.
import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

const FAULTS_SHOWN = 10;
const ERRORS_SHOWN = 6;
const FRAME_SHOWN = 400;

const here = relative => fileURLToPath(new URL(relative, import.meta.url));
const require = createRequire(here('../browser/package.json'));
const Ajv = require('ajv/dist/2020.js').default;

const readSchema = path => JSON.parse(readFileSync(path, 'utf8'));

// One validator for each type of message and direction: "in move", "out event", …
export function loadValidators(folder = here('../../protocol/schema/')) {
    const ajv = new Ajv({allErrors: true, strict: true, strictRequired: false, strictTypes: false});
    const validators = new Map();
    ajv.addSchema(readSchema(`${folder}/common.schema.json`));
    for (const [direction, side] of [['in', 'client'], ['out', 'server']])
        for (const name of readdirSync(`${folder}/${side}`).filter(name => name.endsWith('.schema.json')))
            validators.set(`${direction} ${name.replace('.schema.json', '')}`, ajv.compile(readSchema(`${folder}/${side}/${name}`)));
    return validators;
}

// What is wrong with a recorded line, as a list of sentences; an empty one when nothing is.
export function findFaults(validators, {dir, frame}) {
    const validate = validators.get(`${dir} ${frame?.type}`);
    if (!validate) return [`there is no schema for "${dir}" and type ${JSON.stringify(frame?.type)}`];
    if (validate(frame)) return [];
    return validate.errors.map(({instancePath, message, params}) => {
        const name = params.additionalProperty ?? params.unevaluatedProperty ?? params.allowedValues?.join(', ');
        return `${instancePath || 'the frame'} ${message}${name === undefined ? '' : ` (${name})`}`;
    });
}

function parseLine(line) {
    try {
        return JSON.parse(line);
    } catch {
        return {dir: 'a line that is not JSON'};
    }
}

function checkFile(validators, path, result) {
    readFileSync(path, 'utf8').split('\n').forEach((line, index) => {
        if (line.trim() === '') return;
        const faults = findFaults(validators, parseLine(line));
        result.frames++;
        if (faults.length === 0) return;
        if (result.faulty++ < FAULTS_SHOWN)
            console.error(`${path}:${index + 1}: ${faults.slice(0, ERRORS_SHOWN).join('; ')}\n    ${line.slice(0, FRAME_SHOWN)}`);
    });
}

function main(paths) {
    const result = {frames: 0, faulty: 0};
    const validators = loadValidators();
    for (const path of paths) checkFile(validators, path, result);
    if (paths.length === 0) console.error('usage: validate_traffic.mjs FILE…');
    else if (result.faulty > 0) console.error(`${result.faulty} of ${result.frames} frames are not valid`);
    else if (result.frames === 0) console.error('no frames: nothing was recorded');
    else return void console.log(`${result.frames} frames valid`);
    process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

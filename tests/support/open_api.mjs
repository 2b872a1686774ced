// What is said over HTTP beside protocol/schema/openapi.json: each request and answer finds its operation by method and path, and
// everything the document says of it is looked at.
import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

const here = relative => fileURLToPath(new URL(relative, import.meta.url));
const require = createRequire(here('../browser/package.json'));
const Ajv = require('ajv/dist/2020.js').default;
const base = 'https://senet.example/schema/openapi.json'; // beside the schemas, whose addresses begin so

const escape = key => key.replaceAll('~', '~0').replaceAll('/', '~1');

export class OpenApi {
    #validators = new Map();
    seen = new Map(); // "operation status" → how often

    constructor(folder = here('../../protocol/schema/')) {
        const read = path => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8'));
        this.document = read('openapi.json');
        this.ajv = new Ajv({allErrors: true, strict: false, validateSchema: false});
        this.ajv.addSchema(read('common.schema.json'));
        for (const side of ['client', 'server'])
            for (const name of readdirSync(`${folder}/${side}`)) this.ajv.addSchema(read(`${side}/${name}`));
        this.ajv.addSchema(this.document, base);
    }

    // {template, operation, pointer, parameters} of a request; undefined: the document knows none.
    find(method, path) {
        const matches = Object.keys(this.document.paths).filter(template => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path));
        const template = matches.sort((one, other) => one.split('{').length - other.split('{').length)[0]; // the one that says most
        const item = this.document.paths[template];
        const operation = item?.[method.toLowerCase()];
        if (!operation) return undefined;
        const pointer = `#/paths/${escape(template)}/${method.toLowerCase()}`;
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(parameter => this.resolve(parameter));
        return {template, operation, pointer, parameters};
    }

    resolve(value) {
        return value.$ref ? value.$ref.slice(2).split('/').reduce((inner, key) => inner[key], this.document) : value;
    }

    #faultsOf(pointer, value) {
        if (!this.#validators.has(pointer)) this.#validators.set(pointer, this.ajv.compile({$ref: `${base}${pointer}`}));
        const validate = this.#validators.get(pointer);
        return validate(value) ? [] : validate.errors.map(({instancePath, message, params}) => `${instancePath || 'it'} ${message} ${JSON.stringify(params)}`);
    }

    // A body, or a header, beside the schema at the end of the pointer; "json" is parsed first.
    #bodyFaults(content, pointer, type, text) {
        if (!content) return text.length === 0 ? [] : ['there is a body'];
        const media = (type ?? '').split(';')[0];
        if (!content[media]) return [`the type ${type} is not ${Object.keys(content).join(' or ')}`];
        if (!content[media].schema || media === 'application/x-ndjson') return [];
        let value = text.toString();
        if (media === 'application/json')
            try {
                value = JSON.parse(value);
            } catch {
                return ['it is no JSON'];
            }
        return this.#faultsOf(`${pointer}/content/${escape(media)}/schema`, value);
    }

    #lineSchema(found) {
        return `${found.pointer}/responses/200/content/${escape('application/x-ndjson')}/schema`;
    }

    // Of a request that the program took: it fits the document, too.
    requestFaults({method, path, query = '', headers = {}, body = ''}) {
        const found = this.find(method, path);
        if (!found) return [`${method} ${path} is not in the document`];
        const names = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
        const asked = new URLSearchParams(query);
        const faults = [];
        for (const {in: where, name, required} of found.parameters)
            if (required && where === 'header' && names[name.toLowerCase()] === undefined) faults.push(`the header ${name} is missing`);
        for (const name of asked.keys())
            if (!found.parameters.some(parameter => parameter.in === 'query' && parameter.name === name)) faults.push(`the document knows no ?${name}=`);
        if (found.operation.requestBody) faults.push(...this.#bodyFaults(found.operation.requestBody.content, `${found.pointer}/requestBody`, names['content-type'], body));
        return faults;
    }

    // `headers`: of fetch.
    answerFaults({method, path, status, headers, text}) {
        const found = this.find(method, path);
        if (!found) return [`${method} ${path} is not in the document`];
        const said = found.operation.responses[status];
        const name = found.operation.operationId;
        this.seen.set(`${name} ${status}`, (this.seen.get(`${name} ${status}`) ?? 0) + 1);
        if (!said) return [`${name} is not said to answer ${status}: ${text.toString().slice(0, 200)}`];
        const pointer = said.$ref ?? `${found.pointer}/responses/${status}`;
        const answer = this.resolve(said);
        const faults = this.#bodyFaults(answer.content, pointer, headers.get('content-type'), text);
        for (const [header, {required}] of Object.entries(answer.headers ?? {})) {
            const value = headers.get(header);
            if (value === null && required) faults.push(`the header ${header} is missing`);
            if (value !== null) faults.push(...this.#faultsOf(`${pointer}/headers/${escape(header)}/schema`, /^\d+$/.test(value) ? Number(value) : value).map(fault => `${header}: ${fault}`));
        }
        return faults.map(fault => `${name} ${status}: ${fault}`);
    }

    lineFaults(path, frame) {
        return this.#faultsOf(this.#lineSchema(this.find('GET', path)), frame);
    }
}

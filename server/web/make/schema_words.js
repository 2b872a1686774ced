/* What a JSON Schema says of a place in a game file: which words may stand there, what they mean, which values they have.
 *
 * Only what our own schema uses is known (references, alternatives, enumerations, descriptions), and nothing is judged:
 * that is the engine's business. Pure: no editor, no DOM. */

const ALTERNATIVES = ["oneOf", "anyOf", "allOf"];
const DEPTH_MAX = 24;

/* Words that name something the file itself defines → the member of the file that has the names. */
const NAMES = {
    zone: "zones",
    within: "zones",
    in: "zones",
    use: "movements",
    figure: "figures",
    to: "figures",
    put: "figures",
    counter: "counters",
    cell_actions: "actions",
    player: "players",
    next: "players",
    winner: "players",
    turns: "players",
    initial_game_state: "game_states",
    state: "game_states",
};

/* Members whose own keys are names defined elsewhere in the file. */
const KEYS = { initial_position: "players", rotation_angle: "players", mirror: "players" };

export class SchemaWords {
    constructor(schema) {
        this.schema = schema;
    }

    /* Members that may stand in the object at `path`: [{name, description, schemas}]; `file` is the parsed game, as far as it
     * goes, and decides between alternatives. */
    membersAt(path, file) {
        const members = new Map();
        for (const schema of this.#at(path, file)) this.#gather(schema, members);
        const names = KEYS[path.at(-1)] ?? (path.at(-2) === "initial_position" ? "figures" : null);
        for (const name of names ? namesOf(file, names) : []) members.set(name, { name, description: "", schemas: [] });
        if (isMovement(path)) {
            for (const name of [...coordinatesOf(file), ...namesOf(file, "directions")])
                if (!members.has(name)) members.set(name, { name, description: "How far along this coordinate or direction.", schemas: [{ type: "integer" }] });
        }
        return [...members.values()];
    }

    /* Values that may stand at `path`, as JSON texts: [{text, description}]. */
    valuesAt(path, file) {
        const schemas = this.#at(path, file);
        const values = new Map();
        const add = (value, description = "") => values.set(JSON.stringify(value), description);
        for (const schema of schemas) {
            for (const value of schema.enum ?? []) add(value, schema.description);
            if ("const" in schema) add(schema.const, schema.description);
            if (schema.type === "boolean") [true, false].forEach((value) => add(value, schema.description));
        }
        const word = [...path].reverse().find((part) => typeof part === "string");
        const source = NAMES[word] ?? (isMovementList(path) ? "movements" : null);
        const takesText = schemas.some((schema) => schema.type === "string" || schema.type === undefined);
        if (source && takesText) namesOf(file, source).forEach((name) => add(name, `One of "${source}" of this file.`));
        return [...values].map(([text, description]) => ({ text, description }));
    }

    /* The sentences about the member or element at `path`, or null. */
    explain(path, file) {
        const word = path.at(-1);
        if (typeof word !== "string") return null;
        const schemas = this.#at(path, file);
        const description = schemas.map((schema) => schema.description).find(Boolean);
        if (!description) return null;
        const values = this.valuesAt(path, file).map(({ text }) => text);
        const fallback = schemas.find((schema) => "default" in schema)?.default;
        return { word, description, values, fallback };
    }

    /* All schemas that may speak of the value at `path`, references followed, alternatives side by side. */
    #at(path, file) {
        let schemas = this.#spread(this.schema, file);
        let value = file;
        for (const part of path) {
            value = value?.[part];
            schemas = schemas.flatMap((schema) => this.#step(schema, part)).flatMap((schema) => this.#spread(schema, value));
        }
        return schemas;
    }

    #step(schema, part) {
        if (typeof part === "number") {
            const found = schema.prefixItems?.[part] ?? schema.items;
            return found ? [found] : [];
        }
        if (schema.properties?.[part]) return [schema.properties[part]];
        return typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : [];
    }

    /* A schema and its alternatives, without those that cannot be meant by the value that stands there. The words nearest to the
     * place come first: a member's own description before that of the type it refers to. */
    #spread(schema, value, depth = 0) {
        if (depth > DEPTH_MAX || typeof schema !== "object") return [];
        const found = [schema];
        if (schema.$ref) found.push(...this.#spread(this.#definition(schema.$ref), value, depth + 1));
        for (const word of ALTERNATIVES)
            for (const one of schema[word] ?? []) found.push(...this.#spread(one, value, depth + 1));
        return found.filter((one) => mayBe(one, value));
    }

    #definition(reference) {
        return this.schema.$defs?.[reference.replace("#/$defs/", "")] ?? {};
    }

    #gather(schema, members) {
        for (const [name, member] of Object.entries(schema.properties ?? {})) {
            const schemas = this.#spread(member, undefined);
            const description = schemas.map((one) => one.description).find(Boolean) ?? "";
            if (!members.has(name) && !member.deprecated) members.set(name, { name, description, schemas });
        }
    }
}

/* Whether what is there already speaks against this alternative. */
function mayBe(schema, value) {
    if (value === undefined || value === null) return true;
    const type = Array.isArray(value) ? "array" : typeof value;
    if (schema.type && schema.type !== (type === "number" && schema.type === "integer" ? "integer" : type)) return false;
    if (type !== "object" || schema.additionalProperties !== false || !schema.properties) return true;
    const keys = Object.keys(value);
    return keys.length <= 1 || keys.some((key) => key in schema.properties);
}

function namesOf(file, member) {
    const value = file?.[member];
    if (Array.isArray(value)) return value.filter((name) => typeof name === "string");
    return value && typeof value === "object" ? Object.keys(value) : [];
}

function coordinatesOf(file) {
    const names = file?.cell?.coordinates_names;
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/* figures/NAME/movement/0, …/movement/PLAYER/0, movements/NAME/0 */
function isMovement(path) {
    return typeof path.at(-1) === "number" && isMovementList(path);
}

function isMovementList(path) {
    const [first, , third] = path;
    const inside = typeof path.at(-1) === "number" ? path.length - 1 : path.length;
    return (first === "figures" && third === "movement" && inside <= 4) || (first === "movements" && inside === 2);
}

/* A room's state as the protocol says it: the merge patch that leads to the next one, and the hash that proves it.
 *
 * Pure functions; protocol/README.md ("Events, state, snapshots") is the text they follow. */

/* RFC 7396. Returns the patched value; `target` is left as it was, and shares with the result what did not change. */
export function applyPatch(target, patch) {
    if (!isObject(patch)) return patch;
    const result = isObject(target) ? { ...target } : {};
    for (const [name, value] of Object.entries(patch)) {
        if (value === null) delete result[name];
        else define(result, name, applyPatch(Object.hasOwn(result, name) ? result[name] : undefined, value));
    }
    return result;
}

/* Eight hexadecimal digits: the sum modulo 2^32 of the FNV-1a of one line per part of the state. */
export function hashState(state) {
    let sum = 0;
    for (const line of stateLines(state)) sum = (sum + fnv1a(line)) >>> 0;
    return sum.toString(16).padStart(8, "0");
}

/* JSON without spaces and with sorted keys: the same text on both sides for the same value. */
export function canonicalText(value) {
    if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const members = Object.keys(value)
        .sort()
        .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`);
    return `{${members.join(",")}}`;
}

export function fnv1a(text) {
    let hash = 0x811c9dc5;
    for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    return hash >>> 0;
}

const encoder = new TextEncoder();

function* stateLines(state) {
    for (const [member, value] of Object.entries(state)) {
        if (member !== "cells" && member !== "seats") yield `${member}=${canonicalText(value)}`;
        else for (const [name, part] of Object.entries(value)) yield `${member}.${name}=${canonicalText(part)}`;
    }
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/* A member named `__proto__` is a member like any other. */
function define(object, name, value) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/* The value of a text that may be broken in the middle of being written: as much of it as can be read. */

import { parseTree } from "./editor.js";

export function textValue(text) {
    return nodeValue(parseTree(text));
}

export function nodeValue(node) {
    if (!node) return undefined;
    if (node.type === "array") return (node.children ?? []).map(nodeValue);
    if (node.type !== "object") return node.value;
    const members = (node.children ?? []).filter(({ children }) => children?.[0]);
    return Object.fromEntries(members.map(({ children: [key, value] }) => [key.value, nodeValue(value) ?? null]));
}

export function isObject(value) {
    return value !== null && typeof value === "object" && !Array.isArray(value);
}

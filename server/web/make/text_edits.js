/* Small edits of a JSON text that leave the author's style: what is added is written as its neighbours are, on their line or on
 * lines of its own, and nothing else changes. Edits are {offset, length, content}. Pure. */

import { findNodeAtLocation } from "./editor.js";
import { styleOf } from "./style_of.js";

/* JSON on one line, with the spaces people write. */
export function oneLine(value) {
    if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    return `{${Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${oneLine(member)}`).join(", ")}}`;
}

/* At the end of the list at `path`; what is missing on the way there is made. */
export function appendTo(text, root, path, value) {
    const list = findNodeAtLocation(root, path);
    if (!list) return setAt(text, root, path, [value]);
    return append(text, list, oneLine(value));
}

/* The value at `path`, there or not. */
export function setAt(text, root, path, value) {
    const node = findNodeAtLocation(root, path);
    if (node) return [{ offset: node.offset, length: node.length, content: oneLine(value) }];
    const key = path.at(-1);
    const parent = path.length === 1 ? root : findNodeAtLocation(root, path.slice(0, -1));
    if (!parent) return setAt(text, root, path.slice(0, -1), { [key]: value });
    return append(text, parent, `${JSON.stringify(key)}: ${oneLine(value)}`);
}

/* The member or element at `path`, with the comma that goes with it. */
export function removeAt(text, root, path) {
    const node = findNodeAtLocation(root, path);
    if (!node) return [];
    const part = node.parent?.type === "property" ? node.parent : node;
    const { children } = part.parent;
    const at = children.indexOf(part);
    if (at > 0) return cut(end(children[at - 1]), end(part));
    if (children.length > 1) return cut(part.offset, children[1].offset);
    return cut(part.parent.offset + 1, end(part.parent) - 1);
}

function append(text, container, content) {
    const last = container.children?.at(-1);
    const inside = container.offset + 1;
    if (!last) return [{ offset: inside, length: end(container) - 1 - inside, content }];
    return [{ offset: end(last), length: 0, content: `,${gapBefore(text, container, last)}${content}` }];
}

/* What stands between two neighbours here: a space, or a new line as deep as the last one's. */
function gapBefore(text, container, last) {
    const before = container.children.length > 1 ? end(container.children.at(-2)) : container.offset + 1;
    const gap = text.slice(before, last.offset).replace(/^\s*,/, "");
    if (!gap.includes("\n")) return container.children.length > 1 && gap === "" ? "" : " ";
    return `${styleOf(text).eol}${/[^\n]*$/.exec(gap)[0]}`;
}

function cut(from, to) {
    return [{ offset: from, length: to - from, content: "" }];
}

const end = (node) => node.offset + node.length;

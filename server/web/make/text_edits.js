/* Small edits of a JSON text that leave the author's style: what is added is written as its neighbours are, on their line or on
 * lines of its own, and nothing else changes. Edits are {offset, length, content}. Pure. */

import { findNodeAtLocation } from "./editor.js";
import { styleOf } from "./style_of.js";

/* JSON on one line, with the spaces people write. */
export function oneLine(value) {
    if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    return `{${Object.entries(value).map(([key, member]) => memberText(key, oneLine(member))).join(", ")}}`;
}

const memberText = (key, written) => `${JSON.stringify(key)}: ${written}`;

/* As this text is written: without any spaces where it has none. */
function written(text, value) {
    return isTight(text) ? JSON.stringify(value) : oneLine(value);
}

function isTight(text) {
    return /":\S/.test(text) && !/":\s/.test(text);
}

/* At the end of the list at `path`; what is missing on the way there is made. */
export function appendTo(text, root, path, value) {
    const list = findNodeAtLocation(root, path);
    if (!list) return setAt(text, root, path, [value]);
    return append(text, list, written(text, value));
}

/* The value at `path`, there or not. */
export function setAt(text, root, path, value) {
    const node = findNodeAtLocation(root, path);
    if (node) return [{ offset: node.offset, length: node.length, content: written(text, value) }];
    const key = path.at(-1);
    const parent = path.length === 1 ? root : findNodeAtLocation(root, path.slice(0, -1));
    if (!parent) return setAt(text, root, path.slice(0, -1), { [key]: value });
    return append(text, parent, isTight(text) ? `${JSON.stringify(key)}:${written(text, value)}` : memberText(key, oneLine(value)));
}

/* Before the element that is `index` now; behind all of them where there are fewer. */
export function insertAt(text, root, path, index, value) {
    const list = findNodeAtLocation(root, path);
    const next = list?.children?.[index];
    if (!next) return appendTo(text, root, path, value);
    const gap = index > 0 ? text.slice(end(list.children[index - 1]), next.offset).replace(/^\s*,/, "") : gapAfterFirst(text, list);
    return [{ offset: next.offset, length: 0, content: `${written(text, value)},${gap}` }];
}

/* The member at `path` has another name, at the same place. */
export function renameKey(text, root, path, name) {
    const node = findNodeAtLocation(root, path);
    if (node?.parent?.type !== "property") return [];
    const [key] = node.parent.children;
    return [{ offset: key.offset, length: key.length, content: JSON.stringify(name) }];
}

/* Two elements of a list, or two values, change places as they are written. */
export function exchange(text, root, path, other) {
    const nodes = [path, other].map((one) => findNodeAtLocation(root, one));
    if (nodes.includes(undefined)) return [];
    const written = nodes.map((node) => text.slice(node.offset, end(node)));
    return nodes.map((node, at) => ({ offset: node.offset, length: node.length, content: written[1 - at] }));
}

/* The member or element at `path`, with the comma that goes with it. */
export function removeAt(text, root, path) {
    const node = findNodeAtLocation(root, path);
    if (!node) return [];
    const part = node.parent?.type === "property" ? node.parent : node;
    const { children } = part.parent;
    const at = children.indexOf(part);
    if (at > 0 && !beginsLine(text, children, at)) return cut(end(children[at - 1]), end(part));
    if (at > 0) return cut(part.offset, children[at + 1].offset);
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
    if (!gap.includes("\n")) return gap === "" && (container.children.length > 1 || isTight(text)) ? "" : " ";
    return `${styleOf(text).eol}${/[^\n]*$/.exec(gap)[0]}`;
}

/* It is the first on its line, and others follow there: the line stays, without it. */
function beginsLine(text, children, at) {
    const [before, part, after] = [children[at - 1], children[at], children[at + 1]];
    return after !== undefined && text.slice(end(before), part.offset).includes("\n") && !text.slice(end(part), after.offset).includes("\n");
}

function gapAfterFirst(text, container) {
    const [first, second] = container.children;
    if (second) return text.slice(end(first), second.offset).replace(/^\s*,/, "");
    const gap = text.slice(container.offset + 1, first.offset);
    return gap.includes("\n") ? gap : isTight(text) ? "" : " ";
}

function cut(from, to) {
    return [{ offset: from, length: to - from, content: "" }];
}

const end = (node) => node.offset + node.length;

/* The author's style, kept: where they break lines is their matter, how deep a line is indented follows from its brackets, and how
 * wide a step is from the text as it stands. Pure. */

import { createScanner, format, parseTree } from "./editor.js";

const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, end: 17 };
const LINES_READ_MAX = 400;

/* {unit, eol}: one step of indentation, and how lines end. */
export function styleOf(text) {
    const indents = [...text.matchAll(/^([ \t]*)\S/gm)].slice(0, LINES_READ_MAX).map(([, indent]) => indent);
    const steps = new Map();
    indents.forEach((indent, at) => {
        const before = indents[at - 1];
        if (before === undefined || indent.length <= before.length || !indent.startsWith(before)) return;
        const step = indent.slice(before.length);
        steps.set(step, (steps.get(step) ?? 0) + 1);
    });
    const [common] = [...steps].sort((a, b) => b[1] - a[1])[0] ?? ["    "];
    return { unit: common, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

/* Edits that indent each line by the brackets around it, all those opened on one line counting once. A text that stands on one
 * line is given lines first. range: {offset, length} of what is to be formatted, or null. */
export function formatRange(text, range) {
    const style = styleOf(text);
    if (!text.trim().includes("\n")) return broken(text, style);
    const lines = linesOf(text, style.unit);
    const inside = ({ start, end }) => !range || (end >= range.offset && start <= range.offset + range.length);
    return lines
        .filter((line) => inside(line) && text.slice(line.start, line.start + line.white) !== line.indent)
        .map(({ start, white, indent }) => ({ offset: start, length: white, content: indent }));
}

function broken(text, { eol }) {
    return parseTree(text) ? format(text, undefined, { insertSpaces: true, tabSize: 4, eol, keepLines: false }) : [];
}

/* [{start, end, white: how much of its start is white, indent: what should stand there}] */
function linesOf(text, unit) {
    const brackets = bracketsOf(text);
    const open = []; /* depth of the line each was opened on */
    let start = 0;
    let next = 0;
    return text.split("\n").map((line) => {
        const end = start + line.length;
        const white = /^[ \t]*/.exec(line)[0].length;
        const first = brackets[next];
        const closes = first && first.offset === start + white && !first.opens;
        const depth = closes ? (open.at(-1) ?? 0) : open.length > 0 ? open.at(-1) + 1 : 0;
        for (; next < brackets.length && brackets[next].offset < end; next++) brackets[next].opens ? open.push(depth) : open.pop();
        const isBlank = line.trim() === "";
        const found = { start, end, white, indent: isBlank ? "" : unit.repeat(depth) };
        start = end + 1;
        return found;
    });
}

function bracketsOf(text) {
    const scanner = createScanner(text, true);
    const found = [];
    for (let token = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
        const opens = token === TOKEN.openBrace || token === TOKEN.openBracket;
        if (opens || token === TOKEN.closeBrace || token === TOKEN.closeBracket) found.push({ offset: scanner.getTokenOffset(), opens });
    }
    return found;
}

/* How a game's text goes into one frame, which has a bound, so that what the server says of it can be found again in
 * the text as it was written. */

import { say } from "../language.js";

/* Returns {definition, locate} or {problem}. `locate` turns a diagnostic of what was sent into one of `text`. */
export function fitDefinition(text, bytesMax) {
    if (text.trim() === "") return { problem: say("There is nothing here yet: paste the text of a game.") };
    const indents = text.split("\n").map((line) => line.length - line.trimStart().length);
    const flush = text
        .split("\n")
        .map((line) => line.trim())
        .join("\n");
    if (frameBytes(flush) <= bytesMax)
        return { definition: flush, locate: (diagnostic) => indented(diagnostic, indents) };
    const compact = parse(text);
    if (compact === undefined)
        return { problem: say("This is not JSON, and too long to be checked by the server as it is.") };
    for (const definition of [compact, untranslated(compact)]) if (frameBytes(definition) <= bytesMax) return { definition, locate: unplaced };
    const kib = Math.ceil(frameBytes(compact) / 1024);
    const kibMax = Math.floor(bytesMax / 1024);
    return {
        problem: say("This game is too large: {kib} KiB without its spaces, and the server takes {kibMax} KiB.", { kib, kibMax }),
    };
}

/* JSON strings hold no line ends, so what stands before the first sign of a line is never inside one. */
function indented(diagnostic, indents) {
    if (!diagnostic.line) return diagnostic;
    return { ...diagnostic, column: diagnostic.column + (indents[diagnostic.line - 1] ?? 0) };
}

/* What its texts are in other languages is no part of the rules. */
function untranslated(definition) {
    return { ...definition, translations: undefined };
}

/* Sent without its line ends, places mean nothing to the author; the pointer still does. */
function unplaced(diagnostic) {
    return { ...diagnostic, line: 0, column: 0 };
}

function frameBytes(definition) {
    const frame = { type: "games", id: "x".repeat(32), op: "validate", definition, visibility: "private" };
    return new TextEncoder().encode(JSON.stringify(frame)).length;
}

function parse(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

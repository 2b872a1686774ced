/* Where something is in a text: lines and columns as the program counts them (from 1, columns in bytes of UTF-8), and
 * offsets as the browser does (UTF-16). */

import { createScanner } from "./editor.js";

export function offsetOf(text, line, column) {
    let start = 0;
    for (let i = 1; i < line; i++) {
        const end = text.indexOf("\n", start);
        if (end < 0) return text.length;
        start = end + 1;
    }
    let bytes = Math.max(0, column - 1);
    let offset = start;
    while (bytes > 0 && offset < text.length && text[offset] !== "\n") {
        const point = text.codePointAt(offset);
        bytes -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        offset += point < 0x10000 ? 1 : 2;
    }
    return offset;
}

/* {line, column} of an offset. */
export function placeOf(offset, text) {
    const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
    const line = text.slice(0, start).split("\n").length;
    return { line, column: new TextEncoder().encode(text.slice(start, offset)).length + 1 };
}

/* What is underlined: the sign of JSON that begins there (a string, a number, a bracket), else to the end of the word. */
export function spanAt(text, offset) {
    const scanner = createScanner(text, true);
    scanner.setPosition(offset);
    scanner.scan();
    const start = scanner.getTokenOffset();
    const length = scanner.getTokenLength();
    if (start - offset < 200 && length > 0) return { from: start, to: start + length };
    const back = Math.max(0, offset - 1);
    return { from: back, to: Math.max(offset, back + 1) > text.length ? text.length : Math.max(offset, back + 1) };
}

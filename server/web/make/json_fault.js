/* Why a text is not JSON, said where the hand has to go: a missing comma belongs behind what it should follow, not before what
 * came instead. Only the first fault; those behind it are mostly its echo. null: it is JSON. */

import { createScanner, ParseErrorCode, parseTree } from "./editor.js";
import { placeOf } from "./places.js";

const WORDS = {
    [ParseErrorCode.InvalidSymbol]: (found) => `${found} is no word of JSON: names and texts stand in double quotes, and only true, false and null without`,
    [ParseErrorCode.InvalidNumberFormat]: (found) => `${found} is not a number as JSON writes them`,
    [ParseErrorCode.PropertyNameExpected]: (found, before) =>
        before === "," ? `nothing comes after this comma: leave it out` : `a name in double quotes must stand here, not ${found}`,
    [ParseErrorCode.ValueExpected]: (found, before) => (before === "," ? `nothing comes after this comma: leave it out` : "a value is missing here"),
    [ParseErrorCode.ColonExpected]: (found, before) => `a colon and a value are missing after ${before}`,
    [ParseErrorCode.CommaExpected]: (found, before) => `a comma is missing after ${before}`,
    [ParseErrorCode.CloseBraceExpected]: () => "a closing brace } is missing",
    [ParseErrorCode.CloseBracketExpected]: () => "a closing bracket ] is missing",
    [ParseErrorCode.EndOfFileExpected]: (found) => `the game has ended before this: ${found} is too much`,
    [ParseErrorCode.InvalidCommentToken]: () => "JSON has no comments",
    [ParseErrorCode.UnexpectedEndOfString]: () => "the double quote that ends this text is missing",
    [ParseErrorCode.InvalidUnicode]: () => "after \\u there must be four hexadecimal digits",
    [ParseErrorCode.InvalidEscapeCharacter]: () => 'after a backslash there may be " \\ / b f n r t or u',
    [ParseErrorCode.InvalidCharacter]: () => "a text cannot hold a tab or another control character: write \\t",
};
const AFTER = new Set([ParseErrorCode.ColonExpected, ParseErrorCode.CommaExpected, ParseErrorCode.CloseBraceExpected, ParseErrorCode.CloseBracketExpected]);
const SHOWN_MAX = 40;

export function jsonFault(text) {
    if (text.trim() === "") return diagnostic(text, 0, "there is nothing here yet");
    const errors = [];
    parseTree(text, errors, { disallowComments: true });
    const [first] = errors.sort((a, b) => a.offset - b.offset);
    if (!first) return null;
    const found = shorten(text.slice(first.offset, first.offset + Math.max(1, first.length)).trim()) || "the end";
    const before = signBefore(text, first.offset);
    const isComma = before?.text === "," && (first.error === ParseErrorCode.PropertyNameExpected || first.error === ParseErrorCode.ValueExpected);
    const offset = before && (AFTER.has(first.error) || isComma) ? before.offset : first.offset;
    return diagnostic(text, offset, WORDS[first.error]?.(found, before ? shorten(before.text) : "") ?? "this is not JSON");
}

/* The last sign before an offset: {offset, text}. */
function signBefore(text, offset) {
    const scanner = createScanner(text, true);
    let before = null;
    while (scanner.scan() !== 17 /* the end */ && scanner.getTokenOffset() < offset) before = { offset: scanner.getTokenOffset(), text: text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()) };
    return before;
}

function diagnostic(text, offset, message) {
    return { severity: "error", ...placeOf(offset, text), pointer: "", message: `this is not JSON: ${message}`, hint: "" };
}

function shorten(words) {
    return words.length > SHOWN_MAX ? `${words.slice(0, SHOWN_MAX)}…` : words;
}

/* What the page says, in the language of whoever looks at it (language_choice.js). The English text in the code is the key: whole sentences,
 * with {names} for what differs. The other languages' texts are in languages/*.json, of which one is loaded before anything is drawn;
 * what is missing there is said in English. tests/browser/languages.test.mjs holds code and catalogues together: texts stand in the
 * calls below as they are, and nowhere else. */

import { catalogueUrl, direction, language } from "./language_choice.js";

const texts = catalogueUrl ? await read(catalogueUrl) : {};
/* Numbers are written as on the boards and clocks; days come before months in English, too. */
const locale = { en: "en-GB", ar: "ar-u-nu-latn" }[language] ?? language;
const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale, { useGrouping: false });

if (globalThis.document) Object.assign(document.documentElement, { lang: language, dir: direction });

async function read(url) {
    const answer = await fetch(url).catch(() => null);
    return answer?.ok ? answer.json() : {};
}

/* say("{player} to move", {player}) */
export function say(text, values) {
    return fill(texts[text] ?? untold(text), values);
}

/* sayCount("{count} move", "{count} moves", 3): a catalogue has as many forms of the second text as its language. */
export function sayCount(one, other, count, values) {
    const forms = texts[other] ?? { one: untold(one), other: untold(other) };
    return fill(forms[plurals.select(count)] ?? forms.other, { count, ...values });
}

/* A sentence with elements in it, as children of one. */
export function parts(text, values = {}) {
    const pieces = (texts[text] ?? untold(text)).split(/\{(\w+)\}/);
    return pieces.map((piece, i) => (i % 2 === 0 ? piece : shown(values[piece]))).filter((piece) => piece !== "");
}

/* "a, b and c", or "a, b or c". */
export function listed(words, type = "conjunction") {
    return new Intl.ListFormat(locale, { type }).format(words.map(shown));
}

/* The first, the second … place. */
export function ordinal(number) {
    if (language !== "en") return fill(texts["{number}th"] ?? "{number}", { number });
    const ends = { one: "st", two: "nd", few: "rd", other: "th" };
    return `${number}${ends[new Intl.PluralRules("en", { type: "ordinal" }).select(number)]}`;
}

export function day(time) {
    return new Date(time).toLocaleDateString(locale, { dateStyle: "medium" });
}

export function capital(text) {
    return text ? text[0].toLocaleUpperCase(locale) + text.slice(1) : "";
}

function fill(text, values = {}) {
    return text.replace(/\{(\w+)\}/g, (_blank, name) => shown(values[name]));
}

/* What a catalogue lacks is English, which runs from left to right wherever it stands. */
function untold(text) {
    return direction === "rtl" ? `\u2066${text}\u2069` : text;
}

/* In a text from right to left what is put into it keeps its own direction: names, moves, cells (Unicode's isolates). */
function shown(value) {
    const text = typeof value === "number" ? numbers.format(value) : value;
    return direction === "rtl" && typeof text === "string" ? `\u2068${text}\u2069` : (text ?? "");
}

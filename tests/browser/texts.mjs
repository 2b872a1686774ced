// The texts of the pages as they stand in the code: every call of server/web/language.js with its literal text, and what people would
// see that stands outside of one. No parser: the calls begin with their texts, which is how all of them are written.
import {readdirSync, readFileSync, lstatSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const web = fileURLToPath(new URL('../../server/web/', import.meta.url));
export const catalogue = language => JSON.parse(readFileSync(join(web, 'languages', `${language}.json`), 'utf8'));
const OURS = ['', 'engine', 'make']; // folders
const NO_TEXTS = new Set(['language.js', 'language_choice.js', 'make/editor.js']);

export function sources() {
    const files = OURS.flatMap(folder => readdirSync(join(web, folder)).map(name => join(folder, name)));
    return files.filter(file => file.endsWith('.js') && !NO_TEXTS.has(file) && !lstatSync(join(web, file)).isSymbolicLink()).map(file => ({file, code: readFileSync(join(web, file), 'utf8')}));
}

const withoutComments = code => code.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const CALL = /(?<![\w#.])(say|sayCount|parts)\(\s*/g;
const LITERAL = /^"((?:[^"\\]|\\.)*)"/;
const PAIR = /^"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"/;

// {texts: key → {file, many: the form for one, or null}, loose: calls whose text is not written there}
export function textsOf(files = sources()) {
    const texts = new Map([['{number}th', {file: 'language.js', many: null}]]), loose = [];
    for (const {file, code} of files) {
        const plain = withoutComments(code);
        for (const call of plain.matchAll(CALL)) {
            const rest = plain.slice(call.index + call[0].length);
            if (/^(\.{3})?\w+(, (\.{3})?\w+)*( = [^)]*)?\) \{/.test(rest)) continue; // a method that is called so
            const found = (call[1] === 'sayCount' ? PAIR : LITERAL).exec(rest);
            if (!found) loose.push(`${file}: ${call[0]}${rest.slice(0, 60)}`);
            else texts.set(unescaped(found[2] ?? found[1]), {file, many: found[2] === undefined ? null : unescaped(found[1])});
        }
    }
    return {texts, loose};
}

const unescaped = text => JSON.parse(`"${text.replaceAll("\\'", "'")}"`);

// Where people would read or hear something that is in no catalogue: words as children of elements, as names and titles, as text that is set.
const SEEN = [
    /(?:textContent|placeholder|title|ariaLabel|document\.title|alt)\s*=\s*(["`])/g,
    /"?(?:aria-label|aria-description|title|placeholder|alt)"?:\s*(["`])/g,
    /setText\([^,()]*,\s*(["`])/g,
    /\bh\("(?!code)[\w-]+", \{[^{}]*\}, (["`])/g,
    /\.say\((["`])/g,
    /new (?:Error|PublishTrouble)\((["`])/g,
    /\b(?:label|words|detail): (["`])/g,
];

export function untranslated(files = sources()) {
    const found = [];
    for (const {file, code} of files) {
        const plain = withoutComments(code);
        for (const form of SEEN)
            for (const match of plain.matchAll(form)) {
                const text = literalAt(plain, match.index + match[0].length, match[1]);
                if (/[a-z]{2}/i.test(text.replaceAll('Senet', '')) && !text.startsWith('${')) found.push(`${file}: ${text}`);
            }
    }
    return found;
}

// What stands in a string itself, without what a template puts into it.
function literalAt(code, start, quote) {
    let text = '', depth = 0;
    for (let i = start; i < code.length && (depth > 0 || code[i] !== quote); i++) {
        if (quote === '`' && code.startsWith('${', i)) depth++;
        if (depth === 0) text += code[i];
        if (depth > 0 && code[i] === '{' && code[i - 1] !== '$') depth++;
        if (depth > 0 && code[i] === '}') depth--;
    }
    return text;
}

// The words of the served pages that stand in their HTML.
export function textsOfHtml(file) {
    const html = readFileSync(join(web, file), 'utf8');
    const body = html.slice(html.indexOf('<body')).replace(/<noscript>.*<\/noscript>/g, '').replace(/<script[^]*?<\/script>/g, '');
    const title = /<title>(.*)<\/title>/.exec(html)[1];
    return [title, ...body.split(/<[^>]*>/).map(text => text.trim())].filter(text => /[a-z]/i.test(text) && !text.startsWith('{{') && text !== 'Senet');
}

export const parametersOf = text => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

// Of the texts that a page shows, those that are English ones of the catalogue, though the language has others: whole ones, and what
// their parameters have made of them.
export function englishAmong(shown, language, {texts} = textsOf()) {
    const told = Object.entries(catalogue(language)).map(([text, forms]) => ({forms: [text, texts.get(text)?.many].filter(Boolean), translated: typeof forms === 'string' ? [forms] : Object.values(forms)}));
    const ours = new Set(told.flatMap(({translated}) => translated));
    const english = told.flatMap(({forms}) => forms).filter(text => /[a-z]{3}/i.test(withoutParameters(text)) && !ours.has(text));
    const [isEnglish, isOurs] = [english, [...ours].filter(text => /[a-z]{3}/i.test(withoutParameters(text)))].map(list => new RegExp(`^(?:${list.map(patternOf).join('|')})$`, 's'));
    return [...new Set(shown.map(plainly))].filter(text => isEnglish.test(text) && !isOurs.test(text));
}

const plainly = text => text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ').trim();
const withoutParameters = text => text.replace(/\{\w+\}/g, '');
const patternOf = text => plainly(text).split(/\{\w+\}/).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+');

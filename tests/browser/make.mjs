// What tests of the page /make share: a page with a draft, its text written by hand, what it says.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {eventually} from './browser.mjs';

const web = new URL('../../server/web/make/', import.meta.url);

export const template = name => readFileSync(new URL(`templates/${name}.json`, web), 'utf8');

// Opens the page with a new draft of a template.
export async function begin(visitor, server, choice = '[data-template="square"]') {
    await visitor.open(`${server.url}/make`);
    await visitor.page.click(choice);
    await isGood(visitor);
}

// Until the text that stands there has been loaded, and is a game: from the first letter on that is written it is not, until it is again.
export const isGood = visitor => visitor.page.waitForSelector('.make[data-state="good"]');

// Until the board stands where the game begins.
export async function startAgain(visitor) {
    await visitor.page.getByRole('button', {name: 'Start again'}).click();
    await visitor.page.locator('.moves-made:not(:has(li))').waitFor({state: 'attached'});
}

// The whole text anew, as somebody would paste it.
export async function write(visitor, text) {
    await visitor.page.evaluate(text => navigator.clipboard.writeText(text), text);
    await visitor.page.locator('.cm-content').focus();
    await visitor.page.keyboard.press('Control+a');
    await visitor.page.keyboard.press('Control+v');
}

// Of the draft that is open, as it is kept.
export async function saved(visitor) {
    return await visitor.page.evaluate(async () => {
        window.draftsSeen ??= (await import('/make/drafts.js')).Drafts.open();
        return await (await window.draftsSeen).get(decodeURIComponent(location.hash.slice(1)));
    });
}

// Until the draft's text, as it is kept, is as it should be.
export async function savedAs(visitor, is) {
    return await eventually(async () => {
        const text = (await saved(visitor))?.text ?? '';
        assert.ok(is(text), `the draft is not kept so:\n${text}`);
        return text;
    });
}

// Until it is this one, and loaded: kept a moment later than it is made, so nothing is on its way any more.
export async function becomes(visitor, text) {
    await savedAs(visitor, kept => kept === text);
    await isGood(visitor);
    return text;
}

// The cursor into the first such words, by the editor's own search.
export async function cursorTo(visitor, words) {
    const {page} = visitor;
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+f');
    await page.locator('.cm-search input[name="search"]').waitFor();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
}

// A file of this text is dropped on the editor,
export async function dropFile(visitor, text) {
    await visitor.page.evaluate(text => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'theirs.json', {type: 'application/json'}));
        document.querySelector('.text-editor').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    }, text);
}

// and is the draft then.
export async function drop(visitor, text) {
    await dropFile(visitor, text);
    await savedAs(visitor, kept => kept === text);
    await isGood(visitor);
}

// What tests of the page /make share: a page with a draft, its text written by hand, what it says.
import {readFileSync} from 'node:fs';

const web = new URL('../../server/web/make/', import.meta.url);

export const template = name => readFileSync(new URL(`templates/${name}.json`, web), 'utf8');

// Opens the page with a new draft of a template.
export async function begin(visitor, server, choice = '[data-template="square"]') {
    await visitor.open(`${server.url}/make`);
    await visitor.page.click(choice);
    await isGood(visitor);
}

export const isGood = visitor => visitor.page.waitForSelector('.make[data-state="good"]');

// The whole text anew, as somebody would paste it.
export async function write(visitor, text) {
    await visitor.page.evaluate(text => navigator.clipboard.writeText(text), text);
    await visitor.page.locator('.cm-content').click();
    await visitor.page.keyboard.press('Control+a');
    await visitor.page.keyboard.press('Control+v');
}

// Of the draft that is open, as it is kept.
export async function saved(visitor) {
    return await visitor.page.evaluate(async () => {
        const {Drafts} = await import('/make/drafts.js');
        const drafts = await Drafts.open();
        return await drafts.get(decodeURIComponent(location.hash.slice(1)));
    });
}

// Until the draft's text, as it is kept, is as it should be.
export async function savedAs(visitor, is) {
    for (let tries = 0; tries < 300; tries++) {
        const draft = await saved(visitor);
        if (draft && is(draft.text)) return draft.text;
        await visitor.page.waitForTimeout(50);
    }
    throw new Error(`the draft is not kept so:\n${(await saved(visitor))?.text}`);
}

// The cursor into the first such words, by the editor's own search.
export async function cursorTo(visitor, words) {
    const {page} = visitor;
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+f');
    await page.locator('.cm-search input[name="search"]').waitFor();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
}

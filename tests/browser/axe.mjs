// What axe-core finds: by all its rules, on a whole page; on a part of it (a dialog, a panel) where the rest has been looked at before;
// or by those rules only that another colour scheme can break.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
export const DIALOG = 'dialog[open]';

// A visitor that is only looked at. The page's own policy forbids `eval`, so it is left out; what is on its way in is pale.
export async function lookAt(browser, name, size, colorScheme) {
    return await browser.visitor(name, {...size, bypassCSP: true, colorScheme, reducedMotion: 'reduce'});
}

export async function complaints({page}, {part = null, rules = null} = {}) {
    if (part) await page.locator(part).first().waitFor();
    if (await page.evaluate(() => !('axe' in window))) await page.evaluate(text => void (0, eval)(text), source);
    return await page.evaluate(
        async ({part, rules}) => {
            const {violations} = await window.axe.run(part ?? document, {resultTypes: ['violations'], ...(rules && {runOnly: rules})});
            return violations.flatMap(({id, impact, nodes}) => nodes.map(node => `${impact} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
        },
        {part, rules},
    );
}

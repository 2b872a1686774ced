// Which sounds a page has asked for, and which notices of the browser's it has shown: in place of the browser's own, of which a headless one plays and
// shows nothing.
import assert from 'node:assert/strict';
import {SOUNDS} from '../../server/web/sounds.js';

// From its next page on. `on`: the bell is, and notices are granted.
export async function listen({context}, {on = false} = {}) {
    await context.addInitScript(isOn => {
        if (isOn) localStorage.setItem('senet.bell', 'on');
        window.heard = {notes: [], notices: [], asked: 0};
        window.Notification = class extends EventTarget {
            static permission = isOn ? 'granted' : 'default';
            static async requestPermission() {
                heard.asked++;
                return (Notification.permission = 'granted');
            }
            constructor(title, {body, tag}) {
                super();
                heard.notices.push(`${title}: ${body}`);
                heard.tag = tag;
            }
        };
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (at) {
            heard.notes.push(this.frequency.value);
            return start.call(this, at);
        };
        window.hide = hidden => {
            Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => (hidden ? 'hidden' : 'visible')});
            document.dispatchEvent(new Event('visibilitychange'));
        };
    }, on);
}

// {sounds: their names, in order; notices, asked, tag}; of its page, or of another one.
export async function heard(visitor, page = visitor.page) {
    const {notes, ...others} = await page.evaluate(() => window.heard);
    return {sounds: namesOf(notes), ...others};
}

export const hide = (visitor, hidden, page = visitor.page) => page.evaluate(whether => window.hide(whether), hidden);

function namesOf(notes) {
    if (notes.length === 0) return [];
    const [name, {notes: own}] = Object.entries(SOUNDS).find(([, sound]) => sound.notes.every((note, i) => note === notes[i])) ?? assert.fail(`no sound begins with ${notes}`);
    return [name, ...namesOf(notes.slice(own.length))];
}

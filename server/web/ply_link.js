/* A link that opens a room where somebody looks now: behind its # stands the ply. Loaded when it is asked for. */

import { ask } from "./dialogs.js";
import { say } from "./language.js";
import { linkField, roomAddress } from "./share_link.js";

export async function sharePly(room, ply, number, notes) {
    const address = `${roomAddress(room)}#${ply}`;
    try {
        await navigator.clipboard.writeText(address);
        notes.say(ply === 0 ? say("The link to the start is copied.") : say("The link to move {number} is copied.", { number }), "good");
    } catch {
        const label = say("Link to this move"); /* the clipboard is closed to pages without TLS */
        await ask({ title: label, body: [linkField(address, label)], choices: [{ label: say("Close"), value: null }] });
    }
}

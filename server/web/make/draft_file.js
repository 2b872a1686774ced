/* All drafts in one file, and back: nothing of a draft is lost on the way. Knows neither the database nor the page. */

import { DRAFTS_MAX, TEXT_BYTES_MAX } from "./drafts.js";
import { say } from "../language.js";

const FORMAT = 1;
const ID_LENGTH_MAX = 64;
export const FILE_BYTES_MAX = 2 * DRAFTS_MAX * TEXT_BYTES_MAX; /* in JSON, signs of text take more */

export function writeDrafts(drafts) {
    const kept = drafts.map(({ name, named, from, changed, text }) => ({
        name,
        ...(named && { named }),
        ...(from && { from }),
        changed: new Date(changed).toISOString(),
        text,
    }));
    return JSON.stringify({ senet_drafts: FORMAT, drafts: kept }, null, 2);
}

/* The drafts, or null: the text is no such file. Throws, with words, when it is one and cannot be read: all of it is taken or nothing. */
export function readDrafts(text) {
    const file = parse(text);
    if (file?.senet_drafts === undefined) return null;
    if (file.senet_drafts !== FORMAT || !Array.isArray(file.drafts)) throw new Error(say("These drafts were written by another version of Senet."));
    if (file.drafts.length > DRAFTS_MAX) throw new Error(say("There are {count} drafts in this file: {most} are the most.", { count: file.drafts.length, most: DRAFTS_MAX }));
    return file.drafts.map(readDraft);
}

function readDraft(draft, index) {
    const { name, text, named, from, changed } = draft ?? {};
    if (typeof name !== "string" || typeof text !== "string") throw new Error(say("Draft {number} of this file has no name or no text.", { number: index + 1 }));
    if (new TextEncoder().encode(text).length > TEXT_BYTES_MAX) throw new Error(say("“{name}” has more than 256 KiB: no game may.", { name }));
    return {
        name,
        text,
        named: named === true,
        from: typeof from === "string" && from.length <= ID_LENGTH_MAX ? from : "",
        changed: Math.min(Date.parse(changed) || 0, Date.now()),
    };
}

function parse(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

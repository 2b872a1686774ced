/* What painters do to a text: all of it, or nothing and a sentence that says why. A text that is not JSON is not touched, nor is a part of a
 * file that is not as a painter knows it. Pure. */

import { EditedText, Refusal } from "./edited_text.js";
import { getNodePath } from "./editor.js";
import { jsonFault } from "./json_fault.js";
import { say } from "../language.js";

/* work(edited) edits. Returns {text, steps, value} with what `work` returned; or {refused: words, path}. */
export function painting(text, work) {
    if (jsonFault(text)) return { refused: "The text is not JSON just now: mend that first, and nothing gets lost.", path: [] };
    const edited = new EditedText(text);
    if (edited.root?.type !== "object") return { refused: "A game is an object in braces: this text is something else.", path: [] };
    const twice = keyTwice(edited.root);
    if (twice) return { refused: `“${twice.at(-1)}” stands twice in its object: take one of them away first.`, path: twice };
    try {
        const value = work(edited);
        if (jsonFault(edited.text)) throw new Error(say("This leaves no JSON: {why}", { why: edited.text }));
        return { text: edited.text, steps: edited.steps, value };
    } catch (error) {
        if (error instanceof Refusal) return { refused: error.message, path: error.path };
        return { refused: "This part of the text is not as this painter knows it: edit it there.", path: [], error };
    }
}

/* The path of a key that its object has already: which of both is meant, nobody can say. */
function keyTwice(node) {
    const keys = new Set();
    for (const child of node.children ?? []) {
        if (child.type === "property" && keys.has(child.children[0].value)) return getNodePath(child.children[0]);
        if (child.type === "property") keys.add(child.children[0].value);
        const found = keyTwice(child);
        if (found) return found;
    }
    return null;
}

/* A text, and the small edits made to it one after the other, each of which sees what those before have made. What painters
 * work on: `steps` is what the editor does in one go. Pure. */

import { applyEdits, findNodeAtLocation, parseTree } from "./editor.js";
import { appendTo, exchange, insertAt, removeAt, renameKey, setAt } from "./text_edits.js";
import { isObject, nodeValue } from "./tolerant.js";

/* What a painter cannot say in this text: words for the author, and the place in the text they are about. */
export class Refusal extends Error {
    constructor(words, path = []) {
        super(words);
        this.path = path;
    }
}

export class EditedText {
    steps = []; /* lists of edits {offset, length, content} */

    constructor(text) {
        this.text = text;
        this.root = parseTree(text);
    }

    get file() {
        return nodeValue(this.root);
    }

    at(path) {
        const node = this.node(path);
        return node && nodeValue(node);
    }

    node(path) {
        return path.length === 0 ? this.root : findNodeAtLocation(this.root, path);
    }

    append(path, value) {
        this.#expectContainers(path, this.node(path) && "array");
        this.edit(appendTo(this.text, this.root, path, value));
    }

    insert(path, index, value) {
        this.#expectContainers(path, this.node(path) && "array");
        this.edit(insertAt(this.text, this.root, path, index, value));
    }

    /* An object that becomes another one keeps the members that both have, as they are written. */
    set(path, value) {
        this.#expectContainers(path);
        const before = this.at(path);
        if (!isObject(before) || !isObject(value) || !Object.keys(value).some((key) => key in before)) return this.edit(setAt(this.text, this.root, path, value));
        for (const key of Object.keys(before)) if (!(key in value)) this.remove([...path, key]);
        for (const [key, member] of Object.entries(value)) if (JSON.stringify(before[key]) !== JSON.stringify(member)) this.set([...path, key], member);
        return undefined;
    }

    remove(path) {
        this.edit(removeAt(this.text, this.root, path));
    }

    renameKey(path, name) {
        this.edit(renameKey(this.text, this.root, path, name));
    }

    exchange(path, other) {
        this.edit(exchange(this.text, this.root, path, other));
    }

    /* A part of the string at `path`. Where it is written with escapes the whole is written anew. */
    replaceIn(path, from, length, content) {
        const node = this.node(path);
        const { value } = node;
        const plain = this.text.slice(node.offset + 1, node.offset + node.length - 1) === value;
        const written = JSON.stringify(content).slice(1, -1);
        if (plain) this.edit([{ offset: node.offset + 1 + from, length, content: written }]);
        else this.set(path, value.slice(0, from) + content + value.slice(from + length));
    }

    /* The value at `path` becomes the first element of a list. */
    wrap(path) {
        const { offset, length } = this.node(path);
        this.edit([
            { offset, length: 0, content: "[" },
            { offset: offset + length, length: 0, content: "]" },
        ]);
    }

    /* On the way to a place there are objects and lists, or nothing yet. */
    #expectContainers(path, last = null) {
        for (let length = 0; length <= path.length; length++) {
            const node = this.node(path.slice(0, length));
            const type = length < path.length ? (typeof path[length] === "number" ? "array" : "object") : last;
            if (node && type && node.type !== type) throw new Refusal("What stands here is not as this painter knows it: edit it in the text.", path.slice(0, length));
        }
    }

    edit(edits) {
        if (edits.length === 0) return;
        this.steps.push(edits);
        this.text = applyEdits(this.text, edits);
        this.root = parseTree(this.text);
    }
}

/* The schema's words in the editor: what may be written here, and what the word under the pointer means. */

import { findNodeAtOffset, getLocation, getNodePath, hoverTooltip, parseTree, startCompletion } from "./editor.js";
import { h } from "../dom.js";
import { say } from "../language.js";
import { textValue } from "./tolerant.js";

export function completeFrom(words) {
    return (context) => {
        const text = context.state.doc.toString();
        const { path, isAtPropertyKey, previousNode } = getLocation(text, context.pos);
        const inside = previousNode && previousNode.offset <= context.pos && context.pos <= previousNode.offset + previousNode.length;
        const typed = context.matchBefore(/"?[\w$.-]*$/);
        const from = inside ? previousNode.offset : typed.from;
        const rest = inside ? previousNode.offset + previousNode.length - context.pos : 0; /* of the sign, behind the cursor */
        if (!context.explicit && !inside && typed.from === typed.to) return null;
        if (inside && !["string", "property"].includes(previousNode.type) && !context.explicit) return null;
        const file = textValue(text);
        const options = isAtPropertyKey ? members(words, path.slice(0, -1), file, rest, text.slice(context.pos + rest)) : values(words, path, file, rest);
        return options.length > 0 ? { from, options, validFor: /^"?[\w$.-]*$/ } : null;
    };
}

function members(words, path, file, rest, behind) {
    const followed = /^\s*:/.test(behind);
    const there = new Set(Object.keys(at(file, path) ?? {}));
    return words
        .membersAt(path, file)
        .filter(({ name }) => !there.has(name))
        .map(({ name, description, schemas }) => ({
            label: `"${name}"`,
            displayLabel: name,
            type: "property",
            info: description ? () => h("p", {}, description) : undefined,
            apply: (view, _, from, to) => (followed ? replace(view, from, to + rest, `"${name}"`) : begin(view, from, to + rest, name, schemas)),
        }));
}

function values(words, path, file, rest) {
    return words.valuesAt(path, file).map(({ text, description }) => ({
        label: text,
        displayLabel: text.replace(/^"|"$/g, ""),
        type: "enum",
        info: description ? () => h("p", {}, description) : undefined,
        apply: (view, _, from, to) => replace(view, from, to + rest, text),
    }));
}

function replace(view, from, to, text, anchor = from + text.length) {
    view.dispatch({ changes: { from, to, insert: text }, selection: { anchor }, userEvent: "input.complete" });
}

/* The word, and an empty value of the kind it takes with the cursor inside; what may stand there is offered at once. */
function begin(view, from, to, name, schemas) {
    const kinds = schemas.flatMap(({ type, enum: values }) => type ?? (values ? typeof values[0] : []));
    const value = { object: "{}", array: "[]", string: '""' }[kinds[0]] ?? "";
    const text = `"${name}": ${value}`;
    replace(view, from, to, text, from + text.length - (value ? 1 : 0));
    if (value === '""') startCompletion(view);
}

export function hoverFrom(words) {
    return hoverTooltip((view, pos) => {
        const text = view.state.doc.toString();
        const root = parseTree(text);
        const node = root && findNodeAtOffset(root, pos);
        if (!node) return null;
        const found = words.explain(getNodePath(node), textValue(text));
        if (!found || node.type === "object" || node.type === "array") return null;
        return { pos: node.offset, end: node.offset + node.length, above: true, create: () => ({ dom: sentences(found) }) };
    });
}

function sentences({ word, description, values, fallback }) {
    return h(
        "div",
        { class: "meaning" },
        h("strong", {}, word),
        h("p", {}, description),
        values.length > 0 && h("p", { class: "values" }, values.slice(0, 24).join(" · ")),
        fallback !== undefined && h("p", { class: "values" }, say("Without it: {value}", { value: JSON.stringify(fallback) })),
    );
}

function at(value, path) {
    const found = path.reduce((part, key) => part?.[key], value);
    return found && typeof found === "object" ? found : undefined;
}

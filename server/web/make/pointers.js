/* JSON pointers and the text they point into. */

import { findNodeAtLocation, findNodeAtOffset, getNodePath } from "./editor.js";

const KEYS_WORTH_MARKING = 400; /* a longer value is marked by its key alone */

export function pathOf(pointer, root) {
    const path = [];
    let node = root;
    for (const part of pointer.split("/").slice(1)) {
        const word = part.replaceAll("~1", "/").replaceAll("~0", "~");
        path.push(node?.type === "array" ? Number(word) : word);
        node = node && findNodeAtLocation(node, [path.at(-1)]);
    }
    return path;
}

/* The lines of the text a pointer means: the value, with its key when it has one. null: it is not there. */
export function rangeOf(pointer, root) {
    const node = root && findNodeAtLocation(root, pathOf(pointer, root));
    if (!node) return null;
    const property = node.parent?.type === "property" ? node.parent : node;
    const end = node.offset + node.length;
    if (property !== node && end - property.offset > KEYS_WORTH_MARKING) {
        const [key] = property.children;
        return { from: key.offset, to: key.offset + key.length };
    }
    return { from: property.offset, to: end };
}

export function pointerAt(offset, root) {
    const node = root && findNodeAtOffset(root, offset, true);
    if (!node) return "";
    return getNodePath(node)
        .map((part) => `/${`${part}`.replaceAll("~", "~0").replaceAll("/", "~1")}`)
        .join("");
}

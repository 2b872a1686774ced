/* Elements without markup text: children are nodes or strings, and strings become text nodes, so nothing a player
 * typed is ever read as HTML. */

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
    return furnish(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
    return furnish(document.createElementNS(SVG, tag), attributes, children);
}

export function replaceChildren(element, ...children) {
    element.replaceChildren(...children.flat().filter(isShown));
}

/* What is the same stays: what has the focus, or is about to be pressed. */
export function refreshChildren(element, ...children) {
    const old = [...element.childNodes];
    const wanted = [...h("div", {}, ...children).childNodes].map((node) => {
        const at = old.findIndex((other) => other.isEqualNode(node));
        return at < 0 ? node : old.splice(at, 1)[0];
    });
    for (const gone of old) gone.remove();
    for (const [at, node] of wanted.entries()) if (element.childNodes[at] !== node) element.insertBefore(node, element.childNodes[at] ?? null);
}

/* Writes only what differs: a live region that is written again would be read out again. */
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

function furnish(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
    element.append(...children.flat().filter(isShown));
    return element;
}

function setAttribute(element, name, value) {
    if (value === undefined || value === null || value === false) return;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
}

function isShown(child) {
    return child !== undefined && child !== null && child !== false;
}

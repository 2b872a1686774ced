/* What a figure looks like: its image, of the set that was chosen where the game offers several, or a lettered disc in its player's colour
 * where there is none or it fails. */

import { isLight } from "./colours.js";
import { h, svg } from "./dom.js";
import { fileUrl } from "./files.js";
import { chosenSets } from "./settings.js";

/* For players whose name is no colour that a browser knows. */
const COLOURS = ["#f4efe6", "#2b2a33", "#b5462f", "#2f6f9f", "#3f7d4e", "#c79a2e", "#7a4f8c", "#4a4a4a"];

export function playerColour(layout, player) {
    const name = String(player).toLowerCase();
    if (name === "white") return COLOURS[0];
    if (name === "black") return COLOURS[1];
    if (CSS.supports("color", name)) return name;
    return COLOURS[Math.max(0, layout.players.indexOf(player)) % COLOURS.length];
}

/* As few letters as tell the figures of the game apart; two at most. */
export function figureLetters(layout, figure) {
    const rivals = layout.figures.filter((other) => other !== figure && other[0] === figure[0]);
    const letters = rivals.length === 0 ? figure.slice(0, 1) : figure.slice(0, 2);
    return letters[0].toUpperCase() + letters.slice(1);
}

/* A server that ends, or a network that is said to be back, may not carry yet: a picture that fails is asked for again, once for
 * all figures that wait for it. One that has failed each time is missing: a board that is drawn again at each word of a text does not ask
 * for it each time. */
const AGAIN_AFTER_MS = [500, 2000, 8000];
const MISSING_MS = 10_000;
const awaited = new Map(); // source → {waits, figures: how each is drawn again}, and no `figures` when it is missing

/* The one that was chosen of the sets that a game offers; undefined: none. */
export function chosenSet({ sets = [] }) {
    const chosen = sets.length > 0 && chosenSets();
    return sets.find(({ name }) => chosen.includes(name));
}

/* A group drawn around 0,0 that fits a circle of `radius`; `draw` draws it again, when another set is chosen. */
export function drawPiece(layout, { player, figure }, radius) {
    const group = svg("g", { class: "piece" });
    group.draw = () => {
        const source = chosenSet(layout)?.images[player]?.[figure] ?? layout.images?.[player]?.[figure];
        const drawDisc = () => group.replaceChildren(...disc(layout, player, figure, radius));
        const fail = () => {
            drawDisc();
            wait(source, group.draw);
        };
        if (!source || isElsewhere(source)) drawDisc();
        else if (awaited.has(source)) fail();
        else group.replaceChildren(image(source, radius, ({ target }) => target.parentNode && fail()));
    };
    group.draw();
    return group;
}

function wait(source, draw) {
    const known = awaited.get(source);
    if (known) return known.figures?.add(draw);
    awaited.set(source, { waits: [...AGAIN_AFTER_MS], figures: new Set([draw]) });
    askLater(source);
}

function askLater(source) {
    const known = awaited.get(source);
    const ask = () => askAgain(source);
    if (!navigator.onLine) window.addEventListener("online", ask, { once: true });
    else if (known.waits.length > 0) setTimeout(ask, known.waits.shift());
    else {
        delete known.figures;
        setTimeout(() => awaited.delete(source), MISSING_MS);
    }
}

function askAgain(source) {
    const probe = new Image();
    probe.addEventListener("error", () => askLater(source));
    probe.addEventListener("load", () => {
        const { figures } = awaited.get(source);
        awaited.delete(source);
        for (const draw of figures) draw();
    });
    probe.src = fileUrl(source);
}

/* The same outside of a board. */
export function pieceIcon(layout, piece) {
    const picture = svg("svg", { viewBox: "-0.5 -0.5 1 1", class: "piece-icon", "aria-hidden": "true" });
    picture.append(drawPiece(layout, piece, 0.5));
    return picture;
}

export function playerDot(layout, player) {
    const dot = h("span", { class: "player-dot", "aria-hidden": "true" });
    dot.style.background = playerColour(layout, player);
    return dot;
}

/* Another server would learn who looks at the board. */
function isElsewhere(source) {
    const url = new URL(source, location.href);
    return url.protocol !== "data:" && url.origin !== location.origin;
}

function image(source, radius, onerror) {
    const side = radius * 2 * 0.94;
    return svg("image", { href: fileUrl(source), x: -side / 2, y: -side / 2, width: side, height: side, onerror });
}

function disc(layout, player, figure, radius) {
    const colour = playerColour(layout, player);
    const light = isLight(colour);
    const letters = figureLetters(layout, figure);
    return [
        svg("circle", {
            r: radius * 0.76,
            fill: colour,
            stroke: light ? "#4b4034" : "#efe6d6",
            "stroke-width": radius * 0.07,
        }),
        svg(
            "text",
            {
                "text-anchor": "middle",
                y: radius * 0.27,
                "font-size": radius * (letters.length > 1 ? 0.66 : 0.8),
                fill: light ? "#2b2620" : "#fbf6ec",
                class: "disc-letter",
            },
            letters,
        ),
    ];
}

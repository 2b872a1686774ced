/* How a game is played, in pictures and sentences made of its file: each figure alone on the board with what it may do there,
 * what holds for all, and how it ends. Loaded when somebody asks for it. */

import { BoardPicture } from "./board_picture.js";
import { h } from "./dom.js";
import { say } from "./language.js";
import { pieceIcon } from "./pieces.js";
import { endSentences, figureSentences, ruleSentences } from "./rule_sentences.js";
import { gameWord, named, speakGame } from "./words.js";

/* game: {title, description}; guide: as the protocol says. Resolves when it is put away. */
export function showHowToPlay(game, guide) {
    const definition = parsed(guide.definition);
    speakGame(definition);
    const close = h("button", { type: "button", class: "close", "aria-label": say("Close") }, "×");
    const dialog = h(
        "dialog",
        { class: "dialog how-to-play", "aria-label": say("How to play {game}", { game: game.title }) },
        h("header", {}, h("h2", {}, say("How to play {game}", { game: game.title })), close),
        h("div", { class: "how-body", tabindex: 0, role: "region", "aria-label": say("Rules") }, ...bodyOf(game, guide, definition)),
    );
    return new Promise((resolve) => {
        close.addEventListener("click", () => dialog.close());
        dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
        dialog.addEventListener("close", () => (dialog.remove(), resolve()));
        document.body.append(dialog);
        dialog.showModal();
    });
}

function bodyOf(game, { layout, figures = [] }, definition) {
    const shown = new Map(figures.map((entry) => [entry.figure, entry]));
    const names = layout.figures.filter((figure) => shown.has(figure) || figureSentences(definition, figure).length > 0);
    return [
        sectionOf(say("Good to know"), listOf(ruleSentences(definition))),
        names.length > 0 && h("section", {}, h("h3", {}, say("The figures")), keyOf(figures), h("div", { class: "figure-cards" }, names.map((figure) => figureCard(layout, figure, shown.get(figure), definition)))),
        sectionOf(say("How it ends"), listOfEnds(endSentences(definition))),
        game.description && sectionOf(say("In its author's words"), h("p", { class: "about-game" }, gameWord(game.description))),
    ].filter(Boolean);
}

/* A file that is too long to be sent has pictures only. */
function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return { results: [] };
    }
}

function figureCard(layout, figure, entry, definition) {
    const players = layout.players.filter((player) => layout.images?.[player]?.[figure]);
    const icons = (players.length > 0 ? players : layout.players.slice(0, 1)).map((player) => pieceIcon(layout, { player, figure }));
    return h(
        "article",
        { class: "figure-card", "data-figure": figure },
        h("h4", {}, h("span", { class: "faces-of" }, icons), named(figure)),
        entry && pictureOf(layout, entry),
        ...figureSentences(definition, figure).map((sentence) => h("p", {}, sentence)),
    );
}

/* The board with nothing else on it; what it shows is said in words as well. */
function pictureOf(layout, { figure, player, cell, moves, takes }) {
    const picture = new BoardPicture();
    const [goes, hits] = [new Set(moves), new Set(takes)];
    picture.build(layout, layout.rotation?.[player] ?? 0);
    picture.showPieces({ cells: { [cell]: { figure, player } }, lastMove: null, pending: null });
    picture.showMarks((name) => ({ shade: name === cell ? "last" : "", mark: markOf(goes.has(name), hits.has(name)), alarm: false, movable: false, words: [name] }));
    picture.element.setAttribute("aria-hidden", "true");
    const both = moves.filter((name) => hits.has(name));
    const words = [
        both.length > 0 && say("goes to or takes on {cells}", { cells: both.join(", ") }),
        moves.length > both.length && say("goes to {cells}", { cells: moves.filter((name) => !hits.has(name)).join(", ") }),
        takes.length > both.length && say("takes on {cells}", { cells: takes.filter((name) => !goes.has(name)).join(", ") }),
    ].filter(Boolean);
    return h("div", { class: "board-frame", role: "img", "aria-label": say("A {figure} on {cell} {ways}.", { figure: gameWord(figure), cell, ways: words.join("; ") }) }, h("div", { inert: true, class: "board-view" }, picture.element));
}

function markOf(goes, takes) {
    if (goes && takes) return "dot";
    return goes ? "dot only" : takes ? "ring" : "";
}

/* Only the marks that some picture has. */
function keyOf(figures) {
    const has = { dot: false, "dot only": false, ring: false };
    for (const { moves, takes } of figures) {
        const hits = new Set(takes);
        const both = moves.filter((name) => hits.has(name)).length;
        if (both > 0) has.dot = true;
        if (moves.length > both) has["dot only"] = true;
        if (takes.length > both) has.ring = true;
    }
    const words = { dot: say("goes there, or takes there"), "dot only": say("only goes there"), ring: say("only takes there") };
    return h("p", { class: "marks-key" }, Object.keys(words).filter((mark) => has[mark]).map((mark) => h("span", {}, h("span", { class: `key ${mark}`, "aria-hidden": "true" }), words[mark])));
}

function sectionOf(title, content) {
    return content && h("section", {}, h("h3", {}, title), content);
}

function listOf(sentences) {
    return sentences.length > 0 && h("ul", {}, sentences.map((sentence) => h("li", {}, sentence)));
}

function listOfEnds(ends) {
    return ends.length > 0 && h("dl", {}, ends.flatMap(({ title, reasons }) => [h("dt", {}, `${title}:`), h("dd", {}, reasons.filter(Boolean).map((reason) => named(reason)).join(" · ") || say("as its file says"))]));
}

/* Where a new draft begins: a template, a copy of a game of this server, or a file. */

import { isSavedGame } from "../bring_in.js";
import { ask } from "../dialogs.js";
import { h } from "../dom.js";
import { fileUrl } from "../files.js";
import { say } from "../language.js";
import { language } from "../language_choice.js";
import { FILE_BYTES_MAX, readDrafts } from "./draft_file.js";
import { TEXT_BYTES_MAX } from "./drafts.js";

const TEMPLATES = [
    ["square", say("Squares"), say("Six by six, mate wins")],
    ["hexagon", say("Hexagons"), say("Axial coordinates, take the king")],
    ["stones", say("Stones"), say("Put them down, four in a row win")],
    ["layers", say("Three layers"), say("A board in three dimensions")],
    ["empty", say("Empty"), say("A board and a stone")],
];

/* Returns {name, text, from?}, what readFile may give besides, or null. */
export async function askStart() {
    const games = await gamesOf();
    const file = h("input", { type: "file", accept: ".json,application/json", hidden: true });
    const controller = new AbortController();
    let chosen = null;
    file.addEventListener("change", () => {
        chosen = file.files[0];
        controller.abort();
    });
    const choices = [
        ...TEMPLATES.map(([id, label, about]) => ({
            value: () => template(id),
            label: h("span", { class: "start-choice", "data-template": id }, h("strong", {}, label), h("small", {}, about)),
        })),
        ...games.map(({ id, title }) => ({
            value: () => copyOf(id, title),
            label: h("span", { class: "start-choice", "data-copy": id }, h("strong", {}, title), h("small", {}, say("A copy"))),
        })),
    ];
    const pick = h("button", { type: "button", class: "pick-file", onclick: () => file.click() }, say("Open a file…"));
    const body = [h("p", { class: "hint" }, say("A template, a copy of any game here, or your own file (also by dropping it on the page): a game, drafts you have downloaded, or a game that was played."))];
    const make = await ask({ title: say("Start a game"), body, choices, foot: [pick, file], layout: "tiles start", signal: controller.signal });
    if (chosen) return readFile(chosen);
    return make ? make() : null;
}

/* A file somebody chose or dropped: a text, unchanged, whatever is in it; or {drafts}, of one that was exported; or {saved}, the text of
 * a game that was played. */
export async function readFile(file) {
    if (file.size > FILE_BYTES_MAX) throw tooLarge(file);
    const text = await file.text();
    const drafts = readDrafts(text);
    if (drafts) return { drafts };
    if (isSavedGame(text)) return { saved: text };
    if (file.size > TEXT_BYTES_MAX) throw tooLarge(file);
    return { name: titleOf(text) ?? file.name.replace(/\.json$/i, ""), text };
}

const tooLarge = ({ name }) => new Error(say("{name} has more than 256 KiB: no game may.", { name }));

export function titleOf(text) {
    try {
        const { title, name } = JSON.parse(text);
        return [title, name].find((word) => typeof word === "string" && word !== "");
    } catch {
        return undefined;
    }
}

export async function template(id) {
    const text = await textOf(fileUrl(`/make/templates/${id}.json`));
    return { name: titleOf(text), text };
}

async function gamesOf() {
    try {
        const { games } = JSON.parse(await textOf(`/api/v1/games?language=${language}`));
        return games;
    } catch {
        return []; /* offline: there are the templates */
    }
}

async function copyOf(id, title) {
    const { definitionText } = await import("../published.js");
    const text = definitionText(await textOf(`/api/v1/games/${encodeURIComponent(id)}`));
    return { name: say("{game} (my copy)", { game: title }), text, from: id };
}

/* Of a game that somebody published. */
export async function copyPublished(id) {
    const { readGame } = await import("../published.js");
    const game = await readGame(id);
    if (!game.text) throw new Error(say("This game was taken down."));
    return { name: say("{game} (my copy)", { game: game.title }), text: game.text, from: game.id };
}

async function textOf(path) {
    const response = await fetch(path).catch(() => {
        throw new Error(say("The server cannot be reached, so this cannot be fetched from there. What you have stays as it is."));
    });
    if (!response.ok) throw new Error(say("The server answered with {status}.", { status: response.status }));
    return response.text();
}

/* Where the page /make begins: one connection, the schema, the drafts of this browser, and the page itself. */

import { Connection } from "../connection.js";
import { Notes } from "../notices.js";
import { Drafts } from "./drafts.js";
import { startEngine } from "./engine_source.js";
import { MakePage } from "./page.js";
import { SchemaWords } from "./schema_words.js";

const scheme = location.protocol === "https:" ? "wss" : "ws";
const notes = new Notes();
document.querySelector("#notices").append(notes.element);

/* Answers are waited for by whoever asks; a connection that is away is no trouble for somebody who writes. */
const connection = new Connection(`${scheme}://${location.host}/ws`, localStorage, {
    onWelcome: () => {},
    onFrame: () => {},
    onStatus: (status) => page?.online(status.is === "online"),
});

let page = null;
const [schema, drafts, engine] = await Promise.all([
    fetch("/schema/game.json").then((answer) => (answer.ok ? answer.json() : {}), () => ({})),
    Drafts.open(),
    startEngine(connection),
]);
page = new MakePage({ connection, notes, drafts, engine, words: new SchemaWords(schema) });
document.querySelector("#page").replaceChildren(page.element);
connection.open();
await page.begin();

addEventListener("offline", () => connection.suspect());
addEventListener("online", () => connection.hurry());
addEventListener("pageshow", (event) => event.persisted && location.reload());

/* Where the page /make begins: one connection, the schema, the drafts of this browser, and the page itself. */

import { connection } from "../dial.js";
import { h, setText } from "../dom.js";
import { fileUrl } from "../files.js";
import { say } from "../language.js";
import { languageMenu } from "../language_menu.js";
import { Notes } from "../notices.js";
import { Drafts } from "./drafts.js";
import { startEngine } from "./engine_source.js";
import { MakePage } from "./page.js";
import { SchemaWords } from "./schema_words.js";

const notes = new Notes();
document.querySelector("#notices").append(notes.element);

const away = h("span", { class: "away", role: "status" });
document.querySelector("#site-place").prepend(away);
document.querySelector("#site-place").append(languageMenu());
document.querySelector("#site-place > a").textContent = say("All games"); /* as the page comes it is English */
document.title = say("Make a game · Senet");

/* What is only needed once somebody writes comes while they choose what to begin with. */
const engine = startEngine(connection);
const words = new SchemaWords({});
learn(words);
const page = new MakePage({ connection, notes, drafts: await Drafts.open(), engine, words });
document.querySelector("#page").replaceChildren(page.element);
/* Answers are waited for by whoever asks; a connection that is away is no trouble for somebody who writes. */
connection.attend({
    onWelcome: () => {},
    onFrame: () => {},
    onStatus: ({ is }) => {
        page.online(is === "online");
        if (is === "online") setText(away, "");
        else if (is !== "connecting") setText(away, say("Not connected"));
    },
});
await page.begin();

addEventListener("offline", () => connection.suspect());
addEventListener("online", () => connection.hurry());
addEventListener("pageshow", (event) => event.persisted && location.reload());

async function learn(words) {
    const answer = await fetch(fileUrl("/schema/game.json")).catch(() => null);
    if (answer?.ok) words.schema = await answer.json();
}

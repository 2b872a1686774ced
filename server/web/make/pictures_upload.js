/* A picture sent to the server, which makes it harmless and says where it is then (protocol/README.md, "Pictures"). */

import { say } from "../language.js";


const TYPES = { svg: "image/svg+xml", png: "image/png" };

/* Where it is; or an error whose message is the server's sentence. */
export async function uploadPicture(file) {
    const type = typeOf(file);
    if (!type) throw new Error(say("{file}: a picture is an SVG or a PNG.", { file: file.name }));
    const response = await fetch("/api/v1/pictures", { method: "POST", headers: { "Content-Type": type }, body: file }).catch(() => {
        throw new Error(say("There is no connection to the server."));
    });
    const text = (await response.text()).trim();
    if (!response.ok) throw new Error(`${file.name}: ${text || `the server answered with ${response.status}`}.`);
    return JSON.parse(text).picture;
}

/* What a file is called says more than what the system takes it for. */
function typeOf({ name, type }) {
    const [, suffix] = /\.(svg|png)$/i.exec(name) ?? [];
    return suffix ? TYPES[suffix.toLowerCase()] : Object.values(TYPES).find((known) => known === type);
}

/* Which of {player, figure} a file's name speaks of: "white-king.svg", "wK (2).png" does not. A longer name of a figure wins. */
export function slotNamed(name, slots) {
    const words = ` ${name.toLowerCase().replace(/\.\w+$/, "").replace(/[^\p{L}\p{N}]+/gu, " ")} `;
    const has = (word) => words.includes(` ${word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `);
    return slots
        .filter(({ player, figure }) => has(player) && has(figure))
        .sort((a, b) => b.figure.length - a.figure.length)[0];
}

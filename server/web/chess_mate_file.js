/* A game of Chess Mate's (server/chess_mate): what its API answers to whoever loads one, kept as a file. Its moves are the moves of a
 * room of chess. Loaded when somebody brings one. */

import { say } from "./language.js";
import { definitionText } from "./published.js";

/* answer: {board, moves}, the newest move first. Returns the record of a room in which they have been made. */
export async function recordOf({ moves }) {
    const response = await fetch("/api/v1/games/chess");
    if (!response.ok) throw new Error(say("This server has no chess to play it by."));
    const definition = definitionText(await response.text());
    const inOrder = [...moves].sort((a, b) => a.move_number - b.move_number);
    const created = { version: 1, at: 0, kind: "created", body: { game: "chess", moves: inOrder.map(moveOf) } };
    return JSON.stringify({ senet_export: 1, game: "chess", definition, events: [created] });
}

/* Its pawns become queens and nothing else. */
function moveOf({ from, to, piece }) {
    const promotes = piece === "P" && /[18]$/.test(to);
    return { from, to, ...(promotes && { choice: "queen" }) };
}

/* A new room, and everybody in it who was wished for (new_room.js asks); or a seat with somebody who waits. */

import { levelMember } from "./bot_level.js";
import { bringInRules } from "./bring_in.js";
import { nameMember } from "./player_name.js";

/* what: the game, the position of another room it is made of, or the text of rules nobody else has. Returns the room's id. */
export async function openRoom(connection, { rules, ...what }, { opponent, seat, visibility, players, time, others }) {
    const room = rules ? await bringInRules(rules, { ...players, visibility }) : (await connection.request({ type: "create", ...what, ...players, ...time, visibility })).room;
    await connection.request({ type: "join", room, seat: opponent === "screen" ? "all" : seat, ...nameMember() });
    for (const free of opponent === "bot" ? others : [])
        await connection.request({ type: "action", room, kind: "bot.invite", seat: free, ...levelMember() });
    return room;
}

/* With one of those who wait, in the order of `waiting` (rooms of the lobby); null when all of them have found somebody meanwhile. */
export async function joinOne(connection, waiting) {
    for (const { room } of waiting) {
        try {
            await connection.request({ type: "join", room, seat: "any", ...nameMember() });
            return room;
        } catch (error) {
            if (!["seat_taken", "unknown_room", "moved"].includes(error.code)) throw error;
        }
    }
    return null;
}

/* Against the bot at once, and with nobody else. */
export function playBot(connection, { id, players }) {
    const [seat, ...others] = players;
    return openRoom(connection, { game: id }, { opponent: "bot", seat, others, visibility: "private" });
}

/* A new room, and everybody in it who was wished for (new_room.js asks). */

import { nameMember } from "./player_name.js";

/* what: the game, the definition, or the position of another room it is made of. Returns the room's id. */
export async function openRoom(connection, what, { opponent, seat, visibility, players, others }) {
    const { room } = await connection.request({ type: "create", ...what, ...players, visibility });
    await connection.request({ type: "join", room, seat: opponent === "screen" ? "all" : seat, ...nameMember() });
    for (const free of opponent === "bot" ? others : [])
        await connection.request({ type: "action", room, kind: "bot.invite", seat: free });
    return room;
}

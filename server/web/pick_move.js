/* One move out of several that begin and end on the same cells: the rules leave a choice. */

import { ask } from "./dialogs.js";
import { say } from "./language.js";
import { pieceIcon } from "./pieces.js";
import { named } from "./words.js";

export async function pickMove(moves, { layout, state }) {
    if (moves.length === 1) return moves[0];
    const choices = moves.map((move) => {
        const figure = layout.figures.includes(move.choice) ? move.choice : null;
        return {
            value: move,
            label: move.choice ? named(move.choice) : say("As it is"),
            picture: figure && pieceIcon(layout, { player: state.to_move, figure }),
        };
    });
    return ask({ title: say("Which one?"), choices, layout: "tiles" });
}

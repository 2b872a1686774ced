/* One move out of several that begin and end on the same cells: the rules leave a choice. */

import { ask } from "./dialogs.js";
import { pieceIcon } from "./pieces.js";
import { capital } from "./words.js";

export async function pickMove(moves, { layout, state }) {
    if (moves.length === 1) return moves[0];
    const choices = moves.map((move) => {
        const word = move.choice ?? "as it is";
        const figure = layout.figures.includes(word) ? word : null;
        return {
            value: move,
            label: capital(word),
            picture: figure && pieceIcon(layout, { player: state.to_move, figure }),
        };
    });
    return ask({ title: "Which one?", choices, layout: "tiles" });
}

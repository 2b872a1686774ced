/* Buttons that put something into the hand: figures of a player, and what else a painter has. Those of figures can be dragged onto the
 * board as well. */

import { h } from "../dom.js";
import { pieceIcon } from "../pieces.js";
import { PaletteDrag } from "./palette_drag.js";

/* onToggle(brush, byKeys) */
export function makeBrush(label, brush, onToggle) {
    const button = h("button", { type: "button", class: "small brush", onclick: (event) => onToggle(brush, event.detail === 0) }, label);
    button.brush = brush;
    return button;
}

/* One for each figure of each player. */
export function figureBrushes({ game, layout }, onToggle) {
    return game.players.flatMap((player) =>
        game.figures.map((figure) => {
            const button = makeBrush("", { player, figure }, onToggle);
            const name = `${player} ${figure}`;
            button.append(pieceIcon(layout, { player, figure }));
            button.setAttribute("aria-label", name);
            button.title = name;
            return button;
        }),
    );
}

export function pressBrushes(element, brush) {
    for (const button of element.querySelectorAll(".brush")) button.setAttribute("aria-pressed", `${isSame(button.brush, brush)}`);
}

export function isSame(brush, other) {
    return other !== null && JSON.stringify(brush) === JSON.stringify(other);
}

/* layout(): the one the figures are drawn by. onHold(brush): it is in the hand; null: nothing is any more. onDrop(cell). */
export function dragFigures(palette, view, { layout, onHold, onDrop }) {
    new PaletteDrag(palette, {
        whatAt: (target) => {
            const { brush } = target.closest?.(".brush") ?? {};
            return brush?.figure && { brush, picture: () => pieceIcon(layout(), brush) };
        },
        cellAt: ({ clientX, clientY }) => cellAt(view, clientX, clientY),
        onLift: ({ brush }) => onHold(brush),
        onOver: (cell) => view.light.show(cell === undefined ? [] : [{ role: "painted", cells: [cell] }]),
        onDrop: (_, cell) => onDrop(cell),
        onEnd: () => onHold(null),
    });
}

function cellAt(view, x, y) {
    const hit = document.elementFromPoint(x, y)?.closest?.("[data-cell]");
    return hit && view.board.element.contains(hit) ? hit.dataset.cell : undefined;
}

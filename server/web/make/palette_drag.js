/* Something dragged out of a palette onto a board: its picture follows the pointer, and whoever owns it hears which cell is under it. Keys
 * and clicks are the palette's. */

import { h } from "../dom.js";

const DRAG_STARTS_AT_PX = 6;

export class PaletteDrag {
    #drag = null; /* {id, x, y, what, ghost}: the pointer that is down; a ghost once it is dragged */

    /* whatAt(target): what is dragged from there, {picture(), …}, or nothing. cellAt(event): the cell under the pointer. onLift(what);
     * onOver(cell or undefined); onDrop(what, cell); onEnd(), wherever it was let go. */
    constructor(palette, handlers) {
        this.palette = palette;
        this.handlers = handlers;
        palette.addEventListener("pointerdown", (event) => this.#down(event));
        /* A fast hand is out of the palette with its first step. */
        addEventListener("pointermove", (event) => this.#move(event));
        addEventListener("pointerup", (event) => this.#up(event));
        addEventListener("pointercancel", () => this.#end());
        addEventListener("keydown", (event) => event.key === "Escape" && this.#end());
    }

    #down(event) {
        const what = event.button === 0 && !this.#drag && this.handlers.whatAt(event.target);
        if (what) this.#drag = { id: event.pointerId, x: event.clientX, y: event.clientY, what, ghost: null };
    }

    #move(event) {
        const drag = this.#drag;
        if (drag?.id !== event.pointerId) return;
        if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_STARTS_AT_PX) return;
        if (!drag.ghost) this.#lift(drag);
        drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
        this.handlers.onOver(this.handlers.cellAt(event));
    }

    /* From now on it is no click: the palette has the pointer, and not the button. */
    #lift(drag) {
        this.palette.setPointerCapture(drag.id);
        drag.ghost = h("div", { class: "dragged", "aria-hidden": "true" }, drag.what.picture());
        document.body.append(drag.ghost);
        this.handlers.onLift(drag.what);
    }

    #up(event) {
        const drag = this.#drag;
        if (drag?.id !== event.pointerId) return;
        const cell = drag.ghost ? this.handlers.cellAt(event) : undefined;
        if (cell !== undefined) this.handlers.onDrop(drag.what, cell);
        this.#end();
    }

    #end() {
        const ghost = this.#drag?.ghost;
        this.#drag = null;
        if (!ghost) return;
        ghost.remove();
        this.handlers.onEnd();
    }
}

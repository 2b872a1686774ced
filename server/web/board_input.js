/* Hands on a board: mouse, finger, keyboard, and screen readers, turned into presses, choices and drops of cells.
 *
 * What they mean is the owner's: onPress(cell) returns whether it selected the cell, onChoose(cell) is a click, a tap or
 * Enter, onDrop(cell) the end of a drag, onLetGo() Escape; mayDrag(cell), isTarget(cell) and mayLetGo() are questions. Keys that mean nothing here are left to
 * the page. */

const DRAG_STARTS_AT_PX = 6;
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const ASLANT = Math.SQRT1_2;
/* The keys around S, wherever letters are on the keyboard: for boards whose cells have more than four neighbours. */
const AROUND = {
    KeyQ: [-ASLANT, -ASLANT], KeyW: [0, -1], KeyE: [ASLANT, -ASLANT], KeyA: [-1, 0],
    KeyD: [1, 0], KeyZ: [-ASLANT, ASLANT], KeyX: [0, 1], KeyC: [ASLANT, ASLANT],
};
const LAYERS = { PageUp: 1, PageDown: -1 };

export class BoardInput {
    #picture;
    #owner;
    #press = null; /* the pointer that is down: {id, cell, x, y, dragging, selected} */
    #walked = true; /* the focused cell was reached by the keyboard, so its arrows go on from there */

    constructor(picture, owner) {
        this.#picture = picture;
        this.#owner = owner;
        const { element } = picture;
        element.addEventListener("pointerdown", (event) => this.#pointerDown(event));
        element.addEventListener("pointermove", (event) => this.#pointerMove(event));
        element.addEventListener("pointerup", (event) => this.#pointerUp(event));
        element.addEventListener("pointercancel", () => this.#endPress());
        document.addEventListener("focusin", (event) => this.#focused(event)); /* on the svg it would make that a tab stop */
        element.addEventListener("keydown", (event) => this.#keyDown(event));
        element.addEventListener("click", (event) => this.#assistedClick(event));
        element.addEventListener("touchstart", keepPageStill, { passive: false });
    }

    /* A dialog that closes gives the focus back, however it came here. */
    #focused({ target, relatedTarget }) {
        if (!this.#picture.element.contains(target)) return;
        if (!relatedTarget?.closest?.("dialog")) this.#walked = this.#press === null;
    }

    #pointerDown(event) {
        const cell = event.target.dataset?.cell;
        if (!cell || event.button !== 0 || this.#press) return;
        const selected = this.#owner.onPress(cell);
        this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, dragging: false, selected };
    }

    #pointerMove(event) {
        const press = this.#press;
        if (press?.id !== event.pointerId || !this.#owner.mayDrag(press.cell)) return;
        const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y);
        if (!press.dragging && moved < DRAG_STARTS_AT_PX) return;
        if (!press.dragging) this.#picture.element.setPointerCapture(press.id);
        press.dragging = true;
        this.#picture.drag(press.cell, event);
        const over = this.#picture.cellUnder(event);
        this.#picture.hover(over !== undefined && this.#owner.isTarget(over) ? over : null);
    }

    #pointerUp(event) {
        const press = this.#press;
        if (press?.id !== event.pointerId) return;
        const cell = this.#picture.cellUnder(event);
        this.#endPress();
        if (press.dragging && cell !== undefined) this.#owner.onDrop(cell);
        else if (!press.dragging && !press.selected && cell === press.cell) this.#owner.onChoose(cell);
    }

    #endPress() {
        const dragging = this.#press?.dragging;
        this.#press = null;
        if (!dragging) return;
        this.#picture.hover(null);
        this.#picture.putDown();
    }

    /* Screen readers click without a pointer. */
    #assistedClick(event) {
        const cell = event.target.dataset?.cell;
        if (cell && event.detail === 0 && !event.pointerType) this.#owner.onChoose(cell);
    }

    #keyDown(event) {
        const cell = event.target.dataset?.cell;
        if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === "Enter" || event.key === " ") this.#owner.onChoose(cell);
        else if (event.key === "Escape" && this.#owner.mayLetGo()) this.#owner.onLetGo();
        else if (!this.#walk(event, cell)) return;
        event.preventDefault();
    }

    /* Returns whether the key is one of the board's. The arrows of a cell that was clicked are the page's: they look back. */
    #walk({ key, code }, cell) {
        const way = AROUND[code] ?? (this.#walked ? ARROWS[key] : undefined);
        const next = way ? this.#picture.cellBeside(cell, ...way) : key in LAYERS && this.#picture.cellOnLayer(cell, LAYERS[key]);
        if (next) this.#picture.focus(next);
        return Boolean(way || next);
    }
}

/* A finger on a piece drags it; anywhere else it scrolls the page. */
function keepPageStill(event) {
    if (event.touches.length === 1 && event.target.classList?.contains("movable")) event.preventDefault();
}

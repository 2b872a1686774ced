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
const ZOOMS = { "+": 1, "=": 1, "-": -1 };
const LAYERS = { PageUp: 1, PageDown: -1 };

export class BoardInput {
    #picture;
    #owner;
    #press = null; /* the pointer that is down: {id, cell, x, y, dragging, selected} */
    #fingers = new Map(); /* that are down, by id */
    #walked = true; /* the focused cell was reached by the keyboard, so its arrows go on from there */

    constructor(picture, owner) {
        this.#picture = picture;
        this.#owner = owner;
        const { element } = picture;
        element.addEventListener("pointerdown", (event) => this.#pointerDown(event));
        element.addEventListener("pointermove", (event) => this.#pointerMove(event));
        element.addEventListener("pointerup", (event) => this.#pointerUp(event));
        element.addEventListener("pointercancel", (event) => (this.#lift(event), this.#endPress()));
        addEventListener("pointerup", (event) => this.#lift(event));
        element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
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
        if (event.pointerType === "touch") this.#fingers.set(event.pointerId, event);
        if (this.#fingers.size === 2) return this.#beginPinch();
        const cell = event.target.dataset?.cell;
        if (!cell || event.button !== 0 || this.#press) return;
        const selected = this.#owner.onPress(cell);
        this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, dragging: false, selected };
    }

    #pointerMove(event) {
        if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, event);
        if (this.#fingers.size === 2) return this.#picture.zoom.pinch([...this.#fingers.values()]);
        const press = this.#press;
        if (press?.id !== event.pointerId) return;
        const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y);
        if (!press.dragging && !press.panning && moved < DRAG_STARTS_AT_PX) return;
        if (press.panning || !this.#owner.mayDrag(press.cell)) return this.#pan(press, event);
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
        if (press.panning) return;
        if (press.dragging && cell !== undefined) this.#owner.onDrop(cell);
        else if (!press.dragging && !press.selected && cell === press.cell) this.#owner.onChoose(cell);
    }

    /* Of a board drawn larger another part is seen; where all of it is seen the page scrolls. */
    #pan(press, event) {
        if (!this.#picture.zoom.zoomed) return;
        if (!press.panning) this.#picture.element.setPointerCapture(press.id);
        press.panning = true;
        this.#picture.zoom.pan(event.clientX - press.x, event.clientY - press.y);
        Object.assign(press, { x: event.clientX, y: event.clientY });
    }

    /* With the second finger nothing is moved on the board any more. */
    #beginPinch() {
        this.#endPress();
        this.#owner.onLetGo();
        this.#picture.zoom.pinch([...this.#fingers.values()]);
    }

    #lift({ pointerId }) {
        if (!this.#fingers.delete(pointerId)) return;
        this.#picture.zoom.endPinch();
    }

    /* Two fingers on a touchpad; a wheel alone scrolls the page. */
    #wheel(event) {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.#picture.zoom.step(-event.deltaY / 100, this.#picture.zoom.toBoard(event));
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
        else if (event.key in ZOOMS) this.#picture.zoom.step(ZOOMS[event.key], this.#picture.cellNamed(cell));
        else if (event.key === "0") this.#picture.zoom.reset();
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

/* A finger on a piece drags it; anywhere else it scrolls the page. Two are for the board. */
function keepPageStill(event) {
    if (event.touches.length === 2 && event.cancelable) event.preventDefault();
    if (event.touches.length === 1 && event.target.classList?.contains("movable")) event.preventDefault();
}

/* Which part of a board is seen: all of it, or a part drawn larger, moved about with fingers, mouse or keys. It is the picture's
 * viewBox and nothing else, so cells stay where hands find them. */

const SCALE_MAX = 5;
const STEP = 1.5; /* of a button or a key */
const NEARLY_ALL = 1.02;

export class BoardZoom {
    #element;
    #all = [0, 0, 1, 1];
    #corner = [0, 0]; /* of the part that is seen */
    #scale = 1;
    #pinch = null; /* {distance, middle} of two fingers, on the screen */
    onChange = () => {};

    constructor(element) {
        this.#element = element;
    }

    get zoomed() {
        return this.#scale > 1;
    }

    /* Another board, or another side of it near: all of it. */
    begin(view) {
        this.#all = view;
        this.reset();
    }

    reset() {
        this.#scale = 1;
        this.#corner = this.#all.slice(0, 2);
        this.#show();
    }

    /* step: 1 nearer, -1 farther; around {x, y} of the board, or what is in the middle. */
    step(step, around = this.#middle()) {
        this.#scaleTo(this.#scale * STEP ** step, around);
    }

    /* By a way on the screen, in pixels. */
    pan(dx, dy) {
        const perPixel = this.#size()[0] / this.#element.getBoundingClientRect().width;
        this.#moveTo([this.#corner[0] - dx * perPixel, this.#corner[1] - dy * perPixel]);
    }

    /* Two fingers, each {clientX, clientY}: the board follows them. */
    pinch([one, other]) {
        const distance = Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
        const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
        const before = this.#pinch;
        this.#pinch = { distance, middle };
        if (!before) return;
        this.#scaleTo((this.#scale * distance) / before.distance, this.toBoard(before.middle));
        this.pan(middle.clientX - before.middle.clientX, middle.clientY - before.middle.clientY);
    }

    endPinch() {
        this.#pinch = null;
        if (this.#scale < NEARLY_ALL) this.reset();
    }

    /* Moves so far that a cell is seen. */
    reveal({ x, y, radius }) {
        const [width, height] = this.#size();
        const within = (corner, size, at) => Math.min(Math.max(corner, at + radius - size), at - radius);
        this.#moveTo([within(this.#corner[0], width, x), within(this.#corner[1], height, y)]);
    }

    toBoard({ clientX, clientY }) {
        return new DOMPoint(clientX, clientY).matrixTransform(this.#element.getScreenCTM().inverse());
    }

    #size() {
        return [this.#all[2] / this.#scale, this.#all[3] / this.#scale];
    }

    #middle() {
        const [width, height] = this.#size();
        return { x: this.#corner[0] + width / 2, y: this.#corner[1] + height / 2 };
    }

    /* The place `x`, `y` stays where it is on the screen. */
    #scaleTo(scale, { x, y }) {
        const before = this.#size();
        this.#scale = Math.min(Math.max(scale, 1), SCALE_MAX);
        const [width, height] = this.#size();
        const keep = (at, corner, old, now) => at - ((at - corner) / old) * now;
        this.#moveTo([keep(x, this.#corner[0], before[0], width), keep(y, this.#corner[1], before[1], height)]);
    }

    #moveTo([x, y]) {
        const [left, top, all, tall] = this.#all;
        const [width, height] = this.#size();
        this.#corner = [Math.min(Math.max(x, left), left + all - width), Math.min(Math.max(y, top), top + tall - height)];
        this.#show();
    }

    #show() {
        const view = [...this.#corner, ...this.#size()];
        this.#element.setAttribute("viewBox", view.map((value) => Number(value.toFixed(4))).join(" "));
        this.#element.classList.toggle("zoomed", this.zoomed);
        this.onChange();
    }
}

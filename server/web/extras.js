/* What can be done with a game besides playing it: go another way from here, keep it, play it on another device. */

import { h } from "./dom.js";
import { say } from "./language.js";

export class Extras {
    constructor({ onFork, onAnalyse, onSave, onDevice, bell }) {
        this.fork = button(say("Play on from here"), say("Open a new room that begins with the position on the board"), onFork);
        this.analyse = button(say("Analyse"), say("Try other moves on this page; nobody else sees them"), onAnalyse);
        this.save = button(say("Save"), say("Save the game as a file"), onSave);
        this.device = button(say("Other device"), say("Continue this game on another device"), onDevice);
        this.element = h("div", { class: "extras" }, this.fork, this.analyse, this.save, this.device, bell);
    }

    update({ mine, walk, analysis, mayAnalyse, here }) {
        this.fork.disabled = walk.count === 0 || Boolean(analysis ?? here);
        this.analyse.hidden = !mayAnalyse;
        this.analyse.disabled = Boolean(analysis);
        this.device.hidden = mine.length === 0;
    }
}

function button(label, title, onclick) {
    return h("button", { type: "button", class: "quiet", title, onclick }, label);
}

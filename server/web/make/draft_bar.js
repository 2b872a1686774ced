/* The row above: which draft is open, what can be done with it, and with its text. */

import { confirm } from "../dialogs.js";
import { h, replaceChildren, svg } from "../dom.js";
import { say } from "../language.js";

export class DraftBar {
    constructor(actions) {
        this.actions = actions;
        this.picker = h("select", { "aria-label": say("Draft"), onchange: () => this.#picked() });
        this.play = button(say("Play it"), actions.onPlay, { class: "small primary play", title: say("Open a room with this game") });
        this.publish = button(say("Publish…"), actions.onPublish, { title: say("Give this version a link of its own") });
        this.element = h(
            "div",
            { class: "draft-bar", role: "toolbar", "aria-label": say("Draft") },
            this.picker,
            button(say("New…"), actions.onNew),
            this.#more(),
            h("span", { class: "gap" }),
            button(arrow("M9 7l-5 5 5 5M4 12h10a5 5 0 0 1 0 10h-3"), actions.onUndo, { title: say("Undo (Ctrl+Z)"), "aria-label": say("Undo") }),
            button(arrow("M15 7l5 5-5 5M20 12H10a5 5 0 0 0 0 10h3"), actions.onRedo, { title: say("Redo (Ctrl+Y)"), "aria-label": say("Redo") }),
            button(say("Find"), actions.onFind, { title: say("Find and replace (Ctrl+F)") }),
            button(say("Format"), actions.onFormat, { title: say("Put the indentation right (Shift+Alt+F)") }),
            h("span", { class: "gap" }),
            button(say("Download"), actions.onDownload),
            this.publish,
            this.play,
        );
    }

    show(drafts, current) {
        this.current = current;
        replaceChildren(
            this.picker,
            drafts.map(({ id, name }) => h("option", { value: id }, name)),
        );
        this.picker.value = current.id;
    }

    online(is) {
        this.play.disabled = this.publish.disabled = !is;
        this.play.title = is ? say("Open a room with this game") : say("There is no connection to the server");
    }

    #more() {
        const menu = h(
            "details",
            { class: "more" },
            h("summary", { class: "button small" }, say("More")),
            h(
                "div",
                { class: "menu" },
                button(say("Rename…"), () => this.#rename()),
                button(say("Download all drafts"), this.actions.onDownloadAll),
                button(say("Open a file…"), this.actions.onOpen, { title: say("A game, or drafts that were downloaded") }),
                button(say("Delete this draft…"), () => this.#remove(), { class: "small danger-text" }),
            ),
        );
        menu.addEventListener("click", (event) => event.target.closest("button") && (menu.open = false));
        menu.addEventListener("keydown", (event) => event.key === "Escape" && (menu.open = false));
        menu.addEventListener("focusout", (event) => !menu.contains(event.relatedTarget) && (menu.open = false));
        return menu;
    }

    #picked() {
        this.actions.onPick(this.picker.value);
    }

    #rename() {
        const field = h("input", { type: "text", value: this.current.name, maxlength: 80, "aria-label": say("Name of the draft") });
        const done = () => {
            field.remove();
            this.picker.hidden = false;
            this.picker.focus();
        };
        field.addEventListener("keydown", (event) => {
            if (event.key === "Escape") done();
            if (event.key !== "Enter") return;
            if (field.value.trim()) this.actions.onRename(field.value.trim());
            done();
        });
        this.picker.hidden = true;
        this.picker.after(field);
        field.focus();
        field.select();
    }

    async #remove() {
        const words = say("“{name}” is deleted from this browser. It cannot be had back.", { name: this.current.name });
        if (await confirm(say("Delete this draft?"), words, say("Delete"))) this.actions.onRemove();
    }
}

function button(label, onclick, attributes = {}) {
    return h("button", { type: "button", class: "small", ...attributes, onclick }, label);
}

function arrow(d) {
    return svg("svg", { viewBox: "0 2 24 22", class: "icon", "aria-hidden": "true" }, svg("path", { d }));
}

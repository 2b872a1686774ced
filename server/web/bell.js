/* Calls a player back to the page: two notes when it is their turn, somebody has come or the game is over, and a notice of the browser's
 * where the page is not to be seen. Off until a hand turns it on; this browser remembers. */

import { h } from "./dom.js";
import { say } from "./language.js";
import { gameTitle, named, resultWords } from "./words.js";

const KEY = "senet.bell";
const NOTES_HZ = [660, 880];
const NOTE_S = 0.12;
const LOUDNESS = 0.12;

export class Bell {
    #sound = null;

    constructor() {
        this.element = h(
            "button",
            { type: "button", class: "quiet bell", title: say("A sound when it is your turn, and a notice while this page is hidden"), onclick: () => this.#turn() },
            say("Bell"),
        );
        this.#show();
    }

    get #on() {
        return localStorage.getItem(KEY) === "on";
    }

    /* What the browser asks about, it asks after a click. */
    async #turn() {
        localStorage.setItem(KEY, this.#on ? "off" : "on");
        this.#show();
        if (!this.#on) return;
        this.#play();
        if ("Notification" in window && Notification.permission === "default") await Notification.requestPermission();
    }

    #show() {
        this.element.setAttribute("aria-pressed", `${this.#on}`);
    }

    /* An event of the room, and how it stands since. Whoever plays all sides needs no bell. */
    heard(event, view) {
        const { replica } = view;
        this.update(view);
        const words = this.#on && !this.element.hidden && wordsOf(event, view);
        if (!words) return;
        this.#play();
        if (document.visibilityState === "hidden") notify(gameTitle(replica) || "Senet", words, replica.room);
    }

    update({ mine, players }) {
        this.element.hidden = mine.length === 0 || mine.length === players.length;
    }

    #play() {
        const Sound = window.AudioContext;
        if (!Sound) return;
        this.#sound ??= new Sound();
        this.#sound.resume().catch(() => {}); /* not before somebody has touched the page */
        NOTES_HZ.forEach((pitch, i) => this.#note(pitch, this.#sound.currentTime + i * NOTE_S));
    }

    #note(pitch, at) {
        const tone = this.#sound.createOscillator(), loudness = this.#sound.createGain();
        tone.frequency.value = pitch;
        loudness.gain.setValueAtTime(LOUDNESS, at);
        loudness.gain.exponentialRampToValueAtTime(0.001, at + 2 * NOTE_S);
        tone.connect(loudness).connect(this.#sound.destination);
        tone.start(at);
        tone.stop(at + 2 * NOTE_S);
    }
}

function wordsOf(event, { state, mine, myTurn, players }) {
    const others = !mine.includes(event.seat);
    if (state.status === "finished") return others && event.patch?.status ? resultWords(state.result ?? {}, mine, players).title : null;
    if (event.kind === "joined" && others) return event.seat ? say("{name} plays {player}", { name: event.name || say("A guest"), player: named(event.seat) }) : say("{name} plays", { name: event.name || say("A guest") });
    return event.kind === "moved" && others && myTurn ? say("It is your turn") : null;
}

/* One for a room: a newer one takes its place. */
function notify(title, body, room) {
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    const notice = new Notification(title, { body, tag: room });
    notice.addEventListener("click", () => {
        window.focus();
        notice.close();
    });
}

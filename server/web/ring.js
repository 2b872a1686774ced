/* How somebody is called (bell.js): two notes, and a notice of the browser's. Loaded when the bell is on. */

const NOTES_HZ = [660, 880];
const NOTE_S = 0.12;
const LOUDNESS = 0.12;
let sound = null;

export function play() {
    const Sound = window.AudioContext;
    if (!Sound) return;
    sound ??= new Sound();
    sound.resume().catch(() => {}); /* not before somebody has touched the page */
    NOTES_HZ.forEach((pitch, i) => playNote(pitch, sound.currentTime + i * NOTE_S));
}

function playNote(pitch, at) {
    const tone = sound.createOscillator(), loudness = sound.createGain();
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + 2 * NOTE_S);
    tone.connect(loudness).connect(sound.destination);
    tone.start(at);
    tone.stop(at + 2 * NOTE_S);
}

/* What the browser asks about, it asks after a click. */
export async function askForNotices() {
    if ("Notification" in window && Notification.permission === "default") await Notification.requestPermission();
}

/* One for a room: a newer one takes its place. */
export function notify(title, body, room) {
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    const notice = new Notification(title, { body, tag: room });
    notice.addEventListener("click", () => {
        window.focus();
        notice.close();
    });
}

/* The sounds of a game, made here of a few notes each: told apart by ear, and short. Loaded with the bell (ring.js). */

/* Each: its notes, when the next one begins, and how long one lasts; seconds. */
export const SOUNDS = {
    move: { notes: [392], step: 0.06, lasts: 0.09 },
    capture: { notes: [311, 208], step: 0.07, lasts: 0.14 },
    turn: { notes: [660, 880], step: 0.12, lasts: 0.24 },
    low: { notes: [1175, 1175, 1175], step: 0.11, lasts: 0.08 },
    over: { notes: [523, 440, 349], step: 0.16, lasts: 0.4 },
};

const LOUDNESS = 0.12;
const BEHIND_MAX_S = 1; /* what would be heard later than this is not: many moves that come at once */

let device = null;
let free = 0; /* when the sounds asked for are over: none begins in another one */

export function play(name) {
    const Sound = window.AudioContext;
    if (!Sound) return;
    device ??= new Sound();
    device.resume().catch(() => {}); /* not before somebody has touched the page */
    const { notes, step, lasts } = SOUNDS[name];
    const begin = Math.max(free, device.currentTime);
    if (begin > device.currentTime + BEHIND_MAX_S) return;
    free = begin + notes.length * step;
    notes.forEach((pitch, i) => playNote(pitch, begin + i * step, lasts));
}

function playNote(pitch, at, lasts) {
    const tone = device.createOscillator(), loudness = device.createGain();
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + lasts);
    tone.connect(loudness).connect(device.destination);
    tone.start(at);
    tone.stop(at + lasts);
}

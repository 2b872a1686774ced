/* What a player has chosen for all games, kept in the browser; settings_dialog.js asks, and the lobby whom one plays. */

const CONFIRM_KEY = "senet.confirm-moves";
const BOARD_KEY = "senet.board-theme";
const PEOPLE_KEY = "senet.people-only";
const SETS_KEY = "senet.piece-sets";
const SETS_MAX = 64;

/* In which colours boards are drawn. A game's file says those of its cells; a theme turns them all alike, so that what is light stays light, by a
 * variable of the stylesheet (board.css) and nothing else. */
const THEMES = ["game", "grey", "green", "blue", "rose"];

/* Whether a move made on the board has to be confirmed. */
export function confirmsMoves() {
    return localStorage.getItem(CONFIRM_KEY) === "on";
}

export function chooseConfirming(whether) {
    localStorage.setItem(CONFIRM_KEY, whether ? "on" : "off");
}

/* Whether who is looked for may not be a program. */
export function wantsPeopleOnly() {
    return localStorage.getItem(PEOPLE_KEY) === "on";
}

export function choosePeopleOnly(whether) {
    localStorage.setItem(PEOPLE_KEY, whether ? "on" : "off");
}

export function boardTheme() {
    const theme = localStorage.getItem(BOARD_KEY);
    return THEMES.includes(theme) ? theme : THEMES[0];
}

export function chooseBoardTheme(theme) {
    localStorage.setItem(BOARD_KEY, theme);
    showBoardTheme();
}

export function showBoardTheme() {
    document.documentElement.dataset.board = boardTheme();
}

/* Names of sets of pieces: each game that offers one of that name is drawn with it. */
export function chosenSets() {
    return (localStorage.getItem(SETS_KEY) ?? "").split("\n");
}

/* One of those that a game offers; "": none of them. */
export function chooseSet(offered, name) {
    const others = chosenSets().filter((other) => other && !offered.includes(other));
    localStorage.setItem(SETS_KEY, [...others, name].slice(-SETS_MAX).join("\n"));
}

/* What has been taken, by whose figures they were: {seat: [figure, …]}, the fewest kinds first. It is the difference between the
 * start and the board. A figure that became another one is not taken: for each of those that are more than at the start one of
 * the most numerous kind is left out. */

export function captured(layout, cells) {
    if (!layout?.start || Object.keys(cells).length >= countOf(layout.start)) return {}; /* what is missing is another's now */
    return missing(layout.start, counts(cells));
}

function countOf(start) {
    return Object.values(start).reduce((sum, figures) => Object.values(figures).reduce((all, count) => all + count, sum), 0);
}

function counts(cells) {
    const found = {};
    for (const { player, figure } of Object.values(cells)) {
        found[player] ??= {};
        found[player][figure] = (found[player][figure] ?? 0) + 1;
    }
    return found;
}

export function missing(start, now) {
    return Object.fromEntries(Object.keys(start).map((player) => [player, missingOf(start[player], now[player] ?? {})]));
}

function missingOf(start, now) {
    const kinds = Object.keys(start).sort((a, b) => start[a] - start[b]);
    const left = new Map(kinds.map((figure) => [figure, Math.max(0, start[figure] - (now[figure] ?? 0))]));
    let become = Object.keys(now).reduce((sum, figure) => sum + Math.max(0, now[figure] - (start[figure] ?? 0)), 0);
    for (const figure of [...kinds].reverse()) {
        const taken = Math.min(become, left.get(figure));
        left.set(figure, left.get(figure) - taken);
        become -= taken;
    }
    return kinds.flatMap((figure) => Array.from({ length: left.get(figure) }, () => figure));
}

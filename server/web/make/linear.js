/* Expressions that add multiples of the coordinates and a number, as mirrors do: "7 - y", "-q - r", "2 * x + 1". Pure. */

const TERM = /^\s*([+-]?)\s*(?:(\d+)(?:\s*\*\s*([A-Za-z_]\w*))?|([A-Za-z_]\w*)(?:\s*\*\s*(\d+))?)/;
const TERMS_MAX = 32;

/* {offset, times: {name: number}}; null: it is something else. */
export function readLinear(expression, names) {
    if (typeof expression === "number") return { offset: expression, times: {} };
    if (typeof expression !== "string") return null;
    const linear = { offset: 0, times: {} };
    let rest = expression;
    for (let count = 0; rest.trim() !== ""; count++) {
        const found = TERM.exec(rest);
        if (!found || count === TERMS_MAX || (count > 0 && !found[1])) return null;
        const [whole, sign, number, factor, name, factorBehind] = found;
        const coordinate = factor ?? name;
        const value = (sign === "-" ? -1 : 1) * Number(number ?? factorBehind ?? 1);
        if (coordinate === undefined) linear.offset += value;
        else if (names.includes(coordinate)) linear.times[coordinate] = (linear.times[coordinate] ?? 0) + value;
        else return null;
        rest = rest.slice(whole.length);
    }
    return rest === expression ? null : linear;
}

export function evaluate({ offset, times }, cell) {
    return Object.entries(times).reduce((sum, [name, factor]) => sum + factor * cell[name], offset);
}

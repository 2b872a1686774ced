/* Where cells are: polygons of any shape, turned for whoever looks at them.
 *
 * `arrange` takes the layout of the protocol and an angle in degrees (clockwise, as y grows downwards) and gives every
 * cell its corners, its centre and the radius of the largest circle around the centre that stays inside it. */

export function arrange(layout, angle) {
    const turn = rotation(angle);
    const cells = layout.cells.map((cell) => arrangeCell(cell, layout.shapes[cell.shape], turn));
    const xs = cells.flatMap((cell) => cell.points.map(([x]) => x));
    const ys = cells.flatMap((cell) => cell.points.map(([, y]) => y));
    const box = { x: Math.min(...xs), y: Math.min(...ys) };
    box.width = Math.max(...xs) - box.x;
    box.height = Math.max(...ys) - box.y;
    return { cells, box };
}

export function cellAt(arrangement, x, y) {
    return arrangement.cells.find((cell) => contains(cell.points, x, y));
}

function arrangeCell(cell, shape, turn) {
    const points = shape.map(([x, y]) => turn(cell.x + x, cell.y + y));
    const [x, y] = centroid(points);
    const radius = Math.min(...points.map((point, i) => distance(x, y, point, points[(i + 1) % points.length])));
    return {
        ...cell,
        x,
        y,
        points,
        radius,
        left: Math.min(...points.map((point) => point[0])),
        right: Math.max(...points.map((point) => point[0])),
        top: Math.min(...points.map((point) => point[1])),
        bottom: Math.max(...points.map((point) => point[1])),
    };
}

function rotation(angle) {
    const radians = (angle * Math.PI) / 180;
    const cos = exact(Math.cos(radians));
    const sin = exact(Math.sin(radians));
    return (x, y) => [x * cos - y * sin, x * sin + y * cos];
}

/* cos 90° is not quite nothing in floating point, and a board turned by it would be not quite straight. */
function exact(value) {
    return Math.abs(value) < 1e-12 ? 0 : value;
}

function centroid(points) {
    let area = 0;
    let x = 0;
    let y = 0;
    points.forEach(([x1, y1], i) => {
        const [x2, y2] = points[(i + 1) % points.length];
        const cross = x1 * y2 - x2 * y1;
        area += cross;
        x += (x1 + x2) * cross;
        y += (y1 + y2) * cross;
    });
    if (Math.abs(area) < 1e-9) return points[0];
    return [x / (3 * area), y / (3 * area)];
}

function distance(x, y, [x1, y1], [x2, y2]) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    return Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
}

function contains(points, x, y) {
    let inside = false;
    points.forEach(([x1, y1], i) => {
        const [x2, y2] = points[(i + 1) % points.length];
        if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    });
    return inside;
}

export function isUprightSquare({ points }) {
    if (points.length !== 4) return false;
    const xs = new Set(points.map(([x]) => x.toFixed(6)));
    const ys = new Set(points.map(([, y]) => y.toFixed(6)));
    return xs.size === 2 && ys.size === 2;
}

/* Of upright squares: whether each has another colour than those beside, below and above it. */
export function areToldApart(cells) {
    const at = (x, y) => `${x.toFixed(3)},${y.toFixed(3)}`;
    const fills = new Map(cells.map(({ left, top, fill }) => [at(left, top), fill]));
    return cells.every(({ left, right, top, bottom, fill }) => fills.get(at(right, top)) !== fill && fills.get(at(left, bottom)) !== fill);
}

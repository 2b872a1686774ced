// Games that are small in words and large in memory: kinds of figures that go like queens on a large board.
export function queens({figures, players, side, words = ''}) {
    const names = [...'abcdefgh'].slice(0, players);
    const all = {symmetric: 'all', repeat: true};
    return {
        format: 2, name: 'x', title: 'x', description: words, players: names,
        cell: {coordinates_names: ['x', 'y'], position: {x: 'x', y: 'y'}, geometry: [[0, 0], [1, 0], [1, 1], [0, 1]]},
        board: {cells: {box: {x: side, y: side}}},
        figures: Object.fromEntries(Array.from({length: figures}, (_, i) => [`q${i}`, {movement: [{x: 1, ...all}, {x: 1, y: 1, ...all}]}])),
        initial_position: {a: {q0: [{x: 0, y: 0}]}, b: {q0: [{x: 1, y: 2}]}},
        turns: names, results: [{if: {no_moves: true}, result: 'draw', reason: 'stuck'}],
    };
}

// More than a game may take: refused.
export const tooLarge = words => queens({figures: 3, players: 8, side: 32, words});
// Nearly as much as a game may take; each with other words is another one.
export const asLargeAsMayBe = words => queens({figures: 2, players: 2, side: 32, words});

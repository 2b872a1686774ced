// The bot's search as hints have it (20,000 nodes a move, in the browser's engine) beside Debian's fairy-stockfish, which looks at so many nodes at a
// skill level of its own, both colours, from openings of a few random moves.
//
//     node tests/bench/beside_fairy.mjs GAME VARIANT GAMES NODES SKILL [SKILL...]        chess chess 10 10000 -20 -10 0
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {openEngine} from '../../server/web/engine/lines.js';

const [game, variant, games, nodes, ...skills] = process.argv.slice(2);
const OPENING_PLIES = 4, PLIES_MAX = 300;
const file = path => readFileSync(new URL(path, import.meta.url));
const engine = openEngine(new WebAssembly.Module(file('../../build/browser/engine.wasm')));
const ask = request => {
    const answer = JSON.parse(engine.answer(JSON.stringify(request)));
    if (answer.error) throw new Error(`${JSON.stringify(request)}: ${answer.error.message}`);
    return answer;
};

class Fairy {
    #process = spawn('/usr/games/fairy-stockfish', {stdio: ['pipe', 'pipe', 'inherit']});
    #rest = '';
    #waiting = null;

    constructor() {
        this.#process.stdout.on('data', data => {
            const lines = (this.#rest + data).split('\n');
            this.#rest = lines.pop();
            for (const line of lines) if (this.#waiting && line.startsWith(this.#waiting.word)) this.#waiting.go(line);
        });
    }

    say(line, word) {
        const heard = word ? new Promise(go => (this.#waiting = {word, go})) : null;
        this.#process.stdin.write(`${line}\n`);
        return heard;
    }

    end() {
        this.say('quit');
    }
}

async function fairyMove(fairy, moves) {
    fairy.say(`position startpos moves ${moves.join(' ')}`);
    const [, move] = (await fairy.say(`go nodes ${nodes}`, 'bestmove')).split(' ');
    return move;
}

// 1 won, 0.5 drawn, 0 lost, by the bot, which plays first in games of even numbers.
async function play(fairy, number) {
    let seed = 1000 * (number >> 1) + 1;
    const moves = [];
    ask({do: 'new', short: true});
    const players = ask({do: 'state', short: true}).state.to_move;
    for (let ply = 0; ply < PLIES_MAX; ply++) {
        const {outcome} = ask({do: 'outcome'});
        const claim = outcome.claims?.[0] ?? outcome.claims;
        if (outcome.status !== 'playing') return outcome.result?.winner ? Number((outcome.result.winner === players) === (number % 2 === 0)) : 0.5;
        if (claim?.draw) return 0.5;
        let text;
        if (ply < OPENING_PLIES) {
            const chosen = ask({do: 'choose', seed});
            [text, seed] = [chosen.move.text, chosen.seed];
        } else if (ply % 2 === number % 2) text = ask({do: 'hint'}).lines[0].moves[0].text;
        else text = await fairyMove(fairy, moves);
        ask({do: 'move', move: text, short: true});
        moves.push(text);
    }
    return 0.5;
}

ask({do: 'game', text: String(file(`../../games/${game}.json`)), short: true});
for (const skill of skills) {
    const fairy = new Fairy();
    await fairy.say('uci', 'uciok');
    fairy.say(`setoption name UCI_Variant value ${variant}`);
    fairy.say(`setoption name Skill Level value ${skill}`);
    await fairy.say('isready', 'readyok');
    const results = [];
    for (let number = 0; number < Number(games); number++) results.push(await play(fairy, number));
    const count = value => results.filter(result => result === value).length;
    console.log(`${game}: 20,000 nodes beside fairy-stockfish of skill ${skill} and ${nodes} nodes: ${count(1)} won, ${count(0.5)} drawn, ${count(0)} lost`);
    fairy.end();
}

// What people usually build: a WebSocket server in Node that validates chess moves with a rules library and keeps
// nothing. It speaks just enough of the protocol for the load generator, so that both are measured alike.
//
//     node tests/bench/peer.mjs PORT        (needs the packages `ws` and `chess.js`)
import {createRequire} from 'node:module';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const {WebSocketServer} = require('ws');
const {Chess} = require('chess.js');

const rooms = new Map();
const server = new WebSocketServer({port: Number(process.argv[2]), host: '127.0.0.1', handleProtocols: () => 'senet.v1', perMessageDeflate: false});

// The library's own inner list: its public one also writes every move and position out, which is not what is compared.
const square = index => 'abcdefgh'[index & 15] + (8 - (index >> 4));
const movesOf = game => game._moves({legal: true}).map(({from, to}) => ({from: square(from), to: square(to)}));

const commands = {
    auth: (socket, {id}) => ({type: 'welcome', re: id, session: 's', player: 'p', token: 't'}),
    create(socket, {id}) {
        const room = (rooms.size + 1).toString(36).padStart(8, '0');
        rooms.set(room, {game: new Chess(), version: 1, seats: {}, spectators: []});
        return {type: 'ack', re: id, room, version: 1};
    },
    join(socket, {id, room: name, seat}) {
        const room = rooms.get(name);
        if (seat === 'spectator') room.spectators.push(socket);
        else room.seats[seat] = socket;
        room.version++;
        if (seat === 'black')
            say(room.seats.white, {type: 'event', room: name, version: room.version, kind: 'joined', legal_moves: movesOf(room.game)});
        return {type: 'ack', re: id, room: name, version: room.version};
    },
    leave: (socket, {id, room: name}) => (rooms.delete(name), {type: 'ack', re: id, room: name, version: 0}),
    move(socket, {id, room: name, move}) {
        const room = rooms.get(name);
        const made = room.game.move({...move, promotion: 'q'});
        const version = ++room.version;
        const event = {type: 'event', room: name, version, kind: 'moved', at: Date.now(), seat: made.color === 'w' ? 'white' : 'black', move,
            patch: {cells: {[made.from]: null, [made.to]: {figure: made.piece, player: made.color}}, to_move: room.game.turn()}, hash: '00000000'};
        if (room.game.isGameOver()) event.patch.status = 'finished';
        else event.legal_moves = movesOf(room.game);
        const {legal_moves, ...common} = event;
        const text = JSON.stringify(common);
        const [mover, other] = made.color === 'w' ? [room.seats.white, room.seats.black] : [room.seats.black, room.seats.white];
        other.send(JSON.stringify(event));
        mover.send(text);
        for (const spectator of room.spectators) spectator.send(text);
        return {type: 'ack', re: id, room: name, version};
    },
};

const say = (socket, message) => socket.send(JSON.stringify(message));

server.on('connection', socket => {
    say(socket, {type: 'hello', protocol: 'senet.v1'});
    socket.on('message', data => {
        const message = JSON.parse(data);
        try {
            say(socket, commands[message.type](socket, message));
        } catch (error) {
            say(socket, {type: 'error', re: message.id, code: 'illegal_move', message: error.message});
        }
    });
});

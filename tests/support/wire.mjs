// The network between two programs of one machine: TCP that is passed on as it comes, until one direction or both fall silent.
// What is said meanwhile is kept and arrives when the wire is whole again, late, as a network would send it again. Nobody is told
// of anything: a connection through a silent wire is neither refused nor cut.
import {createConnection, createServer} from 'node:net';

export class Wire {
    #listener = createServer({noDelay: true}, near => this.#accept(near));
    #passages = new Set(); // {near, far}
    #isSilent = {there: false, back: false};

    // `port` says where the other end listens, asked at each connection.
    constructor(port) {
        this.#listener.target = port;
    }

    get port() {
        return this.#listener.address().port;
    }

    async open() {
        await new Promise(resolve => this.#listener.listen(0, '127.0.0.1', resolve));
        return this;
    }

    #accept(near) {
        const passage = {near, far: createConnection({port: this.#listener.target(), host: '127.0.0.1', noDelay: true})};
        this.#passages.add(passage);
        for (const [socket, other] of [[near, passage.far], [passage.far, near]]) {
            socket.on('error', () => {});
            socket.on('close', () => {
                this.#passages.delete(passage);
                other.destroySoon();
            });
        }
        this.#set(passage);
    }

    #set({near, far}) {
        for (const [from, to, isSilent] of [[near, far, this.#isSilent.there], [far, near, this.#isSilent.back]]) {
            from.unpipe(to);
            if (isSilent) from.pause();
            else from.pipe(to);
        }
    }

    // `there`: from who connects to who listens; `back`: the other way.
    silence({there, back}) {
        this.#isSilent = {there, back};
        for (const passage of this.#passages) this.#set(passage);
    }

    heal() {
        this.silence({there: false, back: false});
    }

    close() {
        this.#listener.close();
        for (const {near, far} of this.#passages) near.destroy(), far.destroy();
    }
}

// Starts, kills and restarts the real program for tests: port 0 the first time, the same port after that.
// Its store is an SQLite file of its own, or a database of its own in a PostgreSQL whose URL is given.
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createInterface} from 'node:readline';

export const program = process.env.SENET_PROGRAM ?? 'build/release/senet';

// The page that this program serves: joined into few files beside it, or as it is written (see deploy/page).
const joined = join(dirname(resolve(program)), 'web');
export const web = existsSync(joined) ? joined : fileURLToPath(new URL('../../server/web', import.meta.url));

// A database of a server's own, in the PostgreSQL of a URL.
class Postgres {
    static #made = 0;
    #server;
    #name = `server_${process.pid}_${Postgres.#made++}`;

    constructor(server) {
        this.#server = server;
        this.#ask(server, `CREATE DATABASE ${this.#name}`);
        this.url = server.replace(/[^/]*$/, this.#name);
    }

    #ask(url, question) {
        return execFileSync('psql', [url, '-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', question]).toString().trim();
    }

    sql(question) {
        return this.#ask(this.url, question);
    }

    remove() {
        this.#ask(this.#server, `DROP DATABASE IF EXISTS ${this.#name} WITH (FORCE)`);
    }
}

export class Server {
    #child = null;
    #exited = null;
    #stopping = null;
    #folder = mkdtempSync(join(tmpdir(), 'senet-'));
    port = 0;
    lines = []; // what it logged, parsed, all lives together

    // `postgres`: the URL of a PostgreSQL; `beside`: another server, to share its PostgreSQL with; `folder`: where the
    // SQLite file is to be; `environment`: what it has besides; `addressSpaceKiB`: what memory it may map;
    // `program`: another one than SENET_PROGRAM.
    constructor(flags = [], {postgres, beside, folder, environment = {}, addressSpaceKiB, program: other} = {}) {
        this.flags = flags;
        this.program = other ?? program;
        // Limited by a shell that becomes the program.
        this.before = addressSpaceKiB ? ['bash', '-c', `ulimit -v ${addressSpaceKiB}; exec "$@"`, 'bash'] : [];
        // Bots move by chance unless a test asks for better ones: quickly, also where sanitizers watch.
        this.environment = {...(other ? {} : {SENET_BOT_LEVEL: '0'}), ...environment};
        this.database = join(folder ?? this.#folder, 'senet.db');
        this.postgres = beside ? beside.postgres : postgres && new Postgres(postgres);
        this.guest = beside !== undefined;
    }

    get store() {
        return this.postgres?.url ?? `sqlite://${this.database}`;
    }

    // What the database says to a question of one value, asked behind the server's back.
    sql(question) {
        if (this.postgres) return this.postgres.sql(question);
        return execFileSync('sqlite3', ['-cmd', '.timeout 10000', this.database, question]).toString().trim();
    }

    get url() {
        return `http://127.0.0.1:${this.port}`;
    }

    get pid() {
        return this.#child?.pid;
    }

    async start() {
        const [command, ...words] = [...this.before, this.program, 'serve', '--listen', `127.0.0.1:${this.port}`, '--store', this.store, ...this.flags];
        const child = spawn(
            command,
            words,
            {stdio: ['ignore', 'pipe', 'inherit'], env: this.#environment()},
        );
        this.#child = child;
        this.#exited = new Promise(resolve => child.on('exit', (code, signal) => resolve({code, signal})));
        const listening = await new Promise((resolve, reject) => {
            createInterface({input: child.stdout}).on('line', line => {
                const fact = JSON.parse(line);
                this.lines.push(fact);
                if (fact.fact === 'listening') resolve(fact);
            });
            this.#exited.then(({code, signal}) => reject(new Error(`the server ended: ${code ?? signal}`)));
        });
        this.port = listening.port;
    }

    #environment() {
        const environment = {...this.environment};
        for (const [name, value] of Object.entries(process.env))
            if (!name.startsWith('SENET_')) environment[name] = value;
        return environment;
    }

    // How it ended, once it has.
    get ended() {
        return this.#exited;
    }

    get running() {
        return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
    }

    signal(name) {
        if (this.running) this.#child.kill(name);
    }

    // Asked once; a second time would be asked to end at once.
    async stop(signal = 'SIGTERM') {
        if (this.#stopping !== this.#child) this.#child.kill(signal);
        this.#stopping = this.#child;
        return await this.#exited;
    }

    // A server that is asked to end and does not end well (a sanitizer has found something) fails the test.
    async remove() {
        const {code, signal} = this.running ? await this.stop() : {code: 0};
        rmSync(this.#folder, {recursive: true, force: true});
        if (!this.guest) this.postgres?.remove();
        if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the server ended with ${signal ?? code}`);
    }
}

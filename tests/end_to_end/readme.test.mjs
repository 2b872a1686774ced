// What the READMEs show is what works: the game at the top is a game, its bot plays it, and so do the bots of protocol/clients.
import assert from 'node:assert/strict';
import {execFile, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import test, {after, before} from 'node:test';
import {promisify} from 'node:util';
import {Player} from '../support/player.mjs';
import {program, Server} from '../support/server.mjs';

const root = resolve(import.meta.dirname ?? '.', import.meta.dirname ? '../..' : '.');
// Whoever does not end by itself is ended: a test that fails must not stay.
const run = (file, words) => promisify(execFile)(file, words, {timeout: 250000, killSignal: 'SIGKILL'});
const folder = mkdtempSync(join(tmpdir(), 'senet-readme-'));

// `of`: the folder whose README shows it; it is written to one of that name.
function example(name, of = '.') {
    const readme = readFileSync(join(root, of, 'README.md'), 'utf8');
    const found = new RegExp(`<!-- ${name.replace('.', '\\.')} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(readme);
    assert.ok(found, `the README of ${of} shows ${name}`);
    mkdirSync(join(folder, of), {recursive: true});
    writeFileSync(join(folder, of, name), found[1]);
    return found[1];
}

const game = example('pocket.json');
const bot = example('bot.mjs');
symlinkSync(join(root, 'tests/browser/node_modules'), join(folder, 'node_modules'));
const server = new Server();
before(() => server.start());
after(async () => {
    await server.remove();
    rmSync(folder, {recursive: true});
});

test('the game and the bot are about twenty lines', () => {
    assert.ok(game.trim().split('\n').length <= 22);
    assert.ok(bot.trim().split('\n').length <= 22);
});

test('the game passes senet check', async () => {
    await run(resolve(program), ['check', join(folder, 'pocket.json')]);
});

test('the bot plays a whole game of it, against senet bot', {timeout: 300000}, async () => {
    const host = new Player(server);
    await host.connect();
    const {room} = await host.call({type: 'create', definition: game});
    const theirs = run('node', [join(folder, 'bot.mjs'), server.url, room]);
    const ours = run(resolve(program), ['bot', server.url, '--room', room]);
    const [{stdout}] = await Promise.all([theirs, ours]);
    assert.match(stdout, /winner|draw/);
    host.close();
});

const clients = [
    {of: 'protocol/clients/javascript', file: 'senet.js', bot: 'bot.mjs', program: 'node'},
    {of: 'protocol/clients/python', file: 'senet.py', bot: 'bot.py', program: 'python3'},
];

for (const {of, file, bot: name, program: interpreter} of clients) {
    const skip = spawnSync(interpreter, ['--version']).status === 0 ? false : `no ${interpreter}`;
    test(`the bot of ${of} has twenty lines at most and plays a whole game`, {skip, timeout: 300000}, async () => {
        assert.ok(example(name, of).trim().split('\n').length <= 20);
        symlinkSync(join(root, of, file), join(folder, of, file));
        const host = new Player(server);
        await host.connect();
        const {room} = await host.call({type: 'create', definition: game});
        const theirs = run(interpreter, [join(folder, of, name), server.url, room]);
        const ours = run(resolve(program), ['bot', server.url, '--room', room]);
        const [{stdout}] = await Promise.all([theirs, ours]);
        assert.match(stdout, /winner|draw/);
        host.close();
    });
}

// The client in C as `cmake --install` leaves it, built as the program of the test is.
const build = dirname(resolve(program));
const cache = existsSync(join(build, 'CMakeCache.txt')) ? readFileSync(join(build, 'CMakeCache.txt'), 'utf8') : '';

async function compileBot(of) {
    const installed = join(folder, 'installed'), source = join(folder, of, 'bot.c'), file = join(folder, of, 'bot');
    await run('cmake', ['--build', build, '--target', 'senet_client']);
    await run('cmake', ['--install', build, '--component', 'client', '--prefix', installed]);
    const env = {...process.env, PKG_CONFIG_PATH: [join(installed, 'lib/pkgconfig'), join(installed, 'lib/x86_64-linux-gnu/pkgconfig')].join(':')};
    const {stdout} = await promisify(execFile)('pkg-config', ['--cflags', '--libs', 'senet-client'], {env});
    const sanitizers = /^SENET_SANITIZE:\w+=(.+)$/m.exec(cache)?.[1];
    const libraries = stdout.trim().split(/\s+/), folders = libraries.filter(word => word.startsWith('-L'));
    const words = [...libraries, ...folders.map(word => `-Wl,-rpath,${word.slice(2)}`), ...(sanitizers ? [`-fsanitize=${sanitizers}`] : [])];
    await run('cc', ['-std=c17', '-Wall', '-Wextra', '-Werror', '-o', file, source, ...words]);
    return file;
}

test('the bot of protocol/clients/c has twenty lines at most, is built of what is installed, and plays a whole game', {skip: cache ? false : 'the program lies in no build folder', timeout: 600000}, async () => {
    const of = 'protocol/clients/c';
    assert.ok(example('bot.c', of).trim().split('\n').length <= 20);
    const file = await compileBot(of);
    const host = new Player(server);
    await host.connect();
    const {room} = await host.call({type: 'create', definition: game});
    const [{stdout}] = await Promise.all([run(file, [server.url, room]), run(resolve(program), ['bot', server.url, '--room', room])]);
    assert.match(stdout, /winner|draw/);
    host.close();
});

test('two of senet bot play on after a kill -9 in the middle', {timeout: 300000}, async () => {
    let plies = 0, heard = () => {};
    const host = new Player(server, {on: ({kind}) => {
        if (kind === 'moved') plies++;
        heard();
    }});
    await host.connect();
    const {room} = await host.call({type: 'create', game: 'chess'});
    await host.join(room, 'spectator');
    const bots = ['white', 'black'].map(seat => run(resolve(program), ['bot', server.url, '--room', room, '--seat', seat, '--delay-ms', '5']));
    while (plies < 10) await new Promise(resolve => (heard = resolve));
    await server.stop('SIGKILL');
    await server.start();
    for (const {stdout} of await Promise.all(bots)) assert.match(stdout, /the game is over/);
    host.close();
});

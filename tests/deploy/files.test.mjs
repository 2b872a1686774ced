// What deploy/ says, held against the program: settings that it takes, paths that it answers, figures that it gives, libraries that it needs.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {program, Server} from '../support/server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'senet-deploy-'));
const server = new Server(['--metrics-listen', '127.0.0.1:0']);
const read = path => readFileSync(join('deploy', path), 'utf8');
const FAREWELL_MS = 20000; // commits, slices, answers, the bus: server/README.md, "Stages"

before(() => server.start());
after(async () => {
    await server.remove();
    rmSync(folder, {recursive: true});
});

const parseYaml = text => JSON.parse(execFileSync('python3', ['-c', 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))'], {input: text}).toString());

// The settings as variables: SENET_X → whatever a flag is called.
const help = execFileSync(program, ['serve', '--help']).toString();
const variables = new Map([...help.matchAll(/^ {2}--([a-z-]+)(?: \S+)? +(SENET_[A-Z_]+) /gm)].map(([, flag, variable]) => [variable, flag]));

// A server with these settings starts as far as its store, which is none.
function expectTaken(environment, flags = []) {
    for (const name of Object.keys(environment)) assert.ok(variables.has(name), `${name} is a setting`);
    const {status, stdout, stderr} = spawnSync(program, ['serve', ...flags, '--listen', '127.0.0.1:0', '--metrics-listen', '', '--bus', '', '--store', 'none:'], {
        env: {PATH: process.env.PATH, ...environment},
        encoding: 'utf8',
    });
    assert.equal(status, 1, `${JSON.stringify(environment)} ${flags}: ${stderr}`);
    assert.match(stdout, /cannot_open_store/);
}

const pairsOf = text => Object.fromEntries([...text.matchAll(/^(SENET_[A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

test('there are settings to hold all this against', () => {
    assert.ok(variables.size > 40);
    assert.equal(variables.get('SENET_DRAIN_MS'), 'drain-ms');
});

test('systemd: the units are sound, closed, and say what the program takes', {skip: spawnSync('systemd-analyze', ['--version']).error && 'no systemd-analyze'}, () => {
    expectTaken(pairsOf(read('systemd/senet.env')));
    for (const name of ['senet.service', 'senet@.service']) {
        const unit = read(`systemd/${name}`), file = join(folder, name);
        assert.equal(unit.match(/^ExecStart=(\S+) serve$/m)[1], '/usr/local/bin/senet');
        writeFileSync(file, unit.replace('/usr/local/bin/senet', resolve(program)));
        const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], {encoding: 'utf8'});
        assert.deepEqual([verified.status, verified.stderr.split('\n').filter(line => line.includes(name))], [0, []]);
        const judged = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', file], {encoding: 'utf8'});
        assert.equal(judged.status, 0, judged.stdout.split('\n').at(-2));
        expectTaken(Object.fromEntries([...unit.matchAll(/^Environment=(SENET_[A-Z_]+)=(.*)$/gm)].map(([, variable, value]) => [variable, value.replaceAll('%i', '8081')])));
        const stopS = Number(unit.match(/^TimeoutStopSec=(\d+)$/m)[1]);
        assert.ok(stopS * 1000 > Number(pairsOf(read('systemd/senet.env')).SENET_DRAIN_MS) + FAREWELL_MS, 'there is time to drain');
    }
});

test('the container has the libraries the program needs, and what is copied is there', () => {
    const text = read('container/Containerfile'), last = text.slice(text.lastIndexOf('FROM '));
    const packages = new Set(last.slice(last.indexOf('install'), last.indexOf('&& rm')).match(/\blib\S+|zlib1g/g));
    assert.ok(packages.has('libwebsockets-evlib-uv'));
    const needed = execFileSync('objdump', ['-p', program]).toString().match(/(?<=NEEDED +)\S+/g).filter(name => !/^lib(c|m|asan|ubsan)\.so/.test(name));
    const files = execFileSync('ldd', [program]).toString();
    for (const name of needed) {
        const path = execFileSync('realpath', [files.match(new RegExp(`${name.replaceAll('.', '\\.')} => (\\S+)`))[1]]).toString().trim();
        const owner = execFileSync('dpkg', ['-S', `*/${basename(path)}`]).toString().split(':')[0];
        assert.ok(packages.has(owner), `${name} is in ${owner}, which the container has`);
    }
    for (const [, words] of text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)) for (const word of words.split(' ')) assert.ok(existsSync(word), word);
    expectTaken(Object.fromEntries([...text.match(/^ENV (.*)$/m)[1].matchAll(/(SENET_\w+)=(\S+)/g)].map(([, name, value]) => [name, value])));
    assert.equal(text.match(/SENET_LISTEN=\S+:(\d+)/)[1], text.match(/^EXPOSE (\d+)$/m)[1]);
    assert.match(read('container/Containerfile.dockerignore'), /^build\/$/m);
});

test('compose: three servers behind one proxy', () => {
    const [compose] = parseYaml(read('container/compose.yaml'));
    const nodes = Object.entries(compose.services).filter(([, service]) => service.image === 'senet');
    const proxy = read('container/haproxy.cfg');
    assert.deepEqual(nodes.map(([name]) => name), ['one', 'two', 'three']);
    for (const [name, {environment, build, stop_grace_period: grace}] of nodes) {
        expectTaken(environment);
        assert.ok(existsSync(join('deploy/container', build.context, build.dockerfile)));
        assert.equal(proxy.split(`server ${name} ${name}:8080`).length, 2);
        assert.ok(compose.services.postgres && new URL(environment.SENET_STORE).hostname === 'postgres');
        assert.ok(compose.services.nats && new URL(environment.SENET_BUS).hostname === 'nats');
        assert.ok(parseInt(grace, 10) * 1000 > Number(environment.SENET_DRAIN_MS) + FAREWELL_MS, 'there is time to drain');
    }
    const {POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: database} = compose.services.postgres.environment;
    assert.equal(nodes[0][1].environment.SENET_STORE, `postgresql://${user}:${password}@postgres/${database}`);
    const [port] = compose.services.haproxy.ports;
    assert.equal(port.split(':').at(-1), proxy.match(/^ {4}bind :(\d+)$/m)[1]);
    for (const volume of compose.services.haproxy.volumes) assert.ok(existsSync(join('deploy/container', volume.split(':')[0])));
    for (const volume of compose.services.postgres.volumes) assert.ok(volume.split(':')[0] in compose.volumes);
});

const matches = (selector, labels) => Object.entries(selector).every(([name, value]) => labels[name] === value);

test('Kubernetes: what refers to something finds it, and the probes ask for what is answered', async () => {
    const all = parseYaml(read('kubernetes/senet.yaml'));
    const kind = (name, which = () => true) => all.filter(object => object.kind === name && which(object));
    const [set] = kind('Deployment'), {template} = set.spec, [container] = template.spec.containers, labels = template.metadata.labels;
    const flags = container.args.slice(1);
    assert.equal(container.args[0], 'serve');
    expectTaken({}, flags);
    const [secret] = kind('Secret', ({metadata}) => metadata.name === container.envFrom[0].secretRef.name);
    expectTaken(secret.stringData);

    const setting = name => flags.find(flag => flag.startsWith(`--${name}=`)).split('=')[1];
    const ports = new Map(container.ports.map(({name, containerPort}) => [name, containerPort]));
    assert.equal(ports.get('http'), Number(setting('listen').split(':')[1]));
    assert.equal(ports.get('metrics'), Number(setting('metrics-listen').split(':')[1]));
    assert.equal(template.metadata.annotations['prometheus.io/port'], `${ports.get('metrics')}`);
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        const {path, port} = container[probe].httpGet;
        assert.ok(ports.has(port));
        assert.equal((await fetch(server.url + path)).status, 200, probe);
    }
    assert.ok(template.spec.terminationGracePeriodSeconds * 1000 > Number(setting('drain-ms')) + FAREWELL_MS, 'there is time to drain');
    const {periodSeconds, failureThreshold} = container.readinessProbe;
    assert.ok(Number(setting('drain-ms')) > periodSeconds * failureThreshold * 1000, 'and it is noticed');

    assert.ok(matches(set.spec.selector.matchLabels, labels));
    const [budget] = kind('PodDisruptionBudget');
    assert.ok(matches(budget.spec.selector.matchLabels, labels) && budget.spec.maxUnavailable < set.spec.replicas);
    const [service] = kind('Service');
    assert.ok(matches(service.spec.selector, labels));
    for (const {targetPort} of service.spec.ports) assert.ok(ports.has(targetPort));
    const [ingress] = kind('Ingress');
    const hosts = new Map(ingress.spec.rules.map(({host, http}) => [host, http.paths[0].backend.service]));
    for (const {name, port} of hosts.values()) assert.ok(name === service.metadata.name && service.spec.ports.some(at => at.name === port.name), name);
    assert.deepEqual([...hosts.keys()], ingress.spec.tls[0].hosts);
});

test('dashboard and alerts ask for figures that there are', async () => {
    const {metrics_url: url} = server.lines.find(({fact}) => fact === 'listening');
    const given = new Set([...(await (await fetch(`${url}/metrics`)).text()).matchAll(/^([a-z_]+)[ {]/gm)].map(([, name]) => name));
    const board = JSON.parse(read('monitoring/dashboard.json')), [alerts] = parseYaml(read('monitoring/alerts.yml'));
    const asked = [...board.panels.flatMap(({targets}) => targets.map(({expr}) => expr)), ...alerts.groups.flatMap(({rules}) => rules.map(({expr}) => expr)), board.templating.list[1].query];
    const names = new Set(asked.flatMap(expression => expression.match(/senet_\w+/g) ?? []));
    assert.ok(names.size > 30);
    for (const name of names) assert.ok(given.has(name), `there is a ${name}`);
    assert.equal(new Set(board.panels.map(({id}) => id)).size, board.panels.length);
    const [prometheus] = parseYaml(read('monitoring/prometheus.yml'));
    for (const file of prometheus.rule_files) assert.ok(existsSync(join('deploy/monitoring', file)));
    assert.equal(prometheus.scrape_configs[0].job_name, alerts.groups[0].rules[0].expr.match(/job="(\w+)"/)[1]);
});

test('a page made anew keeps what pages that are open may ask for, for a week', {skip: spawnSync('esbuild', ['--version']).error && 'no esbuild'}, () => {
    const page = join(folder, 'page'), aWeekAgo = Date.now() / 1000 - 8 * 86400;
    mkdirSync(page);
    for (const name of ['save-AB12CD34.js', 'long-AB12CD34.js', 'forgotten.js']) writeFileSync(join(page, name), name);
    utimesSync(join(page, 'long-AB12CD34.js'), aWeekAgo, aWeekAgo);
    execFileSync('deploy/page', [page]);
    const files = readdirSync(page);
    assert.ok(files.includes('main.js') && files.some(name => /^chunk-[A-Z0-9]{8}\.js$/.test(name)));
    assert.deepEqual(files.filter(name => /AB12CD34|forgotten/.test(name)), ['save-AB12CD34.js']);
});

test('installed somewhere else, the program finds what was installed with it', async () => {
    const prefix = join(folder, 'installed');
    execFileSync('cmake', ['--install', dirname(resolve(program)), '--prefix', prefix], {stdio: 'ignore'});
    const share = join(prefix, 'share/senet');
    writeFileSync(join(share, 'web/installed.txt'), 'here');
    assert.deepEqual(readdirSync(join(share, 'games')).filter(name => name.endsWith('.json')).sort(), readdirSync('games').filter(name => name.endsWith('.json')).sort());
    const installed = new Server([], {program: join(prefix, 'bin/senet')});
    try {
        await installed.start();
        assert.equal(await (await fetch(`${installed.url}/installed.txt`)).text(), 'here');
        assert.ok((await (await fetch(`${installed.url}/api/v1/games`)).json()).length !== 0);
    } finally {
        await installed.remove();
    }
});

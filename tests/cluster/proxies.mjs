// proxies.mjs -- deploy/haproxy.cfg and deploy/cluster/nginx.conf in front of three real nodes: ?node=N goes to that node, everything else to any that
// is up, a lost node's clients come to others and find their table, clients keep their addresses, and strangers get no metrics. Only addresses, ports and
// TLS are changed (tests/system/deploy.sh has the whole files checked): node tests/cluster/proxies.mjs [build/release] [haproxy|nginx]
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {get as ask} from 'node:http';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {WebSocket} from 'ws';
import {Bench} from './bench.mjs';
import {programs, sleep} from './databases.mjs';
import {Guest} from './guest.mjs';

const build = process.argv[2] ?? 'build/release';
const found = name => [`/usr/sbin/${name}`, `/usr/bin/${name}`, `/usr/local/sbin/${name}`].find(existsSync);
const kinds = (process.argv[3] ? [process.argv[3]] : ['haproxy', 'nginx']).filter(name => found(name) || console.log(`no ${name} here: skipped`));
if (!programs() || !kinds.length) {
  console.log('no PostgreSQL or no proxy here (Debian: postgresql-15, haproxy, nginx-light): skipped');
  process.exit(0);
}
const bench = new Bench({tables: 0, seed: 1, copies: 1, pace: 0, program: join(build, 'mashup'), bots: 'true', check: 'true', keep: false,
  flags: ['--behind-proxy', '--log-level', 'debug']});
const demand = (truth, sentence) => truth || bench.problem(sentence);
const freePort = () => new Promise(done => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const {port} = server.address();
    server.close(() => done(port));
  });
});
/** The status of a request, and the answer. */
const get = (port, path) => new Promise((done, fail) => ask({host: '127.0.0.1', port, path, agent: false}, answer => {
  let text = '';
  answer.on('data', bytes => { text += bytes; }).on('end', () => done({status: answer.statusCode, text}));
}).on('error', fail));
/** How many tables of a node wait for a player. */
const waiting = async node => Number(/mashup_tables\{state="waiting"\} (\d+)/.exec((await get(bench.nodes[node - 1].port, '/metrics')).text)[1]);
const until = async (what, condition) => {
  for (let i = 0; i < 600; i++, await sleep(100)) if (await condition()) return;
  throw new Error(`${what} in vain`);
};
const withPorts = text => bench.nodes.reduce((all, {port, number}) => all.replaceAll(`10.0.0.1${number}:1218`, `127.0.0.1:${port}`), text);

const start = {
  haproxy(folder, port) {
    const file = join(folder, 'haproxy.cfg');
    const text = withPorts(readFileSync('deploy/haproxy.cfg', 'utf8')).replace('bind :80\n', `bind 127.0.0.1:${port}\n`).replace('maxconn 50000', 'maxconn 200').replace(/ {4}(user|group) haproxy\n/g, '');
    writeFileSync(file, text);
    execFileSync(found('haproxy'), ['-c', '-f', file], {stdio: 'ignore'});
    return spawn('setpriv', ['--pdeathsig=KILL', found('haproxy'), '-db', '-f', file], {stdio: 'ignore'});
  },
  nginx(folder, port) {
    const file = join(folder, 'nginx.conf'), temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(part => `${part}_temp_path ${folder}/${part};`).join(' ');
    // Without the server that only sends browsers to https, and without TLS.
    const text = withPorts(readFileSync('deploy/cluster/nginx.conf', 'utf8')).replace(/server \{\n {4}listen 80;[^}]*\}\n/, '')
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`).replace(/ {4}listen \[::\][^\n]*\n/, '').replace(/ {4}ssl_[^\n]*\n/g, '');
    writeFileSync(file, `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${temps}\n${text}\n}\n`);
    execFileSync(found('nginx'), ['-t', '-q', '-c', file, '-p', folder], {stdio: 'ignore'});
    return spawn('setpriv', ['--pdeathsig=KILL', found('nginx'), '-c', file, '-p', folder], {stdio: 'ignore'});
  },
};

/** Everything with one proxy. */
async function walk(kind) {
  const folder = join(bench.folder, kind), port = await freePort();
  mkdirSync(folder);
  const proxy = start[kind](folder, port), place = {port};
  const guests = ['Ann', 'Bob', 'Eve'].map(name => new Guest(place, name)), [ann, bob, eve] = guests;
  try {
    for (let i = 0; i < 300; i++, await sleep(100)) if (await get(port, '/readyz').then(({status}) => status === 200, () => false)) break;
    // Each number leads to its node: a table of it is there, and elsewhere it says `moved`.
    await ann.connect(2);
    const table = await ann.ask({type: 'open', game: 'zorde', seat: 0}, 'table');
    demand(await waiting(2) === 1, `${kind}: ?node=2 does not lead to node 2`);
    for (const node of [1, 3]) {
      await eve.connect(node);
      eve.send({type: 'watch', code: table.code});
      demand((await eve.hear('moved'))?.node === 2, `${kind}: ?node=${node} leads to the table of node 2`);
    }
    await bob.connect();
    demand((await bob.ask({type: 'join', code: table.code}, 'table')).state === 'running', `${kind}: a player does not come to the table`);
    demand((await get(port, '/metrics')).status >= 400, `${kind}: metrics are told to strangers`);
    demand((await get(port, '/api/games?node=77')).status === 200, `${kind}: a node that there is not`);
    const address = kind === 'haproxy' ? '127.0.0.8' : '127.0.0.9', far = new WebSocket(`ws://127.0.0.1:${port}/arena`, {localAddress: address, headers: {'X-Forwarded-For': '203.0.113.7'}}).on('error', () => {});
    await until(`${kind}: a client is to come with its address`, () => bench.nodes.some(({log}) => readFileSync(log, 'utf8').includes(`${address} connected`)));
    demand(!bench.nodes.some(({log}) => readFileSync(log, 'utf8').includes('203.0.113.7')), `${kind}: a client's claim about its address is believed`);
    far.terminate();
    // Its node is lost: whoever asks for it comes to another one, and both find the table where it is then.
    await bench.nodes[1].end();
    const token = table.token;
    await ann.connect();
    await ann.ask({type: 'return', token}, 'table');
    await bob.ask({type: 'watch', code: table.code}, 'table');
    await eve.connect(2);
    demand(eve.isConnected && await eve.ask({type: 'games'}, 'games'), `${kind}: ?node=2 leads nowhere while node 2 is lost`);
    await bench.nodes[1].start();
    for (let i = 0; ; i++, await sleep(200)) { // and comes to it again when it is back
      await eve.connect(2);
      const own = await eve.ask({type: 'open', game: 'zorde', seat: 0}, 'table');
      const there = await waiting(2) > 0;
      await eve.ask({type: 'leave'}, 'done');
      if (there) break;
      if (i === 300) throw new Error(`${kind}: ?node=2 does not lead to node 2 again; ${own.code}`);
    }
    demand(proxy.exitCode === null, `${kind} has ended`);
  } finally {
    for (const guest of guests) guest.leave();
    proxy.kill('SIGTERM');
  }
}

let fine = false;
try {
  await bench.open();
  for (const kind of kinds) await walk(kind);
  fine = bench.problems.length === 0;
} catch (error) {
  console.log(error.stack);
} finally {
  await bench.close(fine);
}
console.log(fine ? `proxies: ${kinds.join(' and ')}: each number leads to its node, a lost node's clients to others` : 'proxies: failed');
process.exit(fine ? 0 : 1);

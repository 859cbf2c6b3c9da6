// cluster.mjs -- what nodes over PostgreSQL with a synchronous standby carry, beside the embedded store, all on this machine:
//   node bench/programs/cluster.mjs [--parts embedded,nodes,pairs,parked,takeover] [--nodes 1,2,3] [--matches N] [--rates 0,4000,10000]
//     [--seconds S] [--copies C] [--parked 0,1000,10000,100000] [--parked-rate R] [--pairs 1,2] [--takeover 10000] [--statements]
// It wants build/release/mashup and build/release/bench_park (`make bench-cluster` makes them and runs it). docs/scale.md says what comes out.
// A rate of 0: each match acts as soon as it is answered; otherwise actions are due at fixed times, from which answers are counted.
// CPU time is that of each process, so it says the same on a busy machine; times and rates do not, and the load average is printed.
import {execFile, spawn} from 'node:child_process';
import {appendFileSync, chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {cpus, loadavg} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {promisify} from 'node:util';
import {Database, Pair, programs, sleep} from '../../tests/cluster/databases.mjs';

const words = process.argv.slice(2);
const option = (name, usual) => words.includes(name) ? words[words.indexOf(name) + 1] : usual;
const numbers = (name, usual) => option(name, usual).split(',').filter(Boolean).map(Number);
const parts = option('--parts', 'embedded,nodes,pairs,parked,takeover').split(',');
const matches = Number(option('--matches', 1000)), seconds = Number(option('--seconds', 5)), copies = option('--copies', '2');
const rates = numbers('--rates', '0,4000,10000');
const build = option('--build', 'build/release'), program = join(build, 'mashup');

/** As a host would have them (docs/cluster.md), and not as tests have them. */
const settings = `fsync = on
shared_buffers = 256MB
max_wal_size = 2GB
wal_compression = lz4
checkpoint_timeout = 10min
${words.includes('--statements') ? "shared_preload_libraries = 'pg_stat_statements'\n" : ''}`;

class DurableDatabase extends Database {
  async init() {
    await super.init();
    appendFileSync(join(this.data, 'postgresql.conf'), settings);
  }
}

// --- Processes and their CPU time ----------------------------------------------------------------

const text = path => { try { return readFileSync(path, 'utf8'); } catch { return ''; } };
const tick = 0.01; // seconds, of /proc/PID/stat

/** CPU seconds of a process, all threads. */
function cpuOf(pid) {
  let nanoseconds = 0;
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) nanoseconds += Number(text(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0]);
  } catch { /* it has ended */ }
  return nanoseconds / 1e9;
}

/** The numbers of /proc/PID/stat behind the name. */
const statOf = pid => text(`/proc/${pid}/stat`).replace(/^.*\) \S /s, '').split(' ').map(Number);

/** CPU seconds of a process, its children, and those of them that have ended. */
function cpuOfTree(pid) {
  const [, , , , , , , , , , , , ended, endedSystem] = statOf(pid);
  const children = readdirSync('/proc').filter(entry => /^\d+$/.test(entry) && statOf(entry)[0] === pid);
  return [pid, ...children].reduce((sum, one) => sum + cpuOf(one), ((ended || 0) + (endedSystem || 0)) * tick);
}

/** CPU seconds of all processes that measure together: nodes, primaries, standbys, players. */
function account({nodes, pairs, players}) {
  const sum = list => list.reduce((all, one) => all + one, 0);
  return {
    nodes: sum(nodes.map(node => cpuOf(node.child.pid))), primary: sum(pairs.map(pair => cpuOfTree(pair.primary.child.pid))),
    standby: sum(pairs.map(pair => cpuOfTree(pair.standby.child.pid))), players: sum(players.map(one => cpuOf(one.child.pid))),
  };
}

const lines = child => {
  const waiting = [], come = [];
  const reader = createInterface({input: child.stdout});
  reader.on('line', line => { if (waiting.length) waiting.shift()(line); else come.push(line); });
  reader.on('close', () => waiting.splice(0).forEach(resolve => resolve(undefined)));
  return () => come.length ? come.shift() : child.exitCode !== null ? undefined : new Promise(resolve => waiting.push(resolve));
};

/** A server; `store` = words about where it keeps its matches. */
class Server {
  constructor(folder, number, store) { Object.assign(this, {number, folder, store}); }
  async start() {
    const log = openSync(join(this.folder, `node-${this.number}.log`), 'a');
    const child = this.child = spawn('setpriv', ['--pdeathsig=KILL', program, 'serve', '--address', '127.0.0.1', '--port', '0', '--data', join(this.folder, `data-${this.number}`),
      ...this.store, '--no-rates', '--sockets-max', '16000', '--matches-max', '400000', '--log-level', 'warning', '--grace-seconds', '86400', '--grace-max', '86400',
      '--abandoned-seconds', '86400', '--turn-max', '86400'], {stdio: ['ignore', 'pipe', log]});
    closeSync(log);
    this.ended = new Promise(resolve => child.on('exit', resolve));
    const line = await lines(child)();
    this.port = Number(/:(\d+)$/.exec(line ?? '')?.[1]);
    if (!this.port) throw new Error(`a server does not start: ${text(join(this.folder, `node-${this.number}.log`))}`);
  }
  async metric(name) {
    const all = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text();
    return Number(new RegExp(`^mashup_${name} (\\S+)$`, 'm').exec(all)?.[1]);
  }
  async end(signal = 'SIGTERM') {
    if (this.child?.exitCode !== null) return;
    this.child.kill(signal);
    await this.ended;
  }
}

/** Pairs of players at a server. */
class Players {
  async start(port, count) {
    this.child = spawn('setpriv', ['--pdeathsig=KILL', program, 'bench', 'load', `http://127.0.0.1:${port}`, '--matches', String(count)], {stdio: ['pipe', 'pipe', 'inherit']});
    this.ended = new Promise(resolve => this.child.on('exit', resolve));
    this.next = lines(this.child);
    if (await this.next() === undefined) throw new Error('players could not be seated');
  }
  async play(rate, ms) {
    this.child.stdin.write(`${rate} ${ms}\n`);
    const line = await this.next();
    if (line === undefined) throw new Error('players have ended');
    return JSON.parse(line);
  }
  async end() {
    this.child.stdin.end();
    await this.ended;
  }
}

// --- Measuring -------------------------------------------------------------------------------------

/** The time within which this part of all answers came. */
function within(results, part) {
  const times = results.flatMap(result => result.times).sort((a, b) => a[0] - b[0]);
  let left = times.reduce((sum, [, count]) => sum + count, 0) * part;
  for (const [ms, count] of times) if ((left -= count) <= 0) return ms;
  return NaN;
}

const row = (...cells) => console.log(`| ${cells.join(' | ')} |`);
const whole = number => Math.round(number).toLocaleString('en');
const head = what => {
  console.log();
  row(what, 'due a second', '**answered a second**', 'per CPU-second of nodes', 'of nodes and databases', 'µs of CPU for an action: nodes, primary, standby, players', 'half in ms', '99 % in ms', 'actions in a group', 'load');
  row('---', ...Array(9).fill('---:'));
};

/** Groups that the servers' stores have written, and their records. */
async function groups(servers) {
  const all = await Promise.all(servers.map(async server => [await server.metric('store_groups_total'), await server.metric('store_records_total')]));
  return all.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
}

/** All players act at this rate in all, and a line is printed. What was measured. */
async function measure(name, stage, rate) {
  const {players, nodes} = stage;
  await sleep(500);
  const first = await groups(nodes), before = account(stage);
  const results = await Promise.all(players.map(one => one.play(Math.ceil(rate / players.length), seconds * 1000)));
  const after = account(stage), last = await groups(nodes);
  const actions = results.reduce((sum, one) => sum + one.actions, 0), time = Math.max(...results.map(one => one.seconds));
  const cpu = Object.fromEntries(Object.keys(after).map(key => [key, after[key] - before[key]]));
  const micro = key => (cpu[key] / actions * 1e6).toFixed(1);
  row(name, rate === 0 ? 'flat out' : whole(rate), `**${whole(actions / time)}**`, whole(actions / cpu.nodes), whole(actions / (cpu.nodes + cpu.primary + cpu.standby)),
    ['nodes', 'primary', 'standby', 'players'].map(micro).join(', '), within(results, 0.5).toFixed(1), within(results, 0.99).toFixed(1),
    ((last[1] - first[1]) / (last[0] - first[0])).toFixed(0), loadavg()[0].toFixed(1));
  const lost = results.reduce((sum, one) => sum + one.disconnected + one.refused, 0);
  if (lost > 0) console.log(`${lost} refused or disconnected`);
  return {actions, time, cpu};
}

/** Plays at these servers at each rate. */
async function play(name, nodes, pairs) {
  const players = nodes.map(() => new Players());
  await Promise.all(players.map((one, i) => one.start(nodes[i].port, Math.ceil(matches / nodes.length))));
  const stage = {nodes, pairs, players};
  for (const rate of rates) await measure(name, stage, rate);
  await Promise.all(players.map(one => one.end()));
}

// --- Databases -------------------------------------------------------------------------------------

const opened = [];
let folder;

/** A primary with its synchronous standby, with the tables of this program. */
async function openPair(name) {
  const place = join(folder, name);
  mkdirSync(place);
  chmodSync(place, 0o755);
  const databases = ['a', 'b'].map(one => new DurableDatabase(one, place));
  const pair = new Pair(...databases, database => database.folder);
  opened.push(...databases);
  if (!await pair.open()) throw new Error('the standby does not follow');
  pair.store = `postgres:host=${pair.primary.folder},${pair.standby.folder} dbname=postgres user=mashup`;
  await promisify(execFile)(program, ['admin', 'store', 'upgrade', '--store', pair.store]);
  if (words.includes('--statements')) await pair.primary.ask('create extension pg_stat_statements');
  return pair;
}

const nodeAt = (pair, number) => new Server(folder, number, ['--store', pair.store, '--node', String(number), '--url', `ws://127.0.0.1/arena?node=${number}`, '--copies', copies]);

/** What the database spent its time on. */
async function statements(pair) {
  if (!words.includes('--statements')) return;
  console.log(`\n${await pair.primary.ask(`select string_agg(line, e'\\n') from (select format('%s ms, %s calls, %s rows, %s ms each, %s WAL bytes: %s',
    round(total_exec_time), calls, rows, round((total_exec_time / calls)::numeric, 3), wal_bytes, left(regexp_replace(query, '\\s+', ' ', 'g'), 110)) line
    from pg_stat_statements order by total_exec_time desc limit 12) few`)}`);
  await pair.primary.ask('select pg_stat_statements_reset()');
}

async function closePair(pair) {
  for (const database of [pair.standby, pair.primary]) await database.close();
}

// --- What is measured --------------------------------------------------------------------------------

async function measureEmbedded() {
  const server = new Server(folder, 0, []);
  await server.start();
  await play('embedded store', [server], []);
  await server.end('SIGKILL');
}

async function measureNodes() {
  for (const count of numbers('--nodes', '1,2,3')) {
    const pair = await openPair(`nodes-${count}`);
    const nodes = Array.from({length: count}, (_, i) => nodeAt(pair, i + 1));
    for (const node of nodes) await node.start();
    await play(`${count} ${count === 1 ? 'node' : 'nodes'}`, nodes, [pair]);
    for (const node of nodes) await node.end('SIGKILL');
    await statements(pair);
    await closePair(pair);
  }
}

/** Several pairs of databases, each with a node of its own, side by side: as if matches were divided by their number. */
async function measurePairs() {
  for (const count of numbers('--pairs', '1,2')) {
    const pairs = [], nodes = [];
    for (let i = 0; i < count; i++) {
      pairs.push(await openPair(`pairs-${count}-${i}`));
      nodes.push(nodeAt(pairs[i], 1));
      nodes[i].folder = join(folder, `pairs-${count}-${i}`);
      await nodes[i].start();
    }
    await play(`${count} ${count === 1 ? 'pair' : 'pairs'} with a node each`, nodes, pairs);
    for (const node of nodes) await node.end('SIGKILL');
    for (const pair of pairs) await closePair(pair);
  }
}

/** Some matches of node 1 that were begun and are open, to be copied. */
async function beginSome(pair) {
  const node = nodeAt(pair, 1), players = new Players();
  await node.start();
  await players.start(node.port, 5);
  await players.play(25, 1000);
  await players.end();
  await node.end('SIGKILL');
}

/** As many more open matches of node 1, which does not run. */
async function park(pair, count) {
  if (count > 0) await promisify(execFile)(join(build, 'bench_park'), [pair.store, String(count)]);
}

/** What a database does by itself in the minutes after a big load, at once: otherwise it does it while actions are measured. */
async function cleanUp(pair) {
  for (const [database, sql] of [[pair.primary, 'vacuum analyze'], [pair.primary, 'checkpoint'], [pair.standby, 'checkpoint']])
    if (await database.ask(sql, 120000) === undefined) throw new Error(`${sql} failed`);
}

/** Bytes of the database's log so far, and whole pages in it. */
const logOf = async pair => (await pair.primary.ask("select wal_bytes || ' ' || wal_fpi from pg_stat_wal")).split(' ').map(Number);

/** One node with many open matches that nobody plays, and some that are played. */
async function measureParked() {
  const rate = Number(option('--parked-rate', 2000));
  const pair = await openPair('parked');
  await beginSome(pair);
  let parked = 0;
  for (const wanted of numbers('--parked', '0,1000,10000,100000')) {
    await park(pair, wanted - parked);
    parked = Math.max(parked, wanted);
    const node = nodeAt(pair, 1);
    const began = Date.now();
    await node.start();
    const restored = (Date.now() - began) / 1000;
    for (let rows = -1, now; (now = await node.metric('lobby_rows_total')) !== rows; rows = now) await sleep(1500); // all are listed
    const listed = (Date.now() - began) / 1000;
    await cleanUp(pair);
    const idle = account({nodes: [node], pairs: [pair], players: []});
    await sleep(seconds * 1000);
    const still = account({nodes: [node], pairs: [pair], players: []});
    const players = new Players();
    await players.start(node.port, matches);
    const logBefore = await logOf(pair);
    const {actions} = await measure(`${whole(wanted)} parked`, {nodes: [node], pairs: [pair], players: [players]}, rate);
    const log = (await logOf(pair)).map((value, i) => value - logBefore[i]);
    await players.end();
    const status = text(`/proc/${node.child.pid}/status`);
    console.log(`  ${whole(wanted)} parked: restored after ${restored.toFixed(1)} s, listed after ${listed.toFixed(1)} s, ${(Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024).toFixed(0)} MB resident; ` +
      `with nobody playing ${((still.nodes - idle.nodes) / seconds * 1000).toFixed(1)} ms of CPU a second for the node, ${((still.primary - idle.primary) / seconds * 1000).toFixed(1)} for the primary, ${((still.standby - idle.standby) / seconds * 1000).toFixed(1)} for the standby; ` +
      `${whole(log[0] / actions)} bytes of log for an action, ${log[1]} images of pages in all`);
    await node.end('SIGKILL');
    await statements(pair);
  }
  await closePair(pair);
}

/** A node with many matches is killed: how soon another one has them, and whether that one is still there afterwards. */
async function measureTakeover() {
  const count = Number(option('--takeover', 10000));
  const pair = await openPair('takeover');
  await beginSome(pair);
  await park(pair, count);
  const nodes = [1, 2].map(number => nodeAt(pair, number));
  for (const node of nodes) await node.start();
  await sleep(2000);
  const before = account({nodes: [nodes[1]], pairs: [pair], players: []}), began = Date.now();
  const seconds = () => ((Date.now() - began) / 1000).toFixed(1);
  await nodes[0].end('SIGKILL');
  const taken = () => nodes[1].metric('store_taken_total');
  while (await taken() === 0) await sleep(20);
  const first = seconds();
  for (let now = 0, then; (now = await taken()) !== then || now < count; then = now) await sleep(200);
  const last = seconds();
  while (await nodes[1].metric('lobby_rows_total') < await taken()) await sleep(100);
  const after = account({nodes: [nodes[1]], pairs: [pair], players: []});
  console.log(`\ntakeover: a node with ${whole(await taken())} open matches was killed; another had the first after ${first} s, all after ${last} s, listed them all after ${seconds()} s; ` +
    `${(after.nodes - before.nodes).toFixed(1)} s of CPU for the node, ${(after.primary - before.primary).toFixed(1)} s for the primary; its longest turn of the loop was ` +
    `${(await nodes[1].metric('loop_longest_turn_cpu_microseconds') / 1000).toFixed(0)} ms of CPU; load ${loadavg()[0].toFixed(1)}`);
  if (nodes[1].child.exitCode !== null) throw new Error('the node that took over has ended');
  await nodes[1].end('SIGKILL');
  await closePair(pair);
}

if (!programs()) {
  console.log('no PostgreSQL here (Debian: postgresql-15): nothing is measured');
  process.exit(0);
}
const stop = async code => {
  for (const database of opened) await database.close();
  rmSync(folder, {recursive: true, force: true});
  process.exit(code);
};
process.on('SIGINT', () => stop(130));
process.on('SIGTERM', () => stop(143));
folder = mkdtempSync(join(process.env.TMPDIR ?? '/var/tmp', 'mashup-bench-'));
chmodSync(folder, 0o755);
try {
  console.log(`${new Date().toISOString().slice(0, 16)}, ${cpus().length} cores, load ${loadavg().map(load => load.toFixed(1)).join(' ')}; ${matches} matches of zorde in all, ${seconds} s each; ` +
    `primary and synchronous standby, fsync on, --copies ${copies}`);
  if (parts.includes('embedded') || parts.includes('nodes')) head('store');
  if (parts.includes('embedded')) await measureEmbedded();
  if (parts.includes('nodes')) await measureNodes();
  if (parts.includes('pairs')) head('pairs of databases');
  if (parts.includes('pairs')) await measurePairs();
  if (parts.includes('parked')) head('open matches beside those that are played');
  if (parts.includes('parked')) await measureParked();
  if (parts.includes('takeover')) await measureTakeover();
  await stop(0);
} catch (error) {
  console.log(error.stack);
  await stop(1);
}

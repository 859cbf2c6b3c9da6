// siege.mjs -- all attacks at once from five addresses, while an honest match from a sixth goes on: how much longer do its actions take?
// Than those of the same match at a server beside it, at the same time on the same machine, that nobody attacks: what else the machine does,
// and what the attackers themselves cost it, counts for both. The times of a server alone, before the attacks, are printed as well.
// The attackers are a process of their own (this file with --attack), at the lowest priority and at a few times what the limits of one
// address allow, so that they use up the server and not the machine. SIEGE_ATTACKS=chat,archive chooses some; SIEGE_EACH=1 tries each alone.
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {request} from 'node:http';
import {connect} from 'node:net';
import {cpus, loadavg} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {WebSocket} from 'ws';
import {TestServer, demand, folder, mashup, sleep, until} from './server.mjs';

const strangers = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'], honest = '127.0.0.7';
const filler = process.env.BENCH_ARCHIVE ?? 'build/release/bench_archive';

// --- The attackers -------------------------------------------------------------------------------

/** What was done and what came of it, by attack. */
const done = {};
const count = (attack, what) => { const row = done[attack] ??= {}; row[what] = (row[what] ?? 0) + 1; };

/** A client at the arena from this address: `say`, `told` with each message, `gone` when it is over. Null if it is not let in. */
function come(port, address, attack, told = () => {}) {
  return new Promise(resolve => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/arena`, {perMessageDeflate: false, localAddress: address});
    const one = {socket, gone: false, say: message => { if (socket.readyState === WebSocket.OPEN) socket.send(typeof message === 'string' ? message : JSON.stringify(message)); }};
    socket.on('error', () => { count(attack, 'not let in'); resolve(null); });
    socket.on('close', () => { one.gone = true; resolve(null); });
    socket.on('message', data => {
      const message = JSON.parse(data);
      if (message.type === 'refused') count(attack, `refused ${message.code}`);
      told(message, one);
    });
    socket.on('open', () => { one.say({type: 'hello', name: 'Stranger', role: 'person'}); count(attack, 'came'); resolve(one); });
  });
}

/** Does it again and again, so many times a second, whatever becomes of it. */
async function pace(perSecond, act) {
  for (let next = performance.now(); ; next = Math.max(next + 1000 / perSecond, performance.now() - 1000)) {
    await sleep(Math.max(0, next - performance.now()));
    Promise.resolve(act()).catch(() => {});
  }
}

/** Opens a table with these options, answers what `played` says to its positions, goes away after so long. */
async function visit(port, address, attack, options, ms, played = () => null) {
  const one = await come(port, address, attack, (message, self) => {
    if (message.type === 'table') count(attack, 'tables');
    const answer = message.type === 'position' && !message.result ? played(message) : null;
    if (answer) self.say(answer);
  });
  if (!one) return;
  one.say({type: 'open', ...options});
  await sleep(ms);
  one.socket.terminate();
}

/** The first thing that may be done, as a request. */
function anything({number, actions}) {
  if (!actions?.length) return null;
  const {verb, unit, ability, cells} = actions[Math.floor(Math.random() * actions.length)];
  const [x, y, other = 0, amount = 0] = cells[Math.floor(Math.random() * cells.length)];
  return {type: 'act', position: number, verb, unit, ability, x, y, other, amount};
}

const handshake = 'GET /arena HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const masked = text => { const data = Buffer.from(text); return Buffer.concat([Buffer.from([0x81, 0x80 | data.length, 0, 0, 0, 0]), data]); };

/** A raw line from this address. */
function line(port, address, attack, text) {
  const socket = connect({port, host: '127.0.0.1', localAddress: address}, () => { count(attack, 'lines'); socket.write(text); });
  socket.on('error', () => count(attack, 'broken'));
  socket.on('close', () => count(attack, 'closed'));
  return socket;
}

const attacks = {
  /** Sockets with half a request, as many as can be had. */
  'half-open': (port, address) => pace(100, () => { line(port, address, 'half-open', 'GET / HTTP/1.1\r\nHost: '); }),
  /** Tables that are opened and left. */
  tables: (port, address) => pace(20, () => visit(port, address, 'tables', {game: 'zorde', grace_ms: 86400000, turn_ms: 0}, 20)),
  /** The best AI players on the biggest boards. */
  robots: (port, address, {scenario}) => pace(5, () => visit(port, address, 'robots', Math.random() < 0.5 ? {game: 'battleground', preset: 'original', opponent: 'ai', level: 8, seat: 1}
    : {game: 'marvelous-mashup', documents: [{name: 'siege.scenario.json', text: scenario}], opponent: 'ai', level: 8, seat: 1}, 10000, anything)),
  /** What takes longest to find in the archive, and pages far behind. */
  archive: (port, address) => pace(100, () => new Promise(resolve => {
    const path = Math.random() < 0.5 ? '/api/archive?player=X&game=nope' : `/api/archive?player=X&after_ms=${1700000000000 + Math.floor(Math.random() * 3e7)}`;
    const asked = request({port, host: '127.0.0.1', localAddress: address, path, headers: {Connection: 'close'}}, answer => {
      count('archive', answer.statusCode);
      answer.resume();
      answer.on('end', resolve);
    });
    asked.on('error', () => { count('archive', 'broken'); resolve(); });
    asked.end();
  })),
  /** Lines and lists as fast as they are taken, by some sockets that reconnect when they are cut off. */
  chat: async (port, address) => {
    const sockets = [];
    await pace(400, async () => {
      const at = Math.floor(Math.random() * 8), one = sockets[at];
      if (one === 'comes') return;
      if (!one || one.gone) {
        sockets[at] = 'comes';
        sockets[at] = await come(port, address, 'chat', message => { if (message.type === 'chat') count('chat', 'lines'); });
        sockets[at]?.say({type: 'open', game: 'zorde'});
        return;
      }
      one.say(Math.random() < 0.9 ? {type: 'chat', text: 'x'.repeat(300)} : {type: 'matches'});
    });
  },
  /** Clients that ask for much and never read. */
  deaf: (port, address) => pace(4, () => {
    const socket = line(port, address, 'deaf', handshake);
    socket.once('data', async () => {
      socket.pause();
      socket.write(masked('{"type":"hello","name":"Deaf","role":"watcher"}'));
      for (let i = 0; i < 600 && !socket.destroyed; i++) {
        socket.write(masked('{"type":"games"}'));
        count('deaf', 'questions');
        await sleep(50);
      }
      socket.destroy();
    });
  }),
  /** Short matches with content of one's own, to fill the disk. */
  disk: (port, address, {scenario}) => pace(10, () => {
    let acted = 0;
    return visit(port, address, 'disk', Math.random() < 0.7 ? {game: 'zorde', opponent: 'ai', level: 1, seat: 0}
      : {game: 'marvelous-mashup', documents: [{name: 'siege.scenario.json', text: scenario}], opponent: 'ai', level: 1, seat: 0}, 1500,
    position => (++acted < 4 ? anything(position) : acted === 4 ? {type: 'resign'} : null));
  }),
  /** Matches with times that are nothing. */
  times: (port, address) => pace(10, () => visit(port, address, 'times', {game: 'zorde', opponent: 'ai', level: 1, seat: 0, turn_ms: 10, silence_ms: 10, match_ms: 10}, 500)),
};

/** What the child does: attacks until it is told to end, then says what came of it. */
async function attack(port, names, scenario) {
  const material = {scenario: readFileSync(scenario, 'utf8')};
  for (const name of names) for (const address of strangers) attacks[name](port, address, material);
  process.stdin.on('data', () => {});
  process.stdin.on('end', () => { process.stdout.write(JSON.stringify({done, cpu: process.cpuUsage()}), () => process.exit(0)); });
}

// --- The honest ----------------------------------------------------------------------------------

/** One of two at a table; `next` waits for a message for which the function returns true. */
async function player(port, name) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/arena`, {perMessageDeflate: false, localAddress: honest});
  const one = {position: null, table: null, waits: [], problem: null, say: message => socket.send(JSON.stringify(message)), leave: () => socket.terminate()};
  const look = () => { one.waits = one.waits.filter(({question, resolve}) => !question(one) || resolve(performance.now())); };
  one.next = (question, what) => new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} waits for ${what}${one.problem ? `: ${one.problem}` : ''}`)), 60000);
    one.waits.push({question, resolve: now => { clearTimeout(timer); resolve(now); }});
    look();
  });
  socket.on('message', data => {
    const message = JSON.parse(data);
    if (message.type === 'position') one.position = message;
    if (message.type === 'table') one.table = message;
    if (message.type === 'refused') one.problem = `${message.code}: ${message.reason}`;
    look();
  });
  socket.on('close', code => { one.problem = `closed with ${code}`; });
  socket.on('error', error => { one.problem = String(error); });
  socket.on('open', () => one.say({type: 'hello', name, role: 'person'}));
  await until(() => socket.readyState === WebSocket.OPEN || one.problem, `${name} comes`, 60000);
  demand(!one.problem, `${name}: ${one.problem}`);
  return one;
}

/** Plays so many actions, match after match, with a moment of thought before each; how long each took until it was told, in ms. */
async function play(port, actions) {
  const times = [];
  while (times.length < actions) {
    const [one, two] = [await player(port, 'One'), await player(port, 'Two')];
    one.say({type: 'open', game: 'zorde', seat: 0});
    await one.next(({table}) => table, 'a table');
    two.say({type: 'join', code: one.table.code});
    await one.next(({position}) => position, 'the match');
    await two.next(({position}) => position, 'the match');
    while (times.length < actions && !one.position.result) {
      const acts = one.position.awaited.includes(0) ? one : two, {number} = acts.position;
      const action = anything(acts.position);
      await sleep(10);
      const began = performance.now();
      acts.say(action);
      times.push(await acts.next(({position}) => position.number > number, 'an answer') - began);
      await (acts === one ? two : one).next(({position}) => position.number > number, 'the other\'s move');
    }
    one.leave();
    two.leave();
  }
  return times.sort((a, b) => a - b);
}

const part = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
const spread = times => `${part(times, 0.5).toFixed(1)} / ${part(times, 0.99).toFixed(1)} / ${times.at(-1).toFixed(1)}`;

/** Times of so many actions while these attacks are made, those at the server beside it, and what came of the attacks. */
async function under(server, beside, names, scenario, actions) {
  const child = spawn('nice', ['-n', '19', process.execPath, fileURLToPath(import.meta.url), '--attack', String(server.port), names.join(','), scenario],
    {stdio: ['pipe', 'pipe', 'inherit']});
  let text = '';
  child.stdout.on('data', bytes => { text += bytes; });
  const ended = new Promise(resolve => child.on('close', resolve));
  try {
    await sleep(5000); // until bursts are used up and the attacks have their pace
    const before = await server.figures(), cpu = server.cpu(), began = performance.now();
    const [times, quiet] = await Promise.all([play(server.port, actions), play(beside.port, actions)]);
    const ms = performance.now() - began, share = (server.cpu() - cpu) * 1000 / ms, after = await server.figures();
    const busy = (after.loop_busy_microseconds_total - before.loop_busy_microseconds_total) / 1000 / ms;
    demand(server.process.code === undefined, `the server ended with ${server.process.code}`);
    child.stdin.end();
    await ended;
    return {times, quiet, share, busy, figures: after, ...JSON.parse(text)};
  } finally {
    child.kill('SIGKILL');
  }
}

/** All attacks at once; 99 % of the actions of an honest match are answered within 100 ms more than without them. */
async function siege(short) {
  const actions = short ? 100 : 500, scenario = join(folder(), 'siege.scenario.json');
  const made = spawnSync(mashup, ['generate', 'scenario', '--width', '100', '--height', '100', '--seed', '1', '--output', scenario]);
  demand(made.status === 0, 'no board was made');
  const names = process.env.SIEGE_ATTACKS?.split(',') ?? Object.keys(attacks), filled = existsSync(filler);
  /** A new server for each: quotas that one attack has used up must not stop the next. */
  const open = async () => {
    const data = join(folder(), 'data');
    if (filled) demand(spawnSync(filler, [data, short ? '20000' : '50000']).status === 0, 'the archive was not filled');
    return new TestServer(data).open();
  };
  const beside = await open(), alone = await play(beside.port, actions), lines = [];
  /** How much longer 99 % of the actions take. */
  const more = ({times, quiet}) => part(times, 0.99) - part(quiet, 0.99);
  const measure = async (chosen, what) => {
    const server = await open(), result = await under(server, beside, chosen, scenario, actions);
    await server.close();
    lines.push(`${what}: ${spread(result.times)} ms, beside it ${spread(result.quiet)} ms, 99 % ${more(result) >= 0 ? '+' : ''}${more(result).toFixed(1)} ms; server ${(result.share * 100).toFixed(0)} % of a core, ` +
      `its loop busy ${(result.busy * 100).toFixed(0)} %, longest turn ${(result.figures.loop_longest_turn_microseconds / 1000).toFixed(1)} ms ` +
      `(${(result.figures.loop_longest_turn_cpu_microseconds / 1000).toFixed(1)} ms of work)`);
    return result;
  };
  if (process.env.SIEGE_EACH) for (const name of names) await measure([name], name);
  const result = await measure(names, names.length > 1 ? 'all attacks' : names[0]), {figures} = result;
  await beside.close();
  const words = `${actions} actions, half / 99 % / worst: alone before ${spread(alone)} ms; ${lines.join('; ')}; archive ${filled ? 'filled' : 'empty'}; ${cpus().length} cores, load ${loadavg()[0].toFixed(0)}; ` +
    `cut off: ${figures.cut_slow_total} slow, ${figures.cut_rate_total} fast, ${figures.shed_total} shed; attacks ${JSON.stringify(result.done)}`;
  for (const name of names) demand(result.done[name], `the attack ${name} was not made; ${words}`);
  demand(more(result) <= 100, `99 % of the actions took ${more(result).toFixed(1)} ms more, 100 at most; ${words}`);
  return words;
}

export const scenarios = {siege};
if (process.argv[2] === '--attack') await attack(Number(process.argv[3]), process.argv[4].split(','), process.argv[5]);

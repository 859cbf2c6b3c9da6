// server.mjs -- what the programs of tests/soak share: a server as a process, bots, clients, metrics.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {WebSocket} from 'ws';

export const mashup = process.env.MASHUP ?? 'build/mashup';
export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const running = new Set();
const folders = [];
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const path of folders) rmSync(path, {recursive: true, force: true});
});

/** Fails the scenario. */
export function demand(truth, sentence) {
  if (!truth) throw new Error(sentence);
}

/** Waits until the question is answered with something; fails after so long. */
export async function until(question, what, ms = 20000) {
  for (const end = Date.now() + ms; ;) {
    const answer = await question();
    if (answer) return answer;
    demand(Date.now() < end, `it took too long: ${what}`);
    await sleep(20);
  }
}

/** A process and what it says. `shell`: a line for sh, as for ulimit. */
export function run(words, {shell, env} = {}) {
  const [command, list] = shell ? ['sh', ['-c', `${shell}; exec "$0" "$@"`, mashup, ...words]] : [mashup, words];
  const child = spawn(command, list, {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, ...env}});
  const told = {child, text: '', code: undefined};
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => { told.text += bytes; });
  told.ended = once(child, 'close').then(([code, signal]) => { running.delete(child); return told.code = code ?? signal; });
  return told;
}

/** A folder that goes away at the end. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'mashup-soak-'));
  folders.push(path);
  return path;
}

/** A server: its port, its folder, its process. */
export class TestServer {
  constructor(data = folder(), flags = [], how = {}) {
    Object.assign(this, {data, flags, how, port: 0});
  }
  async open() {
    this.process = run(['serve', '--address', '127.0.0.1', '--port', String(this.port), '--data', this.data, '--log-level', 'info', ...this.flags], this.how);
    await until(() => /ready at \S+:(\d+)\n/.test(this.process.text) || this.process.code !== undefined, 'the server opens');
    demand(this.process.code === undefined, `the server did not open: ${this.process.text}`);
    this.port = Number(/ready at \S+:(\d+)\n/.exec(this.process.text)[1]);
    return this;
  }
  /** Asks it to close, or kills it. */
  async close(signal = 'SIGTERM') {
    this.process.child.kill(signal);
    const code = await this.process.ended;
    demand(signal === 'SIGKILL' || code === 0, `the server ended with ${code}: ${this.process.text.slice(-500)}`);
  }
  /** Figures by name. */
  async figures() {
    const text = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text();
    return Object.fromEntries([...text.matchAll(/^mashup_(\S+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]));
  }
  async get(path) { return (await fetch(`http://127.0.0.1:${this.port}${path}`)).json(); }
  /** Megabytes in memory now. */
  memory() { return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.child.pid}/status`, 'utf8'))[1]) / 1024; }
  /** Open files now. */
  files() { return readdirSync(`/proc/${this.process.child.pid}/fd`).length; }
  /** CPU seconds so far. */
  cpu() {
    const fields = readFileSync(`/proc/${this.process.child.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }
  /** Bots that play each other two by two. */
  bots(seats, matches, more = []) {
    return run(['bot', `127.0.0.1:${this.port}`, ...(more.includes('--game') ? [] : ['--game', 'zorde']), '--seats', String(seats), '--pairs', '--matches', String(matches), ...(more.includes('--seconds') ? [] : ['--seconds', '300']), ...more]);
  }
  /** A client with a WebSocket that keeps what it receives. */
  async guest(name, role = 'person', request) {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/arena`, {perMessageDeflate: false});
    const guest = {socket, heard: [], code: undefined, say: message => socket.send(JSON.stringify(message))};
    socket.on('message', data => guest.heard.push(JSON.parse(data)));
    socket.on('error', error => { guest.error = error; });
    socket.on('close', code => { guest.code = code; });
    await until(() => socket.readyState === WebSocket.OPEN || guest.error || guest.code !== undefined, `${name} comes`);
    if (guest.error) return guest;
    guest.say({type: 'hello', name, role});
    if (request) guest.say(request);
    return guest;
  }
}

/** Waits for bots that must end well. */
export async function wellEnded(bots, what) {
  const code = await bots.ended;
  demand(code === 0, `${what}: the bots ended with ${code}: ${bots.text.slice(-500)}`);
}

/** A match of two clients: makes the first listed move, as long as asked. */
export async function match(server) {
  const one = await server.guest('One', 'person', {type: 'open', game: 'zorde', seat: 0});
  const table = await until(() => one.heard.find(told => told.type === 'table'), 'a table');
  const two = await server.guest('Two', 'person', {type: 'join', code: table.code});
  const last = guest => guest.heard.findLast(told => told.type === 'position');
  await until(() => last(one) && last(two), 'the match begins');
  /** One action by the awaited player; how long until it was sent, in ms. */
  const act = async () => {
    const guest = last(one).awaited.includes(0) ? one : two;
    const position = last(guest);
    const {verb, unit, ability, cells} = position.actions.at(-1);
    const [x, y, other = 0, amount = 0] = cells.at(-1);
    const began = performance.now();
    guest.say({type: 'act', position: position.number, verb, unit, ability, x, y, other, amount});
    await until(() => last(guest).number > position.number && last(one).number === last(two).number, 'an action is told');
    return performance.now() - began;
  };
  return {one, two, act, code: table.code, over: () => last(one).result !== undefined};
}

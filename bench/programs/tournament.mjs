// tournament.mjs -- an arena of many bots on one server: what it costs, and how long an answer takes meanwhile.
//
//   node bench/programs/tournament.mjs [PLAYERS] [SECONDS]
//
// The bots play random legal actions of Zorde, each 100 ms after its turn began, and are paired again and again. One more connection asks
// `here` ten times a second and measures how long the answer takes.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { WebSocket } from 'ws';

const players = Number(process.argv[2] ?? 500);
const seconds = Number(process.argv[3] ?? 60);
const data = mkdtempSync(join(tmpdir(), 'mashup-bench-'));
const server = spawn('build/mashup', ['serve', '--port', '0', '--address', '127.0.0.1', '--data', data, '--log-level', 'warning',
  '--sockets-max', '4000', '--address-sockets-max', '4000', '--no-rates'], { stdio: ['ignore', 'pipe', 'inherit'] });
const port = await new Promise((done) => {
  let text = '';
  server.stdout.on('data', (bytes) => { text += bytes; const found = /:(\d+)\s/.exec(text); if (found) done(Number(found[1])); });
});

/** The server's metrics by name. */
async function metrics() {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Object.fromEntries([...text.matchAll(/^mashup_(\w+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]));
}

/** Processor time of the server so far, in seconds. */
function cpu() {
  const parts = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(parts[11]) + Number(parts[12])) / 100;
}

const waits = [];
let asked = 0;
let asking = null;
let code = null;
const link = new WebSocket(`ws://127.0.0.1:${port}/arena`);
link.on('message', (text) => {
  const message = JSON.parse(String(text));
  if (message.type === 'tournament') code = message.code;
  if (message.type === 'done' && message.id === asked && asking !== null) {
    waits.push(performance.now() - asking);
    asking = null;
  }
});
await once(link, 'open');
link.send(JSON.stringify({ type: 'hello', name: 'Organiser', role: 'person' }));
link.send(JSON.stringify({ type: 'tournament-create', title: 'Bench', kind: 'arena', game: 'zorde', minutes: 60 }));
while (code === null) await new Promise((done) => setTimeout(done, 50));
const bots = spawn('build/mashup', ['bot', `127.0.0.1:${port}`, '--tournament', code, '--seats', String(players), '--pace-ms', '100', '--seconds', '3600'],
  { stdio: ['ignore', 'ignore', 'inherit'] });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
while ((await metrics()).websockets < players) await pause(200);
await pause(2000);
link.send(JSON.stringify({ type: 'tournament-manage', code, what: 'start' }));
await pause(5000);
const before = { ...(await metrics()), cpu: cpu(), at: performance.now() };
const timer = setInterval(() => {
  if (asking !== null) return;
  asking = performance.now();
  link.send(JSON.stringify({ type: 'here', id: ++asked }));
}, 100);
await pause(seconds * 1000);
clearInterval(timer);
const after = { ...(await metrics()), cpu: cpu(), at: performance.now() };
const passed = (after.at - before.at) / 1000;
const rate = (name) => ((after[name] - before[name]) / passed).toFixed(1);
waits.sort((a, b) => a - b);
const part = (share) => (waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0).toFixed(1);
console.log(`| players | actions/s | results/s | messages out/s | MB out/s | server CPU | answer p50 | p99 | most | longest turn of the loop (CPU) |`);
console.log('|---|---|---|---|---|---|---|---|---|---|');
console.log(`| ${players} | ${rate('actions_total')} | ${rate('tournament_results_total')} | ${rate('frames_out_total')} | ${((after.bytes_out_total - before.bytes_out_total) / passed / 1e6).toFixed(2)} | `
  + `${(100 * (after.cpu - before.cpu) / passed).toFixed(1)} % of a core | ${part(0.5)} ms | ${part(0.99)} ms | ${part(1)} ms | ${(after.loop_longest_turn_cpu_microseconds / 1000).toFixed(1)} ms |`);
bots.kill('SIGKILL');
server.kill('SIGKILL');
await pause(200);
rmSync(data, { recursive: true, force: true });
process.exit(0);

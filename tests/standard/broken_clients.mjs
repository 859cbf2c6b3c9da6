// broken_clients.mjs -- one of our AIs against clients that are broken on purpose, at our server by the network standard:
// node tests/standard/broken_clients.mjs build/mashup [--long]
// Whatever the other does, the AI must be told in the end that it has won, and end with 0.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { TestServer, login } from './client.mjs';

const [binary, ...flags] = process.argv.slice(2);
const PATIENCE_MS = 90000;
let failed = 0;

const base = JSON.parse(readFileSync('games/marvelous-mashup/content/standard.game.json', 'utf8'));
const config = join(tmpdir(), `mashup-broken-${process.pid}.game.json`);
writeFileSync(config, JSON.stringify({ ...base, maxRoundTime: 1, maxPauseTime: 1, maxResponseTime: 20 }));

/** Runs the AI to its end. */
function runAi(url) {
  return new Promise((resolve) => {
    const child = spawn(binary, ['ai', url, '--name', 'ours', '--level', '3', '--pace', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => { out += data; });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out });
    });
  });
}

/** A client that behaves until the match runs, then is handed over. */
async function against(name, break_) {
  const server = await TestServer.open(binary, '-m', config);
  const began = Date.now();
  const ai = runAi(server.url());
  const client = await login(server, 'broken', 'KI');
  const done = (async () => {
    await client.until('GAME_ASSIGNMENT');
    client.choose(0, 1, 2, 3, 4, 5);
    await client.until('GAME_STRUCTURE');
    const first = await client.until('EVENTS');
    await break_(client, first.messages.at(-1));
  })().catch((error) => error.message);
  const { code, out } = await ai;
  await Promise.race([done, new Promise((resolve) => { setTimeout(resolve, 100).unref(); })]);
  const good = code === 0 && /^won, \d+ requests, 0 refused/.test(out);
  console.log(`${good ? 'ok    ' : 'FAILED'} ${name} (${Date.now() - began} ms)`);
  if (!good) console.log(`    exit code ${code}: ${out}${server.log}`);
  failed += !good;
  client.cut();
  await server.close().catch((error) => {
    failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  });
}

await against('no JSON', async (client) => client.raw('{"messageType":"REQ'));
await against('an unknown type', async (client) => client.raw('{"messageType":"HURRAY"}'));
await against('the wrong order', async (client) => client.raw('{"messageType":"HELLO_SERVER","name":"x","deviceID":"y"}'));
await against('a frame too long', async (client) => client.raw(JSON.stringify({ messageType: 'REQUESTS', x: 'x'.repeat(5 << 20) })));
await against('illegal moves', async (client, state) => {
  for (let i = 0; i < 20; i++) {
    const move = { requestType: 'MoveRequest', originEntity: state.activeCharacter, originField: [0, 0], targetField: [9, 9] };
    client.request(move);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
});
await against('gives up', async (client) => client.request({ requestType: 'DisconnectRequest' }));
await against('says nothing', async () => {});
await against('hears nothing', async (client) => client.socket.pause());
if (flags.includes('--long')) await against('is gone', async (client) => client.cut());

console.log(failed === 0 ? 'ours wins against all of them' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

// matches.mjs -- two of our AIs play whole matches at our server by the network standard, on every shipped scenario:
// node tests/standard/matches.mjs build/mashup [--matches N] [--bare N] [--cut N] [--level L] [--at-once K] [--scenario NAME]...
//     [--conf-match FILE]
// Of each scenario N matches are wrapped, N bare, and in N both lines are cut in the middle.
// Nobody may be refused anything, every match must end regularly, both must agree on the winner, and every frame of either side
// must fit the schema: a relay checks all of them.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { WebSocket, WebSocketServer } from 'ws';
import { TestServer } from './client.mjs';

const [binary, ...words] = process.argv.slice(2);
const values = (name) => words.flatMap((word, i) => (word === `--${name}` ? [words[i + 1]] : []));
const number = (name, usual) => Number(values(name).at(-1) ?? usual);
const content = 'games/marvelous-mashup/content';
const scenarios = readdirSync(content).filter((file) => file.endsWith('.scenario.json')).map((file) => file.split('.')[0])
  .filter((name) => values('scenario').length === 0 || values('scenario').includes(name));
const [matches, bareMatches, cutMatches] = [number('matches', 1), number('bare', 1), number('cut', 1)];
const [level, atOnce] = [number('level', 4), number('at-once', 2)];
const PATIENCE_MS = number('patience', 120) * 1000;

const ajv = new Ajv({ strict: false });
ajv.addSchema(JSON.parse(readFileSync('docs/standard.schema.json', 'utf8')), 'standard');
const validators = { client: ajv.getSchema('standard#/$defs/client'), server: ajv.getSchema('standard#/$defs/server') };
const found = { matches: 0, frames: 0, requests: 0, nacks: 0, cuts: 0, problems: [] };

function problem(words_) {
  if (found.problems.length < 20) console.log(`FAILED ${words_.slice(0, 1500)}`);
  found.problems.push(words_);
}

function look(side, text, cut = false) {
  let message;
  found.frames++;
  try {
    message = JSON.parse(text);
  } catch {
    problem(`the ${side} says no JSON: ${text}`);
    return;
  }
  if (!validators[side](message)) problem(`the ${side} says what the schema does not know: ${text}`);
  for (const { eventType, requestType } of message.messages ?? [message]) {
    if (eventType === 'TurnTimeoutEvent') problem('somebody was too slow for its turn');
    found.nacks += eventType === 'Nack' && !cut; // a lost line is a pause, which a request may cross
    found.requests += requestType !== undefined && requestType !== 'Req';
  }
}

/** Passes everything on, in order, between clients and a server, and looks at it. A client at a path that ends in ?cut is cut
 *  off once, at some moment of the match. */
async function goBetween(port) {
  const cuts = new Map(); // by device: frames that are left
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => { server.on('listening', resolve); });
  server.on('connection', (client, request) => {
    const [path, cut] = request.url.split('?');
    const mashupServer = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    const waiting = [];
    let device = '';
    client.on('message', (data) => {
      look('client', String(data), cut);
      device ||= /"deviceID":"(\w+)"/.exec(String(data))?.[1];
      if (cut === 'cut' && !cuts.has(device)) cuts.set(device, 30 + Math.floor(Math.random() * 100));
      if (mashupServer.readyState === WebSocket.OPEN) mashupServer.send(String(data));
      else waiting.push(String(data));
    });
    mashupServer.on('open', () => { for (const text of waiting.splice(0)) mashupServer.send(text); });
    mashupServer.on('message', (data) => {
      look('server', String(data), cut);
      client.send(String(data));
      if (!cuts.has(device)) return;
      cuts.set(device, cuts.get(device) - 1);
      if (cuts.get(device) !== 0) return;
      found.cuts++;
      client.terminate();
      mashupServer.terminate();
    });
    client.on('close', () => mashupServer.close());
    mashupServer.on('close', (code) => client.close(code === 1005 || code === 1006 ? 1000 : code));
    for (const socket of [client, mashupServer]) socket.on('error', () => {});
  });
  return server;
}

/** Runs to the end; what was said and how it ended. */
function run(flags) {
  return new Promise((resolve) => {
    const child = spawn(binary, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => { out += data; });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out });
    });
  });
}

async function playOne(url, name) {
  const both = await Promise.all(['a', 'b'].map((letter) => run(['ai', url, '--name', letter, '--level', `${level}`, '--pace', '0'])));
  const results = both.map(({ out }) => out.split(',')[0]).sort();
  found.matches++;
  for (const { code, out } of both)
    if (code !== 0 || !/ 0 refused/.test(out)) problem(`${name}: exit code ${code}: ${out}`);
  if (atOnce === 1 && `${results}` !== 'lost,won') problem(`${name}: the two were ${results}`);
}

async function playScenario(scenario) {
  const configs = values('conf-match').flatMap((file) => ['-m', file]);
  const mashupServer = await TestServer.open(binary, '-s', `${content}/${scenario}.scenario.json`, ...configs);
  const between = await goBetween(mashupServer.port);
  const base = `ws://127.0.0.1:${between.address().port}`;
  const wanted = [...Array(matches).fill(`${base}/`), ...Array(bareMatches).fill(`${base}/channel`),
    ...Array(cutMatches).fill(`${base}/?cut`)];
  const workers = Array.from({ length: atOnce }, async () => {
    while (wanted.length > 0) await playOne(wanted.shift(), scenario);
  });
  await Promise.all(workers);
  between.close();
  await mashupServer.close().catch((error) => problem(`${scenario}: ${error.message}`));
}

for (const scenario of scenarios) {
  const began = Date.now();
  await playScenario(scenario);
  console.log(`${scenario}: ${found.matches} matches so far, ${Date.now() - began} ms`);
}
console.log(`${found.matches} matches, ${found.frames} frames, ${found.requests} requests, ${found.nacks} refused, ` +
  `${found.cuts} lines cut, ${found.problems.length} problems`);
process.exit(found.problems.length === 0 && found.nacks === 0 ? 0 : 1);

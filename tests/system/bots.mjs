// bots.mjs -- the bots of docs/bots.md play each other at a real server, every language against every other and the one of six lines
// against itself, and rated with accounts of their own; and the page prints them whole: node tests/system/bots.mjs build/mashup build/examples/bot
import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {WebSocket} from 'ws';
import {readGames} from '../../web/games.mjs';

const [mashup, botC] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'mashup-bots-'));
const patience = 60000;
let failed = 0;

/** A process, all it says, and its end; it is killed if it takes too long. */
function run(command, words, limit = patience, token) {
  const child = spawn(command, words, {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, ...(token ? {MASHUP_TOKEN: token} : {})}});
  const told = {child, text: ''};
  const timer = setTimeout(() => child.kill('SIGKILL'), limit);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => { told.text += bytes; });
  told.ended = once(child, 'close').then(([code]) => { clearTimeout(timer); return code; });
  return told;
}

function demand(truth, sentence) {
  if (truth) return;
  failed++;
  console.error(`FAILED: ${sentence}`);
}

const server = run(mashup, ['serve', '--port', '0', '--address', '127.0.0.1', '--data', folder, '--fast', '--log-level', 'error'], 20 * patience);
while (!/ready at \S+:(\d+)\n/.test(server.text)) {
  if (server.child.exitCode !== null) throw new Error(server.text);
  await new Promise(resolve => setTimeout(resolve, 20));
}
const port = /:(\d+)\n/.exec(server.text)[1];

const start = {
  C: (game, name, token) => run(botC, [`127.0.0.1:${port}`, game, name], patience, token),
  Python: (game, name, token) => run('python3', ['examples/bot.py', `ws://127.0.0.1:${port}`, game, name], patience, token),
  JavaScript: (game, name, token) => run('node', ['examples/bot.mjs', `ws://127.0.0.1:${port}`, game, name], patience, token),
};

/** Two bots at one table: both end well, and one's victory is the other's defeat. */
async function play(game, one, other) {
  const bots = [start[one](game, `${one} 1`), start[other](game, `${other} 2`)];
  const codes = await Promise.all(bots.map(bot => bot.ended));
  const ends = bots.map(bot => /^(won|lost|drawn)/.exec(bot.text)?.[1]);
  demand(codes.every(code => code === 0), `${game}, ${one} and ${other}: exit codes ${codes}: ${bots.map(bot => bot.text).join('')}`);
  demand([...ends].sort().join() === 'lost,won' || ends.join() === 'drawn,drawn', `${game}, ${one} and ${other}: ${ends}`);
}

const games = readGames();
// `mashup bot --exec` with a bot of six lines, against itself in every game.
const exec = (game, command, ...words) => run(mashup, ['bot', `127.0.0.1:${port}`, '--game', game, '--exec', command, '--seconds', '50', ...words]);
const told = async bot => { await bot.ended; return bot.text; };
async function playSix(game) {
  const bot = exec(game, 'python3 examples/six.py', '--pairs');
  demand(await bot.ended === 0 && /^2 matches, .* 0 refused, 0 offences/.test(bot.text), `${game}, six lines: ${bot.text}`);
}
await Promise.all(games.map(({id}) => playSix(id)));
// A program that ends, or answers nonsense, resigns its match and says why; the server sees no offence.
for (const [command, reason] of [['exit 3', 'the program ended with code 3'], ['while read line; do echo nonsense; done', '"nonsense" is no legal action']]) {
  const bot = exec('zorde', command, '--pairs');
  demand(await bot.ended === 1 && bot.text.includes(reason) && bot.text.includes('0 offences'), `${command}: ${bot.text}`);
}
// One that fails in one match after the other is not given all of them to lose.
const failing = exec('zorde', 'exit 3', '--pairs', '--matches', '30');
demand(await failing.ended === 1 && failing.text.includes('failed in 3 matches in a row') && Number(/^(\d+) matches/m.exec(failing.text)[1]) < 30, `fails always: ${failing.text}`);
// Whoever waits is told what for: a server that does not answer, a path that is not the arena's, an opponent; and how a time was lost.
await Promise.all([[['127.0.0.1:1', '--game', 'zorde', '--seconds', '2'], 'mashup bot: ws://127.0.0.1:1/arena: '], [[`127.0.0.1:${port}/wrong`, '--game', 'zorde', '--seconds', '5'], 'The arena protocol is at the path /arena.'], [[`127.0.0.1:${port}`, '--game', 'zorde', '--seconds', '8'], 'for somebody who wants to play zorde']].map(async ([words, reason]) => {
  const bot = run(mashup, ['bot', ...words]);
  demand(await bot.ended === 1 && bot.text.includes(reason), `${words}: ${bot.text}`);
}));
demand(/--exec needs a command/.test(await told(exec('zorde', ''))), 'an empty command');
demand(/exec: needs a command/.test(await told(run(mashup, ['league', 'zorde', '--players', 'exec:,level1']))), 'an empty command in a league');
demand(/or exec:COMMAND/.test(await told(run(mashup, ['league', 'zorde', '--players', 'exce:x,level1']))), 'a wrong player');
// A league tells a program the same of its table as a server does: the preset, or documents where they are the user's own.
const heard = await told(run(mashup, ['league', 'generals', '--players', 'exec:head -1 1>&2; exit "3",level1', '--pairs', '1', '--json']));
demand(/"preset":"printed"/.test(heard) && !/"documents"/.test(heard), `the table in a league: ${heard.slice(0, 300)}`);
demand(JSON.parse(heard.slice(heard.indexOf('{"game": '))).players[0].player.endsWith('exit "3"'), `a name with quotes in JSON: ${heard}`);
const pairs = [['C', 'Python'], ['JavaScript', 'C'], ['Python', 'JavaScript'], ['JavaScript', 'Python'], ['Python', 'C']];
await Promise.all(games.map(({id}, i) => play(id, ...pairs[i % pairs.length])));

// From nothing to rated bots: somebody claims a name and makes their accounts; each plays for its rating by its token, `mashup bot` by a file.
execFileSync(mashup, ['admin', 'limits', 'address-logins', '100000', '--data', folder]);
const socket = new WebSocket(`ws://127.0.0.1:${port}/arena`);
const answers = [];
socket.on('message', bytes => answers.push(JSON.parse(bytes)));
await once(socket, 'open');
async function ask(message) {
  answers.length = 0;
  socket.send(JSON.stringify(message));
  while (answers.length === 0) await once(socket, 'message');
  return answers[0];
}
await ask({type: 'hello', name: 'Olga', role: 'person'});
demand((await ask({type: 'claim', name: 'Olga', key: '00112233445566778899aabbccddeeff'})).type === 'account', 'Olga has no account');
const rated = ['Bot Python', 'Bot Node', 'Bot C', 'Bot File'], tokens = [];
for (const name of rated) tokens.push((await ask({type: 'key', what: 'bot', name})).key);
socket.close();
demand(tokens.every(token => /^[0-9a-f]{32}$/.test(token)), `tokens: ${tokens}`);
const tokenFile = join(folder, 'bot.token');
writeFileSync(tokenFile, `${tokens[3]}\n`, {mode: 0o600});
/** A bot that plays one rated match and ends. */
async function ratedEnd(bot, ended) {
  const code = await bot.ended;
  demand(code === 0 && ended.test(bot.text), `a rated bot: ${code} ${bot.text}`);
}
await Promise.all([ratedEnd(start.Python('zorde', 'P', tokens[0]), /^(won|lost|drawn)/), ratedEnd(start.JavaScript('zorde', 'J', tokens[1]), /^(won|lost|drawn)/)]);
await Promise.all([ratedEnd(start.C('zorde', 'C', tokens[2]), /^(won|lost|drawn)/),
  ratedEnd(exec('zorde', 'python3 examples/six.py', '--token-file', tokenFile, '--rated', '--matches', '1'), /^1 matches, .* 0 refused, 0 offences/)]);
for (const name of rated) {
  const profile = await (await fetch(`http://127.0.0.1:${port}/api/v1/players/${encodeURIComponent(name)}`)).json();
  demand(profile.program === true && profile.ratings.length === 1 && profile.ratings[0].rated === 1, `${name}: ${JSON.stringify(profile)}`);
}
const wrong = await told(exec('zorde', 'python3 examples/six.py', '--token-file', join(folder, 'none'), '--rated'));
demand(/cannot read .*none: No such file/.test(wrong), `a token file that is not there: ${wrong}`);

// What is wrong is said, and ends the bot.
for (const language of ['Python', 'JavaScript']) {
  const bot = start[language]('no-such-game', 'Lost');
  demand(await bot.ended === 1 && bot.text.includes("This server doesn't have that game."), `${language}: ${bot.text}`);
}

// A server that stops sending, in the middle of a message or between two, and one that closes: each is reported and ends the bot.
const {createServer} = await import('node:net');
const {createHash} = await import('node:crypto');
const frame = (opcode, bytes) => Buffer.concat([Buffer.from([128 | opcode, bytes.length]), Buffer.from(bytes)]);
for (const [last, reason] of [[Buffer.alloc(0), 'lost'], [Buffer.from([129, 100, 123]), 'lost'], [frame(8, [3, 233, ...Buffer.from('gone away')]), 'gone away']]) {
  const odd = createServer(line => {
    line.on('error', () => {});
    line.once('data', bytes => {
      const key = /Sec-WebSocket-Key: (\S+)/i.exec(String(bytes))[1];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      line.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      line.end(last);
    });
  }).listen(0, '127.0.0.1');
  await once(odd, 'listening');
  const address = `ws://127.0.0.1:${odd.address().port}`;
  for (const [language, bot] of [['Python', run('python3', ['examples/bot.py', address, 'zorde'])], ['JavaScript', run('node', ['examples/bot.mjs', address, 'zorde'])]])
    demand(await bot.ended === 1 && bot.text.includes(reason), `${language}, a connection that ends (${reason}): ${bot.text}`);
  odd.close();
}

const {matches} = await (await fetch(`http://127.0.0.1:${port}/api/archive`)).json();
demand(matches.length === 2 * games.length + 2, `${matches.length} matches in the archive`);
server.child.kill('SIGTERM');
demand(await server.ended === 0, 'the server did not close well');
rmSync(folder, {recursive: true});

const page = readFileSync('docs/bots.md', 'utf8');
for (const file of ['examples/bot.c', 'examples/bot.py', 'examples/bot.mjs', 'examples/six.py', 'examples/ahead.py'])
  demand(page.includes(readFileSync(file, 'utf8')), `docs/bots.md does not print ${file} as it is`);
// The table of functions has all of them.
const {open} = await import('../../sim/mashup.mjs');
const functions = Object.getOwnPropertyNames(Object.getPrototypeOf((await open()).begin({game: 'zorde'})));
for (const name of functions.filter(name => name !== 'constructor')) demand(page.includes(`\`${name}(`), `docs/bots.md does not tell what ${name}() gives`);
// The tables of requests and verbs are those of the program.
const reference = execFileSync(mashup, ['engine', '--reference'], {encoding: 'utf8'}).trim().split('\n\n');
for (const part of reference) demand(page.includes(part), `docs/bots.md does not print mashup engine --reference as it is (make schemas writes it): ${part.slice(0, 60)}`);
// Those with the simulator play whole matches in every game without a failure, here and without a server.
const league = await Promise.all(games.map(async ({id}, i) => {
  const players = ['exec:python3 examples/ahead.py 1', 'exec:node examples/ahead.mjs 1', 'exec:python3 examples/level.py 2'];
  const played = run(mashup, ['league', id, '--players', `${players[i % 3]},${players[(i + 1) % 3]}`, '--pairs', '1', '--json']);
  demand(await played.ended === 0 && !/loses/.test(played.text), `${id}: ${played.text}`);
}));
for (const {id} of games) {
  const learns = run('python3', ['examples/gym.py', id]);
  demand(await learns.ended === 0 && /steps, rewards/.test(learns.text), `gym.py ${id}: ${learns.text}`);
}
if (failed) process.exit(1);
console.log(`bots: ${games.length} matches in three languages and ${games.length} of six lines, four bots that were rated, ${league.length} pairs with the simulator, all ended well`);

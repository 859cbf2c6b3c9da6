// bots.mjs -- the bots of docs/bots.md play each other at a real server, every language against every other, and the page prints
// them whole: node tests/system/bots.mjs build/mashup build/examples/bot
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readGames} from '../../web/games.mjs';

const [mashup, botC] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'mashup-bots-'));
const patience = 60000;
let failed = 0;

/** A process, all it says, and its end; it is killed if it takes too long. */
function run(command, words) {
  const child = spawn(command, words, {stdio: ['ignore', 'pipe', 'pipe']});
  const told = {child, text: ''};
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => { told.text += bytes; });
  told.ended = once(child, 'close').then(([code]) => { clearTimeout(timer); return code; });
  return told;
}

function demand(truth, sentence) {
  if (truth) return;
  failed++;
  console.error(`FAILED: ${sentence}`);
}

const server = run(mashup, ['serve', '--port', '0', '--address', '127.0.0.1', '--data', folder, '--fast', '--log-level', 'error']);
while (!/ready at \S+:(\d+)\n/.test(server.text)) {
  if (server.child.exitCode !== null) throw new Error(server.text);
  await new Promise(resolve => setTimeout(resolve, 20));
}
const port = /:(\d+)\n/.exec(server.text)[1];

const start = {
  C: (game, name) => run(botC, [`127.0.0.1:${port}`, game, name]),
  Python: (game, name) => run('python3', ['examples/bot.py', `ws://127.0.0.1:${port}`, game, name]),
  JavaScript: (game, name) => run('node', ['examples/bot.mjs', `ws://127.0.0.1:${port}`, game, name]),
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
const pairs = [['C', 'Python'], ['JavaScript', 'C'], ['Python', 'JavaScript'], ['JavaScript', 'Python'], ['Python', 'C']];
await Promise.all(games.map(({id}, i) => play(id, ...pairs[i % pairs.length])));

// What is wrong is said, and ends the bot.
for (const language of ['Python', 'JavaScript']) {
  const bot = start[language]('no-such-game', 'Lost');
  demand(await bot.ended === 1 && bot.text.includes("This server doesn't have that game."), `${language}: ${bot.text}`);
}

const {matches} = await (await fetch(`http://127.0.0.1:${port}/api/archive`)).json();
demand(matches.length === games.length, `${matches.length} matches in the archive`);
server.child.kill('SIGTERM');
demand(await server.ended === 0, 'the server did not close well');
rmSync(folder, {recursive: true});

const page = readFileSync('docs/bots.md', 'utf8');
for (const file of ['examples/bot.c', 'examples/bot.py', 'examples/bot.mjs'])
  demand(page.includes(readFileSync(file, 'utf8')), `docs/bots.md does not print ${file} as it is`);
if (failed) process.exit(1);
console.log(`bots: ${games.length} matches in three languages, all ended well`);

// tournament.mjs -- eight bots in one tournament by one command: three languages, one that crashes, one that hangs, one that cheats, one of
// the Marvelous Mashup standard, two levels; killed (-9) and resumed, and its page looked at in Chromium at two sizes:
// node tests/system/tournament.mjs build/mashup [--full] [--pictures DIR]
// Usually a Swiss tournament of three rounds; --full: everybody against everybody, then the top four.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {chromium} from 'playwright-core';

const words = process.argv.slice(2);
const mashup = resolve(words[0]), full = words.includes('--full');
const pictures = words.includes('--pictures') ? words[words.indexOf('--pictures') + 1] : null;
const folder = mkdtempSync(join(tmpdir(), 'mashup-tournament-test-'));
let failed = 0;

function demand(truth, sentence) {
  if (truth) return;
  failed++;
  console.error(`FAILED: ${sentence}`);
}

/** Runs the command in the folder; what it said, and its end. */
function run(...given) {
  const child = spawn(mashup, ['tournament', ...given], {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});
  const told = {child, out: '', err: ''};
  child.stdout.on('data', bytes => { told.out += bytes; });
  child.stderr.on('data', bytes => { told.err += bytes; });
  told.ended = once(child, 'exit').then(([code, signal]) => signal ?? code);
  return told;
}
const pause = ms => new Promise(done => setTimeout(done, ms));
const lines = () => existsSync(join(folder, 'out/results.jsonl')) ? readFileSync(join(folder, 'out/results.jsonl'), 'utf8').split('\n').slice(0, -1) : [];

// --- The bots ---------------------------------------------------------------------------------------
mkdirSync(join(folder, 'python'));
cpSync('examples/six.py', join(folder, 'python/bot.py'));
writeFileSync(join(folder, 'bot.mjs'), `import {createInterface} from 'node:readline';
for await (const line of createInterface({input: process.stdin})) {
  const {actions} = JSON.parse(line);
  if (actions?.length) console.log(actions[0].words[0]);
}
`);
writeFileSync(join(folder, 'bot.pl'), `$| = 1;
while (<STDIN>) { print "$1\\n" if /"actions":\\[\\{.*?"words":\\["([^"]*)"/; }
`);
writeFileSync(join(folder, 'crash.pl'), `$| = 1;
while (<STDIN>) { next unless /"actions":\\[\\{.*?"words":\\["([^"]*)"/; print STDERR "out of luck\\n"; exit 7 if ++$n == 2; print "$1\\n"; }
`);
writeFileSync(join(folder, 'cheat.pl'), `$| = 1;
while (<STDIN>) { print "take all stones\\n" if /"actions":\\[\\{/; }
`);
const plan = {
  name: 'Eight bots', game: 'marvelous-mashup', ...(full ? {then: {system: 'knock-out', top: 4}} : {system: 'swiss', rounds: 3}),
  turn_ms: 20000, startup_ms: 20000,
  players: [
    {name: 'Python', exec: 'python3 bot.py', folder: 'python'}, {name: 'JavaScript', exec: 'node bot.mjs', cpu_s: 300},     {name: 'Crashes', exec: 'perl crash.pl'}, {name: 'Hangs', exec: 'sleep 1000', turn_ms: 100, startup_ms: 300}, {name: 'Cheats', exec: 'perl cheat.pl', memory_mb: 200},
    {name: 'Standard', standard: `'${mashup}' ai {url} --level 1 --name {name} --pace 0`}, {name: 'Level 2', level: 'level2'}, {name: 'Level 1', level: 'level1'},
  ],
};
writeFileSync(join(folder, 'eight.json'), JSON.stringify(plan));

// --- A file with mistakes, and --check ----------------------------------------------------------------
writeFileSync(join(folder, 'bad.json'), '{"game": "zorde",\n "players": [{"name": "a", "exec": 3}, {"name": "b", "level": "level3"}]}');
const bad = run('bad.json', '--output', 'bad');
demand(await bad.ended !== 0 && /bad\.json:2:\d+: \$\.players\[0\]\.exec/.test(bad.err), `a bad file: ${bad.err}`);

const checked = run('eight.json', '--check', '--jobs', '3');
demand(await checked.ended === 1, `--check: exit code ${await checked.ended}: ${checked.out}${checked.err}`);
for (const [name, end] of [['Python', 'well'], ['JavaScript', 'well'], ['Crashes', 'crashed'], ['Hangs', 'late'], ['Cheats', 'illegal'], ['Standard', 'well']])
  demand(new RegExp(`^${name} +${end}`, 'm').test(checked.out), `--check, ${name}: ${checked.out}${checked.err}`);

// --- Killed, stopped, resumed -------------------------------------------------------------------------
const started = run('eight.json', '--output', 'out', '--jobs', '3');
while (lines().length < 4 && started.child.exitCode === null && started.child.signalCode === null) await pause(20);
started.child.kill('SIGKILL');
await started.ended;
const before = lines();
demand(before.length >= 4, `nothing was played before the kill: ${started.err}`);
const again = run('eight.json', '--output', 'out');
demand(await again.ended === 1 && /--resume/.test(again.err), `a folder with results: ${again.err}`);

const stopped = run('eight.json', '--output', 'out', '--jobs', '3', '--resume');
while (lines().length < before.length + 3 && stopped.child.exitCode === null && stopped.child.signalCode === null) await pause(20);
stopped.child.kill('SIGINT');
demand(await stopped.ended === 1 && /mashup tournament eight\.json --output out --resume/.test(stopped.err), `Ctrl-C: ${stopped.err}`);
const middle = lines();

const live = run('eight.json', '--output', 'out', '--jobs', '3', '--resume', '--serve', '0');
while (!/live at (http:\S+)/.test(live.out) && live.child.exitCode === null && live.child.signalCode === null) await pause(20);
const address = /live at (http:\S+)/.exec(live.out)?.[1];
demand(address, `--serve: ${live.err}`);
let boards = 0;
while (!/the page stays/.test(live.err) && live.child.exitCode === null && live.child.signalCode === null) {
  const answer = await (await fetch(`${address}live.json`)).json();
  boards = Math.max(boards, answer.boards.length);
  await pause(50);
}
demand(boards > 0, 'no board was shown while they played');
demand((await fetch(`${address}matches/../results.jsonl`)).status === 404 && (await fetch(`${address}logs/%2e%2e/results.jsonl`)).status === 404, 'a path outside the folders is answered');

// --- What came of it ----------------------------------------------------------------------------------
const results = lines().map(line => JSON.parse(line));
const count = full ? (28 + 3) * 2 : 3 * 4 * 2;
demand(results.length === count, `${results.length} results instead of ${count}`);
demand(middle.every((line, index) => line === lines()[index]) && before.every((line, index) => line === middle[index]), 'results were changed by going on');
const keys = results.map(match => [match.stage, match.round, match.first, match.second, match.preset, match.pair, match.turn].join());
demand(new Set(keys).size === keys.length, 'a match was played twice');
const wanted = {Crashes: 'crashed', Hangs: 'late', Cheats: 'illegal'};
for (const match of results)
  for (const side of ['first', 'second']) {
    const end = match[`${side}_end`], name = match[side], opponent = match[side === 'first' ? 'second' : 'first'];
    /* Who meets somebody that fails first has done nothing wrong. */
    const fine = end === 'well' || end === wanted[name] || (name === 'Hangs' && end === 'not-started');
    demand(fine && !(end === 'well' && wanted[name] && !wanted[opponent]), `match ${match.match}: ${name} ${end}: ${match[`${side}_why`]}`);
    const atServer = name === 'Standard' || opponent === 'Standard';
    demand(atServer || existsSync(join(folder, `out/matches/${String(match.match).padStart(5, '0')}.js`)), `match ${match.match} has no boards`);
  }
const crash = results.find(match => match.first === 'Crashes' && match.first_end === 'crashed' && match.second !== 'Standard') ?? results.find(match => match.second === 'Crashes' && match.second_end === 'crashed' && match.first !== 'Standard');
const log = crash && `out/logs/${String(crash.match).padStart(5, '0')}-${crash.first === 'Crashes' ? 'first' : 'second'}.stderr.txt`;
demand(crash && readFileSync(join(folder, log), 'utf8').includes('out of luck'), 'what the crashing bot wrote is not kept');

// --- The page -----------------------------------------------------------------------------------------
const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage']});
const sizes = [['desk', 1440, 900, 'light', 'en-US'], ['phone', 390, 844, 'dark', 'de-DE']];
for (const [name, width, height, colorScheme, locale] of sizes)
  for (const place of [`file://${folder}/out/index.html`, address]) {
    const context = await browser.newContext({viewport: {width, height}, colorScheme, locale});
    const page = await context.newPage();
    page.on('pageerror', error => demand(false, `${name}: ${error}`));
    await page.goto(place);
    const rows = await page.locator('table').first().locator('tbody tr').count();
    demand(rows === (full ? 4 : 8), `${name}: ${rows} rows in the table`);
    const shot = async part => pictures && page.screenshot({path: join(pictures, `tournament-${place.startsWith('file') ? 'file' : 'live'}-${name}-${part}.png`), fullPage: part === 'page'});
    await shot('page');
    const well = results.find(match => match.first_end === 'well' && match.second_end === 'well' && match.actions > 30);
    await page.getByRole('button', {name: new RegExp(`^${well.first} – ${well.second}:`)}).click();
    await shot('list');
    await page.locator('dialog li', {hasText: `#${well.match} `}).getByRole('button').click();
    await page.waitForSelector('dialog .board');
    await page.locator('dialog input[type=range]').fill(String(well.actions - 1));
    demand(await page.locator('dialog .unit').count() > 0 && await page.locator('dialog .said li').count() > 0, `${name}: the replay shows nothing`);
    await shot('replay');
    demand(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: wider than the window`);
    await context.close();
  }
await browser.close();
live.child.kill('SIGINT');
demand(await live.ended === 0, `the end of --serve: ${live.err}`);

// --- --quick ------------------------------------------------------------------------------------------
const quick = run('--quick', 'level2', 'perl bot.pl', '--pairs', '10');
demand(await quick.ended === 0 && /^level2 against perl bot\.pl: [+-]\d+ ± \d+ Elo, 20 matches of zorde in /.test(quick.out), `--quick: ${quick.out}${quick.err}`);

rmSync(folder, {recursive: true, force: true});
console.log(failed === 0 ? `tournament: ${count} matches of eight bots, killed and resumed: all fine` : `tournament: ${failed} failures`);
process.exit(failed === 0 ? 0 : 1);

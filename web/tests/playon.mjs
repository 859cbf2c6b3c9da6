// playon.mjs -- playing on from a moment of a replay: against the computer, both sides on this device, with a friend on the server, with files of one's own;
// and what is not possible.
// Usage: node web/tests/playon.mjs [part of a test's name]   (with SHORT=1 the first)
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TestServer, check, newPerson, openBrowser, summary, test, until, withPerson } from './server.mjs';
import { axe, closeHelp, resign } from './steps.mjs';

const only = process.argv[2];
const server = await new TestServer().open();
const browser = await openBrowser();

/** The files of a match between two programs; `flags` of the league. */
function matchOf(game, ...flags) {
  const folder = mkdtempSync(join(tmpdir(), 'mashup-playon-'));
  execFileSync('build/mashup', ['league', game, '--players', 'level1,level2', '--pairs', '1', '--save', folder, ...flags], { stdio: 'ignore' });
  const text = readFileSync(join(folder, readdirSync(folder).sort()[0]), 'utf8');
  rmSync(folder, { recursive: true });
  return JSON.parse(text);
}

/** The code of a match that two programs have played on the server. */
async function archived(game) {
  await promisify(execFile)('build/mashup', ['bot', `127.0.0.1:${server.port}`, '--game', game, '--seats', '2', '--pairs', '--level', '1', '--name', 'Bot']);
  let matches = [];
  await until(async () => ({ matches } = await (await fetch(`${server.url}/api/archive?game=${game}`)).json()) && matches.length > 0, 'no match in the archive');
  return matches[0].code;
}

/** Opens a match file as a replay. */
async function open(page, match) {
  await page.goto(`${server.url}/#/replays`);
  await page.setInputFiles('input[type=file]', { name: `${match.game}.match.json`, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(match)) });
  await page.locator('.replay').waitFor();
}

/** Goes to a moment of a replay. */
async function goTo(page, at) {
  await page.locator('.replay input[type=range]').fill(String(at));
  await page.waitForFunction((wanted) => document.querySelector('.replay .number').textContent.startsWith(`${wanted}/`), at);
}

/** Opens the box and chooses against whom. */
async function ask(page, whom) {
  await page.getByRole('button', { name: /^(Play on from here|Von hier weiterspielen)$/ }).click();
  await page.getByRole('combobox', { name: /^(Opponent|Gegner)$/ }).selectOption({ label: whom });
  return page.getByRole('dialog');
}

/** A friend is invited from this moment and joins: both are in a match. */
async function invited(page, at, side = 0) {
  await goTo(page, at);
  await (await ask(page, 'Invite a friend')).locator(`.button.seat-${side}`).click();
  await page.getByText(/This match goes on from turn \d+ of another one/).waitFor();
  check((await axe(page)).length === 0, (await axe(page)).join('; '));
  const link = await page.getByRole('textbox', { name: 'Copy link' }).inputValue();
  const friend = await newPerson(browser, null, { name: 'Bob' });
  await friend.goto(link);
  await friend.getByText(/This match goes on from turn \d+ of another one. It is not rated/).waitFor();
  await friend.getByRole('button', { name: 'Join match' }).click();
  await Promise.all([page, friend].map((one) => one.locator('.match .board-host').waitFor()));
  return friend;
}

/** The file of the newest finished match that this person has played. */
async function playedFile(page) {
  await page.goto(`${server.url}/#/mine`);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Save file/ }).first().click()]);
  return JSON.parse(readFileSync(await file.path(), 'utf8'));
}

await test('a friend joins at a moment of a match of the archive, and both play on', only, () => withPerson(browser, server, async (page) => {
  const code = await archived('zorde');
  const before = await (await fetch(`${server.url}/api/match/${code}`)).json();
  await page.goto(`${server.url}/#/replay/${code}`);
  const friend = await invited(page, 7);
  check((await page.getByRole('button', { name: /^Undo/ }).isDisabled()), 'what was done in the other match is not undone');
  check((await friend.locator('.log li').count()) >= 7, 'the log tells what was done before');
  await resign(friend);
  await page.getByRole('dialog', { name: /You won/ }).waitFor();
  const file = await playedFile(page);
  check(file.seed === before.seed && file.players.join() === 'Ann,Bob', `seed ${file.seed}, players ${file.players}`);
  check(file.actions.length === 8 && file.actions.slice(0, 7).every(({ action }, at) => action === before.actions[at].action), 'it goes on from there');
  check(friend.errors.length === 0, friend.errors.join('; '));
}), { short: true });

await test('both sides on this device, and against the computer', only, () => withPerson(browser, server, async (page) => {
  const match = matchOf('tablut');
  await open(page, match);
  await goTo(page, 4);
  await (await ask(page, 'Two players, one device')).getByRole('button', { name: 'Play both sides' }).click();
  await page.waitForFunction(() => location.hash === '#/match');
  await closeHelp(page);
  for (const seat of ['0', '1']) {
    await page.waitForFunction((wanted) => document.querySelector('.match')?.dataset.you === wanted, seat);
    await page.locator('#command-line').fill(match.actions[seat === '0' ? 4 : 5].word);
    await page.keyboard.press('Enter');
  }
  await page.waitForFunction(() => document.querySelector('.match')?.dataset.you === '0');
  await open(page, match);
  await goTo(page, 4);
  const against = await ask(page, 'Against the computer');
  await against.locator('input[type=range][max="9"]').fill('9'); /* Tablut has so many levels */
  await against.getByText('Level 9').waitFor();
  await against.locator('.button.seat-1').click();
  await page.waitForFunction(() => document.querySelector('.match')?.dataset.you === '1' && document.querySelector('.turn-words.mine'));
  await open(page, match);
  await goTo(page, match.actions.length);
  const box = await ask(page, 'Against the computer');
  await box.getByText('The match is over here.').waitFor();
  check(await box.locator('.button.seat-0').isDisabled(), 'there is nothing left to play');
}));

await test('with files of one\'s own, which the friend does not have', only, () => withPerson(browser, server, async (page) => {
  const folder = mkdtempSync(join(tmpdir(), 'mashup-own-'));
  const own = readFileSync('games/zorde/content/zorde.units.json', 'utf8').replace(/"health": (\d+)/, (_, health) => `"health": ${Number(health) + 1}`);
  writeFileSync(join(folder, 'own.units.json'), own);
  const match = matchOf('zorde', '--content', join(folder, 'own.units.json'));
  rmSync(folder, { recursive: true });
  check(match.documents.some(({ text }) => text === own), 'the match has files of its own');
  await open(page, match);
  const friend = await invited(page, 12, 1);
  check(friend.errors.length === 0, friend.errors.join('; '));
}));

await test('what is hidden in a match that is not over stays on this device; in German on a phone', only, () => withPerson(browser, server, async (page) => {
  const match = matchOf('generals');
  await open(page, { ...match, actions: match.actions.slice(0, -1), result: null });
  await goTo(page, match.actions.length - 5);
  const box = await ask(page, 'Freunde einladen');
  await box.getByText(/wer diese Wiederholung gesehen hat, weiß, was verdeckt ist/).waitFor();
  await box.locator('.button.seat-0').click();
  await box.getByText(/noch nicht zu Ende/).waitFor();
  check((await axe(page)).length === 0, (await axe(page)).join('; '));
  await open(page, match);
  await goTo(page, match.actions.length - 5);
  await (await ask(page, 'Freunde einladen')).locator('.button.seat-0').click();
  await page.getByText(/Diese Partie geht von Zug \d+ einer anderen aus weiter/).waitFor();
}, { viewport: { width: 390, height: 844 }, locale: 'de-DE' }));

await browser.close();
await server.close();
process.exit(summary());

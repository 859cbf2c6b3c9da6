// puzzles.mjs -- puzzles on the page: the list, that of the day without a network, a right and a wrong turn, hint and solution, the rating; a turn of
// one's own match as a puzzle.
// Usage: node web/tests/puzzles.mjs [part of a test's name]   (with SHORT=1 the first)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe } from './steps.mjs';
import { TestServer, check, openBrowser, summary, test, withPerson } from './server.mjs';

const only = process.argv[2];
const server = await new TestServer().open();
const browser = await openBrowser();
const { puzzles } = JSON.parse(readFileSync('games/zorde/puzzles.json', 'utf8'));

/** Waits until the puzzle is at this stage. */
const stage = (page, wanted) => page.waitForFunction((want) => document.querySelector('.puzzle')?.dataset.stage === want, wanted, { timeout: 60000 });

/** Types the words of a turn into the command line. */
async function typed(page, words) {
  for (const word of words) {
    const number = await page.locator('.match').getAttribute('data-number');
    await page.locator('#command-line').fill(word);
    await page.keyboard.press('Enter');
    await page.waitForFunction((before) => document.querySelector('.match').dataset.number !== before, number);
  }
}

/** What the panel says. */
const said = (page) => page.locator('.puzzle .coach-text').textContent();

await test('a right turn is praised and rated once; a wrong one is told how much it lost', only, () => withPerson(browser, server, async (page) => {
  await page.goto(`${server.url}/#/puzzles`);
  await page.getByText('Your rating: 1500?').waitFor();
  await page.getByRole('link', { name: /^Puzzle 1, .* not tried$/ }).last().waitFor();
  check(JSON.stringify(await axe(page)) === '[]', (await axe(page)).join('; '));
  await page.goto(`${server.url}/#/puzzle/zorde/1`);
  await stage(page, 'playing');
  await typed(page, puzzles[0].solutions[0]);
  await stage(page, 'right');
  await page.getByText(/Rating 1500 → 1[5-9]/).waitFor();
  check((await said(page)).startsWith('Right!'), await said(page));
  check(JSON.stringify(await axe(page)) === '[]', (await axe(page)).join('; '));
  await page.getByRole('button', { name: 'Next puzzle' }).click();
  await page.waitForFunction(() => location.hash === '#/puzzle/zorde/2');
  await stage(page, 'playing');
  await typed(page, puzzles[1].instead);
  await stage(page, 'wrong');
  check(/^Not this one: after it your winning chance is \d+\u00a0%; with the solution it is \d+\u00a0%\./.test(await said(page)), await said(page));
  await page.getByText(/Rating 1\d+ → 1\d+/).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await stage(page, 'playing');
  await page.getByText('Your turn', { exact: true }).first().waitFor(); // the turn is taken back a moment later
  await typed(page, puzzles[1].solutions[0]);
  await stage(page, 'right');
  const rating = await page.evaluate(() => JSON.parse(localStorage.getItem('mashup.puzzles')));
  check(Object.values(rating.tried).join() === 'right,wrong', `first attempts: ${Object.values(rating.tried)}`);
  await page.getByRole('button', { name: 'All puzzles' }).click();
  await page.getByText('Solved at once: 1 of 2').waitFor();
}), { short: true });

await test('hint and solution, in German on a phone; help counts as not solved', only, () => withPerson(browser, server, async (page) => {
  await page.goto(`${server.url}/#/puzzle/zorde/3`);
  await stage(page, 'playing');
  await page.getByRole('button', { name: 'Hinweis' }).click();
  await page.getByText(/Es beginnt mit /).waitFor();
  await page.getByRole('button', { name: 'Lösung zeigen' }).click();
  await stage(page, 'shown');
  await page.getByText(/Das Spielfeld zeigt die Lösung/).waitFor();
  await page.getByText(/Wertung 1500 → 1[0-4]/).waitFor();
  await page.getByRole('button', { name: 'Noch einmal', exact: true }).click();
  await stage(page, 'playing');
}, { viewport: { width: 390, height: 844 }, locale: 'de-DE' }));

await test('the puzzle of the day opens from the start page without a network', only, () => withPerson(browser, server, async (page) => {
  await page.goto(`${server.url}/#/`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null || navigator.serviceWorker.ready.then(() => true));
  await page.reload();
  await page.getByRole('link', { name: 'Puzzle of the day' }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Puzzle of the day' }).click();
  await stage(page, 'playing');
  check(/^#\/puzzle\/[a-z-]+\/\d+$/.test(await page.evaluate(() => location.hash)), await page.evaluate(() => location.hash));
  await page.context().setOffline(false);
}));

await test('a turn of one\'s own match that lost much is tried as a puzzle', only, () => withPerson(browser, server, async (page) => {
  const folder = mkdtempSync(join(tmpdir(), 'mashup-puzzles-'));
  execFileSync('build/mashup', ['league', 'zorde', '--players', 'level2,level4', '--pairs', '1', '--save', folder], { stdio: 'ignore' });
  const buffer = readFileSync(join(folder, readdirSync(folder).sort()[0]));
  rmSync(folder, { recursive: true });
  await page.goto(`${server.url}/#/replays`);
  await page.setInputFiles('input[type=file]', { name: 'zorde.match.json', mimeType: 'application/json', buffer });
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.getByRole('heading', { name: 'Turning points' }).waitFor({ timeout: 60000 });
  await page.getByText('All turns').click();
  await page.locator('details .report-turn.lost').first().click();
  await page.getByRole('button', { name: 'Try it as a puzzle' }).click();
  await stage(page, 'playing');
  check(/^You play .* In the match this turn lost \d+/.test(await said(page)), await said(page));
  await page.getByRole('button', { name: 'Show the solution' }).click();
  await stage(page, 'shown');
}));

await browser.close();
await server.close();
process.exit(summary());

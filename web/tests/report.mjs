// report.mjs -- the report of a match: made beside a replay, cancelled and begun again, kept with the match, the computer's turn on the board.
// Usage: node web/tests/report.mjs [part of a test's name]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe } from './steps.mjs';
import { TestServer, check, newPerson, openBrowser, summary, test } from './server.mjs';

const only = process.argv[2];
const browser = await openBrowser();
const server = await new TestServer().open();

/** The file of a match between two programs. */
function matchOf(game, players = 'level2,level4', ...more) {
  const folder = mkdtempSync(join(tmpdir(), 'mashup-report-'));
  execFileSync('build/mashup', ['league', game, '--players', players, '--pairs', '1', '--save', folder, ...more], { stdio: 'ignore' });
  const file = readFileSync(join(folder, readdirSync(folder).sort()[0]));
  rmSync(folder, { recursive: true });
  return { name: `${game}.match.json`, mimeType: 'application/json', buffer: file };
}

/** A person who looks at a replay. */
async function replaying(file, more = {}) {
  const page = await newPerson(browser, server, more);
  await page.goto(`${server.url}/#/replays`);
  await page.setInputFiles('input[type=file]', file);
  await page.locator('.replay').waitFor();
  return page;
}

await test('a report beside a replay: chances, turns, the computer\'s turn on the board', only, async () => {
  const file = matchOf('battleground');
  const page = await replaying(file);
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.getByRole('heading', { name: 'Turning points' }).waitFor({ timeout: 60000 });
  const length = JSON.parse(file.buffer.toString()).actions.length;
  await page.getByText('All turns').click();
  const turns = page.locator('details .report-turn');
  check(await turns.count() > 3, 'there are turns');
  await turns.filter({ hasText: 'lost' }).first().click();
  const at = () => page.locator('.replay .number').textContent();
  /* The board goes there in its own time. */
  await page.waitForFunction(() => !document.querySelector('.replay .number').textContent.startsWith('0/'));
  check(/^\d+\//.test(await at()) && !(await at()).startsWith('0/') && (await at()).endsWith(`/${length}`), await at());
  const here = await at();
  const number = () => page.locator('.match').getAttribute('data-number');
  await page.getByRole('button', { name: 'Play it on the board' }).click();
  await page.getByText('The board shows the computer’s turn.').waitFor();
  check(await page.locator('.report-after .thumbnail').count() === 2, 'both turns are shown side by side');
  await page.getByRole('button', { name: 'Why?' }).click();
  await page.waitForFunction(() => /\w{3}.*\./.test(document.querySelector('.report-detail [role=status]')?.textContent ?? '')
    && !document.querySelector('.report-detail [role=status]').textContent.includes('The board shows'), null, { timeout: 60000 });
  await page.getByRole('button', { name: 'Back to the match' }).click();
  await page.waitForFunction((wanted) => document.querySelector('.match').dataset.number === wanted, here.split('/')[0]);
  check(await at() === here && (await number()) === here.split('/')[0], 'back where one was');
  const found = await axe(page);
  check(found.length === 0, found.join('; '));
  check(page.errors.length === 0, page.errors.join('; '));
  await page.context().close();
}, { short: true });

await test('a report is cancelled, and begun again', only, async () => {
  const page = await replaying(matchOf('marvelous-mashup'), { viewport: { width: 390, height: 844 }, locale: 'de-DE' });
  await page.getByRole('tab', { name: /Report|Bericht/ }).click();
  await page.getByRole('button', { name: /Cancel|Abbrechen/ }).click({ timeout: 20000 });
  const again = page.getByRole('button', { name: /Make the report|Bericht erstellen/ });
  await again.waitFor();
  check(await page.locator('progress').count() === 0, 'it has stopped');
  await again.click();
  await page.locator('.report-turn').first().waitFor({ state: 'attached', timeout: 120000 });
  check(page.errors.length === 0, page.errors.join('; '));
  await page.context().close();
});

await test('a report is made on while something else is looked at, in another language and with a note', only, async () => {
  const page = await replaying(matchOf('ultimate-war'));
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.locator('progress').waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Notizen' }).click();
  await page.getByRole('textbox', { name: 'Notiz zu diesem Moment' }).fill('Hier.');
  await page.getByText(/^Der Bericht ist fertig\. Züge: \d+; Wendepunkte: \d\.$/).waitFor({ state: 'attached', timeout: 120000 });
  await page.getByRole('tab', { name: 'Bericht' }).click();
  await page.getByRole('heading', { name: 'Wendepunkte' }).waitFor();
  check(await page.locator('progress').count() === 0, 'it is not made again');
  check(page.errors.length === 0, page.errors.join('; '));
  await page.context().close();
});

await browser.close();
await server.close();
process.exit(summary());

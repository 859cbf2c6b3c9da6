// stats.mjs -- the page of statistics: matches of the server's archive are counted, by who played; cancelled; nothing is there yet.
// Usage: node web/tests/stats.mjs [part of a test's name]   (with SHORT=1 the first)
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { axe } from './steps.mjs';
import { TestServer, check, openBrowser, summary, test, withPerson } from './server.mjs';

const only = process.argv[2];
const server = await new TestServer().open();
const browser = await openBrowser();

/** Two programs play some matches of Ultimate War, whose draft has choices. */
async function played(matches) {
  const ai = (name, level) => promisify(execFile)('build/mashup', ['ai', `ws://127.0.0.1:${server.port}/arena`, '--protocol', 'arena', '--game', 'ultimate-war',
    '--name', name, '--level', level, '--matches', String(matches)], { timeout: 120000 });
  await Promise.all([ai('one', '4'), ai('two', '3')]);
}

await test('choices and first turns of the archive, with shares and intervals', only, () => withPerson(browser, server, async (page) => {
  await played(2);
  await page.goto(`${server.url}/#/replays`);
  await page.getByRole('link', { name: 'Statistics: what is chosen and what wins' }).click();
  await page.getByLabel('Game').selectOption('ultimate-war');
  await page.waitForFunction(() => location.hash === '#/stats/ultimate-war');
  await page.getByRole('button', { name: 'Count' }).click();
  await page.getByText(/^2 matches; the first side wins \d+\u00a0% \(\d+\u00a0% to \d+\u00a0%\); drawn: \d; mean length: \d+ actions\.$/).waitFor({ timeout: 60000 });
  await page.getByRole('heading', { name: 'Chosen' }).waitFor();
  const rows = await page.getByRole('region', { name: 'Chosen' }).locator('tbody tr').count();
  check(rows >= 6, `${rows} champions were chosen`);
  check(await page.getByRole('region', { name: 'First turns' }).locator('tbody tr').count() >= 1, 'there is a first turn');
  check((await axe(page)).length === 0, (await axe(page)).join('; '));
}), { short: true });

await test('without matches it says so; in German on a phone', only, () => withPerson(browser, server, async (page) => {
  await page.goto(`${server.url}/#/stats/tablut`);
  await page.getByRole('button', { name: 'Auszählen' }).click();
  await page.getByText('Von diesem Spiel gibt es noch keine beendeten Partien.').waitFor();
  await page.getByLabel('Partien').selectOption('mine');
  await page.getByRole('button', { name: 'Auszählen' }).click();
  await page.getByText('Von diesem Spiel gibt es noch keine beendeten Partien.').waitFor();
}, { viewport: { width: 390, height: 844 }, locale: 'de-DE' }));

await browser.close();
await server.close();
process.exit(summary());

// tournament.mjs -- tournaments on the page, in Chromium: two people and two bots play a Swiss and an arena; the server is killed in a round.
import { spawn } from 'node:child_process';
import { TestServer, check, newPerson, openBrowser, summary, test } from './server.mjs';
import { axe, closeHelp } from './steps.mjs';

const only = process.argv[2];
const server = await new TestServer().open();
const browser = await openBrowser();
const shots = process.env.SHOTS;

/** Creates a tournament of this template and organises it; its code. */
async function createTournament(page, template, more = {}) {
  await page.goto(`${server.url}/#/tournaments`);
  await page.getByText('Create a tournament').click();
  const field = (name) => page.locator('.create-tournament .field', { has: page.locator(`span:text-is("${name}")`) }).locator('input, select');
  await field('Kind').selectOption(template);
  await field('Game').selectOption(more.game ?? 'tablut');
  if (more.title) await field('Title').fill(more.title);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/#\/tournament\//);
  return page.url().split('/').at(-1);
}

/** Two bots that play in the tournament. */
function startBots(code) {
  const bots = spawn('build/mashup', ['bot', server.url, '--tournament', code, '--seats', '2', '--name', 'Bot', '--pace-ms', '5', '--seconds', '600'],
    { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => bots.kill());
  return bots;
}

/** Joins by the link. */
async function joinTournament(page, code) {
  await page.goto(`${server.url}/#/tournament/${code}`);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByText(/paired soon|is ready/).first().waitFor();
}

/** Gives up the match that has opened by itself. The other may have done so before. */
async function giveUp(page) {
  await closeHelp(page).catch(() => {});
  await page.getByRole('button', { name: /^(Menu|Menü)$/ }).click({ timeout: 5000 });
  await page.getByRole('button', { name: /^(Resign|Aufgeben)$/ }).click({ timeout: 5000 });
  await page.getByRole('button', { name: /^(Resign|Aufgeben)$/ }).click({ timeout: 5000 });
}

/** While the tournament runs: every match of these people that opens is given up by the first of them; all go back to the tournament when theirs
 * is over. Ends when the podium is there. */
async function playOn(people, code, enough = 90) {
  for (let turn = 0; turn < enough; turn++) {
    for (const page of people) {
      const at = page.url().split('#')[1] ?? '';
      if (at.startsWith('/tournament/')) {
        if (await page.locator('.podium').count()) continue;
        await page.locator('.tournament-me .big').click({ timeout: 1000 }).catch(() => {}); /* a match that was left */
      } else if (await page.locator('.match').count()) {
        const running = await page.getByRole('button', { name: /^(Menu|Menü)$/ }).isVisible().catch(() => false);
        if (running) await giveUp(page).catch(() => {});
        await page.goto(`${server.url}/#/tournament/${code}`);
      }
    }
    const podiums = await Promise.all(people.map((page) => page.locator('.podium').count()));
    if (podiums.every((count) => count > 0)) return;
    await people[0].waitForTimeout(1000);
  }
}

/** Pictures for who wants to look. */
async function shoot(page, name) {
  if (!shots) return;
  for (const [width, height] of [[1440, 900], [820, 1180], [390, 844]])
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png` });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

await test('two people and two bots play a Swiss of three rounds; the server is killed in a round', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  const bob = await newPerson(browser, server, { name: 'Bob' });
  const code = await createTournament(ann, 'swiss-3', { title: 'Evening' });
  await shoot(ann, 'organiser');
  await ann.getByRole('button', { name: 'Join', exact: true }).click();
  await joinTournament(bob, code);
  const bots = startBots(code);
  await ann.locator('.standings tbody tr').nth(3).waitFor();
  check((await axe(ann)).length === 0, `axe: ${await axe(ann)}`);
  await ann.goto(`${server.url}/#/tournaments`);
  await ann.locator('.match-row', { hasText: 'Evening' }).waitFor();
  await shoot(ann, 'list');
  await ann.goto(`${server.url}/#/tournament/${code}`);
  await ann.getByRole('button', { name: 'Start now' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.match')));
  await server.kill();
  await server.open();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.connection', { state: 'detached' })));
  await playOn([ann, bob], code, 3);
  await shoot(bob, 'running');
  await playOn([ann, bob], code);
  await ann.locator('.podium').waitFor();
  await bob.locator('.podium').waitFor();
  const played = await ann.locator('.standings tbody tr').count();
  check(played === 4, `${played} players in the standings`);
  const rounds = await ann.locator('details summary', { hasText: /^Round \d$/ }).count();
  check(rounds === 3, `${rounds} rounds`);
  const points = (await ann.locator('.standings tbody tr td:nth-child(3)').allInnerTexts()).map((text) => Number(text.replace('½', '.5')));
  check(points.reduce((sum, n) => sum + n, 0) === 6, `points ${points}: six matches have six`);
  await shoot(ann, 'podium');
  await ann.goto(`${server.url}/#/tournament/${code}/beamer`);
  await ann.locator('.beamer .podium').waitFor();
  await shoot(ann, 'beamer');
  bots.kill();
  for (const page of [ann, bob]) await page.context().close();
});

await test('an arena: join, be paired again and again, leave, and its organiser ends it', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  const bob = await newPerson(browser, server, { name: 'Bob' });
  const code = await createTournament(ann, 'arena-15');
  await ann.getByRole('button', { name: 'Join', exact: true }).click();
  const bots = startBots(code);
  await joinTournament(bob, code);
  await ann.getByRole('button', { name: 'Start now' }).click();
  await ann.waitForSelector('.match');
  await giveUp(ann).catch(() => {});
  await ann.goto(`${server.url}/#/tournament/${code}`);
  await ann.waitForSelector('.match'); /* the next match opens by itself */
  await giveUp(ann).catch(() => {});
  await ann.goto(`${server.url}/#/tournament/${code}`);
  await ann.getByRole('button', { name: 'End the tournament' }).click();
  await playOn([bob, ann], code);
  const eva = await newPerson(browser, server, { name: 'Eva', locale: 'de-DE' });
  await eva.goto(`${server.url}/#/tournament/${code}`);
  await eva.getByText('gewinnt das Turnier').waitFor();
  await shoot(eva, 'german');
  bots.kill();
  for (const page of [ann, bob, eva]) await page.context().close();
});

await browser.close();
await server.close();
process.exit(summary());

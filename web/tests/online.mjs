// online.mjs -- two browsers at one table, over a long cable: placement and choice as one step.
// Usage: node web/tests/online.mjs [part of a test's name]   (RUNS=12: how often each is done)
import { Cable, TestServer, check, newPerson, openBrowser, summary, test } from './server.mjs';

const only = process.argv[2];
const runs = Number(process.env.RUNS ?? 1);
const server = await new TestServer().open();
const cable = await new Cable(server).open();
const browser = await openBrowser();

/** Ann invites Bob to a game; both are at the table, over the long cable. */
async function invited(game) {
  Object.assign(cable, { delay: 0, jitter: 0 });
  const ann = await newPerson(browser, cable, { name: 'Ann' });
  const bob = await newPerson(browser, cable, { name: 'Bob' });
  for (const page of [ann, bob])
    await page.evaluate((id) => localStorage.setItem(`mashup.lesson.${id}`, '1'), game).then(() => asked(page));
  await ann.goto(`${cable.url}/#/game/${game}`);
  await ann.locator('input[value=invite]').check({ force: true });
  await ann.locator('button[type=submit]').click();
  await bob.goto(await ann.inputValue('input.link'));
  await bob.getByRole('button', { name: 'Join match' }).click();
  for (const page of [ann, bob]) await page.waitForSelector('.match');
  Object.assign(cable, { delay: 300, jitter: 60 });
  return [ann, bob];
}

/** Ends the match for both; nothing may have gone wrong on their pages. */
async function part(...pages) {
  for (const page of pages) {
    check(page.errors.length === 0, `errors on the page: ${page.errors.join('; ')}`);
    await page.context().close();
  }
}

/** What a page asks its server for from now on: the types of its messages. */
function asked(page) {
  const types = [];
  page.sent = types;
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => types.push(JSON.parse(payload).type)));
}

/** Shows what both see when something goes wrong. */
async function watched(pages, run) {
  try {
    await run();
  } catch (error) {
    for (const [at, page] of pages.entries()) await page.screenshot({ path: `build/online-failed-${at}.png` }).catch(() => {});
    throw error;
  }
}

/** Nothing was refused. */
async function noRefusal(page, who) {
  const alerts = await page.locator('.notice.bad, [role=alert]').allTextContents();
  check(alerts.every((text) => text.trim() === ''), `${who} is told: ${alerts.join('; ')}`);
}

for (let run = 1; run <= runs; run++) {
  await test(`Generals: both place an army at the same time, 300 ms away (${run})`, only, async () => {
    const pages = await invited('generals');
    await watched(pages, async () => {
      for (const page of pages) await page.locator('.hand [data-layout]').first().click();
      await Promise.all(pages.map((page) => page.locator('.hand').getByRole('button', { name: 'Ready', exact: true }).click()));
      for (const [at, page] of pages.entries()) {
        await page.waitForSelector('.board-host .token');
        await noRefusal(page, at);
        const acts = page.sent.filter((type) => type.startsWith('act')).join();
        check(acts === 'acts', `it is one step: ${acts}`);
        const count = await page.locator('.board-host .token').count();
        check(count === 42, `${count} pieces are on the board`);
      }
      await Promise.any(pages.map((page) => page.waitForSelector('.turn-words.mine')));
    });
    await part(...pages);
  }, { short: true });

  await test(`Marvelous Mashup: both choose six heroes at the same time, 300 ms away (${run})`, only, async () => {
    const pages = await invited('marvelous-mashup');
    await watched(pages, async () => {
      for (const page of pages)
        for (let at = 0; at < 6; at++) await page.locator('.offer').nth(2 * at).click();
      await Promise.all(pages.map((page) => page.locator('.assemble-head .primary').click()));
      for (const [at, page] of pages.entries()) {
        await page.waitForSelector('.board-host .token');
        await noRefusal(page, at);
        const acts = page.sent.filter((type) => type.startsWith('act')).join();
        check(acts === 'acts', `it is one step: ${acts}`);
        const chosen = await page.locator('.log li', { hasText: /Ann|Bob|First side|Second side|choos|chose/ }).allTextContents();
        check(new Set(chosen).size === chosen.length, `the log says something twice: ${chosen.join('; ')}`);
      }
    });
    await part(...pages);
  }, { short: true });
}

cable.close();
await browser.close();
await server.close();
process.exit(summary());

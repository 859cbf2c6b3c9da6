// layout.mjs -- what stands around the board and what stands still: titles, notices, the board's place in every game and at every
// size, the board turned, what just happened, and how a player is told.
// Usage: node web/tests/layout.mjs [part of a test's name]
import { Cable, TestServer, check, newPerson, openBrowser, summary, test } from './server.mjs';
import { startMatch } from './player.mjs';

const only = process.argv[2];
const SHORT = { short: true };
const server = await new TestServer().open();
const browser = await openBrowser();

/** Runs with pages of new people that are closed again; errors of a page are failures. */
async function withPeople(count, run, options = {}) {
  const pages = [];
  for (let i = 0; i < count; i++) pages.push(await newPerson(browser, options.server ?? server, { name: ['Ann', 'Bob', 'Eve'][i], ...options }));
  try {
    await run(...pages);
    for (const page of pages) check(page.errors.length === 0, `errors on the page: ${page.errors.join('; ')}`);
  } catch (error) {
    for (const [i, page] of pages.entries()) await page.screenshot({ path: `build/layout-failed-${i}.png` }).catch(() => {});
    throw error;
  } finally {
    for (const page of pages) await page.context().close();
  }
}

/** The two sit at a table of a game: the first invites, the second comes by the link. */
async function meet(ann, bob, game, preset, place = server) {
  await ann.goto(place.url);
  await startMatch(ann, place, game, { mode: 'invite', preset }, '.qr');
  const link = await ann.locator('input.link').inputValue();
  await bob.evaluate((id) => localStorage.setItem(`mashup.lesson.${id}`, '1'), game);
  await bob.goto(`${server.url}/${link.slice(link.indexOf('#'))}`);
  await bob.getByRole('button', { name: 'Join match' }).waitFor();
  return async () => {
    await bob.getByRole('button', { name: 'Join match' }).click();
    for (const page of [ann, bob]) await page.waitForSelector('.match');
  };
}

await test('the tab says where one is, the chat counts what is new, and being back is said for a moment', only, async () => {
  const cable = await new Cable(server).open();
  await withPeople(2, async (ann, bob) => {
    const join = await meet(ann, bob, 'zorde', 'duel', cable);
    check((await bob.title()) === "You're invited · Mashup", `the title of an invitation: ${await bob.title()}`);
    await join();
    await bob.waitForSelector('.match .board-host');
    const titles = [await ann.title(), await bob.title()].sort();
    check(titles.every((title) => title.endsWith('Zorde vs Calliance · Mashup')), `the titles of a match: ${titles}`);
    check(titles.some((title) => /Your turn/.test(title)) && titles.some((title) => /’s turn/.test(title)), `the titles say whose turn it is: ${titles}`);

    const badge = bob.locator('.tab-chat .badge');
    await ann.getByRole('tab', { name: /Chat/ }).click();
    const speak = async (text) => {
      await ann.locator('#chat-line').fill(text);
      await ann.keyboard.press('Enter');
    };
    await speak('Hello');
    await badge.waitFor();
    check(/^1/.test(await badge.innerText()), 'one line is new');
    check((await ann.locator('.tab-chat .badge').count()) === 0, 'what one says oneself is not new');
    await bob.getByRole('tab', { name: /Chat/ }).click();
    await bob.getByText('Hello').waitFor();
    await bob.getByRole('tab', { name: 'Log' }).click();
    check((await badge.count()) === 0, 'what was seen is not new');
    await speak('Good luck');
    await badge.waitFor();
    check(/^1/.test(await badge.innerText()), 'only the second line is new');

    cable.cut();
    await ann.getByText('Connection lost.').first().waitFor();
    cable.mend();
    const back = ann.locator('.notices').getByText('Reconnected.');
    await back.waitFor();
    check((await back.count()) === 1, 'it is said once');
    await back.waitFor({ state: 'detached' });
    ann.errors = ann.errors.filter((text) => !/WebSocket|ERR_|Failed to fetch/.test(text));
  });
  cable.close();
}, SHORT);

await browser.close();
await server.close();
process.exit(summary());

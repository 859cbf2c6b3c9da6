// choosing.mjs -- what is chosen and shown on the board while one plays: never an enemy by itself.
// Usage: node web/tests/choosing.mjs [part of a test's name]
import { readGames } from '../games.mjs';
import { TestServer, check, newPerson, openBrowser, summary, test } from './server.mjs';
import { playByMouse, startMatch } from './player.mjs';

const only = process.argv[2];
const games = readGames().map(({ id, page }) => ({ game: id, ...page.tests }));
const server = await new TestServer().open();
const browser = await openBrowser();

/** Runs a test with a page of its own, on which nothing may go wrong. */
async function withPerson(run, options) {
  const page = await newPerson(browser, server, options);
  try {
    await run(page);
    check(page.errors.length === 0, `errors on the page: ${page.errors.join('; ')}`);
  } catch (error) {
    await page.screenshot({ path: 'build/choosing-failed.png' }).catch(() => {});
    throw error;
  } finally {
    await page.context().close();
  }
}

for (const { game, preset, haste } of games)
  await test(`second side, 40 things done, never an enemy is chosen: ${game}`, only, () =>
    withPerson(async (page) => {
      await startMatch(page, server, game, { mode: 'ai', preset, seat: 1 });
      let own = 0;
      let done = 0;
      await playByMouse(page, {
        seed: 5, haste, seconds: 240,
        after: async () => {
          const chosen = await page.evaluate(() =>
            [...document.querySelectorAll('.token.selected, .sides [aria-pressed=true]')].map((one) => one.className));
          const enemy = chosen.filter((name) => /\bseat-0\b/.test(name));
          check(enemy.length === 0, `an enemy is chosen: ${enemy}`);
          own += chosen.some((name) => /\bseat-1\b/.test(name)) ? 1 : 0;
          return ++done < 40;
        },
      });
      check(own > 0 || done < 40, 'own units are chosen');
    }),
    { short: game === 'battleground' },
  );

await browser.close();
await server.close();
process.exit(summary());

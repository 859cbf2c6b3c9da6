// choosing.mjs -- what is chosen and shown on the board while one plays: never an enemy by itself, and over each unit what
// really happens to it.
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

/** Where the middle of a marked cell of this kind is; null: none is marked. */
const markOf = (page, kind) =>
  page.evaluate((wanted) => {
    const host = document.querySelector('.board-host');
    const mark = (host?.dataset.marks ?? '').split(' ').map((text) => text.split(',')).find((one) => one[2] === wanted);
    const stage = host?.querySelector('.stage');
    if (!mark || !stage || document.querySelector('dialog[open], .curtain')) return null;
    const box = stage.getBoundingClientRect();
    const cell = Number.parseFloat(stage.style.getPropertyValue('--cell'));
    const [left, top] = stage.querySelector('.stage-world').style.transform.match(/-?[\d.]+/g).map(Number);
    return { x: box.left + left + (+mark[0] + 0.5) * cell, y: box.top + top + (+mark[1] + 0.5) * cell };
  }, kind);

/** What stands over the units: [unit, text, whether it is one's own]. */
const forecasts = (page) =>
  page.evaluate(() => [...document.querySelectorAll('.forecast')].map((one) => [+one.dataset.unit, one.textContent, one.classList.contains('own')]));

/** The health of each unit as the teams show it. */
const healths = (page) =>
  page.evaluate(() =>
    Object.fromEntries([...document.querySelectorAll('.sides .unit-card')].map((one) =>
      [one.dataset.unit, Number(/^\s*(\d+)/.exec(one.querySelector('.health, .bar, [role=meter], [role=img]')?.textContent ?? '')?.[1])])));

for (const { game, preset, haste } of games.filter(({ game }) => ['zorde', 'battleground', 'marvelous-mashup'].includes(game)))
  await test(`what stands over each unit is what happens to it: ${game}`, only, () =>
    withPerson(async (page) => {
      await startMatch(page, server, game, { preset });
      let compared = 0;
      await playByMouse(page, {
        seed: 9, haste, seconds: 240,
        after: async () => {
          const at = await markOf(page, 'attack');
          if (!at) return true;
          await page.mouse.move(at.x, at.y);
          await page.waitForSelector('.forecast', { timeout: 2000 }).catch(() => {});
          const told = await forecasts(page);
          const number = await page.locator('.match').getAttribute('data-number');
          await page.mouse.click(at.x, at.y);
          const asked = page.locator('.choices [data-action]');
          if ((await page.locator('.dock-row').count()) === 0 && (await asked.count()) > 0) await asked.first().click();
          await page.waitForFunction((before) => document.querySelector('.match')?.dataset.number !== before || document.querySelector('.curtain'), number);
          if (await page.locator('.curtain').count()) return true;
          const now = await healths(page);
          for (const [unit, text] of told) {
            const [, , after] = /^(\d+) → (\d+)( ✕)?$/.exec(text) ?? [];
            if (after === undefined || Number.isNaN(now[unit])) continue;
            check((now[unit] ?? 0) === Number(after), `${game}: over unit ${unit} stood "${text}", and it has ${now[unit]}`);
            compared++;
          }
          return compared < 6;
        },
      });
      check(compared > 0, 'something was told and compared');
    }),
    { short: game === 'zorde' },
  );

await browser.close();
await server.close();
process.exit(summary());

// rules.mjs -- the rules for players in Chromium: every picture is drawn and said in words, in both languages, on a desk and on a phone;
// a picture can be watched; the ways to them, and from them to the complete rules.
// Usage: node web/tests/rules.mjs [part of a test's name]   (with SHORT=1 one game)
import { readGames } from '../games.mjs';
import { check, openBrowser, summary, test, TestServer, withPerson } from './server.mjs';
import { axe } from './steps.mjs';

const only = process.argv[2];
const SHORT = { short: true };
const server = await new TestServer().open();
const browser = await openBrowser();
const games = readGames();
const picturesOf = ({ aim, turn, actions, end }) => [aim, turn, ...actions, end].flatMap(({ pictures = [] }) => pictures);
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' };

const asPlayer = (run, more) => withPerson(browser, server, run, more);

/** Opens the rules of a game and waits until every picture is there; boards are built when they come near. */
async function open(page, { id, guide }) {
  await page.goto(`${server.url}/#/rules/${id}`);
  await page.waitForSelector('.kinds li');
  /* The engine plays each of them first. */
  await page.waitForFunction((count) => document.querySelectorAll('.guide-figure[aria-busy=false]').length === count, picturesOf(guide).length);
  for (const figure of await page.locator('.guide-figure').all()) {
    await figure.scrollIntoViewIfNeeded();
    for (const board of await figure.locator('.guide-board').all()) await board.locator('.token').first().waitFor({ state: 'attached' });
  }
}

/** What is to be seen and heard of every picture. */
async function look(page, { guide }) {
  const pictures = picturesOf(guide);
  const figures = await page.locator('.guide-figure').evaluateAll((all) => all.map((figure) => ({
    caption: figure.querySelector('figcaption').textContent,
    boards: [...figure.querySelectorAll('.guide-board')].map((board) => {
      const { width, height } = board.getBoundingClientRect();
      const world = board.getBoundingClientRect();
      const outside = [...board.querySelectorAll('.token')].filter((token) => {
        const box = token.getBoundingClientRect();
        return token.style.display !== 'none' && (box.left < world.left - 2 || box.right > world.right + 2 || box.top < world.top - 2 || box.bottom > world.bottom + 2);
      });
      return { label: board.getAttribute('aria-label'), width, height, tokens: board.querySelectorAll('.token').length, outside: outside.length };
    }),
  })));
  pictures.forEach((picture, at) => {
    const { caption, boards } = figures[at];
    check(caption.length > 20 && !/[{}]/.test(caption), `caption: ${caption}`);
    check(boards.length === (picture.do ? 2 : 1), `${caption}: ${boards.length} boards`);
    for (const { label, width, height, tokens, outside } of boards) {
      check(label.length > 20, `${caption}: its words are "${label}"`);
      check(width > 150 && height > 100 && tokens > 0 && outside === 0, `${caption}: ${width} x ${height}, ${tokens} tokens, ${outside} outside`);
    }
  });
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than the screen');
}

for (const game of games) {
  const form = game.id === 'zorde' ? SHORT : {};
  await test(`${game.id}: all pictures on a desk, nothing found by axe`, only, () => asPlayer(async (page) => {
    await open(page, game);
    await look(page, game);
    const flaws = await axe(page);
    check(flaws.length === 0, flaws.join('\n'));
  }), form);

  await test(`${game.id}: the same in German on a dark phone`, only, () => asPlayer(async (page) => {
    await page.evaluate(() => localStorage.setItem('mashup.language', 'de'));
    await page.reload();
    await open(page, game);
    await look(page, game);
    await page.getByRole('heading', { name: 'Dein Zug' }).waitFor();
    const flaws = await axe(page);
    check(flaws.length === 0, flaws.join('\n'));
  }, PHONE), form);
}

await test('a picture can be watched, by keys alone', only, () => asPlayer(async (page) => {
  const zorde = games.find(({ id }) => id === 'zorde');
  await open(page, zorde);
  const watch = page.locator('.guide-play').first();
  await watch.focus();
  await page.keyboard.press('Enter');
  const figure = page.locator('.guide-figure', { has: page.locator('.guide-play') }).first();
  await figure.locator('.guide-board').nth(1).locator('.forecast').first().waitFor({ state: 'detached' });
  await figure.locator('.guide-board').nth(1).locator('.forecast').first().waitFor();
}, { reducedMotion: 'no-preference' }), SHORT);

await test('from start, setup, match and lesson to the rules, and on to the complete ones', only, () => asPlayer(async (page) => {
  const wanted = '#/rules/zorde';
  await page.locator(`a[href="${wanted}"]`).first().click();
  await page.waitForSelector('.guide-figure');
  await page.getByRole('link', { name: 'Complete rules' }).first().click();
  await page.waitForSelector('.sentence');
  check((await page.locator('.sentence').count()) > 10, 'the numbered sentences are there');
  const flaws = await axe(page);
  check(flaws.length === 0, flaws.join('\n'));
  await page.getByRole('link', { name: 'Rules with pictures' }).click();
  await page.waitForSelector('.guide-figure');
  await page.goto(`${server.url}/#/game/zorde`);
  await page.locator(`form a[href="${wanted}"]`).waitFor();
  for (const way of ['learn', 'game']) {
    await page.goto(`${server.url}/#/${way}/zorde`);
    if (way === 'game') await page.locator('button[type=submit]').click();
    await page.waitForSelector('.match');
    if ((await page.locator('dialog[open]').count()) === 0) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('button', { name: 'How to play' }).click();
    }
    await page.locator(`dialog[open] a[href$="${wanted}"]`).waitFor();
  }
}), SHORT);

await test('what is seen of a picture may be told after it has gone', only, () => asPlayer(async (page) => {
  await page.addInitScript(() => {
    globalThis.IntersectionObserver = class {
      constructor(tell) {
        let told = 0;
        this.tell = () => { if (told++ < 2) tell([{ isIntersecting: true }]); };
      }
      observe(element) {
        new MutationObserver(() => element.isConnected || this.tell()).observe(document, { childList: true, subtree: true });
      }
      disconnect() { queueMicrotask(this.tell); }
    };
  });
  await page.reload();
  await page.goto(`${server.url}/#/rules/zorde`);
  await page.waitForSelector('.guide-board');
  await page.goto(`${server.url}/#/`);
  await page.waitForSelector('.games li');
}));

await browser.close();
await server.close();
process.exit(summary());

// steps.mjs -- what people do on the page, for tests: start a match, do something in it, look for flaws.
import { readFileSync } from 'node:fs';
import { drawn } from './server.mjs';

const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** Goes to a game's screen, chooses how to play and starts. */
export async function startMatch(page, server, game, mode) {
  await page.goto(`${server.url}/#/game/${game}`);
  await page.locator(`input[value=${mode}]`).check({ force: true });
  await page.locator('button[type=submit]').click();
}

/** Closes what explains the game when it is played for the first time: it comes with the match, or not at all. */
export async function closeHelp(page) {
  await page.waitForSelector('.match');
  const help = page.locator('dialog[open]');
  if ((await help.count()) === 0) return;
  await help.locator('button.primary').first().click();
  await help.waitFor({ state: 'detached' });
}

/** What the note over the board says, once it says something; not what it said before something was done. */
export async function noted(page) {
  await drawn(page);
  const text = await page.waitForFunction(() => {
    const note = document.querySelector('.stage-note');
    return note && !note.hidden && note.textContent;
  });
  return text.jsonValue();
}

/** Waits until one of these is to act; that page. */
export async function waitForTurn(...pages) {
  return Promise.any(pages.map(async (page) => {
    await page.waitForSelector('.turn-words.mine');
    return page;
  }));
}

/** Does the first thing that the command line offers. */
export async function acted(page) {
  const line = page.locator('#command-line');
  const before = await page.locator('.log li').count();
  for (const letter of 'smacpedwuto') {
    await line.fill(letter);
    for (let last = ''; last !== (await line.inputValue());) {
      last = await line.inputValue();
      await line.press('Tab');
      await line.focus();
    }
    if ((await line.inputValue()) === letter) continue;
    await line.press('Enter');
    await page.waitForFunction((n) => document.querySelectorAll('.log li').length > n || !document.querySelector('.turn-words.mine'), before);
    return;
  }
  throw new Error('the command line offers nothing');
}

/** What is on the board: where everything stands, and how it is; or, if a text is given, whether that is it. */
const shown = (like) => {
  const text = [...document.querySelectorAll('.board-host .token')].map((one) => `${one.style.transform} ${one.textContent}`).sort().join('\n');
  return like === undefined ? text : text === like;
};
/** Where everything stands on the board, and how it is. */
export function board(page) {
  return page.evaluate(shown);
}
/** Waits until the board is as it was; says what differs if it does not become so. */
export async function boardIs(page, before) {
  await page.waitForFunction(shown, before).catch(async (error) => {
    throw new Error(`the board is another:\n${await board(page)}\nand was\n${before}\n${error.message}`);
  });
}

/** Gives the match up. */
export async function resign(page) {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
}

/** Waits until no colour is on its way to another: half-way, a button may be too pale to read. What never ends is not waited for. */
export async function settled(page) {
  await page.evaluate(() => Promise.all(document.getAnimations()
    .filter((one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime))
    .map((one) => one.finished.catch(() => null))));
}

/** Waits until the page says the same twice: what it was to look up is there. */
export async function quiet(page) {
  const words = () => page.evaluate(() => document.body.innerText);
  for (let before = null, now = await words(); now !== before;) {
    await drawn(page);
    [before, now] = [now, await words()];
  }
  await settled(page);
}

/** What axe-core finds, best practice too if that is not excluded: one line each. */
export async function axe(page, { best = true } = {}) {
  await settled(page);
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate((tags) => globalThis.axe.run(document, { runOnly: tags }),
    ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', ...(best ? ['best-practice'] : [])]);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} (${node.failureSummary?.split('\n').slice(1, 3).join(' ').trim()})`).slice(0, 3).join(', ')}`);
}

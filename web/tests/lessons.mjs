// lessons.mjs -- goes through lessons as a learner would: with the mouse, and by keys alone; what else one may try in them.
// Usage: node web/tests/lessons.mjs [part of a test's name]   (with SHORT=1 one game)
import { readGames } from '../games.mjs';
import { check, openBrowser, summary, test, TestServer, withPerson } from './server.mjs';

const only = process.argv[2];
const SHORT = { short: true };
const server = await new TestServer().open();
const browser = await openBrowser();
const games = readGames().filter(({ lesson }) => lesson !== null);
const first = games.find(({ id }) => id === 'zorde');
const title = ({ id }) => id;

const asLearner = (run, more) => withPerson(browser, server, run, more);

/** The step that is shown, from 1 on. */
const stepOf = async (page) => Number((await page.locator('.coach-count').textContent()).split('/')[0]);

/** Waits until something can be done, another step is shown, or the lesson is at its end. */
const ready = (page, number, timeout = 30000) =>
  page.waitForFunction(
    (before) => {
      const now = document.querySelector('.match')?.dataset.number + document.querySelector('.coach-count')?.textContent;
      return now !== before && document.querySelector('.coach-keys, .coach-ways .primary') !== null;
    },
    number,
    { polling: 20, timeout },
  );

/** What tells one moment of a lesson from the next. */
const momentOf = (page) => page.evaluate(() => document.querySelector('.match').dataset.number + document.querySelector('.coach-count').textContent);

/** Opens a lesson from the start page. */
async function open(page, game) {
  await page.locator(`a[href="#/learn/${game.id}"]`).click();
  await page.waitForSelector('.coach');
}

/** Goes to the last step; `act` does what the page shows. */
async function goThrough(page, { lesson }, act) {
  const steps = lesson.steps.length;
  const seen = new Set();
  for (let done = 0; (await stepOf(page)) < steps; done++) {
    check(done < 60, `the lesson has no end: step ${await stepOf(page)}`);
    const at = await stepOf(page);
    const text = await page.locator('.coach-text').textContent();
    check(text.includes(lesson.steps[at - 1].text.en), `step ${at} says: ${text}`);
    seen.add(at);
    const before = await momentOf(page);
    await act(page);
    /* Who points at what is just leaving points again. */
    await ready(page, before, 4000).catch(() => undefined);
  }
  check(seen.size === steps - 1, `${seen.size} of ${steps} steps were shown`);
}

/** Does what is pointed at, with the mouse. */
async function byMouse(page) {
  const arms = page.locator('.choices [data-arms]');
  if ((await arms.count()) > 0) {
    await arms.first().click();
    await page.waitForSelector('.spot', { state: 'attached' });
  }
  const spots = await page.evaluate(() => (document.querySelector('.coach-ways .primary') ? [] : [...document.querySelectorAll('.spot')].map((spot) => {
    const { left, top, width, height } = spot.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  })));
  if (spots.length > 0) await page.mouse.click(...spots.at(-1));
  else await page.locator('.coach-ways .primary, .choices [data-action], .end-turn').first().click();
}

/** Presses the keys that the lesson shows, and nothing else. */
async function byKeys(page) {
  for (const key of await page.locator('.coach-keys kbd').allTextContents()) await page.keyboard.press(key.length === 1 ? key.toLowerCase() : key);
}

/** The end: a real match against the weakest program, and the lesson is not offered any more. */
async function playOn(page, { id }, press) {
  await press(page.getByRole('button', { name: 'Play a real match against level 1' }));
  await page.waitForFunction(() => location.hash === '#/match' && document.querySelector('.match:not(.lesson)') !== null);
  check((await page.locator('.match').getAttribute('data-game')) === id, 'another game is played');
  check((await page.locator('dialog[open]').count()) === 0, 'somebody who has learned the game is not told how to play it');
  await page.goto(`${server.url}/#/`);
  await page.waitForSelector('.game-card');
  check((await page.locator(`a[href="#/learn/${id}"]`).count()) === 0, 'the lesson is offered again');
}

for (const game of games) {
  const form = game === first ? SHORT : {};
  await test(`${title(game)}: with the mouse, from the start page to a real match`, only, () => asLearner(async (page) => {
    await open(page, game);
    await goThrough(page, game, byMouse);
    await playOn(page, game, (button) => button.click());
  }), form);

  await test(`${title(game)}: by keys alone`, only, () => asLearner(async (page) => {
    await open(page, game);
    await goThrough(page, game, byKeys);
    await playOn(page, game, async (button) => { await button.focus(); await page.keyboard.press('Enter'); });
  }), form);
}

await test('a lesson that is not there is said under a heading that says so', only, () => asLearner(async (page) => {
  await page.goto(`${server.url}/#/learn/nothing`);
  await page.getByText('This game has no lesson.').waitFor();
  check((await page.locator('main h1').innerText()) === 'This lesson can\'t be opened', `the heading: ${await page.locator('main h1').innerText()}`);
}));

await test('something else is answered by what to do; back, again and out', only, () => asLearner(async (page) => {
  await open(page, first);
  const note = page.locator('.stage-note');
  const cell = async (x, y) => {
    const size = await page.locator('.stage').evaluate((stage) => [Number.parseFloat(stage.style.getPropertyValue('--cell')), ...stage.querySelector('.stage-world').style.transform.match(/-?[\d.]+/g).map(Number)]);
    const box = await page.locator('.stage').boundingBox();
    await page.mouse.click(box.x + size[1] + (x + 0.5) * size[0], box.y + size[2] + (y + 0.5) * size[0]);
  };
  check((await page.locator('.coach-text').getAttribute('role')) === 'status', 'what is said is not heard');
  await cell(5, 0);
  check((await note.textContent()) === 'Not yet. For now: Human: Step → 2,4.', `an empty cell: ${await note.textContent()}`);
  await cell(1, 4);
  await note.filter({ hasText: 'Not yet.' }).waitFor();
  await page.locator('#command-line').fill('step d0 1 3');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  check((await stepOf(page)) === 1, 'something else was done');
  await page.keyboard.press('e');
  check((await page.getByRole('button', { name: 'Back', exact: true }).isDisabled()), 'there is no way back from the first step');
  let before = await momentOf(page);
  await cell(2, 4);
  await ready(page, before);
  check((await stepOf(page)) === 2, 'the step was not taken');
  before = await momentOf(page);
  await page.keyboard.press('Backspace');
  await ready(page, before);
  check((await stepOf(page)) === 1, 'Backspace goes back a step');
  before = await momentOf(page);
  await cell(2, 4);
  await ready(page, before);
  await page.waitForSelector('.spot[data-cell="2,2"]', { state: 'attached' });
  before = await momentOf(page);
  await cell(2, 2);
  await ready(page, before);
  check((await stepOf(page)) === 3, 'one click walks several steps, and the opponent answers');
  before = await momentOf(page);
  await page.getByRole('button', { name: 'Start again' }).click();
  await ready(page, before);
  check((await stepOf(page)) === 1 && (await page.locator('.spot').getAttribute('data-cell')) === '2,4', 'it does not begin again');
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.waitForSelector('form fieldset.modes');
  check((await page.locator('a[href="#/learn/zorde"]').count()) === 1, 'the lesson is offered to who has not finished it');
}), SHORT);

await browser.close();
await server.close();
process.exit(summary());

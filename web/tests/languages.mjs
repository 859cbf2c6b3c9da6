// languages.mjs -- the page in both languages in Chromium: matches of each game are told again when the language changes, on this device,
// online and in a replay; nothing of the other language is left.
// Usage: node web/tests/languages.mjs [part of a test's name]
import { existsSync, readFileSync } from 'node:fs';
import { readGames } from '../games.mjs';
import { TestServer, check, newPerson, openBrowser, summary, test, until } from './server.mjs';
import { playByMouse, startMatch } from './player.mjs';
import { acted, closeHelp, waitForTurn } from './steps.mjs';

const only = process.argv[2];
const server = await new TestServer().open();
const browser = await openBrowser();
const NAMES = { en: 'english', de: 'german' };
const LINES = 14;

/** The texts that come with a game. */
const textsOf = (game, language) => JSON.parse(readFileSync(`games/${game}/content/${NAMES[language]}.texts.json`, 'utf8'));

/** Expressions for all sentences of a game in a language. */
function sentences(game, language) {
  const plain = (text) => text.replace(/[.*+?^$()|\\/]/g, '\\$&');
  return Object.values(textsOf(game, language).events).map((template) => {
    const read = template.split(/(\{[^}]*\}|\[|\])/).map((part) =>
      part === '[' ? '(?:' : part === ']' ? ')?' : !part.startsWith('{') ? plain(part)
        : part.includes('|') ? `(?:${part.slice(1, -1).split('|').slice(1).map(plain).join('|')})` : '.+?').join('');
    return new RegExp(`^${read.replace(/\\\.$/, '\\.?')}$`);
  });
}

const logOf = (page) => page.locator('.log li').allInnerTexts();

/** Waits until the last action has been answered and something is offered again; lifts the curtain if it falls. */
async function rest(page) {
  for (;;) {
    const found = await page.waitForFunction(() => {
      const seen = (selector) => document.querySelector(selector) !== null;
      if (seen('.curtain')) return 'curtain';
      if (seen('dialog.wide')) return 'end';
      const asked = seen('.token.acting, .action:disabled, .end-turn:disabled');
      return !asked && (document.querySelector('.board-host')?.dataset.marks || seen('.dock .action, .end-turn, .offer:not(:disabled), .hand [data-layout]')) ? 'offer' : false;
    });
    if ((await found.jsonValue()) !== 'curtain') return;
    await page.locator('.curtain .button').click();
  }
}

/** Demands that every line of the log is a sentence of the game in a language. */
function checkLog(game, language, lines) {
  const known = sentences(game, language);
  const strange = lines.filter((line) => !known.some((one) => one.test(line)));
  check(strange.length === 0, `${game}, ${language}: ${strange.join(' | ')}`);
}

/** Chooses a language in the menu of the match, and waits until the log is told in it. */
async function speak(page, game, language) {
  await page.locator('.menu-button').click();
  await page.locator(`dialog[open] button[lang=${language}]`).click();
  await page.keyboard.press('Escape');
  const { names } = textsOf(game, language);
  await page.waitForFunction((phases) => {
    const shown = document.querySelector('.turn-more span')?.textContent;
    return shown === undefined || phases.includes(shown);
  }, Object.values(names.phase));
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, language);
}

for (const { id: game, page: { tests = {} } } of readGames()) {
  if (!existsSync(`games/${game}/content/german.texts.json`)) continue;
  await test(`the log of a match is told again: ${game}`, only, async () => {
    const page = await newPerson(browser, server);
    await startMatch(page, server, game);
    await playByMouse(page, { seed: 5, haste: tests.haste, lines: LINES });
    await rest(page);
    const english = await logOf(page);
    checkLog(game, 'en', english);
    await speak(page, game, 'de');
    const german = await logOf(page);
    check(german.length === english.length, 'no line is lost');
    checkLog(game, 'de', german);
    const typed = [...english, ...german].filter((line) => game === 'generals' && /\b[hv]\d+\b/.test(line));
    check(typed.length === 0, `names for typing in the log: ${typed.join(' | ')}`);
    const kinds = new Set(Object.values(textsOf(game, 'en').names.phase));
    check(!kinds.has(await page.locator('.turn-more span').first().innerText()), 'the phase is told in German');
    await speak(page, game, 'en');
    check((await logOf(page)).join('\n') === english.join('\n'), 'back in English every line is as it was');
    check(page.errors.length === 0, page.errors.join('; '));
    await page.context().close();
  }, { short: game === 'zorde' });
}

await test('online: each reads the same events in a language of their own, and can change it', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  await startMatch(ann, server, 'zorde', { mode: 'invite' }, 'input.link');
  const bob = await newPerson(browser, server, { name: 'Bob', locale: 'de-DE' });
  await bob.goto(await ann.inputValue('input.link'));
  await bob.locator('form button, main button').first().click();
  for (const page of [ann, bob]) await page.waitForSelector('.match');
  for (const page of [ann, bob]) await closeHelp(page);
  /** Waits until both have heard the same number of things. */
  const level = () => until(async () => (await logOf(ann)).length === (await logOf(bob)).length, 'one has heard more than the other');
  for (let turn = 0; turn < 6; turn++) await acted(await waitForTurn(ann, bob));
  await level();
  const [english, german] = [await logOf(ann), await logOf(bob)];
  checkLog('zorde', 'en', english);
  checkLog('zorde', 'de', german);
  check(english.length > 4 && english.length === german.length, 'both have heard the same');
  await speak(ann, 'zorde', 'de');
  check((await logOf(ann)).join('\n') === german.join('\n'), 'Ann reads what Bob reads');
  await acted(await waitForTurn(ann, bob));
  await level();
  checkLog('zorde', 'de', await logOf(ann));
  for (const page of [ann, bob]) await page.context().close();
});

await test('a replay is told again, with the moments to jump to', only, async () => {
  const page = await newPerson(browser, server);
  await startMatch(page, server, 'zorde');
  await playByMouse(page, { seed: 5, lines: 8 });
  await page.locator('.menu-button').click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.locator('dialog[open] .danger').last().click();
  await page.waitForSelector('dialog.wide');
  await page.getByRole('button', { name: 'Watch the replay' }).click();
  await page.waitForSelector('.replay input[type=range]');
  await page.locator('.replay button').first().click();
  for (let step = 1; step <= 3; step++) {
    await page.locator('.replay button').nth(3).click();
    await page.waitForFunction((now) => document.querySelector('.replay .number').textContent.startsWith(`${now}/`), step);
  }
  const english = await logOf(page);
  checkLog('zorde', 'en', english);
  const marks = () => page.locator('.jump option').allInnerTexts();
  await page.waitForFunction(() => document.querySelectorAll('.jump option').length > 1);
  const before = await marks();
  await speak(page, 'zorde', 'de');
  await page.waitForFunction((old) => document.querySelector('.jump option:last-child').textContent !== old, before.at(-1));
  const german = await logOf(page);
  check(english.length > 0 && german.length === english.length, 'no line is lost');
  checkLog('zorde', 'de', german);
  checkLog('zorde', 'de', (await marks()).slice(1).map((mark) => mark.replace(/^\d+: /, '')));
  await page.context().close();
});

await test('what is wrong with a file is told in German', only, async () => {
  const page = await newPerson(browser, server, { locale: 'de-DE' });
  await page.goto(`${server.url}/#/replays`);
  const open = (text) => page.setInputFiles('input[type=file]', { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await open('{"mashup-match": 9,}');
  await page.getByText('überflüssiges Komma vor }').waitFor({ timeout: 5000 });
  await open('{"mashup-match": "x"}');
  await page.getByText('muss eine ganze Zahl von 0 bis 2147483647 sein, ist aber "x"').waitFor({ timeout: 5000 });
  await page.context().close();
});

await browser.close();
await server.close();
process.exit(summary());

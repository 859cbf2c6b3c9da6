// browsers.mjs -- the core walk in other browsers than Chromium: start, ten turns against the computer, a match online by invitation, its
// replay, an editor; in Firefox ESR and in WebKit, as Debian has them.
// Usage: node web/tests/browsers.mjs [part of a test's name]   Skipped with a word where a browser is not installed.
import { readGames } from '../games.mjs';
import { BROWSERS, ENTER } from './drivers.mjs';
import { dice, look } from './player.mjs';
import { TestServer, check, summary, test } from './server.mjs';

const only = process.argv[2];
const GAME = 'tablut';
const TURNS = 10;

/** Runs a test with so many new people in a browser that is opened when it is first needed; shows what they see if it fails. */
async function withPeople(place, server, names, run) {
  const people = [];
  place.browser ??= await place.open();
  const { browser } = place;
  try {
    for (const name of names) people.push(await arrive(browser, server, name));
    await run(...people);
    for (const person of people) await fine(person);
  } catch (error) {
    for (const [at, person] of people.entries()) await person.screenshot(`build/browsers-failed-${at}.png`).catch(() => {});
    throw error;
  }
}

/** A new person at the start page, who hears no story and knows the game. */
async function arrive(browser, server, name) {
  const person = await browser.person();
  await person.goto(`${server.url}/`);
  await person.evaluate((who, game) => {
    const values = { name: who, intro: false, language: 'en', [`lesson.${game}`]: 1, level: 1 };
    for (const [key, value] of Object.entries(values)) localStorage.setItem(`mashup.${key}`, key === 'language' ? value : JSON.stringify(value));
  }, name, GAME);
  await load(person, `${server.url}/#/`);
  return person;
}

/** Loads an address anew, though only what is behind # may differ, and gathers what goes wrong there. */
async function load(person, url) {
  await person.goto('about:blank');
  await person.goto(url);
  await person.evaluate(() => {
    globalThis.troubles = [];
    addEventListener('error', ({ message }) => globalThis.troubles.push(message));
    addEventListener('unhandledrejection', ({ reason }) => globalThis.troubles.push(String(reason)));
  });
}

/** Nothing went wrong since the page was loaded. */
async function fine(person) {
  const troubles = await person.evaluate(() => globalThis.troubles);
  check(troubles.length === 0, `errors on the page: ${troubles.join('; ')}`);
}

/** Begins a match of the game. */
async function begin(person, server, mode) {
  await load(person, `${server.url}/#/game/${GAME}`);
  await person.click(`label:has(input[value=${mode}])`);
  await person.click('form button[type=submit]');
}

/** Moves some piece of the person who is to move. */
async function move(person, random) {
  const number = await person.until(() => document.querySelector('.turn-words.mine') && document.querySelector('.board-host')?.dataset.marks && document.querySelector('.match').dataset.number);
  for (;;) {
    const now = await look(person);
    if (now.number !== number || now.over) return;
    const shown = now.marks.map(({ x, y, kind }) => `${x},${y},${kind}`).join(' ');
    const { px, py } = now.marks[Math.floor(random() * now.marks.length)];
    await person.clickAt(px, py);
    await person.until((was, marks) => document.querySelector('.match').dataset.number !== was || document.querySelector('.board-host').dataset.marks !== marks, number, shown);
  }
}

for (const place of BROWSERS) {
  const { name, missing } = place;
  if (missing !== '') {
    console.log(`no ${name} here (Debian: ${missing}): the page is not tested with it`);
    continue;
  }
  if (process.env.SHORT) continue;
  const server = await new TestServer().open();
  const random = dice(23);
  try {
    await test(`${name}: start, and ten turns against the computer`, only, () => withPeople(place, server, ['Ann'], async (ann) => {
      await ann.see('.games li');
      const titles = await ann.evaluate(() => [...document.querySelectorAll('.games h2')].map((one) => one.textContent));
      check(titles.join() === readGames().map(({ title }) => title).join(), `the games are ${titles}`);
      await begin(ann, server, 'ai');
      for (let turns = 0; turns < TURNS; turns++) {
        await ann.until(() => document.querySelector('.turn-words.mine') || document.querySelector('dialog.wide'));
        if (await ann.evaluate(() => document.querySelector('dialog.wide') !== null)) await begin(ann, server, 'ai');
        await move(ann, random);
      }
    }));

    await test(`${name}: a match online by invitation, its replay`, only, () => withPeople(place, server, ['Ann', 'Bob'], async (ann, bob) => {
      await begin(ann, server, 'invite');
      const link = await ann.until(() => document.querySelector('input.link')?.value);
      await load(bob, link);
      await bob.click('button', 'Join match');
      for (const person of [ann, bob]) await person.see('.board-host .token');
      for (let turns = 0; turns < TURNS; turns++) {
        const mine = await ann.until(() => {
          const words = document.querySelector('.turn-words')?.textContent ?? '';
          return words.startsWith('Your turn') ? 'mine' : words.startsWith('Bob’s turn') ? 'theirs' : null;
        });
        const [mover, other] = mine === 'mine' ? [ann, bob] : [bob, ann];
        const lines = await other.evaluate(() => document.querySelectorAll('.log li').length);
        await move(mover, random);
        await other.until((count) => document.querySelectorAll('.log li').length > count, lines);
      }
      await ann.click('.tab-chat');
      await ann.click('#chat-line');
      await ann.type(`Well played${ENTER}`);
      await bob.click('.tab-chat');
      await bob.see('.talk li', 'Well played');
      await bob.click('button', 'Menu');
      await bob.click('dialog button', 'Resign');
      await bob.click('dialog button', 'Resign');
      await ann.see('dialog.wide', 'You won');
      await bob.see('dialog.wide', 'You lost');
      await ann.click('dialog.wide button', 'Watch the replay');
      await ann.see('.replay .number');
      const played = await ann.evaluate(() => Number(document.querySelector('.replay input[type=range]').max));
      check(played > TURNS, `the replay has ${played} actions`);
      const at = () => ann.evaluate(() => document.querySelector('.replay .number').textContent);
      const before = await at();
      await ann.click('.replay button[aria-label="Next action"]');
      await ann.until((was) => document.querySelector('.replay .number').textContent !== was, before);
    }));

    await test(`${name}: an editor: a change is checked and played`, only, () => withPeople(place, server, ['Ann'], async (ann) => {
      await load(ann, `${server.url}/#/editor`);
      await ann.click('[data-kind=scenario]');
      const checked = () => ann.until(() => document.querySelector('.problems.good[aria-busy=false]') !== null);
      await checked();
      await ann.evaluate(() => {
        const field = [...document.querySelectorAll('.painter label')].find((one) => one.textContent.startsWith('Columns')).control;
        field.focus();
        field.select();
      });
      await ann.type(`12${ENTER}`);
      await ann.until(() => /\b12\b/.test(document.querySelector('.canvas-frame canvas').getAttribute('aria-label')));
      await checked();
      await ann.click('button', 'Play now');
      await ann.click('dialog button', 'Two players, one device');
      await ann.see('.match, .curtain');
    }));
    if (place.browser) console.log(`        with ${place.browser.name}`);
  } finally {
    await place.browser?.close();
    await server.close();
  }
}
process.exit(summary());

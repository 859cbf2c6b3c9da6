// blind.mjs -- two people who neither see nor point go from the lobby to the rematch: they know things by their roles and names, press
// keys, and hear what the two live regions say. No class and no selector of styles is used.
// Usage: node web/tests/blind.mjs [part of a test's name]
import { readFileSync } from 'node:fs';
import { readGames } from '../games.mjs';
import { TestServer, check, newPerson, openBrowser, slow, summary, test, until } from './server.mjs';
import { axe } from './steps.mjs';

/** What a walk goes through; docs/page.md has a table of it. */
const STEPS = ['lobby', 'assemble', 'board', 'questions', 'turns', 'chat', 'resign', 'rematch', 'replay'];
const TURNS = process.env.SHORT ? 2 : 6;
/** So many tries to act in one turn, before it is ended. */
const TRIES = 4;

/** What leads through a draft or a placement, the last step first. */
const CHOICES = [/^Play with this team/, /^Ready$/, /^(Pick|Make) /, /^Choose and confirm for me/, /^Suggest one/, /^Random$/];

/** Somebody at a keyboard, who hears. */
class Person {
  constructor(page) {
    this.page = page;
  }

  static async come(browser, url, name, game) {
    const page = await newPerson(browser, null, { name });
    await page.addInitScript((id) => {
      localStorage.setItem(`mashup.lesson.${id}`, '1');
      watchFocus();
      /* Notes every element that is taken away, or that can no longer have the keyboard, while it has it; of boxes that are closed and of
       * another screen that is gone to it is expected. */
      function watchFocus() {
        globalThis.lostFocus = [];
        let held = null;
        document.addEventListener('focusin', ({ target }) => { held = target; }, true);
        document.addEventListener('focusout', ({ target, relatedTarget }) => { if (relatedTarget && target.isConnected) held = null; }, true);
        new MutationObserver(() => {
          if (!held || held.closest('dialog')) return;
          if (!held.isConnected || held.disabled) globalThis.lostFocus.push(held.getAttribute('aria-label') ?? held.textContent);
          if (!held.isConnected || held.disabled) held = null;
        }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
      }
    }, game);
    await page.goto(url);
    return new Person(page);
  }

  /** What has a role and a name; it must be reached with Tab, too. */
  async find(role, name, more = {}) {
    const found = this.page.getByRole(role, { name, ...more }).first();
    await found.waitFor();
    check(await found.evaluate((element) => element.tabIndex >= 0), `${role} ${name} is not reached by Tab`);
    return found;
  }

  /** Goes there and presses a key. */
  async use(role, name, key = 'Enter', more = {}) {
    await (await this.find(role, name, more)).press(key);
  }

  async has(role, name) {
    return (await this.page.getByRole(role, { name }).count()) > 0;
  }

  /** Goes to the first of these buttons that is there and can be pressed; its name, null: none is. */
  async firstOf(names) {
    for (const name of names) {
      const found = this.page.getByRole('button', { name, disabled: false }).first();
      if (!(await found.count())) continue;
      const focused = await found.focus({ timeout: 1000 * slow }).then(() => true, () => false);
      if (focused) return String(name);
    }
    return null;
  }

  /** What was said last; urgent: by the urgent region. */
  async heard(urgent = false) {
    const region = this.page.getByRole('status', { name: urgent ? 'Urgent announcements' : 'Announcements', exact: true });
    return (await region.textContent()).trim();
  }

  /** Waits until something like this is said. */
  async hears(like, urgent = false) {
    const region = this.page.getByRole('status', { name: urgent ? 'Urgent announcements' : 'Announcements', exact: true });
    await region.filter({ hasText: like }).waitFor({ state: 'attached' });
    return this.heard(urgent);
  }

  /** Does something and waits until the polite region says something new that is like this; null: it does not. */
  async told(like, act) {
    const region = await this.page.getByRole('status', { name: 'Announcements', exact: true }).elementHandle();
    const before = await region.textContent();
    await act();
    const said = ([element, was, source, flags]) => element.textContent !== was && new RegExp(source, flags).test(element.textContent.trim());
    return this.page.waitForFunction(said, [region, before, like.source, like.flags], { timeout: 3000 * slow }).then(() => this.heard(), () => null);
  }

  /** Asks with a key; the answer is like this. What happens meanwhile may be said over it: then it is asked again. */
  async asks(key, like) {
    for (let tries = 0; tries < 20; tries++) {
      const answer = await this.told(like, () => this.page.keyboard.press(key));
      if (answer !== null) return answer;
    }
    throw new Error(`the key ${key} says “${await this.heard()}” and not ${like}; the keyboard is on “${(await this.focused()).slice(0, 80)}”`);
  }

  /** Types a question; the answer is like this. */
  async types(line, like) {
    for (let tries = 0; tries < 5; tries++) {
      const answer = await this.told(like, async () => {
        await this.page.keyboard.press('/');
        const field = this.page.getByRole('textbox', { name: 'Type an action' });
        await field.fill(line);
        await field.press('Enter');
        await field.press('Escape');
      });
      if (answer !== null) return;
    }
    throw new Error(`“${line}” is answered “${await this.heard()}” and not ${like}`);
  }

  /** The name of what has the keyboard. */
  focused() {
    return this.page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  }

  /** Is it their turn? */
  async mine() {
    return /^(Your turn|Match over)/.test(await this.asks('t', /turn|over/i));
  }

  /** Nothing was taken from under the keyboard. */
  async kept(where) {
    const lost = await this.page.evaluate(() => globalThis.lostFocus.splice(0));
    check(lost.length === 0, `${where}: the keyboard was on what is gone now: ${lost.join('; ')}`);
  }

  /** The keyboard is on something, after all that went away. */
  async somewhere(where) {
    await this.page.waitForFunction(() => document.activeElement !== document.body).catch(() => {
      throw new Error(`${where}: the keyboard is nowhere`);
    });
    await this.page.evaluate(() => globalThis.lostFocus.splice(0));
  }

  /** Nothing that axe knows is wrong; the short form looks at the match alone. */
  async clean(where) {
    if (process.env.SHORT && where !== 'the match') return;
    const found = await axe(this.page);
    check(found.length === 0, `${where}: ${found.join('\n')}`);
  }
}

/** One walk. */
class Walk {
  constructor(browser, game) {
    Object.assign(this, { browser, game });
  }

  async run() {
    this.server = await new TestServer().open();
    try {
      for (const step of STEPS) {
        await this[step]().catch((error) => {
          error.stack = `${step}: ${error.stack}`;
          throw error;
        });
      }
      for (const { page } of this.people) check(page.errors.length === 0, page.errors.join('; '));
    } finally {
      await this.server.close();
    }
  }

  get people() {
    return [this.ann, this.bob];
  }

  /** From the start page to a table with an invitation, which a friend takes. */
  async lobby() {
    const { id, title } = this.game;
    this.ann = await Person.come(this.browser, `${this.server.url}/`, 'Ann', id);
    await this.ann.find('link', title, { exact: true });
    await this.ann.clean('start page');
    await this.ann.use('link', title, 'Enter', { exact: true });
    await this.ann.use('radio', /Invite a friend/, 'Space');
    await this.ann.clean('a new match');
    await this.ann.use('button', 'Start match');
    const link = await (await this.ann.find('textbox', 'Copy link')).inputValue();
    await this.ann.clean('waiting');
    this.bob = await Person.come(this.browser, link, 'Bob', id);
    await this.bob.clean('invitation');
    await this.bob.use('button', 'Join match');
  }

  /** Both let the computer choose, or take what is ready, until each has a board and a line for actions. */
  async assemble() {
    const waiting = new Set(this.people);
    const seen = new Set();
    while (waiting.size > 0) {
      for (const person of [...waiting]) {
        if (await person.has('textbox', 'Type an action')) {
          waiting.delete(person);
          continue;
        }
        const step = await person.firstOf(CHOICES);
        if (step && !seen.has(step)) await person.clean(`choosing, ${step}`);
        seen.add(step);
        if (step) await person.page.keyboard.press('Enter');
        else await person.page.waitForTimeout(50);
      }
    }
    for (const person of this.people) await person.somewhere('choosing');
  }

  /** The board is a grid with one tab stop; arrows and keys to its edges go from cell to cell, and each says what it is. */
  async board() {
    const { page } = this.ann;
    await page.keyboard.press('ArrowDown');
    const cell = async () => /^(\d+),(\d+): ./.exec(await this.ann.focused())?.slice(1, 3).map(Number);
    await until(() => cell(), async () => `the arrow leads to “${await this.ann.focused()}”`);
    const places = [];
    for (const key of ['Home', 'End', 'PageUp', 'PageDown']) {
      await page.keyboard.press(key);
      places.push(await cell());
    }
    const [home, end, up, down] = places;
    check(Math.abs(home[0] - end[0]) > 3 && home[1] === end[1], `Home and End lead to ${home} and ${end}`);
    check(Math.abs(up[1] - down[1]) > 3 && up[0] === down[0], `PageUp and PageDown lead to ${up} and ${down}`);
    const stops = await page.getByRole('gridcell').evaluateAll((cells) => cells.filter(({ tabIndex }) => tabIndex === 0).length);
    check(stops === 1, `the board has ${stops} tab stops`);
    await this.ann.clean('the match');
  }

  /** Who is to act. Both pages hear of the end of a turn one after the other: meanwhile it is nobody’s. */
  async toAct() {
    for (let tries = 0; tries < 20; tries++)
      for (const person of this.people) if (await person.mine()) return person;
    throw new Error('it is nobody’s turn');
  }

  /** Keys and typed words ask, the polite region answers. */
  async questions() {
    const person = await this.toAct();
    await person.page.keyboard.press('u');
    await person.asks('o', /^\d+,\d+: /);
    const unit = /^\d+,\d+: your ([^,;]+)/.exec(await person.focused())?.[1];
    await person.asks('l', /[.!]$/);
    await person.asks('m', /No unit|can do nothing|: .*\.$/);
    await person.asks('a', /No unit|can attack nobody|: .*\.$/);
    await person.asks('x', /No unit|ithin reach of/);
    await person.asks('z', /next turn|unknown whether/);
    await person.types('turn order', /turn/i);
    await person.types('score', /\d+ of \d+ units left/);
    await person.types('where nobody-at-all', /Nothing here is called/);
    if (unit) {
      await person.types(`where ${unit}`, new RegExp(`${unit}.*: .*\\d+,\\d+`));
      await person.types(`who can hit ${unit}`, /Nobody can hit|can be hit by/);
      await person.types(`reach ${unit}`, /ithin reach of/);
      await person.page.keyboard.press('Shift+U');
      await until(async () => /: enemy /.test(await person.focused()) || !/: your /.test(await person.focused()), async () => `the next enemy is “${await person.focused()}”`);
    }
    await person.page.keyboard.press('?');
    await person.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await person.find('button', 'What can this unit do?: M');
    await person.page.keyboard.press('Escape');
  }

  /** Some turns, by keys: a unit, a cell on which something may be done, and the end of the turn. */
  async turns() {
    for (let turn = 0; turn < TURNS; turn++) {
      const person = await this.toAct();
      const { page } = person;
      await person.hears(/^Your turn/, true);
      for (let tries = 0; tries < TRIES && (await person.mine()); tries++) {
        await page.keyboard.press('n');
        for (let marks = 0; marks <= tries + turn % 3; marks++) await page.keyboard.press('j');
        await page.keyboard.press('Enter');
        if (await person.has('button', /^Back/)) await page.keyboard.press('1');
      }
      for (let tries = 0; tries < 4 && (await person.mine()); tries++) await page.keyboard.press('e');
      for (const one of this.people) await one.kept('a turn');
    }
    for (const person of this.people) check(!/Nothing has happened/.test(await person.asks('l', /[.!]$/)), 'nothing has happened');
  }

  async chat() {
    const [ann, bob] = this.people;
    await ann.page.keyboard.press('c');
    const line = await ann.find('textbox', 'Message');
    await line.fill('Good luck!');
    await line.press('Enter');
    await bob.hears('Ann: Good luck!');
    await ann.page.keyboard.press('Tab');
    for (const person of this.people) await person.kept('the chat');
  }

  async resign() {
    const [ann, bob] = this.people;
    await bob.use('button', 'Menu');
    await bob.use('button', 'Resign');
    await bob.page.getByRole('dialog', { name: 'Resign this match?' }).waitFor();
    await bob.use('button', 'Resign');
    await ann.page.getByRole('dialog', { name: /You won/ }).waitFor();
    await bob.page.getByRole('dialog', { name: /You lost/ }).waitFor();
    await ann.clean('the end');
  }

  async rematch() {
    for (const person of this.people) await person.use('button', 'Rematch');
    for (const { page } of this.people) await page.getByRole('dialog').waitFor({ state: 'detached' });
    await this.assemble();
    for (const person of this.people) await person.asks('t', /turn/i);
    await this.resign();
  }

  async replay() {
    const { ann } = this;
    await ann.use('button', 'Watch the replay');
    await ann.find('slider', /^Action 0 of \d+/);
    await ann.use('button', 'Next action');
    await ann.find('slider', /^Action 1 of \d+/);
    await ann.page.keyboard.press('ArrowDown');
    await until(async () => /^\d+,\d+: /.test(await ann.focused()), async () => `the board of the replay says “${await ann.focused()}”`);
    await ann.asks('o', /^\d+,\d+: /);
    await ann.clean('a replay');
  }
}

await test('the table in docs/page.md is true: what it calls supported is walked, and what is walked is supported', process.argv[2], async () => {
  const rows = readFileSync('docs/page.md', 'utf8').split('\n').map((line) => /^\| [^|]+ \| (Supported|Partial|Not yet)[^|]*\| (?:`(\w+)` )?\|$/.exec(line)).filter(Boolean);
  check(rows.length > 10, 'there is a table');
  for (const [line, state, step] of rows) check((state === 'Supported') === STEPS.includes(step), line);
  for (const step of STEPS) check(rows.some((row) => row[2] === step), `no row for ${step}`);
}, { short: true });

const browser = await openBrowser();
for (const game of readGames())
  await test(`without eyes or mouse, lobby to rematch: ${game.id}`, process.argv[2], () => new Walk(browser, game).run(), { short: game.id === 'zorde' });
await browser.close();
process.exit(summary());

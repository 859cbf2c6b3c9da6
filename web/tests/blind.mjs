// blind.mjs -- two people who neither see nor point go from the lobby to the rematch in every game (listener.mjs). The other rooms are in rooms.mjs.
// Usage: node web/tests/blind.mjs [part of a test's name]
import { readFileSync } from 'node:fs';
import { readGames } from '../games.mjs';
import { Person, WALKED } from './listener.mjs';
import { TestServer, check, openBrowser, summary, test, until } from './server.mjs';

const STEPS = WALKED.blind;
const TURNS = process.env.SHORT ? 2 : 6;
/** So many tries to act in one turn, before it is ended. */
const TRIES = 4;

/** What leads through a draft or a placement, the last step first. */
const CHOICES = [/^Play with this team/, /^Ready$/, /^(Pick|Make) /, /^Choose and confirm for me/, /^Suggest one/, /^Random$/];

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

  /** Who is to act. Both pages hear of the end of a turn one after the other: meanwhile it is nobody’s, on a busy machine for long. */
  async toAct() {
    let found = null;
    await until(async () => {
      for (const person of this.people) found ??= (await person.mine()) ? person : null;
      return found;
    }, async () => `it is nobody’s turn: ${(await Promise.all(this.people.map((person) => person.heard()))).join(' / ')}`);
    return found;
  }

  /** Keys and typed words ask, the polite region answers. */
  async questions() {
    const person = await this.toAct();
    await person.asks('z', /next turn|unknown whether|No cell is chosen/);
    await person.page.keyboard.press('ArrowDown');
    await until(async () => /^\d+,\d+: /.test(await person.focused()), async () => `the arrow leads to “${await person.focused()}”`);
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
      await this.oneTurn(turn);
    }
    for (const person of this.people) check(!/Nothing has happened/.test(await person.asks('l', /[.!]$/)), 'nothing has happened');
  }

  /** One turn of whoever is to act. */
  async oneTurn(turn) {
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

  /** While the other is to act: a turn is put together by keys, heard, taken back, put together again, and gone when its time has come. */
  async prepare() {
    const actor = await this.toAct();
    const person = this.people.find((one) => one !== actor);
    const { page } = person;
    await person.asks('n', /: now select a cell\.$/);
    await person.asks('Escape', /^No unit selected/);
    await this.wish(person);
    await person.types('prepared', /^1\. .+ to .+\.$/);
    await person.asks('Backspace', /^Removed: .+ to .+\.$/);
    await person.types('prepared', /^Nothing is prepared\.$/);
    await this.wish(person);
    await person.kept('a prepared turn');
    /* Whatever the other does: when one is to act it is done, or it is said that it cannot be. */
    const still = async () => {
      for (let tries = 0; tries < 20; tries++) {
        const answer = await person.answer('prepared', /^Nothing is prepared|^1\. /);
        if (answer !== null) return answer.startsWith('1');
      }
      throw new Error(`what is prepared is answered “${await person.heard()}”`);
    };
    for (let turn = 0; turn < 12 && (await still()); turn++) await this.oneTurn(turn);
    check(!(await still()), 'what was prepared is neither done nor given up');
  }

  /** Prepares one action by keys: a unit of one's own, then a cell beside it on which none stands. */
  async wish(person) {
    const { page } = person;
    for (let units = 0; units < 20; units++) {
      await page.keyboard.press('u');
      await person.asks('Enter', /: now select a cell\.$/);
      for (const key of ['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft']) {
        const from = await person.focused();
        await page.keyboard.press(key);
        const name = await person.focused();
        if (name !== from && !/^\d+,\d+: your /.test(name)) {
          await person.asks('Enter', /^Prepared, action 1: .+ to .+\.$/);
          await until(async () => /prepared as action 1: /.test(await person.focused()), async () => `the cell says “${await person.focused()}”`);
          return;
        }
      }
    }
    throw new Error('no unit has a free cell beside it');
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
  const all = Object.values(WALKED).flat();
  for (const [line, state, step] of rows) check((state === 'Supported') === all.includes(step), line);
  for (const step of all) check(rows.some((row) => row[2] === step), `no row for ${step}`);
}, { short: true });

const browser = await openBrowser();
for (const game of readGames())
  await test(`without eyes or mouse, lobby to rematch: ${game.id}`, process.argv[2], () => new Walk(browser, game).run(), { short: game.id === 'zorde' });
await browser.close();
process.exit(summary());

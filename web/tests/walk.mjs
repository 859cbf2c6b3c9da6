// walk.mjs -- two people walk through everything that a match online has, from the invitation to the rematch, by mouse or by finger, over
// a short or a long cable, on an idle or a busy machine; a third comes late to watch.
// Usage: node web/tests/walk.mjs [part of a test's name]     each game, on a desk and on a phone (CONDITION=far, busy)
//        node web/tests/walk.mjs --table [RUNS [GAMES [FIRST [LAST]]]]   so many runs in a row (20), each of so many games (all), under three
//        conditions; FIRST: goes on with that one, LAST: and ends with that one
import { Worker } from 'node:worker_threads';
import { readGames } from '../games.mjs';
import { Cable, TestServer, check, newPerson, openBrowser, summary, test, until } from './server.mjs';
import { dice, look } from './player.mjs';
import { board, boardIs } from './steps.mjs';

const PROFILES = {
  desk: {},
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const CONDITIONS = {
  plain: { delay: 0, jitter: 0, busy: 0 },
  far: { delay: 300, jitter: 60, busy: 0 },
  busy: { delay: 0, jitter: 0, busy: 2 },
};
/** Games in which every action ends a turn: nothing can be undone on the board without the other. */
const ONE_ACTION = ['tablut', 'generals'];
/** Games in which players are told what watchers are not: what one is told who comes late is compared with what another watcher heard. */
const HIDING = ['marvelous-mashup', 'generals', 'battleground'];
const TURNS = process.env.SHORT ? 2 : 10;
/** So many things are done in one turn at most, before it is ended. */
const THINGS = 3;

/** One walk: the people, how they point, and what they were shown before the server had answered. */
class Walk {
  constructor(browser, game, profile, condition) {
    Object.assign(this, { browser, game, profile, condition, step: 'opening', early: 0, own: 0 });
    this.random = dice(17);
  }

  /** Everything, one step after the other. */
  async run() {
    this.server = await new TestServer().open();
    this.cable = await new Cable(this.server).open();
    Object.assign(this.cable, { delay: this.condition.delay, jitter: this.condition.jitter });
    const loops = Array.from({ length: this.condition.busy }, () => new Worker('for (;;);', { eval: true }));
    try {
      for (const step of ['invite', 'assemble', 'turns', 'undo', 'takeback', 'chat', 'pause', 'draw', 'spectator', 'reload', 'restart', 'end', 'rematch']) {
        this.step = step;
        await this[step]();
      }
      this.step = 'errors';
      for (const page of [this.ann, this.bob, this.eve]) check(page.errors.length === 0, page.errors.join('; '));
    } catch (error) {
      for (const [name, page] of Object.entries({ ann: this.ann, bob: this.bob, eve: this.eve }))
        await page?.screenshot({ path: `build/walk-failed-${this.game}-${this.profile}-${name}.png` }).catch(() => {});
      error.message = `${this.step}: ${error.message}`;
      error.stack = `${this.step}: ${error.stack}`;
      throw error;
    } finally {
      for (const page of [this.ann, this.bob, this.dan, this.eve]) await page?.context().close();
      for (const loop of loops) await loop.terminate();
      this.cable.close();
      await this.server.close();
    }
  }

  get pages() {
    return [this.ann, this.bob];
  }

  /** Somebody comes; what the server answers to their own actions is counted. */
  async person(name, profile) {
    const page = await newPerson(this.browser, null, { name, ...PROFILES[profile] });
    page.answers = 0;
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => {
      const { type, id } = JSON.parse(payload);
      if (type === 'position' && id !== undefined) page.answers++;
    }));
    await page.addInitScript((id) => localStorage.setItem(`mashup.lesson.${id}`, '1'), this.game);
    return page;
  }

  /** Presses something, as one does with this device. */
  press(locator) {
    return this.profile === 'phone' ? locator.tap() : locator.click();
  }

  async invite() {
    this.ann = await this.person('Ann', this.profile);
    await this.ann.goto(`${this.cable.url}/#/game/${this.game}`);
    await this.ann.locator('input[value=invite]').check({ force: true });
    await this.press(this.ann.locator('form button[type=submit]'));
    this.link = await this.ann.inputValue('input.link');
    this.bob = await this.person('Bob', this.profile);
    await this.bob.goto(this.link);
    await this.press(this.bob.getByRole('button', { name: 'Join match' }));
    for (const page of this.pages) await page.waitForSelector('.match[data-number]');
    if (!HIDING.includes(this.game)) return;
    this.dan = await this.person('Dan', 'desk');
    await this.watch(this.dan);
  }

  /** Comes to watch. */
  async watch(page) {
    await page.goto(this.link);
    await page.getByRole('button', { name: 'Just watch' }).click();
    await page.waitForSelector('.match[data-number]');
  }

  /** Chooses or places for both until the board is there. */
  async assemble() {
    for (;;) {
      const page = await Promise.any(this.pages.map((one) =>
        one.waitForSelector('.offer:not(:disabled), .hand [data-layout], .arena').then(() => one)));
      if ((await page.locator('.arena').count()) > 0) break;
      await this.choose(page);
    }
    for (const page of this.pages) await page.waitForSelector('.board-host .token, .board-host .stage');
  }

  /** One step of choosing: a set-up, the usual team, or as many cards as are wanted. */
  async choose(page) {
    const number = await numberOf(page);
    if ((await page.locator('.hand [data-layout]').count()) > 0) {
      await this.press(page.locator('.hand [data-layout]').first());
      await this.press(page.locator('.hand').getByRole('button', { name: 'Ready', exact: true }));
    } else if ((await page.locator('.assemble-head [data-action="usual team"]').count()) > 0) {
      await this.press(page.locator('.assemble-head [data-action="usual team"]'));
      await this.press(page.locator('.assemble-head .primary'));
    } else {
      const open = page.locator('.offer:not(:disabled):not([aria-pressed=true])');
      const go = page.locator('.assemble-head .primary');
      const several = (await go.count()) > 0;
      do {
        const left = await open.count();
        await this.press(open.first());
        if (several) await until(async () => (await open.count()) < left, 'what was chosen is shown as chosen');
      } while (several && (await go.isDisabled()));
      if (several) await this.press(go);
    }
    await another(page, number);
  }

  /** Who is to act. */
  async mover() {
    return Promise.any(this.pages.map(async (page) => {
      await page.waitForSelector('.turn-words.mine');
      return page;
    }));
  }

  other(page) {
    return page === this.ann ? this.bob : this.ann;
  }

  /** Does one thing that the page offers; `finish`: ends the turn where that can be. */
  async act(page, finish = false) {
    await page.waitForFunction(() => {
      const host = document.querySelector('.board-host');
      return !document.querySelector('.turn-words.mine') || host?.dataset.marks || document.querySelector('.dock .action, .end-turn');
    });
    await page.evaluate(() => scrollTo(0, 0)); /* who has read the log or written on a phone goes back to the board */
    const now = await look(page);
    const answers = page.answers;
    if (now.question) await this.press(page.locator('.choices [data-action]').first());
    else if (finish && now.ends.length > 0) await this.press(page.locator('.end-turn').first());
    else if (now.marks.length > 0) await this.touch(page, this.goal(now));
    else if (now.ends.length > 0 && !now.actions.some(({ bench }) => bench)) await this.press(page.locator('.end-turn').first());
    else if (now.actions.length > 0) await this.press(page.locator('.dock-row .action').first());
    else return;
    await page.waitForFunction(([number, marks, question, sure]) => {
      const match = document.querySelector('.match');
      return match.dataset.number !== number || (document.querySelector('.board-host')?.dataset.marks ?? '') !== marks ||
        (document.querySelector('.dock-row') === null) !== question || (document.querySelector('.hint .refused') !== null) !== sure ||
        document.querySelector('.dock [aria-pressed=true]');
    }, [now.number, now.marks.map(({ x, y, kind }) => `${x},${y},${kind}`).join(' '), now.question, false]);
    if ((await numberOf(page)) === now.number) return;
    this.own++;
    if (page.answers === answers) this.early++;
  }

  /** Where to go: nobody is attacked if it can be helped, so that the match lasts. */
  goal({ marks }) {
    const peaceful = marks.filter(({ kind }) => kind !== 'attack');
    const open = peaceful.length > 0 ? peaceful : marks;
    return open[Math.floor(this.random() * open.length)];
  }

  /** Points at a cell; a finger shows the way to a far one first, and goes by a second tap. */
  async touch(page, { px, py, kind }) {
    if (this.profile !== 'phone') return page.mouse.click(px, py);
    await page.touchscreen.tap(px, py);
    if (kind !== 'reach') return undefined;
    await page.waitForFunction(() => document.querySelector('.board-host').dataset.way !== '');
    return page.touchscreen.tap(px, py);
  }

  /** One turn: some things are done, then it is ended. */
  async turn() {
    const page = await this.mover();
    const words = await page.locator('.turn-words').innerText();
    for (let things = 0; things < 40; things++) {
      if ((await page.locator('.turn-words.mine').count()) === 0 || (await page.locator('.turn-words').innerText()) !== words) break;
      await this.act(page, things >= THINGS);
    }
    await this.agree();
    return page;
  }

  /** Both are shown the same match: everything that was done has come to the other. */
  async agree() {
    const told = () => Promise.all(this.pages.map(logOf));
    const [ann, bob] = this.pages;
    await this.mover();
    for (let [one, two] = await told(); one.length !== two.length; [one, two] = await told()) {
      const [behind, count] = one.length < two.length ? [ann, one.length] : [bob, two.length];
      await behind.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length > n, count);
    }
  }

  async turns() {
    for (let turn = 0; turn < TURNS; turn++) await this.turn();
  }

  /** Undoes a step of one's own; both boards are as before. */
  async undo() {
    if (ONE_ACTION.includes(this.game)) return;
    for (let tries = 0; tries < 20; tries++) {
      const page = await this.mover();
      const before = await Promise.all(this.pages.map(board));
      const number = await numberOf(page);
      await this.act(page);
      if ((await numberOf(page)) === number) continue;
      await this.agree();
      if ((await page.locator('.turn-words.mine').count()) === 0) continue;
      const button = page.locator('button.undo');
      if ((await button.getAttribute('data-can')) !== 'undo') continue;
      await this.press(button);
      for (const one of this.pages) await one.locator('.log li', { hasText: 'took back an action' }).first().waitFor({ state: 'attached' });
      for (const [at, one] of this.pages.entries()) await boardIs(one, before[at]);
      return;
    }
    throw new Error('there was nothing to undo');
  }

  /** Asks the other to let one's last action be taken back, who allows it. */
  async takeback() {
    /* A unit that has only begun its steps can still undo them alone. */
    let page = await this.turn();
    while ((await page.locator('button.undo').getAttribute('data-can')) === 'undo') page = await this.turn();
    const other = this.other(page);
    const number = await numberOf(other);
    await this.press(page.locator('button.undo[data-can=ask]'));
    await this.press(other.locator('[data-notice=takeback]').getByRole('button', { name: 'Allow' }));
    await another(other, number);
    for (const one of this.pages) await one.locator('[data-notice=takeback]').waitFor({ state: 'detached' });
    await this.agree();
  }

  async chat() {
    for (const [page, text] of [[this.ann, 'Good luck!'], [this.bob, 'You too.']]) {
      await this.press(page.locator('.tab-chat'));
      await page.locator('#chat-line').fill(text);
      await page.keyboard.press('Enter');
      await this.other(page).locator('.tab-chat .badge, .talk li').getByText(/1|Good luck!|You too\./).first().waitFor();
    }
    await this.chatIs(this.pages);
  }

  /** Both have both lines in their chat; then they look at the log again. */
  async chatIs(pages) {
    for (const page of pages) {
      await this.press(page.locator('.tab-chat'));
      await page.waitForFunction(() => document.querySelectorAll('.talk li b').length === 2);
      const lines = await page.locator('.talk li').allInnerTexts();
      check(lines.join() === 'Ann Good luck!,Bob You too.', `the chat says ${lines}`);
      await this.press(page.locator('.tab-log'));
    }
  }

  async menu(page, name) {
    await this.press(page.getByRole('button', { name: 'Menu' }));
    await this.press(page.locator('dialog').getByRole('button', { name }));
  }

  async pause() {
    await this.menu(this.bob, 'Pause');
    for (const page of this.pages) await page.getByText('All clocks are stopped.').waitFor();
    await this.ann.reload();
    await this.ann.locator('.notices .notice', { hasText: /paused the match\. All clocks are stopped\./ }).waitFor();
    await this.press(this.ann.locator('.notices').getByRole('button', { name: 'Continue' }));
    for (const page of this.pages) await page.getByText('All clocks are stopped.').waitFor({ state: 'detached' });
  }

  async draw() {
    const page = await this.mover();
    await this.menu(page, 'Offer a draw');
    await this.press(this.other(page).locator('.notices').getByRole('button', { name: 'Decline' }));
    for (const one of this.pages) await one.waitForFunction(() => !/draw/i.test(document.querySelector('.notices').textContent));
    await this.agree();
  }

  /** Somebody comes late to watch, and is told all that was told to who has been here from the beginning. */
  async spectator() {
    this.eve = await this.person('Eve', 'desk');
    await this.watch(this.eve);
    const lines = await logOf(this.dan ?? this.ann);
    await this.eve.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length === n, lines.length);
    const seen = await logOf(this.eve);
    check(seen.join('\n') === lines.join('\n'), `who comes late reads\n${seen.join('\n')}\nand not\n${lines.join('\n')}`);
    check((this.dan?.errors.length ?? 0) === 0, this.dan?.errors.join('; '));
    await this.dan?.context().close();
    this.dan = null;
  }

  /** Both load the page anew, and have what they had. */
  async reload() {
    for (const page of this.pages) {
      const [lines, before] = [await logOf(page), await board(page)];
      await page.reload();
      await page.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length === n, lines.length);
      await until(async () => (await logOf(page)).join('\n') === lines.join('\n'), 'the log is another after a reload');
      await boardIs(page, before);
    }
    await this.chatIs(this.pages);
    await this.turn();
  }

  /** The server is killed and started again: all come back by themselves and go on. */
  async restart() {
    const all = [this.ann, this.bob, this.eve];
    const lines = await logOf(this.ann);
    const boards = await Promise.all(this.pages.map(board));
    await this.server.kill();
    for (const page of all) await page.getByText('Connection lost. Reconnecting').waitFor();
    await this.server.open();
    for (const page of all) await page.getByText('Connection lost. Reconnecting').waitFor({ state: 'detached' });
    for (const page of all) page.errors = page.errors.filter((text) => !/WebSocket|ERR_/.test(text));
    await this.ann.reload();
    for (const [at, page] of this.pages.entries()) await boardIs(page, boards[at]);
    await this.ann.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length === n, lines.length);
    await until(async () => (await logOf(this.ann)).join('\n') === lines.join('\n'), 'the log is another after the server was away');
    await this.chatIs(this.pages);
    const seen = (await logOf(this.eve)).length;
    await this.turn();
    await this.turn();
    await this.eve.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length > n, seen);
  }

  /** One gives up; everybody is told. */
  async end() {
    await this.menu(this.bob, 'Resign');
    await this.press(this.bob.locator('dialog').getByRole('button', { name: 'Resign' }));
    for (const page of [this.ann, this.bob, this.eve]) await page.locator('dialog.wide', { hasText: 'Bob resigned.' }).waitFor();
    await until(async () => /You won/.test(await this.ann.locator('dialog.wide').innerText()), 'Ann has won');
    await until(async () => /You lost/.test(await this.bob.locator('dialog.wide').innerText()), 'Bob has lost');
  }

  /** Both want another match, and it begins. */
  async rematch() {
    await this.press(this.ann.getByRole('button', { name: 'Rematch' }));
    await this.bob.getByText('Ann wants a rematch.').waitFor();
    await this.press(this.bob.getByRole('button', { name: 'Rematch' }));
    for (const page of this.pages) await page.waitForSelector('dialog.wide', { state: 'detached' });
    await this.assemble();
    await this.turn();
  }
}

/** The number of the position that is shown. */
async function numberOf(page) {
  return page.locator('.match').getAttribute('data-number');
}

/** Waits until another position is shown. */
function another(page, before) {
  return page.waitForFunction((was) => document.querySelector('.match')?.dataset.number !== was, before);
}

/** The lines of the log, but for remarks of the table. */
function logOf(page) {
  return page.locator('.log li:not(.table)').allTextContents();
}

const games = readGames().map(({ id }) => id);
const browser = await openBrowser();
const [argument, count, each, first, last] = process.argv.slice(2);

/** So many runs in a row, half of them plain, a quarter over a long cable, a quarter on a busy machine; each walks through so many games,
 * the next in turn, desk and phone by turns. Prints what came of each, from one of them to another. */
async function table(runs, many, from, to) {
  const plan = Array.from({ length: runs }, (_, at) => (at < runs / 2 ? 'plain' : at < (runs * 3) / 4 ? 'far' : 'busy'));
  let failed = 0;
  console.log('| run | condition | walks | passed | own actions | shown before the answer | seconds |\n|---|---|---|---|---|---|---|');
  for (const [at, name] of [...plan.entries()].slice(from, to)) {
    const began = Date.now();
    const sum = { walked: 0, own: 0, early: 0 };
    const [walks, why] = [[], []];
    for (let turn = at * many; turn < (at + 1) * many; turn++) {
      const game = games[turn % games.length];
      const profile = Object.keys(PROFILES)[(turn + Math.floor(turn / games.length)) % 2];
      const walk = new Walk(browser, game, profile, CONDITIONS[name]);
      walks.push(`${game} (${profile})`);
      await walk.run().then(() => sum.walked++, (error) => why.push(`${game}, ${profile}: ${error.stack}`));
      sum.own += walk.own;
      sum.early += walk.early;
    }
    failed += why.length;
    console.log(`| ${at + 1} | ${name} | ${walks.join(', ')} | ${sum.walked} of ${many} | ${sum.own} | ${sum.early} | ${Math.round((Date.now() - began) / 1000)} |`);
    for (const text of why) console.log(`FAILED  ${text}`);
  }
  console.log(`${(to - from) * many - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

if (argument === '--table') {
  const code = await table(Number(count ?? 20), Number(each ?? games.length), Number(first ?? 1) - 1, Number(last ?? count ?? 20));
  await browser.close();
  process.exit(code);
}

for (const game of games)
  for (const profile of Object.keys(PROFILES))
    await test(`a whole match online, invitation to rematch: ${game}, ${profile}`, argument, () =>
      new Walk(browser, game, profile, CONDITIONS[process.env.CONDITION ?? 'plain']).run(), { short: game === 'zorde' && profile === 'desk' });

await browser.close();
process.exit(summary());

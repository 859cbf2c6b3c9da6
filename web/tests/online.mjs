// online.mjs -- two browsers at one table: placement and choice as one step over a long cable, undo and takeback, the log of
// who comes back or late.
// Usage: node web/tests/online.mjs [part of a test's name]   (RUNS=12: how often each is done)
import { acted, board, boardIs, waitForTurn } from './steps.mjs';
import { look, startMatch as startLocal } from './player.mjs';
import { Cable, TestServer, check, drawn, newPerson, openBrowser, summary, test, until } from './server.mjs';

const only = process.argv[2];
const runs = Number(process.env.RUNS ?? 1);
const server = await new TestServer().open();
const cable = await new Cable(server).open();
const browser = await openBrowser();

/** Ann invites Bob to a game; both are at the table, over the long cable (Bob perhaps by another `way`). */
async function invited(game, way = cable) {
  Object.assign(cable, { delay: 0, jitter: 0 });
  const ann = await newPerson(browser, cable, { name: 'Ann' });
  const bob = await newPerson(browser, way, { name: 'Bob' });
  for (const page of [ann, bob])
    await page.evaluate((id) => localStorage.setItem(`mashup.lesson.${id}`, '1'), game).then(() => asked(page));
  await ann.goto(`${cable.url}/#/game/${game}`);
  await ann.locator('input[value=invite]').check({ force: true });
  await ann.locator('button[type=submit]').click();
  const link = await ann.inputValue('input.link');
  await bob.goto(link.replace(cable.url, way.url));
  await bob.getByRole('button', { name: 'Join match' }).click();
  for (const page of [ann, bob]) await page.waitForSelector('.match');
  Object.assign(cable, { delay: 300, jitter: 60 });
  return Object.assign([ann, bob], { link });
}

/** Ends the match for both; nothing may have gone wrong on their pages. */
async function part(...pages) {
  for (const page of pages) {
    check(page.errors.length === 0, `errors on the page: ${page.errors.join('; ')}`);
    await page.context().close();
  }
}

/** What a page asks its server for from now on: the types of its messages. */
function asked(page) {
  const types = [];
  page.sent = types;
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => types.push(JSON.parse(payload).type)));
}

/** Shows what both see when something goes wrong. */
async function watched(pages, run) {
  try {
    await run();
  } catch (error) {
    for (const [at, page] of pages.entries()) await page.screenshot({ path: `build/online-failed-${at}.png` }).catch(() => {});
    throw error;
  }
}

/** Nothing was refused. */
async function noRefusal(page, who) {
  const alerts = await page.locator('.notice.bad, [role=alert]').allTextContents();
  check(alerts.every((text) => text.trim() === ''), `${who} is told: ${alerts.join('; ')}`);
}

for (let run = 1; run <= runs; run++) {
  await test(`Generals: both place an army at the same time, 300 ms away (${run})`, only, async () => {
    const pages = await invited('generals');
    await watched(pages, async () => {
      for (const page of pages) await page.locator('.hand [data-layout]').first().click();
      await Promise.all(pages.map((page) => page.locator('.hand').getByRole('button', { name: 'Ready', exact: true }).click()));
      for (const [at, page] of pages.entries()) {
        await page.waitForSelector('.board-host .token');
        await noRefusal(page, at);
        const acts = page.sent.filter((type) => type.startsWith('act')).join();
        check(acts === 'acts', `it is one step: ${acts}`);
        const count = () => page.locator('.board-host .token').count();
        await until(async () => (await count()) === 42, async () => `${await count()} pieces are on the board`);
      }
      await Promise.any(pages.map((page) => page.waitForSelector('.turn-words.mine')));
    });
    await part(...pages);
  }, { short: true });

  await test(`Marvelous Mashup: both choose six heroes at the same time, 300 ms away (${run})`, only, async () => {
    const pages = await invited('marvelous-mashup');
    await watched(pages, async () => {
      for (const page of pages)
        for (let at = 0; at < 6; at++) await page.locator('.offer').nth(2 * at).click();
      await Promise.all(pages.map((page) => page.locator('.assemble-head .primary').click()));
      for (const [at, page] of pages.entries()) {
        await page.waitForSelector('.board-host .token');
        await noRefusal(page, at);
        const acts = page.sent.filter((type) => type.startsWith('act')).join();
        check(acts === 'acts', `it is one step: ${acts}`);
        const chosen = await page.locator('.log li', { hasText: /Ann|Bob|Team 1|Team 2|choos|chose/ }).allTextContents();
        check(new Set(chosen).size === chosen.length, `the log says something twice: ${chosen.join('; ')}`);
      }
    });
    await part(...pages);
  });
}

await test('chat while armies are placed: a button with what is new, a box, a key; the same lines beside the board', only, async () => {
  const pages = await invited('generals');
  const [ann, bob] = pages;
  await watched(pages, async () => {
    Object.assign(cable, { delay: 0, jitter: 0 });
    await ann.keyboard.press('c');
    await ann.locator('#chat-line').fill('Have fun, Bob!');
    await ann.keyboard.press('Enter');
    const badge = bob.locator('.chat-button .badge');
    await badge.waitFor();
    await until(async () => /^1/.test(await badge.innerText()), async () => `the badge says ${await badge.innerText()}`);
    await bob.getByRole('button', { name: /^Chat/ }).click();
    await bob.getByRole('dialog').getByText('Have fun, Bob!').waitFor();
    await badge.waitFor({ state: 'detached' });
    await bob.keyboard.press('Escape');
    await bob.getByRole('dialog').waitFor({ state: 'detached' });
    check((await badge.count()) === 0, 'what was read is not new');
    await ann.keyboard.press('Escape');
    await bob.setViewportSize({ width: 390, height: 844 });
    const cut = () => bob.evaluate(() => [...document.querySelectorAll('.plate-name b')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
    await until(async () => (await cut()).length === 0, async () => `cut on a phone: ${await cut()}`);
    await bob.setViewportSize({ width: 1440, height: 900 });
    for (const page of pages) {
      await page.locator('.hand [data-layout]').first().click();
      await page.locator('.hand').getByRole('button', { name: 'Ready', exact: true }).click();
    }
    for (const page of pages) {
      await page.waitForSelector('.arena');
      check((await page.locator('.chat-button').count()) === 0, 'beside the board the chat is a panel');
      await page.locator('.tab-chat').click();
      await page.locator('.talk').getByText('Have fun, Bob!').waitFor();
    }
  });
  await part(...pages);
}, { short: true });

await test('a question is answered once, however often its button is pressed', only, async () => {
  const pages = await invited('zorde');
  await watched(pages, async () => {
    const mover = await waitForTurn(...pages);
    const other = pages.find((page) => page !== mover);
    await mover.getByRole('button', { name: 'Menu' }).click();
    await mover.locator('dialog').getByRole('button', { name: 'Offer a draw' }).dblclick();
    const decline = other.locator('.notices').getByRole('button', { name: 'Decline' });
    await decline.dblclick();
    await decline.waitFor({ state: 'detached' });
    await mover.locator('.notices .notice').waitFor({ state: 'detached' });
    await other.locator('.tab-chat').click();
    await other.locator('#chat-line').fill('Not yet.');
    await other.keyboard.press('Enter');
    await mover.locator('.tab-chat .badge').waitFor();
    for (const page of pages) {
      const count = page.sent.filter((type) => type === 'draw').length;
      check(count === 1, `asked or answered ${count} times`);
      await noRefusal(page, 'who asked or answered');
    }
  });
  await part(...pages);
});

const number = async (page) => Number(await page.locator('.match').getAttribute('data-number'));
/** Waits until something else is shown than this number. */
const another = (page, before) => page.waitForFunction((was) => Number(document.querySelector('.match')?.dataset.number) !== was, before);
/** What the log tells, but for remarks about who took something back. */
const told = async (page) => (await page.locator('.log li').allInnerTexts()).filter((text) => !text.includes('took back')).join('\n');
const undoButton = (page) => page.locator('button.undo');

await test('undo: one\'s own step with Backspace, both see it; a turn that is over by a takeback', only, async () => {
  const pages = await invited('zorde');
  await watched(pages, async () => {
    Object.assign(cable, { delay: 0, jitter: 0 });
    const mover = await waitForTurn(...pages);
    const other = pages.find((page) => page !== mover);
    await mover.waitForSelector('.board-host .token');
    await until(async () => (await undoButton(mover).getAttribute('data-can')) === 'nothing', 'nothing to undo at first');
    await until(async () => (await undoButton(mover).getAttribute('title')).includes('Nothing to undo yet.'), 'the button says why');
    const before = await board(mover);
    const others = await board(other);
    const first = await number(mover);
    const theirs = await number(other);
    const unmoved = await Promise.all(pages.map(told));
    await acted(mover);
    await another(other, theirs);
    await until(async () => (await told(other)) !== unmoved[pages.indexOf(other)], 'the step is in the log');
    await until(async () => (await board(mover)) !== before, 'something has moved');
    await mover.locator('.stage').first().focus();
    const second = await number(mover);
    await mover.keyboard.press('Backspace');
    await another(mover, second);
    await other.waitForFunction((was) => Number(document.querySelector('.match')?.dataset.number) === was, theirs + 2);
    await until(async () => (await number(mover)) === first + 2, 'numbers go on rising');
    await boardIs(mover, before);
    await boardIs(other, others);
    for (const page of pages) await page.locator('.log li', { hasText: 'took back an action' }).waitFor();
    for (const [at, page] of pages.entries()) {
      await until(async () => (await told(page)) === unmoved[at], async () => `the log tells of what was undone: ${await told(page)}`);
    }
    for (let at = 0; at < 12 && (await mover.locator('.turn-words.mine').count()) > 0; at++) await acted(mover);
    await undoButton(mover).and(mover.locator('[data-can=ask]')).waitFor();
    await until(async () => (await undoButton(mover).getAttribute('aria-label')).includes('Your turn is over.'), 'the button says why');
    const over = await number(mover);
    await undoButton(mover).click();
    await mover.getByText('You asked to take back your last action.').waitFor();
    await other.locator('[data-notice=takeback]').getByRole('button', { name: 'Decline' }).click();
    await mover.locator('.log li', { hasText: 'declined the takeback' }).waitFor();
    await undoButton(mover).click();
    await other.reload();
    await other.locator('[data-notice=takeback]').getByRole('button', { name: 'Allow' }).click();
    await another(mover, over);
    await mover.waitForSelector('.turn-words.mine');
    await until(async () => (await other.locator('[data-notice=takeback]').count()) === 0, 'the question is gone');
  });
  await part(...pages);
});

await test('log and chat outlive a reload; who comes late to watch has the whole log', only, async () => {
  const pages = await invited('zorde');
  await watched(pages, async () => {
    Object.assign(cable, { delay: 0, jitter: 0 });
    for (let at = 0; at < 8; at++) await acted(await waitForTurn(...pages));
    const [ann, bob] = pages;
    const log = (page) => page.locator('.log li:not(.table)').allTextContents();
    const before = await log(ann);
    check(before.length > 8, `only ${before.length} lines`);
    await ann.locator('.tab-chat').click();
    await ann.fill('#chat-line', 'well met');
    await ann.keyboard.press('Enter');
    await ann.getByText('well met').waitFor();
    await ann.reload();
    await ann.waitForSelector('.log li.move');
    await ann.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length === n, before.length);
    await until(async () => (await log(ann)).join('\n') === before.join('\n'), async () => `the log after the reload: ${(await log(ann)).join(' / ')}; and before: ${before.join(' / ')}`);
    await ann.locator('.tab-chat').click();
    await ann.getByText('well met').waitFor();
    await ann.locator('.tab-log').click();
    const eve = await newPerson(browser, cable, { name: 'Eve' });
    pages.push(eve);
    await eve.goto(pages.link);
    await eve.getByRole('button', { name: 'Just watch' }).click();
    await eve.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length === n, before.length);
    await until(async () => (await log(eve)).join('\n') === before.join('\n'), 'who comes late has the whole log');
    await acted(await waitForTurn(ann, bob));
    await eve.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length > n, before.length);
    await until(async () => new Set(await Promise.all(pages.map(async (page) => (await log(page)).join('\n')))).size === 1, 'all have the same log');
  });
  await part(...pages);
});

/** Counts the positions that the server has sent to a page from its next load on. */
function heard(page) {
  page.positions = 0;
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => { page.positions += JSON.parse(payload).type === 'position' ? 1 : 0; }));
}

await test('one\'s own action is shown before the server has answered, and told once', only, async () => {
  const pages = await invited('zorde');
  await watched(pages, async () => {
    for (const page of pages) {
      heard(page);
      await page.reload();
      await page.waitForSelector('.board-host .token');
    }
    const mover = await waitForTurn(...pages);
    Object.assign(cable, { delay: 0, jitter: 0 });
    cable.hold();
    const [was, positions] = [await number(mover), mover.positions];
    let done = 0;
    for (let before = ''; done < 2 && (await mover.locator('.turn-words.mine').count()) > 0; done++) {
      before = await board(mover);
      await acted(mover);
      await mover.waitForFunction((n) => Number(document.querySelector('.match').dataset.number) === n, was + done + 1);
      await until(async () => (await board(mover)) !== before, 'it is shown');
    }
    check(mover.positions === positions, 'though the server has not answered');
    const lines = await mover.locator('.log li').allTextContents();
    cable.release();
    await until(() => mover.positions === positions + done, 'the server has answered');
    await drawn(mover);
    check((await number(mover)) === was + done, 'it is the position that was shown');
    check((await mover.locator('.log li').allTextContents()).join() === lines.join(), 'nothing is told twice');
    const other = pages.find((page) => page !== mover);
    await other.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length === n, await mover.locator('.log li:not(.table)').count());
    await noRefusal(mover, 'the mover');
  });
  await part(...pages);
});

await test('what the server refuses goes back with the reason, and leaves nothing in the log', only, async () => {
  const pages = await invited('zorde', server); /* Bob sits beside the server */
  await watched(pages, async () => {
    const [ann, bob] = pages;
    Object.assign(cable, { delay: 0, jitter: 0 });
    const mover = ann;
    for (let at = 0; at < 12 && (await waitForTurn(ann, bob)) === bob; at++) await acted(bob);
    await ann.waitForSelector('.turn-words.mine');
    const before = await board(mover);
    const lines = await mover.locator('.log li:not(.table)').allTextContents();
    const was = await number(mover);
    cable.hold();
    await acted(mover);
    await until(async () => (await board(mover)) !== before, 'it is shown');
    await bob.locator('.stage').first().focus();
    await bob.keyboard.press('p');
    await bob.getByText('All clocks are stopped.').waitFor();
    cable.release();
    await mover.waitForFunction((n) => Number(document.querySelector('.match').dataset.number) === n, was);
    await mover.locator('.notices .notice.warn', { hasText: 'The match is paused.' }).waitFor();
    await boardIs(mover, before);
    const told = () => mover.locator('.log li:not(.table)').allTextContents();
    await until(async () => (await told()).join() === lines.join(), async () => `nothing is left in the log: ${await told()}`);
  });
  await part(...pages);
});

/** Ann and Bob at a table of Zorde whose first mover sits at the far end of the cable; the elf is chosen, and where it can go is marked. */
async function elfChosen() {
  for (;;) {
    const pages = await invited('zorde', server);
    const [ann, bob] = pages;
    Object.assign(cable, { delay: 0, jitter: 0 });
    if ((await waitForTurn(ann, bob)) === bob) {
      await part(ann, bob);
      continue;
    }
    heard(ann);
    await ann.reload();
    await ann.locator('.board-host .stage').focus();
    const chosen = () => ann.evaluate(() => document.querySelector('.board-host .token.selected')?.dataset.unit);
    for (let before = await chosen(); before !== '1'; before = await chosen()) {
      await ann.keyboard.press('n');
      await until(async () => (await chosen()) !== before, `N chooses another unit than ${before}`);
    }
    await ann.waitForFunction(() => /,reach/.test(document.querySelector('.board-host').dataset.marks));
    return pages;
  }
}

/** Clicks a cell that takes several steps. */
async function walkFar(page) {
  const { marks } = await look(page);
  const { px, py } = marks.find(({ kind }) => kind === 'reach');
  await page.mouse.click(px, py);
}

await test('a walk of several steps is shown before the server has answered, and told once', only, async () => {
  const pages = await elfChosen();
  await watched(pages, async () => {
    const [ann, bob] = pages;
    const [was, positions, before] = [await number(ann), ann.positions, await board(ann)];
    Object.assign(cable, { delay: 2000, jitter: 0 });
    await walkFar(ann);
    await ann.waitForFunction((n) => Number(document.querySelector('.match').dataset.number) === n, was + 1);
    check(ann.positions === positions, 'though the server has not answered');
    await until(async () => (await board(ann)) !== before, 'it is shown');
    const lines = await ann.locator('.log li:not(.table)').allTextContents();
    check(lines.filter((line) => /moves from/.test(line)).length > 1, `several steps are told: ${lines}`);
    await undoButton(ann).and(ann.locator('[data-can=undo]')).waitFor();
    check(ann.positions === positions + 1 && (await number(ann)) === was + 1, 'the answer is the position that was shown');
    check((await ann.locator('.log li:not(.table)').allTextContents()).join() === lines.join(), 'nothing is told twice');
    await bob.waitForFunction((n) => document.querySelectorAll('.log li:not(.table)').length === n, lines.length);
    await noRefusal(ann, 'Ann');
  });
  await part(...pages);
});

await test('a walk that the server refuses after it was shown goes back with the reason', only, async () => {
  const pages = await elfChosen();
  await watched(pages, async () => {
    const [ann, bob] = pages;
    const [was, before] = [await number(ann), await board(ann)];
    const lines = await ann.locator('.log li:not(.table)').allTextContents();
    Object.assign(cable, { delay: 1500, jitter: 0 });
    await walkFar(ann);
    await ann.waitForFunction((n) => Number(document.querySelector('.match').dataset.number) === n, was + 1);
    await until(async () => (await board(ann)) !== before, 'it is shown');
    await bob.locator('.stage').first().focus();
    await bob.keyboard.press('p');
    await ann.locator('.notices .notice.warn', { hasText: 'The match is paused.' }).waitFor();
    await until(async () => (await number(ann)) === was, 'it is withdrawn');
    await boardIs(ann, before);
    const told = () => ann.locator('.log li:not(.table)').allTextContents();
    await until(async () => (await told()).join() === lines.join(), async () => `nothing is left in the log: ${await told()}`);
    check(ann.sent.filter((type) => type.startsWith('act')).join() === 'acts', `it is not tried again: ${ann.sent}`);
  });
  await part(...pages);
});

await test('undo of a placement: the army comes back into the hand', only, async () => {
  const pages = await invited('generals');
  await watched(pages, async () => {
    Object.assign(cable, { delay: 0, jitter: 0 });
    const [ann] = pages;
    await ann.locator('.hand [data-layout]').first().click();
    const ready = ann.locator('.hand').getByRole('button', { name: 'Ready', exact: true });
    await ready.click();
    await ann.waitForSelector('.placement.waiting');
    await undoButton(ann).click();
    await ready.waitFor();
    await ready.click();
    await ann.waitForSelector('.placement.waiting');
  });
  await part(...pages);
});

await test('undo against the computer on this device: one\'s own step and what it answered', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  await watched([ann], async () => {
    await startLocal(ann, server, 'tablut', { mode: 'ai', seat: 0 });
    for (let round = 0; round < 3; round++) {
      await ann.waitForSelector('.turn-words.mine');
      await ann.waitForFunction(() => document.querySelector('.board-host').dataset.marks);
      const before = await board(ann);
      const was = await number(ann);
      await acted(ann);
      await ann.waitForFunction((n) => Number(document.querySelector('.match').dataset.number) >= n + 2 && document.querySelector('.turn-words.mine'), was);
      const now = await number(ann);
      await ann.locator('.stage').first().focus();
      await ann.keyboard.press('Backspace');
      await another(ann, now);
      await until(async () => (await number(ann)) > now, 'numbers go on rising');
      await boardIs(ann, before);
      await acted(ann);
    }
    const lines = () => ann.locator('.log li', { hasText: 'took back an action' }).count();
    await until(async () => (await lines()) === 3, async () => `${await lines()} remarks`);
  });
  await part(ann);
});

cable.close();
await browser.close();
await server.close();
process.exit(summary());

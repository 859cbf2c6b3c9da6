// layout.mjs -- what stands around the board and what stands still: titles, notices, the board's place in every game and at every
// size, the board turned, what just happened, and how a player is told.
// Usage: node web/tests/layout.mjs [part of a test's name]
import { Cable, TestServer, check, newPerson, openBrowser, summary, test, until } from './server.mjs';
import { readFileSync } from 'node:fs';
import WebSocket from 'ws';
import { readGames } from '../games.mjs';
import { playByMouse, startMatch } from './player.mjs';
import { axe, resign, waitForTurn } from './steps.mjs';

const only = process.argv[2];
const SHORT = { short: true };
const server = await new TestServer().open();
const browser = await openBrowser();

/** Runs with pages of new people that are closed again; errors of a page are failures. */
async function withPeople(count, run, options = {}) {
  const pages = [];
  for (let i = 0; i < count; i++) pages.push(await newPerson(browser, options.server ?? server, { name: ['Ann', 'Bob', 'Eve'][i], ...options }));
  await run(...pages);
  for (const page of pages) check(page.errors.length === 0, `errors on the page: ${page.errors.join('; ')}`);
  for (const page of pages) await page.context().close();
}

/** The two sit at a table of a game: the first invites, the second comes by the link. */
async function meet(ann, bob, game, preset, place = server) {
  await ann.goto(place.url);
  await startMatch(ann, place, game, { mode: 'invite', preset }, '.qr');
  const link = await ann.locator('input.link').inputValue();
  await bob.evaluate((id) => localStorage.setItem(`mashup.lesson.${id}`, '1'), game);
  await bob.goto(`${server.url}/${link.slice(link.indexOf('#'))}`);
  await bob.getByRole('button', { name: 'Join match' }).waitFor();
  return async () => {
    await bob.getByRole('button', { name: 'Join match' }).click();
    for (const page of [ann, bob]) await page.waitForSelector('.match');
  };
}

await test('the tab says where one is, the chat counts what is new, and being back is said for a moment', only, async () => {
  const cable = await new Cable(server).open();
  await withPeople(2, async (ann, bob) => {
    const join = await meet(ann, bob, 'zorde', 'duel', cable);
    await until(async () => (await bob.title()) === "You're invited · Mashup", async () => `the title of an invitation: ${await bob.title()}`);
    await join();
    await bob.waitForSelector('.match .board-host');
    const titles = async () => [await ann.title(), await bob.title()].sort();
    await until(async () => (await titles()).every((title) => title.endsWith('Zorde vs Calliance · Mashup')), async () => `the titles of a match: ${await titles()}`);
    await until(async () => /^● Your turn/m.test((await titles()).join('\n')) && /’s turn/.test(await titles()), async () => `the titles say whose turn it is: ${await titles()}`);

    const badge = bob.locator('.tab-chat .badge');
    await ann.getByRole('tab', { name: /Chat/ }).click();
    const speak = async (text) => {
      await ann.locator('#chat-line').fill(text);
      await ann.keyboard.press('Enter');
    };
    await speak('Hello');
    await badge.waitFor();
    await until(async () => /^1/.test(await badge.innerText()), 'one line is new');
    await until(async () => (await ann.locator('.tab-chat .badge').count()) === 0, 'what one says oneself is not new');
    await bob.getByRole('tab', { name: /Chat/ }).click();
    await bob.locator('li', { hasText: 'Hello' }).waitFor();
    await bob.getByRole('tab', { name: 'Log' }).click();
    await until(async () => (await badge.count()) === 0, 'what was seen is not new');
    await speak('Good luck');
    await badge.waitFor();
    await until(async () => /^1/.test(await badge.innerText()), 'only the second line is new');

    cable.cut();
    await ann.getByText('Connection lost.').first().waitFor();
    cable.mend();
    const back = ann.locator('.notices').getByText('Reconnected.');
    await back.waitFor();
    check((await back.count()) <= 1, 'it is said once');
    await back.waitFor({ state: 'detached' });
    ann.errors = ann.errors.filter((text) => !/WebSocket|ERR_|Failed to fetch/.test(text));
  });
  cable.close();
}, SHORT);

const GAMES = readGames().map(({ id, page }) => ({ game: id, preset: page.tests?.preset }));
const SIZES = {
  desk: { viewport: { width: 1440, height: 900 } },
  laptop: { viewport: { width: 1366, height: 768 } },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  side: { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
};

/** What is cut or covered just now: labels of neighbouring cells that overlap, portraits and actions in the strip, cards and names of the
 * teams, titles and names in the bar, buttons above the board, badges of pieces, and on a phone what is said over the board. */
const findMisplaced = () => {
  globalThis.misplaced = () => {
    const all = (names) => [...document.querySelectorAll(names)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
    const box = (one) => one.getBoundingClientRect();
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const wrong = [];
    const labels = all('.mark-label');
    labels.forEach((one, i) => labels.slice(i + 1).forEach((other) => {
      const apart = one.dataset.x !== other.dataset.x || one.dataset.y !== other.dataset.y;
      if (apart && over(box(one), box(other))) wrong.push(`"${one.textContent}" and "${other.textContent}" overlap`);
    }));
    for (const list of all('.order ol, .turn-strip'))
      for (const item of list.children) {
        const [inner, outer] = [box(item), box(list)];
        const rows = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
        if (rows > 6 && (inner.left < outer.left - 1 || inner.right > outer.right + 1 || rows < inner.height - 6)) wrong.push(`cut in the strip: ${item.textContent}`);
      }
    for (const button of all('.strip-buttons button'))
      if (box(button).right > box(button.closest('.strip')).right + 1) wrong.push(`sticks out of the strip: ${button.getAttribute('aria-label')}`);
    for (const words of all('.turn-words, .plate-name b')) if (words.scrollWidth > words.clientWidth + 1) wrong.push(`cut: ${words.textContent}`);
    const places = box(document.querySelector('.sides') ?? document.body);
    if (innerWidth > 1100 && innerHeight >= 900) for (const card of all('.unit-card')) if (box(card).bottom > places.bottom + 1) wrong.push(`below the fold: ${card.textContent}`);
    const heights = new Set(all('.unit-card').map((card) => Math.round(box(card).height)));
    if (heights.size > 1) wrong.push(`cards of teams are ${[...heights]} high`);
    for (const badge of all('.piece .badge')) if (box(badge).right > box(badge.parentElement).right - 2) wrong.push(`a badge sticks out of ${badge.parentElement.textContent}`);
    const stage = document.querySelector('.board-host .stage');
    if (stage && Math.min(innerWidth, innerHeight) < 500)
      for (const notice of all('.notices > .notice')) if (over(box(notice), box(stage))) wrong.push(`over the board: ${notice.textContent}`);
    return wrong;
  };
};

/** From now on every frame is looked at: where the board is and how large, and which actions are out of sight. */
const watchBoard = async (page) => {
  await page.evaluate(findMisplaced);
  await page.evaluate(() => {
    let frames = 0;
    const seen = { boxes: new Set(), hidden: new Set(), wrong: new Set() };
    globalThis.seen = seen;
    const look = () => {
      const stage = document.querySelector('.board-host .stage');
      if (stage) {
        const box = stage.getBoundingClientRect();
        const sticks = getComputedStyle(stage.closest('.board-place')).position === 'sticky';
        const world = stage.querySelector('.stage-world').style.transform;
        seen.boxes.add([box.left, box.top + (sticks ? 0 : scrollY), box.width, box.height, stage.style.getPropertyValue('--cell'), world].join(' '));
      }
      if (frames++ % 5 === 0) for (const wrong of globalThis.misplaced()) seen.wrong.add(wrong);
      for (const list of document.querySelectorAll('.choices'))
        if (list.scrollHeight > list.clientHeight + 1) seen.hidden.add(`${list.childElementCount} actions: ${list.clientHeight} of ${list.scrollHeight} pixels`);
      requestAnimationFrame(look);
    };
    look();
  });
};

/** The board was at one place in one size, and all actions were in sight. */
async function stoodStill(page, where) {
  const { boxes, hidden, wrong } = await page.evaluate(() => Object.fromEntries(Object.entries(globalThis.seen).map(([name, all]) => [name, [...all]])));
  check(wrong.length === 0, `${where}: ${wrong.join(' | ')}`);
  check(boxes.length === 1, `${where}: the board was at ${boxes.length} places: ${boxes.join(' | ')}`);
  check(hidden.length === 0, `${where}: out of sight: ${hidden.join(' | ')}`);
}

/** Goes on by mouse for some steps. */
async function playOn(page, seed, limit) {
  await playByMouse(page, { seed, limit, haste: 0.3 }).catch((error) => {
    if (!/has no end/.test(String(error))) throw error;
  });
}

for (const [size, options] of Object.entries(SIZES))
  for (const { game, preset } of GAMES)
    await test(`the board stands still and all actions are seen: ${game}, ${size}`, only, () => withPeople(1, async (page) => {
      await startMatch(page, server, game, { mode: 'ai', preset });
      for (let i = 0; i < 40 && !(await page.locator('.board-host').count()); i++) await playOn(page, i, 1);
      await page.waitForSelector('.board-host .stage[data-size]');
      await watchBoard(page);
      for (let round = 0; round < 3; round++) {
        await playOn(page, round, process.env.SHORT ? 8 : 20);
        /* An end may come late, and be closed by a key that was meant for a tip: what says so stays. */
        await page.waitForSelector('.turn-words.mine, [data-notice=end]');
        if (await page.locator('[data-notice=end]').count()) break;
        await page.keyboard.press('g');
        await page.locator('.tip, dialog.wide').first().waitFor({ timeout: 20000 }).catch(() => {});
        await page.keyboard.press('Escape');
        await until(async () => (await page.locator('.tip').count()) === 0, 'Esc takes a tip away');
        await page.getByRole('button', { name: 'Menu' }).click().catch(() => {});
        await page.keyboard.press('Escape');
      }
      await stoodStill(page, game);
    }, options), { short: size === 'desk' && game === 'zorde' });

await test('the card of a unit that is gone is as high as the others', only, () => withPeople(1, async (page) => {
  await startMatch(page, server, 'zorde', { preset: 'duel' });
  await playByMouse(page, { seed: 7, after: async () => (await page.locator('.unit-card.out').count()) === 0 });
  const heights = await page.locator('.unit-card').evaluateAll((cards) => cards.map((card) => `${card.getBoundingClientRect().height}${card.matches('.out') ? ', gone' : ''}`));
  check(heights.some((one) => one.endsWith('gone')), 'somebody is gone');
  check(new Set(heights.map((one) => Number.parseFloat(one))).size === 1, `the cards are ${heights.join('; ')} high`);
}), SHORT);

await test('notices lie over the board: pause, draw, watching', only, () => withPeople(3, async (ann, bob, eve) => {
  const join = await meet(ann, bob, 'zorde', 'duel');
  await join();
  await eve.goto(ann.url());
  for (const page of [ann, bob, eve]) await page.waitForSelector('.board-host .token');
  for (const page of [ann, bob, eve]) await watchBoard(page);
  await eve.getByText('You’re watching').waitFor();
  await bob.getByRole('button', { name: 'Menu' }).click();
  await bob.getByRole('button', { name: 'Pause' }).click();
  for (const page of [ann, bob, eve]) await page.locator('.notices').getByText('All clocks are stopped.').waitFor();
  await ann.locator('.notices').getByRole('button', { name: 'Continue' }).click();
  await bob.locator('.notices .notice').waitFor({ state: 'detached' });
  const [actor, other] = (await waitForTurn(ann, bob)) === ann ? [ann, bob] : [bob, ann];
  await actor.getByRole('button', { name: 'Menu' }).click();
  await actor.getByRole('button', { name: 'Offer a draw' }).click();
  await other.getByRole('button', { name: 'Decline' }).click();
  await actor.locator('.notices .notice').waitFor({ state: 'detached' });
  for (const [page, name] of [[ann, 'Ann'], [bob, 'Bob'], [eve, 'Eve']]) await stoodStill(page, name);
}), SHORT);

await test('tablet: board across, panels below; phone on its side: the board fills the height', only, async () => {
  const places = (page) => page.evaluate(() => Object.fromEntries(['.stage', '.dock', '.facts', '.sides', '.match-bar'].map((name) => {
    const box = document.querySelector(name).getBoundingClientRect();
    return [name.slice(1), { left: box.left, right: box.right, top: box.top, bottom: box.bottom }];
  })));
  await withPeople(1, async (page) => {
    await startMatch(page, server, 'zorde', { mode: 'ai', preset: 'duel' });
    await page.waitForSelector('.board-host .token');
    const { stage, dock, facts, sides } = await places(page);
    check(stage.left <= 12 && stage.right >= 808, `the board is not across: ${JSON.stringify(stage)}`);
    check(dock.top >= stage.bottom && dock.bottom <= 1180, `the dock is not below the board: ${JSON.stringify(dock)}`);
    check(facts.top >= dock.bottom && sides.top >= dock.bottom, 'the panels are not below');
  }, SIZES.tablet);
  await withPeople(1, async (page) => {
    await startMatch(page, server, 'zorde', { mode: 'ai', preset: 'duel' });
    await page.waitForSelector('.board-host .token');
    const { stage, dock } = await places(page);
    check(stage.top === 0 && stage.bottom === 390, `the board does not fill the height: ${JSON.stringify(stage)}`);
    check(dock.left >= stage.right && dock.bottom <= 390, `the actions are not beside the board: ${JSON.stringify(dock)}`);
    /* Held either way: no empty dock where there is nothing to press, and what is said lies beside or below the board. */
    await page.evaluate(findMisplaced);
    await page.evaluate(() => document.querySelector('.notices').insertAdjacentHTML('beforeend', '<p class="notice warn">All clocks are stopped. <button class="button small">Continue</button></p>'));
    for (const viewport of [SIZES.side.viewport, SIZES.phone.viewport]) {
      await page.setViewportSize(viewport);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const now = await places(page);
      check(now.dock.bottom - now.dock.top <= 180, `an empty dock of ${now.dock.bottom - now.dock.top} px`);
      const wrong = await page.evaluate(() => globalThis.misplaced());
      check(wrong.length === 0, `${viewport.width} x ${viewport.height}: ${wrong.join(' | ')}`);
    }
  }, SIZES.side);
}, SHORT);

await test('phone: a line of the log below the board brings the board into sight as it was then', only, () => withPeople(1, async (page) => {
  await startMatch(page, server, 'zorde', { mode: 'ai', seat: 0 });
  for (let lines = 0; lines < 4; lines = await page.locator('.log li > button').count()) await playOn(page, lines, 1);
  const line = page.locator('.log li > button').first();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  check((await page.evaluate(() => scrollY)) > 0, 'the log is in sight, and the board not wholly');
  await line.tap();
  await page.locator('.past').waitFor();
  await until(async () => (await page.evaluate(() => scrollY)) === 0, 'the board is not in sight');
}, SIZES.phone));

await test('everybody sees the board from their own side; keys, words and clicks stay right when it is turned', only, () => withPeople(1, async (page) => {
  const turned = () => page.locator('.stage.turned').count();
  const low = (selector) => page.evaluate((which) => {
    const stage = document.querySelector('.stage').getBoundingClientRect();
    const all = [...document.querySelectorAll(which)].map((one) => one.getBoundingClientRect());
    return all.length > 0 && all.every((box) => box.top + box.height / 2 > stage.top + stage.height / 2);
  }, selector);
  for (const seat of [0, 1]) {
    await startMatch(page, server, 'zorde', { mode: 'ai', preset: 'skirmish', seat });
    await page.waitForSelector('.turn-words.mine');
    await until(async () => (await turned()) === seat, async () => `seat ${seat}: turned ${await turned()}`);
    if (seat === 0) await until(() => low('.board-host .token.seat-0'), 'the first side is not below');
  }
  await playOn(page, 4, 12);
  await until(async () => (await page.locator('.log li.move').count()) > 1, 'clicks on a turned board do nothing');
  await page.waitForSelector('.turn-words.mine');
  await page.locator('.stage').focus();
  /* Where it is put, which a busy machine may draw later. */
  const cursor = () => page.evaluate(() => {
    const element = document.querySelector('.stage-cursor');
    const [x, y] = element.dataset.cell.split(',').map(Number);
    const [left, top] = element.style.transform.match(/-?[\d.]+/g).map(Number);
    return { x, y, left, top, words: document.activeElement.getAttribute('aria-label') };
  });
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  const before = await cursor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const after = await cursor();
  check(after.left > before.left && after.top > before.top, `the arrows go elsewhere than they show: ${JSON.stringify([before, after])}`);
  check(after.x === before.x - 1 && after.y === before.y - 1, `the cell is called ${after.x},${after.y} after ${before.x},${before.y}`);
  check(after.words.startsWith(`${after.x},${after.y}: `), `the words name another cell: ${after.words}`);
  await page.keyboard.press('f');
  await until(async () => (await turned()) === 0, 'the key turns the board');
  await until(async () => {
    const same = await cursor();
    return same.x === after.x && same.y === after.y && same.left !== after.left;
  }, 'the cursor stays on its cell');
  await page.getByRole('button', { name: 'Rotate the board' }).click();
  await until(async () => (await turned()) === 1, 'so does the button');
  await page.evaluate(() => localStorage.setItem('mashup.own-side', 'false'));
  await page.reload();
  await page.waitForSelector('.board-host .token');
  await until(async () => (await turned()) === 0, 'the setting is kept');
  await page.evaluate(() => localStorage.removeItem('mashup.own-side'));
  await startMatch(page, server, 'generals', { mode: 'ai', seat: 0 });
  await page.locator('.piece .badge').first().waitFor();
  await page.evaluate(findMisplaced);
  const wrong = await page.evaluate(() => globalThis.misplaced());
  check(wrong.length === 0, wrong.join(' | '));
  await page.locator('[data-layout]').first().click();
  await page.waitForSelector('.placement-board .token');
  await until(() => low('.placement-board .token'), 'an army is placed at the near side');
}), SHORT);

/** Where all units stand, as it is drawn when the next frame is. */
const places = (page) => page.evaluate(async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return [...document.querySelectorAll('.board-host .token')].map((one) => `${one.dataset.unit} ${one.style.transform}`).sort().join('|');
});

/** Waits until the board looks like this. */
const looksLike = (page, wanted) => page.waitForFunction((text) =>
  [...document.querySelectorAll('.board-host .token')].map((one) => `${one.dataset.unit} ${one.style.transform}`).sort().join('|') === text, wanted);

await test('what just happened: a strip of actions, the last turn again, and the board as it was by a click in the log', only, () => withPeople(1, async (page) => {
  await startMatch(page, server, 'zorde', { mode: 'ai', preset: 'skirmish', seat: 0 });
  await page.waitForSelector('.turn-words.mine');
  const first = await places(page);
  const seen = new Map();
  /* The strip is there once the other side has answered: an own action takes it away. */
  for (let i = 0; i < 30 && (seen.size < 6 || (await page.locator('.turn-strip li').count()) === 0); i++) {
    await playOn(page, i, 1);
    await page.waitForSelector('.turn-words.mine, dialog.wide');
    seen.set(await page.locator('.match').getAttribute('data-number'), await places(page));
  }
  await page.waitForSelector('.turn-strip li');
  const now = await places(page);
  await until(async () => (await page.locator('.log li.minor').count()) > 0 && (await page.locator('.log li:not(.minor).move').count()) > 0, 'effects are indented below their action');
  const words = await page.locator('.turn-strip button').first().getAttribute('aria-label');
  check(/moves|attacks|blocked/.test(words), `the strip says what was done: ${words}`);

  /* Back to the first own action, by the log. */
  await page.locator('.log li.move button').first().click();
  await page.getByText(/^After action [1-9]$/).waitFor(); // a walk is one step of several actions
  await until(async () => (await places(page)) !== now, 'the board shows the past');
  await until(async () => (await page.locator('.log li.shown').count()) > 0, 'the log says which moment is shown');
  await until(async () => (await page.locator('.board-host').getAttribute('data-marks')) === '', 'nothing can be done in the past');
  await page.keyboard.press(',');
  await looksLike(page, first);
  await page.keyboard.press('Escape');
  await looksLike(page, now);
  await until(async () => (await page.locator('.board-host').getAttribute('data-marks')) !== '', 'back in the present one can act');

  /* The last turn of the other side again: skipped, then whole. */
  await page.keyboard.press('r');
  await page.locator('.turn-strip [aria-current]').waitFor();
  await page.keyboard.press('s');
  await looksLike(page, now);
  await until(async () => (await page.locator('.turn-strip [aria-current]').count()) === 0, 'skipping ends it');
  await page.getByRole('button', { name: 'Show the last turn again' }).click();
  await page.locator('.turn-strip [aria-current]').waitFor();
  await page.locator('.turn-strip [aria-current]').waitFor({ state: 'detached' });
  await looksLike(page, now);

  /* The same match as a replay: twenty jumps at once end at the last. */
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Watch the replay' }).click();
  await page.waitForSelector('.replay .scrub');
  const took = await page.evaluate(async () => {
    const bar = document.querySelector('.replay .scrub');
    const jump = (to) => {
      bar.value = String(to);
      bar.dispatchEvent(new Event('input', { bubbles: true }));
    };
    const most = Number(bar.max);
    for (let i = 0; i < 20; i++) {
      jump((i * 7) % (most + 1));
      await new Promise((done) => setTimeout(done, 50));
    }
    jump(1);
    const began = performance.now();
    while (!document.querySelector('.replay .number').textContent.startsWith('1/')) await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
  console.log(`        twenty jumps in a second: the last is shown after ${took.toFixed(0)} ms`);
  await page.waitForFunction(() => document.querySelectorAll('.log li').length > 0);
  await page.locator('.log li button').last().click();
}), SHORT);

/** Opens a table by hand and says things there: a player without a page. */
async function sitDown(request) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/arena`);
  const code = await new Promise((done, failed) => {
    socket.on('error', failed);
    socket.on('message', (bytes) => { const tell = JSON.parse(bytes); if (tell.type === 'table') done(tell.code); });
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'hello', name: 'Bob', role: 'person' }));
      socket.send(JSON.stringify({ type: 'open', opponent: 'guest', ...request }));
    });
  });
  return { socket, code };
}

/** How the one at a socket takes steps with a unit: each waits until it is that player's turn, and ends when it is done. A page shows what its
 * player does before the server has told the other side. */
function stepping(socket, unit) {
  let told = null;
  socket.on('message', (bytes) => { const tell = JSON.parse(bytes); if (tell.type === 'position') told = tell; });
  return async (x, y) => {
    await until(() => told?.awaited.includes(told.you), `the turn before ${unit} ${x} ${y}`);
    const { number } = told;
    socket.send(JSON.stringify({ type: 'act', position: number, word: `step ${unit} ${x} ${y}` }));
    await until(() => told.number !== number, `${unit} ${x} ${y} is done`);
  };
}

/** Joins a table by its code. */
async function joinTable(page, code, game) {
  await page.evaluate((id) => localStorage.setItem(`mashup.lesson.${id}`, '1'), game);
  await page.goto(`${server.url}/#/join/${code}/${game}`);
  await page.getByRole('button', { name: 'Join match' }).click();
  await page.waitForSelector('.board-host .token');
}

await test('a prepared turn: wishes are shown, done when one is to act, and stop at the first that no longer holds', only, () => withPeople(1, async (page) => {
  const { socket, code } = await sitDown({ game: 'zorde', preset: 'duel', seat: 0 });
  const step = stepping(socket, 'h0');
  await joinTable(page, code, 'zorde');
  /* The troll at 0,0 takes one step at a turn; the board is turned for the second side. */
  const cell = async (x, y) => {
    const point = await page.evaluate(([column, row]) => {
      const stage = document.querySelector('.board-host .stage');
      const box = stage.getBoundingClientRect();
      const size = Number.parseFloat(stage.style.getPropertyValue('--cell'));
      const [left, top] = stage.querySelector('.stage-world').style.transform.match(/-?[\d.]+/g).map(Number);
      return { x: box.left + left + (4 - column + 0.5) * size, y: box.top + top + (4 - row + 0.5) * size };
    }, [x, y]);
    await page.mouse.click(point.x, point.y);
  };
  const wishes = () => page.locator('[data-prepared]').count();
  await cell(0, 0);
  await cell(1, 0);
  await until(async () => (await wishes()) === 1 && (await page.locator('.stage .ghost').count()) === 1, 'a wish is listed, and shown on the board');
  await page.keyboard.press('Escape');
  await until(async () => (await wishes()) === 0 && (await page.locator('.stage .ghost').count()) === 0, 'it can be taken back');
  await cell(1, 0);
  await cell(2, 0);
  await until(async () => (await wishes()) === 2, 'two wishes');
  await until(async () => /1\. Troll → 1,0/.test(await page.locator('[data-prepared="0"]').innerText()), () => page.locator('[data-prepared="0"]').innerText());
  for (const [x, y] of [[0, 3], [0, 4], [0, 3]]) await step(x, y);
  /* The first is done, and with it the turn is over: the second has to wait for somebody to say so. */
  await page.locator('.log').getByText('Troll moves from 0,0 to 1,0.').waitFor();
  await page.locator('.refused').getByText('Your prepared turn stopped at action 2: Troll → 2,0 is no longer possible.').waitFor();
  await until(async () => (await wishes()) === 0, 'what stopped is forgotten');
  /* Somebody has come to the cell meanwhile: nothing is done. */
  await cell(1, 0);
  await cell(1, 1);
  for (const [x, y] of [[1, 3], [1, 2], [1, 1]]) await step(x, y);
  await page.locator('.refused').getByText('Your prepared turn stopped at action 1:').waitFor();
  await until(async () => (await page.locator('.turn-words.mine').count()) === 1, 'it is still my turn');
  socket.close();
}), SHORT);

await test('being told that it is my turn: title, picture of the tab, sound, and a message that was asked for', only, () => withPeople(1, async (page) => {
  /* What the system would be asked and told; a page that can be out of sight. */
  await page.addInitScript(() => {
    const calls = (globalThis.calls = { asked: 0, shown: [], loud: [] });
    globalThis.away = false;
    Object.defineProperty(document, 'hidden', { get: () => globalThis.away });
    globalThis.Notification = class { static permission = 'default'; static async requestPermission() { calls.asked++; return (this.permission = 'granted'); } constructor(title, { body }) { calls.shown.push(`${title}: ${body}`); } close() {} };
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body }) => void calls.shown.push(`${title}: ${body}`);
    const set = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (value, time) { if (value < 1) calls.loud.push(value); return set.call(this, value, time); };
  });
  await page.reload();
  const calls = () => page.evaluate(() => globalThis.calls);
  const icon = () => page.locator('link[rel=icon]').getAttribute('href');
  await page.waitForSelector('.games li');
  const { socket, code } = await sitDown({ game: 'zorde', preset: 'duel', seat: 0 });
  const step = stepping(socket, 'h0');
  await joinTable(page, code, 'zorde');
  await until(async () => !(await page.title()).startsWith('●') && (await icon()) === '/icon.svg', 'it is not my turn yet');
  check((await calls()).asked === 0, 'nobody is asked by himself');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByLabel('Notify me when it’s my turn').check();
  await page.waitForFunction(() => globalThis.calls.asked === 1);
  await page.getByLabel('Volume').fill('0.5');
  await page.keyboard.press('Escape');
  await page.evaluate(() => { globalThis.away = true; globalThis.calls.loud = []; });
  for (const x of [1, 0, 1]) await step(x, 4);
  await page.waitForFunction(() => document.title.startsWith('● Your turn'));
  await until(async () => (await icon()).startsWith('data:image/svg+xml'), 'the tab has a mark');
  await page.waitForFunction(() => globalThis.calls.shown.length > 0);
  await until(async () => (await calls()).shown.join() === 'Your turn: Zorde vs Calliance', async () => `shown: ${(await calls()).shown}`);
  const loud = (await calls()).loud;
  check(loud.length > 0 && Math.max(...loud) <= 0.2 * 0.5 * 0.5 + 1e-9, `as loud as wished: ${loud}`);
  await page.goto(`${server.url}/#/`);
  await page.waitForSelector('.games li');
  await until(async () => (await icon()) === '/icon.svg' && !(await page.title()).startsWith('●'), 'elsewhere nothing calls');
  socket.close();
}), SHORT);

await test('a clock that warns in words, and an opponent who is gone', only, () => withPeople(1, async (page) => {
  const { socket, code } = await sitDown({ game: 'zorde', preset: 'duel', seat: 1, turn_ms: 23000 });
  await joinTable(page, code, 'zorde');
  await page.waitForSelector('.plate.seat-0 .clock');
  await page.getByRole('status', { name: 'Urgent announcements' }).filter({ hasText: '20 seconds left for your turn.' }).waitFor({ state: 'attached' });
  await until(async () => (await page.locator('.plate.seat-0 .clock.low').count()) === 1, 'the clock looks different');
  socket.terminate();
  const note = page.locator('[data-notice=away]');
  await note.waitFor();
  const words = await note.innerText();
  check(/^Bob lost the connection \d+ s ago\. If Bob isn’t back in \d+ s, you choose\.$/.test(words), words);
  const seconds = async () => Number(/(\d+) s ago/.exec(await note.innerText())[1]);
  const before = await seconds();
  await page.waitForFunction((last) => Number(/(\d+) s ago/.exec(document.querySelector('[data-notice=away]').innerText)[1]) > last, before + 3);
  /* What the server counts is told to who comes back; its clock stands still while a busy machine does not let it run. */
  let counted = 0;
  page.on('websocket', (arena) => arena.on('framereceived', ({ payload }) => {
    const message = JSON.parse(payload);
    if (message.type === 'table') counted = message.players[1].away_ms;
  }));
  while (counted < 3000) {
    await page.reload();
    await note.waitFor();
  }
  const again = await seconds();
  check(again >= Math.floor(counted / 1000), `who comes back is told that it was ${again} s ago, and not ${counted} ms`);
}), SHORT);

await test('after an action only what is another is drawn: portraits stay the elements they were', only, () => withPeople(1, async (page) => {
  await startMatch(page, server, 'zorde', { mode: 'ai', preset: 'battle', seat: 0 });
  await page.waitForSelector('.turn-words.mine');
  const portraits = '.side .avatar svg, .board-host .token svg';
  const many = await page.locator(portraits).count();
  await page.evaluate((all) => document.querySelectorAll(all).forEach((one) => { one.dataset.before = ''; }), portraits);
  const number = await page.locator('.match').getAttribute('data-number');
  await playOn(page, 8, 6);
  await page.waitForFunction((was) => document.querySelector('.match').dataset.number !== was, number);
  const same = await page.locator(portraits.replaceAll('svg', 'svg[data-before]')).count();
  check(many > 8 && same === many, `${same} of ${many} portraits are those of before`);
}), SHORT);

await test('the end: no button moves when charts come or the other wants a rematch', only, () => withPeople(1, async (page) => {
  await startMatch(page, server, 'zorde', { mode: 'ai', preset: 'duel', seat: 0 });
  await page.waitForSelector('.turn-words.mine');
  await resign(page);
  await page.waitForSelector('dialog.wide footer button');
  const places = () => page.locator('dialog.wide footer button').evaluateAll((all) => all.map((one) => Object.values(one.getBoundingClientRect().toJSON()).join()).join(' '));
  const before = await places();
  await page.locator('dialog.wide .body').evaluate((body) => { body.append(Object.assign(document.createElement('div'), { style: 'height: 700px' })); });
  check((await places()) === before, `the buttons were at ${before} and are at ${await places()}`);
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }), SHORT);

await test('from an input to the first frame that shows it, and the first load', only, () => withPeople(1, async (page) => {
  const warnings = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await startMatch(page, server, 'zorde', { mode: 'ai', preset: 'battle', seat: 0 });
  await page.waitForSelector('.turn-words.mine');
  await page.evaluate(() => {
    const spent = (globalThis.spent = []);
    const look = () => `${document.querySelector('.match')?.dataset.number} ${[...document.querySelectorAll('.board-host .token')].map((one) => one.className + one.style.transform).join()}`;
    let waiting = null;
    addEventListener('pointerup', (event) => { waiting = { at: event.timeStamp, before: look() }; }, true);
    const frame = () => {
      if (waiting && look() !== waiting.before) {
        spent.push(performance.now() - waiting.at);
        waiting = null;
      }
      requestAnimationFrame(frame);
    };
    frame();
  });
  await playOn(page, 8, process.env.SHORT ? 20 : 80);
  const spent = (await page.evaluate(() => globalThis.spent)).sort((one, two) => one - two);
  check(spent.length >= 5, `only ${spent.length} inputs were shown`);
  const part = (share) => spent[Math.min(spent.length - 1, Math.floor(spent.length * share))].toFixed(0);
  console.log(`        ${spent.length} inputs: first frame after ${part(0.5)} ms (half), ${part(0.95)} ms (95 %), wanted 50`);
  check(warnings.length === 0, `the browser warns: ${warnings.join('; ')}`);
  const sizes = JSON.parse(readFileSync('build/web/sizes.json', 'utf8'));
  console.log(`        first load: ${Math.round(sizes.brotli / 1000)} kB as brotli, ${Math.round(sizes.gzip / 1000)} kB as gzip, wanted 300`);
  check(sizes.brotli <= 300_000, `the first load is ${sizes.brotli} bytes as brotli`);
}, { reducedMotion: 'no-preference' }), SHORT);

for (const [size, scheme, locale] of [['desk', 'light', 'en-GB'], ['tablet', 'dark', 'de-DE'], ['phone', 'dark', 'en-GB'], ['side', 'light', 'de-DE']])
  await test(`axe-core finds nothing in a match: ${size}, ${scheme}, ${locale}`, only, () => withPeople(1, async (page) => {
    const clean = async (where) => {
      const found = await axe(page);
      check(found.length === 0, `${where}: ${found.join('\n')}`);
    };
    for (const { game, preset } of GAMES) {
      await startMatch(page, server, game, { mode: 'ai', preset });
      await page.waitForSelector('.offer, .hand [data-layout], .board-host .token');
      await clean(`${game}, as it begins`);
      for (let i = 0; i < 40 && !(await page.locator('.board-host').count()); i++) await playOn(page, i, 1);
      await playOn(page, 3, 6);
      await page.waitForSelector('.turn-words.mine, dialog.wide');
      await clean(`${game}, in play`);
      if (await page.locator('dialog.wide').count()) continue;
      await page.keyboard.press('g');
      await page.locator('.tip').waitFor({ timeout: 20000 }).catch(() => {});
      await clean(`${game}, a tip`);
      await page.keyboard.press(',');
      await clean(`${game}, in the past`);
      await page.keyboard.press('Escape');
      if (process.env.SHORT) break;
    }
    await page.locator('.menu-button').click();
    await clean('the menu');
  }, { ...SIZES[size], colorScheme: scheme, locale }), { short: size === 'phone' });

await browser.close();
await server.close();
process.exit(summary());

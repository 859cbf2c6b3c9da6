// core.mjs -- tests of the page around a match: start, coming together, staying together, offline, accessibility.
// Usage: node web/tests/core.mjs [PART OF A NAME]
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { readGames } from '../games.mjs';
import { Cable, check, TestServer, newPerson, openBrowser, slow, summary, test, until } from './server.mjs';
import { playByMouse, startMatch as startByDriver } from './player.mjs';
import { acted, axe, closeHelp, resign, startMatch, waitForTurn } from './steps.mjs';

const only = process.argv[2];
const server = await new TestServer().open();
const browser = await openBrowser();

/** Two people of one quick match. */
async function together(game = 'zorde', place = server) {
  const ann = await newPerson(browser, place, { name: 'Ann' });
  const bob = await newPerson(browser, server, { name: 'Bob' });
  await startMatch(ann, place, game, 'quick');
  await ann.waitForSelector('.searching');
  await startMatch(bob, server, game, 'quick');
  for (const page of [ann, bob]) await page.waitForSelector('.match');
  for (const page of [ann, bob]) await closeHelp(page);
  return [ann, bob];
}

async function leaveAll(...pages) {
  for (const page of pages) check(page.errors.length === 0, `errors on the page: ${page.errors.join('; ')}`);
  for (const page of pages) await page.context().close();
}

/** Whoever is to act does so until the turn passes; the other sees it. */
async function oneTurn(ann, bob) {
  const [actor, watcher] = (await waitForTurn(ann, bob)) === ann ? [ann, bob] : [bob, ann];
  const before = await watcher.locator('.log li').count();
  await acted(actor);
  await watcher.waitForFunction((n) => document.querySelectorAll('.log li').length > n, before);
}

await test('against the computer: the first thing is done, and a reload loses nothing', only, async () => {
  const page = await newPerson(browser, server);
  await startMatch(page, server, 'zorde', 'ai');
  await page.waitForSelector('.match');
  await closeHelp(page);
  await waitForTurn(page);
  await acted(page);
  const kept = await page.waitForFunction(() => {
    const text = localStorage.getItem('mashup.local');
    return text && JSON.parse(JSON.parse(text).text).actions.length;
  });
  const done = await kept.jsonValue();
  await waitForTurn(page);
  const told = () => page.locator('.log li:not(.table)').allInnerTexts();
  const before = await told();
  await page.reload();
  await page.waitForFunction((number) => Number(document.querySelector('.match')?.dataset.number) >= number, done);
  await waitForTurn(page);
  await until(async () => before.length > 0 && (await told()).join('\n') === before.join('\n'), async () => `the log was\n${before.join('\n')}\nand is\n${(await told()).join('\n')}`);
  await page.locator('.stage').first().focus();
  await page.keyboard.press('Backspace');
  await page.waitForFunction((count) => document.querySelectorAll('.log li:not(.table)').length < count, before.length);
  await waitForTurn(page);
  await acted(page);
  await leaveAll(page);
}, { short: true });

await test('against the computer: the best levels think as long as one likes, the others as long as they do', only, async () => {
  const page = await newPerson(browser, server);
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    window.thoughts = [];
    Worker.prototype.postMessage = function (message, ...more) {
      if (message?.call === 'thinkBegin') window.thoughts.push({ level: message.request.level, nodes: message.request.nodes ?? 0 });
      if (message?.call === 'think' && message.request.enough) window.thoughts.at(-1).enough = true;
      return post.call(this, message, ...more);
    };
  });
  const thought = async (level, choose) => {
    await page.evaluate(([n, id]) => {
      localStorage.setItem('mashup.mode', '"ai"');
      localStorage.setItem('mashup.level', String(n));
      localStorage.setItem(`mashup.lesson.${id}`, '1');
    }, [level, 'tablut']);
    await page.goto(`${server.url}/#/game/tablut`);
    await page.reload();
    await page.waitForSelector('form fieldset.modes');
    const time = page.locator('label', { hasText: 'Thinking time' }).locator('select');
    if (choose) await time.selectOption(choose);
    else check((await time.count()) === 0, `level ${level} has no thinking time to choose`);
    await page.locator('.fields select').last().selectOption('1');
    await page.locator('form button[type=submit]').click();
    await page.waitForSelector('.match');
    await waitForTurn(page);
    return page.evaluate(() => window.thoughts[0]);
  };
  const quick = await thought(8, '0.2');
  check(quick.level === 8 && quick.nodes > 1e9 && quick.enough, `the best level thinks by the clock: ${JSON.stringify(quick)}`);
  check((await page.evaluate(() => localStorage.getItem('mashup.thinking'))) !== '1', 'another time was not chosen yet');
  const long = await thought(8, '1');
  await until(async () => long.enough && (await page.evaluate(() => localStorage.getItem('mashup.thinking'))) === '1', 'the time is kept');
  const fixed = await thought(5);
  check(fixed.level === 5 && fixed.nodes === 0, `other levels think as on every device: ${JSON.stringify(fixed)}`);
  const longer = await thought(9, '1');
  check(longer.level === 9 && longer.nodes > 1e9, `the level above thinks by the clock, too: ${JSON.stringify(longer)}`);
  await leaveAll(page);
}, { short: true });

await test('against the computer: each game offers the levels that it has', only, async () => {
  const page = await newPerson(browser, server);
  const level = page.locator('label', { hasText: 'Level' }).locator('select');
  const looksAt = async (game, count, chosen) => {
    await page.goto(`${server.url}/#/game/${game}`);
    await page.reload();
    await page.waitForSelector('form fieldset.modes');
    check((await level.locator('option').count()) === count, `${game} offers ${count} levels`);
    check((await level.inputValue()) === String(chosen), `${game}: level ${chosen} is chosen, not ${await level.inputValue()}`);
    check((await page.locator('.mode.chosen small').textContent()).startsWith(`${count} levels`), `${game} says how many`);
  };
  await page.evaluate(() => {
    localStorage.setItem('mashup.mode', '"ai"');
    for (const game of ['tablut', 'battleground']) localStorage.setItem(`mashup.lesson.${game}`, '1');
  });
  await looksAt('tablut', 9, 3);
  await level.selectOption('9');
  check((await page.locator('.field', { has: level }).textContent()).includes('thinks much longer'), 'the level says what it does');
  check((await page.locator('label', { hasText: 'Thinking time' }).locator('option').allTextContents()).join() === '1 s,5 s,20 s', 'its times are longer');
  /* A game without it has the highest one that it has; the choice stays. */
  await looksAt('battleground', 8, 8);
  await looksAt('tablut', 9, 9);
  await leaveAll(page);
}, { short: true });

for (const [game, mode] of [['generals', 'ai'], ['zorde', 'hot'], ['generals', 'hot'], ['marvelous-mashup', 'hot']])
  await test(`the log of a match on this device is there after a reload, and undo goes on from it: ${game}, ${mode}`, only, async () => {
    const page = await newPerson(browser, server);
    const log = () => page.locator('.log li:not(.table)').allTextContents();
    const number = () => page.evaluate(() => Number(document.querySelector('.match').dataset.number));
    const liftCurtain = async () => {
      await page.waitForSelector('.turn-words.mine, .curtain');
      const curtain = page.locator('.curtain .button');
      if (await curtain.count()) await curtain.click();
      await waitForTurn(page);
    };
    await startByDriver(page, server, game, { mode, ...(mode === 'ai' ? { seat: 0 } : {}) });
    await playByMouse(page, { lines: game === 'marvelous-mashup' ? 32 : 16 });
    await liftCurtain();
    const [before, at] = [await log(), await number()];
    await page.waitForFunction((count) => JSON.parse(JSON.parse(localStorage.getItem('mashup.local'))?.text ?? '{"actions":[]}').actions.length === count, at);
    await page.reload();
    await liftCurtain();
    await until(async () => (await log()).join('\n') === before.join('\n'), async () => `the log after the reload: ${(await log()).join(' / ')}; and before: ${before.join(' / ')}`);
    for (let left = before.length, undos = 0; undos < 2; undos++) {
      const was = await number();
      await page.keyboard.press('Backspace');
      await page.waitForFunction((n) => Number(document.querySelector('.match')?.dataset.number ?? Infinity) > n, was);
      await liftCurtain();
      await until(async () => {
        const now = await log();
        const less = now.length < left && now.every((line, place) => line === before[place]);
        if (less) left = now.length;
        return less;
      }, async () => `the log after undo: ${(await log()).join(' / ')}; and before: ${before.join(' / ')}`);
    }
    await leaveAll(page);
  }, { short: game === 'zorde' });

await test('start screen: every game with one sentence, playable at once', only, async () => {
  const page = await newPerson(browser, null);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(server.url);
  await page.waitForSelector('.games li');
  /* The time that a processor works for the page: what else the machine does meanwhile is not the page's. */
  const { metrics } = await session.send('Performance.getMetrics');
  const ready = 1000 * metrics.find(({ name }) => name === 'ProcessTime').value;
  const cards = await page.locator('.games li').evaluateAll((all) => all.map((card) => [card.querySelector('h2').textContent, card.querySelector('p').textContent].join(': ')));
  const wanted = readGames().map((game) => `${game.title}: ${game.page.tagline.en}`);
  check(cards.join('\n') === wanted.join('\n'), `the cards are\n${cards.join('\n')}\nand not\n${wanted.join('\n')}`);
  console.log(`        first screen after ${ready.toFixed(0)} ms of work`);
  check(ready > 0 && ready < 2500 * slow, `the start screen came after ${ready} ms of work`);
  const timing = await page.evaluate(() => performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0));
  console.log(`        ${timing} bytes were loaded`);
  check(timing < 500_000, `${timing} bytes were loaded`);
  for (const { id, page: { tagline } } of readGames()) {
    await page.goto(`${server.url}/#/game/${id}`);
    await page.locator('.setup-head p', { hasText: tagline.en }).waitFor();
  }
  await leaveAll(page);
}, { short: true });

await test('the server hands files out right: types, compression, caching, policy', only, async () => {
  const sizes = JSON.parse(readFileSync('build/web/sizes.json', 'utf8'));
  check(sizes.brotli < 300_000, `the first load is ${sizes.brotli} bytes`);
  for (const [path, size] of Object.entries(sizes.files)) {
    const answer = await fetch(server.url + path, { headers: { 'accept-encoding': 'br' } });
    check(answer.status === 200 && answer.headers.get('content-security-policy').includes("script-src 'self' 'wasm-unsafe-eval'"), path);
    if (size > 1000) check(answer.headers.get('content-encoding') === 'br', `${path} is not compressed`);
    const etag = answer.headers.get('etag');
    check(path === '/' ? answer.headers.get('cache-control') === 'no-cache' : answer.headers.get('cache-control').includes('immutable'), `${path} cache`);
    check((await fetch(server.url + path, { headers: { 'accept-encoding': 'br', 'if-none-match': etag } })).status === 304, `${path} has no 304`);
    if (path.endsWith('.wasm')) check(answer.headers.get('content-type') === 'application/wasm', 'type of wasm');
  }
  const { icons } = await (await fetch(`${server.url}/manifest.webmanifest`)).json();
  check(['192x192', '512x512'].every((side) => icons.some(({ sizes: has, type }) => has === side && type === 'image/png')), 'icons for installing');
  for (const { src, type } of [...icons, { src: '/touch-180.png', type: 'image/png' }]) {
    const answer = await fetch(server.url + src);
    check(answer.status === 200 && answer.headers.get('content-type') === type, `${src}: ${answer.status}`);
  }
  const missing = await fetch(`${server.url}/nowhere`);
  const words = await missing.text();
  check(missing.status === 404 && words.includes('There is nothing here') && words.includes('<div lang="de">'), 'a wrong address, in both languages');
}, { short: true });

await test('what is chosen stays readable under the pointer', only, async () => {
  const page = await newPerson(browser, server, { name: 'Ann' });
  await startMatch(page, server, 'zorde', 'quick');
  const other = await newPerson(browser, server, { name: 'Bob' });
  await startMatch(other, server, 'zorde', 'quick');
  await page.waitForSelector('.match');
  await closeHelp(page);
  const tab = page.getByRole('tab', { name: 'Chat' });
  await tab.click();
  await tab.hover();
  const colours = () => tab.evaluate((button) => { const { color, backgroundColor } = getComputedStyle(button); return [color, backgroundColor]; });
  const light = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  await until(async () => {
    const [ink, ground] = (await colours()).map(light);
    return Math.abs(ink - ground) > 300;
  }, async () => (await colours()).join(' on '));
  await leaveAll(page, other);
});

await test('quick match: two browsers play, a watcher looks on', only, async () => {
  const [ann, bob] = await together();
  for (let i = 0; i < 3; i++) await oneTurn(ann, bob);
  const eve = await newPerson(browser, server, { name: 'Eve' });
  await eve.goto(`${server.url}/#/watch`);
  await eve.getByRole('button', { name: 'Watch' }).first().click();
  await eve.waitForSelector('.match');
  await closeHelp(eve);
  await oneTurn(ann, bob);
  await eve.waitForFunction(() => document.querySelectorAll('.log li').length > 0);
  await leaveAll(ann, bob, eve);
});

await test('who waits for a quick match is in the list and can be joined from there', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  const bob = await newPerson(browser, server, { name: 'Bob' });
  await startMatch(ann, server, 'zorde', 'quick');
  await ann.waitForSelector('.searching');
  await bob.goto(`${server.url}/#/watch`);
  await bob.locator('.match-row', { hasText: 'Ann' }).getByRole('button', { name: 'Join' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.match')));
  await leaveAll(ann, bob);
});

await test('invite link: the friend comes with the address alone', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  await startMatch(ann, server, 'zorde', 'invite');
  const link = await ann.inputValue('input.link');
  await until(() => ann.getByRole('img', { name: 'QR code for this link' }).isVisible(), 'a QR code');
  const bob = await newPerson(browser, server, { name: 'Bob', viewport: { width: 390, height: 844 } });
  await bob.goto(link);
  await bob.getByRole('button', { name: 'Join match' }).click();
  for (const page of [ann, bob]) await page.waitForSelector('.match');
  for (const page of [ann, bob]) await closeHelp(page);
  await until(async () => (await ann.textContent('body')).includes('Bob') && (await bob.textContent('body')).includes('Ann'), 'both names');
  const late = await newPerson(browser, server, { name: 'Late' });
  await late.goto(link);
  await late.waitForSelector('text=/This table is full: (Ann – Bob|Bob – Ann) are playing\\./');
  await until(async () => await late.getByRole('button', { name: 'Join match' }).count() === 0, 'a full table can be joined');
  await leaveAll(ann, bob, late);
});

await test('spectators who see hidden pieces: everybody at the table is told, in both languages', only, async () => {
  const words = { en: 'Spectators of this match can see hidden pieces.', de: 'Zuschauer dieser Partie können verdeckte Figuren sehen.' };
  const told = (page, text = words.en) => page.getByText(text).first().waitFor();
  for (const [game, glass] of [['generals', true], ['generals', false], ['zorde', true]]) {
    const ann = await newPerson(browser, server, { name: 'Ann' });
    await ann.goto(`${server.url}/#/game/${game}`);
    await ann.check('input[value=invite]', { force: true });
    const offer = ann.getByText('Spectators see hidden pieces');
    if (game === 'zorde') check(await offer.count() === 0, 'where nothing is hidden, that is offered');
    else if (glass) await offer.click();
    await ann.click('button[type=submit]');
    const link = await ann.inputValue('input.link');
    const bob = await newPerson(browser, server, { name: 'Bob', locale: 'de-DE' });
    await bob.goto(link);
    await bob.getByText('Ann').first().waitFor();
    const shown = glass && game === 'generals';
    if (shown) await Promise.all([told(ann), told(bob, words.de)]);
    await bob.getByRole('button', { name: 'Mitspielen' }).click();
    for (const page of [ann, bob]) await page.waitForSelector('.match');
    const eve = await newPerson(browser, server, { name: 'Eve' });
    await eve.goto(link);
    await eve.getByRole('button', { name: 'Just watch' }).click();
    await eve.waitForSelector('.match');
    if (shown) await Promise.all([told(ann), told(bob, words.de), told(eve)]);
    for (const page of [ann, bob, eve])
      await until(async () => (await page.locator('[data-notice=glass]').count()) === (shown ? 1 : 0), `${game}, ${glass}: told exactly where it is so`);
    await leaveAll(ann, bob, eve);
  }
});

await test('a table without tips: everybody is told, and neither button nor key gives one before the end', only, async () => {
  const words = { en: 'No tips in this match until it is over.', de: 'In dieser Partie gibt es bis zum Ende keine Tipps.' };
  for (const tips of [false, true]) {
    const ann = await newPerson(browser, server, { name: 'Ann' });
    await ann.goto(`${server.url}/#/game/zorde`);
    await ann.check('input[value=invite]', { force: true });
    if (!tips) await ann.getByText('Tips allowed during the match').click();
    await ann.click('button[type=submit]');
    const link = await ann.inputValue('input.link');
    await until(async () => (await ann.getByText(words.en).count()) === (tips ? 0 : 1), `tips ${tips}: the waiting room`);
    const bob = await newPerson(browser, server, { name: 'Bob', locale: 'de-DE' });
    await bob.goto(link);
    await bob.getByText('Ann').first().waitFor();
    await until(async () => (await bob.getByText(words.de).count()) === (tips ? 0 : 1), `tips ${tips}: the invitation`);
    await bob.getByRole('button', { name: 'Mitspielen' }).click();
    for (const page of [ann, bob]) await page.waitForSelector('.match');
    for (const page of [ann, bob]) await closeHelp(page);
    const eve = await newPerson(browser, server, { name: 'Eve' });
    await eve.goto(link);
    await eve.getByRole('button', { name: 'Just watch' }).click();
    await eve.waitForSelector('.match');
    for (const page of [ann, bob, eve]) {
      if (!tips) await page.waitForSelector('[data-notice=tips]');
      await until(async () => (await page.locator('[data-notice=tips]').count()) === (tips ? 0 : 1), `tips ${tips}: told exactly where it is so`);
    }
    const first = await waitForTurn(ann, bob);
    await until(async () => (await first.locator('.ask-tip').count()) === (tips ? 1 : 0), `tips ${tips}: the button`);
    await until(async () => (await eve.locator('.ask-tip').count()) === 0, `tips ${tips}: none for a spectator`);
    await first.keyboard.press('g');
    if (tips) await first.waitForSelector('.notice.tip, .ask-tip.thinking');
    else await first.locator('.refused').getByText(first === ann ? words.en : words.de).waitFor();
    check(tips || (await first.locator('.notice.tip, .ask-tip').count()) === 0, 'the key gives a tip');
    await first.keyboard.press('Escape');
    await first.locator('.menu-button').click();
    const wish = first.locator('dialog[open] .switch', { hasText: first === ann ? 'Tips on' : 'Tipps an' }).locator('input');
    await until(async () => (await wish.isDisabled()) === !tips, `tips ${tips}: the switch in the menu`);
    await first.getByRole('button', { name: first === ann ? 'Resign' : 'Aufgeben' }).click();
    await first.locator('dialog[open] .danger').last().click();
    for (const page of [ann, bob]) await page.waitForSelector('dialog.wide');
    for (const page of [ann, bob, eve]) await until(async () => (await page.locator('[data-notice=tips]').count()) === 0, 'it holds after the end');
    await leaveAll(ann, bob, eve);
  }
});

await test('reload in the middle: the seat is taken up again', only, async () => {
  const [ann, bob] = await together();
  await oneTurn(ann, bob);
  await ann.reload();
  await ann.waitForSelector('.match');
  await closeHelp(ann);
  await oneTurn(ann, bob);
  await oneTurn(ann, bob);
  await leaveAll(ann, bob);
});

await test('seat taken over in another window, and taken back', only, async () => {
  const [ann, bob] = await together();
  const other = await ann.context().newPage();
  await other.goto(ann.url());
  await other.waitForSelector('.match');
  await ann.getByRole('alert').filter({ hasText: 'another window' }).waitFor();
  await ann.getByRole('button', { name: 'Play here' }).click();
  await ann.waitForSelector('.match');
  await other.getByRole('alert').filter({ hasText: 'another window' }).waitFor();
  await oneTurn(ann, bob);
  /* When the window that has the seat is closed, the other one plays on by itself. */
  await ann.goto(`${server.url}/?#/about`);
  await other.locator('.connection').waitFor({ state: 'detached' });
  await oneTurn(other, bob);
  await leaveAll(ann, bob);
});

await test('connection loss: both are told, and play goes on', only, async () => {
  const cable = await new Cable(server).open();
  const [ann, bob] = await together('zorde', cable);
  await oneTurn(ann, bob);
  cable.cut();
  await ann.getByText('Connection lost. Reconnecting').waitFor();
  await bob.getByText('Ann lost the connection.').first().waitFor();
  cable.mend();
  await ann.getByText('Connection lost. Reconnecting').waitFor({ state: 'detached' });
  await ann.getByText('Reconnected').first().waitFor();
  await bob.getByText('Ann is back.').first().waitFor();
  await oneTurn(ann, bob);
  ann.errors = ann.errors.filter((text) => !/WebSocket|ERR_|Failed to fetch/.test(text));
  await leaveAll(ann, bob);
  cable.close();
});

await test('server kill -9 and return: the match goes on at the same point', only, async () => {
  const [ann, bob] = await together();
  await oneTurn(ann, bob);
  await server.kill();
  for (const page of [ann, bob]) await page.getByText('Connection lost. Reconnecting').waitFor();
  await server.open();
  for (const page of [ann, bob]) await page.getByText('Connection lost. Reconnecting').waitFor({ state: 'detached' });
  await until(async () => (await ann.textContent('body')).includes('Reconnected'), 'you are back');
  await oneTurn(ann, bob);
  for (const page of [ann, bob]) page.errors = page.errors.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
  await leaveAll(ann, bob);
});

await test('another version of the house: the page offers to be loaded again', only, async () => {
  const ann = await newPerson(browser, null, { name: 'Ann' });
  let connections = 0;
  let cut = () => {};
  await ann.routeWebSocket(/arena/, (near) => {
    const far = near.connectToServer();
    const newer = ++connections > 1;
    cut = () => near.close();
    far.onMessage((message) => near.send(newer ? message.replace(/"server":"[^"]*"/, '"server":"mashup 99"') : message));
  });
  await ann.goto(server.url);
  const bob = await newPerson(browser, server, { name: 'Bob' });
  await startMatch(ann, server, 'zorde', 'quick');
  await ann.waitForSelector('.searching');
  await startMatch(bob, server, 'zorde', 'quick');
  await ann.waitForSelector('.match');
  cut();
  await ann.getByRole('alert').filter({ hasText: 'new version' }).waitFor();
  await ann.getByRole('button', { name: 'Reload page' }).waitFor();
  await leaveAll(ann, bob);
});

await test('a full house is a sentence', only, async () => {
  const small = await new TestServer().open('--sockets-max', '1');
  const ann = await newPerson(browser, small, { name: 'Ann' });
  await startMatch(ann, small, 'zorde', 'quick');
  await ann.waitForSelector('.searching');
  const bob = await newPerson(browser, small, { name: 'Bob' });
  await startMatch(bob, small, 'zorde', 'quick');
  await until(async () => (await bob.getByRole('alert').textContent()).includes('The server is full'), 'full');
  bob.errors = bob.errors.filter((text) => !/WebSocket|503/.test(text));
  await leaveAll(ann, bob);
  await small.close();
});

await test('a finished match: its address opens a replay, for the player and for others', only, async () => {
  const [ann, bob] = await together();
  await oneTurn(ann, bob);
  const address = ann.url();
  const code = address.split('/').at(-1);
  const token = JSON.parse(await ann.evaluate(() => localStorage.getItem('mashup.seats'))).find((seat) => seat.code === code).token;
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/arena`);
  await new Promise((done) => socket.once('open', done));
  for (const message of [{ type: 'hello', name: 'Ann', role: 'person' }, { type: 'return', token }, { type: 'resign' }]) socket.send(JSON.stringify(message));
  await bob.getByText('Ann resigned.').first().waitFor();
  socket.close();
  const eve = await newPerson(browser, server, { name: 'Eve' });
  await eve.goto(`${server.url}/#/replay/${code}`);
  await eve.waitForSelector('.match');
  await eve.reload();
  await eve.waitForSelector('.match');
  check(eve.url().endsWith(`#/replay/${code}`), eve.url());
  await leaveAll(ann, bob, eve);
});

await test('rematch: both wish it, and the same two sit at a new table', only, async () => {
  const [ann, bob] = await together();
  await oneTurn(ann, bob);
  const before = ann.url();
  await ann.getByRole('button', { name: 'Menu' }).click();
  await ann.getByRole('button', { name: 'Resign' }).click();
  await ann.getByRole('button', { name: 'Resign' }).click();
  await bob.getByRole('button', { name: 'Rematch' }).first().click();
  await bob.getByText('You asked for a rematch').or(bob.locator('dialog.wide .notice')).first().waitFor();
  const asked = [];
  for (const page of [ann, bob]) page.on('request', (request) => request.url().includes('/api/match/') && asked.push(request.url()));
  await ann.getByRole('button', { name: 'Rematch' }).first().click();
  for (const page of [ann, bob]) await page.waitForURL((url) => url.href !== before && url.href.includes('#/table/'));
  for (const page of [ann, bob]) await page.waitForSelector('dialog.wide', { state: 'detached' });
  await oneTurn(ann, bob);
  check(asked.length === 0, `nobody looks for the match that is over: ${asked}`);
  await leaveAll(ann, bob);
});

/** Chooses two matches with sides changed on a game's screen and starts. */
async function startPair(page, game, mode) {
  await page.goto(`${server.url}/#/game/${game}`);
  await page.locator(`input[value=${mode}]`).check({ force: true });
  await page.locator('details summary').first().click();
  await page.getByLabel('Two matches, swapping sides').check();
  await page.locator('button[type=submit]').click();
}

await test('two matches: sides change, the second begins, the score is of both', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  const bob = await newPerson(browser, server, { name: 'Bob' });
  await startPair(ann, 'zorde', 'quick');
  await ann.waitForSelector('.searching');
  await startPair(bob, 'zorde', 'quick');
  for (const page of [ann, bob]) await page.waitForSelector('.match');
  for (const page of [ann, bob]) await closeHelp(page);
  const before = ann.url();
  await resign(ann);
  await bob.getByText('Match 1 of 2. You swap sides for the second match.').waitFor();
  await bob.getByRole('button', { name: 'Second match' }).click();
  await ann.getByRole('button', { name: 'Second match' }).click();
  for (const page of [ann, bob]) await page.waitForURL((url) => url.href !== before && url.href.includes('#/table/'));
  for (const page of [ann, bob]) await page.waitForSelector('dialog.wide', { state: 'detached' });
  await resign(bob);
  const score = () => ann.getByText('Both matches:').textContent();
  await until(async () => /Ann 1/.test(await score()) && /Bob 1/.test(await score()), score);
  await leaveAll(ann, bob);
});

await test('two matches against the computer', only, async () => {
  const page = await newPerson(browser, server, { name: 'Ann' });
  await startPair(page, 'zorde', 'ai');
  await page.waitForSelector('.match');
  await closeHelp(page);
  await resign(page);
  await page.getByRole('button', { name: 'Second match' }).click();
  await page.waitForSelector('dialog.wide', { state: 'detached' });
  await page.reload();
  await page.waitForSelector('.match');
  await resign(page);
  const score = () => page.getByText('Both matches:').textContent();
  await until(async () => /Ann 0/.test(await score()) && /Computer, level \d 2/.test(await score()), score);
  await page.getByRole('button', { name: 'Rematch' }).first().waitFor();
  await leaveAll(page);
});

await test('a house that is away is a sentence; programs play on', only, async () => {
  const page = await newPerson(browser, server);
  await page.waitForSelector('.games li');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null); // all files are kept before it takes over
  await page.context().setOffline(true);
  await page.goto(`${server.url}/`);
  await page.waitForSelector('.games li');
  await startMatch(page, server, 'zorde', 'quick');
  await until(async () => (await page.getByRole('alert').textContent()).includes("Can't reach the server."), 'the house is away');
  await startMatch(page, server, 'zorde', 'ai');
  await page.waitForSelector('.match');
  await closeHelp(page);
  await waitForTurn(page);
  await acted(page);
  await page.reload();
  await page.waitForSelector('.match');
  page.errors = page.errors.filter((text) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(text));
  await leaveAll(page);
});

await test('a file that is no match is a sentence with its place', only, async () => {
  const page = await newPerson(browser, server);
  await page.goto(`${server.url}/#/replays`);
  await page.setInputFiles('input[type=file]', { name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"mashup-match": 1,\n "game": "chess"}') });
  const told = () => page.getByRole('alert').textContent();
  await until(async () => /broken\.json:\d+:\d+: /.test(await told()), told);
  await leaveAll(page);
}, { short: true });

await test('a match file dropped on the page becomes a replay', only, async () => {
  const page = await newPerson(browser, server);
  await page.goto(`${server.url}/#/replays`);
  const folder = mkdtempSync(join(tmpdir(), 'mashup-files-'));
  execFileSync('build/mashup', ['league', 'zorde', '--players', 'level1,level2', '--pairs', '1', '--save', folder]);
  await page.setInputFiles('input[type=file]', join(folder, readdirSync(folder)[0]));
  await page.waitForSelector('.match');
  rmSync(folder, { recursive: true });
  await leaveAll(page);
});

await test('a replay of the Marvelous Mashup standard becomes a replay, too', only, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mashup-replays-'));
  const standard = await new TestServer().open('--replay', folder);
  const programs = ['Ann', 'Bob'].map((name) => new Promise((done) => {
    execFile('build/mashup', ['ai', `127.0.0.1:${standard.port}`, '--name', name, '--level', '1'], { timeout: 60000 }, done);
  }));
  await Promise.all(programs);
  const file = readdirSync(folder).find((name) => name.endsWith('_replay.json'));
  check(file, 'a replay was written');
  const page = await newPerson(browser, standard);
  await page.goto(`${standard.url}/#/replays`);
  await page.setInputFiles('input[type=file]', join(folder, file));
  await page.waitForSelector('.match');
  await until(async () => (await page.locator('.match[data-game=marvelous-mashup]').count()) === 1, 'the right game');
  await until(async () => (await page.getByRole('button', { name: 'Play on from here' }).count()) === 0, 'nobody plays on from it');
  await leaveAll(page);
  await standard.close();
  rmSync(folder, { recursive: true });
});

await test('German: the language is changed and kept', only, async () => {
  const page = await newPerson(browser, server);
  await page.goto(`${server.url}/#/settings`);
  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  await page.goto(`${server.url}/#/`);
  await page.reload();
  const number = ['Fünf', 'Sechs', 'Sieben', 'Acht'][readGames().length - 5];
  await page.getByText(`${number} Taktikspiele`).waitFor();
  await until(async () => (await page.getAttribute('html', 'lang')) === 'de', 'lang');
  await leaveAll(page);
});

await test('axe-core finds nothing on the screens around a match, light and dark, desk and phone', only, async () => {
  for (const [viewport, scheme] of [[{ width: 1440, height: 900 }, 'light'], [{ width: 390, height: 844 }, 'dark']]) {
    const page = await newPerson(browser, server, { viewport, colorScheme: scheme });
    for (const hash of ['', 'game/marvelous-mashup', 'game/generals', 'rules/zorde', 'watch', 'mine', 'replays', 'settings', 'about', 'join/abcd-efgh-jkmn', 'nowhere']) {
      await page.goto(`${server.url}/#/${hash}`);
      await page.locator('h1:not(:text-is("Loading …"))').waitFor();
      await page.locator('details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
      const found = await axe(page);
      check(found.length === 0, `#/${hash} ${scheme}: ${found.join('; ')}`);
    }
    await startMatch(page, server, 'zorde', 'invite');
    await page.waitForSelector('.qr');
    const found = await axe(page);
    check(found.length === 0, `waiting room: ${found.join('; ')}`);
    page.errors = page.errors.filter((text) => !/404/.test(text));
    await leaveAll(page);
  }
});

await test('a load of the engine that the network breaks off is tried again; one that fails for good is named, and can be tried again', only, async () => {
  const page = await newPerson(browser, null, { serviceWorkers: 'block' });
  let broken = 1;
  await page.route('**/*.wasm', (route) => (broken-- > 0 ? route.abort() : route.continue()));
  await page.goto(`${server.url}/#/game/zorde`);
  await page.waitForSelector('form fieldset.modes');
  broken = Infinity;
  await page.reload();
  await page.getByRole('heading', { name: "This couldn't be loaded" }).waitFor();
  await until(() => page.getByRole('alert').isVisible(), 'why is said');
  broken = 0;
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.waitForSelector('form fieldset.modes');
  await page.context().close();
});

await browser.close();
await server.close();
process.exit(summary());

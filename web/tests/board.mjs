// board.mjs -- the board in Chromium: positions of real matches of all games are drawn and played; keys, pointer, budget,
// reduced motion, and what frames cost, also on a board of 100 x 100. Then the story and the hidden greeting.
// Usage: node web/tests/board.mjs [part of a test's name]
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import WebSocket from 'ws';
import { gamesPlugin, readGames } from '../games.mjs';
import { TestServer, check, newPerson, openBrowser, slow, summary, test, until } from './server.mjs';
import { axe } from './steps.mjs';

const only = process.argv[2];
const GAMES = readGames().map(({ id }) => id);
/** The mean frame may cost so many ms of a processor, however busy the machine is; 16 is what a frame has. */
const MEAN_MOST = 4 * slow;
const server = await new TestServer().open('--strikes', '0');
const browser = await openBrowser();
const { outputFiles: [bundle] } = await build({
  stdin: { contents: "export { Stage } from './web/src/board/stage';", resolveDir: '.', loader: 'ts' },
  bundle: true, write: false, format: 'iife', globalName: 'board', target: 'es2022', tsconfig: 'web/tsconfig.json',
  loader: { '.md': 'text' }, plugins: [gamesPlugin()],
});
const css = ['base', 'board'].map((name) => readFileSync(`web/style/${name}.css`, 'utf8')).join('\n');

/** Positions of a match against a robot of the server, played at random but the same each time. */
function record(game, count) {
  return new Promise((done, failed) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/arena`);
    const positions = [];
    let luck = 12345;
    const pick = (list) => list[(luck = (luck * 1103515245 + 12345) % 2147483648) % list.length];
    const end = () => { socket.close(); done(positions); };
    socket.on('error', failed);
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'hello', name: 'Ann', role: 'person', words: true }));
      socket.send(JSON.stringify({ type: 'open', game, opponent: 'ai', level: 1, seat: 0 }));
    });
    socket.on('message', (bytes) => {
      const tell = JSON.parse(bytes);
      if (tell.type !== 'position') return;
      positions.push(tell);
      if (tell.result || positions.length >= count) return end();
      if (!tell.awaited.includes(0) || !tell.actions.length) return;
      const group = pick(tell.actions);
      const [x, y, other = 0, amount = 0] = pick(group.cells);
      socket.send(JSON.stringify({ type: 'act', position: tell.number, verb: group.verb, unit: group.unit, ability: group.ability, x, y, other, amount }));
    });
  });
}

/** A page with one board that shows the first of these positions; what it tells is gathered in `told`. */
async function boardPage(position, { game = 'marvelous-mashup', motion = false, viewport = { width: 900, height: 700 } } = {}) {
  const page = await newPerson(browser, server, { viewport, reducedMotion: motion ? 'no-preference' : 'reduce', bypassCSP: true });
  await page.evaluate((style) => {
    document.head.innerHTML = `<link rel="icon" href="/icon.svg"><style>${style} html, body { height: 100% } #host { position: absolute; inset: 10px }</style>`;
    document.body.innerHTML = '<div id="host"></div>';
  }, css);
  await page.addScriptTag({ content: bundle.text });
  await page.evaluate(([first, of]) => {
    globalThis.told = [];
    globalThis.stage = new board.Stage(document.getElementById('host'), {
      game: of,
      onCell: (x, y) => told.push(`cell ${x},${y}`), onUnit: (unit) => told.push(`unit ${unit}`),
    });
    stage.show(first);
  }, [position, game]);
  return page;
}

/** From now on the page has a clock of our own, so that a busy machine changes nothing: time passes and frames come only by `pass(ms)`. */
const ownClock = (page) => page.evaluate(() => {
  let now = performance.now();
  let frames = [];
  performance.now = () => now;
  globalThis.requestAnimationFrame = (callback) => frames.push(callback);
  globalThis.cancelAnimationFrame = (id) => { frames[id - 1] = () => {}; };
  globalThis.pass = (ms) => {
    for (const until = now + ms; now < until;) {
      now = Math.min(until, now + 10);
      const due = frames;
      frames = [];
      due.forEach((callback) => callback(now));
    }
  };
});

/** Does something on the page; the ms that a processor worked for scripts meanwhile, what else it did not counted. */
async function scriptTime(page, run) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => 1000 * (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration').value;
  const before = await spent();
  const done = await run();
  const ms = (await spent()) - before;
  await session.detach();
  return { done, ms };
}

/** Where the tokens are drawn: unit -> cell, and which of them are down. */
const drawn = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.token')].map((token) => {
  const [x, y] = /translate\(([-\d.]+)px, ?([-\d.]+)px\)/.exec(token.style.transform).slice(1).map(Number);
  return [token.dataset.unit, [Math.round(x / stage.view.cell), Math.round(y / stage.view.cell)]];
})));

/** The same as the position has it. */
const meant = (position) => Object.fromEntries(position.board.tokens
  .filter((token) => token.place === 'board' && token.unit !== 255).map((token) => [token.unit, [token.x, token.y]]));

for (const game of GAMES) {
  await test(`a match of ${game} is drawn and played`, only, async () => {
    const positions = await record(game, process.env.SHORT ? 60 : 200);
    const page = await boardPage(positions[0], { game, motion: true });
    const { done: frames, ms } = await scriptTime(page, () => page.evaluate(async (list) => {
      stage.speed(8);
      for (const position of list) await stage.play(position);
      return stage.frames;
    }, positions.slice(1)));
    const last = positions.at(-1);
    check(JSON.stringify(await drawn(page)) === JSON.stringify(meant(last)), 'tokens are not where the last position has them');
    check(await page.locator('.sprite, .stage-banner').count() === 0, 'something is left of an effect');
    check(page.errors.length === 0, page.errors.join('; '));
    console.log(`        ${frames} frames: script ${(ms / frames).toFixed(2)} ms each`);
    check(frames > 20 && ms / frames < MEAN_MOST, `${frames} frames cost ${ms} ms of script`);
    await page.context().close();
  }, { short: game === GAMES[0] });
}

await test('a skipped match looks like a played one, and a budget is kept', only, async () => {
  const positions = await record('marvelous-mashup', 60);
  const page = await boardPage(positions[0], { motion: true });
  await ownClock(page);
  const took = await page.evaluate(async (list) => {
    stage.budget(400);
    const began = performance.now();
    let shown = false;
    void Promise.all(list.map((position) => stage.play(position))).then(() => { shown = true; });
    while (!shown && performance.now() - began < 1500) {
      pass(10);
      await new Promise((done) => setTimeout(done));
    }
    return performance.now() - began;
  }, positions.slice(1, 30));
  check(took < 1500, `a budget of 400 ms took ${took} ms`);
  check(JSON.stringify(await drawn(page)) === JSON.stringify(meant(positions[29])), 'the picture differs after a budget');
  await page.evaluate(async (list) => {
    stage.budget(0);
    const all = Promise.all(list.map((position) => stage.play(position)));
    stage.skip();
    await all;
  }, positions.slice(30));
  check(JSON.stringify(await drawn(page)) === JSON.stringify(meant(positions.at(-1))), 'the picture differs after skipping');
  check(await page.locator('.sprite').count() === 0, 'something is left of an effect');
  await page.context().close();
}, { short: true });

await test('twenty jumps in a second are one movement: each replaces the one before, and the last is there 200 ms later', only, async () => {
  const positions = (await record('marvelous-mashup', 60)).filter((position) => Object.keys(meant(position)).length > 0);
  const page = await boardPage(positions[0], { motion: true });
  await ownClock(page);
  const looks = await page.evaluate(async (list) => {
    const look = () => [...document.querySelectorAll('.token')].map((one) => `${one.dataset.unit} ${one.style.transform} ${one.style.opacity}`).sort().join('|');
    stage.speed(0.3);
    for (const position of list) {
      void stage.shift(position);
      pass(50);
    }
    const early = look();
    pass(50);
    const middle = look();
    pass(100);
    const late = look();
    const busy = stage.busy;
    const last = list.at(-1);
    stage.show(list[0]);
    stage.show(last);
    return { early, middle, late, target: look(), busy, ghosts: document.querySelector('.stage-effects').childElementCount };
  }, positions.slice(-20));
  check(looks.late === looks.target && !looks.busy, 'the last position is not shown 200 ms after the last jump');
  check(looks.early !== looks.target && looks.early !== looks.middle, 'nothing moved in between');
  check(looks.ghosts === 0, 'something is left of what went');
  check(JSON.stringify(await drawn(page)) === JSON.stringify(meant(positions.at(-1))), 'tokens are not where the last position has them');
  await page.context().close();
}, { short: true });

await test('every kind of event of the protocol can be shown, whatever it names', only, async () => {
  const kinds = [...readFileSync('docs/protocol.md', 'utf8').split('## Kinds of event')[1].matchAll(/^- `([\w-]+)`/gm)].map((found) => found[1]);
  check(kinds.length > 30, `only ${kinds.length} kinds were found`);
  const [position] = await record('zorde', 1);
  const page = await boardPage(position, { motion: true });
  const unit = position.board.tokens.find((token) => token.place === 'board').unit;
  const text = 'Stan Lee calls: "Excelsior!"';
  const said = await page.evaluate(async ([now, all, one, words]) => {
    const bubbles = new Set();
    new MutationObserver(() => document.querySelectorAll('.bubble').forEach((bubble) => bubbles.add(bubble.textContent)))
      .observe(document.querySelector('.stage-effects'), { childList: true });
    const event = (kind, who, other, at) => ({ kind, unit: who, other, from: [0, 0], at, amount: 5, what: 0, text: words });
    const events = all.flatMap((kind) => [event(kind, one, one + 1, [1, 1]), event(kind, 255, 255, [3, 0]), event(kind, 200, 201, [-1, 99])]);
    stage.speed(20);
    await stage.play({ ...now, number: now.number + 1, events });
    return [...bubbles];
  }, [position, kinds, unit, text]);
  check(said.includes('Excelsior!'), 'nobody spoke');
  check(JSON.stringify(await drawn(page)) === JSON.stringify(meant(position)), 'tokens are not where the position has them');
  check(await page.locator('.sprite, .stage-banner').count() === 0, 'something is left of an effect');
  check(page.errors.length === 0, page.errors.join('; '));
  await page.context().close();
}, { short: true });

await test('without motion nothing moves, and lost health is still seen', only, async () => {
  const positions = await record('zorde', 120);
  const at = positions.findIndex((position) => position.events.some((event) => event.kind === 'hurt' && event.amount > 0));
  check(at > 0, 'nobody was hurt');
  const page = await boardPage(positions[at - 1]);
  const hurt = positions[at].events.find((event) => event.kind === 'hurt');
  const seen = await page.evaluate(async ([after, unit]) => {
    const bar = () => document.querySelector(`.token[data-unit="${unit}"] .now`)?.style.transform;
    const before = bar();
    let shown = false;
    void stage.play(after).then(() => { shown = true; });
    await new Promise((done) => setTimeout(done));
    return { before, after: bar(), shown, frames: stage.frames, amount: document.querySelector('.amount.hurt')?.textContent };
  }, [positions[at], hurt.unit]);
  check(seen.frames === 0 && seen.shown, 'something was animated');
  check(seen.amount === `\u2212${hurt.amount}`, `the amount is not told: ${seen.amount}`);
  check(seen.after === undefined || seen.after !== seen.before, 'the bar has not dropped');
  await page.context().close();
}, { short: true });

/** The name of the cell that has the keyboard. */
const named = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label'));

await test('by keyboard: arrows, words for every cell, choosing', only, async () => {
  const [position] = await record('zorde', 1);
  const page = await boardPage(position);
  const token = position.board.tokens.find((one) => one.place === 'board');
  await page.locator('.stage').focus();
  await page.evaluate(([x, y]) => stage.cursor(x, y), [token.x, token.y]);
  check(new RegExp(`^${token.x},${token.y}: (your|enemy) ${token.kind}( \\d)?, \\d+ of \\d+ health`).test(await named(page)), `the cell is not said: ${await named(page)}`);
  await page.keyboard.press('Enter');
  await page.evaluate(() => stage.cursor(0, 0));
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  check(await page.locator('.stage-cursor').getAttribute('data-cell') === '2,1', 'arrows go elsewhere');
  await page.evaluate(() => stage.mark([{ x: 2, y: 1, kind: 'attack', label: '-9' }]));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  check(/can be attacked -9$/.test(await named(page)), 'the mark is not said');
  await page.keyboard.press(' ');
  check(JSON.stringify(await page.evaluate(() => told)) === JSON.stringify([`unit ${token.unit}`, 'cell 2,1']), 'choosing tells something else');
  await page.context().close();
}, { short: true });

await test('by pointer: units, cells, marks; input is never blocked by an animation', only, async () => {
  const positions = await record('marvelous-mashup', 40);
  const at = positions.findIndex((position) => position.events.length > 20);
  const page = await boardPage(positions[at - 1], { motion: true });
  const token = positions[at].board.tokens.find((one) => one.place === 'board' && one.seat === 0);
  await ownClock(page);
  const point = await page.evaluate(([after, x, y]) => { void stage.play(after); return stage.point(x, y); }, [positions[at], token.x, token.y]);
  await page.mouse.click(point.x, point.y);
  check(await page.evaluate(() => { pass(50); return stage.busy; }), 'the animation was over already');
  await page.evaluate(([x, y]) => stage.mark([{ x, y, kind: 'move' }]), [token.x, token.y]);
  await page.mouse.click(point.x, point.y);
  check(JSON.stringify(await page.evaluate(() => told)) === JSON.stringify([`unit ${token.unit}`, `cell ${token.x},${token.y}`]), 'clicks tell something else');
  await page.context().close();
}, { short: true });

await test('a board of 100 x 100 with 200 units: pan, zoom, frames', only, async () => {
  const width = 100;
  const ground = Array.from({ length: width }, (_, y) => Array.from({ length: width }, (_, x) => (x * 7 + y * 13) % 11 === 0 ? 1 : 0));
  const tokens = Array.from({ length: 200 }, (_, unit) => ({ unit, name: `u${unit}`, kind_id: ['hulk', 'thor', 'loki', 'groot'][unit % 4], seat: unit % 2, place: 'board', x: (unit * 37) % 100, y: (unit * 61) % 100 }));
  const meters = tokens.map(({ unit }) => ({ unit, id: 'health', role: 'health', name: 'health', index: 0, now: 50 + (unit % 50), most: 100 }));
  const position = {
    code: '', number: 1, you: 0, awaited: [0], draw: null, paused: false, clocks: { turn: [null, null] }, actions: [], events: [],
    board: { width, height: width, phase: 'play', phase_id: 'play', order: [], grounds: ['grass', 'rock'], ground_ids: ['grass', 'rock'], ground, tokens, meters },
  };
  const page = await boardPage(position, { motion: true, viewport: { width: 1440, height: 900 } });
  /* Near, the whole board, and 60 units that move: frames of each. */
  const near = await scriptTime(page, () => page.evaluate(async () => {
    for (let i = 0; i < 40; i++) {
      await new Promise((done) => requestAnimationFrame(done));
      stage.view.pan(i % 2 ? 13 : -9, -7);
      stage.arrange();
    }
    return 40;
  }));
  const whole = await scriptTime(page, () => page.evaluate(async () => {
    stage.fit();
    for (let i = 0; i < 20; i++) {
      await new Promise((done) => requestAnimationFrame(done));
      stage.view.pan(0, i % 2);
      stage.arrange();
    }
    return 20;
  }));
  const moves = await scriptTime(page, () => page.evaluate(async (now) => {
    const events = now.board.tokens.slice(0, 60).map((token) => ({ kind: 'moved', unit: token.unit, other: 255, from: [token.x, token.y], at: [token.x, token.y], amount: 0, what: 0, text: '' }));
    stage.budget(1200);
    await stage.play({ ...now, number: 2, events });
    return stage.frames;
  }, position));
  for (const [name, { done: frames, ms }] of Object.entries({ near, whole, moves })) {
    console.log(`        ${name}: ${frames} frames, script ${(ms / frames).toFixed(2)} ms each`);
    check(frames > 5 && ms / frames < 4 * MEAN_MOST, `${name}: ${frames} frames cost ${ms} ms of script`);
  }
  await page.context().close();
});

await test('the story comes before the choice, can be skipped, and for good', only, async () => {
  const page = await newPerson(browser, server);
  const start = async () => {
    await page.goto(`${server.url}/#/game/marvelous-mashup`);
    await page.locator('input[value=ai]').check({ force: true });
    await page.locator('button[type=submit]').click();
  };
  await page.evaluate(() => localStorage.setItem('mashup.intro', 'true'));
  await page.reload();
  await start();
  const story = page.locator('dialog.story');
  await story.waitFor();
  await until(async () => !(await page.locator('.match').count()), 'the match has begun before the story is over');
  const flaws = await axe(page);
  check(flaws.length === 0, flaws.join('\n'));
  for (let i = 0; i < 4; i++) await page.keyboard.press('Enter');
  await until(async () => /roams the land/.test(await story.innerText()), 'the story does not go on by key');
  await story.locator('input').check();
  await page.keyboard.press('Escape');
  await story.waitFor({ state: 'detached' });
  await page.waitForFunction(() => location.hash.includes('match'));
  await start();
  await page.waitForFunction(() => location.hash.includes('match'));
  await until(async () => await story.count() === 0, 'the story was told again');
  check(page.errors.length === 0, page.errors.join('; '));
  await page.context().close();
});

await test('the story is told once on a device, never before a rematch and never to who joins or watches', only, async () => {
  const page = await newPerson(browser, server);
  const story = page.locator('dialog.story');
  const start = async () => {
    await page.goto(`${server.url}/#/game/marvelous-mashup`);
    await page.locator('input[value=ai]').check({ force: true });
    await page.locator('button[type=submit]').click();
  };
  await page.evaluate(() => localStorage.setItem('mashup.intro', 'true'));
  await page.reload();
  await start();
  await story.waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /let.s play/i }).click();
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await page.getByRole('button', { name: 'Rematch' }).waitFor({ state: 'detached' });
  await page.locator('.assemble').waitFor();
  await until(async () => await story.count() === 0, 'the story was told before a rematch');
  await start();
  await page.locator('.assemble').waitFor();
  await until(async () => await story.count() === 0, 'the story was told a second time');
  await page.goto(`${server.url}/#/settings`);
  const wanted = page.getByLabel('Show the Marvelous Mashup intro');
  await wanted.uncheck();
  await wanted.check();
  await start();
  await story.waitFor();
  check(page.errors.length === 0, page.errors.join('; '));
  await page.context().close();

  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/arena`);
  const code = await new Promise((done, failed) => {
    socket.on('error', failed);
    socket.on('message', (bytes) => { const tell = JSON.parse(bytes); if (tell.type === 'table') done(tell.code); });
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'hello', name: 'Ann', role: 'person' }));
      socket.send(JSON.stringify({ type: 'open', game: 'marvelous-mashup', opponent: 'ai', level: 1, seat: 0 }));
    });
  });
  const guest = await newPerson(browser, server, { name: 'Bob' });
  const host = new WebSocket(`${server.url.replace('http', 'ws')}/arena`);
  host.on('open', () => {
    host.send(JSON.stringify({ type: 'hello', name: 'Mia', role: 'person' }));
    host.send(JSON.stringify({ type: 'open', game: 'marvelous-mashup', opponent: 'guest' }));
  });
  await guest.evaluate(() => localStorage.setItem('mashup.intro', 'true'));
  await guest.reload();
  await guest.getByRole('button', { name: 'Join Mia' }).click();
  await guest.locator('.match').waitFor();
  await until(async () => await guest.locator('dialog.story').count() === 0, 'the story was told to who joins');
  host.close();
  await guest.context().close();
  const watcher = await newPerson(browser, server, { name: 'Eve' });
  await watcher.evaluate(() => localStorage.setItem('mashup.intro', 'true'));
  await watcher.goto(`${server.url}/#/table/${code}`);
  await watcher.reload();
  await watcher.locator('.match').waitFor();
  await until(async () => await watcher.locator('dialog.story').count() === 0, 'the story was told to who watches by a link');
  await watcher.goto(`${server.url}/#/watch`);
  await watcher.getByRole('button', { name: 'Watch' }).first().click();
  await watcher.locator('.match').waitFor();
  await until(async () => await watcher.locator('dialog.story').count() === 0, 'the story was told to who watches from the list');
  check(watcher.errors.length === 0, watcher.errors.join('; '));
  socket.close();
  await watcher.context().close();
});

await test('a certain word', only, async () => {
  const page = await newPerson(browser, server);
  await page.waitForSelector('.games li');
  await page.keyboard.type('excelsior');
  await until(async () => /Excelsior!/.test(await page.locator('.excelsior').innerText()), 'nobody came');
  await page.context().close();
});

await browser.close();
await server.close();
process.exit(summary());

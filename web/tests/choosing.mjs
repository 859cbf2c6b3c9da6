// choosing.mjs -- what is chosen and shown on the board while one plays: never an enemy by itself, and over each unit what
// really happens to it.
// Usage: node web/tests/choosing.mjs [part of a test's name]
import { readGames } from '../games.mjs';
import { TestServer, check, newPerson, openBrowser, pageTime, slow, summary, test, until, withPerson as asPerson } from './server.mjs';
import { playByMouse, startMatch } from './player.mjs';
import { noted } from './steps.mjs';

const only = process.argv[2];
const games = readGames().map(({ id, page }) => ({ game: id, ...page.tests }));
const server = await new TestServer().open();
const browser = await openBrowser();

/** Runs with a page of its own, on which nothing may go wrong. */
const withPerson = (run, options) => asPerson(browser, server, run, options);

for (const { game, preset, haste } of games)
  await test(`second side, never an enemy is chosen: ${game}`, only, () =>
    withPerson(async (page) => {
      await startMatch(page, server, game, { mode: 'ai', preset, seat: 1 });
      let own = 0;
      let done = 0;
      let before = null;
      await playByMouse(page, {
        seed: 5, haste, seconds: 240,
        after: async () => {
          const chosen = await page.evaluate(() =>
            [...document.querySelectorAll('.token.selected, .sides [aria-pressed=true]')].map((one) => one.className));
          const enemy = chosen.filter((name) => /\bseat-0\b/.test(name));
          check(enemy.length === 0, `an enemy is chosen: ${enemy}`);
          own += chosen.some((name) => /\bseat-1\b/.test(name)) ? 1 : 0;
          const number = await page.locator('.match').getAttribute('data-number').catch(() => null);
          done += number === before ? 0 : 1;
          before = number;
          return done < (process.env.SHORT ? 15 : 40) || own === 0;
        },
      });
      check(own > 0, 'own units are chosen');
    }),
    { short: game === 'battleground' },
  );

/** Where the middle of a marked cell of this kind is; null: none is marked. */
const markOf = (page, kind) =>
  page.evaluate((wanted) => {
    const host = document.querySelector('.board-host');
    const mark = (host?.dataset.marks ?? '').split(' ').map((text) => text.split(',')).find((one) => one[2] === wanted);
    const stage = host?.querySelector('.stage');
    if (!mark || !stage || document.querySelector('dialog[open], .curtain')) return null;
    const box = stage.getBoundingClientRect();
    const cell = Number.parseFloat(stage.style.getPropertyValue('--cell'));
    const [left, top] = stage.querySelector('.stage-world').style.transform.match(/-?[\d.]+/g).map(Number);
    const [columns, rows] = stage.dataset.size.split(',').map(Number);
    const [x, y] = stage.classList.contains('turned') ? [columns - 1 - mark[0], rows - 1 - mark[1]] : [+mark[0], +mark[1]];
    return { x: box.left + left + (x + 0.5) * cell, y: box.top + top + (y + 0.5) * cell };
  }, kind);

/** What stands over the units: [unit, text, whether it is one's own]. */
const forecasts = (page) =>
  page.evaluate(() => [...document.querySelectorAll('.forecast')].map((one) => [+one.dataset.unit, one.textContent, one.classList.contains('own')]));

/** The health of each unit as the teams show it. */
const healths = (page) =>
  page.evaluate(() =>
    Object.fromEntries([...document.querySelectorAll('.sides .unit-card')].map((one) =>
      [one.dataset.unit, Number(/^\s*(\d+)/.exec(one.querySelector('.health, .bar, [role=meter], [role=img]')?.textContent ?? '')?.[1])])));

for (const { game, preset, haste } of games.filter(({ game }) => ['zorde', 'battleground', 'marvelous-mashup'].includes(game)))
  await test(`what stands over each unit is what happens to it: ${game}`, only, () =>
    withPerson(async (page) => {
      await startMatch(page, server, game, { preset });
      let compared = 0;
      await playByMouse(page, {
        seed: 9, haste, seconds: 240,
        after: async () => {
          const at = await markOf(page, 'attack');
          if (!at) return true;
          await page.mouse.move(at.x, at.y);
          await page.waitForSelector('.forecast', { timeout: 2000 * slow }).catch(() => {});
          const told = await forecasts(page);
          const number = await page.locator('.match').getAttribute('data-number');
          await page.mouse.click(at.x, at.y);
          /* What it is to be may be asked first. */
          const asked = await page.waitForFunction((before) => {
            if (document.querySelector('.match')?.dataset.number !== before || document.querySelector('.curtain')) return 'done';
            return !document.querySelector('.dock-row') && document.querySelector('.choices [data-action]') && 'asked';
          }, number);
          if ((await asked.jsonValue()) === 'asked') await page.locator('.choices [data-action]').first().click();
          await page.waitForFunction((before) => document.querySelector('.match')?.dataset.number !== before || document.querySelector('.curtain'), number);
          if (await page.locator('.curtain').count()) return true;
          const wrong = async () => {
            const now = await healths(page);
            return told.flatMap(([unit, text]) => {
              const [, , after] = /^(\d+) → (\d+)( ✕)?$/.exec(text) ?? [];
              return after === undefined || Number.isNaN(now[unit]) || (now[unit] ?? 0) === Number(after) ? [] : [`over unit ${unit} stood "${text}", and it has ${now[unit]}`];
            });
          };
          await until(async () => (await wrong()).length === 0, wrong);
          const now = await healths(page);
          for (const [unit, text] of told) {
            const [, , after] = /^(\d+) → (\d+)( ✕)?$/.exec(text) ?? [];
            if (after === undefined || Number.isNaN(now[unit])) continue;
            compared++;
          }
          return compared < 6;
        },
      });
      check(compared > 0, 'something was told and compared');
    }),
    { short: game === 'zorde' },
  );

/** The marks of a kind with their middle in the window, and where the chosen unit stands. */
const reachOf = (page) =>
  page.evaluate(() => {
    const host = document.querySelector('.board-host');
    const stage = host?.querySelector('.stage');
    if (!stage || document.querySelector('dialog[open], .curtain')) return null;
    const box = stage.getBoundingClientRect();
    const cell = Number.parseFloat(stage.style.getPropertyValue('--cell'));
    const [left, top] = stage.querySelector('.stage-world').style.transform.match(/-?[\d.]+/g).map(Number);
    const [columns, rows] = stage.dataset.size.split(',').map(Number);
    const turn = ([x, y]) => (stage.classList.contains('turned') ? [columns - 1 - x, rows - 1 - y] : [x, y]);
    const spot = (x, y) => ({ x, y, px: box.left + left + (turn([x, y])[0] + 0.5) * cell, py: box.top + top + (turn([x, y])[1] + 0.5) * cell });
    const marks = (host.dataset.marks ?? '').split(' ').filter(Boolean).map((text) => text.split(','));
    const chosen = stage.querySelector('.token.selected');
    const at = chosen && turn(chosen.style.transform.match(/-?[\d.]+/g).map((px) => Math.round(px / cell)));
    return {
      far: marks.filter((one) => one[2] === 'reach').map(([x, y]) => spot(+x, +y)),
      unit: chosen?.dataset.unit ?? null,
      at: at ? spot(at[0], at[1]) : null,
      number: Number(document.querySelector('.match').dataset.number),
      way: host.dataset.way ?? '',
      busy: document.querySelector('.action:disabled, .end-turn:disabled') !== null,
    };
  });

/** Plays until a cell that takes several steps is offered; what is offered then. */
async function untilReach(page, { haste }) {
  let found = null;
  await playByMouse(page, {
    seed: 3, haste, seconds: 200,
    after: async () => {
      const now = await reachOf(page);
      if (now && now.far.length > 0 && now.at) found = now;
      return found === null;
    },
  });
  return found;
}

/** Chooses a unit that can walk, once the board is in its place. */
async function chooseUnit(page, unit, press) {
  await page.waitForFunction(() => document.querySelector('.board-host')?.dataset.marks);
  let box = null;
  await until(async () => {
    const before = box;
    box = await page.locator(`.token[data-unit="${unit}"]`).boundingBox();
    return before !== null && before.x === box.x && before.y === box.y;
  }, `unit ${unit} does not stand still`);
  await press(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => /reach/.test(document.querySelector('.board-host').dataset.marks));
}

/** Waits until a unit stands on a cell. */
const standsAt = (page, unit, { x, y }) =>
  page.waitForFunction(([wanted, column, row]) => {
    const stage = document.querySelector('.board-host .stage');
    const token = stage?.querySelector(`.token[data-unit="${wanted}"]`);
    const cell = Number.parseFloat(stage?.style.getPropertyValue('--cell') ?? '1');
    const at = token?.style.transform.match(/-?[\d.]+/g)?.map((px) => Math.round(px / cell));
    const [columns, rows] = stage?.dataset.size.split(',').map(Number) ?? [];
    const [x, y] = stage?.classList.contains('turned') ? [columns - 1 - column, rows - 1 - row] : [column, row];
    return at && at[0] === x && at[1] === y;
  }, [unit, x, y]);

for (const { game, preset, haste } of games.filter(({ game }) => ['zorde', 'ultimate-war', 'marvelous-mashup'].includes(game)))
  await test(`one click walks several steps, and so does a drag: ${game}`, only, () =>
    withPerson(async (page) => {
      await startMatch(page, server, game, { preset: game === 'zorde' ? undefined : preset });
      for (const way of ['click', 'drag']) {
        const now = await untilReach(page, { haste });
        const goal = now.far[Math.floor(now.far.length / 2)];
        if (way === 'click') {
          await page.mouse.move(goal.px, goal.py);
          await page.waitForFunction(() => (document.querySelector('.board-host').dataset.way ?? '').split(' ').length > 2);
          await until(async () => (await reachOf(page)).way.endsWith(`${goal.x},${goal.y}`), 'the way that is shown leads there');
          await page.mouse.click(goal.px, goal.py);
        } else {
          await page.mouse.move(now.at.px, now.at.py);
          await page.mouse.down();
          await page.mouse.move(now.at.px + 2, now.at.py);
          await until(async () => (await page.locator('.token.held').count()) === 0, 'two pixels are no drag');
          await page.mouse.move(now.at.px + 4, now.at.py);
          await until(async () => (await page.locator('.token.held').count()) === 1, 'four pixels are a drag');
          await page.mouse.move(goal.px, goal.py, { steps: 4 });
          await page.mouse.up();
          await until(async () => (await page.locator('.token.held').count()) === 0, 'it is put down');
        }
        await standsAt(page, now.unit, goal);
        const { number } = await reachOf(page).then((after) => after ?? { number: Infinity });
        check(number >= now.number + 2, `several actions were done: ${now.number} to ${number}`);
        if (way !== 'click') continue;
        await page.locator('.board-host .stage').focus();
        await page.keyboard.press('Backspace');
        await standsAt(page, now.unit, now.at);
      }
    }),
    { short: game === 'zorde' },
  );

await test('by finger: a tap chooses, a tap shows the way, a second one goes', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde');
    await chooseUnit(page, 1, (x, y) => page.touchscreen.tap(x, y));
    const now = await reachOf(page);
    const [goal] = now.far;
    await page.touchscreen.tap(goal.px, goal.py);
    await page.waitForFunction(() => document.querySelector('.board-host').dataset.way !== '');
    check((await reachOf(page)).number === now.number, 'the first tap does nothing');
    await page.touchscreen.tap(goal.px, goal.py);
    await standsAt(page, now.unit, goal);
  }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }),
);

await test('a click that does nothing says why, to the eye and to the ear', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'marvelous-mashup');
    const now = await untilReach(page, { haste: 0.1 });
    const board = await page.evaluate(() => {
      const marks = new Set(document.querySelector('.board-host').dataset.marks.split(' ').map((one) => one.split(',').slice(0, 2).join()));
      const stage = document.querySelector('.board-host .stage');
      const cell = Number.parseFloat(stage.style.getPropertyValue('--cell'));
      const taken = new Set([...stage.querySelectorAll('.token')].map((one) => one.style.transform.match(/-?[\d.]+/g).map((px) => Math.round(px / cell)).join()));
      const box = stage.getBoundingClientRect();
      const [left, top] = stage.querySelector('.stage-world').style.transform.match(/-?[\d.]+/g).map(Number);
      const [columns, rows] = stage.dataset.size.split(',').map(Number);
      const turned = stage.classList.contains('turned');
      for (let y = 0; y < rows; y++)
        for (let x = 0; x < columns; x++)
          if (!marks.has(turned ? `${columns - 1 - x},${rows - 1 - y}` : `${x},${y}`) && !taken.has(`${x},${y}`))
            return { x: box.left + left + (x + 0.5) * cell, y: box.top + top + (y + 0.5) * cell };
      return null;
    });
    check(board !== null && now !== null, 'a cell where nothing is offered');
    // All announcements are noted: on a busy machine the next one may come before this one is looked for.
    await page.getByRole('status', { name: 'Announcements', exact: true }).evaluate((box) => {
      window.announced = [];
      new MutationObserver(() => window.announced.push(box.textContent)).observe(box, { childList: true, characterData: true, subtree: true });
    });
    await page.mouse.click(board.x, board.y);
    const text = await noted(page);
    check(text.length > 10 && text.endsWith('.'), `one sentence: ${text}`);
    await page.waitForFunction((sentence) => window.announced.includes(sentence), text);
  }),
  { short: true },
);

await test('a click on a friend chooses it; the step that it stops is chosen by its button, by key or by dragging', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde');
    /* The middle of a cell with a friend on it that a chosen unit may step to. */
    const friendOf = async (unit) => {
      await chooseUnit(page, unit, (x, y) => page.mouse.click(x, y));
      await page.waitForFunction(() => / ?\d+,\d+,stay/.test(document.querySelector('.board-host').dataset.marks));
      return markOf(page, 'stay');
    };
    const at = await page.locator('.token[data-unit="1"]').boundingBox();
    const number = () => page.locator('.match').getAttribute('data-number');
    const before = await number();
    let friend = await friendOf(1);
    await page.mouse.click(friend.x, friend.y);
    await page.waitForFunction(() => document.querySelector('.token.selected')?.dataset.unit !== '1');
    check((await number()) === before, 'a click on a friend does nothing but choose it');
    friend = await friendOf(1);
    await page.keyboard.press('1');
    await page.mouse.click(friend.x, friend.y);
    await page.waitForFunction((was) => document.querySelector('.match').dataset.number !== was, before);
    await page.locator('.board-host .stage').focus();
    await page.keyboard.press('Backspace');
    await page.waitForFunction(() => document.querySelector('.log').textContent.includes('took back'));
    friend = await friendOf(1);
    const again = await number();
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
    await page.mouse.down();
    await page.mouse.move(friend.x, friend.y, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((was) => document.querySelector('.match').dataset.number !== was, again);
  }),
);

/** The middles of the enemies of the first side, in the window. */
const enemiesOf = (page) =>
  page.locator('.token.seat-1').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((at) => ({ x: at.x + at.width / 2, y: at.y + at.height / 2 })));

/** Clicks one enemy after the other, until one can be hit after some steps; where it is. Of the others it is said that they cannot. */
async function findReachable(page) {
  for (const { x, y } of await enemiesOf(page)) {
    await page.mouse.click(x, y);
    const text = await noted(page);
    if (text.startsWith('Click again to walk')) return { x, y };
    check(text.startsWith('Out of reach'), `else it says that none can be hit: ${text}`);
    check((await page.locator('.walk-attack').count()) === 0, 'out of reach is only who can\'t be hit');
  }
  throw new Error('it is offered at no enemy');
}

await test('an enemy behind some steps: walk and attack is offered, and a second click does it', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde');
    await chooseUnit(page, 1, (x, y) => page.mouse.click(x, y));
    const acting = await page.locator('.unit-panel h2').innerText();
    const { at } = await reachOf(page);
    const { x, y } = await findReachable(page);
    await page.keyboard.press('Escape');
    await page.mouse.move(3, 3);
    await page.waitForSelector('.walk-attack', { state: 'detached' });
    await page.mouse.move(x, y);
    await page.waitForSelector('.walk-attack');
    await until(async () => (await reachOf(page)).way !== '', 'the way is shown');
    await page.mouse.click(x, y);
    const offer = await noted(page);
    check(/^Click again to walk and attack \(steps: \d\)\.$/.test(offer), `the note says: ${offer}`);
    await page.waitForFunction((name) => document.querySelector('.unit-panel h2').textContent !== name, acting);
    await pageTime(page, 500);
    await page.mouse.click(x, y);
    await page.waitForFunction(() => /loses \d+ health/.test(document.querySelector('.log').textContent));
    await until(() => page.locator('.stage-note').isHidden(), 'the note is gone when it is done');
    await pageTime(page, 500);
    check((await page.locator('.unit-panel h2').innerText()) === acting, 'while the pointer rests, who acted is shown');
    await page.keyboard.press('Backspace');
    await standsAt(page, '1', at);
  }),
  { short: true },
);

await test('a click before anything was pointed at: the offer comes, stays when the pointer leaves, and goes with Escape', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde');
    await chooseUnit(page, 1, (x, y) => page.mouse.click(x, y));
    const button = page.locator('.walk-attack');
    await findReachable(page);
    await page.mouse.move(3, 3);
    await pageTime(page, 400);
    check((await button.count()) === 1, 'the offer stays');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.walk-attack') === null);
    await findReachable(page);
    await button.click();
    await page.waitForFunction(() => /loses \d+ health/.test(document.querySelector('.log').textContent));
  }),
  { short: true },
);

await test('while a later phase of the turn may allow an attack, nobody is called out of reach', only, () =>
  withPerson(async (page) => {
    const { preset, haste } = games.find(({ game }) => game === 'battleground');
    await startMatch(page, server, 'battleground', { preset });
    let told = null;
    await playByMouse(page, {
      seed: 3, haste, seconds: 60,
      after: async () => {
        const [moves, you] = await page.evaluate(() =>
          [/,move\b/.test(document.querySelector('.board-host')?.dataset.marks ?? ''), document.querySelector('.match')?.dataset.you]);
        const enemy = page.locator(`.board-host .token.seat-${you === '0' ? 1 : 0}`).first();
        if (!moves || !(await reachOf(page))?.at || (await enemy.count()) === 0) return true;
        const box = await enemy.boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        told = await noted(page);
        return false;
      },
    });
    check(told === 'The selected unit can’t attack there in this phase. Your turn has more phases.', `it says: ${told}`);
  }),
  { short: true },
);

await test('danger: a key and a button show what the engine says, an enemy that is looked at shows its own, a key tells of a cell', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde');
    const threat = () => page.evaluate(() => (document.querySelector('.board-host').dataset.threat ?? '').split(' ').filter(Boolean));
    const shown = (some) => page.waitForFunction((any) => ((document.querySelector('.board-host').dataset.threat ?? '') !== '') === any, some);
    await page.waitForFunction(() => document.querySelectorAll('.token.seat-1').length > 0);
    check((await threat()).length === 0, 'nothing is shown at first');
    await page.keyboard.press('d');
    await shown(true);
    const all = await threat();
    const like = /^No cell is safe in the enemy’s next turn: up to (\d+) health anywhere, more on striped cells\.$/;
    await page.locator('.dock .hint').filter({ hasText: like }).waitFor();
    const legend = await page.locator('.dock .hint').innerText();
    const [, least] = like.exec(legend) ?? [];
    const numbers = all.map((cell) => Number(cell.split(',')[2]));
    check(Number(least) === Math.min(...numbers) && Math.max(...numbers) > Number(least), `the numbers have a legend: ${legend}, ${numbers}`);
    await until(async () => (await page.locator('.threat-toggle').getAttribute('aria-pressed')) === 'true', 'the button is pressed');
    await page.keyboard.press('d');
    await shown(false);
    await page.locator('.threat-toggle').click();
    await shown(true);
    await until(async () => (await threat()).join() === all.join(), 'the button shows the same');
    await page.locator('.threat-toggle').click();
    await shown(false);
    const box = await page.locator('.token[data-unit="4"]').boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await shown(true);
    const one = await threat();
    check(one.length > 0 && one.length < all.length && one.every((cell) => all.some((other) => other.split(',').slice(0, 2).join() === cell.split(',').slice(0, 2).join())), `one enemy threatens part of it: ${one.length} of ${all.length}`);
    await page.locator('.board-host .stage').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('z');
    await page.locator('.stage-note:not([hidden])', { hasText: /in the enemy’s next turn[;.]/ }).waitFor();
  }),
  { short: true },
);

await test('the legend of danger names only signs that are on the board', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'tablut', { mode: 'hot' });
    await page.waitForSelector('.token.seat-1');
    await page.keyboard.press('d');
    const [legend, signs] = await page.waitForFunction(() => {
      const shown = document.querySelector('.board-host').dataset.threat;
      const words = document.querySelector('.dock').textContent;
      return shown && /Striped|No cell/.test(words) && [words, shown];
    }).then((found) => found.jsonValue());
    check(/\?/.test(legend) === /\?/.test(signs), `the legend says ${legend}, on the board is ${signs}`);
  }),
);

await test('a unit that is pointed at shows its card, by pointer and by finger', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde');
    const named = (name) => page.locator('.unit-panel h2', { hasText: name }).waitFor();
    const middle = async (unit) => {
      const box = await page.locator(`.token[data-unit="${unit}"]`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    for (const [unit, name] of [[2, 'Goblin'], [0, 'Dwarf'], [5, 'Troll']]) {
      await page.waitForSelector(`.token[data-unit="${unit}"]`);
      await page.mouse.move(...(await middle(unit)));
      await named(name);
    }
    await until(async () => /health/.test(await page.locator('.unit-panel').innerText()), 'in words and figures');
    await page.mouse.move(2, 2);
    const [x, y] = await middle(4);
    const finger = (type) => page.evaluate(([kind, left, top]) =>
      document.querySelector('.board-host .stage').dispatchEvent(new PointerEvent(kind,
        { pointerType: 'touch', pointerId: 7, clientX: left, clientY: top, bubbles: true, isPrimary: true })), [type, x, y]);
    await finger('pointerdown');
    await named('Ork');
    await finger('pointerup');
    await pageTime(page, 400);
    await named('Ork');
  }),
);

await browser.close();
await server.close();
process.exit(summary());

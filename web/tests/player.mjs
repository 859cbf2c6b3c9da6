// player.mjs -- plays whole matches on the page as a person would, knowing no game: by mouse or by
// keyboard alone. It does what the page offers: attacks where something is marked red, else goes on, else ends the turn.
import { check, slow } from './server.mjs';

/** Opens a game's options, chooses mode and preset, and starts. */
export async function startMatch(
  page,
  server,
  game,
  { mode = 'hot', preset, seat, level } = {},
  until = '.match, .curtain',
) {
  await page.evaluate(
    ([how, strength, id]) => {
      localStorage.setItem('mashup.mode', JSON.stringify(how));
      localStorage.setItem('mashup.level', String(strength));
      localStorage.setItem(`mashup.lesson.${id}`, '1');
      localStorage.setItem('mashup.intro', 'false');
    },
    [mode, level ?? 1, game],
  );
  await page.goto(`${server.url}/#/game/${game}`);
  await page.reload();
  await page.waitForSelector('form fieldset.modes');
  if (preset) {
    await page.locator('details > summary').first().click();
    await page.locator('details select').first().selectOption(preset);
  }
  if (seat !== undefined) await page.locator('.fields select').last().selectOption(String(seat));
  await page.locator('form button[type=submit]').click();
  await page.waitForSelector(until);
  page.errors.length = 0;
}

/** What the page offers now. */
export function look(page) {
  return page.evaluate(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const host = document.querySelector('.board-host');
    const stage = host?.querySelector('.stage');
    const box = stage?.getBoundingClientRect();
    const cell = stage ? Number.parseFloat(stage.style.getPropertyValue('--cell')) : 0;
    const world = stage
      ?.querySelector('.stage-world')
      ?.style.transform.match(/-?[\d.]+/g)
      ?.map(Number) ?? [0, 0];
    const [columns = 0, rows = 0] = (stage?.dataset.size ?? '').split(',').map(Number);
    const turned = stage?.classList.contains('turned');
    const you = document.querySelector('.match')?.dataset.you ?? '';
    const enemies = all('.board-host .token')
      .filter((one) =>
        ['0', '1'].some((seat) => seat !== you && one.classList.contains(`seat-${seat}`)),
      )
      .map((one) => one.getBoundingClientRect())
      .filter((spot) => spot.width > 0)
      .map((spot) => ({ px: spot.left + spot.width / 2, py: spot.top + spot.height / 2 }));
    const marks = (host?.dataset.marks ?? '')
      .split(' ')
      .filter(Boolean)
      .map((text) => {
        const [x, y, kind] = text.split(',');
        return {
          x: +x,
          y: +y,
          kind,
          px: box.left + world[0] + ((turned ? columns - 1 - x : +x) + 0.5) * cell,
          py: box.top + world[1] + ((turned ? rows - 1 - y : +y) + 0.5) * cell,
        };
      });
    const cursor = stage?.querySelector('.stage-cursor');
    const button = (one) => ({
      text: one.textContent,
      kind:
        ['attack', 'use', 'place', 'move'].find((kind) => one.classList.contains(kind)) ?? 'other',
      word: one.dataset.action ?? '',
      bench: one.dataset.bench !== undefined,
      key: one.querySelector('kbd')?.textContent ?? '',
      disabled: one.disabled,
    });
    return {
      over: document.querySelector('dialog.wide') !== null,
      lines: all('.log li').length,
      curtain: document.querySelector('.curtain') !== null,
      dialog: document.querySelector('dialog[open]') !== null,
      cards: all('.offer:not(:disabled):not([aria-pressed=true])').length,
      go: all('.assemble-head .primary:not(:disabled)').length,
      usual: all('.assemble-head [data-action="usual team"]').length,
      placing: all('.hand [data-layout]').length,
      question:
        all('.choices [data-action]').length > 0 &&
        host !== null &&
        document.querySelector('.dock-row') === null,
      actions: all('.dock-row .action').map(button),
      ends: all('.end-turn').map(button),
      marks,
      enemies,
      cursor:
        cursor && !cursor.hidden
          ? { x: +cursor.dataset.cell.split(',')[0], y: +cursor.dataset.cell.split(',')[1] }
          : null,
      busy: document.querySelector('.action:disabled, .end-turn:disabled') !== null,
      number: document.querySelector('.match')?.dataset.number ?? '',
    };
  });
}

const pause = (page, ms) => page.waitForTimeout(ms);

/** Waits until something else is offered, at most a moment. */
async function settle(page, before) {
  await page
    .waitForFunction(
      ([number, curtain, question]) => {
        const now = document.querySelector('.match')?.dataset.number ?? '';
        return (
          now !== number ||
          (document.querySelector('.curtain') !== null) !== curtain ||
          document.querySelector('dialog.wide') !== null ||
          (document.querySelector('.dock') !== null &&
            document.querySelector('.dock-row') === null) !== question
        );
      },
      [before.number, before.curtain, before.question],
      { polling: 20, timeout: 300 * slow },
    )
    .catch(() => {});
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}

/* What to click: something to attack, else mostly what is nearest to an enemy. */
function best(now, random) {
  const attack = now.marks.filter((mark) => mark.kind === 'attack');
  if (attack.length > 0) return pick(attack, random);
  if (random() < 0.25 || now.enemies.length === 0) return pick(now.marks, random);
  const away = (mark) =>
    Math.min(...now.enemies.map((enemy) => Math.hypot(enemy.px - mark.px, enemy.py - mark.py)));
  return now.marks.reduce((near, mark) => (away(mark) < away(near) ? mark : near));
}

/** A driver's dice: the same every time. */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function assembleByMouse(page, now, random) {
  if (now.usual) return page.locator('.assemble-head [data-action="usual team"]').click();
  if (now.go) return page.locator('.assemble-head .primary:not(:disabled)').first().click();
  const cards = page.locator('.offer:not(:disabled):not([aria-pressed=true])');
  return cards.nth(Math.floor(random() * now.cards)).click();
}

/** Plays by mouse to the end, until the log has so many lines or `after`, called after everything done, says false; gives the
 * number of things done. `press`: a button is down for so many ms. */
export async function playByMouse(
  page,
  { seed = 1, limit = 6000, seconds = 900, haste = 0.3, lines = Infinity, press = 0, after } = {},
) {
  const random = dice(seed);
  const until = Date.now() + seconds * 1000 * slow;
  for (let done = 0; done < limit; done++) {
    check(Date.now() < until, `the match was not over after ${seconds} s and ${done} things done`);
    const now = await look(page);
    if (now.over || now.lines >= lines) return done;
    if (now.curtain) await page.locator('.curtain .button').click();
    else if (now.dialog) await page.locator('dialog[open] header .button').click();
    else if (now.cards || now.go) await assembleByMouse(page, now, random);
    else if (now.placing) {
      await page
        .locator('.hand [data-layout]')
        .nth(Math.floor(random() * now.placing))
        .click();
      await page.locator('.hand-end .primary').click();
      await page.waitForFunction(() => !document.querySelector('.hand [data-layout]'));
    } else if (now.question)
      await page
        .locator('.choices [data-action]')
        .first()
        .click({ timeout: 1000 * slow })
        .catch(() => {});
    else await actByMouse(page, now, random, haste, press);
    await settle(page, now);
    if (after && (await after()) === false) return done;
  }
  throw new Error('the match has no end');
}

async function actByMouse(page, now, random, haste, delay) {
  const attacks = now.marks.some((mark) => mark.kind === 'attack');
  const plain = now.actions.filter((action) => action.word !== '' && action.kind !== 'move');
  if (!attacks && plain.length > 0 && random() < 0.5 - haste / 2)
    return page
      .locator(`.dock-row [data-action="${pick(plain, random).word}"]`)
      .click({ timeout: 1000 * slow, delay })
      .catch(() => {});
  const benched = now.actions.filter((action) => action.bench);
  if (benched.length > 0 && !now.marks.some((mark) => mark.kind === 'place') && random() < 0.7)
    return page
      .locator('.dock-row [data-bench]')
      .nth(Math.floor(random() * benched.length))
      .click({ timeout: 1000 * slow, delay })
      .catch(() => {});
  const last = now.ends.length > 0 && !attacks && random() < haste;
  if (now.marks.length > 0 && !last) {
    const { px, py } = best(now, random);
    return page.mouse.click(px, py, { delay });
  }
  if (now.ends.length > 0)
    return page
      .locator('.end-turn')
      .first()
      .click({ timeout: 1000 * slow, delay })
      .catch(() => {});
  if (now.actions.length > 0) {
    const at = Math.floor(random() * now.actions.length);
    await page
      .locator('.dock-row .action')
      .nth(at)
      .click({ timeout: 1000 * slow, delay })
      .catch(() => {});
    const after = await look(page);
    if (after.marks.length > 0) {
      const mark = pick(after.marks, random);
      await page.mouse.click(mark.px, mark.py, { delay });
    }
    return undefined;
  }
  return pause(page, 40);
}

/** Goes with Tab to something that matches. */
export async function tabTo(page, selector, most = 120) {
  for (let presses = 0; presses < most; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector))
      return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard cannot reach ${selector}`);
}

async function assembleByKeys(page, now) {
  const selector = now.usual
    ? '.assemble-head [data-action="usual team"]'
    : now.go
      ? '.assemble-head .primary:not(:disabled)'
      : '.offer:not(:disabled):not([aria-pressed=true])';
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

/** Plays to the end with keys alone. */
export async function playByKeys(
  page,
  { seed = 1, limit = 6000, seconds = 900, haste = 0.3 } = {},
) {
  const random = dice(seed);
  const until = Date.now() + seconds * 1000 * slow;
  for (let done = 0; done < limit; done++) {
    check(Date.now() < until, `the match was not over after ${seconds} s and ${done} things done`);
    const now = await look(page);
    if (now.over) return done;
    if (now.curtain) await page.keyboard.press('Enter');
    else if (now.dialog) await page.keyboard.press('Escape');
    else if (now.cards || now.go) await assembleByKeys(page, now);
    else if (now.placing) {
      await tabTo(page, `.hand [data-layout]`);
      await page.keyboard.press('Enter');
      await tabTo(page, '.hand-end .primary:not(:disabled)');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => !document.querySelector('.hand [data-layout]'));
    } else if (now.question) await page.keyboard.press('1');
    else await actByKeys(page, now, random, haste);
    await settle(page, now);
  }
  throw new Error('the match has no end');
}

async function actByKeys(page, now, random, haste) {
  const attacks = now.marks.some((mark) => mark.kind === 'attack');
  const plain = now.actions.filter(
    (action) => action.word !== '' && action.kind !== 'move' && action.key !== '',
  );
  if (!attacks && plain.length > 0 && random() < 0.5 - haste / 2)
    return page.keyboard.press(pick(plain, random).key);
  const benched = now.actions.some((action) => action.bench);
  if (benched && !now.marks.some((mark) => mark.kind === 'place') && random() < 0.7) {
    for (let presses = Math.floor(random() * 5); presses >= 0; presses--)
      await page.keyboard.press('n');
    return undefined;
  }
  const last = now.ends.length > 0 && !attacks && random() < haste;
  if (now.marks.length > 0 && !last) {
    const goal = best(now, random);
    const rows = [...now.marks].sort((one, two) => one.y - two.y || one.x - two.x);
    const behind = rows.findIndex(
      (mark) => now.cursor && (mark.y - now.cursor.y || mark.x - now.cursor.x) > 0,
    );
    const next = Math.max(behind, 0);
    const presses = 1 + ((rows.indexOf(goal) - next + rows.length) % rows.length);
    for (let count = 0; count < presses; count++) await page.keyboard.press('j');
    return page.keyboard.press('Enter');
  }
  if (now.ends.length > 0) return page.keyboard.press(now.ends[0].key.toLowerCase());
  if (now.actions.length > 0) {
    await page.keyboard.press(String(1 + Math.floor(random() * Math.min(9, now.actions.length))));
    await page.keyboard.press('j');
    return page.keyboard.press('Enter');
  }
  return pause(page, 40);
}

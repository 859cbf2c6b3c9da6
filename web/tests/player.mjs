// player.mjs -- plays whole matches on the page as a person would, knowing no game: by mouse or by keyboard alone. It does what the
// page offers: attacks where something is marked red, else goes on, else ends the turn.
import { check } from './house.mjs';

/** Opens a game's options, chooses mode and preset, and starts. */
export async function startMatch(page, house, game, { mode = 'hot', preset, seat, level } = {}) {
  await page.evaluate(([how, strength, id]) => {
    localStorage.setItem('mashup.mode', JSON.stringify(how));
    localStorage.setItem('mashup.level', String(strength));
    localStorage.setItem(`mashup.lesson.${id}`, '1');
    localStorage.setItem('mashup.intro', 'false');
  }, [mode, level ?? 1, game]);
  await page.goto(`${house.url}/#/game/${game}`);
  await page.reload();
  await page.waitForSelector('form fieldset.modes');
  if (preset) {
    await page.locator('details > summary').first().click();
    await page.locator('details select').first().selectOption(preset);
  }
  if (seat !== undefined) await page.getByLabel(/seat|side/i).last().selectOption(String(seat));
  await page.locator('form button[type=submit]').click();
  await page.waitForSelector('.match, .curtain');
}

/** What the page offers now. */
function look(page) {
  return page.evaluate(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const host = document.querySelector('.board-host');
    const stage = host?.querySelector('.stage');
    const box = stage?.getBoundingClientRect();
    const cell = stage ? Number.parseFloat(stage.style.getPropertyValue('--cell')) : 0;
    const world = stage?.querySelector('.stage-world')?.style.transform.match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
    const marks = (host?.dataset.marks ?? '').split(' ').filter(Boolean).map((text) => {
      const [x, y, kind] = text.split(',');
      return { x: +x, y: +y, kind, px: box.left + world[0] + (+x + 0.5) * cell, py: box.top + world[1] + (+y + 0.5) * cell };
    });
    const button = (one) => ({ text: one.textContent, kind: ['attack', 'use', 'place', 'move'].find((kind) => one.classList.contains(kind)) ?? 'other',
      wish: one.dataset.wish ?? '', key: one.querySelector('kbd')?.textContent ?? '', disabled: one.disabled });
    return {
      over: document.querySelector('dialog.wide') !== null,
      curtain: document.querySelector('.curtain') !== null,
      dialog: document.querySelector('dialog[open]') !== null,
      cards: all('.offer:not(:disabled):not([aria-pressed=true])').length,
      go: all('.assemble-head .primary:not(:disabled)').length,
      usual: all('.assemble-head [data-wish="usual team"]').length,
      placing: all('.hand [data-layout]').length,
      question: all('.choices [data-wish]').length > 0 && host !== null && document.querySelector('.dock-row') === null,
      actions: all('.dock-row .action').map(button),
      ends: all('.end-turn').map(button),
      marks,
      busy: document.querySelector('.action:disabled, .end-turn:disabled') !== null,
      number: document.querySelector('.match')?.dataset.number ?? '',
    };
  });
}

const pause = (page, ms) => page.waitForTimeout(ms);

/** Waits until something else is offered, at most a moment. */
async function settle(page, before) {
  for (let tries = 0; tries < 12; tries++) {
    const now = await look(page);
    if (now.number !== before.number || now.curtain !== before.curtain || now.over || now.question !== before.question) return;
    await pause(page, 15);
  }
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}

/* Forward is towards the other side: down for those who begin above, up for the others. */
function best(marks, random, turn) {
  const attack = marks.filter((mark) => mark.kind === 'attack');
  if (attack.length > 0) return pick(attack, random);
  if (random() < 0.55 && marks.length > 1 && marks.every((mark) => mark.kind === 'move')) {
    const sorted = [...marks].sort((a, b) => (turn % 2 === 0 ? b.y - a.y : a.y - b.y));
    return sorted[0];
  }
  return pick(marks, random);
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
  if (now.usual) return page.locator('.assemble-head [data-wish="usual team"]').click();
  if (now.go) return page.locator('.assemble-head .primary:not(:disabled)').first().click();
  const cards = page.locator('.offer:not(:disabled):not([aria-pressed=true])');
  return cards.nth(Math.floor(random() * now.cards)).click();
}

/** Plays to the end by mouse; gives the number of things done. */
export async function playByMouse(page, { seed = 1, limit = 6000, seconds = 110 } = {}) {
  const random = dice(seed);
  const until = Date.now() + seconds * 1000;
  for (let done = 0; done < limit; done++) {
    check(Date.now() < until, `the match was not over after ${seconds} s and ${done} things done`);
    const now = await look(page);
    if (now.over) return done;
    if (now.curtain) await page.locator('.curtain .button').click();
    else if (now.dialog) await page.locator('dialog[open] header .button').click();
    else if (now.cards || now.go) await assembleByMouse(page, now, random);
    else if (now.placing) {
      await page.locator('.hand [data-layout]').nth(Math.floor(random() * now.placing)).click();
      await page.locator('.hand-end .primary').click();
      await page.waitForFunction(() => !document.querySelector('.hand [data-layout]'), null, { timeout: 30000 });
    } else if (now.question) await page.locator('.choices [data-wish]').first().click({ timeout: 1000 }).catch(() => {});
    else await actByMouse(page, now, random, done);
    await settle(page, now);
  }
  throw new Error('the match has no end');
}

async function actByMouse(page, now, random, done) {
  const attacks = now.marks.some((mark) => mark.kind === 'attack');
  const plain = now.actions.filter((action) => action.wish !== '' && action.kind !== 'move');
  if (!attacks && plain.length > 0 && random() < 0.5)
    return page.locator(`.dock-row [data-wish="${pick(plain, random).wish}"]`).click({ timeout: 1000 }).catch(() => {});
  const last = now.ends.length > 0 && !attacks && random() < 0.3;
  if (now.marks.length > 0 && !last) {
    const { px, py } = best(now.marks, random, Math.floor(done / 5));
    return page.mouse.click(px, py);
  }
  if (now.ends.length > 0) return page.locator('.end-turn').first().click({ timeout: 1000 }).catch(() => {});
  if (now.actions.length > 0) {
    const at = Math.floor(random() * now.actions.length);
    await page.locator('.dock-row .action').nth(at).click({ timeout: 1000 }).catch(() => {});
    const after = await look(page);
    if (after.marks.length > 0) {
      const mark = pick(after.marks, random);
      await page.mouse.click(mark.px, mark.py);
    }
    return undefined;
  }
  return pause(page, 40);
}

/** Goes with Tab to something that matches. */
export async function tabTo(page, selector, most = 120) {
  for (let presses = 0; presses < most; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard cannot reach ${selector}`);
}

async function assembleByKeys(page, now) {
  const selector = now.usual ? '.assemble-head [data-wish="usual team"]' : now.go ? '.assemble-head .primary:not(:disabled)'
    : '.offer:not(:disabled):not([aria-pressed=true])';
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

/** Plays to the end with keys alone. */
export async function playByKeys(page, { seed = 1, limit = 6000, seconds = 110 } = {}) {
  const random = dice(seed);
  const until = Date.now() + seconds * 1000;
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
      await page.waitForFunction(() => !document.querySelector('.hand [data-layout]'), null, { timeout: 30000 });
    } else if (now.question) await page.keyboard.press('1');
    else await actByKeys(page, now, random);
    await settle(page, now);
  }
  throw new Error('the match has no end');
}

async function actByKeys(page, now, random) {
  const attacks = now.marks.some((mark) => mark.kind === 'attack');
  const plain = now.actions.filter((action) => action.wish !== '' && action.kind !== 'move' && action.key !== '');
  if (!attacks && plain.length > 0 && random() < 0.5) return page.keyboard.press(pick(plain, random).key);
  const last = now.ends.length > 0 && !attacks && random() < 0.3;
  if (now.marks.length > 0 && !last) {
    if (now.marks.every((mark) => mark.kind === 'other')) {
      for (let presses = Math.floor(random() * 4); presses >= 0; presses--) await page.keyboard.press('n');
      return undefined;
    }
    const armed = attacks ? now.actions.find((action) => action.kind === 'attack' && action.wish === '' && action.key !== '') : undefined;
    if (armed) await page.keyboard.press(armed.key);
    for (let presses = Math.floor(random() * 4); presses >= 0; presses--) await page.keyboard.press('m');
    return page.keyboard.press('Enter');
  }
  if (now.ends.length > 0) return page.keyboard.press(now.ends[0].key.toLowerCase());
  if (now.actions.length > 0) {
    await page.keyboard.press(String(1 + Math.floor(random() * Math.min(9, now.actions.length))));
    await page.keyboard.press('m');
    return page.keyboard.press('Enter');
  }
  return pause(page, 40);
}

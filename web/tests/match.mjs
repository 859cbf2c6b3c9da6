// match.mjs -- the match screen in Chromium against the real server: whole matches of each game by
// mouse and by keyboard alone, curtain, hotkeys, commands, tips, replay, watching, phone, accessibility.
// Usage: node web/tests/match.mjs [part of a test's name]
import { readFileSync } from 'node:fs';
import { readGames } from '../games.mjs';
import { TestServer, check, drawn, newPerson, openBrowser, pageTime, summary, test, until, withPerson as asPerson } from './server.mjs';
import { axe as flaws, waitForTurn } from './steps.mjs';
import { look, playByKeys, playByMouse, startMatch } from './player.mjs';

const only = process.argv[2];
/** Each game with the preset and the haste by which its matches are soon over. */
const games = readGames().map(({ id, page }) => ({ game: id, ...page.tests }));
const server = await new TestServer().open();
const browser = await openBrowser();

/** axe-core finds nothing on the page as it is. */
async function axe(page, where) {
  const found = await flaws(page, { best: false });
  check(found.length === 0, `${where}: ${found.join('\n')}`);
}

/** Takes the card that the computer suggests, if one is to be chosen now. */
async function takeSuggested(page) {
  await page.waitForSelector('[data-suggest]:not(:disabled), .board-host', { timeout: 5000 }).catch(() => {});
  const suggest = page.getByRole('button', { name: 'Suggest one' });
  if (!(await suggest.count())) return;
  const number = await page.locator('.match').getAttribute('data-number');
  await suggest.click({ timeout: 1500 }).catch(() => {});
  await page.locator('.assemble-head .button.primary:not(:disabled)').click({ timeout: 1500 }).catch(() => {});
  await page.waitForFunction((before) => document.querySelector('.match')?.dataset.number !== before, number, { timeout: 5000 }).catch(() => {});
}

/** Waits for something that comes after the curtain, or without one. */
async function liftCurtain(page, behind) {
  await page.waitForSelector(`.curtain .button, ${behind}`);
  if (await page.locator('.curtain').count()) await page.locator('.curtain .button').click();
  await page.waitForSelector(behind);
}

/** Runs with a page of its own, on which nothing may go wrong. */
const withPerson = (run, options) => asPerson(browser, server, run, options);

/** Why a match ends, as each game and the page (web/src/match/flow/end.tsx) say it: whole sentences. */
const reasons = readGames()
  .flatMap(({ id }) => Object.values(JSON.parse(readFileSync(`games/${id}/content/english.texts.json`, 'utf8')).names.reason))
  .map((reason) => `${reason[0].toUpperCase()}${reason.slice(1)}.`)
  .concat([' resigned.', 'ran out of time.']);

/** The end: a winner or a draw in words, and figures if anything was done. */
async function checkEnd(page, figures = true) {
  const text = () => page.locator('dialog.wide').innerText();
  await until(async () => /won|lost|draw/i.test(await text()), async () => `the end says nothing of a winner: ${await text()}`);
  await until(async () => { const said = await text(); return reasons.some((reason) => said.includes(reason)); }, async () => `the end says how it ended: ${await text()}`);
  await until(async () => !figures || (await page.locator('dialog.wide table').count()) > 0, 'the end has figures');
}

for (const { game, preset, haste } of games) {
  await test(
    `whole match by mouse: ${game}`,
    only,
    () =>
      withPerson(async (page) => {
        await startMatch(page, server, game, { preset });
        console.log(
          `        ${await playByMouse(page, { seed: 7, haste })} things done`,
        );
        await checkEnd(page);
      }),
    { short: game === 'zorde' },
  );
  await test(`whole match by keyboard: ${game}`, only, () =>
    withPerson(async (page) => {
      await startMatch(page, server, game, { preset });
      await playByKeys(page, { seed: 11, haste });
      await checkEnd(page);
    }),
  );
}

await test('against the computer, then a rematch', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde', { mode: 'ai', preset: 'duel' });
    await playByMouse(page, { seed: 3 });
    await checkEnd(page);
    await page.getByRole('button', { name: 'Rematch' }).click();
    await page.waitForSelector('dialog.wide', { state: 'detached' });
    await page.waitForSelector('.match .board-host');
    await page.locator('.dock', { hasText: /Step|Choose|Watch/ }).waitFor();
  }),
);

/** An engine that answers late, so that what must not depend on its speed is seen to depend on it. */
const slowEngine = (page, ms) =>
  page.addInitScript((wait) => {
    const post = Worker.prototype.postMessage;
    const last = new WeakMap();
    Worker.prototype.postMessage = function (...message) {
      const before = last.get(this) ?? Promise.resolve();
      const late = before.then(() => new Promise((done) => setTimeout(done, wait)));
      last.set(this, late.then(() => post.apply(this, message)));
    };
  }, ms);

/** Chooses the first six cards faster than any hand; their names. */
const chooseSix = async (page) => {
  await page.waitForSelector('.offer:not(:disabled)');
  return page.evaluate(async () => {
    const names = [];
    for (let card = 0; card < 6; card++) {
      const offer = document.querySelectorAll('.offer')[card];
      names.push(offer.querySelector('.offer-name').textContent);
      offer.click();
      await new Promise((done) => setTimeout(done, 30));
    }
    document.querySelector('.assemble-head .primary').click();
    return names;
  });
};

/** The lines of the log about what was chosen. */
const choices = async (page) => {
  await page.waitForSelector('.talk .log li');
  await page.waitForFunction(() => /joins/.test(document.querySelector('.talk .log').textContent));
  const lines = await page.locator('.talk .log li').allInnerTexts();
  return lines.map((line) => /^Team \d chooses (.*)\.$/.exec(line)?.[1]).filter(Boolean);
};

await test('both choose at once: every choice stands in the log once, in order', only, () =>
  withPerson(async (page) => {
    await slowEngine(page, 40);
    for (let match = 0; match < 4; match++) {
      await startMatch(page, server, 'marvelous-mashup', { mode: 'ai', preset: 'quick' });
      const names = await chooseSix(page);
      const told = await choices(page);
      check(told.join() === names.join(), `chosen ${names}, but the log says ${told}`);
    }
  }),
);

await test('online: six choices at once are all made, however slow the page is', only, () =>
  withPerson(async (page) => {
    await slowEngine(page, 40);
    await startMatch(page, server, 'marvelous-mashup', { mode: 'invite', preset: 'quick' }, '.qr');
    const code = /#\/(?:join|table)\/(.*)$/.exec(await page.locator('input.link').inputValue())[1];
    await withPerson(async (guest) => {
      await guest.goto(`${server.url}/#/join/${code}`);
      await guest.evaluate(() => localStorage.setItem('mashup.lesson.marvelous-mashup', '1'));
      await guest.getByRole('button', { name: 'Join match' }).click();
      const theirs = await chooseSix(guest);
      const names = await chooseSix(page);
      const told = [await choices(page), await choices(guest)];
      check(told[0].join() === names.join(), `chosen ${names}, but the log says ${told[0]}`);
      check(told[1].join() === theirs.join(), `chosen ${theirs}, but the log says ${told[1]}`);
    }, { name: 'Bob' });
  }),
);

await test('hot-seat: the curtain hides ranks', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'generals');
    await page.waitForSelector('.curtain');
    check(
      (await page.locator('.stage, .match').count()) === 0,
      'nothing of the match is behind the curtain',
    );
    await page.keyboard.press('Enter');
    await page.waitForSelector('.hand');
    await page.locator('[data-layout=patient]').click();
    await page.locator('.hand-end .primary').click();
    await page.waitForSelector('.curtain');
    await axe(page, 'curtain');
    await page.keyboard.press('Enter');
    await page.locator('[data-layout=fortress]').click();
    await page.locator('.hand-end .primary').click();
    await page.locator('.curtain .button').click();
    for (let turn = 0; turn < 3; turn++) {
      await page.waitForSelector('.board-host');
      await until(async () => (await page.locator('.side .unit-tile').count()) === 42, 'both armies are in the rosters');
      await page.keyboard.press('n');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.locator('.curtain .button').click();
    }
    await until(async () => Number(await page.locator('.board-host').getAttribute('data-trail')) > 0, 'behind the curtain the last move of the other side is shown');
    await page.locator('.log').getByText(/moves from/).first().waitFor();
    const log = await page.locator('.log').innerText();
    check(!/\((h|v)\d+\)/.test(log), `the log that both read tells no ranks: ${log}`);
  }),
);

await test('behind the curtain the move of the other side is played', only, () =>
  withPerson(
    async (page) => {
      await startMatch(page, server, 'generals');
      for (const layout of ['patient', 'fortress']) {
        await page.locator('.curtain .button').click();
        await page.locator(`[data-layout=${layout}]`).click();
        await page.locator('.hand-end .primary').click();
      }
      await page.locator('.curtain .button').click();
      await page.waitForSelector('.board-host');
      /* Every picture of the pieces, before and after the curtain. */
      await page.evaluate(() => {
        const looks = (globalThis.looks = [new Set(), new Set()]);
        let half = 0;
        const watch = () => {
          if (document.querySelector('.curtain')) half = 1;
          const tokens = [...document.querySelectorAll('.board-host .token')];
          if (tokens.length > 0) looks[half].add(tokens.map((one) => one.style.transform).join());
          requestAnimationFrame(watch);
        };
        watch();
      });
      for (const key of ['n', 'j', 'Enter']) await page.keyboard.press(key);
      await page.locator('.curtain .button').click();
      await page.waitForFunction(
        () => Number(document.querySelector('.board-host')?.dataset.trail) > 0,
      );
      const [own, other] = await page.evaluate(() => globalThis.looks.map((half) => half.size));
      check(own > 1, `who moves sees it happen: ${own} pictures`);
      check(other > 1, `so does the other side behind the curtain: ${other} pictures`);
    },
    { reducedMotion: 'no-preference' },
  ),
);

await test('the language is changed in the middle of a match', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde', { preset: 'duel' });
    await page.waitForSelector('.board-host');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Tastenkürzel' }).waitFor();
    await page.keyboard.press('Escape');
    for (const [where, words] of [
      ['.turn-words', /am Zug|ist dran/],
      ['.dock', /Wähle eine Einheit/],
    ])
      await until(async () => words.test(await page.locator(where).first().innerText()), `${where} speaks German at once`);
    await until(async () => /Spielfeld/.test(await page.getByRole('grid').getAttribute('aria-label')), 'so does the board');
    for (const key of ['n', 'j', 'Enter']) await page.keyboard.press(key);
    await page.locator('.log li.move').first().waitFor();
    for (const [where, words, strange] of [
      ['.log', /zieht von \d,\d nach \d,\d/, /goes|Human/],
      ['.filters', /Bewegungen/, /Moves/],
      ['.sides', /Mensch[^]*Angriff 30/, /attack|Human/],
      ['.dock', /Schritt/, /Step/],
      ['.match-turn', /Befehl zu Ende führen|Einheit wählen/, /choose|order/],
    ]) {
      await page.waitForFunction(
        ([place, text]) => new RegExp(text).test(document.querySelector(place).innerText),
        [where, words.source],
      );
      await until(async () => !strange.test(await page.locator(where).innerText()), `${where}: the engine's words are German, too`);
    }
    await page.reload();
    await page.getByRole('button', { name: 'Menü' }).click();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).waitFor();
  }),
);

await test('placing by drag, click and swap', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'generals', { mode: 'ai', seat: 0 });
    await page.waitForSelector('.hand [data-piece]');
    const box = await page.locator('.placement-board .stage').boundingBox();
    const at = async (x, y) =>
      page
        .evaluate(
          ([column, row]) => {
            const stage = document.querySelector('.placement-board .stage');
            const cell = Number.parseFloat(stage.style.getPropertyValue('--cell'));
            const [left, top] = stage
              .querySelector('.stage-world')
              .style.transform.match(/-?[\d.]+/g)
              .map(Number);
            const [columns, rows] = stage.dataset.size.split(',').map(Number);
            const turned = stage.classList.contains('turned');
            const across = turned ? columns - 1 - column : column;
            const down = turned ? rows - 1 - row : row;
            return { x: left + (across + 0.5) * cell, y: top + (down + 0.5) * cell };
          },
          [x, y],
        )
        .then((point) => ({ x: box.x + point.x, y: box.y + point.y }));
    await page.locator('[data-piece=thor]').hover();
    for (const [where, words] of [
      ['[data-piece=thor]', /power 12/],
      ['.piece-about', /Thor.*Power 12.*second step/],
    ])
      await page.locator(where).filter({ hasText: words }).waitFor();
    const left = () => page.locator('[data-piece=thor] .badge').innerText();
    const piece = await page.locator('[data-piece=thor]').boundingBox();
    const goal = await at(2, 1);
    await page.mouse.move(piece.x + 20, piece.y + 20);
    await page.mouse.down();
    await page.mouse.move(piece.x + 60, piece.y + 60, { steps: 3 });
    await page.mouse.move(goal.x, goal.y, { steps: 6 });
    await page.mouse.up();
    await until(async () => (await left()) === '0', 'dragged onto the board');
    await page.locator('[data-piece=hulk]').click();
    const other = await at(3, 1);
    await page.mouse.click(other.x, other.y);
    await until(async () => (await page.locator('[data-piece=hulk] .badge').innerText()) === '0', 'clicked onto the board');
    const outside = await at(4, 4);
    await page.locator('[data-piece=wanda]').click();
    await page.mouse.click(outside.x, outside.y);
    check(
      (await page.locator('[data-piece=wanda] .badge').innerText()) === '1',
      'outside the zone nothing is placed',
    );
    await page.getByRole('button', { name: 'Random' }).click();
    await until(() => page.locator('.hand-end .primary').isEnabled(), 'all is placed');
    await axe(page, 'placement');
  }),
);

await test('hotkeys can be changed and stay changed', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'zorde', { preset: 'duel' });
    await page.waitForSelector('.board-host');
    await page.getByRole('button', { name: 'Menu' }).click();
    await axe(page, 'menu');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    /* A click and a key at once: no moment may be lost between them. */
    await page.evaluate(async () => {
      document.querySelector('[data-key=chat]').click();
      await null;
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true }));
    });
    await until(async () => (await page.locator('[data-key=chat]').innerText()).trim() === 'K', 'the key that follows at once is the one that is meant');
    await page.locator('[data-key=command]').click();
    await axe(page, 'waiting for a key');
    await page.keyboard.press('x');
    await until(async () => (await page.locator('[data-key=command]').innerText()).trim() === 'X', 'the new key is shown');
    await axe(page, 'keys');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.waitForSelector('.board-host');
    await page.keyboard.press('x');
    await until(() => page.evaluate(() => document.activeElement?.id === 'command-line'), 'the new key works after a reload');
  }),
);

await test(
  'typed commands and tips',
  only,
  () =>
    withPerson(async (page) => {
      await startMatch(page, server, 'zorde', { preset: 'duel' });
      await page.waitForSelector('.board-host');
      const moves = () => page.locator('.log li.move').count();
      await page.locator('#command-line').fill('fly to the moon');
      await page.keyboard.press('Enter');
      await page.locator('.command').getByText(/No action matches/).waitFor();
      await page.waitForFunction(() => document.querySelector('.board-host').dataset.marks);
      const word = await page.evaluate(() =>
        document.querySelector('.board-host').dataset.marks.split(' ')[0].split(','),
      );
      await page.locator('#command-line').fill('step h0 ');
      await page.waitForSelector('.command-more .chip');
      await page.locator('#command-line').fill(`step h0 ${word[0]} ${word[1]}`);
      const before = await moves();
      await page.keyboard.press('Enter');
      await page.waitForFunction(
        (count) => document.querySelectorAll('.log li.move').length > count,
        before,
      );
      await page.locator('body').click({ position: { x: 700, y: 20 } });
      await page.keyboard.press('g');
      await page.getByRole('button', { name: 'Play it' }).click();
      await until(async () => /Human/.test(await page.locator('.log').innerText()) &&
          !/\bh0\b/i.test(await page.locator('.log').innerText()), 'the log calls units by their names for people');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByLabel('Tips on').uncheck();
      await page.keyboard.press('Escape');
      await until(async () => (await page.getByRole('button', { name: 'Tip' }).count()) === 0, 'tips are off for this match');
    }),
  { short: true },
);

/** On the page: notes how often what may come was answered, and holds back what the engine says of a step while `held` is a list. */
function holdSteps() {
  const asked = new WeakMap();
  Object.assign(globalThis, { held: null, foreseen: 0 });
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...more) {
    if (!asked.has(this)) asked.set(this, new Map());
    if (message?.call) asked.get(this).set(message.id, message.call);
    return postMessage.call(this, message, ...more);
  };
  const { get, set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  Object.defineProperty(Worker.prototype, 'onmessage', { get, set(listen) {
    set.call(this, (event) => {
      const call = asked.get(this)?.get(event.data.id);
      if (call === 'foresee') globalThis.foreseen++;
      if (call === 'step' && globalThis.held) globalThis.held.push(() => listen(event));
      else listen(event);
    });
  } });
}

/** Notes which position is told when a unit is lifted, and when one first moves: as soon as what runs then has ended. */
function noteFirst() {
  const first = (globalThis.first = {});
  const soon = new MessageChannel();
  soon.port1.onmessage = ({ data }) => { for (const what of data) first[what] ??= document.querySelector('.match').dataset.number; };
  new MutationObserver((changes) => {
    const tokens = changes.filter(({ target }) => target.classList.contains('token'));
    const lifted = tokens.some(({ target }) => target.classList.contains('acting'));
    const moved = tokens.some(({ attributeName }) => attributeName === 'style');
    soon.port2.postMessage([...(lifted ? ['lifted'] : []), ...(moved ? ['moved'] : [])]);
  }).observe(document.querySelector('.board-host'), { subtree: true, attributes: true, attributeFilter: ['class', 'style'] });
}

await test('what one does against the computer is shown before the engine has done it', only, () =>
  withPerson(async (page) => {
    await page.context().addInitScript(holdSteps);
    await startMatch(page, server, 'tablut', { mode: 'ai', seat: 0 });
    const marked = (kind) => page.waitForFunction((name) => document.querySelector('.board-host')?.dataset.marks.includes(name), kind);
    const number = () => page.locator('.match').getAttribute('data-number');
    await page.waitForSelector('.turn-words.mine');
    await marked('other');
    const [piece] = (await look(page)).marks;
    await page.mouse.click(piece.px, piece.py);
    await marked('move');
    const goal = (await look(page)).marks.find(({ kind }) => kind === 'move');
    const [before, lines] = [await number(), await page.locator('.log li').count()];
    await page.mouse.move(goal.px, goal.py);
    await page.waitForFunction(() => globalThis.foreseen > 0);
    await page.evaluate(() => { globalThis.held = []; });
    await page.evaluate(noteFirst);
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForFunction((n) => document.querySelector('.match').dataset.number !== n, before);
    const first = await page.evaluate(() => globalThis.first);
    check(first.lifted === before && first.moved === before, `the board does not come first: ${JSON.stringify(first)}, ${before} before`);
    await until(async () => (await page.locator('.token.acting').count()) === 0, 'the piece is put down');
    await page.waitForFunction(() => globalThis.held.length === 1);
    await until(async () => (await page.locator('.log li').count()) > lines, 'it is told');
    const told = await page.locator('.log li').allTextContents();
    await until(async () => (await page.locator('.turn-words.mine').count()) === 0, 'the turn has gone over');
    await page.evaluate(() => { globalThis.held.forEach((tell) => tell()); globalThis.held = null; });
    await page.waitForSelector('.turn-words.mine');
    await until(async () => (await page.locator('.log li').count()) > told.length, 'the answer is told');
    const after = await page.locator('.log li').allTextContents();
    check(told.every((line, at) => line === after[at]), `nothing is told twice: ${after.join(' | ')}`);
    await until(async () => Number(await number()) === Number(before) + 2, 'both have acted once');
  }),
  { short: true },
);

await test('the search for a tip can be stopped', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'ultimate-war', { mode: 'ai' });
    const ask = page.locator('.ask-tip');
    for (let count = 0; count < 60 && !(await page.locator('.board-host').count()); count++) await takeSuggested(page);
    await ask.waitFor();
    const thought = await page.evaluate(async () => {
      const button = document.querySelector('.ask-tip');
      button.click();
      await null;
      const thinking = button.classList.contains('thinking');
      button.click();
      return thinking;
    });
    check(thought, 'the button tells that it thinks');
    await page.waitForSelector('.ask-tip:not(.thinking)');
    await pageTime(page, 300);
    check((await page.locator('.tip').count()) === 0, 'no tip comes after that');
    await ask.click();
    await page.waitForSelector('.notice.tip');
  }),
);

await test('the default team is shown before it is taken, with cards of all it has', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'battleground', { mode: 'ai', preset: 'small', seat: 0 });
    const chosen = page.locator('.offer[aria-pressed=true]');
    const usual = page.locator('[data-action="usual team"]');
    await page.locator('.offer', { hasText: 'Restores up to 5 health' }).waitFor();
    await until(() => page.locator('.offer', { hasText: 'Restores' }).isDisabled(), 'potions are to be read before they can be taken');
    await usual.focus();
    await page.keyboard.press('Enter');
    await page.locator('.assemble-head .primary:focus').waitFor();
    await until(async () => (await chosen.count()) === 10 && (await page.locator('.team').first().locator('.team-one').count()) === 10, 'the whole team is shown');
    await page.getByRole('button', { name: 'Choose cards myself' }).click();
    await until(async () => (await chosen.count()) === 0 && (await usual.count()) === 1, 'and it can be left alone');
    await until(async () => (await page.locator('.team').first().innerText()).includes('warriors 0/5 · potions 0/5'), 'nothing was taken');
    await usual.click();
    await page.getByRole('button', { name: 'Play with this team' }).click();
    await page.locator('.dock-row [data-bench]').nth(4).waitFor();
  }),
  { short: true },
);

await test('resigning asks first; the replay scrubs and plays on', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'battleground', { preset: 'small' });
    for (let side = 0; side < 2; side++) {
      await liftCurtain(page, '[data-action="usual team"]');
      await page.locator('[data-action="usual team"]').click();
      await page.locator('.assemble-head .primary').click();
      await page.waitForSelector('[data-action="usual team"], .assemble-head .primary', { state: 'detached' });
    }
    await liftCurtain(page, '.board-host');
    await page.locator('.unit-card.able').first().click();
    const number = await page.locator('.match').getAttribute('data-number');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForFunction((before) => document.querySelector('.match')?.dataset.number !== before, number);
    await liftCurtain(page, '.board-host');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Keep playing' }).click();
    check((await page.locator('dialog.wide').count()) === 0, 'changed my mind');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.waitForSelector('dialog.wide');
    await checkEnd(page, false);
    await axe(page, 'end');
    await page.getByRole('button', { name: 'Watch the replay' }).click();
    await page.waitForSelector('.replay input[type=range]');
    const bar = page.locator('.replay input[type=range]');
    const most = Number(await bar.getAttribute('max'));
    check(most >= 3, 'the replay has all actions');
    await bar.focus();
    await page.keyboard.press('Home');
    await page.waitForFunction(() =>
      document.querySelector('.replay .number').textContent.startsWith('0/'),
    );
    await page.getByRole('button', { name: 'Next action' }).click();
    await page.waitForFunction(() =>
      document.querySelector('.replay .number').textContent.startsWith('1/'),
    );
    await page.getByRole('button', { name: 'Go to end' }).click();
    await page.waitForFunction(
      (last) => document.querySelector('.replay .number').textContent.startsWith(`${last}/`),
      most,
    );
    await axe(page, 'replay');
    await page.getByRole('button', { name: 'Previous action' }).click();
    await page.getByRole('button', { name: 'Play on from here' }).click();
    await page.locator('dialog[open] .row .button').first().click();
    await page.waitForSelector('.match .dock');
  }),
);

await test('everything about anyone: the panel of own and enemy units', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'ultimate-war', { mode: 'ai' });
    for (let count = 0; count < 60 && !(await page.locator('.board-host').count()); count++) await takeSuggested(page);
    await page.waitForSelector('.side.seat-1 .unit-card');
    for (const side of ['.side.seat-0', '.side.seat-1']) {
      await page.locator(`${side} .unit-card`).first().click();
      const panel = () => page.locator('.unit-panel').innerText();
      for (const word of ['mana', 'points', 'damage', 'range', 'Abilities'])
        await until(async () => (await panel()).includes(word), async () => `${side}: ${word} in ${await panel()}`);
    }
    await axe(page, 'match');
  }),
);

await test(
  'two people: chat, pause, a draw, a watcher who sees everything about anyone',
  only,
  () =>
    withPerson(async (ann) => {
      const bob = await newPerson(browser, server, { name: 'Bob' });
      const eve = await newPerson(browser, server, { name: 'Eve' });
      try {
        await startMatch(ann, server, 'zorde', { mode: 'quick' }, '.searching');
        await startMatch(bob, server, 'zorde', { mode: 'quick' });
        await ann.waitForSelector('.match .board-host');
        await ann.getByRole('tab', { name: /Chat/ }).click();
        await ann.locator('#chat-line').fill('Good luck!');
        await ann.keyboard.press('Enter');
        await bob.keyboard.press('c');
        await bob.locator('li', { hasText: 'Good luck!' }).waitFor();
        await bob.getByRole('button', { name: 'Menu' }).click();
        await bob.getByRole('button', { name: 'Pause' }).click();
        await ann.locator('.notices').getByText('Bob paused the match. All clocks are stopped.').waitFor();
        await until(async () => (await ann.locator('.dock-row .action, .end-turn').count()) === 0, 'nothing can be done in a pause');
        await ann.locator('.notices').getByRole('button', { name: 'Continue' }).click();
        await bob.getByText('All clocks are stopped.').waitFor({ state: 'detached' });
        await eve.goto(ann.url());
        await eve.waitForSelector('.match .unit-card');
        await eve.locator('.side.seat-1 .unit-card').first().click();
        await until(async () => /attack/.test(await eve.locator('.unit-panel').innerText()), 'a watcher sees figures');
        await until(async () => (await eve.locator('.dock-row .action').count()) === 0, 'a watcher can do nothing');
        await axe(eve, 'watching');
        const [actor, other] = (await waitForTurn(ann, bob)) === ann ? [ann, bob] : [bob, ann];
        await other.getByRole('button', { name: 'Menu' }).click();
        await until(() => other.getByRole('button', { name: 'Offer a draw (only on your turn)' }).isDisabled(), 'a draw cannot be offered on the opponent’s turn, and the menu says so');
        await other.keyboard.press('Escape');
        await actor.getByRole('button', { name: 'Menu' }).click();
        await actor.getByRole('button', { name: 'Offer a draw' }).click();
        await other.getByRole('button', { name: 'Accept' }).click();
        for (const page of [ann, bob, eve]) {
          await page.waitForSelector('dialog.wide');
          await until(async () => /Draw/.test(await page.locator('dialog.wide').innerText()), 'drawn for everybody');
        }
        await ann.getByRole('button', { name: 'Rematch' }).click();
        await bob.getByText('Ann wants a rematch.').waitFor();
        await bob.getByRole('button', { name: 'Rematch' }).click();
        for (const page of [ann, bob])
          await page.waitForSelector('dialog.wide', { state: 'detached' });
        check(
          [...bob.errors, ...eve.errors].length === 0,
          `errors: ${[...bob.errors, ...eve.errors].join('; ')}`,
        );
      } finally {
        await bob.context().close();
        await eve.context().close();
      }
    }),
);

await test('Ultimate War: types, abilities and conditions are told, in both languages', only, () =>
  withPerson(async (page) => {
    await startMatch(page, server, 'ultimate-war', { mode: 'hot' });
    const cap = page.locator('.offer', { hasText: 'Captain America' });
    await page.waitForFunction(() => document.querySelectorAll('.offer .described').length === 45);
    await until(async () => /hero/.test(await cap.locator('.trait').innerText()), 'the type stands on the card');
    const words = await cap.innerText();
    check(
      /Deals 150 damage to every enemy and cover in a straight line of 4 cells\. Costs 2 action points and 140 mana; cooldown 2 turns\./.test(words),
      `the ability is described: ${words}`,
    );
    const types = await page.locator('.types').innerText();
    check(
      /Hero: attacks deal 50% more/.test(types) && /Villain:/.test(types) && /less than 30%/.test(types) && /Anti-hero:/.test(types),
      `all types are explained: ${types}`,
    );
    for (let pick = 0; pick < 6; pick++) {
      await page.locator('.offer').nth(0).click();
      const primary = page.locator('.assemble-head .primary:not(:disabled)');
      await primary.click();
      await page.waitForFunction(
        (left) => document.querySelectorAll('.offer').length === left || /leader/i.test(document.querySelector('h1').textContent),
        14 - pick,
      );
    }
    for (let leader = 0; leader < 2; leader++) {
      await page.waitForFunction(() => document.querySelectorAll('.offer > .described').length === 3);
      await until(async () => /once per match, free of cost/.test(await page.locator('.offer').nth(0).innerText()), "the leader's command is told");
      const number = await page.locator('.match').getAttribute('data-number');
      await page.locator('.offer').nth(0).click();
      await page.locator('.assemble-head .primary:not(:disabled)').click();
      await page.waitForFunction((before) => document.querySelector('.match').dataset.number !== before, number);
    }
    await page.waitForSelector('.unit-panel [data-trait=condition]');
    await until(async () => (await page.locator('.unit-panel [data-trait=condition] dd').innerText()) === 'active', 'the condition is a value');
    await until(async () => (await page.locator('.unit-panel .powers .described').count()) === 3, 'the panel describes the abilities');
    const cover = await page.evaluate(() => {
      const stage = document.querySelector('.board-host .stage');
      const box = stage.getBoundingClientRect();
      const cell = Number.parseFloat(stage.style.getPropertyValue('--cell'));
      const [left, top] = stage.querySelector('.stage-world').style.transform.match(/-?[\d.]+/g).map(Number);
      return { x: box.left + left + cell / 2, y: box.top + top + cell / 2, cell };
    });
    const titles = [];
    for (let y = 1; y < 4; y++)
      for (let x = 0; x < 5; x++) {
        await page.mouse.move(cover.x + x * cover.cell, cover.y + y * cover.cell);
        await drawn(page);
        titles.push(await page.locator('.board-host .stage').getAttribute('title'));
      }
    check(titles.filter((title) => /cover, \d+ health/.test(title)).length === 5, `hovering tells the health of covers: ${titles.filter(Boolean)}`);
    await page.evaluate(() => localStorage.setItem('mashup.language', 'de'));
    await page.reload();
    await page.waitForSelector('.unit-panel .powers .described');
    await page.waitForFunction(() => /Kostet \d Aktionspunkt/.test(document.querySelector('.unit-panel').textContent));
    await page.waitForFunction(() => /aktiv/.test(document.querySelector('.unit-panel [data-trait=condition]').textContent));
    await page.goto(`${server.url}/#/rules/ultimate-war`);
    await page.waitForFunction(() => document.querySelectorAll('.kind-power').length === 45);
    await page.waitForFunction(() => /Belegt alle Gegner/.test(document.querySelector('.kinds').textContent));
    await until(async () => (await page.locator('.kinds .trait').count()) === 15, 'the rules page has the types');
  }),
);

await test('who only looks and thinks is not counted as gone', only, () =>
  withPerson(async (ann) => {
    const bob = await newPerson(browser, server, { name: 'Bob' });
    try {
      const quick = { mode: 'quick', preset: 'quick' };
      await startMatch(ann, server, 'marvelous-mashup', quick, '.searching');
      await startMatch(bob, server, 'marvelous-mashup', quick);
      await ann.waitForSelector('.assemble');
      await ann.waitForTimeout(23000);
      for (const page of [ann, bob])
        check((await page.locator('.assemble .offer').count()) > 0, 'the match waits for a choice');
    } finally {
      await bob.context().close();
    }
  }),
);

await test('phone: nothing is wider than the screen', only, () =>
  withPerson(
    async (page) => {
      for (const { game, preset } of games) {
        await startMatch(page, server, game, { preset, mode: 'ai' });
        await page.waitForSelector('.board-host .token, .assemble .offer, .hand [data-layout]');
        /* A phone makes its window as wide as the page: only the screen tells. */
        const wide = () => page.evaluate(() => document.documentElement.scrollWidth - screen.width);
        check((await wide()) <= 0, `${game}: ${await wide()} pixels too wide`);
        await axe(page, `${game} on a phone`);
        await playByMouse(page, { seed: 3, limit: 18, haste: 0.8 }).catch(() => {});
        check((await wide()) <= 0, `${game} in play: ${await wide()} pixels too wide`);
      }
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ),
);

await browser.close();
await server.close();
process.exit(summary());

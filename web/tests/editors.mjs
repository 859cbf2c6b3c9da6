// editors.mjs -- the editors in Chromium against the real server: every kind is made, broken, mended, exported and played, by
// mouse and by keyboard; undo, links, imports, strange keys, a board of 100 x 100, accessibility.
// Usage: node web/tests/editors.mjs [part of a test's name]
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readGames } from '../games.mjs';
import { TestServer, check, newPerson, openBrowser, summary, test, until, withPerson as asPerson } from './server.mjs';
import { axe as flaws } from './steps.mjs';

const only = process.argv[2];
/** In the short form these kinds, and one way, stand for all. */
const SHORT = { short: true };
const server = await new TestServer().open();
const browser = await openBrowser();

/** Every kind that can be edited: the document it begins with, whether a board is painted, and what is done to it so that it is wrong. */
const KINDS = Object.fromEntries(readGames().flatMap(({ id: game, page }) => (page.editors ?? []).map(({ id, first, boards = [], breaks }) =>
  [id, { path: `games/${game}/content/${first}`, paint: boards.length > 0, breaks }])));

/** Runs with a page of its own, on which nothing may go wrong. */
const withPerson = (run, options) => asPerson(browser, server, run, options);

/** axe-core finds nothing on the page as it is. */
async function axe(page, where) {
  const found = await flaws(page, { best: false });
  check(found.length === 0, `${where}: ${found.join('\n')}`);
}

const fine = (page) => page.locator('.problems.good[aria-busy="false"]').waitFor();
const wrong = (page) => page.locator('.problems.bad[aria-busy="false"]').waitFor();
/** A new copy of what comes with the game. */
async function make(page, kind) {
  await page.goto(`${server.url}/#/editor`);
  await page.locator(`[data-kind=${kind}]`).click();
  await fine(page);
}
/** What an export gives, and the name of the file. */
async function exported(page, press) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}
/** A field by its label, behind which limits and the key stand. */
const fieldOf = (page, label) => page.getByLabel(new RegExp(`^${label}( \\(| [a-z]\\w*$|$)`)).first();

for (const [kind, { path, breaks }] of Object.entries(KINDS).filter(([, one]) => one.breaks)) {
  const { field: label, value, says: words } = breaks;
  await test(`make, break, mend, export, play by mouse: ${kind}`, only, () => withPerson(async (page) => {
    const original = readFileSync(path, 'utf8');
    await make(page, kind);
    const first = await exported(page, () => page.getByRole('button', { name: 'Export' }).click());
    check(first.text === original, 'what is exported unchanged is what is shipped, to the byte');
    await fieldOf(page, label).fill(value);
    await fieldOf(page, label).blur();
    await wrong(page);
    await until(async () => (await page.locator('.problems').innerText()).includes(words), async () => `the problem is named: ${await page.locator('.problems').innerText()}`);
    await until(() => page.getByRole('button', { name: 'Play now' }).isDisabled(), 'what is wrong cannot be played');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.locator('.problems .linklike').first().click();
    await until(() => page.getByRole('textbox', { name: 'JSON', exact: true }).isVisible(), 'the line is shown in the text');
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await fine(page);
    const again = await exported(page, () => page.getByRole('button', { name: 'Export' }).click());
    check(again.text === original, 'undone is as it was, to the byte');
    await page.getByRole('button', { name: 'Play now' }).click();
    await page.getByRole('button', { name: 'Two players, one device' }).click();
    await page.waitForURL(/#\/match/);
  }), { short: kind === 'scenario' || kind === 'character' });
}

for (const kind of Object.keys(KINDS)) {
  await test(`make, change, undo, export, play by keyboard: ${kind}`, only, () => withPerson(async (page) => {
    await page.goto(`${server.url}/#/editor`);
    await page.locator(`[data-kind=${kind}]`).focus();
    await page.keyboard.press('Enter');
    await fine(page);
    const first = await exported(page, () => page.keyboard.press('Control+s'));
    if (KINDS[kind].paint) {
      await page.locator('.canvas-frame canvas').first().focus();
      for (const key of ['2', 'ArrowRight', 'Space', '1', 'Space', 'Shift+ArrowDown']) await page.keyboard.press(key);
    } else {
      const number = page.locator('main input[type=number]').first();
      await number.focus();
      await page.keyboard.press(await number.inputValue() === await number.getAttribute('max') ? 'ArrowDown' : 'ArrowUp');
      await page.keyboard.press('Tab');
    }
    await page.getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).waitFor();
    for (let i = 0; i < 6; i++) await page.keyboard.press('Control+z');
    await fine(page);
    const again = await exported(page, () => page.keyboard.press('Control+s'));
    check(again.text === first.text, 'all undone is the first file, to the byte');
    await page.getByRole('button', { name: 'Play now' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Two players, one device' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#\/match/);
  }), { short: kind === 'start' });
}

await test('painting: a stroke is one change; fill, mirror, size', only, () => withPerson(async (page) => {
  await make(page, 'scenario');
  const canvas = page.locator('.canvas-frame canvas');
  const box = await canvas.boundingBox();
  const cell = box.width / 10;
  await page.mouse.move(box.x + cell / 2, box.y + cell / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + cell * 6.5, box.y + cell / 2, { steps: 4 });
  await page.mouse.up();
  const row = async () => JSON.parse((await exported(page, () => page.getByRole('button', { name: 'Export' }).click())).text).scenario;
  check((await row())[0].join() === 'ROCK,ROCK,ROCK,ROCK,ROCK,ROCK,ROCK,GRASS,GRASS,GRASS', 'seven rocks in a row');
  await page.getByRole('button', { name: 'Mirror left to right' }).click();
  await fine(page);
  check((await row())[0].join() === 'ROCK,ROCK,ROCK,ROCK,ROCK,ROCK,ROCK,ROCK,ROCK,ROCK', 'mirrored');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(() => page.getByRole('button', { name: 'Undo' }).isDisabled(), 'two changes were made');
  await fieldOf(page, 'Columns').fill('12');
  await fieldOf(page, 'Columns').blur();
  await fine(page);
  check((await row())[0].length === 12, 'twelve columns');
}));

await test('a side that no board can have is refused at its field, and nothing is lost', only, () => withPerson(async (page) => {
  await make(page, 'scenario');
  const said = page.locator('.field.wrong .complaint');
  for (const wanted of ['0', '', '-3', '101', '2.5', 'abc']) {
    await fieldOf(page, 'Rows').focus();
    await page.keyboard.press('Control+A');
    if (wanted === '') await page.keyboard.press('Delete');
    else await page.keyboard.type(wanted);
    await page.keyboard.press('Tab');
    await said.waitFor();
    await until(async () => (await said.innerText()) === 'Enter a whole number from 1 to 100.', async () => `${wanted}: ${await said.innerText()}`);
    await until(async () => (await fieldOf(page, 'Rows').getAttribute('aria-invalid')) === 'true', `${wanted}: readers hear it`);
    await until(async () => (await page.locator('.canvas-frame canvas').getAttribute('aria-label')) === 'Board, 10 columns by 10 rows', `${wanted}: the board stays`);
    await until(() => page.getByRole('button', { name: 'Undo' }).isDisabled(), `${wanted}: nothing was changed`);
    await fieldOf(page, 'Rows').fill('10');
    await said.waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
  }
  const { text } = await exported(page, () => page.getByRole('button', { name: 'Export' }).click());
  check(text === readFileSync(KINDS.scenario.path, 'utf8'), 'the file is as it was');
  await make(page, 'board');
  await fieldOf(page, 'Rows').fill('13');
  await page.keyboard.press('Tab');
  await until(async () => (await said.innerText()) === 'Enter a whole number from 5 to 11.', async () => `as the game allows: ${await said.innerText()}`);
}), SHORT);

/** Boxes of what must be seen: the first board as a whole, tables and cards inside the page, no text of a label cut. */
const measured = (page) => page.evaluate(() => {
  const wrong = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) wrong.push(`the page is ${wide} px wider than the screen`);
  const canvas = document.querySelector('.canvas-frame canvas');
  const smallest = canvas && canvas.clientWidth / Number(/\d+/.exec(canvas.ariaLabel)[0]) < 10; // many cells are scrolled inside their frame
  const board = (smallest ? canvas.closest('.canvas-host') : canvas)?.getBoundingClientRect();
  if (board && (board.top < 0 || board.bottom > innerHeight || board.left < 0 || board.right > innerWidth)) wrong.push(`the board ends at ${board.right}, ${board.bottom}`);
  for (const part of document.querySelectorAll('fieldset, .edit-table, .edit-cards > *, .edit-table :is(input, select, button), .painter-tools > *')) {
    const [inner, outer] = [part.getBoundingClientRect(), part.parentElement.closest('fieldset, td, th, article, main').getBoundingClientRect()];
    if (inner.width > 0 && inner.right > outer.right + 1 || (inner.width > 0 && inner.left < outer.left - 1)) wrong.push(`${part.className || part.tagName} ends at ${inner.right} of ${outer.right}`);
  }
  for (const part of document.querySelectorAll('.scroll, .edit-table, fieldset, article'))
    if (part.scrollWidth > part.clientWidth + 1) wrong.push(`${part.className} is scrolled: ${part.scrollWidth} of ${part.clientWidth}`);
  return wrong;
});

await test('boards lie above the fold, tables fit their place: at a desk, on a tablet, on a phone', only, () => withPerson(async (page) => {
  for (const kind of process.env.SHORT ? ['scenario', 'champions'] : Object.keys(KINDS)) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await make(page, kind);
    for (const [width, height] of [[1440, 900], [820, 1180], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => document.querySelectorAll('.chart').forEach((one) => { one.open = true; }));
      if (await page.locator('.card-opener').count()) {
        await page.locator('.card-opener').first().click(); // the others look like it
        if (await page.locator('article article .card-opener').count()) await page.locator('article article .card-opener').first().click();
      }
      await page.evaluate(() => new Promise((done) => { scrollTo(0, 0); requestAnimationFrame(() => requestAnimationFrame(done)); }));
      const wrong = await measured(page);
      check(wrong.length === 0, `${kind} at ${width} x ${height}: ${wrong.join('; ')}`);
      if (width === 1440) await until(async () => (await page.locator('.edit-cards').count()) === 0, `${kind}: a table at a desk`);
    }
  }
}), SHORT);

await test('labels for people with the key of the file beside, in both languages', only, async () => {
  for (const [locale, head, choice, paint] of [['en-GB', 'Health', 'After each step', 'Human'], ['de-DE', 'Leben', 'nach jedem Schritt', 'Mensch']])
    await withPerson(async (page) => {
      await make(page, 'units');
      const heads = await page.locator('.edit-table th').evaluateAll((all) => all.map((one) => [one.textContent, getComputedStyle(one.querySelector('code') ?? one).fontFamily]));
      const health = heads.find(([text]) => text.startsWith(`${head} `));
      check(health?.[0].replace(/\s+/g, ' ').trim() === `${head} health` && /monospace/.test(health[1]), `${locale}: ${heads}`);
      if (locale === 'de-DE') await until(async () => (await page.locator('.edit-table select').nth(1).locator('option').allInnerTexts()).includes(choice), 'words to choose from in German');
      await make(page, 'start');
      await until(async () => (await page.locator('.paint').allInnerTexts()).some((text) => text.includes(paint)), `${locale}: units by their names`);
    }, { locale });
});

await test('under the pointer everything stays readable, light and dark', only, async () => {
  for (const colorScheme of ['light', 'dark'])
    await withPerson(async (page) => {
      await make(page, 'character');
      const looks = new Map();
      for (const one of await page.locator('main :is(button, a, summary)').all()) {
        const look = await one.evaluate((button) => `${button.className} ${button.getAttribute('aria-pressed') ?? button.getAttribute('aria-selected')} ${button.disabled}`);
        if (looks.has(look) || !(await one.isVisible()) || (await one.isDisabled())) continue;
        await one.hover();
        looks.set(look, await one.evaluate((button) => {
          for (const motion of document.getAnimations()) motion.finish();
          const paper = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
          const over = [];
          for (let part = button; part; part = part.parentElement) over.unshift(getComputedStyle(part).backgroundColor);
          const light = (colours) => {
            for (const colour of colours) { paper.fillStyle = colour; paper.fillRect(0, 0, 1, 1); }
            const [r, g, b] = [...paper.getImageData(0, 0, 1, 1).data].map((n) => (n / 255 <= 0.04045 ? n / 255 / 12.92 : ((n / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const [low, high] = [light(over), light([...over, getComputedStyle(button).color])].sort((x, y) => x - y);
          return (high + 0.05) / (low + 0.05);
        }));
      }
      check(looks.size >= 6, `only ${looks.size} kinds of button`);
      for (const [look, contrast] of looks) check(contrast >= 4.5, `${colorScheme}: "${look}" has a contrast of ${contrast.toFixed(2)} under the pointer`);
    }, { colorScheme });
});

await test('text: typing is checked by line, and the form follows', only, () => withPerson(async (page) => {
  await make(page, 'game');
  await page.getByRole('tab', { name: 'JSON' }).click();
  const text = await page.getByRole('textbox', { name: 'JSON', exact: true }).inputValue();
  await page.getByRole('textbox', { name: 'JSON', exact: true }).fill(text.replace(/"maxRounds": \d+,/, '$&,'));
  await wrong(page);
  await until(async () => (await page.locator('.problems').innerText()).includes('line 2'), async () => `the line is named: ${await page.locator('.problems').innerText()}`);
  await page.getByRole('tab', { name: 'Edit' }).click();
  await until(() => page.getByText('valid JSON').isVisible(), 'the form says what to do');
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'JSON', exact: true }).fill(text.replace(/"maxRounds": \d+/, '"maxRounds": 77'));
  await fine(page);
  await page.getByRole('tab', { name: 'Edit' }).click();
  await until(async () => await fieldOf(page, 'Thanos arrives in round').inputValue() === '77', 'the form shows what was typed');
}));

await test('files come in, strange keys are named, dropped or kept', only, () => withPerson(async (page) => {
  await page.goto(`${server.url}/#/editor`);
  const scenario = { ...JSON.parse(readFileSync(KINDS.scenario.path, 'utf8')), zoo: 1 };
  await page.locator('input[type=file]').setInputFiles({ name: 'from-elsewhere.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(scenario)) });
  await wrong(page);
  await until(() => page.getByText('$.zoo').first().isVisible(), 'the key is named');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await fine(page);
  await page.goto(`${server.url}/#/editor`);
  await page.locator('input[type=file]').setInputFiles({ name: 'poem.json', mimeType: 'application/json', buffer: Buffer.from('[1]') });
  await page.getByText('poem.json isn\'t a recognised file').waitFor();
}), SHORT);

await test('what is typed stays until it is done, and nothing counts as right before it was checked', only, () => withPerson(async (page) => {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...message) { setTimeout(() => post.apply(this, message), 150); };
  });
  await page.reload();
  await make(page, 'scenario');
  const [columns, rows] = [fieldOf(page, 'Columns'), fieldOf(page, 'Rows')];
  await columns.fill('12');
  await rows.focus();
  await page.locator('.problems[aria-busy=true]').waitFor();
  await until(() => page.getByRole('button', { name: 'Play now' }).isDisabled(), 'what was not checked cannot be played');
  await rows.fill('11');
  await fine(page);
  await until(async () => (await rows.inputValue()) === '11', async () => `the end of a check puts ${await rows.inputValue()} where 11 was typed`);
  await rows.blur();
  await page.locator('.problems[aria-busy=true]').waitFor();
  await fine(page);
  const { text } = await exported(page, () => page.getByRole('button', { name: 'Export' }).click());
  const board = JSON.parse(text).scenario;
  check(board.length === 11 && board[0].length === 12, `the board is ${board[0].length} x ${board.length}`);
}));

await test('a link carries the document', only, () => withPerson(async (page) => {
  await make(page, 'field');
  await page.getByRole('button', { name: 'Share link' }).click();
  const link = await page.locator('.notice input').inputValue();
  const other = await newPerson(browser, server, { name: 'Bob' });
  await other.goto(link);
  await fine(other);
  const { text } = await exported(other, () => other.getByRole('button', { name: 'Export' }).click());
  check(text === readFileSync(KINDS.field.path, 'utf8'), 'the same bytes arrive');
  await other.goto(`${server.url}/#/editor/open/xxxx`);
  await other.reload();
  await other.getByText('This link is incomplete').waitFor();
  await other.context().close();
}));

await test('many matches of a document between programs: progress, cancelled, counted', only, () => withPerson(async (page) => {
  /* Matches of some length: those of the smallest set-up are over before anybody has seen how far they are. */
  await make(page, 'units');
  await page.getByRole('button', { name: 'Play now' }).click();
  await page.getByRole('button', { name: 'Play 200 matches' }).click();
  await page.waitForFunction(() => Number(document.querySelector('.balance progress')?.value) >= 3, null, { timeout: 60000 });
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Play 200 matches' }).waitFor();
  const said = await page.locator('.balance-result').innerText();
  check(/, the first side, wins \d+\u00a0% \(\d+\u00a0% to \d+\u00a0%\); draws count half\./.test(said) && /Mean length: \d+ actions\./.test(said), said);
  await axe(page, 'balance');
}));

await test('own content at an online table', only, () => withPerson(async (page) => {
  await make(page, 'scenario');
  await fieldOf(page, 'Columns').fill('9');
  await fieldOf(page, 'Columns').blur();
  await fine(page);
  await page.getByRole('button', { name: 'Play now' }).click();
  await page.getByRole('button', { name: 'Invite a friend' }).click();
  await page.waitForURL(/#\/table\//);
  const code = page.url().split('/').at(-1);
  const guest = await newPerson(browser, server, { name: 'Bob' });
  await guest.goto(`${server.url}/#/join/${code}`);
  await guest.locator('form button[type=submit]').click();
  await guest.waitForURL(/#\/table\//);
  await guest.context().close();
}));

await test('random boards and heroes are right', only, () => withPerson(async (page) => {
  for (const kind of ['scenario', 'character', 'game']) {
    await make(page, kind);
    await page.locator('.dice summary').click();
    await page.getByRole('button', { name: 'Generate', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).and(page.locator(':enabled')).waitFor();
    await fine(page);
  }
}));

await test('every shipped document: opened, exported, equal', only, () => withPerson(async (page) => {
  for (const kind of Object.keys(KINDS)) {
    const folder = KINDS[kind].path.replace(/[^/]*$/, '');
    for (const name of readdirSync(folder).filter((one) => one.endsWith(`.${kind}.json`))) {
      await page.goto(`${server.url}/#/editor`);
      await page.locator('input[type=file]').setInputFiles(folder + name);
      await fine(page);
      const { text } = await exported(page, () => page.getByRole('button', { name: 'Export' }).click());
      check(text === readFileSync(folder + name, 'utf8'), `${name} is the same`);
    }
  }
}));

await test('a new kind of unit gets a name and can be played', only, () => withPerson(async (page) => {
  await make(page, 'warriors');
  await page.getByRole('button', { name: 'Copy ninja' }).click();
  await fine(page);
  const { text } = await exported(page, () => page.getByRole('button', { name: 'Export' }).click());
  check(JSON.parse(text).warriors.some(({ id }) => id === 'ninja-2'), `the copy has an id of its own: ${text}`);
  await page.getByRole('button', { name: 'Play now' }).click();
  await page.getByRole('button', { name: 'Two players, one device' }).click();
  await page.waitForURL(/#\/match/);
  await page.getByText('Ninja 2').first().waitFor();
}), SHORT);

await test('good and bad samples: said in the page as on the command line', only, () => withPerson(async (page) => {
  const samples = readGames().flatMap(({ folder }) => {
    const manifest = join(folder, 'samples/manifest.json');
    return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).samples.map((sample) => ({ folder, ...sample })) : [];
  }).filter(({ file }) => !file.endsWith('.texts.json'));
  for (const { folder, file, loader, says } of samples) {
    await page.goto(`${server.url}/#/editor`);
    await page.locator('input[type=file]').setInputFiles(join(folder, 'samples', file));
    /* A name that tells nothing is no fault here: the keys tell. Names that others lack are made by the page, so only a board without its units is left of what fits alone. */
    await page.locator('.problems[aria-busy="false"]').waitFor().catch((error) => { throw new Error(`${file}: ${error.message}`); });
    const text = await page.locator('.problems').textContent();
    check(loader === 'refuses' ? text.includes(says) : /No problems found|Fine on its own/.test(text), `${file}: ${text}`);
  }
  check(samples.length > 50, `${samples.length} samples`);
}));

await test('500 random changes at the board, all undone', only, () => withPerson(async (page) => {
  await make(page, 'scenario');
  const original = readFileSync(KINDS.scenario.path, 'utf8');
  await page.locator('.canvas-frame canvas').focus();
  let luck = 4711;
  const keys = ['1', '2', '3', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'Space', 'Space', 'Shift+ArrowRight', 'Shift+ArrowDown', 'f'];
  for (let i = 0; i < 500; i++) await page.keyboard.press(keys[(luck = (luck * 1103515245 + 12345) % 2147483648) % keys.length]);
  const undo = page.getByRole('button', { name: 'Undo' });
  await until(() => undo.isEnabled(), 'something was changed');
  for (let i = 0; i < 500 && await undo.isEnabled(); i++) await page.keyboard.press('Control+z');
  await until(() => undo.isDisabled(), 'all was undone');
  await fine(page);
  const { text } = await exported(page, () => page.keyboard.press('Control+s'));
  check(text === original, 'the first file is back, to the byte');
}));

await test('a board of 100 x 100 stays smooth', only, () => withPerson(async (page) => {
  await make(page, 'scenario');
  for (const side of ['Columns', 'Rows']) {
    await fieldOf(page, side).fill('100');
    await fieldOf(page, side).blur();
  }
  await fine(page);
  const box = await page.locator('.canvas-frame canvas').boundingBox();
  /* Right of what the board had: a slow machine joins movements, and a longer stroke could cross a portal there. */
  await page.mouse.move(box.x + 200, box.y + 20);
  await page.mouse.down();
  for (let i = 0; i < 60; i++) await page.mouse.move(box.x + 200 + i * 8, box.y + 20 + (i % 7) * 12);
  await page.mouse.up();
  await fine(page);
  /* A stroke draws the cells it crosses: a busy machine joins several movements to one, but nothing draws the board of 10,000 cells anew. */
  const { strokes, most } = await page.evaluate(() => globalThis.mashupPaintWork);
  check(strokes > 0 && most < 500, `${strokes} strokes of the brush, of which one drew ${most} cells`);
}), SHORT);

for (const [where, viewport] of [['desktop', { width: 1440, height: 900 }], ['phone', { width: 390, height: 844 }]]) {
  await test(`axe finds nothing: ${where}`, only, () => withPerson(async (page) => {
    await page.goto(`${server.url}/#/editor`);
    await page.locator('[data-kind=scenario]').waitFor();
    await axe(page, 'list');
    for (const kind of process.env.SHORT ? ['scenario', 'character'] : Object.keys(KINDS)) {
      await make(page, kind);
      await axe(page, kind);
      if (kind === 'character') {
        if (where === 'desktop') await page.getByRole('button', { name: 'Cards' }).click();
        await page.locator('.chart summary').click();
        await axe(page, 'cards');
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 1, `${kind} is ${wide} px wider than the screen`);
    }
  }, { viewport }), { short: where === 'phone' });
}

await browser.close();
await server.close();
process.exit(summary());

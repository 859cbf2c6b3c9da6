// german.mjs -- every screen in German, in Chromium: no text, label or title of the English is left, and none is cut. What is English is
// known from the page's own tables, the games' folders, the schemas and the catalogue of the server's sentences; words that only English
// has are found, too.
// Usage: node web/tests/german.mjs [part of a test's name]   (SHOTS=FOLDER keeps pictures; SIZE=390x844, SCHEME=dark)
import { readFileSync, readdirSync, mkdirSync } from 'node:fs';
import { readGames } from '../games.mjs';
import { TestServer, check, newPerson, openBrowser, summary, test } from './server.mjs';
import { playByMouse, startMatch } from './player.mjs';
import { closeHelp, quiet, waitForTurn } from './steps.mjs';

const only = process.argv[2];
const shots = process.env.SHOTS;
/* Each game is played at another of the sizes. */
const SIZES = (process.env.SIZE ?? '1440x900 820x1180 390x844').split(' ').map((size) => size.split('x').map(Number)).map(([width, height]) => ({ width, height }));
const colorScheme = process.env.SCHEME ?? 'light';
const server = await new TestServer().open();
const browser = await openBrowser();
const games = readGames();

// --- What is English -------------------------------------------------------------------------------

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const english = new Map();
const german = new Set();

/** A text in both languages: the English one must not be seen. */
function pair(en, de) {
  if (typeof en !== 'string' || typeof de !== 'string') return;
  german.add(de.trim());
  if (en !== de) english.set(en.trim(), de.trim());
}

/** Pairs of two documents of the same form. */
function pairs(en, de) {
  if (typeof en === 'string') pair(en, de);
  else if (en && de && typeof en === 'object') for (const key of Object.keys(en)) pairs(en[key], de[key]);
}

/** Everything in a document that has both languages beside each other. */
function beside(value) {
  if (value === null || typeof value !== 'object') return;
  if (value.en !== undefined && value.de !== undefined) pairs(value.en, value.de);
  for (const part of Object.values(value)) beside(part);
}

/** Tables of texts in sources: { en: '...', de: '...' }, and 'English': 'Deutsch' of the catalogue of answers. */
function tables() {
  const unquoted = (text) => text.replace(/\\(.)/g, '$1');
  const texts = (folder) => readdirSync(folder, { recursive: true }).filter((name) => /\.tsx?$/.test(name)).map((name) => `${folder}/${name}`);
  for (const file of [...texts('web/src'), ...games.flatMap(({ id }) => { try { return texts(`games/${id}/page`); } catch { return []; } })])
    for (const [, en, de] of readFileSync(file, 'utf8').matchAll(/\ben:\s*'((?:[^'\\\n]|\\.)*)',\s*de:\s*'((?:[^'\\\n]|\\.)*)'/g)) pair(unquoted(en), unquoted(de));
  for (const [, en, de] of readFileSync('web/src/texts/german.ts', 'utf8').matchAll(/^ {2}'((?:[^'\\]|\\.)*)':\s*'((?:[^'\\]|\\.)*)',$/gm))
    if (/ /.test(en)) pair(unquoted(en), unquoted(de));
  const header = readFileSync('include/mashup.h', 'utf8').replace(/"\s*\\?\n\s*"/g, '');
  for (const [, sentence] of header.matchAll(/"([A-Z][^"\n]* [^"\n]*\.)"/g)) pair(sentence, '');
}

/** The folder of a game: its page, lesson, texts, schemas and titles of boards and options. */
function folder({ id, page }) {
  beside(page);
  beside(read(`games/${id}/lesson.json`));
  const [en, de] = ['english', 'german'].map((name) => read(`games/${id}/content/${name}.texts.json`));
  pairs(en.names, de.names);
  pairs(en.descriptions, de.descriptions);
  for (const [name, other] of Object.entries(de.translations ?? {})) pair(name, other);
  const fields = read(`games/${id}/page/german.fields.json`);
  for (const [kind, all] of Object.entries(fields)) {
    const schema = read(`games/${id}/content/${kind}.schema.json`);
    for (const [way, [label, meaning]] of Object.entries(all)) {
      let at = schema;
      for (const key of way.split('.')) {
        at = at?.properties?.[key] ?? at?.items?.properties?.[key];
        if (at?.$ref) at = { ...at.$ref.split('/').slice(1).reduce((part, name) => part?.[name], schema), ...at };
      }
      pair(at?.title, label);
      pair(at?.description, meaning);
    }
  }
}
tables();
for (const game of games) folder(game);

/** Names that are the same everywhere: games, heroes, what people typed. They are no English. */
const names = games.flatMap(({ id }) => {
  const found = [];
  const gather = (value, key) => {
    if (typeof value === 'string' && (key === 'name' || key === 'author')) found.push(value);
    else if (value && typeof value === 'object') for (const [inner, part] of Object.entries(value)) gather(part, inner);
  };
  for (const name of readdirSync(`games/${id}/content`)) if (name.endsWith('.json') && !/texts|schema/.test(name)) gather(read(`games/${id}/content/${name}`), '');
  const translated = read(`games/${id}/content/german.texts.json`);
  return [...found.filter((name) => translated.translations?.[name] === undefined), ...Object.values(translated.translations ?? {}), ...Object.values(translated.names.kind ?? {})];
});
const PROPER = ['English', 'Game of the Generals', 'Zorde vs Calliance', 'Ultimate War', 'Marvelous Mashup', 'Battleground', 'Avengers Tower', 'Dark Dimension', 'Savage Land', ...names];
const ONLY_ENGLISH = /\b(the|and|your|you|with|of|to|is|are|not|this|that|from|has|have|can|can’t|turn|cell|unit|match|level|board|player|players|choose|select|click|attack|move|damage|health|side|team's|waiting|for|by|end)\b/i;
/** Words that both languages have. */
const BOTH = /\b(Team|Online|Computer|Chat|Link|Match-?Datei)\b/g;

/** Expressions for English texts with blanks, those with enough words of their own. */
const forms = [...english.keys()].filter((text) => /[{%]/.test(text) && text.replace(/\{[^}]*\}|%[sud]/g, '').replace(/[^A-Za-z]/g, '').length > 7)
  .map((text) => new RegExp(`^${text.split(/\{[^}]*\}|%[sud]/).map((part) => part.replace(/[.*+?^$()|[\]\\/]/g, '\\$&')).join('.*?')}$`));

/** Why a text is English; '' = it is not. */
function englishIn(text) {
  const plain = text.trim().replace(/\s+/g, ' ');
  if (plain === '' || !/[A-Za-z]{2}/.test(plain) || german.has(plain) || PROPER.includes(plain)) return '';
  const bare = plain.replace(/[.:]$/, '');
  if (english.has(plain) || (english.has(bare) && !german.has(bare))) return 'a text of the English table';
  if (forms.some((form) => form.test(plain))) return 'a form of the English table';
  let rest = plain.replace(BOTH, '');
  for (const name of PROPER) rest = rest.replaceAll(name, '');
  const word = ONLY_ENGLISH.exec(rest);
  return word ? `the word "${word[0]}"` : '';
}

// --- What is seen ----------------------------------------------------------------------------------

/** All that the page says now: texts that are drawn, labels, titles, hints of fields. */
function said(page) {
  return page.evaluate(() => {
    const found = new Set([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent?.closest('script, style, noscript, [lang=en], textarea, [translate=no], code, kbd')) continue;
      if (parent?.closest('option, .visually-hidden') || parent?.checkVisibility()) found.add(node.textContent);
    }
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], [alt], [aria-description], [aria-valuetext], button, label, p, h1, h2, h3, li > span'))
      for (const text of [...['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext'].map((key) => one.getAttribute(key)),
        one.children.length > 0 && one.checkVisibility() && one.closest('[lang=en]') === null && one.querySelector('code, [lang=en], kbd, option') === null ? one.textContent : null])
        if (text && one.closest('[lang=en], #command-line') === null) found.add(text); // what is typed is the same in every language
    return [...found];
  });
}

const findings = new Set();
let picture = 0;

/** Looks at the page as it is now; `own` are texts of the person's file, in whatever language. */
async function look(page, where, own = '') {
  await quiet(page);
  for (const text of await said(page)) {
    const why = own.includes(JSON.stringify(text.trim())) ? '' : englishIn(text);
    if (why) findings.add(`${where}: "${text.trim().slice(0, 160)}" (${why})`);
  }
  for (const text of await page.evaluate(cut)) findings.add(`${where}: cut: ${text}`);
  if (shots) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: `${shots}/${String(picture++).padStart(3, '0')}-${where.replace(/[^a-z0-9]+/gi, '-')}.png` });
  }
}

/** Texts of which a part is not to be seen: wider or higher than what they stand in, or beyond the edge of the screen. Of many actions
 * each says less: only its name must be whole. So it is with a player who is away. */
const cut = () => {
  const wrong = [];
  const clips = (style, axis) => ['hidden', 'clip'].includes(style[`overflow${axis}`]);
  const scrolls = (style, axis) => ['auto', 'scroll'].includes(style[`overflow${axis}`]);
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    if (one.closest('.visually-hidden, svg, .skip, .stage, .choices:not(.few) small, .plate-name small') || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(one);
    const text = range.getBoundingClientRect();
    if (text.width === 0) continue;
    const words = `${one.tagName.toLowerCase()}.${[...one.classList].join('.')} in .${one.parentElement?.className}: "${one.textContent.trim().slice(0, 60)}"`;
    let free = { X: false, Y: false };
    for (let box = one; box && box !== document.documentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      const edge = box.getBoundingClientRect();
      for (const axis of ['X', 'Y']) free[axis] ||= scrolls(style, axis);
      if (clips(style, 'X') && !free.X && (text.right > edge.right + 1 || text.left < edge.left - 1)) { wrong.push(`${words} by ${box.className || box.tagName} across (${Math.round(text.width)} in ${Math.round(edge.width)})`); break; }
      if (clips(style, 'Y') && !free.Y && (text.bottom > edge.bottom + 2 || text.top < edge.top - 2)) { wrong.push(`${words} by ${box.className || box.tagName} down (${Math.round(text.height)} in ${Math.round(edge.height)})`); break; }
      if (style.position === 'fixed') break;
    }
    if (!free.X && (text.right > innerWidth + 1 || text.left < -1)) wrong.push(`${words} beyond the screen`);
  }
  return wrong;
};

/** A person who speaks German. */
const person = (more = {}) => newPerson(browser, server, { locale: 'de-DE', name: 'Anna', viewport: SIZES[0], colorScheme, ...more });

/** Goes to an address and looks. */
async function visit(page, hash, wait, where = hash) {
  await page.goto(`${server.url}/${hash}`);
  await page.waitForSelector(wait);
  await look(page, where);
}

/** Demands that nothing was found, and closes. */
async function done(...pages) {
  const all = [...findings];
  findings.clear();
  for (const page of pages) {
    check(page.errors.filter((error) => !/404|Failed to load/.test(error)).length === 0, page.errors.join('; '));
    await page.context().close();
  }
  check(all.length === 0, `${all.length} found\n  ${all.join('\n  ')}`);
}

// --- The walk --------------------------------------------------------------------------------------

await test('the screens around a match', only, async () => {
  const page = await person();
  await page.waitForSelector('.games li');
  await look(page, 'start');
  for (const [hash, wait] of [['#/watch', 'form'], ['#/mine', 'main h1'], ['#/replays', '.drop'], ['#/settings', 'select'], ['#/about', 'h2'],
    ['#/join/abcd-efgh-jkmn', 'main'], ['#/nowhere', 'main a.button'], ['#/editor', 'main h1']])
    await visit(page, hash, wait);
  const { name, short_name, description, lang } = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
  if (lang === 'de') for (const text of [name, short_name, description]) check(!englishIn(text), `the manifest says ${text}`);
  await done(page);
}, { short: true });

for (const { id } of games)
  await test(`how to play ${id}`, only, async () => {
    const page = await person();
    await visit(page, `#/game/${id}`, 'form fieldset.modes');
    for (const details of await page.locator('form details:not([open]) > summary').all()) await details.click();
    for (const mode of ['quick', 'ai', 'hot', 'invite']) {
      await page.check(`input[value=${mode}]`, { force: true });
      await look(page, `${id} ${mode}`);
    }
    await visit(page, `#/learn/${id}`, '.match, main');
    await page.waitForSelector('.match').catch(() => {});
    await look(page, `${id} lesson`);
    await done(page);
  });

for (const { id, page: { editors = [] } } of games)
  for (const { id: kind, first } of editors)
    await test(`editor of ${id}: ${kind}`, only, async () => {
      const page = await person();
      const file = readFileSync(`games/${id}/content/${first}`, 'utf8');
      const open = (text) => page.setInputFiles('input[type=file]', { name: first, mimeType: 'application/json', buffer: Buffer.from(text) });
      await page.goto(`${server.url}/#/editor`);
      await page.locator('select').first().waitFor();
      await open(file);
      await page.waitForSelector('.editor, main h1 + *');
      await page.locator('.problems[aria-busy=false], main h1 + *').first().waitFor();
      for (const closed of await page.locator('main details:not([open]) > summary').all()) await closed.click({ timeout: 1000 }).catch(() => {});
      await look(page, `editor ${id} ${kind}`, file);
      await page.goto(`${server.url}/#/editor`);
      await open(file.replace(/\d+/, '99999999'));
      await page.locator('.problems.bad[aria-busy=false], main h1 + *').first().waitFor();
      await look(page, `editor ${id} ${kind} broken`, file);
      await done(page);
    });

for (const [at, { id, page: { tests = {} } }] of games.entries())
  await test(`a match of ${id}`, only, async () => {
    const page = await person({ viewport: SIZES[at % SIZES.length] });
    /* Always the same luck: who is on the board has the same names. */
    await page.addInitScript(() => { crypto.getRandomValues = (list) => list.fill(7); });
    await startMatch(page, server, id, { mode: 'ai', seat: 0 });
    await look(page, `${id} first`);
    await page.locator('dialog[open] header .button').click({ timeout: 1000 }).catch(() => {});
    await page.locator('.offer').first().hover({ timeout: 500 }).catch(() => {});
    await look(page, `${id} begins`);
    let lines = 0;
    await playByMouse(page, { seed: 3, haste: tests.haste, lines: 16, after: async () => { if (lines++ % 6 === 0) await look(page, `${id} play`); } });
    if (await page.locator('dialog.wide').count() === 0) {
      await page.keyboard.press('Tab');
      for (const token of (await page.locator('.board-host .token').all()).slice(0, 4)) {
        await token.click({ timeout: 500, force: true }).catch(() => {});
        await look(page, `${id} unit`);
      }
      for (const tab of await page.locator('[role=tab]:visible').all()) { await tab.click({ timeout: 1000 }).catch(() => {}); await look(page, `${id} tab`); }
      await page.locator('.ask-tip').click({ timeout: 1000 }).catch(() => {});
      await page.waitForSelector('.tip', { timeout: 8000 }).catch(() => {});
      await look(page, `${id} tip`);
      await page.locator('.menu-button').click();
      await look(page, `${id} menu`);
      for (const button of await page.locator('dialog[open] .menu-items button').allInnerTexts()) {
        if (!/Tastenkürzel|So wird gespielt/.test(button)) continue;
        await page.locator('dialog[open] .menu-items button', { hasText: button.trim() }).first().click();
        await look(page, `${id} ${button.trim()}`);
        await page.keyboard.press('Escape');
        await page.locator('.menu-button').click({ timeout: 2000 }).catch(() => {});
      }
      await page.getByRole('button', { name: 'Aufgeben' }).click();
      await look(page, `${id} resign`);
      await page.locator('dialog[open] .danger').last().click();
    }
    await page.waitForSelector('dialog.wide');
    await look(page, `${id} end`);
    for (const tab of await page.locator('dialog.wide [role=tab]').all()) { await tab.click(); await look(page, `${id} end tab`); }
    await page.getByRole('button', { name: 'Aufzeichnung ansehen' }).click();
    await page.waitForSelector('.replay input[type=range]');
    await look(page, `${id} replay`);
    await visit(page, '#/mine', '.match-row', `${id} mine`);
    await done(page);
  }, { short: id === 'zorde' });

await test('two people: waiting, invitation, lobby, pause, draw, takeback, leaving', only, async () => {
  const [anna, bert, eva] = [await person(), await person({ name: 'Bert' }), await person({ name: 'Eva' })];
  await startMatch(anna, server, 'zorde', { mode: 'invite' }, 'input.link');
  await look(anna, 'waiting');
  const link = await anna.inputValue('input.link');
  for (const hash of ['#/', '#/watch']) await visit(bert, hash, 'main', `lobby ${hash}`);
  await bert.goto(link);
  await bert.waitForSelector('main form button, main button');
  await look(bert, 'invitation');
  await bert.locator('form button, main button').first().click();
  for (const page of [anna, bert]) await page.waitForSelector('.match').then(() => closeHelp(page));
  await eva.goto(link);
  await eva.waitForSelector('main');
  await look(eva, 'full table');
  await visit(eva, '#/watch', 'main', 'watch a running match');
  await anna.locator('.menu-button').click();
  await look(anna, 'menu online');
  await anna.getByRole('button', { name: 'Pause' }).first().click();
  for (const page of [anna, bert]) await look(page, 'paused');
  await anna.getByRole('button', { name: 'Weiter', exact: true }).first().click();
  await look(bert, 'resumed');
  const mine = await waitForTurn(anna, bert);
  const other = mine === anna ? bert : anna;
  await mine.locator('.menu-button').click();
  await mine.getByRole('button', { name: 'Remis anbieten' }).click();
  for (const page of [mine, other]) await look(page, 'draw offered');
  await other.getByRole('button', { name: 'Ablehnen' }).click();
  for (const page of [mine, other]) await look(page, 'draw declined');
  await bert.close();
  await anna.locator('.match-bar').getByText('abwesend').first().waitFor();
  await look(anna, 'away');
  await anna.goto(`${server.url}/#/`);
  await anna.waitForSelector('.unfinished');
  await look(anna, 'unfinished');
  await done(anna, eva);
}, { short: true });

await test('the story before Marvelous Mashup', only, async () => {
  const page = await person();
  await page.evaluate(() => { localStorage.removeItem('mashup.intro'); localStorage.setItem('mashup.intro', 'true'); localStorage.setItem('mashup.mode', '"ai"'); localStorage.setItem('mashup.lesson.marvelous-mashup', '1'); });
  await page.goto(`${server.url}/#/game/marvelous-mashup`);
  await page.reload();
  await page.locator('form button[type=submit]').click();
  for (let scene = 0; scene < 5; scene++) {
    await look(page, `story ${scene}`);
    await page.getByRole('button', { name: 'Weiter' }).click({ timeout: 1500 }).catch(() => {});
  }
  await done(page);
});

await browser.close();
await server.close();
process.exit(summary());

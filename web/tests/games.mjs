// games.mjs -- a folder is a game: what the build collects from games/, what it says when something is missing or wrong, and that a
// game which says next to nothing about itself is shown all the same.
// Usage: node web/tests/games.mjs [part of a test's name]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { gamesPlugin, readGames } from '../games.mjs';
import { check, summary, test } from './server.mjs';

const only = process.argv[2];
const SHORT = { short: true };
const LEAST = { tagline: { en: 'Stones are put.', de: 'Steine werden gesetzt.' }, readme: { summary: 'stones are put', secrets: 'no', chance: 'no' } };

const PICTURE = { start: 'open', text: LEAST.tagline };
const GUIDE = (({ tagline: text }) => ({
  starts: { open: { seed: 1 } }, aim: { text: [text] }, turn: { text: [text] }, end: { text: [text] }, hints: [text],
  actions: Array(2).fill({ title: text, text: [text], pictures: [PICTURE] }),
}))(LEAST);

/** A folder with the schemas of games/ and one game of these files; gone after `run`. */
async function withGame(files, run) {
  const root = mkdtempSync(join(tmpdir(), 'mashup-games-'));
  try {
    for (const folder of ['content', 'page']) mkdirSync(join(root, 'games/gomoku', folder), { recursive: true });
    for (const name of ['page', 'lesson', 'guide']) cpSync(`games/${name}.schema.json`, join(root, `games/${name}.schema.json`));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'games/gomoku', name), typeof text === 'string' ? text : JSON.stringify(text));
    await run(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** What is said about a game of these files; '' = nothing. */
async function said(files) {
  let text = '';
  await withGame({ 'RULES.md': '# Gomoku\n', 'guide.json': GUIDE, ...files }, (root) => {
    try {
      readGames(root);
    } catch (error) {
      text = error.message;
    }
  });
  return text;
}

await test('a missing or wrong page.json is named with its key', only, async () => {
  const of = (page) => said({ 'page.json': page });
  const expect = (text, ...parts) => parts.forEach((part) => check(text.includes(part), `"${text}" does not say "${part}"`));
  check((await of(LEAST)) === '', 'the least is enough');
  expect(await said({}), 'games/gomoku/page.json is missing');
  expect(await said({ 'page.json': '{ "tagline"' }), 'games/gomoku/page.json: ', 'JSON');
  expect(await of({}), 'games/gomoku/page.json: key "tagline" is missing', 'games/gomoku/page.json: key "readme" is missing');
  expect(await of({ ...LEAST, tagline: { en: 'Stones are put.' } }), 'key "tagline.de" is missing');
  expect(await of({ ...LEAST, taglin: 1 }), 'key "taglin" is not known');
  expect(await of({ ...LEAST, order: 'last' }), 'key "order" must be integer');
  expect(await of({ ...LEAST, verbs: { put: 'shine' } }), 'key "verbs.put" must be equal to one of the allowed values: "move"');
  expect(await of({ ...LEAST, howto: { en: { goal: 'Five in a row.', steps: [] }, de: { goal: 'Fünf.', steps: ['a', 'b', 'c'] } } }), 'key "howto.en.steps"');
  const editor = { id: 'position', title: LEAST.tagline, holds: 'a position', first: 'first.position.json' };
  expect(await of({ ...LEAST, editors: [editor] }), 'games/gomoku/content/first.position.json is missing', 'content/position.schema.json is missing');
  expect(await of({ ...LEAST, editors: [{ ...editor, boards: [{ kind: 'letters', path: ['rows'] }] }] }), 'a board of letters needs the key "paints"');
  const schema = { properties: { rows: { title: 'Rows', items: {} }, who: { enum: ['black', 'white'] } } };
  const german = (fields) => said({ 'page.json': { ...LEAST, editors: [editor] }, 'content/first.position.json': {}, 'content/position.schema.json': schema, 'page/german.fields.json': { position: fields } });
  expect(await german({ rows: ['Zeilen', 'Von oben.'] }), 'position.schema.json: who has no title', 'german.fields.json: position: who, a field of content/position.schema.json, is missing');
  expect(await german({ rows: ['Zeilen', ''], who: ['Wer', 'Wer beginnt.', { black: 'Schwarz' }], whom: ['Wen', 'x'] }),
    'position: rows, a field of content/position.schema.json, is missing or has no label or meaning', 'position: who: its words are black, white', 'position: whom is not a field of content/position.schema.json');
  expect(await of({ ...LEAST, editors: [editor, editor] }), 'gomoku has an editor of that id already');
  const text = LEAST.tagline;
  const lesson = { seat: 0, start: { seed: 1 }, steps: Array.from({ length: 8 }, () => ({ text })) };
  const taught = (file) => said({ 'page.json': LEAST, 'lesson.json': file });
  check((await taught(lesson)) === '', await taught(lesson));
  expect(await taught('{'), 'games/gomoku/lesson.json: ', 'JSON');
  expect(await taught({ ...lesson, steps: [{ text: { en: 'Put a stone.' } }] }), 'games/gomoku/lesson.json: key "steps.0.text.de" is missing', 'key "steps" must NOT have fewer than 8 items');
  expect(await taught({ ...lesson, steps: [...lesson.steps, { text: { ...text, en: 'x'.repeat(241) }, point: ['cell a 1'] }] }), 'key "steps.8.text.en" must NOT have more than 240', 'key "steps.8.point.0" must match');
  const told = (file) => said({ 'page.json': LEAST, 'guide.json': file });
  check((await told(GUIDE)) === '', await told(GUIDE));
  expect(await told({ ...GUIDE, hints: undefined, actions: [{ title: text, text: [text], pictures: [] }] }),
    'games/gomoku/guide.json: key "hints" is missing', 'key "actions" must NOT have fewer than 2 items', 'key "actions.0.pictures" must NOT have fewer than 1');
  expect(await told({ ...GUIDE, aim: { text: [text], pictures: [{ text }, { ...PICTURE, start: 'shut' }, { lesson: 3, text }] } }),
    'guide.json: picture 1 needs one of the keys "start" and "lesson"', 'picture 2: key "starts" has no "shut"', 'picture 3: lesson.json has no step 3');
  await withGame({ 'page.json': LEAST }, (root) => {
    let text = '';
    try { readGames(root); } catch (error) { text = error.message; }
    expect(text, 'games/gomoku/RULES.md is missing', 'games/gomoku/guide.json is missing: it has the rules for players');
  });
}, SHORT);

await test('a game with neither picture, how-to nor words is shown with defaults', only, async () => {
  const contents = `export { cardPicture } from './web/src/art/cards'; export { artOf } from './web/src/art/avatar'; export { howToFor } from './web/src/texts/howto';
    export { presentationOf, redFirst } from './web/src/match/panels/presentation'; export { optionWords, presetWords } from './web/src/texts/wording';
    export { KINDS } from './web/src/edit/kinds'; export { GAMES } from './web/src/games';`;
  await withGame({ 'RULES.md': '# Gomoku\n', 'page.json': LEAST, 'guide.json': GUIDE }, async (root) => {
    await build({
      stdin: { contents, resolveDir: resolve('.'), loader: 'ts' }, bundle: true, outfile: join(root, 'page.mjs'), format: 'esm', platform: 'node', target: 'node18',
      loader: { '.md': 'text' }, plugins: [gamesPlugin(root)], logLevel: 'error',
    });
    const page = await import(join(root, 'page.mjs'));
    check(page.GAMES.length === 1 && page.GAMES[0].id === 'gomoku' && page.GAMES[0].tagline.de === LEAST.tagline.de, 'one game is collected');
    check((await page.GAMES[0].rules()).default === '# Gomoku\n', 'its rules are fetched');
    check(page.cardPicture('gomoku').includes('<svg'), 'a picture is made from the name');
    check(page.artOf('Stone').paint !== page.artOf('Other').paint, 'faces are made from names');
    check(page.howToFor('gomoku') === null && page.KINDS.length === 0 && page.redFirst('gomoku') === '', 'no how-to, no editor, usual colours');
    check(page.presentationOf('gomoku').brief.length === 0, 'a plain look');
    check(page.presetWords('gomoku', { id: 'usual', title: 'Fifteen lines' }) === 'Fifteen lines', "presets in the engine's words");
    check(page.optionWords('gomoku', { id: 'swap', title: 'Swap', least: 0, most: 1, usual: 0 }).label === 'Swap', "options in the engine's words");
  });
}, SHORT);

await test('every folder of games/ is collected, in the order of its page.json', only, async () => {
  const games = readGames();
  const folders = readdirSync('games', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  check(games.length === folders.length && games.length > 1, `${games.length} games of ${folders.length} folders`);
  const places = games.map(({ page }) => page.order ?? 1000);
  check(places.every((place, i) => i === 0 || places[i - 1] <= place), `places ${places.join(', ')}`);
  const faces = new Map();
  for (const { id, art } of games.filter((game) => game.art !== null))
    for (const [, name] of readFileSync(art, 'utf8').matchAll(/^ {2}(\w+): [a-z]/gm)) {
      check(!faces.has(name), `${name} is drawn by ${faces.get(name)} and by ${id}`);
      faces.set(name, id);
    }
}, SHORT);

await test('documents say about the games what their folders say', only, async () => {
  const { status, stdout } = spawnSync('tools/games', { encoding: 'utf8' });
  check(status === 0, stdout);
  const document = readFileSync('README.md', 'utf8');
  for (const { id, title, page } of readGames()) {
    check(document.includes(`| **${title}** | ${page.readme.summary} |`), `README.md has no row of ${id}`);
    check(document.includes(`(games/${id}/RULES.md)`), `README.md leads not to the rules of ${id}`);
  }
}, SHORT);

process.exit(summary());

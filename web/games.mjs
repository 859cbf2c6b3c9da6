// games.mjs -- collects the games for the page and the documents: every folder of games/ is one, and all that is said about it
// beyond the engine lies in it (page.json, page/*.ts, RULES.md, the schemas of content/). docs/adding-a-game.md tells what each holds.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import Ajv from 'ajv';

const SCHEMA = 'games/page.schema.json';
const LESSON_SCHEMA = 'games/lesson.schema.json';
const GUIDE_SCHEMA = 'games/guide.schema.json';

/** What is wrong with a file as ajv found it: the place in it, and a sentence. */
function sentence({ instancePath, message, params }) {
  const place = instancePath.split('/').slice(1).join('.');
  const key = params.missingProperty ?? params.additionalProperty;
  const path = [place, key].filter((part) => part !== undefined && part !== '').join('.');
  if (params.missingProperty !== undefined) return `key "${path}" is missing`;
  if (params.additionalProperty !== undefined) return `key "${path}" is not known`;
  const allowed = params.allowedValues?.map((value) => JSON.stringify(value)).join(', ');
  return `key "${path}" ${message}${allowed ? `: ${allowed}` : ''}`;
}

/** Reads one file and checks it; null if it cannot be read. */
function readChecked(root, file, check, wrong) {
  try {
    const page = JSON.parse(readFileSync(join(root, file), 'utf8'));
    if (check(page)) return page;
    const all = check.errors.map(sentence);
    wrong.push(...[...new Set(all)].map((one) => `${file}: ${one}`));
  } catch (error) {
    wrong.push(`${file}: ${error.message}`);
  }
  return null;
}

/** All fields of a schema by their ways: ["kinds", ...], ["kinds.health", ...]. */
function fieldsOf(schema, above = '') {
  return Object.entries(schema?.properties ?? {}).flatMap(([key, field]) =>
    [[above + key, field], ...fieldsOf(field.type === 'array' ? field.items : field, `${above}${key}.`)]);
}

/** The German of the forms: page/german.fields.json has for each kind of document and each way to a field [label, meaning] and, where a
 * word is chosen, the words; "generator" and "generator.PARAMETER" are what makes random ones. English comes from the tables of fields by way
 * of the schemas, and from the engine. */
function germanFields(folder) {
  const file = join(folder, 'page/german.fields.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** The German of what load.c reports: page/german.problems.json has it by the English sentence as it stands there, %s and %u in the same order. */
function germanProblems(folder) {
  const file = join(folder, 'page/german.problems.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Every field of a form has a label in both languages, and German has no field that is not there. */
function checkFields(root, game, id, wrong) {
  const where = `games/${game.id}/page/german.fields.json: ${id}`;
  const german = germanFields(game.folder)[id] ?? {};
  const fields = new Map(fieldsOf(JSON.parse(readFileSync(join(root, `games/${game.id}/content/${id}.schema.json`), 'utf8'))));
  for (const [way, { title, enum: words = [] }] of fields) {
    if (title === undefined) wrong.push(`games/${game.id}/content/${id}.schema.json: ${way} has no title: the table of fields needs a label`);
    const [label, meaning, spoken = {}] = german[way] ?? [];
    if (!label || !meaning) wrong.push(`${where}: ${way}, a field of content/${id}.schema.json, is missing or has no label or meaning`);
    else if (words.join() !== Object.keys(spoken).join()) wrong.push(`${where}: ${way}: its words are ${words.join(', ')}`);
  }
  const { generator } = game.page.editors.find((editor) => editor.id === id);
  if (generator && !german.generator) wrong.push(`${where}: generator, what the random file is, is missing`);
  for (const way of Object.keys(german))
    if (!fields.has(way) && !(generator && /^generator(\.|$)/.test(way))) wrong.push(`${where}: ${way} is not a field of content/${id}.schema.json (is that up to date? make schemas)`);
}

/** Documents and schemas that the editors of a game name and that must be there, and ids that belong to one game alone. */
function checkEditors(root, game, editors, wrong) {
  for (const { id, first, boards = [] } of game.page.editors ?? []) {
    const where = `games/${game.id}/page.json: key "editors", ${id}:`;
    if (editors.has(id)) wrong.push(`${where} ${editors.get(id)} has an editor of that id already`);
    editors.set(id, game.id);
    for (const name of [first, `${id}.schema.json`])
      if (!existsSync(join(root, `games/${game.id}/content/${name}`))) wrong.push(`${where} games/${game.id}/content/${name} is missing${name.endsWith('.schema.json') ? ': make schemas' : ''}`);
    if (existsSync(join(root, `games/${game.id}/content/${id}.schema.json`))) checkFields(root, game, id, wrong);
    for (const board of boards)
      for (const key of { words: ['path', 'paints'], letters: ['path', 'paints'], units: ['kinds'], layout: ['path'] }[board.kind])
        if (board[key] === undefined) wrong.push(`${where} a board of ${board.kind} needs the key "${key}"`);
  }
}

/** Beginnings that the pictures of a guide name and that must be there. */
function checkPictures(game, wrong) {
  const { starts = {}, aim, turn, actions, end } = game.guide;
  for (const [at, { start, lesson }] of [aim, turn, ...actions, end].flatMap(({ pictures = [] }) => pictures).entries()) {
    const where = `games/${game.id}/guide.json: picture ${at + 1}`;
    if ((start === undefined) === (lesson === undefined)) wrong.push(`${where} needs one of the keys "start" and "lesson"`);
    else if (start !== undefined && !Object.hasOwn(starts, start)) wrong.push(`${where}: key "starts" has no "${start}"`);
    else if (lesson > (game.lesson?.steps.length ?? 0)) wrong.push(`${where}: lesson.json has no step ${lesson}`);
  }
}

/** All games in the order of the start screen: { id, title, page, folder, art, story, lesson, guide }: art and story are paths of modules or
 * null, guide and lesson are what their files say, the lesson may be null. Throws an Error with a line for each file and key that is missing or wrong. `root` is the folder in which games/ lies. */
export function readGames(root = '.') {
  const schemas = new Ajv({ allErrors: true, strict: false });
  for (const file of [SCHEMA, LESSON_SCHEMA, GUIDE_SCHEMA]) schemas.addSchema(JSON.parse(readFileSync(join(root, file), 'utf8')), basename(file));
  const [check, checkLesson, checkGuide] = [SCHEMA, LESSON_SCHEMA, GUIDE_SCHEMA].map((file) => schemas.getSchema(basename(file)));
  const wrong = [];
  const games = [];
  const editors = new Map();
  for (const { name: id } of readdirSync(join(root, 'games'), { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const has = (name) => existsSync(join(root, `games/${id}/${name}`));
    if (!has('page.json')) wrong.push(`games/${id}/page.json is missing: the page needs its tagline and the README its row`);
    const page = has('page.json') ? readChecked(root, `games/${id}/page.json`, check, wrong) : null;
    const lesson = has('lesson.json') ? readChecked(root, `games/${id}/lesson.json`, checkLesson, wrong) : null;
    if (!has('guide.json')) wrong.push(`games/${id}/guide.json is missing: it has the rules for players`);
    const guide = has('guide.json') ? readChecked(root, `games/${id}/guide.json`, checkGuide, wrong) : null;
    const rules = `games/${id}/RULES.md`;
    const title = existsSync(join(root, rules)) ? /^# (.+)$/m.exec(readFileSync(join(root, rules), 'utf8'))?.[1] : undefined;
    if (title === undefined) wrong.push(`${rules} is missing or has no heading: it is the game's title in documents`);
    const module = (name) => [resolve(root, `games/${id}/page/${name}.ts`)].find((file) => existsSync(file)) ?? null;
    const game = { id, title, page, folder: resolve(root, 'games', id), art: module('art'), story: module('story'), lesson, guide };
    if (page) checkEditors(root, game, editors, wrong);
    if (guide) checkPictures(game, wrong);
    games.push(game);
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const order = ({ page }) => page.order ?? 1000;
  return games.sort((one, two) => order(one) - order(two) || (one.id < two.id ? -1 : 1));
}

/** The module mashup:games: what every screen may need, with faces and pictures; rules, guide, lesson and story are fetched when they are read. */
function gamesModule(games) {
  const imports = games.flatMap(({ art }, i) => (art ? [`import * as art${i} from ${JSON.stringify(art)};`] : []));
  const rows = games.map(({ id, page: { $schema: _, order: __, readme: ___, tests: ____, editors: _____, ...page }, folder, art, story, lesson }, i) =>
    `{ id: ${JSON.stringify(id)}, ...${JSON.stringify(page)}, art: ${art ? `art${i}` : '{}'},` +
    ` rules: () => import(${JSON.stringify(join(folder, 'RULES.md'))})` +
    `${lesson ? `, lesson: () => import(${JSON.stringify(join(folder, 'lesson.json'))})` : ''}` +
    `${existsSync(join(folder, 'puzzles.json')) ? `, puzzles: () => import(${JSON.stringify(join(folder, 'puzzles.json'))})` : ''}` +
    `, guide: () => import(${JSON.stringify(join(folder, 'guide.json'))})` +
    `${story ? `, story: () => import(${JSON.stringify(story)})` : ''} }`);
  return `${imports.join('\n')}\nexport default [\n${rows.join(',\n')}\n];\n`;
}

/** The module mashup:editors: every kind of document that can be edited, with its schema. */
function editorsModule(games) {
  const kinds = games.flatMap(({ id, page }) => (page.editors ?? []).map(({ holds: _, breaks: __, ...editor }) => ({ game: id, ...editor })));
  const folders = new Map(games.map(({ id, folder }) => [id, folder]));
  const imports = kinds.map(({ game, id }, i) => `import schema${i} from ${JSON.stringify(join(folders.get(game), 'content', `${id}.schema.json`))};`);
  const german = ({ game, id }) => JSON.stringify(germanFields(folders.get(game))[id]);
  const rows = kinds.map((kind, i) => `{ ...${JSON.stringify(kind)}, schema: schema${i}, german: ${german(kind)} }`);
  return `${imports.join('\n')}\nexport default [\n${rows.join(',\n')}\n];\n`;
}

/** The module mashup:german: the German of what the games' loaders report. */
const germanModule = (games) => `export default ${JSON.stringify(Object.assign({}, ...games.map(({ folder }) => germanProblems(folder))))};\n`;

const MODULES = { 'mashup:games': gamesModule, 'mashup:editors': editorsModule, 'mashup:german': germanModule };

/** For esbuild: the modules mashup:games, mashup:editors and mashup:german, made from the folders; web/src/games.ts has their types. */
export const gamesPlugin = (root = '.') => ({
  name: 'games',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^mashup:(games|editors|german)$/ }, ({ path }) => ({ path, namespace: 'games' }));
    onLoad({ filter: /.*/, namespace: 'games' }, ({ path }) => ({ contents: MODULES[path](readGames(root)), resolveDir: resolve(root) }));
  },
});

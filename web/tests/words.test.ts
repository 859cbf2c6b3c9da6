/* words.test.ts -- the page decides by ids, never by the words that people see: no name of the games' texts is in its code, and the ids
 * that are there exist. Texts and classes of styles that nobody uses are found too. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { GAMES, gamePage } from '../src/games';
import { presentationOf } from '../src/match/panels/presentation';
import { language, LANGUAGES, type Language } from '../src/texts/language';
import { howToFor } from '../src/texts/howto';

/** A *.texts.json document. */
interface Texts {
  language: string;
  names: Record<string, Record<string, string>>;
  descriptions?: Record<string, string>;
  translations?: Record<string, string>;
}

const games = GAMES.map(({ id }) => id).filter((game) => textsOf(game).length > 0);

/* All texts that come with a game, one document for each language. */
function textsOf(game: string): Texts[] {
  const content = `games/${game}/content`;
  const names = (existsSync(content) ? readdirSync(content) : []).filter((name) => name.endsWith('.texts.json'));
  return names.map((name) => JSON.parse(readFileSync(`${content}/${name}`, 'utf8')) as Texts);
}

/* The ids of a list, in all games or in one. */
function idsOf(list: string, of = games): Set<string> {
  return new Set(of.flatMap((game) => Object.keys(textsOf(game)[0]?.names[list] ?? {})));
}

/* Files of the page that decide something: what it says is in texts/. */
function sources(): string[] {
  const under = (folder: string) => (existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : []).map((name) => `${folder}/${name}`);
  const all = ['web/src', ...games.map((game) => `games/${game}/page`)].flatMap(under);
  return all.filter((name) => /\.tsx?$/.test(name) && !name.startsWith('web/src/texts'));
}

/** Strings that are a name in some game and something else on the page: a key of the keyboard. */
const OTHERS = new Set(['Space']);

test('no name that people see is in the code of the page', () => {
  const lists = games.flatMap((game) => textsOf(game).flatMap(({ names }) => Object.entries(names)));
  const ids = new Set(lists.flatMap(([, names]) => Object.keys(names)));
  const names = new Set(lists.flatMap(([, all]) => Object.values(all)).filter((name) => !ids.has(name) && !OTHERS.has(name)));
  assert.ok(names.size > 300, 'there are names to look for');
  const found = sources().flatMap((file) => {
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
    const strings = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`$]*)`/g)];
    return strings.map(([, one, two, three]) => one ?? two ?? three ?? '').filter((text) => names.has(text)).map((text) => `${file}: ${text}`);
  });
  assert.deepEqual(found, []);
});

test('ids by which the page decides are ids of the games', () => {
  for (const game of games) {
    const { brief, later, early, together } = presentationOf(game);
    for (const id of [...brief, ...later, ...Object.keys(early)]) assert.ok(idsOf('meter', [game]).has(id), `${game}: meter ${id}`);
    const { grounds = {}, signs = {}, verbs = {} } = gamePage(game)!;
    for (const id of [...Object.keys(together), ...Object.keys(verbs)]) assert.ok(idsOf('verb', [game]).has(id), `${game}: verb ${id}`);
    for (const id of Object.keys(grounds)) assert.ok(idsOf('ground', [game]).has(id), `${game}: ground ${id}`);
    for (const id of Object.keys(signs))
      assert.ok(['item', 'effect'].some((list) => idsOf(list, [game]).has(id)), `${game}: item or effect ${id}`);
    for (const spoken of Object.keys(LANGUAGES) as Language[]) {
      language.value = spoken;
      for (const id of Object.keys(howToFor(game)?.hints ?? {})) assert.ok(idsOf('phase', [game]).has(id), `${game}: phase ${id}`);
    }
    language.value = 'en';
  }
});

test('every game speaks every language of the page', () => {
  for (const game of games) {
    const spoken = textsOf(game);
    assert.deepEqual(new Set(spoken.map((texts) => texts.language)), new Set(Object.keys(LANGUAGES)), game);
    for (const texts of spoken) assert.deepEqual(Object.keys(texts.descriptions ?? {}), Object.keys(spoken[0]!.descriptions ?? {}), game);
  }
});

/* All values of the key "name" in a document, however deep. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'name' && typeof inner === 'string' ? [inner] : namesIn(inner)));
}

test('every ability that a document of a game names is translated', () => {
  const content = 'games/ultimate-war/content';
  const { champions, punch } = JSON.parse(readFileSync(`${content}/ultimate-war.champions.json`, 'utf8')) as { champions: { abilities: unknown[] }[]; punch: unknown };
  const names = [...namesIn({ punch }), ...champions.flatMap(({ abilities }) => namesIn(abilities))];
  assert.equal(names.length, 46);
  const german = JSON.parse(readFileSync(`${content}/german.texts.json`, 'utf8')) as { translations: Record<string, string> };
  assert.deepEqual(names.filter((name) => !Object.hasOwn(german.translations, name)), []);
});

test('every name that is translated is one of the game', () => {
  for (const game of games) {
    const content = `games/${game}/content`;
    const own = readdirSync(content).filter((name) => !/texts\.json|schema\.json$/.test(name));
    const names = new Set(own.flatMap((name) => namesIn(JSON.parse(readFileSync(`${content}/${name}`, 'utf8')))));
    for (const texts of textsOf(game))
      assert.deepEqual(Object.keys(texts.translations ?? {}).filter((name) => !names.has(name)), [], `${game}, ${texts.language}`);
  }
});

/* Those of the names that the code has neither whole nor as the beginning of a name it puts together: `key-${...}`. */
function unused(names: Iterable<string>): string[] {
  const code = ['web/index.html', ...sources()].map((file) => readFileSync(file, 'utf8')).join('\n');
  const whole = new Set(code.match(/[\w.-]+/g));
  const begun = [...code.matchAll(/([\w.-]*[.-])\$\{/g)].map(([, start]) => start!);
  return [...names].filter((name) => !whole.has(name) && !begun.some((start) => name.startsWith(start)));
}

test('no text and no class of the styles is left over', () => {
  const under = (folder: string, wanted: RegExp) => readdirSync(folder).filter((name) => wanted.test(name)).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  const texts = under('web/src/texts', /^(match|texts)\.ts$/).flatMap((file) => [...file.matchAll(/^  '?([\w.-]+)'?: \{ en: /gm)]);
  assert.ok(texts.length > 400, 'there are texts to look for');
  assert.deepEqual(unused(new Set(texts.map(([, key]) => key!))), []);
  const rules = under('web/style', /\.css$/).join('\n').replace(/\/\*[\s\S]*?\*\//g, '').replace(/@import.*/g, '').match(/[^{}]+\{/g)!.join('\n');
  const classes = new Set([...rules.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!));
  assert.ok(classes.size > 200, 'there are classes to look for');
  assert.deepEqual(unused(classes), []);
});

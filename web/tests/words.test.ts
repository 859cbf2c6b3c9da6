/* words.test.ts -- the page decides by ids, never by the words that people see: no name of the games' texts is in its code, and the ids
 * that are there exist. Texts and classes of styles that nobody uses are found too. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { GAMES, gamePage } from '../src/games';
import { presentationOf } from '../src/match/panels/presentation';
import { formsOf, translated } from '../src/texts/answers';
import * as german from '../src/texts/german';
import { language, LANGUAGES, tapped, type Language } from '../src/texts/language';
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
    names.add('Hidden piece'); // what the engine itself says on the page
    for (const texts of textsOf(game))
      assert.deepEqual(Object.keys(texts.translations ?? {}).filter((name) => !names.has(name)), [], `${game}, ${texts.language}`);
  }
});

/* The rows of a table in C, X(NAME, "id", ...), by their ids. */
function idsInC(file: string, table: string): string[] {
  const text = readFileSync(file, 'utf8').split(`#define ${table}(X)`)[1]!.split(/\n\n|#define/)[0]!;
  return [...text.matchAll(/X\(\w+, "([\w-]+)"/g)].map(([, id]) => id!);
}

test('every answer of the engine and the server is there in every other language', () => {
  const ids = [...idsInC('include/mashup.h', 'MASH_STATUSES'), ...idsInC('proto/refusals.h', 'PROTO_REFUSALS')];
  assert.ok(ids.length > 85 && ids.includes('step-over') && ids.includes('too-fast'), 'both tables are read to their ends');
  assert.deepEqual(new Set(Object.keys(german.codes)), new Set(ids));
});

/* The strings inside the calls of these functions, adjacent ones as one; only those that are sentences or parts of them. */
function saidInC(file: string, calls: string): string[] {
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(new RegExp(`\\b(?:${calls})\\(`, 'g'))].flatMap(({ index }) => {
    let depth = 0;
    let end = index;
    for (let quoted = false; end < code.length && (depth > 0 || code[end] !== ')'); end++) {
      if (code[end] === '\\') end++;
      else if (code[end] === '"') quoted = !quoted;
      else if (!quoted && code[end] === '(') depth++;
      else if (!quoted && code[end] === ')' && --depth === 0) break;
    }
    return stringsOf(code.slice(index, end));
  });
}

/* The strings of a piece of C. */
function stringsOf(code: string): string[] {
  return [...code.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*/g)].map(
    ([all]) => JSON.parse(`"${all.replace(/(?<!\\)"\s*"/g, '').slice(1, -1).replace(/\\'/g, "'")}"`) as string);
}

/* The sentences that functions of a file return, and those of formats of fields. */
function returnedInC(file: string): string[] {
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(/\breturn ("[^;]*|[^;(]*\? +"[^;]*);|FieldFormat \w+ = \{([^;]*)\};|\bwrong = ([^;]*);/g)]
    .flatMap(([, one, two, three]) => stringsOf(one ?? two ?? three ?? '')).filter((text) => !text.startsWith('^'));
}

test('every sentence about a file or of the server is there in every other language', () => {
  const files = (folder: string, names: RegExp) => readdirSync(folder).filter((name) => names.test(name)).map((name) => `${folder}/${name}`);
  const loaders = [...files('base', /^(json.*|fields)\.c$/), ...files('engine', /^(content|texts)\.c$/), 'match/file.c', ...games.map((game) => `games/${game}/load.c`)];
  const problems = loaders.flatMap((file) => saidInC(file, 'json_problem|problem_add|fail|fail_at|json_missing|read_digits|wrong'))
    .concat(loaders.filter((file) => /load|texts|fields/.test(file)).flatMap(returnedInC));
  const server = files('server', /\.c$/).flatMap((file) => [
    ...saidInC(file, 'table_close|reply_text'), ...saidInC(file, 'text_format\\(reason,|text_string\\(reason,').map((one) => (one.startsWith(' ') ? `%s${one}` : one)),
    ...(/arena|lobby/.test(file) ? saidInC(file, 'arena_refuse_because').filter((one) => /^[A-Z].*\.$/.test(one)) : []),
  ]);
  const all = new Set([...problems, ...server].map((one) => one.trimEnd()).filter((one) => / /.test(one.trim()) && one !== '%s'));
  assert.ok(all.size > 110, `there are sentences to look for: ${all.size}`);
  const forms = formsOf(german.sentences);
  /* Beginnings that are joined to something: each of them has the whole of it in the catalogue. */
  const parts = ['unknown key', 'duplicate key'];
  const missing = [...all].filter((one) => !Object.hasOwn(german.sentences, one) && !parts.includes(one) && translated(forms, one) === null);
  assert.ok(missing.length === 0, `no German, which is in games/<id>/page/german.problems.json for what a game's load.c says, else in web/src/texts/german.ts:\n${missing.join('\n')}`);
  for (const [english, words] of Object.entries(german.sentences))
    assert.deepEqual(words.match(/%[sud]/g), english.match(/%[sud]/g), english);
});

test('sentences are translated with what is filled in', () => {
  const forms = formsOf(german.sentences);
  for (const [english, words] of [
    ['must be a whole number from 1 to 99, found "x"', 'muss eine ganze Zahl von 1 bis 99 sein, ist aber "x"'],
    ['key "units" is missing; it must be an array', 'der Schlüssel „units“ fehlt; er muss eine Liste sein'],
    ['must be an object, found an array', 'muss ein Objekt sein, ist aber eine Liste'],
    ['unknown key "sped"; allowed are health, speed', 'unbekannter Schlüssel "sped"; erlaubt sind health, speed'],
    ['a.start.json:3:4: $.units[0]: elf E1: duplicate unit ID (and 2 more)',
      'a.start.json:3:4: $.units[0]: elf E1: doppelte ID einer Einheit (und 2 weitere)'],
    ['Your address has reached its limit of matches per day (50). Try again in 5 minutes.',
      'Deine Adresse hat die Höchstzahl an Partien pro Tag erreicht (50). Versuche es in 5 Minuten noch einmal.'],
  ] as const) assert.equal(translated(forms, english), words);
  assert.equal(translated(forms, 'Something that nobody knows.'), null);
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

test('who has a finger is told to tap, in every text of lessons and matches', () => {
  const clicked: Record<Language, RegExp> = { en: /\bclick/i, de: /\bklick/i };
  const sources = [...GAMES.map(({ id }) => `games/${id}/lesson.json`), 'web/src/texts/match.ts'].filter((name) => existsSync(name));
  for (const one of Object.keys(LANGUAGES) as Language[]) {
    language.value = one;
    const texts = sources.flatMap((name) => [...readFileSync(name, 'utf8').matchAll(new RegExp(`\\b${one}"?: (?:'([^'\n]*)'|"([^"\n]*)")`, 'g'))].map((found) => found[1] ?? found[2] ?? ''));
    assert.ok(texts.some((text) => clicked[one].test(text)), `something is clicked in ${one}`);
    for (const text of texts) assert.doesNotMatch(tapped(text, true), clicked[one]);
    for (const text of texts) assert.equal(tapped(text, false), text);
  }
  language.value = 'en';
});

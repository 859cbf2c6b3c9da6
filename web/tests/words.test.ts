/* words.test.ts -- the engine's words in another language: every name and every sentence of the documents that come with the games. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { GAMES } from '../src/games';
import { adviceWords } from '../src/match/panels/advice';
import { Lexicon, type Texts } from '../src/texts/lexicon';

const games = GAMES.map(({ id }) => id);
const read = (game: string, name: string) =>
  JSON.parse(readFileSync(`games/${game}/content/${name}.texts.json`, 'utf8')) as Texts;
const lexicon = new Lexicon();
for (const game of games) lexicon.add(read(game, 'english'), read(game, 'german'));

/* A template filled as the engine does it; fields that are not given are empty. */
function fill(template: string, values: Record<string, string>): string {
  return template
    .replace(/\[([^\]]*)\]/g, (_, part: string) =>
      [...part.matchAll(/\{(\w+)/g)].every(([, field]) => values[field!]) ? part : '')
    .replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, field: string, one?: string, several?: string) =>
      one === undefined ? (values[field] ?? '') : values[field] === '1' ? one : several!);
}

const full = { unit: 'Ninja 2 (Red)', other: 'Thor', what: 'health', side: 'Blue', from: '3,4', to: '10,11' };
const german = { ...full, unit: 'Ninja 2 (Rot)', what: 'Leben', side: 'Blau' };

for (const game of games)
  test(`every sentence of ${game} is said in German, whole and with parts left out`, () => {
    const { events } = read(game, 'english');
    const wanted = read(game, 'german').events;
    for (const [kind, template] of Object.entries(events))
      for (const [amount, other] of [['1', 'Thor'], ['7', '']] as const) {
        if (other === '' && template.replace(/\[[^\]]*\]/g, '').includes('{other}')) continue;
        /* A piece is either a unit already or still a kind, never both. */
        const more = { amount, other, ...(template.includes('[{unit}][{what}]') ? { what: '' } : {}) };
        const text = fill(template, { ...full, ...more });
        assert.equal(lexicon.sentence(kind, text), fill(wanted[kind]!, { ...german, ...more }), text);
      }
  });

test('names have one meaning in a list, whatever game is played', () => {
  const seen = new Map<string, string>();
  for (const game of games)
    for (const [list, names] of Object.entries(read(game, 'english').names))
      for (const [id, name] of Object.entries(names)) {
        const said = read(game, 'german').names[list]?.[id];
        assert.ok(said, `${game}: ${list} ${id}`);
        if (list !== 'verb') assert.equal(seen.get(`${list} ${name}`) ?? said, said, `${game}: ${list} ${name}`);
        seen.set(`${list} ${name}`, said);
      }
});

test('what is not known stays as it is', () => {
  assert.equal(lexicon.word('kind', 'Wizard'), 'Wizard');
  assert.equal(lexicon.unit('Wizard 3'), 'Wizard 3');
  assert.equal(lexicon.sentence('moved', 'Something else.'), 'Something else.');
  assert.equal(lexicon.word('reason', 'the loser resigned'), 'Wer verliert, hat aufgegeben');
});

test('advice is taken apart into sentences', () => {
  assert.equal(
    adviceWords('Dr. Strange goes from 1,2 to 3,4. Loses 30 health until the reply is over.'),
    'Dr. Strange goes from 1,2 to 3,4. You may lose about 30 health before your next turn.',
  );
  assert.equal(adviceWords('3 of 4 times: Zombie F. faints and is out.'), '3 of 4 times: Zombie F. faints and is out.');
  assert.equal(adviceWords(''), '');
});

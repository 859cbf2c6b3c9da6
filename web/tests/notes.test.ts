/* notes.test.ts -- notes of replays: what is read of a file or a link, and what is written; lessons have the same form. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { GAMES, gamePage } from '../src/games';
import { notesOf, type Lesson } from '../src/lesson/script';
import { marksOfNote, packNotes, pointed, readNotes, unpackNotes, withNotes, withWords, wordsOf, type MatchNote } from '../src/table/notes';
import { language } from '../src/texts/language';

const notes: MatchNote[] = [
  { at: 0, text: { en: 'Look "here"', de: 'Schau' } },
  { at: 2, point: ['cell 3 4', 'unit h0', 'arrow 1 4 3 4 green'] },
  { at: 4, text: 'Done\nnow', point: ['cell 0 0 red'] },
];

test('notes are read strictly: what is none, is too late or too long is left out', () => {
  assert.deepEqual(readNotes(notes, 4), notes);
  assert.deepEqual(readNotes([notes[2], notes[0]], 4), [notes[0], notes[2]], 'in order');
  const wrong = [null, 3, { at: -1, text: 'x' }, { at: 5, text: 'x' }, { at: 1.5, text: 'x' }, { at: 1 }, { at: 1, text: '' }, { at: 1, text: {} },
    { at: 1, text: 'ü'.repeat(501) }, { at: 1, text: { en: 3 } }, { at: 1, point: ['cell 3', 'cell 3 4 pink', 'arrow 1 2 3', 'cell 100 1', 'unit a b', 7] }];
  assert.deepEqual(readNotes(wrong, 4), []);
  assert.deepEqual(readNotes({ at: 1, text: 'x' }, 4), []);
  assert.deepEqual(readNotes([{ at: 1, text: 'x', point: ['cell 1 2', 'cell 1'] }], 4), [{ at: 1, text: 'x', point: ['cell 1 2'] }]);
});

test('a file has them at its end, and is what it was without them', () => {
  const bare = '{\n  "mashup-match": 1,\n  "result": null\n}\n';
  const noted = withNotes(bare, notes);
  assert.deepEqual((JSON.parse(noted) as { notes: unknown }).notes, notes);
  assert.equal(noted.split('\n').filter((line) => line.startsWith('    {"at"')).length, 3, 'each has a line');
  assert.deepEqual(JSON.parse(withNotes(noted, [])), JSON.parse(bare));
  assert.equal(withNotes(bare, []), bare);
  assert.deepEqual((JSON.parse(withNotes(noted, notes.slice(1))) as { notes: unknown }).notes, notes.slice(1));
});

test('a link has them; a damaged one has none', async () => {
  const link = (await packNotes(notes))!;
  assert.match(link, /^[\w-]+$/);
  assert.deepEqual(await unpackNotes(link, 4), notes);
  assert.deepEqual(await unpackNotes(link, 3), notes.slice(0, 2), 'of another match only what can be');
  for (const damaged of ['', '*', link.slice(2), `${link}aaaa`.split('').reverse().join('')]) assert.deepEqual(await unpackNotes(damaged, 4), []);
  const random = Array.from({ length: 40 }, (_, at) => ({ at, text: createHash('sha512').update(`${at}`).digest('base64') + createHash('sha512').update(`${at}!`).digest('base64') }));
  assert.equal(await packNotes(random), null, 'too long');
});

test('the same is erased, another colour takes its place, words are those of the language', () => {
  assert.deepEqual(pointed(['cell 1 2'], 'cell 1 2'), []);
  assert.deepEqual(pointed(['cell 1 2', 'unit h0'], 'cell 1 2 red'), ['unit h0', 'cell 1 2 red']);
  assert.deepEqual(marksOfNote(notes[1]!.point!), [{ x: 3, y: 4, colour: '' }, { x: 1, y: 4, to: { x: 3, y: 4 }, colour: 'green' }]);
  language.value = 'de';
  assert.equal(wordsOf(notes[0]!), 'Schau');
  assert.deepEqual(withWords(notes[0]!, 'Hier'), { at: 0, text: { en: 'Look "here"', de: 'Hier' } });
  assert.deepEqual(withWords(withWords(notes[0]!, ''), '').text, { en: 'Look "here"' });
  language.value = 'en';
  assert.deepEqual(withWords(notes[2]!, ''), { at: 4, point: ['cell 0 0 red'] });
});

test('lessons are notes of the same form', async () => {
  for (const { id } of GAMES) {
    const script: Lesson | undefined = (await gamePage(id)?.lesson?.())?.default;
    if (!script) continue;
    const found = notesOf(script).map(({ at, text, point }) => ({ at, text, ...(point ? { point: point.filter((one) => !one.startsWith('control ')) } : {}) }));
    const told = found.map(({ point, ...note }) => (point?.length ? { ...note, point } : note));
    assert.deepEqual(readNotes(told, told.at(-1)?.at ?? 0), told, id);
  }
});

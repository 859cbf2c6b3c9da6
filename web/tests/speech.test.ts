/* speech.test.ts -- what is said: several facts as one sentence, less of it if there is no room, and what typed questions ask. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { happened } from '../src/match/speech/happened';
import { questionOf } from '../src/match/speech/questions';
import { oneSentence, polite, speak, urgent } from '../src/speech';
import type { LogLine } from '../src/table/table';

/** A line of the log about an event of a kind. */
function line(kind: string, text: string): LogLine {
  return { text, number: 1, event: { kind, unit: 255, other: 255, from: [0, 0], at: [0, 0], amount: 0, what: 0, text } };
}

test('facts are one sentence, and the same once more is said once more', () => {
  assert.equal(oneSentence(['Thor moves.', '', 'Hulk loses 12. ']), 'Thor moves; Hulk loses 12.');
  assert.equal(oneSentence(['Really?', 'Yes!']), 'Really; Yes!');
  assert.equal(oneSentence([]), '');
  speak('Hulk loses 12.');
  const first = polite.value;
  speak('Hulk loses 12.');
  assert.notEqual(polite.value, first);
  assert.equal(polite.value.trim(), first);
  speak('');
  assert.equal(polite.value.trim(), first, 'silence says nothing');
  speak('Your turn', urgent);
  assert.deepEqual([urgent.value, polite.value.trim()], ['Your turn', first]);
});

test('three steps of what is said of what happened', () => {
  const lines = [line('turn-began', 'Turn.'), line('moved', 'Moves.'), line('placed', 'Placed.'), line('attacked', 'Attacks.'), line('hurt', 'Hurts.'), line('died', 'Dies.')];
  assert.equal(happened(lines, 'few'), 'Attacks; Dies; and 1 more.');
  assert.equal(happened(lines, 'usual'), 'Moves; Attacks; Hurts; Dies.');
  assert.equal(happened(lines, 'all'), 'Turn; Moves; Attacks; Hurts; Dies.');
  assert.equal(happened([line('turn-began', 'Turn.')], 'usual'), '');
  const many = Array.from({ length: 9 }, (_, at) => line('moved', `Move ${at}.`));
  assert.equal(happened([...many, line('match-ended', 'The end.')], 'usual'), 'Move 0; Move 1; Move 2; Move 3; The end; and 5 more.');
});

test('questions of the command line in both languages', () => {
  const asked = (typed: string) => { const question = questionOf(typed); return question && `${question.what} ${question.whom}`; };
  const wanted: [string, string | null][] = [
    ['where stones', 'where stones'], ['Where is my  Hulk?', 'where hulk'], ['wo sind die Steine', 'where steine'], ['wo Hulk', 'where hulk'],
    ['who can hit hulk', 'hit hulk'], ['wer kann Hulk treffen?', 'hit hulk'], ['wer trifft hulk', 'hit hulk'],
    ['reach hulk', 'within hulk'], ['Reichweite Hulk', 'within hulk'], ['what can hulk do', 'can hulk'], ['was kann hulk tun', 'can hulk'],
    ['turn order', 'turns '], ['Zugreihenfolge', 'turns '], ['score', 'score '], ['Stand', 'score '], ['last action', 'last '], ['letzte Aktion', 'last '],
    ['prepared', 'prepared '], ['Vorbereiteter Zug', 'prepared '],
    ['move hulk 3 4', null], ['wherever', null], ['', null],
  ];
  for (const [typed, answer] of wanted) assert.equal(asked(typed), answer, typed);
});

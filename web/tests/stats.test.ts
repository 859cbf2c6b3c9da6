/* stats.test.ts -- what many matches tell, counted from a few that are written down here. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { bandOf, everybody, levelOf, totalsOf, type CountedMatch } from '../src/stats/count';

const match = (winner: number, who: CountedMatch['who'], choices: [0 | 1, string][], first: string, over = true): CountedMatch =>
  ({ tally: { choices, first, seat: 0, winner, actions: 10, over }, who });
const matches = [
  match(0, ['level-3', 'guest'], [[0, 'Hulk'], [1, 'Thor']], 'move a'),
  match(1, ['level-3', 'level-5'], [[0, 'Hulk'], [1, 'Thor']], 'move b'),
  match(255, ['guest', 'level-3'], [[0, 'Thor'], [1, 'Hulk']], 'move a'),
  match(0, ['guest', 'guest'], [[0, 'Loki']], 'move c', false),
];

test('everybody: sides, choices and first turns, the most frequent first', () => {
  const all = totalsOf(matches, null);
  assert.deepEqual([all.matches, all.drawn, all.points, all.actions], [3, 1, 1.5, 30]);
  assert.deepEqual(all.choices, [{ name: 'Hulk', matches: 3, points: 1.5 }, { name: 'Thor', matches: 3, points: 1.5 }]);
  assert.deepEqual(all.firstTurns, [{ name: 'move a', matches: 2, points: 1.5 }, { name: 'move b', matches: 1, points: 0 }]);
});

test('one level: only what it chose and played, in the matches in which it sat', () => {
  const level = totalsOf(matches, 'level-3');
  assert.equal(level.matches, 3);
  assert.deepEqual(level.choices, [{ name: 'Hulk', matches: 3, points: 1.5 }]);
  assert.deepEqual(level.firstTurns, [{ name: 'move a', matches: 1, points: 1 }, { name: 'move b', matches: 1, points: 0 }]);
  assert.deepEqual(totalsOf(matches, 'level-5').choices, [{ name: 'Thor', matches: 1, points: 1 }]);
  assert.deepEqual(everybody(matches), ['guest', 'level-3', 'level-5']);
});

test('levels by the names of programs, bands by ratings', () => {
  assert.deepEqual(['Computer 5', 'Computer, level 3', 'Computer, Stufe 8', 'Computer 9', 'level2', 'Ann', 'Bot 1', 'level12'].map(levelOf),
    ['level-5', 'level-3', 'level-8', 'level-9', 'level-2', 'guest', 'guest', 'guest']);
  assert.deepEqual([1399, 1400, 1600, 1601].map(bandOf), ['below-1400', '1400-1600', '1400-1600', 'above-1600']);
});

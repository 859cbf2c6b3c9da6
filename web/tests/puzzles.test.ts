/* puzzles.test.ts -- matches between programs are counted; the puzzle of a day, the rating of who solves them, and every shipped puzzle: its match is possible, and its turns are. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { dayOf, gameOfDay, numberOfDay, type PuzzleFile } from '../src/puzzles/file';
import { shareOf } from '../src/stats/share';
import { engine } from './engine';

/** The files that are shipped. */
const files = readdirSync('games').map((id) => `games/${id}/puzzles.json`).filter((name) => existsSync(name))
  .map((name) => JSON.parse(readFileSync(name, 'utf8')) as PuzzleFile);

test('each day has another game, and goes through its puzzles', () => {
  const games = ['one', 'two', 'three'];
  const day = dayOf(new Date(2026, 0, 5, 0, 30));
  assert.equal(dayOf(new Date(2026, 0, 5, 23, 30)), day);
  assert.equal(dayOf(new Date(2026, 0, 6, 0, 30)), day + 1);
  assert.deepEqual(new Set([0, 1, 2].map((more) => gameOfDay(day + more, games))), new Set(games));
  const seen = [0, 1, 2, 3].map((more) => numberOfDay(day + 3 * more, 4, 3));
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3]);
});

test('a rating changes as natively', async () => {
  const { call } = engine();
  const first = await call('puzzleRating', { rating: null, idle_ms: 0, other: 1450, solved: true });
  assert.equal(first.rating, 1652378401);
  assert.equal(first.deviation, 253595098);
  const second = await call('puzzleRating', { rating: first, idle_ms: 24 * 3600 * 1000, other: 2100, solved: false });
  assert.equal(second.rating, 1627936492);
  assert.equal(second.deviation, 237461041);
});

/** How much worse the second best turn is at least, in games where one turn decides less than elsewhere. */
const GAPS: Record<string, number> = { battleground: 2000, generals: 3000, 'marvelous-mashup': 2500 };

test('every shipped puzzle can be opened, and its turns played', async () => {
  assert.ok(files.length >= 6);
  for (const { game, gap, puzzles } of files) {
    const { call } = engine();
    assert.equal(gap, GAPS[game], game);
    assert.equal(new Set(puzzles.map(({ seed }) => seed)).size, puzzles.length, `${game}: two of a match`);
    for (const { preset, content, seed, actions, seat, solutions, instead, best, second, level } of puzzles) {
      assert.ok(best - second >= (gap ?? 4000) && level !== 3, `${game} ${seed}`);
      for (const turn of [...solutions, instead]) {
        const terms = await call('puzzleOpen', { game, preset, content, seed, actions });
        assert.notEqual(terms, null, `${game} ${seed}`);
        assert.deepEqual((await call('waits')).awaited, [seat]);
        assert.equal(await call('puzzleBegin'), true);
        for (const word of turn) {
          assert.equal(await call('puzzleOver'), false, `${game} ${seed}: ${turn.join(', ')}`);
          assert.equal(await call('acts', { seat, words: [word] }), null, `${game} ${seed}: ${word}`);
        }
        assert.equal(await call('puzzleOver'), true, `${game} ${seed}: ${turn.join(', ')}`);
      }
    }
  }
});

test('a puzzle of another board is not opened', async () => {
  const { call } = engine();
  const [{ game, puzzles }] = files as [PuzzleFile];
  const [puzzle] = puzzles as [(typeof puzzles)[number]];
  assert.equal(await call('puzzleOpen', { game, ...puzzle, content: '0123456789abcdef' }), null);
});

test('programs play a match of any content to its end, the same from the same seed', async () => {
  const seen: string[] = [];
  for (const _ of [0, 1]) {
    const { call, load } = engine();
    await load({ game: 'zorde', preset: 'duel' });
    assert.equal(await call('begin', { options: {}, seed: [7, 0, 0, 0] }), null);
    let done = await call('playOn', { level: 4, seed: 7, actions: 3 });
    assert.ok(done && done.count === 3 && done.result === null);
    while (done && !done.result) done = await call('playOn', { level: 4, seed: 7, actions: 20 });
    seen.push(JSON.stringify(done));
  }
  assert.equal(seen[0], seen[1]);
});

test('a share has the interval of Wilson', () => {
  const { is, low, high } = shareOf(30, 50);
  assert.equal(is, 0.6);
  assert.ok(Math.abs(low - 0.4618) < 0.0005 && Math.abs(high - 0.7239) < 0.0005, `${low} ${high}`);
});

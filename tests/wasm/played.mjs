// played.mjs -- what the page does with a match besides playing it: programs play it on, one of its turns is a puzzle, its file is counted.
// A part of wasm.mjs, which hands over the engine and how to read and write its texts.
import { existsSync, readFileSync } from 'node:fs';

const POINT = 1e6; // of ratings and deviations
const NODES = 200000; // to judge a turn: as many as the page takes

/** The checks of what is played. `tools`: engine, check, text, write of wasm.mjs. */
export function played({ engine, check, text, write }) {
  const game = (number) => (engine.game_choose(number), JSON.parse(text(engine.game_text())));
  const begin = (number, preset, seed) => engine.game_choose(number) === 1 && engine.content_load(preset) === 1 && engine.match_begin(...seed) === 0;

  /** Programs play a match on from where it is: in slices as at once, another with another seed, until it is over. */
  function playOn(number) {
    const { id } = game(number);
    check(`${id} without content is not played on`, engine.play_on(1, 1, 1) === 2 && engine.content_load(0) === 1 && engine.play_on(1, 1, 1) === 2);
    const playedBy = (level, seed, ...slices) => {
      check(`${id} begins`, begin(number, 0, [1, 2, 3, 4]));
      slices.forEach((count) => check(`${id} is played on`, engine.play_on(level, seed, count) === 0));
      check(`${id} has so many actions`, engine.match_length() === slices.reduce((sum, count) => sum + count, 0));
      return text(engine.match_save(...write('first', 'second')));
    };
    const whole = playedBy(1, 7, 40);
    check(`${id} is played on in slices`, playedBy(1, 7, 15, 0, 25) === whole);
    check(`${id} is played on by the whole seed`, playedBy(1, 8, 40) !== whole && playedBy(1, 0x80000007, 40) !== whole);
    const better = playedBy(2, 7, 12);
    check(`${id} begins with new plans`, playedBy(2, 7, 12) === better && engine.match_rewind(0) === 1 && engine.play_on(2, 7, 12) === 0 && text(engine.match_save(...write('first', 'second'))) === better);
    const levels = JSON.parse(text(engine.ai_levels())).length;
    for (const level of [0, levels + 1]) check(`${id} is not played on by level ${level}`, engine.play_on(level, 1, 1) === 2 && engine.match_length() === 12);
    engine.seat_view_take(0, 0);
    check(`${id} is played on by the best level`, engine.play_on(levels, 1, 0) === 0 && engine.position() > 0);
    check(`${id} has no view then`, engine.play_on(1, 1, 1) === 0 && engine.position() === 0 && engine.match_length() === 13);
    for (let left = 100; left > 0 && engine.play_on(1, 3, 20) === 0; left--);
    const length = engine.match_length();
    if (engine.awaited() === 0)
      check(`${id} is over`, engine.play_on(1, 3, 1) === 1 && engine.play_on(1, 3, 0) === 0 && engine.match_length() === length && (engine.result() & 1) === 1);
  }

  /** Plays a turn in words from where a puzzle begins, which is over with its last word and not before: its chance. */
  function judged(name, number, { preset, seed, actions, seat }, words) {
    const presets = game(number).presets.map((one) => one.id);
    check(`${name} begins`, begin(number, presets.indexOf(preset), [24, 16, 8, 0].map((at) => parseInt(seed.slice(at, at + 8), 16))));
    for (const [digits] of actions.matchAll(/.{16}/g)) {
      const action = Buffer.from(digits, 'hex');
      check(`${name} takes ${digits}`, engine.act(action.readUInt32LE(0), action.readUInt32LE(4)) === 0);
    }
    check(`${name} is somebody's`, engine.puzzle_begin() === 1 && engine.awaited() === 1 << seat);
    for (const word of words)
      check(`${name} takes ${word}`, engine.puzzle_over() === 0 && engine.step_begin() === 0 && engine.step_add(seat, write(word)[0]) === 0, text(engine.text_at()));
    check(`${name} is over`, engine.puzzle_over() === 1);
    return engine.puzzle_judge(NODES);
  }

  /** The shipped puzzles of a game: their solutions are judged better than half of the way from the second best turn, which is not. */
  function puzzles(number) {
    const { id } = game(number);
    check(`${id} has no puzzle before a match`, engine.puzzle_begin() === 0 && engine.puzzle_judge(NODES) === 0 && engine.content_load(0) === 1 && engine.puzzle_begin() === 0);
    const path = `games/${id}/puzzles.json`;
    if (!existsSync(path)) return;
    const puzzle = JSON.parse(readFileSync(path, 'utf8')).puzzles[1];
    const half = (puzzle.best + puzzle.second) / 2;
    const solved = judged(`puzzle of ${id}`, number, puzzle, puzzle.solutions[0]);
    const missed = judged(`puzzle of ${id}`, number, puzzle, puzzle.instead);
    check(`${id} knows the solution`, solved > half && solved <= 10000 && missed < half && missed > 0, `${solved}, ${missed}`);
    engine.game_choose(number);
    check(`${id} forgets its puzzle`, engine.puzzle_begin() === 0 && engine.puzzle_judge(NODES) === 0);
  }

  /** Ratings of who plays puzzles. */
  function ratings() {
    const rate = (...values) => JSON.parse(text(engine.puzzle_rating(...values)));
    const start = { rating: 1500 * POINT, deviation: 350 * POINT, volatility: 0.06 * 1e12 };
    const by = (one, idle, other, solved) => rate(one.rating, one.deviation, one.volatility, idle, other * POINT, solved);
    const [won, lost] = [1, 0].map((solved) => rate(0, 0, 0, 0, 1500 * POINT, solved));
    check('who begins is rated as the first', JSON.stringify(won) === JSON.stringify(by(start, 0, 1500, 1)) && Object.keys(won).join() === 'rating,deviation,volatility');
    check('a puzzle is a match against a rating', won.rating === 1674855653 && lost.rating === 1325144347 && won.deviation === 252462340, JSON.stringify([won, lost]));
    check('a harder puzzle is worth more', by(start, 0, 1900, 1).rating > won.rating && by(start, 0, 1100, 0).rating < lost.rating);
    const sure = { ...start, deviation: 60 * POINT };
    check('who has waited is less sure', by(sure, 1e11, 1500, 1).deviation > by(sure, 0, 1500, 1).deviation && by(sure, 1e11, 1500, 1).rating > by(sure, 0, 1500, 1).rating);
  }

  /** What a file of a match that is over tells statistics: what `mashup stats` counts of it, `counted` for both players together and for each. */
  function tallies(id, file, both, seats) {
    engine.game_choose(0);
    check(`${id} tells nothing without a match`, engine.tally_text() === 0 && engine.match_open(...write('match.json', file)) === 1);
    const length = engine.match_length();
    const tally = JSON.parse(text(engine.tally_text()));
    check(`${id} tells how it ended`, tally.actions === length && length === both.length && tally.over && (tally.winner === 255) === (both.drawn === 1) && (tally.winner === 0) === (both.share === 1000), JSON.stringify(tally));
    const chosen = (names) => Object.entries(names.reduce((all, name) => ({ ...all, [name]: (all[name] ?? 0) + 1 }), {})).sort().join();
    seats.forEach(({ choices }, seat) => {
      const told = tally.choices.filter(([of]) => of === seat).map(([, name]) => name);
      check(`${id} tells what seat ${seat} chose`, chosen(told) === choices.map(({ name, matches }) => `${name},${matches}`).sort().join(), `${told}`);
    });
    const first = [both, ...seats].map((counted) => counted.first_turns.map(({ name }) => name).join());
    check(`${id} tells its first turn`, tally.first === first[0] && (tally.seat === 255 ? first[0] === '' : first[1 + tally.seat] === first[0] && first[2 - tally.seat] === ''), JSON.stringify([tally.seat, first]));
    check(`${id} is told again`, engine.match_goto(length) === 1 && text(engine.tally_text()) === JSON.stringify(tally));
  }

  return { playOn, puzzles, ratings, tallies };
}

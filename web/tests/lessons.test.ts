/* lessons.test.ts -- every lesson is played by the engine from its first step to its last, with everything that it lets a learner do. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { GAMES } from '../src/games';
import { cellsOf, contentOf, fits, notesOf, only, perform, setUp, type Lesson } from '../src/lesson/script';
import { actionsOf, otherSeat } from '../src/model';
import { LANGUAGES, type Language } from '../src/texts/language';
import { engine } from './engine';

const CHARACTERS_MAX = 240;
/** So many of the actions that a * allows are tried. */
const CHOICES_MAX = 12;

/** What a run of a lesson showed. */
interface Run {
  /** The verbs that the learner used, and what was chosen wherever there was a choice. */
  verbs: Set<string>;
  choices: string[][];
  length: number;
  file: string;
}

/** Plays a lesson to its end; wherever it lets the learner choose, `pick` says which. Throws where it contradicts the rules. */
async function play(game: string, lesson: Lesson, pick: (choices: string[], at: number) => string = ([first]) => first!): Promise<Run> {
  const table = engine();
  const run: Run = { verbs: new Set(), choices: [], length: 0, file: '' };
  await setUp(table, game, lesson.start);
  for (const [at, { do: own = [], then = [], point = [] }] of lesson.steps.entries()) {
    const where = `${game}, step ${at + 1}`;
    const { board } = await table.call('see', { eyes: lesson.seat });
    const aims = point.filter((one) => !one.startsWith('control '));
    assert.equal(cellsOf(aims, board).length, aims.length, `${where} points at who is not on the board: ${aims.join(', ')}`);
    for (const { x, y } of cellsOf(aims, board)) assert.ok(x < board.width && y < board.height, `${where} points at ${x},${y}`);
    for (const wanted of own) {
      const position = await table.call('see', { eyes: lesson.seat });
      const choices = actionsOf({ ...position, actions: only(position.actions, wanted) });
      assert.ok(choices.length > 0, `${where}: "${wanted}" is not allowed; allowed: ${actionsOf(position).map(({ word }) => word).join(', ')}`);
      if (choices.length > 1) run.choices.push(choices.map(({ word }) => word));
      const word = choices.length > 1 ? pick(choices.map((choice) => choice.word), run.choices.length - 1) : choices[0]!.word;
      run.verbs.add(choices[0]!.id);
      await perform(table, lesson.seat, word);
    }
    for (const word of then) await perform(table, otherSeat(lesson.seat), word).catch((error: Error) => assert.fail(`${where}: ${error.message}`));
  }
  run.length = (await table.call('see', { eyes: 'all' })).number;
  run.file = await table.call('save', { players: ['Ann', 'Bob'] });
  return run;
}

/** The lesson of a game. */
async function lessonOf(id: string): Promise<Lesson> {
  return (await GAMES.find((game) => game.id === id)!.lesson!()).default;
}

for (const { id, lesson } of GAMES.filter((game) => game.lesson)) {
  test(`the lesson of ${id} can be played to its end, whatever it lets one choose`, async () => {
    const script = (await lesson!()).default;
    const run = await play(id, script);
    assert.equal(script.steps.at(-1)!.do, undefined, 'the last step only says something');
    assert.ok(script.steps[0]!.do, 'the first step asks for something');
    assert.ok(run.verbs.size > 0);
    for (const [at, words] of run.choices.entries())
      for (const word of words.slice(1, CHOICES_MAX)) await play(id, script, (choices, place) => (place === at ? word : choices[0]!));
  });

  test(`the lesson of ${id} is a match file with notes`, async () => {
    const script = (await lesson!()).default;
    const run = await play(id, script);
    const notes = notesOf(script);
    assert.ok(notes.every(({ at }, i) => at >= (notes[i - 1]?.at ?? 0) && at <= run.length));
    assert.equal(notes.at(-1)!.at, run.length, 'the last note is at the end');
    const opened = await engine().call('open', { name: 'lesson.json', text: run.file });
    assert.ok(!('problems' in opened), JSON.stringify(opened));
    assert.equal(opened.length, run.length);
  });

  test(`the lesson of ${id} speaks every language, briefly, and leads to a board of the game`, async () => {
    const script = (await lesson!()).default;
    assert.ok(script.steps.length >= 8 && script.steps.length <= 14, `${script.steps.length} steps`);
    for (const [at, { text }] of script.steps.entries())
      for (const spoken of Object.keys(LANGUAGES) as Language[]) {
        assert.ok(text[spoken], `step ${at + 1} in ${spoken}`);
        assert.ok(text[spoken].length <= CHARACTERS_MAX, `step ${at + 1} in ${spoken} has ${text[spoken].length} characters`);
      }
    const { preset } = script.next ?? {};
    await engine().load({ game: id, ...(preset ? { preset } : {}) });
  });
}

test('a lesson that contradicts the rules is noticed', async () => {
  const lesson = await lessonOf('zorde');
  const changed = (change: (copy: Lesson) => void) => {
    const copy = structuredClone(lesson);
    change(copy);
    return play('zorde', copy);
  };
  await assert.rejects(changed(({ steps }) => (steps[1]!.do = ['step h0 5 5'])), /step 2: "step h0 5 5" is not allowed/);
  await assert.rejects(changed(({ steps }) => (steps[1]!.then = ['step t0 0 0'])), /step 2: seat 1, "step t0 0 0"/);
  await assert.rejects(changed(({ steps }) => (steps[7]!.point = ['unit t0'])), /step 8 points at who is not on the board/);
  await assert.rejects(changed(({ start }) => (start.before = [{ seat: 1, do: ['step t0 3 2'] }])), /seat 1, "step t0 3 2"/);
});

test('only what a step asks for is offered', () => {
  assert.ok(fits('step h0 2 4', 'step h0 2 4') && fits('step h0 * *', 'step h0 2 4') && fits('*', 'end'));
  assert.ok(!fits('step h0 2 4', 'step h0 2 5') && !fits('*', 'step h0 2 4') && !fits('step h0 2', 'step h0 2 4'));
  const group = { verb: 1, id: 'step', name: 'step', unit: 0, ability: 0, cells: [[1, 1], [1, 2]], words: ['step h0 1 1', 'step h0 1 2'] };
  assert.deepEqual(only([group], 'step h0 1 2'), [{ ...group, cells: [[1, 2]], words: ['step h0 1 2'] }]);
  assert.deepEqual(only([group], 'end'), []);
  assert.deepEqual(only([group], undefined), []);
  assert.deepEqual(contentOf('zorde', { seed: 1, preset: 'duel' }), { game: 'zorde', preset: 'duel' });
});

/* guides.test.ts -- the rules for players: the engine plays every picture, what happens is what the picture claims, what it calls
 * forbidden is refused, its numbers are numbers of the position, and every name stands for something in both languages. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Names } from '../src/engine/calls';
import { GAMES } from '../src/games';
import { cellsOf } from '../src/lesson/script';
import { actionsOf, UNIT_NONE } from '../src/model';
import { develop, eventWords, partsOf, picturesOf, type Guide, type Picture, type Scene } from '../src/rules/guide';
import { partakers, sceneWords } from '../src/rules/scene';
import { LANGUAGES, type Language } from '../src/texts/language';
import { engine } from './engine';

const SPOKEN = Object.keys(LANGUAGES) as Language[];

/** All numbers that a scene shows: meters, amounts, and how often something is done. */
function numbersOf({ before, after, reach }: Scene, picture: Picture): Set<number> {
  const boards = [before, ...after].map(({ board }) => board);
  const counts = [picture.do?.length ?? 0, after.flatMap(({ events }) => events).length];
  return new Set([...counts, ...boards.flatMap(({ meters }) => meters.flatMap(({ now, most }) => [now, most ?? now])),
    ...after.flatMap(({ events }) => events.map(({ amount }) => amount)), ...(reach?.cells ?? []).map((cell) => (cell as { steps?: number }).steps ?? 0)]);
}

/** The ids of the kinds that take part in a scene, also of those that the picture hides: who acts or is acted on, is looked at or pointed at;
 * without any of these all who are there. */
async function castOf(game: string, guide: Guide, picture: Picture): Promise<Set<string | undefined>> {
  const { before, after, reach } = await develop(engine(), game, guide, { ...picture, open: true });
  const { tokens } = before.board;
  const events = after.flatMap((position) => position.events);
  const acting = partakers(events).filter((unit) => unit !== UNIT_NONE);
  const cells = [...cellsOf(picture.point ?? [], before.board), ...events.filter(({ unit }) => acting.includes(unit)).map(({ at: [x, y] }) => ({ x, y }))];
  const units = new Set([...acting, reach?.unit]);
  const named = tokens.filter(({ unit, x, y }) => (unit !== UNIT_NONE && units.has(unit)) || cells.some((cell) => cell.x === x && cell.y === y));
  const items = events.flatMap(({ what_id: id }) => (id === undefined ? [] : [`${id}-stone`]));
  return new Set([...(cells.length + units.size > 1 ? named : tokens).map(({ kind_id: id }) => id), ...items]);
}

/** Plays one picture and compares. */
async function look(game: string, guide: Guide, picture: Picture): Promise<Scene> {
  const table = engine();
  const scene = await develop(table, game, guide, picture);
  const board = scene.before.board;
  const happened = scene.after.flatMap(({ events }) => events.map((event) => eventWords(event, board)));
  let from = 0;
  for (const claimed of picture.shows ?? []) {
    const at = happened.findIndex((one, index) => index >= from && (one === claimed || one.startsWith(`${claimed} `)));
    assert.ok(at >= 0, `"${claimed}" does not happen; what happens: ${happened.join(', ')}`);
    from = at + 1;
  }
  assert.equal(picture.do === undefined, picture.shows === undefined, 'what is done has an outcome that is claimed');
  assert.ok(board.tokens.some(({ place }) => place === 'board'), 'somebody is on the board');
  assert.equal(cellsOf(picture.point ?? [], board).length, (picture.point ?? []).length, 'who is pointed at is on the board');
  const listed = await develop(engine(), game, guide, { ...picture, do: [] }).then(({ before }) => actionsOf(before).map(({ word }) => word));
  for (const word of picture.refused ?? []) {
    const like = word.split(' ').slice(0, 2).join(' ');
    assert.ok(listed.some((one) => one.startsWith(`${like} `)) && !listed.includes(word), `"${word}" is not refused, or nothing like it is allowed`);
  }
  return scene;
}

for (const { id, guide: load } of GAMES) {
  test(`${id}: the pictures of its guide are real, and what they claim happens`, async () => {
    const guide = (await load()).default;
    for (const [at, picture] of picturesOf(guide).entries()) {
      const where = `picture ${at + 1}, "${picture.text.en}"`;
      const scene = await look(id, guide, picture).catch((error: Error) => assert.fail(`${where}: ${error.message}`));
      const numbers = numbersOf(scene, picture);
      for (const spoken of SPOKEN)
        for (const [number] of picture.text[spoken].matchAll(/\d+/g)) assert.ok(numbers.has(Number(number)), `${where}: ${number} is no number of it`);
      const cast = await castOf(id, guide, picture);
      for (const spoken of SPOKEN)
        for (const [, kind] of picture.text[spoken].matchAll(/\{kind:([\w-]+)\}/g)) assert.ok(cast.has(kind), `${where}: it names ${kind}, which takes no part and is not pointed at; these are: ${[...cast].join(', ')}`);
      const words = sceneWords(scene, cellsOf(picture.point ?? [], scene.before.board));
      assert.ok(words.before.length > 10 && (scene.after.length === 0 || words.after.length > 10), `${where} has no words`);
    }
  });

  test(`${id}: its guide names what there is, in every language`, async () => {
    const guide = (await load()).default;
    const texts = [guide.aim, guide.turn, ...guide.actions, guide.end].flatMap(({ text }) => text)
      .concat(guide.hints, guide.actions.map(({ title }) => title), picturesOf(guide).map(({ text }) => text));
    for (const language of SPOKEN) {
      const table = engine();
      await table.call('speak', { language });
      const names: Names = await table.call('names', { game: id });
      for (const text of texts) {
        for (const [whole, list, name] of text[language].matchAll(/\{(\w+):([\w-]+)\}/g)) assert.ok(names[list as keyof Names]?.[name!], `${whole} in "${text[language]}"`);
        assert.ok(!/[{}]/.test(partsOf(text[language], names).map((part) => part.text).join('')), text[language]);
      }
    }
  });
}

test('a picture that claims what does not happen is noticed', async () => {
  const guide = (await GAMES.find(({ id }) => id === 'zorde')!.guide()).default;
  const [still, hit] = picturesOf(guide);
  await assert.rejects(look('zorde', guide, { ...hit!, shows: ['hurt t0 31'] }), /"hurt t0 31" does not happen; what happens: .*hurt t0 30/);
  await assert.rejects(look('zorde', guide, { ...hit!, do: ['step h0 5 5'] }), /seat 0, "step h0 5 5"/);
  await assert.rejects(look('zorde', guide, { ...hit!, start: 'nowhere' }), /"nowhere" is no beginning/);
  const cast = await castOf('zorde', guide, hit!);
  assert.ok(cast.has('human') && cast.has('troll') && !cast.has('elf'), [...cast].join());
  await assert.rejects(look('zorde', guide, { ...still!, reach: 'x9' }), /no unit is called "x9"/);
  await assert.rejects(look('zorde', guide, { ...still!, refused: ['step h0 1 3'] }), /is not refused/);
});

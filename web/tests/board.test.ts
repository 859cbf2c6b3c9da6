/* board.test.ts -- the pure parts of the board and the rules: when events are shown, the clock that keeps its budget, what part of
 * a board is seen, art by name, and rules as HTML. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { GAMES } from '../src/games';
import { KINDS } from '../src/edit/kinds';
import { at, type JsonObject } from '../src/edit/value';
import { artOf, avatar, isDrawn, plainName } from '../src/art/avatar';
import { badgesOf, signColour, tagOf } from '../src/art/badges';
import { Animator, type Frames } from '../src/board/animator';
import { timedEventsOf, isRanged } from '../src/board/timeline';
import { View } from '../src/board/view';
import type { Board, GameEvent } from '../src/model';
import { readBook } from '../src/rules/markdown';

const event = (kind: string, more: Partial<GameEvent> = {}): GameEvent =>
  ({ kind, unit: 1, other: 255, from: [0, 0], at: [0, 0], amount: 0, what: 0, text: '', ...more });

/** Frames by hand: `run` lets time pass, 16 ms a frame. */
class HandFrames implements Frames {
  time = 1000;
  private next: (() => void) | null = null;
  now = (): number => this.time;
  request = (callback: () => void): number => {
    this.next = callback;
    return 1;
  };
  cancel = (): void => {
    this.next = null;
  };
  run(ms: number): void {
    for (const end = this.time + ms; this.time < end && this.next; ) {
      this.time += 16;
      const call = this.next;
      this.next = null;
      call();
    }
  }
}

test('events without a picture take no time', () => {
  assert.deepEqual(timedEventsOf([event('order-set'), event('changed'), event('ready'), event('no-such-kind')]), []);
});

test('harm begins while the blow is still seen, steps follow each other', () => {
  const [blow, harm] = timedEventsOf([event('attacked', { at: [1, 0] }), event('hurt', { amount: 5 })]);
  assert.ok(harm!.start > blow!.start && harm!.start < blow!.start + blow!.length);
  const [one, two] = timedEventsOf([event('moved', { at: [1, 0] }), event('moved', { from: [1, 0], at: [2, 0] })]);
  assert.ok(two!.start >= one!.start + one!.length - 20);
});

test('what flies far takes longer and strikes when it has arrived', () => {
  const far = event('attacked', { at: [6, 2] });
  assert.ok(isRanged(far) && !isRanged(event('attacked', { at: [1, 1] })));
  const [flight, harm] = timedEventsOf([far, event('hurt')]);
  assert.ok(flight!.length > timedEventsOf([event('attacked', { at: [2, 0] })])[0]!.length);
  assert.ok(harm!.start >= flight!.start + flight!.length * 0.8);
});

test('tracks begin, move and end once and in order; groups queue', () => {
  const frames = new HandFrames();
  const player = new Animator(frames);
  const said: string[] = [];
  const track = (name: string, start: number, length: number) => ({
    start, length, begin: () => said.push(`${name}+`), end: () => said.push(`${name}-`),
  });
  player.add([track('a', 0, 100), track('b', 50, 100)], () => said.push('first'));
  player.add([track('c', 0, 100)], () => said.push('second'));
  assert.ok(player.busy);
  frames.run(190);
  assert.deepEqual(said, ['a+', 'b+', 'a-', 'b-', 'first', 'c+']);
  frames.run(200);
  assert.deepEqual(said.slice(6), ['c-', 'second']);
  assert.ok(!player.busy);
});

test('speed, and frames between nought and one', () => {
  const frames = new HandFrames();
  const player = new Animator(frames);
  player.speed = 2;
  const seen: number[] = [];
  let over = 0;
  player.add([{ start: 0, length: 400, frame: (t) => seen.push(t) }], () => (over = frames.time));
  frames.run(1000);
  assert.ok(over - 1000 >= 192 && over - 1000 <= 224, `took ${over - 1000} ms`);
  assert.ok(seen.length > 5 && seen.every((t, i) => t > 0 && t < 1 && t > (seen[i - 1] ?? 0)));
});

test('all that waits ends within the budget, however much it is', () => {
  for (const budget of [100, 500, 2000]) {
    const frames = new HandFrames();
    const player = new Animator(frames);
    player.budget = budget;
    const ended: number[] = [];
    for (let i = 0; i < 40; i++) player.add([{ start: 0, length: 1000 }], () => ended.push(frames.time - 1000));
    frames.run(60_000);
    assert.equal(ended.length, 40);
    assert.ok(ended[39]! <= budget + 16, `budget ${budget}: ended after ${ended[39]}`);
  }
});

test('a budget that comes later holds for what is under way', () => {
  const frames = new HandFrames();
  const player = new Animator(frames);
  let over = 0;
  player.add([{ start: 0, length: 60_000 }], () => (over = frames.time));
  frames.run(100);
  player.limit(300);
  frames.run(5000);
  assert.ok(over > 0 && over - 1100 <= 332, `took ${over - 1100} ms`);
});

test('skip ends all now, in order', () => {
  const frames = new HandFrames();
  const player = new Animator(frames);
  const said: string[] = [];
  const add = (name: string) => player.add([{ start: 0, length: 500, begin: () => said.push(`${name}+`), end: () => said.push(`${name}-`) }], () => said.push(name));
  add('a');
  add('b');
  player.skip();
  assert.deepEqual(said, ['a+', 'a-', 'a', 'b+', 'b-', 'b']);
  assert.ok(!player.busy);
});

test('a board that fits is whole and in the middle; a cell is where it is drawn', () => {
  const view = new View();
  view.width = 800;
  view.height = 600;
  view.board(10, 10);
  view.open(0, 0);
  assert.ok(!view.overflows());
  assert.deepEqual(view.at(view.left + 3.5 * view.cell, view.top + 7.5 * view.cell), { x: 3, y: 7 });
  assert.equal(view.at(view.left - 1, view.top + 5), null);
  assert.deepEqual(view.seen(), { x0: 0, y0: 0, x1: 9, y1: 9 });
});

test('a large board opens enlarged around its cell, shows no empty edge, and comes to every corner', () => {
  const view = new View();
  view.width = 390;
  view.height = 500;
  view.board(100, 100);
  view.open(50, 50);
  assert.ok(view.overflows() && view.cell >= 30);
  const { x0, x1, y0, y1 } = view.seen();
  assert.ok(x0 < 50 && x1 > 50 && y0 < 50 && y1 > 50 && (x1 - x0 + 1) * (y1 - y0 + 1) < 400);
  for (const [x, y] of [[0, 0], [99, 0], [0, 99], [99, 99]] as const) {
    view.reveal(x, y);
    const middle = { px: view.left + (x + 0.5) * view.cell, py: view.top + (y + 0.5) * view.cell };
    assert.ok(middle.px > view.margin && middle.px < view.width && middle.py > view.margin && middle.py < view.height, `${x},${y}`);
  }
  view.pan(-99999, 99999);
  assert.ok(view.left + 100 * view.cell >= view.width - 5 && view.top <= view.margin);
});

test('zooming keeps the point and its limits', () => {
  const view = new View();
  view.width = view.height = 600;
  view.board(40, 40);
  view.open(20, 20);
  const before = view.at(300, 300);
  view.zoom(300, 300, 1.5);
  assert.deepEqual(view.at(300, 300), before);
  view.zoom(300, 300, 0.0001);
  assert.ok(!view.overflows());
  view.zoom(300, 300, 9999);
  assert.ok(view.cell <= 116);
});

test('a turned view: what is drawn at a point is the cell that is meant there', () => {
  const view = new View();
  view.width = 700;
  view.height = 500;
  view.board(10, 8);
  view.fit();
  const plain = view.at(view.left + 0.5 * view.cell, view.top + 0.5 * view.cell);
  view.turned = true;
  assert.deepEqual(plain, { x: 0, y: 0 });
  for (const [x, y] of [[0, 0], [9, 7], [3, 5]] as const)
    assert.deepEqual(view.at(view.left + (view.across(x) + 0.5) * view.cell, view.top + (view.down(y) + 0.5) * view.cell), { x, y });
  assert.deepEqual(view.at(view.left + 0.5 * view.cell, view.top + 0.5 * view.cell), { x: 9, y: 7 });
  assert.equal(view.way, -1);
});

test('everybody in the contents that come with the games has a drawing of their own', () => {
  const read = (game: string, name: string) => JSON.parse(readFileSync(`games/${game}/content/${name}`, 'utf8'));
  const kinds = GAMES.flatMap(({ id }) => Object.values(read(id, 'english.texts.json').names.kind ?? {})) as string[];
  /* Where a document has the names itself: heroes, champions. */
  for (const { game, ending, charts } of KINDS)
    for (const { path, name } of charts.filter((chart) => chart.name === 'name'))
      for (const file of readdirSync(`games/${game}/content`).filter((one) => one.endsWith(ending)))
        kinds.push(...(at(read(game, file), path) as JsonObject[]).map((row) => String(row[name])));
  kinds.push(...(Object.values(read('battleground', 'english.texts.json').names.item) as string[]));
  const missing = kinds.filter((kind) => !isDrawn(kind));
  assert.deepEqual(missing, []);
  const drawings = new Map<string, string>();
  for (const kind of kinds) {
    const other = drawings.get(artOf(kind).paint);
    assert.ok(!other || plainName(other) === plainName(kind), `${kind} looks like ${other}`);
    drawings.set(artOf(kind).paint, kind);
  }
});

test('seats differ in shape, unknown kinds get a face of their own, nothing styles itself in markup', () => {
  assert.match(avatar('Hulk', 0), /<circle cx="50" cy="50" r="46"/);
  assert.match(avatar('Hulk', 1), /M27 6H73/);
  assert.match(avatar('Hulk', null), /<rect x="7"/);
  assert.notEqual(artOf('Nobody').paint, artOf('Somebody').paint);
  assert.equal(artOf('Nobody').paint, artOf('Nobody').paint);
  assert.doesNotMatch(avatar('Hulk', 1) + avatar(undefined, 0) + avatar('<b>', 0), /style=|<b>/);
});

test('things and effects have the colour that their game gives them', () => {
  for (const { signs = {} } of GAMES) for (const [id, { colour }] of Object.entries(signs)) assert.equal(signColour(id), colour, id);
  assert.equal(signColour('nothing of that kind'), signColour(undefined));
});

test('signs on a token: stones with their wait, effects, power', () => {
  const board = {
    width: 1, height: 1, phase: '', phase_id: '', order: [], grounds: [], ground_ids: [], ground: [], tokens: [],
    meters: [
      { unit: 1, id: 'time', role: 'held', name: 'Zeit', index: 0, now: 3, most: 5 },
      { unit: 1, id: 'effect', role: 'effect', name: 'Effekt', index: 2, about: ['Betäubung'], about_ids: ['stun'], now: 1 },
      { unit: 2, id: 'power', role: 'number', name: 'Stärke', index: 0, now: 9 },
      { unit: 3, id: 'movement', role: 'points', name: 'MP', index: 0, now: 2, most: 2 },
    ],
  } satisfies Board;
  const token = (unit: number) => ({ unit, name: 'x', seat: 0 as const, place: 'board' as const });
  assert.match(badgesOf(board, token(1)), /var\(--time\).*>3</s);
  assert.equal(badgesOf(board, token(1)).split('class="sign"').length, 3);
  assert.equal(badgesOf(board, token(2)), '');
  assert.match(tagOf(board, token(2)), />9</);
  assert.equal(badgesOf(board, token(3)) + tagOf(board, token(3)), '');
});

test('rules become HTML: numbered sentences, tables, references; markup in them stays text', () => {
  const book = readBook('# Game\n\nLead *so*.\n\n## 1 Board\n\n**1.1** A `cell` [1.2].\n**1.2** Two\nlines <b>.\n\n| a | b |\n|---|---|\n| x | 12 |\n\n- one\n- two\n');
  assert.equal(book.title, 'Game');
  assert.deepEqual(book.sections, [{ id: 'section-0', title: '1 Board' }]);
  assert.match(book.html, /id="rule-1\.1"><b>1\.1<\/b><span>A <code>cell<\/code> <a href="#" data-rule="1\.2">/);
  assert.match(book.html, /<span>Two lines &lt;b&gt;\.<\/span>/);
  assert.match(book.html, /<td>x<\/td><td class="number">12<\/td>/);
  assert.match(book.html, /<ul><li>one<\/li><li>two<\/li><\/ul>/);
});

test('the rules of all games are read whole: every numbered sentence is there', () => {
  for (const { id: game } of GAMES) {
    const text = readFileSync(`games/${game}/RULES.md`, 'utf8');
    const numbers = [...text.matchAll(/^\*\*(\d+\.\d+)\*\*/gm)].map((found) => found[1]);
    const { html, sections } = readBook(text);
    assert.ok(numbers.length > 10 && sections.length > 2, `games/${game}/RULES.md: ${numbers.length} numbered sentences in ${sections.length} sections; more than 10 in more than 2 are expected`);
    for (const number of numbers) assert.ok(html.includes(`id="rule-${number}"`), `${game} ${number}`);
    assert.doesNotMatch(html, /\*\*/, game);
  }
});

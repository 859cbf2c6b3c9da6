/* edit.test.ts -- the pure parts of the editors: values, history, boards, schemas, kinds. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { chances } from '../src/art/tone';
import { counts, filled, limited, line, mirrored, painted, resized, type Cells } from '../src/edit/grid';
import { History, revisionOf } from '../src/edit/history';
import { KINDS, recognise } from '../src/edit/kinds';
import { blank, randomRow, unknownKeys } from '../src/edit/schema';
import { at, pathOf, pathText, same, withAt, type Json, type JsonObject, type Path } from '../src/edit/value';

const board = (...rows: string[]): Cells => ({ width: rows[0]!.length, height: rows.length, cells: rows.flatMap((row) => [...row]) });
const drawn = ({ width, height, cells }: Cells) => Array.from({ length: height }, (_, y) => cells.slice(y * width, (y + 1) * width).join(''));

test('a part is changed, and nothing else', () => {
  const whole: Json = { a: [{ b: 1 }, { b: 2 }], c: 'x' };
  const changed = withAt(whole, ['a', 1, 'b'], 3);
  assert.deepEqual(changed, { a: [{ b: 1 }, { b: 3 }], c: 'x' });
  assert.deepEqual(whole, { a: [{ b: 1 }, { b: 2 }], c: 'x' });
  assert.equal(at(changed, ['a', 0]), at(whole, ['a', 0]));
  assert.deepEqual(withAt(whole, ['a', 0], undefined), { a: [{ b: 2 }], c: 'x' });
  assert.deepEqual(withAt(whole, ['c'], undefined), { a: [{ b: 1 }, { b: 2 }] });
});

test('ways are spelled as the checks spell them', () => {
  const path: Path = ['characters', 3, 'HP'];
  assert.equal(pathText(path), '$.characters[3].HP');
  assert.deepEqual(pathOf('$.characters[3].HP'), path);
  assert.deepEqual(pathOf('$'), []);
});

test('the same whatever the order of keys', () => {
  assert.ok(same({ a: 1, b: [2] }, { b: [2], a: 1 }));
  assert.ok(!same({ a: 1 }, { a: 1, b: 2 }));
  assert.ok(!same([1, 2], [2, 1]));
});

test('brush, fill, lines, mirrors, sizes', () => {
  const b = board('....', '.##.', '....');
  assert.deepEqual(drawn(painted(b, [[0, 0], [9, 9]], '#')), ['#...', '.##.', '....']);
  assert.deepEqual(drawn(filled(b, 0, 0, 'x')), ['xxxx', 'x##x', 'xxxx']);
  assert.equal(filled(b, 1, 1, '#'), b);
  assert.deepEqual(line(0, 0, 3, 1), [[0, 0], [1, 0], [2, 1], [3, 1]]);
  assert.deepEqual(drawn(mirrored(board('ab.', '...'), 'left-right')), ['aba', '...']);
  assert.deepEqual(drawn(mirrored(board('ab', '..'), 'top-bottom')), ['ab', 'ab']);
  assert.deepEqual(drawn(mirrored(board('ab', '..'), 'turn')), ['ab', 'ba']);
  assert.deepEqual(drawn(resized(b, 2, 4, '~')), ['..', '.#', '..', '~~']);
  assert.equal(counts(b).get('#'), 2);
});

test('a piece that there is once is moved, not doubled', () => {
  const before = board('k..');
  const paints = [{ id: '.', label: '', colour: '', mark: 'none' as const }, { id: 'k', label: '', colour: '', mark: 'none' as const, most: 1 }];
  assert.deepEqual(drawn(limited(before, painted(before, [[2, 0]], 'k'), paints, '.')), ['..k']);
});

test('units keep their names when others come and go', () => {
  const [plan] = KINDS.find(({ id }) => id === 'start')!.boards;
  const value: Json = { width: 3, height: 2, units: [{ kind: 'human', id: 'H4', x: 0, y: 0 }, { kind: 'ork', id: 'O0', x: 2, y: 1 }] };
  const company = { '.units.json': { kinds: [{ id: 'human', letter: 'H' }, { id: 'ork', letter: 'O' }] } };
  plan!.paints(value, company);
  const cells = plan!.read(value)!;
  assert.deepEqual(cells.cells, ['human', '', '', '', '', 'ork']);
  const more = plan!.write(value, painted(painted(cells, [[1, 0]], 'human'), [[2, 1]], '')) as JsonObject;
  assert.deepEqual(more.units, [{ kind: 'human', id: 'H4', x: 0, y: 0 }, { kind: 'human', id: 'H0', x: 1, y: 0 }]);
});

test('what is no board is none', () => {
  for (const { boards } of KINDS)
    for (const plan of boards)
      for (const value of [null, 3, [], {}, { width: 2.5, height: 3, units: [] }, { width: -1, height: 1e9, units: [] }, { scenario: [[1], []], rows: ['.', '..'] }, { armies: 7 }])
        assert.equal(plan.read(value as Json), null, `${pathText(plan.path)} of ${JSON.stringify(value)}`);
});

test('history: typing is one step, undo brings the first bytes back', () => {
  const first = '{ "a":1.50 }';
  let history = History.begin(first).then({ value: { a: 2 }, text: undefined });
  history = history.then(revisionOf('{"a"')).instead(revisionOf('{"a":3}'));
  assert.deepEqual(history.now.value, { a: 3 });
  assert.equal(history.undo().undo().now.text, first);
  assert.equal(history.undo().redo().now, history.now);
  assert.ok(!history.canRedo && !history.undo().undo().canUndo);
  assert.ok(!history.undo().then({ value: null, text: undefined }).canRedo);
  assert.equal(revisionOf('{').value, undefined);
});

/** Every shipped document: its kind, name and text. */
function shipped() {
  return KINDS.flatMap((kind) => {
    const folder = `games/${kind.game}/content`;
    return readdirSync(folder).filter((name) => name.endsWith(kind.ending))
      .map((name) => ({ kind, name, text: readFileSync(`${folder}/${name}`, 'utf8') }));
  });
}

test('500 random edits of every shipped document, then all undone', () => {
  for (const { kind, name, text } of shipped()) {
    const random = chances(name.length * 7919);
    let history = History.begin(text);
    const places: Path[] = [];
    const walk = (value: Json, path: Path) => {
      if (Array.isArray(value)) value.forEach((item, i) => walk(item, [...path, i]));
      else if (typeof value === 'object' && value !== null) Object.entries(value).forEach(([key, item]) => walk(item, [...path, key]));
      else places.push(path);
    };
    walk(history.now.value!, []);
    for (let i = 0; i < 500; i++) {
      const [plan] = kind.boards;
      const cells = plan?.read(history.now.value!);
      const path = places[Math.floor(random() * places.length)]!;
      const next = cells && random() < 0.5
        ? plan!.write(history.now.value!, painted(cells, [[Math.floor(random() * cells.width), Math.floor(random() * cells.height)]], cells.cells[Math.floor(random() * cells.cells.length)]!))
        : withAt(history.now.value, path, Math.floor(random() * 100));
      history = history.then({ value: next, text: undefined });
    }
    for (let i = 0; i < 500; i++) history = history.undo();
    assert.equal(history.now.text, text, name);
    assert.ok(!history.canUndo, name);
  }
});

test('shipped documents have no strange keys, and their boards are read and written unchanged', () => {
  for (const { kind, name, text } of shipped()) {
    const value = JSON.parse(text) as Json;
    assert.deepEqual(unknownKeys(kind.schema, value), [], name);
    assert.equal(recognise(name, undefined)?.id, kind.id, name);
    const guess = recognise('unnamed.json', value)?.id;
    assert.equal(guess, kind.id, `${name} without its name is taken for a ${guess}: a kind of document needs required keys that no other kind has`);
    for (const plan of kind.boards) {
      const cells = plan.read(value);
      assert.ok(cells, `${name}: ${pathText(plan.path)}`);
      assert.ok(same(plan.write(value, cells), value), `${name}: ${pathText(plan.path)}`);
    }
  }
});

test('strange keys are named where they are', () => {
  const { schema } = KINDS.find(({ id }) => id === 'units')!;
  assert.deepEqual(unknownKeys(schema, { kinds: [{ id: 'a', wings: 2 }], zoo: 1 }), [['kinds', 0, 'wings'], ['zoo']]);
});

test('blank rows have every key that must be there; random values stay inside the limits', () => {
  const { schema } = KINDS.find(({ id }) => id === 'character')!;
  const items = schema.properties!.characters!.items!;
  const row = blank(items) as JsonObject;
  for (const key of items.required!) assert.ok(key in row, key);
  const rows = [{ ...row, HP: 100, AP: 1 }, { ...row, HP: 120, AP: 3 }];
  for (let i = 0; i < 200; i++) {
    const made = randomRow(items, rows[0]!, rows, Math.random);
    assert.ok(Number(made.HP) >= 100 && Number(made.HP) <= 120 && Number(made.AP) >= 1 && Number(made.AP) <= 3);
    assert.equal(made.characterID, row.characterID);
  }
});

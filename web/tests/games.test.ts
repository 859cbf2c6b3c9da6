/* games.test.ts -- what the folders of the games say about themselves fits what the engine says: whatever page.json names is there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { callsOf } from '../src/engine/calls';
import type { Exports } from '../src/engine/module';
import { KINDS } from '../src/edit/kinds';
import { GAMES } from '../src/games';
import { ICONS } from '../src/art/icons';

const module = new WebAssembly.Module(readFileSync('build/mashup.wasm'));
const engine = callsOf(new WebAssembly.Instance(module).exports as unknown as Exports).games();

test('the folders and the list of games are the same', () => {
  assert.deepEqual(GAMES.map(({ id }) => id).sort(), engine.map(({ id }) => id).sort());
});

for (const { id, presets, options, generators } of engine)
  test(`${id}: presets, options and generators that its page.json names are there`, () => {
    const page = GAMES.find((game) => game.id === id);
    for (const preset of Object.keys(page?.presets ?? {})) assert.ok(presets.some((one) => one.id === preset), `presets.${preset}`);
    for (const [name, { values }] of Object.entries(page?.options ?? {})) {
      const option = options.find((one) => one.id === name);
      assert.ok(option, `options.${name}`);
      if (values) assert.equal(values.length, option.most - option.least + 1, `options.${name}.values`);
    }
    for (const { generator } of KINDS.filter(({ game }) => game === id))
      assert.ok(generator === undefined || generators.some((one) => one.id === generator), `generator ${generator}`);
    for (const [name, { icon }] of Object.entries(page?.signs ?? {})) assert.ok(icon in ICONS, `signs.${name}.icon`);
  });

/* engine.ts -- the engine for tests of units: the WebAssembly module in the same thread. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { callsOf, type Calls } from '../src/engine/calls';
import type { Exports } from '../src/engine/module';
import type { ScriptEngine } from '../src/lesson/script';

const wasm = new WebAssembly.Module(readFileSync('build/mashup.wasm'));

/** An engine beside a test, as one in a worker would answer. */
export function engine(): ScriptEngine {
  const calls = callsOf(new WebAssembly.Instance(wasm).exports as unknown as Exports);
  const call = (name: keyof Calls, request: never) => Promise.resolve((calls[name] as (request: never) => unknown).call(calls, request));
  const load = async (request: Parameters<Calls['load']>[0]) => {
    const loaded = calls.load(request);
    assert.ok('terms' in loaded, 'problems' in loaded ? JSON.stringify(loaded.problems) : '');
    return loaded.terms;
  };
  return { call, load } as unknown as ScriptEngine;
}

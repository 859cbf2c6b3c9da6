// recorded.mjs -- every answer of the engine's exports, as a hash of each game and export: whatever another build of the engine answers otherwise is
// named by tests/golden/wasm.txt. MASH_GOLDEN=write writes that file. A part of wasm.mjs.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const GOLDEN = 'tests/golden/wasm.txt';
const HEAD = '# game, export of the engine, how often tests/wasm/answers.mjs and played.mjs called it, hash of the arguments and answers\n';
/** Exports whose result is the length of a text, and those whose result is an address, which says nothing. */
const TEXTS = new Set(['game_text', 'action_word', 'event_say', 'name', 'entry_id', 'unit_name', 'status_sentence', 'simulate', 'ai_bench', 'position', 'step_text',
  'terms_text', 'preview', 'ai_levels', 'ai_answer', 'tip_advice', 'match_save', 'document_text', 'describe', 'generate', 'walk', 'walk_attack', 'threat', 'status_id',
  'events_text', 'format', 'puzzle_rating', 'tally_text', 'review_text']);
const ADDRESSES = new Set(['view', 'show']);
/** Lists that the result is the length of: where they are, and the bytes of an entry. */
const LISTS = { actions: ['actions_at', 8], events: ['events_at', 16] };

/** The exports, which are recorded until `differences` is called: what is not as in the file. */
export function recorded(exports) {
  const hashes = new Map();
  let game = 'none';
  let open = true;
  const bytes = (at, count) => new Uint8Array(exports.memory.buffer, at, count);
  const ids = [];
  for (let number = 0; exports.game_choose(number) === 1; number++)
    ids.push(JSON.parse(new TextDecoder().decode(bytes(exports.text_at(), exports.game_text()))).id);
  function keep(name, values, result) {
    const key = `${game} ${name}`;
    if (!hashes.has(key)) hashes.set(key, { calls: 0, hash: createHash('sha256') });
    const kept = hashes.get(key);
    kept.calls++;
    kept.hash.update(`${values}=${ADDRESSES.has(name) ? result !== 0 : result};`);
    if (TEXTS.has(name)) kept.hash.update(bytes(exports.text_at(), result));
    if (LISTS[name] && result > 0) kept.hash.update(bytes(exports[LISTS[name][0]](), result * LISTS[name][1]));
    if (name === 'game_choose') game = ids[values[0]] ?? 'none';
  }
  const engine = new Proxy({}, {
    get: (_, name) => typeof exports[name] !== 'function' || name.endsWith('_at') ? exports[name] : (...values) => {
      const result = exports[name](...values);
      if (open) keep(name, values, result);
      return result;
    },
  });
  function differences() {
    open = false;
    const lines = [...hashes].map(([key, { calls, hash }]) => `${key} ${calls} ${hash.digest('hex').slice(0, 16)}`).sort();
    if (process.env.MASH_GOLDEN === 'write') writeFileSync(GOLDEN, HEAD + lines.join('\n') + '\n');
    const wanted = new Set(readFileSync(GOLDEN, 'utf8').split('\n').slice(1));
    return lines.filter((line) => !wanted.has(line));
  }
  return { engine, differences };
}

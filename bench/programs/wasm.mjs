// wasm.mjs -- how fast WebAssembly is beside the native build, in one run: random matches with all views and the signature.
// Usage: node bench/programs/wasm.mjs build/mashup.wasm build/mashup
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [wasmPath, native] = process.argv.slice(2);
const engine = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasmPath))).exports;
const text = (count) => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.text_at(), count));

/** Actions per CPU-second in WebAssembly, after a warm-up. */
function wasmSpeed(matches) {
  engine.simulate(Math.ceil(matches / 4), 1, 0);
  const before = process.cpuUsage();
  const actions = Number(text(engine.simulate(matches, 2, 0)).split(' ')[0]);
  const used = process.cpuUsage(before);
  return actions / ((used.user + used.system) / 1e6);
}

/** The same by the native command. */
function nativeSpeed(game, matches) {
  const out = execFileSync(native, ['simulate', game, '--matches', String(matches), '--seed', '2'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return Number(/(\d+) actions per CPU-second/.exec(out)[1]);
}

console.log('\nRandom matches with views and signature, actions per CPU-second:');
console.log('game                   native  WebAssembly  ratio');
for (let number = 0; number < engine.game_count(); number++) {
  engine.game_choose(number);
  const game = JSON.parse(text(engine.game_text()));
  engine.content_load(0);
  const matches = 300;
  const there = nativeSpeed(game.id, matches);
  const here = wasmSpeed(matches);
  console.log(`${game.id.padEnd(18)} ${String(Math.round(there)).padStart(10)} ${String(Math.round(here)).padStart(12)} ${(here / there).toFixed(2).padStart(6)}`);
}

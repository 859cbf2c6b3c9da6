// mashup.mjs -- the games as a simulator for JavaScript, in Node and in a page: one file over mashup-sim.wasm, which lies beside it
// (include/mashup_sim.h says what each function does; here they are methods of Sim without "mash_sim_").
//
//     import {open} from './mashup.mjs';
//     const mashup = await open();
//     const sim = mashup.begin({game: 'zorde'}, 7n);
//     while (sim.result() === null) { const list = sim.actions(sim.turn()); sim.apply(list[Math.floor(Math.random() * list.length)]); }
//
// An action is a BigInt, which describe() tells as an object. Seeds are BigInts or numbers. A wrong call throws and says what is wrong.
export const ALL = 254, SPECTATOR = 255, DRAWN = 2, RUNNING = -1;
const ACTIONS_MAX = 1 << 16;

/** The bytes of a module: those given, or of the file or address given, or of the one beside this file. */
async function bytesOf(source) {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source;
  if (globalThis.process?.versions?.node) {
    const {existsSync, readFileSync} = await import('node:fs');
    const beside = new URL('mashup-sim.wasm', import.meta.url);
    return readFileSync(source ?? (existsSync(beside) ? beside : new URL('../build/mashup-sim.wasm', import.meta.url)));
  }
  return (await fetch(source ?? new URL('mashup-sim.wasm', import.meta.url))).arrayBuffer();
}

/** Loads the module; `source` is a path, an address or bytes, if it does not lie beside this file. */
export async function open(source) {
  const {instance} = await WebAssembly.instantiate(await bytesOf(source), {});
  return simulator(instance.exports);
}

/** The number of an action. */
export function action({verb, seat, unit = 0, ability = 0, x = 0, y = 0, other = 0, amount = 0}) {
  return new DataView(Uint8Array.of(verb, seat, unit, ability, x, y, other, amount).buffer).getBigUint64(0, true);
}

/** Everything over the exports of one module, whose memory all its sims share. */
function simulator(module) {
  const list = module.malloc(8 * ACTIONS_MAX), out = module.malloc(32);
  const words = new TextDecoder(), letters = new TextEncoder();

  /** The NUL-terminated text at an address. */
  function text(address) {
    const bytes = new Uint8Array(module.memory.buffer, address);
    return words.decode(bytes.subarray(0, bytes.indexOf(0)));
  }
  function fail() { throw new Error(text(module.mash_sim_error())); }
  function wrong(sentence) { throw new Error(sentence); }
  const numbered = chosen => (typeof chosen === 'bigint' ? chosen : wrong(`an action is a BigInt of actions() or find(), not ${JSON.stringify(chosen)}`));
  function unpacked(view) { try { return atob(view); } catch { return wrong('view is not base64'); } }
  const told = address => (address === 0 ? fail() : JSON.parse(text(address)));
  const fine = answer => (answer < 0 ? fail() : undefined);
  const number = () => new BigUint64Array(module.memory.buffer, out, 4);

  /** Calls with the address of these bytes, and frees them. */
  function lend(bytes, call) {
    const address = module.malloc(bytes.length + 1);
    const memory = new Uint8Array(module.memory.buffer, address, bytes.length + 1);
    memory.set(bytes);
    memory[bytes.length] = 0;
    try { return call(address); } finally { module.free(address); }
  }

  /** One position of one match; drop() frees it. */
  class Sim {
    #address;
    constructor(address) { this.#address = address; }
    get #at() { return this.#address || wrong('this sim was dropped'); }
    clone() { return new Sim(module.mash_sim_clone(this.#at)); }
    drop() { module.mash_sim_drop(this.#address); this.#address = 0; }
    /** Bytes, or the base64 that a server sent. */
    load(seat, view) {
      const bytes = typeof view === 'string' ? Uint8Array.from(unpacked(view), letter => letter.charCodeAt(0)) : view;
      lend(bytes, at => fine(module.mash_sim_load(this.#at, seat, at, bytes.length)));
    }
    bytes(seat = ALL) {
      const count = module.mash_sim_bytes(this.#at, seat, 0, 0);
      if (count === 0) fail();
      return lend(new Uint8Array(count), at => {
        module.mash_sim_bytes(this.#at, seat, at, count);
        return new Uint8Array(module.memory.buffer, at, count).slice();
      });
    }
    guess(seed) { fine(module.mash_sim_guess(this.#at, BigInt(seed))); }
    awaited() { const bits = module.mash_sim_awaited(this.#at); return [0, 1].filter(seat => bits >> seat & 1); }
    turn() { const bits = module.mash_sim_awaited(this.#at); return bits === 0 ? null : bits & 1 ? 0 : 1; }
    result() { const winner = module.mash_sim_result(this.#at); return winner === RUNNING ? null : winner; }
    /** A BigUint64Array, by default of the seat to move; [...sim.actions()] is a usual array. */
    actions(seat = this.turn() ?? 0) {
      if (seat !== 0 && seat !== 1) wrong(`seat ${seat}: only 0 or 1`);
      const count = module.mash_sim_actions(this.#at, seat, list, ACTIONS_MAX);
      return new BigUint64Array(module.memory.buffer, list, count).slice();
    }
    find(seat, word) {
      lend(letters.encode(word), at => fine(module.mash_sim_find(this.#at, seat, at, out)));
      return number()[0];
    }
    apply(chosen) { if (module.mash_sim_apply(this.#at, numbered(chosen)) < 0) fail(); }
    undo() { fine(module.mash_sim_undo(this.#at)); }
    playout(seed, count = 1) {
      fine(module.mash_sim_playout(this.#at, BigInt(seed), count, out));
      return [...number()].map(Number);
    }
    evaluate(seat) { return module.mash_sim_evaluate(this.#at, seat); }
    think(seat, level, seed = 0) {
      fine(module.mash_sim_think(this.#at, seat, level, BigInt(seed), out));
      return number()[0];
    }
    position(seat) { return told(module.mash_sim_position(this.#at, seat)); }
    events(seat = SPECTATOR) { return told(module.mash_sim_events(this.#at, seat)); }
    preview(chosen, samples = 16) { return told(module.mash_sim_preview(this.#at, numbered(chosen), samples)); }
    describe(chosen) { return told(module.mash_sim_describe(this.#at, numbered(chosen))); }
  }

  return {
    version: () => text(module.mash_sim_version()),
    games: () => told(module.mash_sim_games()),
    begin: (table, seed = 0) => new Sim(lend(letters.encode(JSON.stringify(table)), at => module.mash_sim_begin(at, BigInt(seed)) || fail())),
    action,
  };
}

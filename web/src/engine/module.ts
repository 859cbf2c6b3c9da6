/* module.ts -- the exports of mashup.wasm with types, and texts and bytes in and out of its memory. */

/** What wasm/*.c exports, as far as the page uses it. Numbers are unsigned 32-bit unless said otherwise. */
export interface Exports {
  memory: WebAssembly.Memory;
  text_at(): number;
  input_at(): number;
  input_left(): number;
  game_count(): number;
  game_choose(index: number): number;
  game_text(): number;
  document_add(nameCount: number, bytesCount: number): number;
  document_text(nameCount: number): number;
  content_load(preset: number): number;
  terms_text(): number;
  language_set(nameCount: number, bytesCount: number): number;
  entry_id(list: number, index: number): number;
  name(list: number, index: number): number;
  describe(list: number, index: number): number;
  option_set(index: number, value: number): number;
  match_begin(aLow: number, aHigh: number, bLow: number, bHigh: number): number;
  match_open(nameCount: number, bytesCount: number): number;
  match_save(firstCount: number, secondCount: number): number;
  recording_begin(messages: number): number;
  recording_add(nameCount: number, bytesCount: number): number;
  recording_count(): number;
  recording_goto(index: number): number;
  match_goto(count: number): number;
  match_rewind(count: number): number;
  match_length(): number;
  awaited(): number;
  verb_has_unit(verb: number): number;
  act(low: number, high: number): number;
  undo_left(seat: number): number;
  undo(count: number): void;
  step_begin(): number;
  step_add(seat: number, wordCount: number): number;
  status_sentence(status: number): number;
  seat_view_take(seat: number, open: number): number;
  seat_view_at(): number;
  seat_events_at(): number;
  seat_events_count(): number;
  events_text(): number;
  seat_view_set(seat: number, events: number): number;
  hidden(seat: number): number;
  position(): number;
  step_text(): number;
  foresee_begin(): void;
  foresee(low: number, high: number): number;
  foresee_word(count: number): number;
  preview(low: number, high: number, samples: number): number;
  walk(unit: number): number;
  walk_attack(unit: number, enemy: number): number;
  check(low: number, high: number): number;
  threat(unit: number): number;
  status_id(status: number): number;
  tally_text(): number;
  play_on(level: number, seed: number, actions: number): number;
  puzzle_begin(): number;
  puzzle_over(): number;
  puzzle_judge(nodes: number): number;
  puzzle_rating(rating: number, deviation: number, volatility: number, idleMs: number, other: number, solved: number): number;
  ai_levels(): number;
  ai_begin(level: number, seedLow: number, seedHigh: number, nodes: number): number;
  ai_step(nodes: number): number;
  ai_answer(): number;
  tip_begin(level: number): number;
  tip_step(nodes: number): number;
  tip_advice(): number;
  review_begin(nodes: number): number;
  review_step(nodes: number): number;
  review_done(): number;
  review_all(): number;
  review_text(): number;
  parameter_set(index: number, value: number): number;
  generate(index: number, seedLow: number, seedHigh: number): number;
  format(nameCount: number, bytesCount: number): number;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The engine's memory as texts and bytes. A call that returns a text's length is wrapped in `text()`. */
export class Module {
  constructor(readonly exports: Exports) {}

  /** The last text, which is `count` bytes long. */
  text(count: number): string {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, this.exports.text_at(), count));
  }

  /** The text up to its NUL: for calls that return a truth beside it. */
  textToNul(): string {
    const memory = new Uint8Array(this.exports.memory.buffer, this.exports.text_at());
    return decoder.decode(memory.subarray(0, memory.indexOf(0)));
  }

  /** Reads a text as JSON. An empty text is an error. */
  json<T>(count: number): T {
    if (count === 0) throw new Error('the game engine returned nothing');
    return JSON.parse(this.text(count)) as T;
  }

  /** Writes strings to the input, each followed by a NUL; their lengths in bytes, or null if there is no room. */
  input(...strings: string[]): number[] | null {
    const parts = strings.map((string) => encoder.encode(string));
    const whole = parts.reduce((sum, part) => sum + part.length + 1, 0);
    if (whole > this.exports.input_left()) return null;
    const memory = new Uint8Array(this.exports.memory.buffer);
    let at = this.exports.input_at();
    for (const part of parts) {
      memory.set(part, at);
      memory[at + part.length] = 0;
      at += part.length + 1;
    }
    return parts.map((part) => part.length);
  }

  /** A copy of some bytes. */
  bytes(at: number, count: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, at, count).slice();
  }

  /** Writes bytes to an address that the engine named. */
  put(at: number, bytes: Uint8Array): void {
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
  }
}

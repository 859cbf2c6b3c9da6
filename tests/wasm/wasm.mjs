// wasm.mjs -- the engine as WebAssembly against the native builds: the same signatures, and a match through its exports.
// Usage: node tests/wasm/wasm.mjs build/mashup.wasm build/mashup [further native builds]
// Environment: MASH_AI_DECISIONS = how often the best level is asked in each game, in positions of random matches (8),
// MASH_AI_NODES = nodes for each of them (1500), MASH_REVIEWS = pairs of matches of each game of which a report is made (1). An answer that is not legal, or has taken more nodes, stops the engine.
// CMOCKA_TEST_ABORT = end at the first check that fails.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { askEverything } from './answers.mjs';
import { played } from './played.mjs';
import { recorded } from './recorded.mjs';

const [wasmPath, ...natives] = process.argv.slice(2);
const SPECTATOR = 255;
let passed = 0;
let failed = 0;

function check(name, good, detail = '') {
  if (good) passed++;
  else failed++;
  if (!good) console.log(`FAILED ${name} ${detail}`);
  if (!good && process.env.CMOCKA_TEST_ABORT) process.exit(1);
}

const module = new WebAssembly.Module(readFileSync(wasmPath));
check('no imports', WebAssembly.Module.imports(module).length === 0);
const { engine, differences } = recorded(new WebAssembly.Instance(module).exports);

const bytes = (at, count) => new Uint8Array(engine.memory.buffer, at, count).slice();
const text = (count) => new TextDecoder().decode(bytes(engine.text_at(), count));

/** One run of native random matches: "ACTIONS SIGNATURE" out of the last line. */
function nativeSignature(binary, game, preset, options, matches, seed) {
  const chosen = options.flatMap(([id, value]) => ['--option', `${id}=${value}`]);
  const lines = execFileSync(binary, ['simulate', game, '--preset', preset, '--matches', String(matches), '--seed', String(seed), ...chosen],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trimEnd().split('\n');
  const match = /^\S+: \d+ matches, (\d+) actions, signature ([0-9a-f]{16}), \d+ actions per CPU-second$/.exec(lines.at(-1));
  return match ? `${match[1]} ${match[2]}` : lines.at(-1);
}

/** Small numbers on huge boards, whose summon lists have thousands of entries. */
function matchesFor() {
  const terms = new DataView(engine.memory.buffer, engine.terms_at());
  return terms.getUint32(8, true) > 4000 ? 2 : 40; // actions_max
}

function compareSignatures(number) {
  engine.game_choose(number);
  const game = JSON.parse(text(engine.game_text()));
  game.presets.forEach((preset, index) => {
    const variants = [[], ...(index === 0 ? game.options.map((option) => [[option.id, option.most]]) : [])];
    for (const options of variants) {
      engine.game_choose(number);
      check(`${game.id} ${preset.id} loads`, engine.content_load(index) === 1, text(0));
      for (const [id, value] of options) engine.option_set(game.options.findIndex((option) => option.id === id), value);
      const matches = matchesFor();
      const here = text(engine.simulate(matches, 1218, 0));
      for (const binary of natives) {
        const there = nativeSignature(binary, game.id, preset.id, options, matches, 1218);
        check(`${game.id} ${preset.id} ${options} signature of ${binary}`, here === there, `${here} != ${there}`);
      }
    }
  });
}

const decisions = Number(process.env.MASH_AI_DECISIONS ?? 8);
const nodes = Number(process.env.MASH_AI_NODES ?? 1500);

/** What the best level chooses in fixed positions, by game: "NODES SIGNATURE". */
function nativeChoices(binary) {
  const lines = execFileSync(binary, ['bench', 'ai', '--positions', String(decisions), '--nodes', String(nodes)], { encoding: 'utf8' }).trimEnd().split('\n');
  return new Map(lines.map((line) => {
    const [, id, nodes, signature] = /^(\S+) +(\d+) nodes, .* signature ([0-9a-f]{16})$/.exec(line);
    return [id, `${nodes} ${signature}`];
  }));
}

function compareChoices(number, choicesOf) {
  engine.game_choose(number);
  const game = JSON.parse(text(engine.game_text()));
  engine.content_load(0);
  const here = text(engine.ai_bench(decisions, nodes));
  for (const [binary, choices] of choicesOf)
    check(`${game.id} choices of ${binary}`, here === choices.get(game.id), `${here} != ${choices.get(game.id)}`);
}

/** Plays the first legal actions of a match, then goes back and plays them again: the same bytes, events and sentences. */
function playThroughExports(number) {
  engine.game_choose(number);
  const game = JSON.parse(text(engine.game_text()));
  engine.content_load(0);
  check(`${game.id} begins`, engine.match_begin(1, 2, 3, 4) === 0);
  const stateBytes = new DataView(engine.memory.buffer, engine.terms_at()).getUint32(0, true);
  const story = (from) => {
    const lines = [];
    for (let step = from; step < 40 && engine.awaited() !== 0; step++) {
      const seat = engine.awaited() & 1 ? 0 : 1;
      const count = engine.actions(seat);
      check(`${game.id} has actions`, count > 0);
      const index = (step * 7) % count;
      const word = text(engine.action_word(index));
      const [low, high] = new Uint32Array(bytes(engine.actions_at() + 8 * index, 8).buffer);
      check(`${game.id} accepts ${word}`, engine.act(low, high) === 0);
      const said = [];
      for (let i = 0; i < engine.events(); i++) said.push(text(engine.event_say(i, SPECTATOR)));
      lines.push([word, ...said, Buffer.from(bytes(engine.view(0), stateBytes)).toString('hex')].join('\n'));
    }
    return lines;
  };
  const first = story(0);
  check(`${game.id} goes back`, engine.match_rewind(0) === 1 && engine.match_length() === 0);
  check(`${game.id} tells the same story twice`, JSON.stringify(first) === JSON.stringify(story(0)));
  check(`${game.id} refuses nonsense`, engine.act(0xffffffff, 0xffffffff) !== 0 && text(engine.status_sentence(2)).length > 0);
  check(`${game.id} shows a board`, engine.show(SPECTATOR) !== 0);
  check(`${game.id} has names for sides`, text(engine.name(11, 0)).length > 0);
}

const write = (...strings) => {
  const bytesOf = strings.map((string) => Buffer.from(string));
  new Uint8Array(engine.memory.buffer).set(Buffer.concat(bytesOf.flatMap((part) => [part, Buffer.from([0])])), engine.input_at());
  return bytesOf.map((part) => part.length);
};
const halves = (seat, a) => new Uint32Array(new Uint8Array([a.verb, seat, a.unit, a.ability, a.x, a.y, a.other, a.amount]).buffer);

/** What the page asks: positions, previews, thoughts, advice; the same through the bytes of a view; files there and back. */
function askAsThePage(number) {
  engine.game_choose(number);
  const { id } = JSON.parse(text(engine.game_text()));
  engine.content_load(0);
  const terms = JSON.parse(text(engine.terms_text()));
  check(`${id} has sides`, terms.sides.length === 2 && /^[0-9a-f]{16}$/.test(terms.hash));
  check(`${id} has no moment yet`, engine.position() === 0 && engine.preview(0, 0, 1) === 0);
  check(`${id} begins`, engine.match_begin(5, 6, 7, 8) === 0);
  const seen = [];
  for (let step = 0; step < 60 && engine.awaited() !== 0; step++) {
    const seat = engine.awaited() & 1 ? 0 : 1;
    check(`${id} takes a moment`, engine.seat_view_take(seat, 0) === 1);
    const position = text(engine.position());
    const { actions, you } = JSON.parse(position);
    check(`${id} position is the seat's`, you === seat && actions.length > 0 && actions.every((g) => g.words.length === g.cells.length));
    const view = bytes(engine.seat_view_at(), terms.state_bytes);
    check(`${id} thinks`, engine.ai_begin(1 + (step % 2), step, 0) === 1);
    while (engine.ai_step(500) === 0);
    const action = JSON.parse(text(engine.ai_answer()));
    const [low, high] = halves(seat, action);
    const preview = JSON.parse(text(engine.preview(low, high, 6)));
    check(`${id} previews`, preview.outcomes >= 1 && (!preview.sampled || preview.outcomes === 6) && preview.units.every((u) => u.dies <= 1000 && (u.before === undefined || (u.least <= u.mean && u.mean <= u.most))), JSON.stringify(preview));
    check(`${id} previews no nonsense`, engine.preview(0xffffffff, 0xffffffff, 6) === 0);
    const happened = bytes(engine.seat_events_at(), 16 * JSON.parse(position).events.length);
    new Uint8Array(engine.memory.buffer).set(view, engine.seat_view_at());
    check(`${id} same from bytes`, engine.seat_view_set(seat, happened.length / 16) === 1 && JSON.parse(text(engine.position())).actions.length === actions.length);
    check(`${id} does what it thought`, engine.act(low, high) === 0);
    engine.seat_view_take(255, 0);
    seen.push(text(engine.position()));
  }
  if (engine.awaited() !== 0) {
    engine.seat_view_take(engine.awaited() & 1 ? 0 : 1, 0);
    check(`${id} seeks advice`, engine.tip_begin(2) === 1);
    while (engine.tip_step(2000) === 0);
    const [best] = JSON.parse(text(engine.tip_advice()));
    check(`${id} advises`, best.action.word !== '' && best.samples > 0 && best.works <= best.samples, JSON.stringify(best));
    const told = [...best.now, ...best.next, ...best.losses];
    check(`${id} advises in sentences`, told.every((one) => one.text !== '' && one.times > 0 && one.kind !== ''), JSON.stringify(best));
  }
  const names = write('Ann', 'Bob');
  const file = text(engine.match_save(names[0], names[1]));
  check(`${id} file`, JSON.parse(file).players.join() === 'Ann,Bob' && JSON.parse(file).actions.length === seen.length);
  engine.game_choose(0);
  const [nameCount, count] = write('match.json', file);
  check(`${id} opens its file`, engine.match_open(nameCount, count) === 1 && engine.match_length() === seen.length);
  const again = [];
  for (let at = 1; at <= seen.length; at++) {
    if (at === 1) check(`${id} goes to the start`, engine.match_goto(1) === 1);
    else check(`${id} goes on`, engine.match_goto(at) === 1);
    engine.seat_view_take(255, 0);
    again.push(text(engine.position()));
  }
  check(`${id} shows the same again`, JSON.stringify(again) === JSON.stringify(seen));
  check(`${id} goes no further`, engine.match_goto(seen.length + 1) === 0 && engine.match_goto(0) === 1 && engine.match_goto(seen.length) === 1);
  const broken = file.replace('"seed"', '"sead"');
  const [, brokenCount] = write('match.json', broken);
  check(`${id} refuses a broken file`, engine.match_open(nameCount, brokenCount) === 0 && text(new Uint8Array(engine.memory.buffer, engine.text_at()).indexOf(0)).includes('sead'));
}

const reviews = Number(process.env.MASH_REVIEWS ?? 1);
const REVIEW_NODES = 150;
let judged = 0;

/** The report of a match, judged in slices. */
function reviewOf(file) {
  engine.game_choose(0);
  const [nameCount, count] = write('match.json', file);
  check('a match to be judged opens', engine.match_open(nameCount, count) === 1);
  check('a report begins', engine.review_begin(REVIEW_NODES) === 1 && engine.review_done() === 0 && engine.review_all() > 0);
  while (engine.review_step(1000) === 0);
  check('a report ends', engine.review_done() === engine.review_all());
  const report = text(engine.review_text());
  check('a report is told again', text(engine.review_text()) === report);
  return report;
}

/** Reports of whole matches: the same bytes as those of the native builds, in which luck and play add up. */
function compareReviews(number) {
  engine.game_choose(number);
  const { id } = JSON.parse(text(engine.game_text()));
  const folder = mkdtempSync(join(tmpdir(), 'mashup-reviews-'));
  const run = (binary, ...words) => execFileSync(binary, words, { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'ignore'] }).trimEnd();
  run(natives[0], 'league', id, '--players', 'level3,level4', '--pairs', String(reviews), '--save', folder);
  readdirSync(folder).sort().slice(0, reviews === 1 ? 1 : undefined).forEach((name, index) => {
    const path = join(folder, name);
    const here = reviewOf(readFileSync(path, 'utf8'));
    for (const binary of index === 0 ? natives : natives.slice(0, 1)) {
      const there = run(binary, 'report', path, '--json', '--nodes', String(REVIEW_NODES));
      check(`${id} report of ${binary}`, here === there, `${here.slice(0, 300)} != ${there.slice(0, 300)}`);
    }
    const { turns } = JSON.parse(here);
    judged += turns.length;
    for (const { seat, before, after, play, luck } of turns)
      check(`${id} luck and play are the change`, play + luck === (seat === 0 ? after - before : before - after), JSON.stringify({ seat, before, after, play, luck }));
    const counted = (...words) => JSON.parse(run(natives[0], 'stats', path, '--json', '--least', '1', ...words))[0];
    const file = readFileSync(path, 'utf8');
    tallies(id, file, counted(), JSON.parse(file).players.map((player) => counted('--player', player)));
  });
  rmSync(folder, { recursive: true });
}

/** All values of these keys in an object, in their order. */
function valuesOf(object, keys) {
  if (object === null || typeof object !== 'object') return [];
  return Object.entries(object).flatMap(([key, value]) => [...(keys.includes(key) ? [value] : []), ...valuesOf(value, keys)]);
}
const IDS = ['id', 'role', 'kind_id', 'phase_id', 'ground_ids', 'about_ids', 'what_id', 'reason_id', 'side_ids'];
const WORDS = ['name', 'kind', 'phase', 'grounds', 'about', 'why', 'text', 'sides'];

/** Positions, previews, names, descriptions and sentences told again in another language: the ids stay, the words change. */
function speak(number) {
  engine.game_choose(number);
  const { id } = JSON.parse(text(engine.game_text()));
  const speakIn = (...language) => { const [name, count] = write(...language); return engine.language_set(name, count ?? 0); };
  check(`${id} speaks nothing without content`, speakIn('de') === 0);
  engine.content_load(0);
  engine.match_begin(5, 6, 7, 8);
  const told = [];
  const tell = () => {
    const position = JSON.parse(text(engine.position()));
    const actions = position.actions[0]?.cells[0];
    const [low, high] = actions ? halves(position.you, { ...position.actions[0], x: actions[0], y: actions[1], other: actions[2] ?? 0, amount: actions[3] ?? 0 }) : [0, 0];
    return { position, preview: actions ? JSON.parse(text(engine.preview(low, high, 3))) : null, terms: JSON.parse(text(engine.terms_text())), meter: text(engine.name(2, 0)) };
  };
  for (let step = 0; step < 30 && engine.awaited() !== 0; step++) {
    const seat = engine.awaited() & 1 ? 0 : 1;
    engine.seat_view_take(seat, 0);
    check(`${id} speaks German`, speakIn('de') === 1);
    const german = tell();
    check(`${id} speaks no Klingon`, speakIn('tlh') === 0);
    check(`${id} speaks no German by other texts`, step > 0 || speakIn('de', '{') === 0);
    const english = tell();
    told.push([english, german]);
    for (const [language, { position }] of [['de', german], ['en', english]]) {
      speakIn(language);
      const again = JSON.parse(text(engine.events_text()));
      check(`${id} says it again`, again.length === position.events.length);
      position.events.forEach((event, at) => check(`${id} says it again`, again[at] === event.text, `${again[at]} != ${event.text}`));
    }
    for (const { position } of [english, german])
      for (const { kind, unit, text: said } of position.events) {
        const token = position.board.tokens.find((one) => one.unit === unit && unit !== 255);
        if (token?.kind && kind !== 'revealed')
          check(`${id} calls units by names for people`, !new RegExp(`\\b${token.name}\\b`).test(said), `${token.name}: ${said}`);
      }
    const group = english.position.actions.at(-1);
    const [x, y, other, amount] = group.cells.at(-1);
    engine.act(...halves(seat, { ...group, x, y, other: other ?? 0, amount: amount ?? 0 }));
  }
  for (const [english, german] of told)
    check(`${id} has the same ids`, JSON.stringify(valuesOf(english, IDS)) === JSON.stringify(valuesOf(german, IDS)));
  for (const key of ['name', 'phase', 'text'])
    check(`${id} has other words for ${key}`, JSON.stringify(valuesOf(told.map(([e]) => e), [key])) !== JSON.stringify(valuesOf(told.map(([, g]) => g), [key])));
  check(`${id} has words`, valuesOf(told, WORDS).length > 0 && valuesOf(told, IDS).every((one) => one.length > 0 || Array.isArray(one)));
  check(`${id} has an id for a meter`, text(engine.entry_id(2, 0)).length > 0 && engine.entry_id(2, 255) === 0 && engine.entry_id(99, 0) === 0);
  const [count] = write('german.texts.json');
  const own = text(engine.document_text(count)).replace('"language": "de"', '"language": "gsw"');
  check(`${id} speaks a language of one's own`, speakIn('own.texts.json', own) === 1);
  check(`${id} speaks no nonsense`, speakIn('own.texts.json', '{}') === 0);
  const side = text(engine.name(11, 0));
  check(`${id} loads its own language again`, speakIn('de') === 1 && engine.content_load(0) === 1 && text(engine.name(11, 0)) === side);
  const described = () => [0, 5, 6, 7].flatMap((list) => Array.from({ length: 60 }, (_, index) => text(engine.describe(list, index)))).filter((one) => one !== '');
  const english = described();
  speakIn('de');
  const german = described();
  check(`${id} describes in German`, english.length > 0 && english.length === german.length && english.join() !== german.join(), `${english.length} descriptions in English, ${german.length} in German`);
}

/** Random documents of every generator load as content. */
function generateAll(number) {
  engine.game_choose(number);
  const game = JSON.parse(text(engine.game_text()));
  game.generators.forEach((generator, index) => {
    generator.parameters.forEach((parameter, i) => engine.parameter_set(i, parameter.usual));
    const made = text(engine.generate(index, 7, 0));
    check(`${game.id} generates ${generator.id}`, typeof JSON.parse(made) === 'object' && made === text(engine.generate(index, 7, 0)));
  });
  const [count] = write(game.presets[0].documents[0]);
  check(`${game.id} has documents`, JSON.parse(text(engine.document_text(count))) !== null);
}

/** Files of a network standard: what is none, what tells nothing, what is wrong inside. */
function foreignFiles() {
  const hear = (piece) => { const [name, count] = write('a_vs_b_replay.json', piece); return engine.recording_add(name, count); };
  const told = () => text(new Uint8Array(engine.memory.buffer, engine.text_at()).indexOf(0));
  check('foreign: not before it begins', engine.game_choose(0) === 1 && engine.recording_goto(0) === 0);
  check('foreign: begins', engine.recording_begin(10) === 1 && engine.recording_begin(0xffffffff) === 0 && engine.recording_begin(10) === 1);
  check('foreign: many messages', engine.recording_begin(1 << 18) === 1 && engine.recording_begin(10) === 1);
  check('foreign: nothing told', hear('{"events": []}') === 1 && engine.recording_count() === 0 && engine.recording_goto(0) === 0 && engine.position() === 0);
  check('foreign: no JSON', hear('{"events": [') === 0 && told().includes('a_vs_b_replay.json'), told());
  check('foreign: no events', hear('{}') === 0 && told().includes('events'), told());
  check('foreign: wrong nouns', hear('{"events": [{"messageType": "GAME_STRUCTURE"}]}') === 0 && told().startsWith('[{'), told());
  check('foreign: events before nouns', engine.recording_begin(10) === 1 && hear('{"events": [{"eventType": "GamestateEvent"}, {}, 3, null]}') === 1 && engine.recording_count() === 0);
}

/** The module with a memory that ends after so many pages: the section of memory (number 5) with that maximum. */
function limitedTo(pages) {
  const whole = readFileSync(wasmPath);
  const number = (at) => {
    let value = 0;
    for (let shift = 0; ; shift += 7, at++) {
      value += (whole[at] & 127) * 2 ** shift;
      if (whole[at] < 128) return [value, at + 1];
    }
  };
  const written = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...written(value >> 7)]);
  for (let at = 8; ; ) {
    const [size, body] = number(at + 1);
    if (whole[at] === 5) {
      const [least] = number(body + 2); // one memory, its flags, its size
      const section = [1, 1, ...written(least), ...written(least + pages)];
      return new WebAssembly.Instance(new WebAssembly.Module(Buffer.concat([whole.subarray(0, at), Buffer.from([5, section.length, ...section]), whole.subarray(body + size)]))).exports;
    }
    at = body + size;
  }
}

/** With less memory than content needs it is refused, whichever part there is no room for; with enough it works. A match needs some more, AI players may lack. */
function littleMemory(number) {
  const room = (module) => module.memory.buffer.byteLength / 65536;
  const free = limitedTo(60000);
  const least = room(free);
  free.game_choose(number);
  check('there is memory', free.content_load(0) === 1);
  const needed = room(free) - least;
  let loaded = false;
  for (let part = 0; part <= 16; part++) {
    const pages = Math.floor((needed * part) / 16);
    const module = limitedTo(pages);
    module.game_choose(number);
    const loads = module.content_load(0) === 1;
    const begins = module.match_begin(1, 2, 3, 4) === 0;
    check(`game ${number} with ${pages} of ${needed} pages`, loads ? part > 0 : !loaded && !begins && part < 16);
    if (begins) check(`game ${number} has a position with ${pages} pages`, module.seat_view_take(0, 0) === 1 && module.position() > 0);
    loaded ||= loads;
  }
}

/** Memory grows by as much as is asked for: a million bytes more each time, and as many nodes. */
function noMoreMemory() {
  const module = limitedTo(60000);
  const sizes = [1, 2, 3, 4].map((millions) => {
    new Uint8Array(module.memory.buffer).fill(32, module.input_at(), module.input_at() + millions * 1e6)[module.input_at()] = 0;
    check('there are only blanks', module.format(0, millions * 1e6 - 1) === 0);
    return module.memory.buffer.byteLength / 65536;
  });
  const grown = sizes.slice(1).map((size, at) => size - sizes[at]);
  check('memory grows as it is asked for', grown.every((by) => by > 0 && Math.abs(by - grown[0]) <= 1), `${sizes}`);
}

/** Matches that begin again take no more memory, however many. */
function matchesAgain() {
  const module = limitedTo(60000);
  check('there is a match', module.game_choose(0) === 1 && module.content_load(0) === 1 && module.match_begin(1, 2, 3, 4) === 0);
  const bytesThen = module.memory.buffer.byteLength;
  for (let times = 0; times < 2000; times++) module.match_begin(1, 2, 3, 4);
  check('matches again take no more memory', module.memory.buffer.byteLength === bytesThen, `${bytesThen} ${module.memory.buffer.byteLength}`);
}

/** A document that is no JSON is answered by a list of problems. */
function badDocument(number) {
  engine.game_choose(number);
  const name = 'broken.texts.json';
  const body = '{"language": ';
  new Uint8Array(engine.memory.buffer).set(new TextEncoder().encode(`${name}\0${body}`), engine.input_at());
  check('takes a document', engine.document_add(name.length, body.length) === 1);
  check('refuses it', engine.content_load(0) === 0);
  const length = new Uint8Array(engine.memory.buffer, engine.text_at()).indexOf(0);
  const problems = JSON.parse(text(length));
  check('names it', problems.some((problem) => problem.document === name && problem.line === 1), JSON.stringify(problems));
}

/** How many checks passed and failed, and the end. */
function finish() {
  console.log(`${judged} turns judged alike; ${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

const { playOn, puzzles, ratings, tallies } = played({ engine, check, text, write });
askEverything({ engine, check, text, bytes, write, halves });
for (let number = 0; number < engine.game_count(); number++) {
  playOn(number);
  puzzles(number);
}
ratings();
for (const line of differences()) check('answers are those of tests/golden/wasm.txt (if others are meant: MASH_GOLDEN=write)', false, line);
if (failed > 0) finish(); // the comparisons take much longer
const choicesOf = natives.map((binary) => [binary, nativeChoices(binary)]);
for (let number = 0; number < engine.game_count(); number++) {
  compareSignatures(number);
  compareChoices(number, choicesOf);
  compareReviews(number);
  playThroughExports(number);
  badDocument(number);
  askAsThePage(number);
  speak(number);
  generateAll(number);
}
foreignFiles();
[0, 1, 2, 3].forEach(littleMemory);
noMoreMemory();
matchesAgain();
check('no such game', engine.game_choose(99) === 0 && engine.content_load(0) === 0 && engine.simulate(1, 1, 0) === 0);
finish();

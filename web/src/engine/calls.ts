/* calls.ts -- what may be asked of the engine, as one list: the worker answers these, engine.ts asks them.
 *
 * Each entry is a function of a request that can be cloned to an answer that can be cloned. Nothing here knows a rule. */
import type { Action, Document, Game, GameEvent, Level, Position, Preset, Preview, Problem, Result, Seat, Tip, WalkNode } from '../model';
import type { Review } from '../report/review';
import type { Perspective } from '../table/table';
import { Module, type Exports } from './module';

const SPECTATOR = 255;
const NO_UNIT = 255;
const MESSAGES_AT_ONCE = 200;
const EVENT_BYTES = 16;
const VERBS = { resign: 240, offer: 241, accept: 242, decline: 243 } as const;

/** Numbers of the lists of which entries are described, as include/mashup.h has them. */
const DESCRIBED = { kind: 0, ability: 5, item: 6, effect: 7, trait: 12 } as const;
const INDICES = 256;
/** The lists that have names, in the order of include/mashup.h. */
const NAMED = ['kind', 'ground', 'meter', 'phase', 'verb', 'ability', 'item', 'effect', 'outcome', 'reason', 'figure', 'side', 'trait'] as const;

/** A list of which entries are described. */
export type DescribedList = keyof typeof DESCRIBED;
/** Why something was not done: the id of the engine's status and its English sentence. */
export interface Refusal {
  code: string;
  reason: string;
}

/** One or two sentences about entries of the engine's lists, by number and by id; what nothing is told about is left out. */
export type Descriptions = Record<DescribedList, Record<number | string, string>>;

/** A list that has names. */
export type NamedList = (typeof NAMED)[number];
/** The names of a content by list and id, in the language that is spoken. */
export type Names = Record<NamedList, Record<string, string>>;

/** A content: a game, a preset of it, and documents in place of the preset's of the same kind. */
export interface ContentRequest {
  game: string;
  preset?: string;
  documents?: Document[];
}

/** What somebody saw of one action, and the number of the position that came of it. */
export interface Past {
  number: number;
  events: GameEvent[];
  seen: SeatView;
}

/** What a content says about itself. */
export interface Terms {
  state_bytes: number;
  width: number;
  height: number;
  units: number;
  turn_ms: number;
  match_ms: number;
  pause_ms: number;
  silence_ms: number;
  animation_ms: number;
  hides: boolean;
  hash: string;
  sides: [string, string];
}

/** What a seat sees, as bytes: from the server, or from another instance of the engine. */
export interface SeatView {
  seat: Seat | null;
  view: Uint8Array;
  events: Uint8Array;
}

/** What is said about a match that was opened from a file. */
export interface OpenedMatch {
  game: string;
  title: string;
  terms: Terms;
  /** How far it can be gone to. */
  length: number;
  /** What a server of a network standard wrote down: it can be looked at, but not be played on. */
  recorded: boolean;
}

/** What came of a step: why it was not done, or null, and what is seen now. */
export interface StepDone {
  refusal: Refusal | null;
  position: Position;
  undoable: boolean;
}

/** A game as game_text() has it. */
type GameText = Omit<Game, 'presets'> & { presets: { id: string; title: string; documents: string[] }[] };

/** What a match tells statistics: what each side chose, the words of the first turn and whose it was (255: there was none), and the result:
 * `winner` is 0, 1 or something else. */
export interface MatchTally {
  choices: [Seat, string][];
  first: string;
  seat: number;
  winner: number;
  actions: number;
  over: boolean;
}

/** A rating, its deviation and its volatility, in the units of rating/glicko.h: millionths of a point, and of a millionth. */
export interface Glicko {
  rating: number;
  deviation: number;
  volatility: number;
}

/** Raised when documents or a match file are wrong; the page shows all of it. */
export class ProblemsError extends Error {
  constructor(readonly problems: Problem[]) {
    super(problems.map((p) => `${p.document}:${p.line}:${p.column}: ${p.reason}`).join('\n') || 'the file couldn\'t be read');
  }
}

/** The eight bytes of an action as two numbers. */
function halves(seat: number, verb: number, action?: Action): [number, number] {
  const bytes = new Uint8Array(8);
  bytes.set(action ? [verb, seat, action.unit, action.ability, action.x, action.y, action.other, action.amount] : [verb, seat]);
  const view = new DataView(bytes.buffer);
  return [view.getUint32(0, true), view.getUint32(4, true)];
}

/** The messages of a file that a server of a network standard wrote; null: it is none. */
function recordedMessages(text: string): unknown[] | null {
  try {
    const { events } = JSON.parse(text) as { events?: unknown };
    return Array.isArray(events) ? events : null;
  } catch {
    return null;
  }
}

/** Makes the answers of one engine. */
export function callsOf(exports: Exports) {
  const module = new Module(exports);
  let ids: string[] = [];
  let chosen: GameText | null = null;
  /** The position of a recording that is shown; null: none is open. */
  let recorded: number | null = null;
  /** The language that is spoken, as far as a content has texts in it; else it speaks its own. */
  let language = 'en';

  /** Speaks the language, after a content was loaded. */
  function speak() {
    const [count] = module.input(language) ?? [0];
    exports.language_set(count ?? 0, 0);
  }

  /** Makes a game the one that is asked about, and tells about it. */
  function choose(index: number): GameText {
    recorded = null;
    exports.game_choose(index);
    const game = module.json<GameText>(exports.game_text());
    chosen = game;
    return game;
  }
  /** The ids of all games, asked once. */
  function gameIds(): string[] {
    if (ids.length === 0)
      ids = Array.from({ length: exports.game_count() }, (_, index) => choose(index).id);
    return ids;
  }
  /** The same by id; throws if there is no such game. */
  function chooseById(id: string) {
    const index = gameIds().indexOf(id);
    if (index < 0) throw new Error(`unknown game: ${id}`);
    return choose(index);
  }
  /** What the loaded content says about itself. */
  function terms(): Terms {
    return module.json(exports.terms_text());
  }
  /** What the engine found wrong with documents, as it wrote it into its text. */
  function problems(): Problem[] {
    const text = module.textToNul();
    return text.startsWith('[') ? (JSON.parse(text) as Problem[]) : [];
  }
  /** Puts a document in place of the preset's of the same kind; throws if there is no room. */
  function addDocument(document: Document) {
    let text = document.text;
    if (text === undefined) {
      const [count] = module.input(document.name) ?? [0];
      text = module.text(exports.document_text(count ?? 0));
    }
    const [name, bytes] = module.input(document.name, text) ?? [];
    if (name === undefined || bytes === undefined || exports.document_add(name, bytes) === 0)
      throw new Error(`${document.name} is too large or doesn't belong to this game`);
  }
  /** The seat's view as bytes. */
  function seen(seat: Seat | null): SeatView {
    const view = module.bytes(exports.seat_view_at(), terms().state_bytes);
    return { seat, view, events: module.bytes(exports.seat_events_at(), exports.seat_events_count() * EVENT_BYTES) };
  }
  /** The seat's view as the page knows positions, and as bytes. */
  function position(): Position {
    const { type: _, ...rest } = module.json<Position & { type: string }>(exports.position());
    const actions = rest.actions.map((group) => (exports.verb_has_unit(group.verb) === 1 ? group : { ...group, nobody: true }));
    return { ...rest, actions, seen: seen(rest.you) };
  }
  /** What a status means; null: it was done. */
  function refusal(status: number): Refusal | null {
    return status === 0 ? null : { code: module.text(exports.status_id(status)), reason: module.text(exports.status_sentence(status)) };
  }
  /** Takes what somebody sees of the match here as the seat's view. */
  function take(perspective: Perspective) {
    if (exports.seat_view_take(typeof perspective === 'number' ? perspective : SPECTATOR, perspective === 'all' ? 1 : 0) === 0)
      throw new Error('no match in progress');
  }
  /** Takes bytes from elsewhere as the seat's view; throws if they are not of this content. */
  function setSeatView({ seat, view, events }: SeatView) {
    if (view.length !== terms().state_bytes) throw new Error('the server sent data for another set of files');
    if (exports.seat_view_set(seat ?? SPECTATOR, events.length / EVENT_BYTES) === 0) throw new Error('too many events at once');
    module.put(exports.seat_view_at(), view);
    module.put(exports.seat_events_at(), events);
  }

  /** One problem of a whole file. */
  function problem(document: string, reason: string): Problem[] {
    return [{ document, line: 0, column: 0, path: '', reason }];
  }
  /** Reads a match file; what is wrong with it, or null. */
  function openFile(name: string, text: string): Problem[] | null {
    const [nameCount, count] = module.input(name, text) ?? [];
    if (nameCount === undefined || count === undefined) return problem(name, 'the file is too large');
    return exports.match_open(nameCount, count) === 1 ? null : problems();
  }
  /** Reads the messages of a recording, piece by piece; what is wrong with them, or null. */
  function listen(name: string, messages: unknown[]): Problem[] | null {
    if (exports.recording_begin(messages.length) === 0) return problem(name, 'the file is too large');
    for (let at = 0; at < messages.length; at += MESSAGES_AT_ONCE) {
      const [nameCount, count] = module.input(name, JSON.stringify({ events: messages.slice(at, at + MESSAGES_AT_ONCE) })) ?? [];
      if (nameCount === undefined || count === undefined) return problem(name, 'a message in the file is too large');
      if (exports.recording_add(nameCount, count) === 0) return problems();
    }
    return exports.recording_count() > 0 ? null : problem(name, 'the recording contains no complete position');
  }

  return {
    /** Speaks another language from now on. */
    speak({ language: wanted }: { language: string }): void {
      language = wanted;
      speak();
    },

    /** The names of the sides. */
    sides(): [string, string] {
      return terms().sides;
    },

    /** What happened in each of these views, in sentences: the texts of the events that its position has. */
    tell({ views }: { views: SeatView[] }): string[][] {
      return views.map((seen) => {
        setSeatView(seen);
        return module.json<string[]>(exports.events_text());
      });
    },

    /** What happened in each of these steps, said with the names that the view has for everybody. */
    happened({ seatView, steps }: { seatView: SeatView; steps: Uint8Array[] }): GameEvent[][] {
      return steps.map((events) => {
        setSeatView({ ...seatView, events });
        const count = exports.step_text();
        return count === 0 ? [] : module.json<{ events: GameEvent[] }>(count).events;
      });
    },

    /** All games, with the sizes and times of their presets. */
    games(): Game[] {
      return gameIds().map((id) => {
        const game = chooseById(id);
        const presets: Preset[] = game.presets.map((preset, index) => {
          exports.content_load(index);
          speak();
          return { ...terms(), id: preset.id, title: preset.title };
        });
        const levels = module.json<Level[]>(exports.ai_levels());
        return { id, title: game.title, version: game.version, presets, options: game.options, generators: game.generators, levels };
      });
    },

    /** Names of the documents of a preset. */
    documentNames({ game, preset }: { game: string; preset?: string }): string[] {
      const { presets } = chooseById(game);
      return (presets.find(({ id }) => id === preset) ?? presets[0])?.documents ?? [];
    },

    /** A document that comes with a game; empty: there is none of that name. Forgets content and match. */
    document({ game, name }: { game: string; name: string }): string {
      chooseById(game);
      const [count] = module.input(name) ?? [0];
      return module.text(exports.document_text(count ?? 0));
    },

    /** Loads a content; its problems if it is wrong. Forgets content and match. */
    load({ game, preset, documents = [] }: ContentRequest): { terms: Terms } | { problems: Problem[] } {
      const { presets } = chooseById(game);
      const index = preset === undefined ? 0 : presets.findIndex(({ id }) => id === preset);
      if (index < 0) throw new Error(`${game} has no board called ${preset}`);
      documents.forEach(addDocument);
      if (exports.content_load(index) === 0) return { problems: problems() };
      speak();
      return { terms: terms() };
    },

    /** All that a content describes in words; nothing if it is wrong. Forgets content and match. */
    describe(request: ContentRequest): Descriptions {
      const all: Descriptions = { kind: {}, ability: {}, item: {}, effect: {}, trait: {} };
      if ('problems' in this.load(request)) return all;
      for (const [list, number] of Object.entries(DESCRIBED) as [DescribedList, number][])
        for (let index = 0; index < INDICES; index++) {
          const count = exports.describe(number, index);
          if (count === 0) continue;
          const words = module.text(count);
          all[list][index] = words;
          all[list][module.text(exports.entry_id(number, index))] ??= words;
        }
      return all;
    },

    /** All names of a content by their ids. Forgets content and match. */
    names(request: ContentRequest): Names {
      const all = Object.fromEntries(NAMED.map((list) => [list, {}])) as Names;
      if ('problems' in this.load(request)) return all;
      NAMED.forEach((list, number) => {
        for (let index = 0; index < INDICES; index++) {
          const id = module.text(exports.entry_id(number, index));
          if (id !== '') all[list][id] ??= module.text(exports.name(number, index));
        }
      });
      return all;
    },

    /** Begins a match; null, or why it cannot. */
    begin({ options, seed }: { options: Record<string, number>; seed: [number, number, number, number] }): Refusal | null {
      chosen?.options.forEach((option, index) => exports.option_set(index, options[option.id] ?? option.usual));
      return refusal(exports.match_begin(...seed));
    },

    /** Opens a match file, or the file of a network standard: game, content and match are what it says. */
    open({ name, text }: { name: string; text: string }): OpenedMatch | { problems: Problem[] } {
      gameIds();
      exports.game_choose(0);
      recorded = null;
      const messages = recordedMessages(text);
      const wrong = messages ? listen(name, messages) : openFile(name, text);
      if (wrong) return { problems: wrong };
      if (messages) recorded = 0;
      speak();
      const { id, title } = (chosen = module.json<GameText>(exports.game_text()));
      const length = messages ? exports.recording_count() - 1 : exports.match_length();
      return { game: id, title, terms: terms(), length, recorded: messages !== null };
    },

    /** The match as a file. */
    save({ players }: { players: [string, string] }): string {
      const [first, second] = module.input(...players) ?? [0, 0];
      return module.text(exports.match_save(first ?? 0, second ?? 0));
    },

    /** Back to the position after the first `count` actions. */
    rewind({ count }: { count: number }): boolean {
      return exports.match_rewind(count) === 1;
    },

    /** To the position after the first `count` actions of the file that was opened, forwards or back. */
    goto({ count }: { count: number }): boolean {
      if (recorded === null) return exports.match_goto(count) === 1;
      recorded = count;
      return exports.recording_goto(count) === 1;
    },

    /** All positions of a match file as a watcher sees them, from its start. */
    positionsOf({ name, text }: { name: string; text: string }): Position[] {
      const opened = this.open({ name, text });
      if ('problems' in opened) return [];
      const positions: Position[] = [];
      for (let count = 0; count <= opened.length && this.goto({ count }); count++)
        positions.push(this.see({ eyes: 'watcher' }));
      return positions;
    },

    /** What somebody saw of the match that was opened, from its start to the position after the first `count` actions, which it is at then. */
    past({ eyes, count }: { eyes: Perspective; count: number }): Past[] {
      const all: Past[] = [];
      for (let number = 0; number <= count && this.goto({ count: number }); number++) {
        take(eyes);
        const said = exports.step_text();
        const { events } = said === 0 ? { events: [] } : module.json<{ events: GameEvent[] }>(said);
        all.push({ number, events, seen: seen(typeof eyes === 'number' ? eyes : null) });
      }
      return all;
    },

    /** What somebody sees of the match here, with the events of the last action. */
    see({ eyes: perspective }: { eyes: Perspective }): Position {
      if (recorded !== null) return { ...position(), number: recorded };
      take(perspective);
      return { ...position(), number: exports.match_length() };
    },

    /** The same as bytes, for another instance. */
    seatView({ seat }: { seat: Seat }): SeatView {
      take(seat);
      return { seat, view: module.bytes(exports.seat_view_at(), terms().state_bytes), events: new Uint8Array(0) };
    },

    /** What the bytes of a view say. */
    read(seatView: SeatView): Position {
      setSeatView(seatView);
      return position();
    },

    /** The seats for whom the match here waits, and whether anything is hidden from anybody. */
    waits(): { awaited: Seat[]; hidden: boolean } {
      const bits = exports.awaited();
      const awaited = ([0, 1] as Seat[]).filter((seat) => (bits >> seat) & 1);
      return { awaited, hidden: exports.hidden(0) + exports.hidden(1) > 0 };
    },

    /** Does an action in the match here; null, or why not. */
    act({ seat, action }: { seat: Seat; action: Action }): Refusal | null {
      return refusal(exports.act(...halves(seat, action.verb, action)));
    },

    /** Does several actions, given by their words, as one step: all or none; null, or why not. */
    acts({ seat, words }: { seat: Seat; words: string[] }): Refusal | null {
      let status = exports.step_begin();
      for (const word of words) {
        const [count] = module.input(word) ?? [0];
        if (status === 0) status = exports.step_add(seat, count ?? 0);
      }
      return refusal(status);
    },

    /** Does an action, or several as one step, and tells what somebody sees then, and whether a step of a seat (null: of either) can be
     * undone: one message for all of it. */
    step({ seat, step, eyes, undoing }: { seat: Seat; step: Action | string[]; eyes: Perspective; undoing: Seat | null }): StepDone {
      const refusal = Array.isArray(step) ? this.acts({ seat, words: step }) : this.act({ seat, action: step });
      return { refusal, position: this.see({ eyes }), undoable: this.undoable({ seat: undoing }) };
    },

    /** Is there a step of this seat (null: of either) to undo? */
    undoable({ seat }: { seat: Seat | null }): boolean {
      return exports.undo_left(seat ?? SPECTATOR) > 0;
    },

    /** Undoes the last step of this seat (null: of either) with all that came after it; how many actions that were. */
    undo({ seat }: { seat: Seat | null }): number {
      const before = exports.match_length();
      const left = exports.undo_left(seat ?? SPECTATOR);
      if (left > 0) exports.undo(left - 1);
      return before - exports.match_length();
    },

    /** Says a word that every game knows. */
    word({ seat, what }: { seat: Seat; what: keyof typeof VERBS }): Refusal | null {
      return refusal(exports.act(...halves(seat, VERBS[what])));
    },

    /** What the action would do, in the view given or (left out) in the match here. */
    preview({ seatView, seat, action, samples = 48 }:
      { seatView?: SeatView; seat: Seat; action: Action; samples?: number }): Preview | null {
      if (seatView) setSeatView(seatView);
      else take(seat);
      const count = exports.preview(...halves(seat, action.verb, action), samples);
      return count === 0 ? null : module.json(count);
    },

    /** Where a unit can go from what its seat sees, step by step; null: nowhere. */
    walk({ seatView, unit }: { seatView: SeatView; unit: number }): WalkNode[] | null {
      setSeatView(seatView);
      const count = exports.walk(unit);
      return count === 0 ? null : module.json(count);
    },

    /** The words of the actions by which a unit hits an enemy after as few steps as possible; null: it cannot. */
    walkAttack({ seatView, unit, enemy }: { seatView: SeatView; unit: number; enemy: number }): string[] | null {
      setSeatView(seatView);
      const count = exports.walk_attack(unit, enemy);
      return count === 0 ? null : module.json(count);
    },

    /** For each cell, row by row, the most health a unit of the seat there may lose in the enemy's next turn, by all enemies or by
     * one; -1: that is not known. Null: the view is a watcher's. */
    threat({ seatView, unit = NO_UNIT }: { seatView: SeatView; unit?: number }): number[] | null {
      setSeatView(seatView);
      const count = exports.threat(unit);
      return count === 0 ? null : module.json(count);
    },

    /** The id of the engine's answer to an action that is not listed: why it is not. */
    why({ seatView, action }: { seatView: SeatView; action: Action }): string {
      setSeatView(seatView);
      return module.text(exports.status_id(exports.check(...halves(seatView.seat ?? SPECTATOR, action.verb, action))));
    },

    /** What the seat of a view will see after an action of its own, or after several as one step, given by their words; null: it cannot
     * know that. */
    foresee({ seatView, step }: { seatView: SeatView; step: Action | string[] }): Position | null {
      setSeatView(seatView);
      exports.foresee_begin();
      const known = Array.isArray(step)
        ? step.length > 0 && step.every((word) => exports.foresee_word(module.input(word)?.[0] ?? 0) === 1)
        : exports.foresee(...halves(seatView.seat ?? SPECTATOR, step.verb, step)) === 1;
      return known ? position() : null;
    },

    /** Begins to think, for so many nodes at most (usually those of the level); false: there is nothing to choose. Go on with `think`. */
    thinkBegin({ seatView, level, seed, nodes = 0 }: { seatView: SeatView; level: number; seed: number; nodes?: number }): boolean {
      setSeatView(seatView);
      return exports.ai_begin(level, seed, 0, nodes) === 1;
    },

    /** Thinks on for so many nodes; the answer when done or asked for. */
    think({ nodes, enough }: { nodes: number; enough: boolean }): Action | null {
      const done = exports.ai_step(nodes) === 1;
      return done || enough ? module.json(exports.ai_answer()) : null;
    },

    /** Advice for the view's seat, the best choice first. */
    tip({ seatView, level }: { seatView: SeatView; level: number }): Tip | null {
      setSeatView(seatView);
      if (exports.tip_begin(level) === 0) return null;
      while (exports.tip_step(2000) === 0);
      const [best, other] = module.json<Omit<Tip, 'other'>[]>(exports.tip_advice());
      return best ? { ...best, ...(other ? { other } : {}) } : null;
    },

    /** Opens a match file and begins its report; false: it cannot be judged. Go on with `review`. */
    reviewBegin({ text, nodes = 0 }: { text: string; nodes?: number }): boolean {
      const opened = this.open({ name: 'match.json', text });
      return !('problems' in opened) && !opened.recorded && exports.review_begin(nodes) === 1;
    },

    /** Judges on for so many nodes: how many turns are done, and everything at the end. */
    review({ nodes }: { nodes: number }): { done: number; all: number; review: Review | null } {
      const finished = exports.review_step(nodes) === 1;
      const review = finished ? module.json<Review>(exports.review_text()) : null;
      return { done: exports.review_done(), all: exports.review_all(), review };
    },

    /** What a match file tells statistics; null: it cannot be read. */
    tally({ text }: { text: string }): MatchTally | null {
      const opened = this.open({ name: 'match.json', text });
      if ('problems' in opened || opened.recorded || !this.goto({ count: opened.length })) return null;
      return module.json<MatchTally>(exports.tally_text());
    },

    /** What comes of another turn of a seat, given by its words, after the first `at` actions of a match file: the position before it, and the
     * one after each action, as far as they are possible. */
    line({ text, at, seat, words, eyes }: { text: string; at: number; seat: Seat; words: string[]; eyes: Perspective }): Position[] {
      const opened = this.open({ name: 'match.json', text });
      if ('problems' in opened || !this.goto({ count: at })) return [];
      const positions = [this.see({ eyes })];
      for (const word of words) {
        if (this.acts({ seat, words: [word] }) !== null) break;
        positions.push(this.see({ eyes }));
      }
      return positions;
    },

    /** Advice for who was to act after the first `at` actions of a match file, by the search of the report. */
    reason({ text, at, seat }: { text: string; at: number; seat: Seat }): Tip | null {
      const opened = this.open({ name: 'match.json', text });
      if ('problems' in opened || !this.goto({ count: at })) return null;
      return this.tip({ seatView: this.seatView({ seat }), level: 0 });
    },

    /** Plays the match here on, both seats by programs of a level, for at most so many actions: how many there are now, and the result once it is
     * over. Null: it cannot be played on. */
    playOn({ level, seed, actions }: { level: number; seed: number; actions: number }): { count: number; result: Result | null } | null {
      const done = exports.play_on(level, seed, actions);
      if (done > 1) return null;
      return { count: exports.match_length(), result: done === 1 ? (this.see({ eyes: 'watcher' }).result ?? null) : null };
    },

    /** Plays the match of a shipped puzzle up to it. Null: the board is another one than it was found on. */
    puzzleOpen({ game, preset, content, seed, actions }: { game: string; preset: string; content: string; seed: string; actions: string }): Terms | null {
      const loaded = this.load({ game, preset });
      if ('problems' in loaded || loaded.terms.hash !== content) return null;
      const words = [24, 16, 8, 0].map((at) => parseInt(seed.slice(at, at + 8), 16)) as [number, number, number, number];
      if (this.begin({ options: {}, seed: words }) !== null) return null;
      for (let at = 0; at < actions.length; at += 16) {
        const bytes = Uint8Array.from({ length: 8 }, (_, index) => parseInt(actions.slice(at + 2 * index, at + 2 * index + 2), 16));
        const view = new DataView(bytes.buffer);
        if (exports.act(view.getUint32(0, true), view.getUint32(4, true)) !== 0) return null;
      }
      return loaded.terms;
    },

    /** The turn that begins now is the one to be found. False: it is nobody's, or there is not enough memory. */
    puzzleBegin(): boolean {
      return exports.puzzle_begin() === 1;
    },

    /** Is that turn over? */
    puzzleOver(): boolean {
      return exports.puzzle_over() === 1;
    },

    /** The winning chance after it, in ten thousandths. */
    puzzleJudge({ nodes }: { nodes: number }): number {
      return exports.puzzle_judge(nodes);
    },

    /** A rating after a puzzle that was rated `other` points was solved, or was not; null: it is the first. */
    puzzleRating({ rating, idle_ms, other, solved }: { rating: Glicko | null; idle_ms: number; other: number; solved: boolean }): Glicko {
      const { rating: points, deviation, volatility } = rating ?? { rating: 0, deviation: 0, volatility: 0 };
      return module.json(exports.puzzle_rating(points, deviation, volatility, idle_ms, other * 1e6, solved ? 1 : 0));
    },

    /** A random document; null: no document has these values together. Forgets content and match. */
    generate({ game, generator, parameters, seed }:
      { game: string; generator: string; parameters: Record<string, number>; seed: number }): string | null {
      const { generators } = chooseById(game);
      const index = generators.findIndex(({ id }) => id === generator);
      generators[index]?.parameters.forEach((p, i) => exports.parameter_set(i, parameters[p.id] ?? p.usual));
      const count = index < 0 ? 0 : exports.generate(index, seed, 0);
      return count === 0 ? null : module.text(count);
    },

    /** A JSON text in the one layout; null: it is no JSON, or too long. Forgets content and match. */
    format({ text }: { text: string }): string | null {
      exports.game_choose(0);
      const [name, bytes] = module.input('text', text) ?? [];
      const count = name === undefined || bytes === undefined ? 0 : exports.format(name, bytes);
      return count === 0 ? null : module.text(count);
    },
  };
}

/** All calls, for both sides of the worker. */
export type Calls = ReturnType<typeof callsOf>;

/* table.ts -- the one interface through which the match screen knows a table, wherever the match is played.
 *
 * Three kinds stand behind it: `online` (the arena), `local` (the engine in a worker: against a program, or both seats on
 * this device; a lesson is one of these with `lesson`) and `replay` (a match that is written down). Everything that changes is a signal: read `.value` inside a
 * component or an effect, and it is drawn again. */
import type { ReadonlySignal } from '@preact/signals';
import type { LeaverChoice, Phrase, PreparedMessage, RatedMessage } from '../arena/messages';
import type { ContentRequest, SeatView } from '../engine/calls';
import type { Language } from '../texts/language';
import type { LocalMatchConfig } from './local';
import type { MatchNote } from './notes';
import type { Action, GameEvent, Player, Position, Preview, Result, Seat, Tip, WalkNode } from '../model';

/** What does not change from move to move. Times in ms, 0 = no limit. */
export interface TableAbout {
  /** Id and title of the game. */
  game: string;
  title: string;
  /** Id of the preset; left out: content of its own. */
  preset?: string;
  /** What is loaded: the game, a preset, own documents. */
  content: ContentRequest;
  /** All rule variants by id. */
  options: Record<string, number>;
  /** The code for friends and watchers; empty on this device. */
  code: string;
  /** It waits for whoever looks for a quick match: the code does not help to join. */
  quick?: boolean;
  turn_ms: number;
  match_ms: number;
  pause_ms: number;
  /** So long a player whose connection is lost may come back. */
  grace_ms?: number;
  /** The content's limit for animations after one action; 0 = none. */
  animation_ms: number;
  /** Something may be hidden from a seat in this game (hot-seat then needs the curtain). */
  hides: boolean;
  /** Spectators see what is hidden from the players: everybody at the table is told. */
  spectatorsSeeHidden?: boolean;
  /** Nobody at this table gets tips before the match is over. */
  noTips?: boolean;
  /** Nothing but phrases is said in the chat. */
  phrasesOnly?: boolean;
  /** It goes on from this turn of another match. */
  fromTurn?: number;
  /** It counts for the ratings of both. */
  rated?: boolean;
  /** A match over days: so many for each turn; who leaves the table loses nothing. */
  days?: number;
  /** Names of the seats' sides: ["red", "blue"]. */
  sides: [string, string];
  /** Of two matches with sides changed, which one this is. */
  leg?: 1 | 2;
  /** In the second of two matches: who won the first, as seats are now; null: nobody did. */
  first?: Seat | null;
  /** The code of the tournament that the match belongs to. */
  tournament?: string;
}

/** A line of the log: an event in words, or a remark of the table ("Ann is back."). */
export interface LogLine {
  text: string;
  /** The event, if the line is one. */
  event?: GameEvent;
  /** Number of the position it came with; below 0: it came before one was here, each step with a number of its own. */
  number: number;
  /** Where the text comes from, to say it again in another language: a function, or event `at` of what was seen. */
  again?: (() => string) | { seen: SeatView; at: number };
}

/** A line of chat. */
export interface ChatLine {
  name: string;
  seat: Seat | null;
  text: string;
  /** The text is this phrase. */
  phrase?: Phrase;
}

/** Running clocks: `left_ms` was true at `at` (performance.now()); while `running`, it goes down. */
export interface RunningClock {
  left_ms: number;
  at: number;
  running: boolean;
}

/** How the table is connected; always `here` on this device. */
export type Connection =
  | { state: 'here' }
  /** Trying again by itself. */
  | { state: 'lost'; attempt: number }
  /** For good: the sentence says why (seat taken over, table gone, other version, server full). */
  | { state: 'gone'; reason: string; reload?: boolean; taken?: boolean };

/** What came of a request. */
export type Outcome = { ok: true } | { ok: false; reason: string };

/** A moment of a replay worth jumping to. */
export interface ReplayMark {
  /** The number of actions played before it. */
  at: number;
  kind: 'round' | 'died' | 'item' | 'spoke' | 'revealed' | 'end';
  text: string;
}

/** Who looks at a replay: a seat, a watcher, or one who sees everything. */
export type Perspective = Seat | 'watcher' | 'all';

/** What only a replay has. */
export interface ReplayControls {
  /** So many actions have been played, of so many. */
  readonly at: ReadonlySignal<number>;
  readonly length: number;
  /** The file as it was opened. */
  readonly text: string;
  /** False: the file tells what was seen and not what was done (another server's), so nobody can play on from it. */
  readonly canPlayOn: boolean;
  readonly perspective: ReadonlySignal<Perspective>;
  readonly playing: ReadonlySignal<boolean>;
  /** Actions a second while playing. */
  readonly speed: ReadonlySignal<number>;
  readonly marks: ReadonlySignal<ReplayMark[]>;
  /** Goes there; one step forward has events to animate, everything else has none. */
  goto(at: number): Promise<void>;
  look(perspective: Perspective): Promise<void>;
  play(): void;
  stop(): void;
  setSpeed(speed: number): void;
  /** Shows positions that never were, one after the other, as of a better turn; `goto` leads back to the match. */
  line(positions: Position[]): Promise<void>;
  /** What is said and pointed at after so many actions, in order; kept in the file that `file()` gives. */
  readonly notes: ReadonlySignal<MatchNote[]>;
  /** Puts a note in the place of that of its moment; one that says and points at nothing is gone. */
  note(note: MatchNote): void;
  /** Replaces all notes. */
  setNotes(notes: MatchNote[]): void;
  /** The position that is shown, with the legal actions, as seen by the player whose turn it is. */
  legal(): Promise<Position | null>;
  /** A new match on this device that goes on from here: a person on `seat` (null: on both), a program of `level` on the other. */
  playOn(seat: Seat | null, level: number): Promise<Table>;
}

/** What only a lesson has. */
export interface LessonControls {
  /** The step that is shown, from 0 on, of so many; the last one only says something. */
  readonly at: ReadonlySignal<number>;
  readonly length: number;
  /** What is said now, in every language, and what it points at; empty: at what is to be done. */
  readonly text: ReadonlySignal<Record<Language, string>>;
  readonly point: ReadonlySignal<readonly string[]>;
  /** What is to be done next, in words of the notation; * stands for any. Empty: the learner reads, or the opponent acts. */
  readonly wanted: ReadonlySignal<readonly string[]>;
  /** The step only says something. */
  readonly reading: ReadonlySignal<boolean>;
  /** The board of the real match behind it; left out: the game's first. */
  readonly preset: string | undefined;
  /** Goes on from a step that only says something. */
  next(): void;
  /** To the beginning of the step, or of the one before it. */
  back(): Promise<void>;
  restart(): Promise<void>;
}

/** How far the person is with a puzzle: playing, judged just now, and how that turned out; or looking at the solution. */
export type PuzzleStage = 'playing' | 'judging' | 'right' | 'wrong' | 'shown';

/** What only a puzzle has. */
export interface PuzzleControls {
  /** The address of its page: ['zorde', '3'], or ['own']. */
  readonly address: string[];
  readonly kind: 'win' | 'survive' | 'find';
  readonly stage: ReadonlySignal<PuzzleStage>;
  /** The winning chance after the turn that was played, in ten thousandths; that of the best turn; and of the second best. */
  readonly chance: ReadonlySignal<number | null>;
  readonly best: number;
  readonly second: number;
  /** The unit that the solution begins with; null: it was not asked for. */
  readonly hinted: ReadonlySignal<number | null>;
  /** What the first attempt did to the person's rating, in points: before and after; null: nothing, or not yet. */
  readonly rated: ReadonlySignal<[number, number] | null>;
  /** Words of the solution. */
  readonly solution: string[];
  /** Shows which unit the solution begins with. */
  hint(): void;
  /** Back to the beginning. */
  again(): Promise<void>;
  /** Plays the solution on the board. */
  show(): Promise<void>;
}

/** A table: what is seen and what may be wished. */
export interface Table {
  readonly kind: 'online' | 'local' | 'replay';
  readonly about: ReadonlySignal<TableAbout>;
  readonly state: ReadonlySignal<'waiting' | 'running' | 'over'>;
  /** The seat whose eyes are used now; null: a watcher. In hot-seat it changes with the turn. */
  readonly you: ReadonlySignal<Seat | null>;
  /** The newest position; null: none has come yet. */
  readonly position: ReadonlySignal<Position | null>;
  /** Everything said so far, oldest first. */
  readonly log: ReadonlySignal<LogLine[]>;
  readonly chat: ReadonlySignal<ChatLine[]>;
  readonly players: ReadonlySignal<[Player, Player]>;
  /** When it was learned here that a seat's connection is lost (performance.now()); null: it is not. */
  readonly awaySince: ReadonlySignal<[number | null, number | null]>;
  /** How many look on. */
  readonly watchers: ReadonlySignal<number>;
  /** Turn clocks of the seats and the match's; null: none. */
  readonly clocks: ReadonlySignal<{ turn: [RunningClock | null, RunningClock | null]; match: RunningClock | null }>;
  readonly paused: ReadonlySignal<boolean>;
  /** Who paused it; null: nobody did, or it is not known. */
  readonly pausedBy: ReadonlySignal<Seat | null>;
  readonly result: ReadonlySignal<Result | null>;
  readonly connection: ReadonlySignal<Connection>;
  /** The last warning or remark for the person here ("20 seconds are left"); null: none. */
  readonly notice: ReadonlySignal<string | null>;
  /** Says something for a moment. */
  tell(notice: string): void;
  /** Takes the notice away: it was read, or its time is over. */
  dropNotice(): void;
  /** Can the person here undo the last step? `ok`, or why not: an id of the engine (match/match.h). */
  readonly undoable: ReadonlySignal<string>;
  /** The seat that asks to take its last step back; null: none. */
  readonly takebackBy: ReadonlySignal<Seat | null>;
  /** Who did not come back, while the one who waits chooses what becomes of the match; null: nobody. */
  readonly leaver: ReadonlySignal<Seat | null>;
  /** Turns that the person here has left with the server, and what became of the last one; null: none. */
  readonly kept: ReadonlySignal<PreparedMessage | null>;
  /** Seats that request a rematch. */
  readonly rematchOffers: ReadonlySignal<Seat[]>;
  /** What the match did to both ratings, once it was counted; null: it was not, or not yet. */
  readonly ratedResult: ReadonlySignal<RatedMessage | null>;
  /** The table of the rematch, when there is one: show it instead of this one. */
  readonly successor: ReadonlySignal<Table | null>;
  /** Hot-seat: the seat to which the device is to be handed before anything is shown; null: show the board. */
  readonly curtain: ReadonlySignal<Seat | null>;
  /** A program of the table thinks just now. */
  readonly thinking: ReadonlySignal<boolean>;
  /** Tips may be asked for; the person here can switch them off for a match. */
  readonly tipsOn: ReadonlySignal<boolean>;
  /** The table forbids tips, as long as its match is not over. */
  readonly tipsForbidden: ReadonlySignal<boolean>;
  /** Only a replay has this. */
  readonly replay: ReplayControls | null;
  /** What a match on this device was opened with; null: it is none. */
  readonly config: LocalMatchConfig | null;
  /** Only a lesson has this: a match on this device that says what to do. */
  readonly lesson: LessonControls | null;
  /** Only a puzzle has this: one turn of a match on this device. */
  readonly puzzle: PuzzleControls | null;

  /** Calls for every position in order, none left out, for animations; returns how to stop. `before` is null for who has
   * just come. */
  onPosition(listener: (now: Position, before: Position | null) => void): () => void;

  /** Calls for a position that is known before the step of the person here that leads to it has been done: it is shown on the board and
   * painted, then `onPosition` follows with what was seen there. */
  onStep(listener: (now: Position) => void): () => void;

  /** Does an action of `actionsOf(position)`. */
  act(action: Action): Promise<Outcome>;
  /** Does several actions, given by their words, as one step: all of them or none. Only the last may end the turn, draw chance or
   * reveal something. */
  actAll(words: string[]): Promise<Outcome>;
  /** Undoes the last step: see `undoable`. On this device any step, against a program with what it answered. */
  undo(): Promise<Outcome>;
  /** Asks the other to let one's last step be taken back, or answers that. */
  takeback(what: 'offer' | 'accept' | 'decline'): Promise<Outcome>;
  /** Leaves a turn with the server in a match over days, for when one's turn comes, only if the other side does `when`; without actions
   * it is dropped, without both all are. */
  keepTurn(when: string | null, actions: string[] | null): Promise<Outcome>;
  /** Chooses what becomes of a match whose other player did not come back. */
  chooseLeaver(what: LeaverChoice): Promise<Outcome>;
  resign(): Promise<Outcome>;
  draw(what: 'offer' | 'accept' | 'decline'): Promise<Outcome>;
  /** Pauses or continues. */
  pause(on: boolean): Promise<Outcome>;
  rematch(): Promise<Outcome>;
  say(text: string): Promise<Outcome>;
  /** Sends a phrase that each reads in their own language. */
  sayPhrase(phrase: Phrase): Promise<Outcome>;
  /** Says that the person is still here, so that the silence clock starts anew; call it on input, it is sent seldom. */
  here(): void;
  /** Hot-seat: the curtain may go up. */
  liftCurtain(): void;
  /** Hot-seat behind a curtain: what the seat that looks now has not seen happen, as it sees it. First the position it saw last, at
   * the end the present one. Empty: it missed nothing. Told once. */
  missed(): Position[];
  setTips(on: boolean): void;

  /** What the action would do; null: it cannot be told (a watcher, no engine). */
  preview(action: Action): Promise<Preview | null>;
  /** Where a unit of the awaited seat here can go, step by step; null: nowhere. */
  walk(unit: number): Promise<WalkNode[] | null>;
  /** The words of the actions by which a unit hits an enemy after as few steps as possible; null: it cannot. */
  walkAttack(unit: number, enemy: number): Promise<string[] | null>;
  /** For each cell, row by row, the most health a unit of the seat here may lose there in the enemy's next turn, by all enemies or by
   * one; -1: not known. Null: a watcher asks. */
  threat(unit?: number): Promise<number[] | null>;
  /** The id of the engine's answer to an action that is not listed. */
  why(action: Action): Promise<string>;
  /** The person here may do this next, an action or several as one step by their words: what comes of it is looked up, so that it is
   * seen at once when they do. */
  expect(step: Action | string[]): void;
  /** The recommended action for the awaited seat here; null: there is none, or tips are off. */
  tip(): Promise<Tip | null>;
  /** Ends the search for a tip that is under way, if there is one. */
  stopTip(): void;

  /** The match file, once the match is over (on this device: any time); null: it cannot be had. */
  file(): Promise<string | null>;
  /** Every position of the match as a watcher sees it, for the charts of the end screen. */
  history(): Promise<Position[]>;
  /** A replay of this match, once it is over. */
  openReplay(): Promise<Table | null>;

  /** Leaves the table and gives everything back; in a running online match this loses it. */
  leave(): void;
  /** Gives everything back without giving the seat up (page closes, another screen): it can be taken up again. */
  close(): void;
}

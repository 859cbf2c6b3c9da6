/* model.ts -- the shapes that the whole page shares: what is seen at a table, what may be done, what happened.
 *
 * They are those of the arena protocol (docs/protocol.md), with words. It does not matter whether a position came over the
 * wire or out of the engine in a worker: its shape is the same, and nothing else is drawn.
 *
 * Everything with a name has an id beside it. Names are in the language of the page and are only shown; whatever is decided, is
 * decided by ids and roles. */
import type { SeatView } from './engine/calls';

/** A chair at the table. */
export type Seat = 0 | 1;

/** Numbers with a meaning, the same as in the engine's interface. */
export const UNIT_NONE = 255;
/** In `order`, meters and figures: 240 + seat is a whole side. */
export const UNIT_SIDE = 240;

/** Somebody at a seat. */
export interface Player {
  seat: Seat;
  /** Left out: the seat is free. */
  name?: string;
  role?: 'person' | 'ai' | 'watcher';
  /** Connected just now; a program on this device or of the server always is. */
  here: boolean;
  /** Of a match that runs: for how long it has not been connected. */
  away_ms?: number;
  /** The name is that of an account. */
  account?: boolean;
  /** In this game at this pace; left out: none. */
  rating?: number;
  /** It is not certain yet. */
  provisional?: boolean;
}

/** A unit to draw. */
export interface Token {
  /** Its number; 255: it has none yet (on offer in a draft). */
  unit: number;
  /** Its short name, unique among those that have a number: "hulk". */
  name: string;
  /** What it is, and the id of that; left out: you may not know. */
  kind?: string;
  kind_id?: string;
  /** Whose it is; null: nobody's. */
  seat: Seat | null;
  place: 'board' | 'bench' | 'gone';
  /** On the board only. */
  x?: number;
  y?: number;
  /** It can do nothing more this turn. */
  done?: boolean;
  /** Everybody knows what it is. */
  revealed?: boolean;
  /** In a draft: it is taken. */
  chosen?: boolean;
}

/** What a value is for; docs/protocol.md says what each means. */
export type Role =
  | 'number' | 'health' | 'points' | 'usable' | 'cooldown' | 'amount' | 'held' | 'effect' | 'trait' | 'could-be' | 'leader' | 'offered'
  | 'round' | 'limit' | 'score';

/** A value to show: of a unit, of a side, or of the table. */
export interface Meter {
  unit?: number;
  side?: Seat;
  id: string;
  role: Role;
  /** What is measured: "health". */
  name: string;
  /** Which of several. */
  index: number;
  /** What it is about: an ability, an effect, a set of kinds; and their ids. */
  about?: string[];
  about_ids?: string[];
  /** Its value; of a set one bit for each. */
  now: number;
  /** Its greatest value, if it has one. */
  most?: number;
}

/** A number for the end screen. */
export interface Figure {
  unit?: number;
  side?: Seat;
  id: string;
  name: string;
  value: number;
}

/** All there is to see. */
export interface Board {
  width: number;
  height: number;
  phase: string;
  phase_id: string;
  /** The unit that is acting, if one is. */
  active?: number;
  /** Units still to act, the next one first; 240 and 241 are whole sides. */
  order: number[];
  /** Names of the kinds of ground, and their ids. */
  grounds: string[];
  ground_ids: string[];
  /** Row by row the kind of ground of each cell: index in `grounds`. */
  ground: number[][];
  /** Row by row the health of the ground; left out: it has none. */
  wear?: number[][];
  tokens: Token[];
  meters: Meter[];
  /** When the match is over: what was done, in numbers. */
  figures?: Figure[];
}

/** Actions of one verb, unit and ability, as they come; most callers want `actionsOf()`. */
export interface ActionGroup {
  verb: number;
  /** The verb's id, and its name. */
  id: string;
  name: string;
  unit: number;
  /** No unit does it (a side uses a potion): `unit` says nothing. */
  nobody?: boolean;
  ability: number;
  /** One entry for each action: [x, y] or [x, y, other, amount]. */
  cells: number[][];
  /** The words of each entry of `cells`. */
  words: string[];
}

/** One thing that may be done now. Never made by hand: always one of `actionsOf(position)`. */
export interface Action {
  verb: number;
  unit: number;
  /** No unit does it: `unit` says nothing. */
  nobody?: boolean;
  ability: number;
  x: number;
  y: number;
  other: number;
  amount: number;
  /** The verb's id, and its name: "move". */
  id: string;
  name: string;
  /** The whole action in words, unique in its position: "move hulk 3 4". */
  word: string;
}

/** A fact. docs/protocol.md lists the kinds and which fields each uses. */
export interface GameEvent {
  kind: string;
  /** The unit it is about; 255: none. */
  unit: number;
  /** The other unit or seat. */
  other: number;
  from: [number, number];
  at: [number, number];
  amount: number;
  what: number;
  /** The id of what it is about: an ability, an item, an effect; left out: of nothing that has one. */
  what_id?: string;
  /** A sentence for the log. */
  text: string;
}

/** What is left of the times, in milliseconds, at the moment the position came. */
export interface Clocks {
  /** Of each seat's turn; null: not running. */
  turn: (number | null)[];
  /** Of the whole match; left out: no limit. */
  match?: number;
}

/** How a match ended. */
export interface Result {
  /** null: drawn. */
  winner: Seat | null;
  reason: number;
  reason_id: string;
  /** The reason, for people. */
  why: string;
}

/** What one seat (or a watcher) sees, and what it may do: all of it, every time. */
export interface Position {
  /** The table's code; empty on this device. */
  code: string;
  /** Counts the changes of what is seen. */
  number: number;
  /** Whose view it is; null: a watcher's. */
  you: Seat | null;
  /** The seats whose turn it is; none: the match is over. */
  awaited: Seat[];
  /** The seat that offers a draw; null: none. */
  draw: Seat | null;
  paused: boolean;
  /** Who paused the match; left out: nobody did. */
  paused_by?: Seat;
  clocks: Clocks;
  /** Whose last step was undone, with all that followed; left out: nothing was. */
  undone?: Seat;
  /** Left out: the match goes on. */
  result?: Result;
  board: Board;
  actions: ActionGroup[];
  /** What happened since the position before, in order; empty for who has just come. */
  events: GameEvent[];
  /** The bytes it was read from: its events can be told again, in another language. */
  seen?: SeatView;
}

/** A content that comes with a game. Times in ms, 0 = no limit. */
export interface Preset {
  id: string;
  title: string;
  width: number;
  height: number;
  turn_ms: number;
  match_ms: number;
  pause_ms: number;
  silence_ms: number;
  /** Something may be hidden from a seat. */
  hides: boolean;
  /** Names of the seats' sides. */
  sides: [string, string];
}

/** A rule variant. */
export interface Option {
  id: string;
  title: string;
  least: number;
  most: number;
  usual: number;
}

/** A parameter set of a generator of random content. */
export interface Generator {
  id: string;
  title: string;
  parameters: Option[];
}

/** A game that can be played. */
export interface Game {
  id: string;
  title: string;
  version: number;
  /** The first is usual. */
  presets: Preset[];
  options: Option[];
  generators: Generator[];
  /** Of the programs, from 1 on. */
  levels: Level[];
}

/** A level of the programs. */
export interface Level {
  level: number;
  title: string;
  about: string;
}

/** A file of a content; without `text`: the one of that name that comes with the game. */
export interface Document {
  name: string;
  text?: string;
}

/** What is wrong in a document or a match file, and where. */
export interface Problem {
  document: string;
  line: number;
  column: number;
  path: string;
  reason: string;
}

/** What becomes of one unit. */
export interface PreviewUnit {
  unit: number;
  /** Health now and afterwards over all outcomes; left out: it has none. */
  before?: number;
  least?: number;
  most?: number;
  mean?: number;
  /** How likely it falls, in thousandths; 1000 is certain. */
  dies: number;
}

/** What an action would do, found by applying it to copies of what the seat sees: nothing hidden is used. Probabilities are
 * thousandths; 0 and 1000 mean never and always. */
export interface Preview {
  /** Outcomes were sampled (something is hidden, or there are too many), so that bounds and probabilities are estimates. */
  sampled: boolean;
  /** How many outcomes were looked at. */
  outcomes: number;
  /** How likely the seat then has won, has lost. */
  wins: number;
  loses: number;
  /** What happens in the first outcome, and how likely each of it is. */
  events: (GameEvent & { happens: number })[];
  /** The units whose health changes or that fall. */
  units: PreviewUnit[];
  /** Meters of the acting unit and side that change, least and most (negative: it costs). */
  changes: { unit?: number; side?: Seat; id: string; role: Role; name: string; index: number; about?: string[]; least: number; most: number }[];
}

/** A cell that a unit can go to; the first of a list is where it stands. */
export interface WalkNode {
  x: number;
  y: number;
  /** The number of the cell before it in the list. */
  from: number;
  /** How many steps lead here. */
  steps: number;
  /** Health that the own side loses by the last of them. */
  loss: number;
  /** The words of the last step; left out where the unit stands. */
  word?: string;
  /** The kinds of events that the last step causes: others mean that something was revealed. */
  kinds: string[];
}

/** A recommended action, and what became of it in guessed futures. */
export interface Tip {
  action: Action;
  /** How many futures were looked at, and in how many it goes as `now` says. */
  samples: number;
  works: number;
  /** What happens in this turn, and what may come in the next one; each in how many of the futures. */
  now: { text: string; times: number }[];
  next: { text: string; times: number }[];
  /** What goes wrong for the own side, and in how many futures. */
  losses: { text: string; times: number }[];
  /** Health that the enemy and the own side lose until the reply is over, on average. */
  dealt: number;
  lost: number;
  /** The next best choice, if there is one. */
  other?: Omit<Tip, 'other'>;
}

/** Everything that may be done in a position, one by one, in the engine's order. */
export function actionsOf(position: Position): Action[] {
  return position.actions.flatMap((group) =>
    group.cells.map(([x = 0, y = 0, other = 0, amount = 0], index) => ({
      verb: group.verb,
      unit: group.unit,
      ...(group.nobody ? { nobody: true } : {}),
      ability: group.ability,
      x,
      y,
      other,
      amount,
      id: group.id,
      name: group.name,
      word: group.words[index] ?? '',
    })),
  );
}

/** The unit's token, if it is there. */
export function tokenOf(board: Board, unit: number): Token | undefined {
  return board.tokens.find((token) => token.unit === unit);
}

/** The meters of a unit. */
export function metersOf(board: Board, unit: number): Meter[] {
  return board.meters.filter((meter) => meter.unit === unit);
}

/** The seat opposite. */
export function otherSeat(seat: Seat): Seat {
  return seat === 0 ? 1 : 0;
}

/* facts.ts -- what is to be told about a unit, a side and the table, sorted out of the meters.
 *
 * The engine gives meters: names with numbers. Here they become a health bar, points with a top,
 * plain numbers, abilities with cooldowns, things in hand and effects with turns left, so that
 * every panel of the page shows them alike. */
import {
  UNIT_SIDE,
  metersOf,
  tokenOf,
  type Board,
  type Meter,
  type Position,
  type Seat,
  type Token,
} from '../../model';
import { unitLabel } from '../../names';
import { word } from '../../texts/lexicon';
import { presentationOf } from './presentation';

/** A value with a top (0 = none). */
export interface Gauge {
  name: string;
  now: number;
  most: number;
}

/** Something a unit can use: an ability, or a stone in its hand. */
export interface AbilityFacts {
  name: string;
  /** Turns until it can be used again. */
  wait: number;
  /** How long it waits after a use; 0: not told. */
  waitMost: number;
  /** Damage or healing; 0: not told. */
  amount: number;
  /** It is a thing that can be lost, not an ability. */
  held: boolean;
  /** Its number among the engine's abilities, for its description; left out: it has none. */
  index?: number;
}

/** A value that is a word: "type" is "hero". */
export interface Trait {
  meter: string;
  name: string;
  /** Its number among the engine's traits. */
  index: number;
}

/** Everything about one unit. */
export interface UnitFacts {
  token: Token;
  unit: number;
  /** For people: see names.ts. */
  name: string;
  /** The kind may not be known to this view. */
  hidden: boolean;
  health: Gauge | null;
  points: Gauge[];
  numbers: Gauge[];
  abilities: AbilityFacts[];
  effects: { name: string; turns: number; index?: number }[];
  traits: Trait[];
  /** What a hidden unit can still be. */
  couldBe: string[];
  leader: boolean;
  out: boolean;
}

/** The ability or thing of this name; made if it is new. */
function abilityFacts(facts: UnitFacts, name: string): AbilityFacts {
  let found = facts.abilities.find((one) => one.name === name);
  if (!found) {
    found = { name, wait: 0, waitMost: 0, amount: 0, held: false };
    facts.abilities.push(found);
  }
  return found;
}

/** Puts one meter where panels look for it. */
function sortMeter(facts: UnitFacts, meter: Meter, stones: string[]): void {
  const about = meter.about?.[0] ?? '';
  const gauge = { name: meter.name, now: meter.now, most: meter.most ?? 0 };
  if (meter.name === 'health') facts.health = gauge;
  else if (meter.name === 'can be') facts.couldBe = meter.about ?? [];
  else if (meter.name === 'leader') facts.leader = meter.now > 0;
  else if (traitNames.has(meter.name))
    facts.traits.push({ meter: meter.name, name: about, index: traitIndex(meter) });
  else if (meter.name === 'cooldown')
    Object.assign(abilityFacts(facts, about), { wait: meter.now, waitMost: gauge.most, index: meter.index });
  else if (meter.name === 'amount') abilityFacts(facts, about).amount = meter.now;
  else if (meter.name === 'ability to use') {
    if (meter.now > 0) abilityFacts(facts, about);
  } else if (stones.includes(meter.name))
    Object.assign(abilityFacts(facts, meter.name), { wait: meter.now, waitMost: gauge.most, held: true });
  else if (meter.name === 'effect')
    facts.effects.push({ name: about, turns: meter.now, index: meter.index });
  else if (effectNames.has(meter.name)) facts.effects.push({ name: meter.name, turns: meter.now });
  else if (meter.most !== undefined) facts.points.push(gauge);
  else facts.numbers.push(gauge);
}

/** Meters whose value is a word. */
export const traitNames = new Set(['type', 'condition']);

/** The number of the trait that such a meter names: its value is a set of one. */
export function traitIndex(meter: Meter): number {
  return meter.index + Math.round(Math.log2(Math.max(1, meter.now)));
}

const effectNames = new Set(['Strength', 'Weakness', 'Runner', 'Aging', 'turns in the web']);

/** The facts of a unit; null: there is no such unit in this view. */
export function unitFacts(position: Position, unit: number, game: string): UnitFacts | null {
  const token = tokenOf(position.board, unit);
  if (!token) return null;
  const facts: UnitFacts = {
    token,
    unit,
    name: unitLabel(position.board, unit),
    hidden: token.kind === undefined,
    health: null,
    points: [],
    numbers: [],
    abilities: [],
    effects: [],
    traits: [],
    couldBe: [],
    leader: false,
    out: false,
  };
  const stones = presentationOf(game).stones;
  for (const meter of metersOf(position.board, unit)) sortMeter(facts, meter, stones);
  facts.out = token.place === 'gone' || (facts.health !== null && facts.health.now <= 0);
  return facts;
}

/** Who fights for a side: tokens with a number of their own, things in hand left out. */
export function roster(position: Position, seat: Seat | null, game: string): UnitFacts[] {
  const things = presentationOf(game).thing;
  return position.board.tokens
    .filter(
      (token) =>
        token.seat === seat &&
        token.unit !== 255 &&
        !(token.kind !== undefined && things.test(token.kind)),
    )
    .map((token) => unitFacts(position, token.unit, game))
    .filter((facts): facts is UnitFacts => facts !== null);
}

/** Values of a side that are worth showing: points and things of the whole side. */
export function sideGauges(board: Board, seat: Seat): Gauge[] {
  return board.meters
    .filter((meter) => meter.side === seat)
    .map((meter) => ({ name: meter.name, now: meter.now, most: meter.most ?? 0 }));
}

/** Values of the table itself, those of things on offer left out. */
export function tableGauges(board: Board): Gauge[] {
  return board.meters
    .filter((meter) => meter.unit === undefined && (meter.side ?? null) === null && !meter.about)
    .map((meter) => ({ name: meter.name, now: meter.now, most: meter.most ?? 0 }));
}

/** One entry of the turn order: a unit or a whole side. */
export interface OrderEntry {
  unit: number | null;
  seat: Seat | null;
  name: string;
}

/** The active one first, then those who follow, at most `most`. */
export function turnOrder(position: Position, sides: readonly string[], most = 14): OrderEntry[] {
  const { board } = position;
  const units =
    board.active === undefined || board.order[0] === board.active
      ? board.order
      : [board.active, ...board.order];
  return units.slice(0, most).map((unit) => {
    if (unit >= UNIT_SIDE) {
      const seat = (unit - UNIT_SIDE) as Seat;
      return { unit: null, seat, name: word('side', sides[seat] ?? '') };
    }
    const token = tokenOf(board, unit);
    return { unit, seat: token?.seat ?? null, name: unitLabel(board, unit) };
  });
}

/* facts.ts -- what is to be told about a unit, a side and the table, sorted out of the meters.
 *
 * The engine gives meters: names with numbers, each with a role. By it they become a health bar,
 * points with a top, plain numbers, abilities with cooldowns, things in hand and effects with turns
 * left, so that every panel of the page shows them alike. */
import {
  UNIT_NONE,
  UNIT_SIDE,
  metersOf,
  tokenOf,
  type Board,
  type Meter,
  type Position,
  type Role,
  type Seat,
  type Token,
} from '../../model';
import { unitLabel } from '../../names';

/** A value with a top (0 = none). */
export interface Gauge {
  id: string;
  name: string;
  now: number;
  most: number;
}

/** Something a unit can use: an ability, or a stone in its hand. */
export interface AbilityFacts {
  id: string;
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
  /** The meter's id and name. */
  meter: string;
  title: string;
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
  effects: { id: string; name: string; turns: number }[];
  traits: Trait[];
  /** The kinds that a hidden unit can still be. */
  couldBe: { id: string; name: string }[];
  leader: boolean;
  out: boolean;
}

/** What a meter is about, or itself. */
function subject(meter: Meter): { id: string; name: string } {
  return { id: meter.about_ids?.[0] ?? meter.id, name: meter.about?.[0] ?? meter.name };
}

/** The ability or thing that a meter is about; made if it is new. */
function ability(facts: UnitFacts, meter: Meter): AbilityFacts {
  const { id, name } = subject(meter);
  let found = facts.abilities.find((one) => one.id === id);
  if (!found) {
    found = { id, name, wait: 0, waitMost: 0, amount: 0, held: false };
    facts.abilities.push(found);
  }
  return found;
}

/** A meter as a value with a top. */
export function gaugeOf({ id, name, now, most = 0 }: Meter): Gauge {
  return { id, name, now, most };
}

/** Puts one meter where panels look for it. */
function sortMeter(facts: UnitFacts, meter: Meter): void {
  const wait = { wait: meter.now, waitMost: meter.most ?? 0 };
  switch (meter.role) {
    case 'health': facts.health = gaugeOf(meter); break;
    case 'leader': facts.leader = meter.now > 0; break;
    case 'held': Object.assign(ability(facts, meter), { ...wait, held: true }); break;
    case 'amount': ability(facts, meter).amount = meter.now; break;
    case 'effect': facts.effects.push({ ...subject(meter), turns: meter.now }); break;
    case 'usable': if (meter.now > 0) ability(facts, meter); break;
    case 'cooldown':
      if (meter.about) Object.assign(ability(facts, meter), { ...wait, index: meter.index });
      else facts.points.push(gaugeOf(meter));
      break;
    case 'trait':
      facts.traits.push({ meter: meter.id, title: meter.name, name: subject(meter).name, index: traitIndex(meter) });
      break;
    case 'could-be':
      facts.couldBe = (meter.about ?? []).map((name, at) => ({ id: meter.about_ids?.[at] ?? '', name }));
      break;
    case 'points': facts.points.push(gaugeOf(meter)); break;
    default: facts.numbers.push(gaugeOf(meter));
  }
}

/** The number of the trait that such a meter names: its value is a set of one. */
export function traitIndex(meter: Meter): number {
  return meter.index + Math.round(Math.log2(Math.max(1, meter.now)));
}

/** The facts of a unit; null: there is no such unit in this view. */
export function unitFacts(position: Position, unit: number): UnitFacts | null {
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
  for (const meter of metersOf(position.board, unit)) sortMeter(facts, meter);
  facts.out = token.place === 'gone' || (facts.health !== null && facts.health.now <= 0);
  return facts;
}

/** Is this unit a thing that is held or lies around? Then it is used itself, and has a cooldown of its own. */
export function isThing(board: Board, unit: number): boolean {
  return metersOf(board, unit).some((meter) => meter.role === 'cooldown' && !meter.about);
}

/** Who fights for a side: tokens with a number of their own, things in hand left out. */
export function roster(position: Position, seat: Seat | null): UnitFacts[] {
  return position.board.tokens
    .filter(({ seat: of, unit }) => of === seat && unit !== UNIT_NONE && !isThing(position.board, unit))
    .map((token) => unitFacts(position, token.unit))
    .filter((facts): facts is UnitFacts => facts !== null);
}

/** Values of a side that are worth showing: points and things of the whole side. */
export function sideGauges(board: Board, seat: Seat): Gauge[] {
  return board.meters.filter((meter) => meter.side === seat).map(gaugeOf);
}

/** A value of the table itself, by its role; those of things on offer have another one. */
export function tableGauges(board: Board, role: Role): Gauge[] {
  return board.meters.filter((meter) => meter.role === role).map(gaugeOf);
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
      return { unit: null, seat, name: sides[seat] ?? '' };
    }
    const token = tokenOf(board, unit);
    return { unit, seat: token?.seat ?? null, name: unitLabel(board, unit) };
  });
}

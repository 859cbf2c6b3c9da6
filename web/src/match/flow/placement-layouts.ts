/* placement-layouts.ts -- ready-made set-ups for games in which an army is placed (page.json, "layouts"),
 * and the draft on which a player moves pieces about before anything is sent.
 *
 * A layout is rows of letters, the row nearest the enemy first: a is the first kind on the bench,
 * b the second, a dot stays empty. It fits any army with the same numbers of pieces by kind. */
import type { Layout } from '../../games';
import { UNIT_NONE, type Position, type Token } from '../../model';
import type { LegalAction } from '../input/legal-actions';

/** Where which kind (its id) shall stand: by "x,y". */
export type Draft = ReadonlyMap<string, string>;

/** A kind on the bench: its id, its name, how many there are. */
export interface Stock {
  thing: string;
  kind: string;
  count: number;
  /** What it is worth, as the engine measures it. */
  values: { name: string; now: number }[];
}

/* The meters that are about a kind as a whole. */
function valuesOf({ board }: Position, kind: string): Stock['values'] {
  return board.meters.filter(
    ({ unit, side, about_ids }) =>
      unit === undefined && side === undefined && about_ids?.length === 1 && about_ids[0] === kind,
  );
}

/** What is still to be placed, in the bench's order. */
export function stockOf(position: Position): Stock[] {
  const stock = new Map<string, Stock>();
  for (const token of position.board.tokens) {
    if (token.place !== 'bench' || token.kind_id === undefined || token.seat !== position.you)
      continue;
    const thing = token.kind_id;
    const entry = stock.get(thing) ?? {
      thing,
      kind: token.kind ?? thing,
      count: 0,
      values: valuesOf(position, thing),
    };
    entry.count += 1;
    stock.set(thing, entry);
  }
  return [...stock.values()];
}

/** How many of a kind are still in hand. */
export function leftOf(stock: Stock[], draft: Draft, thing: string): number {
  const all = stock.find((entry) => entry.thing === thing)?.count ?? 0;
  return all - [...draft.values()].filter((placed) => placed === thing).length;
}

/** Is everything placed? */
export function isComplete(stock: Stock[], draft: Draft): boolean {
  return draft.size > 0 && stock.every((entry) => leftOf(stock, draft, entry.thing) === 0);
}

/** The cells on which something may be placed, by "x,y". */
export function zoneOf(actions: LegalAction[]): Set<string> {
  return new Set(
    actions
      .filter((action) => action.verb === 'place' && action.cell)
      .map((action) => `${action.cell?.x},${action.cell?.y}`),
  );
}

/** Puts a piece down; one that stood there goes back to hand. Outside the zone nothing happens. */
export function put(
  draft: Draft,
  zone: Set<string>,
  stock: Stock[],
  thing: string,
  x: number,
  y: number,
): Draft {
  const cell = `${x},${y}`;
  const next = new Map(draft);
  next.delete(cell);
  if (!zone.has(cell) || leftOf(stock, next, thing) <= 0) return draft;
  return next.set(cell, thing);
}

/** Moves a piece to another cell; what stands there comes to the first one. */
export function shift(draft: Draft, zone: Set<string>, from: string, to: string): Draft {
  const thing = draft.get(from);
  if (thing === undefined || !zone.has(to)) return draft;
  const next = new Map(draft);
  const there = draft.get(to);
  if (there === undefined) next.delete(from);
  else next.set(from, there);
  return next.set(to, thing);
}

/** Takes a piece back to hand. */
export function lift(draft: Draft, cell: string): Draft {
  const next = new Map(draft);
  next.delete(cell);
  return next;
}

/** Fills what is left at random; `draw(n)` gives a number below n. */
export function fill(
  draft: Draft,
  zone: Set<string>,
  stock: Stock[],
  draw: (n: number) => number,
): Draft {
  const next = new Map(draft);
  const free = [...zone].filter((cell) => !next.has(cell));
  for (const entry of stock)
    for (let left = leftOf(stock, draft, entry.thing); left > 0 && free.length > 0; left--) {
      const [cell] = free.splice(draw(free.length), 1);
      if (cell !== undefined) next.set(cell, entry.thing);
    }
  return next;
}

/** Rows of the zone, the one nearest the middle of the board first. */
function rowsOf(zone: Set<string>, height: number): number[] {
  const rows = [...new Set([...zone].map((cell) => Number(cell.split(',')[1])))].sort(
    (a, b) => a - b,
  );
  const middle = (height - 1) / 2;
  return rows.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
}

/** Lays a set-up out; null: it does not fit this army or this zone. */
export function layOut(layout: Layout, position: Position, zone: Set<string>): Draft | null {
  const stock = stockOf(position);
  const rows = rowsOf(zone, position.board.height);
  const draft = new Map<string, string>();
  for (const [at, line] of layout.rows.entries())
    for (const [x, letter] of [...line].entries()) {
      if (letter === '.') continue;
      const entry = stock[letter.charCodeAt(0) - 97];
      const cell = `${x},${rows[at]}`;
      if (!entry || !zone.has(cell)) return null;
      draft.set(cell, entry.thing);
    }
  return isComplete(stock, draft) && draft.size === count(stock) ? draft : null;
}

/** How many pieces there are. */
function count(stock: Stock[]): number {
  return stock.reduce((sum, entry) => sum + entry.count, 0);
}

/** The position as it would look with the draft on the board. */
export function drawn(position: Position, draft: Draft): Position {
  const stock = stockOf(position);
  const named = new Map(stock.map((entry) => [entry.thing, entry.kind]));
  const placed: Token[] = [...draft].map(([cell, thing]) => {
    const [x, y] = cell.split(',').map(Number);
    return {
      unit: UNIT_NONE,
      name: thing,
      kind: named.get(thing) ?? thing,
      kind_id: thing,
      seat: position.you,
      place: 'board',
      x: x ?? 0,
      y: y ?? 0,
    };
  });
  const rest = position.board.tokens.filter((token) => token.place === 'board');
  return { ...position, events: [], board: { ...position.board, tokens: [...rest, ...placed] } };
}

/** The words to send, one after the other, for a finished draft. */
export function wordsOf(draft: Draft): string[] {
  return [...draft].map(([cell, thing]) => `place ${thing} ${cell.replace(',', ' ')}`);
}

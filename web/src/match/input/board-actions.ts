/* board-actions.ts -- from what is chosen to what the board offers: the pure heart of the match screen.
 *
 * A choice is a unit (or the side itself) and perhaps one way of acting that is "armed". From it
 * and the wishes follow the buttons, the marks on the board and what a click on a cell means. */
import type { Position, Preview } from '../../model';
import { ableUnits, isEnding, type Wish, type WishKind } from './legal-actions';

/** What the player has chosen so far. */
export interface Choice {
  /** null: nothing, or the side's own actions. */
  unit: number | null;
  /** Key of the group of wishes that alone is offered on the board; null: all. */
  armed: string | null;
}

/** Wishes that differ only in where they aim: one button. */
export interface WishGroup {
  key: string;
  kind: WishKind;
  verb: string;
  wishes: Wish[];
  /** Nothing to aim at: the button does it at once. */
  plain: boolean;
}

/** A mark for the board. */
export interface Mark {
  x: number;
  y: number;
  kind: WishKind;
  label: string;
}

/** What a click on a cell means. */
export type Click =
  | { do: 'act'; wish: Wish }
  | { do: 'ask'; wishes: Wish[] }
  | { do: 'select'; unit: number }
  | { do: 'look'; unit: number }
  | { do: 'nothing' };

/** What wishes have in common that differ only in their aim. */
function keyOf(wish: Wish): string {
  return `${wish.unit ?? '-'} ${wish.verb} ${wish.thing}`.trim();
}

/** The buttons for a unit (null: what no unit does), endings left out. */
export function groupsOf(wishes: Wish[], unit: number | null): WishGroup[] {
  const groups = new Map<string, WishGroup>();
  for (const wish of wishes) {
    if (wish.unit !== unit || isEnding(wish)) continue;
    const key = keyOf(wish);
    const plain = wish.cell === null && wish.direction === '';
    const group = groups.get(key) ?? { key, kind: wish.kind, verb: wish.verb, wishes: [], plain };
    group.wishes.push(wish);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The wishes that end a turn, a phase or a placement. */
export function endings(wishes: Wish[]): Wish[] {
  return wishes.filter(isEnding);
}

/* Where a wish shows on the board: its cell, or what its direction would hit. */
function cellsOf(wish: Wish, preview: Preview | null | undefined): [number, number][] {
  if (wish.cell) return [[wish.cell.x, wish.cell.y]];
  if (!wish.direction || !preview) return [];
  const cells = preview.events.filter((event) => hits.has(event.kind)).map((event) => event.at);
  return [...new Map(cells.map((cell) => [cell.join(), cell])).values()];
}

const hits = new Set(['hurt', 'healed', 'missed', 'ground-hurt', 'effect-began']);

/** The wishes that the board offers for a choice. */
export function offered(wishes: Wish[], choice: Choice): Wish[] {
  if (choice.armed !== null)
    return wishes.filter((wish) => keyOf(wish) === choice.armed && !isEnding(wish));
  return wishes.filter(
    (wish) => !isEnding(wish) && choice.unit !== null && wish.unit === choice.unit,
  );
}

/** Looks up what is known of a wish's outcome. */
export type Previews = (wish: Wish) => Preview | null | undefined;

const weight: Record<WishKind, number> = { attack: 4, place: 3, move: 2, use: 1, other: 0 };

/* The wishes at a cell, those to be done first first. */
function wishesAt(wishes: Wish[], previews: Previews, x: number, y: number): Wish[] {
  return wishes
    .filter((wish) => cellsOf(wish, previews(wish)).some((c) => c[0] === x && c[1] === y))
    .sort((a, b) => weight[b.kind] - weight[a.kind]);
}

/** One mark for each cell that is offered, labelled by `label`. */
export function marksOf(
  wishes: Wish[],
  previews: Previews,
  label: (wish: Wish, preview: Preview | null | undefined) => string,
  kind: (wish: Wish, preview: Preview | null | undefined) => WishKind,
): Mark[] {
  const marks = new Map<string, Mark>();
  for (const wish of wishes) {
    const preview = previews(wish);
    for (const [x, y] of cellsOf(wish, preview)) {
      const mark = { x, y, kind: kind(wish, preview), label: label(wish, preview) };
      const known = marks.get(`${x},${y}`);
      if (!known) marks.set(`${x},${y}`, mark);
      else {
        if (weight[mark.kind] > weight[known.kind]) {
          known.label = mark.label || known.label;
          known.kind = mark.kind;
        } else known.label ||= mark.label;
      }
    }
  }
  return [...marks.values()];
}

/** What a click on a cell means now. */
export function clickCell(
  position: Position,
  wishes: Wish[],
  choice: Choice,
  previews: Previews,
  x: number,
  y: number,
): Click {
  const here = wishesAt(offered(wishes, choice), previews, x, y);
  const token = position.board.tokens.find(
    (one) => one.place === 'board' && one.x === x && one.y === y && one.unit !== 255,
  );
  if (here.length === 1) return { do: 'act', wish: here[0] as Wish };
  if (here.length > 1) return { do: 'ask', wishes: here };
  if (!token) return { do: 'nothing' };
  return ableUnits(wishes).includes(token.unit)
    ? { do: 'select', unit: token.unit }
    : { do: 'look', unit: token.unit };
}

/** What is chosen when a position comes: what was chosen if it still can act, else the only one. */
export function nextChoice(position: Position, wishes: Wish[], before: Choice): Choice {
  const able = ableUnits(wishes);
  const { active } = position.board;
  if (active !== undefined && wishes.some((wish) => wish.unit === active))
    return { unit: active, armed: null };
  if (before.unit !== null && able.includes(before.unit)) return { unit: before.unit, armed: null };
  if (able.length === 1) return { unit: able[0] as number, armed: null };
  return { unit: null, armed: null };
}

/** Is something left that most players would not want to miss? Then ending is asked about. */
export function endNeedsAsking(wishes: Wish[], acted: boolean): boolean {
  return !acted && wishes.some((wish) => wish.kind === 'attack');
}

/** The unit that follows in the row of those that can act. */
export function cycle(able: number[], unit: number | null, step: 1 | -1): number | null {
  if (able.length === 0) return null;
  const at = unit === null ? -1 : able.indexOf(unit);
  if (at < 0) return (step === 1 ? able[0] : able[able.length - 1]) ?? null;
  return able[(at + step + able.length) % able.length] ?? null;
}

/* mark.ts -- drawing on the board of a replay: a cell, or an arrow that ends where the unit at its beginning can go or hit. */
import type { Cell } from '../../board/trail';
import { speak } from '../../speech';
import { pointed } from '../../table/notes';
import type { Table } from '../../table/table';
import { say } from '../../texts/match';
import { legalActions } from '../input/legal-actions';

/** The end of an arrow: a cell next to it that is a legal target, if it is none itself. */
async function snapped(table: Table, from: Cell, to: Cell): Promise<Cell> {
  const position = await table.replay?.legal().catch(() => null);
  const mover = position?.board.tokens.find((token) => token.place === 'board' && token.x === from.x && token.y === from.y);
  if (!position || !mover) return to;
  const targets = legalActions(position, table.about.value.game).filter(({ unit, cell }) => unit === mover.unit && cell !== null).map(({ cell }) => cell!);
  const away = ({ x, y }: Cell) => Math.max(Math.abs(x - to.x), Math.abs(y - to.y));
  const near = targets.filter((cell) => away(cell) <= 1 && (cell.x !== from.x || cell.y !== from.y)).sort((one, two) => away(one) - away(two));
  return near[0] ?? to;
}

/** Draws a mark or an arrow into the note of the moment that is shown; the same again is erased. */
export async function markBoard(table: Table, from: Cell, to: Cell, colour: string): Promise<void> {
  const { replay } = table;
  if (!replay) return;
  const at = replay.at.value;
  const same = from.x === to.x && from.y === to.y;
  const end = same ? to : await snapped(table, from, to);
  const words = same ? `cell ${from.x} ${from.y}${colour}` : `arrow ${from.x} ${from.y} ${end.x} ${end.y}${colour}`;
  const note = replay.notes.value.find((one) => one.at === at) ?? { at };
  const point = pointed(note.point ?? [], words);
  replay.note({ ...note, point });
  speak(say(point.includes(words) ? 'marked' : 'unmarked', same ? `${from.x},${from.y}` : `${from.x},${from.y} → ${end.x},${end.y}`));
}

/** Where the keyboard began an arrow, by table. */
const begun = new WeakMap<Table, Cell>();

/** A key at a cell: begins an arrow there, or ends the one that was begun. */
export function arrowByKey(table: Table, at: Cell): void {
  const from = begun.get(table);
  if (from) {
    begun.delete(table);
    void markBoard(table, from, at, '');
  } else {
    begun.set(table, at);
    speak(say('arrowFrom', `${at.x},${at.y}`));
  }
}

/* boards.ts -- how the boards inside documents become cells and back: a matrix of words, rows of letters, units with a place,
 * a layout of pieces. */
import type { Cells, Paint } from './grid';
import { tell } from '../texts/edit';
import { kindName } from './words';
import { at, isObject, withAt, type Json, type JsonObject, type Path } from './value';

/** A board inside a document. */
export interface BoardPlan {
  /** Where its cells lie, for its headline. */
  path: Path;
  /** Limits of its sides; null: they cannot be changed here. */
  sides: { least: number; most: number } | null;
  /** Keys of the document that are painted or set beside the board, and need no fields. */
  keys: string[];
  /** What an empty cell holds. */
  empty: string;
  /** Its cells; null: there is none that could be shown. */
  read(value: Json): Cells | null;
  /** The document with these cells. */
  write(value: Json, cells: Cells): Json;
  /** What can be painted; `companions` are the other documents of the content, by their ending. */
  paints(value: Json, companions: Companions): Paint[];
}

/** Other documents of a content, by kind. */
export type Companions = Record<string, Json>;

/** No game takes boards with longer sides. */
const SIDES = { least: 1, most: 100 };
const PALE = ['#cfe0ff', '#ffd9c4', '#d6f0d9', '#f6e3a8', '#ead6f7', '#ffd3da', '#d3eef2', '#e8e3d5'];
/** A cell that holds nothing. */
const emptyCell = (id: string): Paint => ({ id, label: tell('edit.empty'), colour: '#f3ead6', mark: 'none' });

/** Rows as a board; null if they are not all of one length. */
function rectangle(rows: string[][]): Cells | null {
  const width = rows[0]?.length ?? 0;
  if (width === 0 || rows.some((row) => row.length !== width)) return null;
  return { width, height: rows.length, cells: rows.flat() };
}

/** A board as rows. */
function rowsOf({ width, height, cells }: Cells): string[][] {
  return Array.from({ length: height }, (_, y) => cells.slice(y * width, (y + 1) * width));
}

/** Rows of words: [["GRASS", "ROCK"], ...]. */
export function matrixBoard(path: Path, empty: string, paints: () => Paint[]): BoardPlan {
  return {
    path, sides: SIDES, keys: path.length === 1 ? [String(path[0])] : [], empty,
    read(value) {
      const rows = at(value, path);
      if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row))) return null;
      return rectangle(rows.map((row) => (row as Json[]).map(String)));
    },
    write: (value, cells) => withAt(value, path, rowsOf(cells)),
    paints,
  };
}

/** Rows of letters: ["..#", "#.."]. */
export function letterBoard(path: Path, empty: string, paints: () => Paint[]): BoardPlan {
  return {
    path, sides: SIDES, keys: path.length === 1 ? [String(path[0])] : [], empty,
    read(value) {
      const rows = at(value, path);
      return Array.isArray(rows) ? rectangle(rows.map((row) => [...String(row)])) : null;
    },
    write: (value, cells) => withAt(value, path, rowsOf(cells).map((row) => row.join(''))),
    paints,
  };
}

/** A whole number from 1 to 100. */
function isSide(value: Json | undefined): value is number {
  return Number.isInteger(value) && (value as number) >= SIDES.least && (value as number) <= SIDES.most;
}

/** A whole number from 0 up to, not with, `most`. */
function isPlace(value: Json | undefined, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < most;
}

/** The first free name of a unit of this letter: H0, H1, ...; null: all ten are taken. */
function freeId(letter: string, taken: Set<string>): string | null {
  for (let i = 0; i < 10; i++) if (!taken.has(letter + i)) return letter + i;
  return null;
}

/** Units with a kind, a name and a place; kinds and their letters come from the document of kinds. */
export function unitBoard(kindsEnding: string): BoardPlan {
  const kindsOf = (companions: Companions) => {
    const list = at(companions[kindsEnding], ['kinds']);
    return Array.isArray(list) ? list.filter(isObject) : [];
  };
  let letters = new Map<string, string>();
  return {
    path: ['units'], sides: SIDES, keys: ['width', 'height'], empty: '',
    read(value) {
      const { width, height, units } = isObject(value) ? value : ({} as JsonObject);
      if (!isSide(width) || !isSide(height) || !Array.isArray(units)) return null;
      const cells = new Array<string>(width * height).fill('');
      for (const unit of units.filter(isObject)) {
        const { x, y } = unit as { x: Json; y: Json };
        if (isPlace(x, width) && isPlace(y, height)) cells[y * width + x] = String(unit.kind);
        if (typeof unit.id === 'string' && !letters.has(String(unit.kind))) letters.set(String(unit.kind), unit.id.charAt(0));
      }
      return { width, height, cells };
    },
    write(value, board) {
      const before = (at(value, ['units']) as Json[]).filter(isObject);
      const kept = before.filter((unit) => {
        const { x, y } = unit as { x: number; y: number };
        return x < board.width && y < board.height && board.cells[y * board.width + x] === unit.kind;
      });
      const taken = new Set(kept.map((unit) => String(unit.id)));
      const there = new Set(kept.map((unit) => `${String(unit.x)},${String(unit.y)}`));
      const made: JsonObject[] = [];
      board.cells.forEach((kind, i) => {
        const x = i % board.width, y = Math.floor(i / board.width);
        if (kind === '' || there.has(`${x},${y}`)) return;
        const id = freeId(letters.get(kind) ?? kind.charAt(0).toUpperCase(), taken);
        if (id === null) return;
        taken.add(id);
        made.push({ kind, id, x, y });
      });
      return { ...(value as JsonObject), width: board.width, height: board.height, units: [...kept, ...made] };
    },
    paints(_, companions) {
      const kinds = kindsOf(companions);
      letters = new Map([...letters, ...kinds.map((kind): [string, string] => [String(kind.id), String(kind.letter)])]);
      return [emptyCell(''), ...kinds.map((kind, i): Paint =>
        ({ id: String(kind.id), label: kindName(companions, String(kind.id)), colour: PALE[i % PALE.length]!, mark: { letter: String(kind.letter) }, most: 10 }))];
    },
  };
}

/** Rows of ids of pieces, "-" for none; how many of each there are, the list of pieces beside it says. */
export function layoutBoard(army: Path): BoardPlan {
  const rows = matrixBoard([...army, 'layout'], '-', () => []);
  return {
    ...rows, sides: null,
    paints(value, companions) {
      const pieces = at(value, [...army, 'pieces']);
      const known = Array.isArray(pieces) ? pieces.filter(isObject) : [];
      return [emptyCell('-'), ...known.map((piece, i): Paint => ({
        id: String(piece.id), label: kindName(companions, String(piece.id)), colour: PALE[i % PALE.length]!,
        mark: { letter: typeof piece.power === 'number' ? String(piece.power) : String(piece.id).charAt(0).toUpperCase() },
        ...(typeof piece.count === 'number' ? { most: piece.count } : {}),
      }))];
    },
  };
}

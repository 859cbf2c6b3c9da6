/* grid.ts -- boards to paint, whatever document they are part of: cells, and what can be done to all of them at once. */

/** Cells row by row; each holds the id of a paint. */
export interface Cells {
  readonly width: number;
  readonly height: number;
  readonly cells: readonly string[];
}

/** One thing to paint with. */
export interface Paint {
  id: string;
  label: string;
  /** Fill of the cell; colour is never the only sign, the mark is the other one. */
  colour: string;
  mark: 'none' | 'rock' | 'ring' | 'wall' | { letter: string };
  /** At most so many on the board; left out: any number. */
  most?: number;
}

/** How to mirror. */
export type Mirror = 'left-right' | 'top-bottom' | 'turn';

/** What lies at a cell; undefined: it is off the board. */
export function cellAt({ width, height, cells }: Cells, x: number, y: number): string | undefined {
  return x >= 0 && y >= 0 && x < width && y < height ? cells[y * width + x] : undefined;
}

/** The board with some cells painted. */
export function painted(board: Cells, spots: Iterable<readonly [number, number]>, paint: string): Cells {
  const cells = board.cells.slice();
  for (const [x, y] of spots) if (cellAt(board, x, y) !== undefined) cells[y * board.width + x] = paint;
  return { ...board, cells };
}

/** All cells from one to another, so that a fast finger leaves no gaps. */
export function line(x0: number, y0: number, x1: number, y1: number): [number, number][] {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const part = steps === 0 ? 0 : i / steps;
    return [Math.round(x0 + (x1 - x0) * part), Math.round(y0 + (y1 - y0) * part)];
  });
}

/** The whole patch of equal cells around one, painted. */
export function filled(board: Cells, x: number, y: number, paint: string): Cells {
  const from = cellAt(board, x, y);
  if (from === undefined || from === paint) return board;
  const cells = board.cells.slice();
  const open: [number, number][] = [[x, y]];
  for (let spot = open.pop(); spot; spot = open.pop()) {
    const [cx, cy] = spot;
    if (cx < 0 || cy < 0 || cx >= board.width || cy >= board.height || cells[cy * board.width + cx] !== from) continue;
    cells[cy * board.width + cx] = paint;
    open.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]);
  }
  return { ...board, cells };
}

/** One half laid over the other: the left, the upper, or the first half turned by 180 degrees. */
export function mirrored(board: Cells, how: Mirror): Cells {
  const { width, height } = board;
  const cells = board.cells.map((cell, i) => {
    const x = i % width, y = Math.floor(i / width);
    const mx = how === 'top-bottom' ? x : width - 1 - x;
    const my = how === 'left-right' ? y : height - 1 - y;
    const other = my * width + mx;
    const second = how === 'left-right' ? x > mx : how === 'top-bottom' ? y > my : i > other;
    return second ? board.cells[other]! : cell;
  });
  return { ...board, cells };
}

/** More or fewer rows and columns at the right and at the bottom. */
export function resized(board: Cells, width: number, height: number, empty: string): Cells {
  const cells = Array.from({ length: width * height }, (_, i) => cellAt(board, i % width, Math.floor(i / width)) ?? empty);
  return { width, height, cells };
}

/** How often each paint is there. */
export function counts({ cells }: Cells): Map<string, number> {
  const all = new Map<string, number>();
  for (const cell of cells) all.set(cell, (all.get(cell) ?? 0) + 1);
  return all;
}

/** The board with no more of any paint than there may be: what was just painted stays, the first others are taken away. */
export function limited(before: Cells, after: Cells, paints: Paint[], empty: string): Cells {
  const cells = after.cells.slice();
  for (const { id, most } of paints) {
    if (most === undefined || id === empty) continue;
    let over = cells.filter((cell) => cell === id).length - most;
    const isNew = (i: number) => before.width !== after.width || before.cells[i] !== id;
    for (const fresh of [false, true])
      for (let i = 0; i < cells.length && over > 0; i++)
        if (cells[i] === id && isNew(i) === fresh) {
          cells[i] = empty;
          over--;
        }
  }
  return { ...after, cells };
}

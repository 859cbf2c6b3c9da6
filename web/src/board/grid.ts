/* grid.ts -- the board for whoever hears it: a grid of named cells over the picture, one tab stop, the keyboard's focus on one cell.
 *
 * Nothing of it is seen and no pointer meets it. Cells keep their elements as long as the board keeps its size: only names change, so
 * that no focus is ever lost. A large board has cells only around the one that has the focus. */
import type { View } from './view';

/** A board of up to so many cells has all of them; of a larger one those so far from the focus are there. */
const WHOLE_CELLS = 900;
const AROUND = 12;
/** Names are brought up to date when the frame that changed them has been painted. */
const LATE_MS = 120;

/** What a cell is called. */
export type CellName = (x: number, y: number) => string;

/** The grid of one board. */
export class BoardGrid {
  readonly element = document.createElement('div');
  private readonly cells = new Map<string, HTMLElement>();
  private columns = 0;
  private rows = 0;
  /** The cells that are there. */
  private part = { x0: 0, y0: 0, x1: -1, y1: -1 };
  private stop: { x: number; y: number } = { x: 0, y: 0 };
  private late = 0;

  /** Makes an empty grid; `name` is asked for every cell. */
  constructor(label: string, private readonly name: CellName) {
    this.element.className = 'stage-grid';
    this.element.setAttribute('role', 'grid');
    this.element.setAttribute('aria-label', label);
  }

  /** Takes its timer back. */
  destroy(): void {
    clearTimeout(this.late);
  }

  /** The board has this size, and something on it is new. `start`: where Tab leads as long as nobody was there. */
  update(columns: number, rows: number, start: { x: number; y: number }): void {
    if (columns !== this.columns || rows !== this.rows) {
      this.columns = columns;
      this.rows = rows;
      this.stop = start;
      this.element.setAttribute('aria-colcount', String(columns));
      this.element.setAttribute('aria-rowcount', String(rows));
      this.part = { x0: 0, y0: 0, x1: -1, y1: -1 };
      this.cells.clear();
      this.element.replaceChildren();
      this.build(start.x, start.y);
    }
    this.rename();
  }

  /** Names may have changed. */
  rename(): void {
    if (this.late) return;
    this.late = window.setTimeout(() => {
      this.late = 0;
      for (const [place, cell] of this.cells) this.call(place, cell);
    }, LATE_MS);
  }

  /** The cell that Tab leads to; with `focus` the keyboard goes there. */
  go(x: number, y: number, focus: boolean): void {
    const before = this.cells.get(`${this.stop.x},${this.stop.y}`);
    const old = this.build(x, y);
    this.stop = { x, y };
    const cell = this.cells.get(`${x},${y}`);
    if (!cell) return;
    this.call(`${x},${y}`, cell);
    cell.tabIndex = 0;
    if (focus) cell.focus({ preventScroll: true });
    if (before && before !== cell) before.tabIndex = -1;
    for (const row of old) row.remove();
  }

  /** The cell of an element of the grid. */
  cellOf(element: EventTarget | null): { x: number; y: number } | null {
    const [x, y] = ((element as HTMLElement | null)?.dataset?.cell ?? '').split(',');
    return y === undefined || !this.element.contains(element as Node) ? null : { x: Number(x), y: Number(y) };
  }

  /** Lies over the board as it is drawn; of a turned board the first cell is the last. */
  place(view: View): void {
    const { x0, y0, x1, y1 } = this.part;
    const [column, row] = view.turned ? [view.across(x1), view.down(y1)] : [x0, y0];
    const { left, top, cell } = view;
    this.element.style.transform = `translate(${left + column * cell}px,${top + row * cell}px)${view.turned ? ' rotate(180deg)' : ''}`;
  }

  /** Gives a cell its name if it has another one. */
  private call(place: string, cell: HTMLElement): void {
    const [x = 0, y = 0] = place.split(',').map(Number);
    const name = this.name(x, y);
    if (cell.getAttribute('aria-label') !== name) cell.setAttribute('aria-label', name);
  }

  /** Makes the cells around one that is not there. The rows of before stay until the focus has left them: they come back. */
  private build(x: number, y: number): Element[] {
    if (this.cells.has(`${x},${y}`)) return [];
    const old = [...this.element.children];
    const whole = this.columns * this.rows <= WHOLE_CELLS;
    const near = (at: number, most: number) => (whole ? [0, most - 1] : [Math.max(0, at - AROUND), Math.min(most - 1, at + AROUND)]);
    const [x0 = 0, x1 = 0] = near(x, this.columns);
    const [y0 = 0, y1 = 0] = near(y, this.rows);
    this.part = { x0, y0, x1, y1 };
    this.cells.clear();
    for (let row = y0; row <= y1; row++) this.element.append(this.row(row));
    return old;
  }

  /** A row of cells. */
  private row(y: number): HTMLElement {
    const row = document.createElement('div');
    row.setAttribute('role', 'row');
    row.setAttribute('aria-rowindex', String(y + 1));
    for (let x = this.part.x0; x <= this.part.x1; x++) {
      const cell = document.createElement('div');
      cell.setAttribute('role', 'gridcell');
      cell.setAttribute('aria-colindex', String(x + 1));
      cell.dataset.cell = `${x},${y}`;
      cell.tabIndex = x === this.stop.x && y === this.stop.y ? 0 : -1;
      this.call(`${x},${y}`, cell);
      this.cells.set(`${x},${y}`, cell);
      row.append(cell);
    }
    return row;
  }
}

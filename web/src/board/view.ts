/* view.ts -- which part of the board is seen how large: fitting, zooming, panning. Pure arithmetic in CSS pixels; a cell is
 * `cell` pixels wide, always a whole number so that edges are crisp, and the board's left upper corner lies at `left`, `top` of
 * the window it is seen through. A board may be turned by half a circle: what is told and asked are always cells of the board, only
 * `across` and `down` know where they are drawn. */

/** No cell of a whole board is drawn larger than this, however much room there is. */
const CELL_WHOLE = 156;
/** Nobody can enlarge cells further than this. */
export const CELL_MOST = 116;
/** Cells smaller than this cannot be hit by a finger: the board then opens enlarged and can be moved. */
export const CELL_HANDY = 30;

/** The window through which a board is seen. */
export class View {
  cell = 48;
  left = 0;
  top = 0;
  width = 1;
  height = 1;
  /** Room for coordinates at the left and above. */
  margin = 22;
  /** Is the board seen from the other side? */
  turned = false;
  private columns = 1;
  private rows = 1;

  /** The board has another size; true if it really has. */
  board(columns: number, rows: number): boolean {
    const other = columns !== this.columns || rows !== this.rows;
    this.columns = columns;
    this.rows = rows;
    return other;
  }

  /** The column in which cells of x are drawn, and the x of the cells that are drawn in a column; between cells as well. */
  across(x: number): number {
    return this.turned ? this.columns - 1 - x : x;
  }

  /** The row in which cells of y are drawn, and the other way round. */
  down(y: number): number {
    return this.turned ? this.rows - 1 - y : y;
  }

  /** Which way growing x and y are drawn: 1 to the right and down, -1 the other way. */
  get way(): 1 | -1 {
    return this.turned ? -1 : 1;
  }

  /** The size of a cell with which the whole board is seen. */
  fitting(): number {
    const across = (this.width - this.margin - 6) / this.columns;
    const down = (this.height - this.margin - 6) / this.rows;
    return Math.max(2, Math.floor(Math.min(across, down, CELL_WHOLE)));
  }

  /** Is the board larger than the window? */
  overflows(): boolean {
    return this.cell > this.fitting() + 0.5;
  }

  /** Shows the whole board. */
  fit(): void {
    this.cell = this.fitting();
    this.clamp();
  }

  /** As a board opens: whole if its cells can be hit, otherwise enlarged around x,y. */
  open(x: number, y: number): void {
    const whole = this.fitting();
    this.cell = whole >= CELL_HANDY ? whole : CELL_HANDY * 1.3;
    this.center(x, y);
  }

  /** Moves the cell x,y into the middle, as far as the edges allow. */
  center(x: number, y: number): void {
    this.left = this.width / 2 - (this.across(x) + 0.5) * this.cell;
    this.top = this.height / 2 - (this.down(y) + 0.5) * this.cell;
    this.clamp();
  }

  /** Moves no more than needed so that the cell x,y is seen; true if anything moved. */
  reveal(x: number, y: number): boolean {
    const column = this.across(x);
    const row = this.down(y);
    const before = this.left + this.top * 65536;
    const edge = Math.min(this.cell, 40);
    const low = this.margin + edge - column * this.cell;
    const high = this.width - edge - (column + 1) * this.cell;
    this.left = Math.max(low, Math.min(high, this.left)) || 0;
    if (low > high) this.left = this.width / 2 - (column + 0.5) * this.cell;
    const upper = this.margin + edge - row * this.cell;
    const lower = this.height - edge - (row + 1) * this.cell;
    this.top = Math.max(upper, Math.min(lower, this.top)) || 0;
    if (upper > lower) this.top = this.height / 2 - (row + 0.5) * this.cell;
    this.clamp();
    return this.left + this.top * 65536 !== before;
  }

  /** Enlarges by a factor; the point px,py of the window stays where it is. */
  zoom(px: number, py: number, factor: number): void {
    const least = this.fitting();
    const wanted = factor > 1 ? Math.ceil(this.cell * factor) : Math.floor(this.cell * factor);
    const next = Math.max(least, Math.min(Math.max(CELL_MOST, least), wanted));
    const real = next / this.cell;
    this.left = px - (px - this.left) * real;
    this.top = py - (py - this.top) * real;
    this.cell = next;
    this.clamp();
  }

  /** Moves the board. */
  pan(dx: number, dy: number): void {
    this.left += dx;
    this.top += dy;
    this.clamp();
  }

  /** The cell under a point of the window, or null beside the board. */
  at(px: number, py: number): { x: number; y: number } | null {
    const x = Math.floor((px - this.left) / this.cell);
    const y = Math.floor((py - this.top) / this.cell);
    if (x < 0 || y < 0 || x >= this.columns || y >= this.rows) return null;
    return { x: this.across(x), y: this.down(y) };
  }

  /** What is seen, wholly or in part: first and last column and row as they are drawn. */
  seen(): { x0: number; y0: number; x1: number; y1: number } {
    return {
      x0: Math.max(0, Math.floor(-this.left / this.cell)),
      y0: Math.max(0, Math.floor(-this.top / this.cell)),
      x1: Math.min(this.columns - 1, Math.floor((this.width - this.left) / this.cell)),
      y1: Math.min(this.rows - 1, Math.floor((this.height - this.top) / this.cell)),
    };
  }

  /** A board that fits is in the middle; a larger one leaves no empty edge. */
  private clamp(): void {
    const across = this.columns * this.cell;
    const down = this.rows * this.cell;
    const room = this.width - this.margin;
    const high = this.height - this.margin;
    if (across <= room) this.left = Math.round(this.margin + (room - across) / 2);
    else this.left = Math.min(this.margin, Math.max(this.width - across - 4, this.left));
    if (down <= high) this.top = Math.round(this.margin + (high - down) / 2);
    else this.top = Math.min(this.margin, Math.max(this.height - down - 4, this.top));
  }
}

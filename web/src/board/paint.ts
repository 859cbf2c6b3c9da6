/* paint.ts -- paints the ground, its coordinates and the marks on a canvas of the window's size. Tiles are painted once for each
 * size; from them a sheet is laid that covers what is seen and a bit around it, so that moving the board copies one picture. A
 * board whose cells are tiny has one sheet for all of it. */
import { inkOf, painterOf, type TileStyle } from '../art/ground';
import type { Board } from '../model';
import { paintTrail, paintWay, type Cell, type Leg } from './trail';
import type { View } from './view';

/** What may be done on a cell. */
export type MarkKind = 'move' | 'attack' | 'use' | 'place' | 'stay' | 'other' | 'reach';

/** A cell on which something may be done. */
export interface BoardMark {
  x: number;
  y: number;
  kind: MarkKind;
  /** Said beside it: "-36". */
  label?: string;
  /** What one's own side loses by it: "♥-36". */
  own?: string;
  /** Said of it besides, to those who hear the board. */
  told?: string;
  /** Said of it instead of all that. */
  words?: string;
}

/** A cell that the enemy can hit: how dark (0: a tint and nothing else), and what stands in its corner. */
export interface BoardThreat {
  x: number;
  y: number;
  shade: number;
  sign: string;
}

/** Ground as it looks now, while an animation is on its way to the next position. */
export interface Ground {
  kinds: string[];
  cells: Uint8Array;
  wear: Float32Array;
  /** The most that any ground has ever had: what is whole. */
  most: number;
}

/** Do two grounds look alike? */
export function sameGround(one: Ground, two: Ground): boolean {
  const same = one.cells.length === two.cells.length && one.most === two.most && one.kinds.join() === two.kinds.join();
  return same && one.cells.every((kind, i) => kind === two.cells[i]) && one.wear.every((health, i) => health === two.wear[i]);
}

/** Copies the ground of a board. */
export function groundOf(board: Board, before: Ground | null): Ground {
  const cells = new Uint8Array(board.width * board.height);
  const wear = new Float32Array(cells.length);
  let most = before && before.cells.length === cells.length ? before.most : 0;
  for (let y = 0; y < board.height; y++) {
    for (let x = 0; x < board.width; x++) {
      cells[y * board.width + x] = board.ground[y]?.[x] ?? 0;
      const health = board.wear?.[y]?.[x] ?? 0;
      wear[y * board.width + x] = health;
      most = Math.max(most, health);
    }
  }
  return { kinds: board.ground_ids, cells, wear, most };
}

/** Colours of marks; each kind has a figure of its own as well. */
const MARKS: Record<MarkKind, { light: string; dark: string }> = {
  move: { light: '#1f5fd0', dark: '#8ab4ff' },
  attack: { light: '#c4172f', dark: '#ff7d8c' },
  use: { light: '#7a2fb0', dark: '#cf9bf5' },
  place: { light: '#13713c', dark: '#6fdc9c' },
  stay: { light: '#6b5200', dark: '#ffd23f' },
  other: { light: '#6b5200', dark: '#ffd23f' },
  reach: { light: '#1f5fd0', dark: '#8ab4ff' },
};

/** Cells smaller than this many device pixels are taken from one sheet of the whole board. */
const TINY = 20;
/** So many cells around what is seen are on the sheet as well. */
const AROUND = 4;

/** Ground that lies ready: columns and rows as they are drawn, from x0,y0 to x1,y1, each `size` device pixels wide. */
interface Sheet {
  canvas: HTMLCanvasElement;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  size: number;
}

/** Paints one board. */
export class BoardPainter {
  private readonly tiles = new Map<string, HTMLCanvasElement>();
  private size = 0;
  private wasDark = false;
  private sheet: Sheet | null = null;
  /** How the ground was painted last: as long as that is the same, it stays as it is. */
  private painted = '';

  /** Paints the ground on one canvas and the marks on the one above it. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly over: HTMLCanvasElement,
    private readonly game: string,
  ) {}

  /** The ground has changed: what lies ready is void. */
  renew(): void {
    this.sheet = null;
    this.painted = '';
  }

  /** Paints all that is seen, unless it is there already. */
  ground(view: View, ground: Ground, columns: number, rows: number, dark: boolean): void {
    const wanted = [view.left, view.top, view.cell, view.width, view.height, view.turned, view.margin, columns, rows, dark, globalThis.devicePixelRatio].join();
    if (wanted === this.painted) return;
    this.painted = wanted;
    const scale = this.prepare(this.canvas, view);
    const brush = this.canvas.getContext('2d')!;
    const size = Math.max(TINY, Math.round(view.cell * scale));
    if (size !== this.size || dark !== this.wasDark) {
      this.tiles.clear();
      this.sheet = null;
    }
    this.size = size;
    this.wasDark = dark;
    const seen = view.seen();
    const old = this.sheet;
    const covered = old && old.x0 <= seen.x0 && old.y0 <= seen.y0 && old.x1 >= seen.x1 && old.y1 >= seen.y1;
    const sheet = covered ? old : (this.sheet = this.lay(view, ground, columns, rows, view.cell * scale < TINY, dark));
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const width = (sheet.x1 - sheet.x0 + 1) * view.cell * scale;
    const height = (sheet.y1 - sheet.y0 + 1) * view.cell * scale;
    const left = Math.round((view.left + sheet.x0 * view.cell) * scale);
    const top = Math.round((view.top + sheet.y0 * view.cell) * scale);
    brush.drawImage(sheet.canvas, left, top, Math.round(width), Math.round(height));
    this.frame(brush, view, columns, rows, scale, dark);
    this.coordinates(brush, view, scale, dark);
  }

  /** Lays a sheet around what is seen, or of the whole board. */
  private lay(view: View, ground: Ground, columns: number, rows: number, all: boolean, dark: boolean): Sheet {
    const seen = view.seen();
    const sheet: Sheet = {
      canvas: this.sheet?.canvas ?? document.createElement('canvas'),
      x0: all ? 0 : Math.max(0, seen.x0 - AROUND),
      y0: all ? 0 : Math.max(0, seen.y0 - AROUND),
      x1: all ? columns - 1 : Math.min(columns - 1, seen.x1 + AROUND),
      y1: all ? rows - 1 : Math.min(rows - 1, seen.y1 + AROUND),
      size: this.size,
    };
    sheet.canvas.width = (sheet.x1 - sheet.x0 + 1) * this.size;
    sheet.canvas.height = (sheet.y1 - sheet.y0 + 1) * this.size;
    const brush = sheet.canvas.getContext('2d')!;
    for (let y = sheet.y0; y <= sheet.y1; y++) {
      for (let x = sheet.x0; x <= sheet.x1; x++) {
        const tile = this.tile(ground, view.down(y) * columns + view.across(x), view.across(x), view.down(y), dark);
        brush.drawImage(tile, (x - sheet.x0) * this.size, (y - sheet.y0) * this.size);
      }
    }
    return sheet;
  }

  /** Paints the trail, above it the marks, above them the way that would be gone. */
  marks(
    view: View, marks: readonly BoardMark[], legs: readonly Leg[], way: readonly Cell[], threats: readonly BoardThreat[], dark: boolean,
  ): void {
    const scale = this.prepare(this.over, view);
    const brush = this.over.getContext('2d')!;
    brush.setTransform(scale, 0, 0, scale, 0, 0);
    brush.clearRect(0, 0, view.width, view.height);
    for (const threat of threats) paintThreat(brush, view, threat, dark);
    paintTrail(brush, view, legs, dark);
    const seen = view.seen();
    for (const mark of marks) {
      const column = view.across(mark.x);
      const row = view.down(mark.y);
      if (column < seen.x0 || column > seen.x1 || row < seen.y0 || row > seen.y1) continue;
      this.mark(brush, view, mark, dark);
    }
    if (way.length > 1) paintWay(brush, view, way, dark);
  }

  /** Gives a canvas the window's size in device pixels. */
  private prepare(canvas: HTMLCanvasElement, view: View): number {
    const scale = Math.min(3, globalThis.devicePixelRatio || 1);
    const width = Math.round(view.width * scale);
    const height = Math.round(view.height * scale);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    return scale;
  }

  /** The picture of a cell's ground, painted once for each look and kept. */
  private tile(ground: Ground, cell: number, x: number, y: number, dark: boolean): HTMLCanvasElement {
    const id = ground.kinds[ground.cells[cell]!] ?? '';
    const wear = ground.wear[cell]!;
    const whole = ground.most > 0 && wear > 0 ? Math.ceil((wear / ground.most) * 8) / 8 : 1;
    const variant = (x * 7 + y * 13 + ((x * y) % 5)) % 3;
    const style: TileStyle = { dark, variant, odd: (x + y) % 2 === 1, whole };
    const key = `${id}|${variant}|${style.odd ? 1 : 0}|${whole}`;
    let tile = this.tiles.get(key);
    if (!tile) {
      tile = document.createElement('canvas');
      tile.width = tile.height = this.size;
      painterOf(this.game, id)(tile.getContext('2d')!, this.size, style);
      this.tiles.set(key, tile);
    }
    return tile;
  }

  /** The board's edge and a fine grid. */
  private frame(
    brush: CanvasRenderingContext2D, view: View, columns: number, rows: number, scale: number, dark: boolean,
  ): void {
    brush.setTransform(scale, 0, 0, scale, 0, 0);
    const { x0, y0, x1, y1 } = view.seen();
    brush.strokeStyle = dark ? 'rgb(255 255 255 / .07)' : 'rgb(29 26 47 / .1)';
    brush.lineWidth = 1;
    brush.beginPath();
    if (view.cell >= 12) {
      for (let x = Math.max(1, x0); x <= x1; x++) {
        const at = Math.round(view.left + x * view.cell) + 0.5;
        brush.moveTo(at, Math.max(0, view.top));
        brush.lineTo(at, view.top + rows * view.cell);
      }
      for (let y = Math.max(1, y0); y <= y1; y++) {
        const at = Math.round(view.top + y * view.cell) + 0.5;
        brush.moveTo(Math.max(0, view.left), at);
        brush.lineTo(view.left + columns * view.cell, at);
      }
    }
    brush.stroke();
    brush.strokeStyle = inkOf(dark);
    brush.lineWidth = 3;
    brush.strokeRect(view.left - 1, view.top - 1, columns * view.cell + 2, rows * view.cell + 2);
  }

  /** Numbers of columns and rows along the window's edges. */
  private coordinates(brush: CanvasRenderingContext2D, view: View, scale: number, dark: boolean): void {
    brush.setTransform(scale, 0, 0, scale, 0, 0);
    const { x0, y0, x1, y1 } = view.seen();
    const moved = view.overflows();
    const left = moved ? 0 : view.left - view.margin;
    const top = moved ? 0 : view.top - view.margin;
    if (moved) {
      brush.fillStyle = dark ? '#1f1c30' : '#fffdf7';
      brush.fillRect(0, 0, view.width, view.margin - 2);
      brush.fillRect(0, 0, view.margin - 2, view.height);
    }
    const every = view.cell >= 18 ? 1 : view.cell >= 9 ? 5 : 10;
    brush.fillStyle = dark ? '#c9c2d6' : '#4a4560';
    brush.font = `600 ${Math.max(10, Math.min(13, view.cell * 0.3))}px system-ui, sans-serif`;
    brush.textAlign = 'center';
    brush.textBaseline = 'middle';
    for (let x = x0; x <= x1; x++) {
      const at = view.left + (x + 0.5) * view.cell;
      if (view.across(x) % every === 0 && at > view.margin) brush.fillText(String(view.across(x)), at, top + view.margin / 2);
    }
    for (let y = y0; y <= y1; y++) {
      const at = view.top + (y + 0.5) * view.cell;
      if (view.down(y) % every === 0 && at > view.margin) brush.fillText(String(view.down(y)), left + view.margin / 2, at);
    }
  }

  /** A mark: tint and figure. Move: a dot; reach: a small ring; attack: corners of a sight; use: a star; place: a plus; stay: a ring that is struck through;
   * other: a ring. */
  private mark(brush: CanvasRenderingContext2D, view: View, mark: BoardMark, dark: boolean): void {
    const size = view.cell;
    const left = view.left + view.across(mark.x) * size;
    const top = view.top + view.down(mark.y) * size;
    const colour = MARKS[mark.kind][dark ? 'dark' : 'light'];
    const far = mark.kind === 'reach';
    brush.globalAlpha = (dark ? 0.28 : 0.2) * (far ? 0.5 : 1);
    brush.fillStyle = colour;
    brush.fillRect(left + 1, top + 1, size - 2, size - 2);
    brush.globalAlpha = 1;
    brush.strokeStyle = colour;
    brush.lineWidth = Math.max(1.5, size * 0.05);
    brush.lineCap = 'round';
    brush.lineJoin = 'round';
    const x = left + size / 2;
    const y = top + size / 2;
    brush.beginPath();
    if (mark.kind === 'move') {
      brush.arc(x, y, size * 0.12, 0, 7);
      brush.fill();
    } else if (far) {
      brush.lineWidth = Math.max(1, size * 0.03);
      brush.arc(x, y, size * 0.07, 0, 7);
      brush.stroke();
    } else if (mark.kind === 'attack') {
      corners(brush, left, top, size);
      brush.stroke();
    } else if (mark.kind === 'use') {
      star(brush, x, y, size * 0.2);
      brush.fill();
    } else if (mark.kind === 'stay') {
      brush.arc(x, y, size * 0.2, 0, 7);
      brush.moveTo(x - size * 0.14, y + size * 0.14);
      brush.lineTo(x + size * 0.14, y - size * 0.14);
      brush.stroke();
    } else if (mark.kind === 'place') {
      brush.moveTo(x - size * 0.13, y);
      brush.lineTo(x + size * 0.13, y);
      brush.moveTo(x, y - size * 0.13);
      brush.lineTo(x, y + size * 0.13);
      brush.stroke();
    } else {
      brush.arc(x, y, size * 0.15, 0, 7);
      brush.stroke();
    }
    if (mark.kind !== 'attack' && !far && size >= 20) {
      brush.lineWidth = 1.5;
      brush.globalAlpha = 0.55;
      brush.strokeRect(left + 2.5, top + 2.5, size - 5, size - 5);
      brush.globalAlpha = 1;
    }
  }
}

/** Four corners around a cell. */
function corners(brush: CanvasRenderingContext2D, left: number, top: number, size: number): void {
  const inset = size * 0.06;
  const arm = size * 0.26;
  for (const [sx, sy] of [[0, 0], [1, 0], [0, 1], [1, 1]] as const) {
    const x = left + (sx ? size - inset : inset);
    const y = top + (sy ? size - inset : inset);
    brush.moveTo(x + (sx ? -arm : arm), y);
    brush.lineTo(x, y);
    brush.lineTo(x, y + (sy ? -arm : arm));
  }
}

/** A star with four points. */
function star(brush: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  for (let i = 0; i < 8; i++) {
    const far = i % 2 ? radius * 0.38 : radius;
    const angle = (i * Math.PI) / 4;
    brush.lineTo(x + Math.sin(angle) * far, y - Math.cos(angle) * far);
  }
  brush.closePath();
}

/** Hatches a cell that the enemy can hit, closer and darker the more it can take, with the number in its corner; what is the same on every
 * cell is a tint. */
function paintThreat(brush: CanvasRenderingContext2D, view: View, { x, y, shade, sign }: BoardThreat, dark: boolean): void {
  const size = view.cell;
  const left = view.left + view.across(x) * size;
  const top = view.top + view.down(y) * size;
  const colour = dark ? '255 125 140' : '160 15 35';
  brush.save();
  brush.beginPath();
  brush.rect(left + 1, top + 1, size - 2, size - 2);
  brush.clip();
  brush.fillStyle = `rgb(${colour} / ${0.06 + 0.07 * shade})`;
  brush.fillRect(left, top, size, size);
  if (shade === 0) return brush.restore();
  brush.strokeStyle = `rgb(${colour} / ${0.3 + 0.12 * shade})`;
  brush.lineWidth = 1;
  brush.beginPath();
  const gap = Math.max(4, size / (2 + 1.5 * shade));
  for (let at = -size; at < size; at += gap) {
    brush.moveTo(left + at, top + size);
    brush.lineTo(left + at + size, top);
  }
  brush.stroke();
  if (size >= 26) {
    const font = Math.max(10, size * 0.19);
    brush.font = `700 ${font}px system-ui, sans-serif`;
    brush.textAlign = 'left';
    brush.textBaseline = 'top';
    const width = brush.measureText(sign).width + 6;
    brush.fillStyle = dark ? '#1d1a2f' : '#fffdf7';
    brush.fillRect(left + 1, top + 1, width, font + 4);
    brush.fillStyle = dark ? '#ff9dab' : '#8e0d20';
    brush.fillText(sign, left + 4, top + 3);
  }
  brush.restore();
}

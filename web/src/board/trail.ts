/* trail.ts -- where things went and what was hit: drawn on the board until something new is done, for those who looked away. */
import type { GameEvent } from '../model';
import type { View } from './view';

/** From one cell to another; the same twice: something happened there. */
export interface Leg {
  from: readonly [number, number];
  at: readonly [number, number];
}

/** A cell. */
export interface Cell {
  x: number;
  y: number;
}

const WAYS = new Set(['moved', 'swapped', 'teleported']);
const HITS = new Set(['attacked', 'fought', 'used', 'died', 'appeared', 'blocked', 'ground-hurt']);
/** More would be a tangle. */
export const LEGS_MAX = 12;

/** The legs of some events, the newest if there are many. */
export function legsOf(events: readonly GameEvent[]): Leg[] {
  const legs: Leg[] = [];
  for (const { kind, from, at } of events) {
    if (at[0] < 0 || at[1] < 0) continue;
    if (WAYS.has(kind) && from[0] >= 0 && from[1] >= 0) legs.push({ from, at });
    else if (HITS.has(kind)) legs.push({ from: at, at });
  }
  return legs.slice(-LEGS_MAX);
}

/** Draws legs: a dotted line with a head, a ring where something happened. */
export function paintTrail(brush: CanvasRenderingContext2D, view: View, legs: readonly Leg[], dark: boolean): void {
  const { cell, left, top } = view;
  const middle = ([x, y]: readonly [number, number]) => [left + (view.across(x) + 0.5) * cell, top + (view.down(y) + 0.5) * cell] as const;
  brush.save();
  brush.strokeStyle = brush.fillStyle = dark ? '#ffd23f' : '#8a4b00';
  brush.globalAlpha = 0.85;
  brush.lineCap = 'round';
  brush.lineWidth = Math.max(2, Math.min(4, cell * 0.055));
  for (const { from, at } of legs) {
    const [x0, y0] = middle(from);
    const [x1, y1] = middle(at);
    brush.beginPath();
    if (x0 === x1 && y0 === y1) {
      brush.setLineDash([]);
      brush.arc(x0, y0, cell * 0.47, 0, 7);
    } else {
      brush.setLineDash([0.1, cell * 0.13]);
      brush.moveTo(x0, y0);
      brush.lineTo(x1, y1);
    }
    brush.stroke();
    if (x0 !== x1 || y0 !== y1) head(brush, Math.atan2(y1 - y0, x1 - x0), x1, y1, cell);
  }
  brush.restore();
}

/* An arrow's head at the edge of the cell that was reached. */
function head(brush: CanvasRenderingContext2D, angle: number, x: number, y: number, cell: number): void {
  const reach = 0.5 / Math.max(Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle)));
  const tip = (reach - 0.12) * cell;
  brush.save();
  brush.setLineDash([]);
  brush.translate(x - Math.cos(angle) * tip, y - Math.sin(angle) * tip);
  brush.rotate(angle);
  brush.beginPath();
  brush.moveTo(cell * 0.1, 0);
  brush.lineTo(-cell * 0.08, cell * 0.1);
  brush.lineTo(-cell * 0.08, -cell * 0.1);
  brush.closePath();
  brush.fill();
  brush.restore();
}

/** Draws a way that would be gone: a line from cell to cell, a dot for each step, their number at its end. */
export function paintWay(brush: CanvasRenderingContext2D, view: View, way: readonly Cell[], dark: boolean): void {
  const { cell, left, top } = view;
  const middle = ({ x, y }: Cell) => [left + (view.across(x) + 0.5) * cell, top + (view.down(y) + 0.5) * cell] as const;
  brush.save();
  brush.strokeStyle = brush.fillStyle = dark ? '#8ab4ff' : '#1f5fd0';
  brush.lineCap = brush.lineJoin = 'round';
  brush.lineWidth = Math.max(2, cell * 0.07);
  brush.beginPath();
  way.forEach((one, at) => (at === 0 ? brush.moveTo(...middle(one)) : brush.lineTo(...middle(one))));
  brush.stroke();
  for (const one of way.slice(1)) {
    brush.beginPath();
    brush.arc(...middle(one), cell * 0.1, 0, 7);
    brush.fill();
  }
  const [x, y] = middle(way[way.length - 1]!);
  brush.beginPath();
  brush.arc(x, y, cell * 0.24, 0, 7);
  brush.fill();
  brush.fillStyle = dark ? '#1d1a2f' : '#ffffff';
  brush.font = `800 ${Math.max(10, cell * 0.28)}px system-ui, sans-serif`;
  brush.textAlign = 'center';
  brush.textBaseline = 'middle';
  brush.fillText(String(way.length - 1), x, y + cell * 0.01);
  brush.restore();
}

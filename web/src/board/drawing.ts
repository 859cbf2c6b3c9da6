/* drawing.ts -- cells and arrows that somebody drew over a board, as a picture that grows with the cells. */
import type { Board } from '../model';
import type { View } from './view';

/** A ring around a cell, or an arrow from it to another one. */
export interface DrawnMark {
  x: number;
  y: number;
  to?: { x: number; y: number };
  /** green, red, blue; '' = the usual one. */
  colour: string;
}

/** The name of an element of a picture. */
const SVG = 'http://www.w3.org/2000/svg';

/** An element with these attributes. */
function element(name: string, values: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, String(value));
  return made;
}

/** An arrow from the middle of a cell to that of another: a line and its head. */
function arrow(x0: number, y0: number, x1: number, y1: number): SVGElement[] {
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [x, y] = [x1 - dx * 0.34, y1 - dy * 0.34];
  const head = `${x1 - dx * 0.08},${y1 - dy * 0.08} ${x - dy * 0.2},${y + dx * 0.2} ${x + dy * 0.2},${y - dx * 0.2}`;
  return [element('line', { x1: x0 + dx * 0.3, y1: y0 + dy * 0.3, x2: x, y2: y, 'stroke-width': 0.14 }), element('polygon', { points: head })];
}

/** The picture of all of them. */
export function drawing(marks: readonly DrawnMark[], board: Board, view: View): SVGElement {
  const { width, height } = board;
  const picture = element('svg', { class: 'drawn', viewBox: `0 0 ${width} ${height}` });
  picture.style.width = `${width * view.cell}px`;
  picture.style.height = `${height * view.cell}px`;
  for (const { x, y, to, colour } of marks) {
    const [left, top] = [view.across(x) + 0.5, view.down(y) + 0.5];
    const group = element('g', { class: colour || 'usual' });
    if (!to || (to.x === x && to.y === y)) group.append(element('circle', { cx: left, cy: top, r: 0.42, fill: 'none', 'stroke-width': 0.09 }));
    else group.append(...arrow(left, top, view.across(to.x) + 0.5, view.down(to.y) + 0.5));
    picture.append(group);
  }
  return picture;
}

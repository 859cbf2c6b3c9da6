/* draw.ts -- the pen for faces: shapes in a square of 100 x 100 with one bold outline, and the parts that many faces share. */
import type { Art } from './avatar';

/** The outline's colour. */
export const INK = '#1d1a2f';
/** Colours of skin. */
export const SKIN = '#f6cfa8';
/** See above. */
export const PALE = '#fbe3cd';
/** See above. */
export const TAN = '#c98d5f';

/** A closed shape in a colour. */
export const shape = (path: string, fill: string): string => `<path d="${path}" fill="${fill}"/>`;
/** A shape without an outline. */
export const patch = (path: string, fill: string): string => `<path d="${path}" fill="${fill}" stroke="none"/>`;
/** A line. */
export const stroke = (path: string, colour = INK, width = 4): string =>
  `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}"/>`;
/** A disc. */
export const disc = (x: number, y: number, r: number, fill: string, rest = ''): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${rest}/>`;
/** A disc without an outline. */
export const dot = (x: number, y: number, r: number, fill: string): string => disc(x, y, r, fill, 'stroke="none"');

/** A drawing: the background's colour and shapes from the back to the front. */
export const face = (back: string, ...shapes: string[]): Art => ({
  back,
  paint: `<g stroke="${INK}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round">${shapes.join('')}</g>`,
});

/** A thing that lies around, without a frame. */
export const thing = (...shapes: string[]): Art => ({ ...face('#ffffff', ...shapes), bare: true });

/** Shoulders. */
export const body = (fill: string): string => shape('M8 100Q10 76 36 74H64Q90 76 92 100Z', fill);
/** A head. */
export const head = (fill: string): string => shape('M29 42Q29 18 50 18 71 18 71 42V54Q70 74 50 80 30 74 29 54Z', fill);
/** Eyes as two dots, and a mouth: smiling above 0, grim below. */
export const look = (smile = 1, y = 51): string =>
  dot(41, y, 3.4, INK) + dot(59, y, 3.4, INK) + stroke(`M43 ${y + 15}Q50 ${y + 15 + smile * 4} 57 ${y + 15}`, INK, 3.5);
/** Angry brows. */
export const brows = (y = 43, colour = INK): string => stroke(`M33 ${y - 3}L45 ${y + 2}M67 ${y - 3}L55 ${y + 2}`, colour, 5);
/** White eyes of a mask. */
export const slits = (fill = '#fff', y = 50): string =>
  shape(`M31 ${y - 6}Q44 ${y - 5} 46 ${y + 5} 35 ${y + 8} 31 ${y - 6}Z`, fill) +
  shape(`M69 ${y - 6}Q56 ${y - 5} 54 ${y + 5} 65 ${y + 8} 69 ${y - 6}Z`, fill);

/* cards.ts -- the pictures of the games on the start screen, which their folders compose (games/<id>/page/art.ts) from the same
 * drawings as the boards: SVG text of 320 x 180 that goes on beyond its edges, so that a frame of any shape is filled. A game that
 * nobody has drawn gets its name's colours. */
import { gamePage } from '../games';
import { avatar, bust } from './avatar';
import { hash } from './tone';

/** A drawing at a place, `size` wide; turned around if `flip`. */
function put(kind: string, x: number, y: number, size: number, flip = false): string {
  const scale = size / 100;
  const turn = flip ? ` translate(100 0) scale(-1 1)` : '';
  return `<g transform="translate(${x} ${y}) scale(${scale.toFixed(2)})${turn}">${bust(kind)}</g>`;
}

/** A framed piece at a place. */
function piece(kind: string | undefined, seat: 0 | 1, x: number, y: number, size: number): string {
  return avatar(kind, seat).replace('<svg ', `<svg class="seat-${seat}" x="${x}" y="${y}" width="${size}" height="${size}" `);
}

/** Rays from a point. */
function rays(x: number, y: number, colour: string, count = 14): string {
  let path = '';
  for (let i = 0; i < count; i++) {
    const a = (i * 2 * Math.PI) / count;
    const b = a + Math.PI / count;
    path += `M${x} ${y}L${(x + 700 * Math.cos(a)).toFixed(0)} ${(y + 700 * Math.sin(a)).toFixed(0)} ${(x + 700 * Math.cos(b)).toFixed(0)} ${(y + 700 * Math.sin(b)).toFixed(0)}Z`;
  }
  return `<path d="${path}" fill="${colour}"/>`;
}

/** Dots that fade towards the top. */
function dots(colour: string, rows = 6): string {
  let out = '';
  for (let row = 0; row < rows; row++) {
    for (let x = -24; x < 57; x++) {
      const radius = 3.4 - row * 0.5;
      if (radius > 0.4) out += `<circle cx="${x * 10 + (row % 2 ? 5 : 0)}" cy="${178 - row * 9}" r="${radius.toFixed(1)}"/>`;
    }
  }
  return `<g fill="${colour}">${out}</g>`;
}

/** A background beyond all edges. */
const sky = (colour: string): string => `<rect x="-400" y="-200" width="1120" height="580" fill="${colour}"/>`;

/** The pen of a card: what the folder of a game composes its picture with. */
const PEN = { put, piece, rays, dots, sky };
/** See above. */
export type CardPen = typeof PEN;

/** A picture made from a name. */
function made(game: string): string {
  const hue = hash(game) % 360;
  return `${sky(`hsl(${hue} 45% 45%)`)}${rays(160, 90, `hsl(${hue} 45% 52%)`)}${put(game, 100, 36, 120)}`;
}

/** The picture of a game, as SVG text. */
export function cardPicture(game: string): string {
  return (
    '<svg class="card-picture" viewBox="0 0 320 180" aria-hidden="true" focusable="false">' +
    `${gamePage(game)?.art.card?.(PEN) ?? made(game)}</svg>`
  );
}

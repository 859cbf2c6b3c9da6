/* avatar.ts -- the picture of every kind of unit: a drawing by its id, in the frame of its side. Frames differ in shape and
 * pattern, not in colour alone: seat 0 is round and plain, seat 1 six-sided and striped, nobody's square. Kinds that nobody has
 * drawn get a face made from their id. All pictures are SVG in a square of 100 x 100. */
import type { Seat } from '../model';
import { faceName, FACES } from './faces';
import { hash, mix } from './tone';

/** A drawing without its frame. */
export interface Art {
  /** SVG elements in 0..100; the frame shows the part from 12 to 88. */
  paint: string;
  /** The background's colour. */
  back: string;
  /** True: a thing that lies around, without a frame. */
  bare?: boolean;
}

const INK = '#1d1a2f';

/** A name without what spellings differ in. */
export function plainName(kind: string): string {
  return faceName(kind.toLowerCase().normalize('NFD').replace(/[^a-z0-9]/g, ''));
}

/** The drawing of a kind. */
export function artOf(kind: string): Art {
  return FACES[plainName(kind)] ?? made(kind);
}

/** Is there a drawing of its own for this kind? */
export function isDrawn(kind: string): boolean {
  return plainName(kind) in FACES;
}

/** A face that belongs to a name: colours, eyes and hat by its hash, and its first letters. */
function made(kind: string): Art {
  const seed = hash(kind);
  const hue = seed % 360;
  const skin = `hsl(${(hue + 150) % 360} 45% 72%)`;
  const hat = `hsl(${hue} 55% 45%)`;
  const plain = kind.replace(/[^\p{L}\p{N}]/gu, '');
  const letters = plain.charAt(0).toUpperCase() + plain.slice(1, 2) || '?';
  const brim = (seed >> 9) % 2
    ? `<path d="M18 46Q50 0 82 46Z" fill="${hat}" stroke="${INK}" stroke-width="4"/>`
    : `<path d="M22 44L34 12 50 30 66 12 78 44Z" fill="${hat}" stroke="${INK}" stroke-width="4"/>`;
  const paint =
    `<path d="M26 40H74V64Q74 88 50 88 26 88 26 64Z" fill="${skin}" stroke="${INK}" stroke-width="4"/>${brim}` +
    `<text x="50" y="74" font-family="system-ui,sans-serif" font-weight="900" font-size="28" text-anchor="middle"` +
    ` fill="${INK}">${letters}</text>`;
  return { paint, back: `hsl(${(hue + 40) % 360} 50% 82%)` };
}

/** What is drawn for a unit that one may not know. */
const MASKED: Art = {
  back: '#8f88a6',
  paint:
    `<path d="M18 92Q20 62 50 62 80 62 82 92Z" fill="#3a3554" stroke="${INK}" stroke-width="4"/>` +
    `<path d="M28 44Q28 14 50 14 72 14 72 44 72 70 50 72 28 70 28 44Z" fill="#4a4560" stroke="${INK}" stroke-width="4"/>` +
    `<text x="50" y="57" font-family="system-ui,sans-serif" font-weight="900" font-size="40" text-anchor="middle"` +
    ` fill="#fff7d6">?</text>`,
};

const ROUND = { outer: '<circle cx="50" cy="50" r="46"', inner: '<circle cx="50" cy="50" r="38"' };
const SIX = {
  outer: '<path d="M27 6H73L97 50 73 94H27L3 50Z" stroke-linejoin="round"',
  inner: '<path d="M32 16H68L85.5 50 68 84H32L14.5 50Z" stroke-linejoin="round"',
};
const SQUARE = {
  outer: '<rect x="7" y="7" width="86" height="86" rx="16"',
  inner: '<rect x="14" y="14" width="72" height="72" rx="10"',
};

/** What sets the second seat's frame apart besides its shape: a light pearl in every corner and between. */
const PEARLS = `<g fill="#fffdf7">${[[28, 10], [72, 10], [93, 50], [72, 90], [28, 90], [7, 50]]
  .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.6" stroke="${INK}" stroke-width="1.5"/>`)
  .join('')}</g>`;

let serial = 0;

/** Halftone dots in the lower right. */
function dots(colour: string): string {
  let out = '';
  for (let row = 0; row < 5; row++) {
    for (let column = 0; column < 5 - row; column++) {
      const radius = 2.6 - (row + column) * 0.38;
      if (radius > 0.6) out += `<circle cx="${84 - column * 8}" cy="${84 - row * 8}" r="${radius.toFixed(1)}"/>`;
    }
  }
  return `<g fill="${colour}" opacity=".35">${out}</g>`;
}

/** The picture of a kind as SVG text; no kind: somebody masked. `seat` undefined: no frame's colour, for lists. */
export function avatar(kind: string | undefined, seat: Seat | null | undefined): string {
  const art = kind === undefined ? MASKED : artOf(kind);
  const open = '<svg viewBox="0 0 100 100" aria-hidden="true" focusable="false">';
  if (art.bare) return `${open}${art.paint}</svg>`;
  const id = `clip${++serial}`;
  const frame = seat === 0 ? ROUND : seat === 1 ? SIX : SQUARE;
  const ring = seat === undefined ? art.back : 'var(--seat)';
  const pearls = seat === 1 ? PEARLS : '';
  return (
    `${open}<clipPath id="${id}">${frame.inner}/></clipPath>` +
    `${frame.outer} fill="${ring}" stroke="var(--line,${INK})" stroke-width="4"/>${pearls}` +
    `<g clip-path="url(#${id})"><rect width="100" height="100" fill="${art.back}"/>` +
    `${dots(art.back.startsWith('#') ? mix(art.back, INK, 0.55) : INK)}${art.paint}</g>` +
    `${frame.inner} fill="none" stroke="var(--line,${INK})" stroke-width="3.5"/></svg>`
  );
}

/** Only the drawing, without any frame, as SVG elements in a square of 100 x 100. */
export function bust(kind: string): string {
  return artOf(kind).paint;
}

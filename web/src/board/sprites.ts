/* sprites.ts -- the small drawings of effects: bursts, bolts, sparks, rings, numbers, speech. SVG or HTML as text. */

const INK = '#1d1a2f';

/** Text that is safe between tags. */
export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
}

/** A picture of 100 by 100 units. */
const svg = (inner: string): string => `<svg viewBox="0 0 100 100" aria-hidden="true">${inner}</svg>`;

/** A star with many points. */
function star(points: number, far: number, near: number): string {
  let path = '';
  for (let i = 0; i < points * 2; i++) {
    const radius = i % 2 ? near : far * (i % 4 ? 0.86 : 1);
    const angle = (i * Math.PI) / points;
    path += `${i ? 'L' : 'M'}${(50 + Math.sin(angle) * radius).toFixed(1)} ${(50 - Math.cos(angle) * radius).toFixed(1)}`;
  }
  return `${path}Z`;
}

const BURST = svg(
  `<path d="${star(10, 48, 27)}" fill="#f2b705" stroke="${INK}" stroke-width="4" stroke-linejoin="round"/>` +
    `<path d="${star(9, 30, 16)}" fill="#fff7d6" stroke="#d7263d" stroke-width="4" stroke-linejoin="round"/>`,
);

/** A blow. */
export const burst = (): string => BURST;

/** Something that flies. */
export const bolt = (): string =>
  svg(
    `<path d="M4 50L52 38 48 46 96 44 46 64 52 54Z" fill="#ffd23f" stroke="${INK}" stroke-width="4" stroke-linejoin="round"/>`,
  );

/** A ring that opens. */
export const ring = (colour: string): string =>
  svg(
    `<circle cx="50" cy="50" r="40" fill="none" stroke="${INK}" stroke-width="14" opacity=".5"/>` +
      `<circle cx="50" cy="50" r="40" fill="none" stroke="${colour}" stroke-width="9"/>` +
      `<circle cx="50" cy="50" r="28" fill="none" stroke="${colour}" stroke-width="4" stroke-dasharray="10 8"/>`,
  );

/** Small stars around a middle. */
export function sparks(colour: string): string {
  let out = '';
  for (let i = 0; i < 6; i++) {
    const angle = (i * Math.PI) / 3 + 0.3;
    const x = 50 + Math.sin(angle) * 34;
    const y = 50 - Math.cos(angle) * 34;
    out += `<path d="M${x} ${y - 13}L${x + 4} ${y - 4} ${x + 13} ${y} ${x + 4} ${y + 4} ${x} ${y + 13} ${x - 4} ${y + 4} ${x - 13} ${y} ${x - 4} ${y - 4}Z"/>`;
  }
  return svg(`<g fill="${colour}" stroke="${INK}" stroke-width="3" stroke-linejoin="round">${out}</g>`);
}

/** How much was lost or won. */
export const number = (text: string, kind: 'hurt' | 'heal' | 'miss' | 'rock'): string =>
  `<b class="amount ${kind}">${escape(text)}</b>`;

/** Somebody says something. */
export const bubble = (text: string): string => `<b class="bubble">${escape(text)}</b>`;

/** A line across the board. */
export const banner = (text: string): string => `<b>${escape(text)}</b>`;

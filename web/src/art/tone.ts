/* tone.ts -- small arithmetic of colours and of chance that is always the same: for art that is made from names. */

/** A number from 0 to 4294967295 that belongs to a text. */
export function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  value ^= value >>> 15;
  value = Math.imul(value, 2246822519);
  return (value ^ (value >>> 13)) >>> 0;
}

/** A row of numbers from 0 to 1 that belongs to a number. */
export function chances(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 16777216;
  };
}

/** Mixes two #rrggbb colours: 0 is the first, 1 the second. */
export function mix(one: string, two: string, part: number): string {
  const a = parseInt(one.slice(1), 16);
  const b = parseInt(two.slice(1), 16);
  let out = 0;
  for (const shift of [16, 8, 0]) {
    const from = (a >> shift) & 255;
    const to = (b >> shift) & 255;
    out |= Math.round(from + (to - from) * part) << shift;
  }
  return `#${out.toString(16).padStart(6, '0')}`;
}

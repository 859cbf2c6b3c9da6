/* record.ts -- how the person of this device does with puzzles: which were tried, and the rating. Kept in the browser. */
import { signal } from '@preact/signals';
import type { Glicko } from '../engine/calls';

/** Everything that is kept. */
export interface PuzzleRecord {
  rating: Glicko | null;
  /** When the last puzzle was rated. */
  at_ms: number;
  /** How the first attempt at each puzzle went, by "game/seed". */
  tried: Record<string, 'right' | 'wrong'>;
}

const KEY = 'mashup.puzzles';
const POINT = 1e6;
/** Above it a rating is shown with a question mark, as those of matches are (rating/glicko.h). */
const PROVISIONAL = 110;

/** What was kept; nothing that is not understood. */
function read(): PuzzleRecord {
  try {
    const { rating = null, at_ms = 0, tried = {} } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<PuzzleRecord>;
    return { rating, at_ms, tried };
  } catch {
    return { rating: null, at_ms: 0, tried: {} };
  }
}

/** The record of this device. */
export const record = signal<PuzzleRecord>(read());

/** Keeps it. */
export function keepRecord(now: PuzzleRecord): void {
  record.value = now;
  localStorage.setItem(KEY, JSON.stringify(now));
}

/** The points of a rating; the beginning is 1500. */
export function points(rating: Glicko | null): number {
  return Math.round((rating?.rating ?? 1500 * POINT) / POINT);
}

/** The rating as it is shown: "1512", "1512?" as long as it is not sure. */
export function ratingWords(rating: Glicko | null): string {
  const sure = rating !== null && rating.deviation <= PROVISIONAL * POINT;
  return `${points(rating)}${sure ? '' : '?'}`;
}

/** How many were solved at once, of how many. */
export function solvedOf({ tried }: PuzzleRecord): [number, number] {
  const all = Object.values(tried);
  return [all.filter((one) => one === 'right').length, all.length];
}

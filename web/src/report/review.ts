/* review.ts -- the report of a match as the engine makes it (ai/review.h): chances in ten thousandths. */
import type { Seat } from '../model';

/** A turn: from the position after `from` actions to the one after `to`. */
export interface ReviewTurn {
  from: number;
  to: number;
  seat: Seat;
  /** The chance of seat 0 before and after it. */
  before: number;
  after: number;
  /** What play and luck changed, for `seat`; and what play lost, 0 if the search would have done the same. */
  play: number;
  luck: number;
  lost: number;
  /** False: a resignation, time that ran out. */
  listed: boolean;
  kept: boolean;
  /** The search would have gone to the same position. */
  same: boolean;
  /** The words of the turn that the search found. */
  best: string[];
}

/** A side over the whole match; `luck` is that of all turns. */
export interface ReviewSide {
  turns: number;
  kept: number;
  accuracy: number;
  play: number;
  luck: number;
}

/** Everything. `points` are the numbers of the turns that changed most. */
export interface Review {
  version: number;
  nodes: number;
  searched: number;
  sides: [ReviewSide, ReviewSide];
  points: number[];
  turns: ReviewTurn[];
}

/** The version that this page's engine makes; kept reports of another one are made anew. */
export const REVIEW_VERSION = 6;

/** Ten thousandths as percent without places: "62 %". */
export function percent(chance: number): string {
  return `${Math.round(chance / 100)}\u00a0%`;
}

/** The same for a change: "+4 %", "−12 %", "±0 %". */
export function signed(change: number): string {
  const whole = Math.round(change / 100);
  return `${whole > 0 ? '+' : whole < 0 ? '−' : '±'}${Math.abs(whole)}\u00a0%`;
}

/** The chances at each moment of a match of so many actions, as points of a curve: [actions, chance of seat 0]. */
export function curve(review: Review): [number, number][] {
  const points = review.turns.map(({ from, before }): [number, number] => [from, before]);
  const last = review.turns[review.turns.length - 1];
  return last ? [...points, [last.to, last.after]] : points;
}

/** The number of the turn that belongs to a moment: the one that led to it; -1: none. */
export function turnAt(review: Review, at: number): number {
  return review.turns.findIndex(({ from, to }) => at > from && at <= to);
}

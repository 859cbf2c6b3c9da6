/* work.ts -- makes the report of a match in a worker of its own, in slices so that it can be stopped; keeps it with the match. */
import { Engine } from '../engine/engine';
import { matchOfFile, keepReport } from '../mine';
import { REVIEW_VERSION, type Review } from './review';

/** Nodes between two signs of progress. */
const SLICE_NODES = 100_000;

/** Reports that were made since the page was opened, by match file. */
const made = new Map<string, Review>();

/** The report that was made before; null: none was, or it is outdated. */
export async function knownReview(text: string): Promise<Review | null> {
  const kept = made.get(text) ?? (await matchOfFile(text).catch(() => undefined))?.report;
  return kept?.version === REVIEW_VERSION ? kept : null;
}

/** Makes the report with this engine. `onTurn` hears how far it is. Null: there is none. */
export async function makeReview(engine: Engine, text: string, onTurn: (done: number, all: number) => void): Promise<Review | null> {
  if (!(await engine.call('reviewBegin', { text }))) return null;
  for (;;) {
    const { done, all, review } = await engine.call('review', { nodes: SLICE_NODES });
    onTurn(done, all);
    if (!review) continue;
    if (review.turns.length === 0) return null;
    made.set(text, review);
    await keepReport(text, review).catch(() => undefined);
    return review;
  }
}

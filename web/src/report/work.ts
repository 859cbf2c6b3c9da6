/* work.ts -- makes the report of a match in a worker of its own, in slices so that it can be stopped; keeps it with the match. */
import { effect, signal } from '@preact/signals';
import { Engine } from '../engine/engine';
import { matchOfFile, keepReport } from '../mine';
import { current } from '../session';
import { speak } from '../speech';
import type { Table } from '../table/table';
import { reportText as say } from '../texts/report';
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

/** The report of a replay in the making. It goes on while something else of the replay is looked at, and ends with the replay. */
export class ReportWork {
  readonly review = signal<Review | null>(null);
  readonly progress = signal<{ done: number; all: number } | null>(null);
  readonly error = signal<unknown>(null);
  readonly cannot = signal(false);
  private worker: Engine | null = null;

  constructor(readonly text: string) {}

  /** The worker; it also plays lines and tells reasons. */
  engine(): Engine {
    return (this.worker ??= new Engine());
  }
  stop(): void {
    this.worker?.close();
    this.worker = null;
    this.progress.value = null;
  }
  async start(): Promise<void> {
    this.error.value = null;
    this.progress.value = { done: 0, all: 0 };
    const mine = this.engine();
    try {
      const found = (await knownReview(this.text)) ?? (await makeReview(mine, this.text, (done, all) => {
        if (this.worker === mine) this.progress.value = { done, all };
      }));
      if (this.worker !== mine) return;
      this.review.value = found;
      this.cannot.value = found === null;
      if (found) speak(say('done', found.turns.length, found.points.length));
    } catch (error) {
      /* Cancelling ends the worker: nobody has to hear of that. */
      if (this.worker !== mine) return;
      this.error.value = error;
    }
    this.progress.value = null;
  }
}

/** What is in the making, or made, by replay. */
const works = new WeakMap<Table, ReportWork>();

/** The report of a replay, begun when it is first asked for. */
export function workOf(table: Table, text: string): ReportWork {
  const known = works.get(table);
  if (known) return known;
  const work = new ReportWork(text);
  works.set(table, work);
  void work.start();
  const end = effect(() => {
    if (current.value === table) return;
    work.stop();
    setTimeout(() => end());
  });
  return work;
}

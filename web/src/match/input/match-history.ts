/* match-history.ts -- going back in a match that is on: the positions that were seen here, which of them is looked at, and the last turn
 * of the others shown once more. Nothing here changes the match; who acts is back in the present. */
import { signal } from '@preact/signals';
import type { Position } from '../../model';
import type { Table } from '../../table/table';

/** So many positions are kept. */
const KEPT_MAX = 500;

/** Who shows the last turn again: the board. */
export interface StoryPlayer {
  repeat(): void;
  stop(): void;
}

/** The positions of one table as they were seen here. */
export class MatchHistory {
  /** The number of the position that is looked at; null: the present one. */
  readonly past = signal<number | null>(null);
  /** While the last turn is shown again: which of its actions, from 1; null: it is not. */
  readonly repeating = signal<number | null>(null);
  /** The board, as soon as it is there. */
  player: StoryPlayer | null = null;
  private readonly kept = new Map<number, Position>();

  constructor(private readonly table: Table) {}

  /** Keeps a position; one that was taken back is forgotten with all behind it. */
  note(now: Position): void {
    for (const number of this.kept.keys()) if (number >= now.number || number < now.number - KEPT_MAX) this.kept.delete(number);
    this.kept.set(now.number, { ...now, actions: [] });
    if (this.past.value !== null && !this.known(this.past.value)) this.past.value = null;
  }

  /** A position that was seen through the same eyes as now; null: it was not. */
  at(number: number): Position | null {
    const found = this.kept.get(number);
    return found && found.you === this.table.you.value ? found : null;
  }

  /** Can the board be shown as it was then? */
  known(number: number): boolean {
    return this.table.replay ? number <= this.table.replay.length : this.at(number) !== null;
  }

  /** Is this the moment that is shown? */
  shown(number: number): boolean {
    return this.table.replay ? this.table.replay.at.value === number : this.past.value === number;
  }

  /** Shows the board as it was then; the present number: as it is now. */
  go(number: number): void {
    this.player?.stop();
    const { replay } = this.table;
    if (replay) {
      replay.stop();
      void replay.goto(number);
    } else if (number >= (this.table.position.value?.number ?? 0)) this.past.value = null;
    else if (this.known(number)) this.past.value = number;
  }

  /** One action back or on, as far as it was seen. */
  step(by: 1 | -1): void {
    const { replay } = this.table;
    if (replay) {
      if (replay.at.value + by >= 0) this.go(replay.at.value + by);
      return;
    }
    /* A step of several actions has only one position: what lies between was never seen. */
    const present = this.table.position.value?.number ?? 0;
    for (let at = (this.past.value ?? present) + by; at >= 0 && at <= present; at += by)
      if (at === present || this.known(at)) return this.go(at);
  }

  /** Back to the present. True: it was not shown already. */
  toNow(): boolean {
    const away = this.past.value !== null || this.repeating.value !== null;
    this.player?.stop();
    this.past.value = null;
    return away;
  }
}

/* recent-events.ts -- what each seat should still see of what others did: everything since its last turn. */
import { LEGS_MAX, legsOf, type Leg } from '../../board/trail';
import type { Position, Seat } from '../../model';

/** The trails of one table. */
export class RecentEvents {
  private readonly legs: [Leg[], Leg[]] = [[], []];
  private last: Leg[] = [];

  /** Of a table where something is hidden, each seat learns from its own positions alone. */
  constructor(private readonly hides: boolean) {}

  /** Something happened. */
  note(now: Position, before: Position | null): void {
    this.last = legsOf(now.events);
    for (const seat of [0, 1] as Seat[]) {
      if (before === null || before.awaited.includes(seat)) this.legs[seat] = [];
      else if (!this.hides || now.you === seat) this.legs[seat] = [...this.legs[seat], ...this.last].slice(-LEGS_MAX);
    }
  }

  /** What a seat missed, told at once: the first of these positions it had seen. */
  recall(missed: Position[]): void {
    const you = missed[0]?.you ?? null;
    if (you !== null) this.legs[you] = legsOf(missed.slice(1).flatMap((position) => position.events));
  }

  /** What to show to those who look through these eyes: a watcher sees the last action. */
  seen(by: Seat | null): Leg[] {
    return by === null ? this.last : this.legs[by];
  }
}

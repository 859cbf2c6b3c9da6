/* recent-events.ts -- what each seat should still see of what others did: everything since its last turn. */
import { signal } from '@preact/signals';
import { LEGS_MAX, legsOf, type Leg } from '../../board/trail';
import type { Position, Seat } from '../../model';
import { lastLike } from '../../table/base';

/** The trails of one table, and the positions they come from. */
export class RecentEvents {
  private readonly legs: [Leg[], Leg[]] = [[], []];
  private last: Leg[] = [];
  /** For each seat, and last for who only looks: the position before, then one for each action of the others. */
  private readonly stories = signal<[Position[], Position[], Position[]]>([[], [], []]);
  private side = '';

  /** Of a table where something is hidden, each seat learns from its own positions alone. */
  constructor(private readonly hides: boolean) {}

  /** Something happened. */
  note(now: Position, before: Position | null): void {
    this.last = legsOf(now.events);
    const stories = [...this.stories.value] as [Position[], Position[], Position[]];
    for (const seat of [0, 1] as Seat[]) {
      if (now.undone !== undefined) {
        if (this.hides && now.you !== seat) continue;
        stories[seat] = backTo(stories[seat], now);
        this.legs[seat] = legsOf(stories[seat].slice(1).flatMap(({ events }) => events)).slice(-LEGS_MAX);
      } else if (before === null || before.awaited.includes(seat)) {
        this.legs[seat] = [];
        stories[seat] = [];
      } else if (!this.hides || now.you === seat) {
        this.legs[seat] = [...this.legs[seat], ...this.last].slice(-LEGS_MAX);
        stories[seat] = continued(stories[seat], before, now);
      }
    }
    const side = before?.awaited.join() ?? '';
    if (now.undone !== undefined) stories[2] = backTo(stories[2], now);
    else stories[2] = before === null || now.events.length === 0 ? [] : continued(side === this.side ? stories[2] : [], before, now);
    this.side = side;
    this.stories.value = stories;
  }

  /** What a seat missed, told at once: the first of these positions it had seen. */
  recall(missed: Position[]): void {
    const you = missed[0]?.you ?? null;
    if (you === null) return;
    this.legs[you] = legsOf(missed.slice(1).flatMap((position) => position.events));
    const stories = [...this.stories.value] as [Position[], Position[], Position[]];
    stories[you] = missed;
    this.stories.value = stories;
  }

  /** What to show to those who look through these eyes: a watcher sees the last action. */
  seen(by: Seat | null): Leg[] {
    return by === null ? this.last : this.legs[by];
  }

  /** The last turn of the others for these eyes: the position before it, then one for each action; empty: none. A watcher sees that of
   * the side that acted last. */
  story(by: Seat | null): Position[] {
    return this.stories.value[by ?? 2];
  }
}

/* A story with one more action; what may be done is of no use in it. A jump begins none. */
function continued(story: Position[], before: Position, now: Position): Position[] {
  if (now.number <= before.number) return [];
  return [...(story.length > 0 ? story : [{ ...before, actions: [] }]), { ...now, actions: [] }];
}

/* A story without what was undone; empty: nothing of it is left. */
function backTo(story: Position[], now: Position): Position[] {
  const at = lastLike(story, now);
  return at < 1 ? [] : story.slice(0, at + 1);
}

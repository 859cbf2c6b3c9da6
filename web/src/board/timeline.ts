/* timeline.ts -- when each event of a position is shown: a list of events in, a list of timed events with start and length out.
 *
 * Timed events follow each other as the events do; what belongs together (an attack, the harm it does, a knock-out) overlaps. Times
 * are in milliseconds at speed 1. Nothing is drawn here and no game is known: the kind of an event and the distance it spans
 * decide alone. */
import type { GameEvent } from '../model';

/** One event's place in time. */
export interface TimedEvent {
  event: GameEvent;
  start: number;
  length: number;
}

/** How long a kind of event is seen, and after how long the next may begin. Kinds that are not here take no time. */
interface Times {
  length: number;
  next: number;
  /** More for each cell that is crossed. */
  cell?: number;
}

const TIMES: Record<string, Times> = {
  'placed': { length: 260, next: 45 },
  'match-began': { length: 1100, next: 500 },
  'round-began': { length: 1000, next: 350 },
  'turn-began': { length: 300, next: 0 },
  'moved': { length: 170, next: 160, cell: 45 },
  'swapped': { length: 340, next: 320 },
  'teleported': { length: 560, next: 500 },
  'blocked': { length: 300, next: 260 },
  'appeared': { length: 460, next: 380 },
  'vanished': { length: 380, next: 300 },
  'attacked': { length: 320, next: 170 },
  'missed': { length: 700, next: 260 },
  'hurt': { length: 900, next: 150 },
  'healed': { length: 900, next: 180 },
  'died': { length: 620, next: 380 },
  'revived': { length: 640, next: 420 },
  'fought': { length: 720, next: 520 },
  'used': { length: 560, next: 320 },
  'effect-began': { length: 620, next: 180 },
  'effect-ended': { length: 300, next: 0 },
  'revealed': { length: 520, next: 260 },
  'ground-hurt': { length: 360, next: 160 },
  'ground-changed': { length: 420, next: 200 },
  'item-appeared': { length: 480, next: 320 },
  'item-taken': { length: 480, next: 320 },
  'item-dropped': { length: 460, next: 260 },
  'item-given': { length: 560, next: 420 },
  'spoke': { length: 1600, next: 900 },
};

/** King's moves from where an event comes from to where it happens. */
export function span(event: GameEvent): number {
  return Math.max(Math.abs(event.at[0] - event.from[0]), Math.abs(event.at[1] - event.from[1]));
}

/** Does the attack reach further than a neighbouring cell? */
export function isRanged(event: GameEvent): boolean {
  return span(event) > 1;
}

/** The times of one event; none: it is not shown by itself. */
function timesOf(event: GameEvent): { length: number; next: number } | null {
  const times = TIMES[event.kind];
  if (!times) return null;
  let { length, next } = times;
  if (times.cell) {
    const extra = Math.min(5, Math.max(0, span(event) - 1)) * times.cell;
    length += extra;
    next += extra;
  }
  if (event.kind === 'attacked' && isRanged(event)) {
    length += 40 * Math.min(6, span(event));
    next = length - 40;
  }
  return { length, next };
}

/** The timed events of a list of events, in their order. */
export function timedEventsOf(events: readonly GameEvent[]): TimedEvent[] {
  const timedEvents: TimedEvent[] = [];
  let clock = 0;
  for (const event of events) {
    const times = timesOf(event);
    if (!times) continue;
    timedEvents.push({ event, start: clock, length: times.length });
    clock += times.next;
  }
  return timedEvents;
}

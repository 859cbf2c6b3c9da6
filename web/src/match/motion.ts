/* motion.ts -- how fast the board moves, as the player wants it, and how long it may at most. */
import { motionOn, settings } from '../settings';
import type { TableAbout } from '../table/table';

/** What can be chosen, with the keys of the texts; 0 = nothing moves. */
export const speeds = [
  { speed: 0, text: 'speedOff' },
  { speed: 0.6, text: 'speedSlow' },
  { speed: 1, text: 'speedUsual' },
  { speed: 2, text: 'speedFast' },
] as const;

/** How fast the board moves now; 0 = it does not. */
export function speedNow(): number {
  return motionOn() ? settings.speed.value : 0;
}

/** Keeps another speed. */
export function setSpeed(speed: number): void {
  settings.motion.value = speed === 0 ? 'off' : 'on';
  if (speed > 0) settings.speed.value = speed;
}

/** All pending animation ends within so many ms: the content's limit, and a quarter of a turn. */
export function budgetOf(about: Pick<TableAbout, 'animation_ms' | 'turn_ms'>): number {
  const limits = [about.animation_ms, about.turn_ms / 4].filter((ms) => ms > 0);
  return limits.length > 0 ? Math.min(...limits) : 0;
}

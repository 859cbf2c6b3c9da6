/* animation-speed.ts -- how fast the board moves, as the player wants it. */
import { motionOn, settings } from '../../settings';

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

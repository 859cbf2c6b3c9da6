/* advice.ts -- why an action is recommended and what it risks, in words of the page: the sentences of what would happen are the engine's,
 * what is said around them follows from its figures. */
import type { Tip } from '../../model';
import { say } from '../../texts/match';

/** "4 of 10 times:", unless it is always. */
function often(times: number, samples: number): string[] {
  return times < samples ? [say('tipTimes', times, samples)] : [];
}

/** What happens, and what may come next; '' = nothing worth saying. */
export function tipReasonWords({ now, next }: Tip): string {
  const later = next.length > 0 ? [say('tipNext'), ...next.map(({ text }) => text)] : [];
  return [...now.map(({ text }) => text), ...later].join(' ');
}

/** How often it works, and what is lost until the opponent has replied. */
export function tipRiskWords({ samples, works, lost, losses }: Tip): string {
  const words = [
    ...(works < samples ? [say('tipWorks', works, samples)] : []),
    ...(lost > 0 ? [say('tipLoses', lost)] : []),
    ...losses.flatMap(({ times, text }) => [...often(times, samples), text]),
  ];
  return words.length > 0 ? words.join(' ') : say('tipSafe');
}

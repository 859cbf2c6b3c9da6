/* advice.ts -- why an action is recommended and what it risks, in words of the page: the sentences of what would happen are the engine's,
 * what is said around them follows from its figures. */
import type { Tip } from '../../model';
import { say } from '../../texts/match';

/** "4 of 10 times:", unless it is always. */
function often(times: number, samples: number): string[] {
  return times < samples ? [say('tipTimes', times, samples)] : [];
}

/** What happens for certain by what one does in this turn; then, as a hope, what only some futures or the next turn bring, since both
 * need the opponent or luck to play along. '' = nothing worth saying. */
export function tipReasonWords({ samples, now, next }: Tip): string {
  const sure = now.filter(({ times }) => times >= samples).map(({ text }) => text);
  const hoped = [...now.filter(({ times }) => times < samples), ...next].map(({ text }) => text);
  return [...sure, ...(hoped.length > 0 ? [say('tipHope'), ...hoped] : [])].join(' ');
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

/* howto.ts -- each game in a minute, for somebody who has never seen it, as its folder tells it (page.json, "howto"): the goal, what
 * a turn is, what to look out for; and a hint for the moment, by the phase or by what can be done. */
import { gamePage, type HowTo } from '../games';
import { language } from './language';

/** A game in a minute; null: nothing is said about it. */
export function howToFor(game: string): HowTo | null {
  return gamePage(game)?.howto?.[language.value] ?? null;
}

/* howto.ts -- each game in a minute, for somebody who has never seen it, as its folder tells it (page.json, "howto"): the goal, what
 * a turn is, what to look out for; and a hint for the moment, by the phase or by what can be done. */
import { gamePage, type HowTo } from '../games';
import { language, tapped } from './language';

/** What was told already, by game and language, in words for the mouse or for the finger. */
const told = new Map<string, HowTo>();

/** A game in a minute; null: nothing is said about it. */
export function howToFor(game: string): HowTo | null {
  const howto = gamePage(game)?.howto?.[language.value];
  if (!howto) return null;
  const key = `${game} ${language.value}`;
  const known = told.get(key) ?? (JSON.parse(tapped(JSON.stringify(howto))) as HowTo);
  told.set(key, known);
  return known;
}

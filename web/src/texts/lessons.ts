/* lessons.ts -- each game in a minute, for somebody who has never seen it, as its folder tells it (page.json, "lesson"): the goal, what
 * a turn is, what to look out for; and a hint for the moment, by the phase or by what can be done. */
import { gamePage, type Lesson } from '../games';
import { language } from './language';

/** A game in a minute; null: there is no lesson for it. */
export function lessonFor(game: string): Lesson | null {
  return gamePage(game)?.lesson?.[language.value] ?? null;
}

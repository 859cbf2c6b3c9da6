/* presentation.ts -- how the games differ for the eye, as their folders say it (page.json, "presentation"): names of meters, never a
 * rule. A game that says nothing can be played all the same; it only looks plainer. */
import { gamePage, type Text } from '../../games';

/** What the match screen wants to know about the looks of a game. */
export interface Presentation {
  /** Meters of a unit that are things in its hand. */
  stones: string[];
  /** Kinds that are things, not fighters: they stand in no roster. */
  thing: RegExp;
  /** So many are chosen at once by this verb, changed at will before they are sent. */
  together: Record<string, number>;
  /** Meters of a unit shown on the cards of the roster, beside health. */
  brief: string[];
  /** Meters of a side that say nothing before the play begins. */
  later: string[];
  /** What a value of a side is called while the side is still chosen. */
  early: Partial<Record<string, Text>>;
}

const plain: Presentation = { stones: [], thing: /^$/, together: {}, brief: [], later: [], early: {} };

/** How a game looks; a plain look for one that says nothing. */
export function presentationOf(game: string): Presentation {
  const { thing, ...own } = gamePage(game)?.presentation ?? {};
  return { ...plain, ...own, ...(thing === undefined ? {} : { thing: new RegExp(thing) }) };
}

/** A class for whatever shows both sides of a game whose first side is the red one. */
export function redFirst(game: string): string {
  return gamePage(game)?.colours?.[0] === 'red' ? ' red-first' : '';
}

/* presentation.ts -- how the games differ for the eye, as their folders say it (page.json, "presentation"): by ids of meters, never
 * a rule. A game that says nothing can be played all the same; it only looks plainer. */
import { gamePage, type Text } from '../../games';

/** What the match screen wants to know about the looks of a game. */
export interface Presentation {
  /** So many are chosen at once by this verb, changed at will before they are sent. */
  together: Record<string, number>;
  /** Meters of a unit shown on the cards of the roster, beside health. */
  brief: string[];
  /** Meters of a side that say nothing before the play begins. */
  later: string[];
  /** What a value of a side is called while the side is still chosen. */
  early: Partial<Record<string, Text>>;
  /** The phases before the play, and where they happen; left out: it follows from what may be done and what stands on the board. */
  before?: Partial<Record<string, 'cards' | 'board'>>;
}

const plain: Presentation = { together: {}, brief: [], later: [], early: {} };

/** How a game looks; a plain look for one that says nothing. */
export function presentationOf(game: string): Presentation {
  return { ...plain, ...gamePage(game)?.presentation };
}

/** A class for whatever shows both sides of a game whose first side is the red one. */
export function redFirst(game: string): string {
  return gamePage(game)?.colours?.[0] === 'red' ? ' red-first' : '';
}

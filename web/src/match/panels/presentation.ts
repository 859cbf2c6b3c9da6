/* presentation.ts -- how the games differ for the eye: names of meters, never a rule.
 *
 * A game that is not listed here can be played all the same; it only looks plainer. */

import type { MatchText } from '../../texts/match';

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
  early: Partial<Record<string, MatchText>>;
  /** The sides are called by colours, and the first one is the red one. */
  redFirst: boolean;
}

const plain: Presentation = {
  stones: [],
  thing: /^$/,
  together: {},
  brief: [],
  later: [],
  early: {},
  redFirst: false,
};

const games: Record<string, Partial<Presentation>> = {
  'marvelous-mashup': {
    stones: ['Space', 'Mind', 'Reality', 'Power', 'Time', 'Soul'],
    thing: / Stone$/,
    together: { choose: 6 },
    brief: ['MP', 'AP'],
    later: ['most stones at once', 'knock-outs', 'damage'],
  },
  'ultimate-war': { brief: ['points', 'mana'], later: ['command left'] },
  generals: { brief: ['power'] },
  battleground: {
    brief: ['attack', 'walking distance'],
    early: { 'warriors alive': 'warriors', 'potions left': 'potions' },
    redFirst: true,
  },
  zorde: { brief: ['attack', 'steps'] },
};

/** How a game looks; a plain look for one that is not known. */
export function presentationOf(game: string): Presentation {
  return { ...plain, ...games[game] };
}

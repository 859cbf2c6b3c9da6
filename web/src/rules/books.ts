/* books.ts -- the rules of each game as its RULES.md has them, taken in when the page is built and fetched when they are read. */

/** By the id of the game. */
export const BOOKS: Record<string, () => Promise<{ default: string }>> = {
  'battleground': () => import('../../../games/battleground/RULES.md'),
  'generals': () => import('../../../games/generals/RULES.md'),
  'marvelous-mashup': () => import('../../../games/marvelous-mashup/RULES.md'),
  'ultimate-war': () => import('../../../games/ultimate-war/RULES.md'),
  'zorde': () => import('../../../games/zorde/RULES.md'),
};

/* faces.ts -- all drawings by plain name: those of several games, and those of each game's folder. */
import { ofAllGames } from '../games';
import type { Art } from './avatar';
import { HEROES } from './faces-heroes';

/** A name in place of a drawing: the same as that one. */
const ALL: Record<string, Art | string> = { ...HEROES, ...ofAllGames((game) => game.art.faces) };

/** The plain name under which a drawing is kept. */
export function faceName(plain: string): string {
  const face = ALL[plain];
  return typeof face === 'string' ? face : plain;
}

/** See above. */
export const FACES = Object.fromEntries(Object.entries(ALL).filter((entry): entry is [string, Art] => typeof entry[1] !== 'string'));

/* faces.ts -- all drawings by plain name. */
import type { Art } from './avatar.js';
import { HEROES } from './faces-heroes.js';
import { OTHERS } from './faces-others.js';


/** See above. */
export const FACES: Record<string, Art> = { ...HEROES, ...OTHERS };

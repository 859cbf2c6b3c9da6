/* faces.ts -- all drawings by plain name. */
import type { Art } from './avatar';
import { HEROES } from './faces-heroes';
import { OTHERS } from './faces-others';


/** See above. */
export const FACES: Record<string, Art> = { ...HEROES, ...OTHERS };

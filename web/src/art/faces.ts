/* faces.ts -- the drawings by plain name. */
import type { Art } from './avatar.js';

/** See above. */
export const FACES: Record<string, Art> = {};

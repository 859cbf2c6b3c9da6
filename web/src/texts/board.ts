/* board.ts -- texts of the board, its animations and sounds, and the story before a match. */
import type { Text } from './texts';

/** Texts by key. */
const texts = {} satisfies Record<string, Text>;
export default texts;

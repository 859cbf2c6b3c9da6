/* editor.ts -- texts of the editors. */
import type { Text } from './texts';

/** Texts by key. */
const texts = {} satisfies Record<string, Text>;
export default texts;

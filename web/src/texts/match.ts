/* match.ts -- texts of the match screen: panels, keys, log, end, replay controls. */
import type { Text } from './texts';

/** Texts by key. */
const texts = {} satisfies Record<string, Text>;
export default texts;

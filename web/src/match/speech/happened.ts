/* happened.ts -- what happened, for whoever hears the match: everything that came within a moment as one sentence. */
import type { Verbosity } from '../../speech';
import { oneSentence } from '../../speech';
import type { LogLine } from '../../table/table';
import { t } from '../../texts/texts';
import { lineKind, type LineKind } from '../panels/log-lines';

/** What is more important is said if there is no room for all. */
const STRONG = new Set(['match-ended', 'died', 'revealed', 'item-taken', 'spoke']);
const WEIGHTS: Record<LineKind, number> = { fight: 3, thing: 3, table: 3, move: 2, turn: 1, detail: 0 };
/** The least weight that is said, and so many facts at most. */
const ROOM: Record<Verbosity, { weight: number; most: number }> = {
  few: { weight: 3, most: 2 },
  usual: { weight: 2, most: 5 },
  all: { weight: 1, most: 20 },
};

/** How much a line matters. */
function weightOf(line: LogLine): number {
  return STRONG.has(line.event?.kind ?? '') ? 4 : WEIGHTS[lineKind(line)];
}

/** Lines of the log as one sentence; '' = nothing worth saying. */
export function happened(lines: readonly LogLine[], verbosity: Verbosity): string {
  const { weight, most } = ROOM[verbosity];
  const worth = lines.filter((line) => weightOf(line) >= weight);
  const kept = new Set([...worth].sort((one, two) => weightOf(two) - weightOf(one)).slice(0, most));
  const told = worth.filter((line) => kept.has(line)).map(({ text }) => text);
  return oneSentence(worth.length > kept.size ? [...told, t('speech.more', { count: worth.length - kept.size })] : told);
}

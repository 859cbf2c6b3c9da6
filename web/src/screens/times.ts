/* times.ts -- how fast a match is played: a few paces with names, and times in words. */
import { t, type TextKey } from '../texts/texts';

/** The times of a match; 0 = no limit. A player's own time for all turns together may grow with each of them. */
export interface Times {
  turn_ms: number;
  match_ms: number;
  bank_ms?: number;
  increment_ms?: number;
  /** Instead of all of them: so many days for each turn. */
  days?: number;
}

/** A pace by its name. */
export interface Pace extends Times {
  id: 'blitz' | 'rapid' | 'relaxed' | 'unlimited';
}

/** The paces to choose from, the fastest first. */
export const PACES: Pace[] = [
  { id: 'blitz', turn_ms: 0, match_ms: 0, bank_ms: 180_000, increment_ms: 5_000 },
  { id: 'rapid', turn_ms: 0, match_ms: 0, bank_ms: 900_000, increment_ms: 10_000 },
  { id: 'relaxed', turn_ms: 300_000, match_ms: 7_200_000 },
  { id: 'unlimited', turn_ms: 0, match_ms: 0 },
];

/** Milliseconds for people: seconds up to two minutes, then minutes, from two hours on hours. */
export function timeWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return t('setup.seconds', { n: seconds });
  if (seconds < 7200) return t('setup.minutes', { n: Math.round(seconds / 60) });
  return t('setup.hours', { n: Math.round(seconds / 360) / 10 });
}

/** The times of a match in words: "3 min each + 5 s per turn", "60 s per turn, 30 min in total". */
export function paceWords({ turn_ms, match_ms, bank_ms = 0, increment_ms = 0, days }: Times): string {
  if (days) return t(days === 1 ? 'times.day' : 'times.days', { n: days });
  if (bank_ms > 0)
    return t(increment_ms > 0 ? 'times.bank.increment' : 'times.bank', { time: timeWords(bank_ms), more: timeWords(increment_ms) });
  const turn = turn_ms > 0 ? [t('times.turn', { time: timeWords(turn_ms) })] : [];
  const match = match_ms > 0 ? [t('times.match', { time: timeWords(match_ms) })] : [];
  return [...turn, ...match].join(', ') || t('times.none');
}

/** The days for a turn that can be chosen. */
export const DAYS = [1, 3, 7];

/** A pace as a choice: "Blitz: 3 min each + 5 s per turn". */
export function paceChoice(pace: Pace): string {
  return `${t(`times.${pace.id}` as TextKey)}: ${paceWords(pace)}`;
}

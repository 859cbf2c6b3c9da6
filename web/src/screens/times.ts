/* times.ts -- how fast a match is played: a few paces with names, and times in words. */
import { t, type TextKey } from '../texts/texts';

/** The times of a match; 0 = no limit. */
export interface Times {
  turn_ms: number;
  match_ms: number;
}

/** A pace by its name. */
export interface Pace extends Times {
  id: 'blitz' | 'rapid' | 'relaxed' | 'unlimited';
}

/** The paces to choose from, the fastest first. */
export const PACES: Pace[] = [
  { id: 'blitz', turn_ms: 20_000, match_ms: 600_000 },
  { id: 'rapid', turn_ms: 60_000, match_ms: 1_800_000 },
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

/** The times of a match in words: "60 s per turn, 30 min in total". */
export function paceWords({ turn_ms, match_ms }: Times): string {
  const turn = turn_ms > 0 ? [t('times.turn', { time: timeWords(turn_ms) })] : [];
  const match = match_ms > 0 ? [t('times.match', { time: timeWords(match_ms) })] : [];
  return [...turn, ...match].join(', ') || t('times.none');
}

/** A pace as a choice: "Rapid: 60 s per turn, 30 min in total". */
export function paceChoice(pace: Pace): string {
  return `${t(`times.${pace.id}` as TextKey)}: ${paceWords(pace)}`;
}

/* clock-words.ts -- when a clock is told in words. */

/** Seconds that are left when the time of one's own turn is told. */
const TOLD_S = [20, 10, 5];

/** The seconds to tell for a clock: the last of TOLD_S that it has passed; null: there is time, or none is left. */
export function secondsToTell(left: number | null): number | null {
  return left === null || left <= 0 ? null : (TOLD_S.filter((seconds) => left <= seconds * 1000).at(-1) ?? null);
}

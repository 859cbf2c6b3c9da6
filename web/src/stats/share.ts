/* share.ts -- how sure a share is that was counted: the 95 % interval of Wilson, as `mashup stats` has it. */

/** A share and its interval, all from 0 to 1. */
export interface Share {
  is: number;
  low: number;
  high: number;
}

const CERTAINTY = 1.96;

/** The share of so many points in so many matches; at least one. */
export function shareOf(points: number, matches: number): Share {
  const is = points / matches;
  const z = CERTAINTY ** 2 / matches;
  const middle = (is + z / 2) / (1 + z);
  const wide = Math.sqrt(z * (is * (1 - is) + z / 4)) / (1 + z);
  return { is, low: middle - wide, high: middle + wide };
}

/** "52 %" */
function percent(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`;
}

/** "52 % (45 % to 59 %)", with the words of the language for "to". */
export function shareWords({ is, low, high }: Share, to: string): string {
  return `${percent(is)} (${percent(low)} ${to} ${percent(high)})`;
}

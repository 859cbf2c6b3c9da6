/* count.ts -- what many matches tell: choices, first turns and sides, each with matches and points; also by who played. */
import type { MatchTally } from '../engine/calls';
import type { Seat } from '../model';

/** Who played a side: a program of a level, an account by its rating now, or somebody else. */
export type Who = `level-${number}` | 'below-1400' | '1400-1600' | 'above-1600' | 'guest';

/** A match that counts. */
export interface CountedMatch {
  tally: MatchTally;
  who: [Who, Who];
}

/** A line of the tables. */
export interface Row {
  name: string;
  matches: number;
  points: number;
}

/** Everything that is shown. */
export interface Totals {
  matches: number;
  drawn: number;
  /** Points of the first side; actions of all matches. */
  points: number;
  actions: number;
  choices: Row[];
  firstTurns: Row[];
}

/** The level in the name of a program: "Computer 5", "Computer, level 5", "level5". Other programs have names with numbers, too. */
export function levelOf(name: string): Who {
  const level = /^(?:Computer(?:, \S+)? |level)([1-9])$/.exec(name)?.[1];
  return level === undefined ? 'guest' : `level-${Number(level)}`;
}

/** The band of a rating. */
export function bandOf(rating: number): Who {
  return rating < 1400 ? 'below-1400' : rating <= 1600 ? '1400-1600' : 'above-1600';
}

/** Points of a seat: 1, a half or 0. */
function pointsOf({ winner }: MatchTally, seat: Seat): number {
  return winner === seat ? 1 : winner === 0 || winner === 1 ? 0 : 0.5;
}

/** Adds a match to a line. */
function add(rows: Map<string, Row>, name: string, points: number): void {
  const row = rows.get(name) ?? { name, matches: 0, points: 0 };
  rows.set(name, { name, matches: row.matches + 1, points: row.points + points });
}

/** The most frequent first. */
const sorted = (rows: Map<string, Row>): Row[] =>
  [...rows.values()].sort((a, b) => b.matches - a.matches || (a.name < b.name ? -1 : 1));

/** Counts; `who`: only what these chose and played, and matches in which they sat; null: everybody. */
export function totalsOf(matches: CountedMatch[], who: Who | null): Totals {
  const choices = new Map<string, Row>();
  const firstTurns = new Map<string, Row>();
  const all = matches.filter(({ tally, who: both }) => tally.over && (who === null || both.includes(who)));
  const counts = (match: CountedMatch, seat: Seat) => who === null || match.who[seat] === who;
  for (const match of all) {
    const { tally } = match;
    for (const [seat, name] of tally.choices) if (counts(match, seat)) add(choices, name, pointsOf(tally, seat));
    if ((tally.seat === 0 || tally.seat === 1) && counts(match, tally.seat)) add(firstTurns, tally.first, pointsOf(tally, tally.seat));
  }
  return {
    matches: all.length, drawn: all.filter(({ tally }) => pointsOf(tally, 0) === 0.5).length,
    points: all.reduce((sum, { tally }) => sum + pointsOf(tally, 0), 0), actions: all.reduce((sum, { tally }) => sum + tally.actions, 0),
    choices: sorted(choices), firstTurns: sorted(firstTurns),
  };
}

/** Everybody who sat in one of these matches. */
export function everybody(matches: CountedMatch[]): Who[] {
  return [...new Set(matches.flatMap(({ who }) => who))].sort();
}

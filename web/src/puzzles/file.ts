/* file.ts -- puzzles as games/<id>/puzzles.json has them, the puzzle of a day, and puzzles from one's own matches. */
import { signal } from '@preact/signals';
import { GAMES, gamePage } from '../games';
import type { Seat } from '../model';

/** A position in which one turn is far better than all others (ai/puzzle.h). Chances are in ten thousandths. */
export interface Puzzle {
  kind: 'win' | 'survive' | 'find';
  preset: string;
  /** The hash of the board that it was found on. */
  content: string;
  seed: string;
  /** The match before it, sixteen digits for each action. */
  actions: string;
  seat: Seat;
  best: number;
  second: number;
  /** The weakest level that finds the solution; 0: none does. */
  level: number;
  /** Turns that solve it, and the best of those that do not, each by the words of its actions. */
  solutions: string[][];
  instead: string[];
}

/** The file of a game. */
export interface PuzzleFile {
  game: string;
  /** How much worse the second best turn is at least; 4000 if it is not said. */
  gap?: number;
  puzzles: Puzzle[];
}

/** A turn of one's own match that lost much, to be played better. */
export interface OwnPuzzle {
  game: string;
  title: string;
  /** The match file, and how many of its actions were done before the turn. */
  text: string;
  at: number;
  seat: Seat;
  best: number;
  second: number;
  solution: string[];
}

/** The one that was chosen beside a report. */
export const ownPuzzle = signal<OwnPuzzle | null>(null);

/** The puzzles of a game; none if it has none. */
export async function puzzlesOf(game: string): Promise<Puzzle[]> {
  return (await gamePage(game)?.puzzles?.())?.default.puzzles ?? [];
}

/** Games that have puzzles, in the order of the start screen. */
export function gamesWithPuzzles(): string[] {
  return GAMES.filter(({ puzzles }) => puzzles).map(({ id }) => id);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day where this device is, as a whole number. */
export function dayOf(date: Date): number {
  return Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / DAY_MS);
}

/** The game of a day's puzzle: another one each day. */
export function gameOfDay(day: number, games = gamesWithPuzzles()): string | undefined {
  return games[day % games.length];
}

/** Which of so many puzzles of that game is the day's. */
export function numberOfDay(day: number, count: number, games = gamesWithPuzzles().length): number {
  return Math.floor(day / games) % count;
}

/** What a puzzle is rated: a guess from the weakest level that solves it. */
export function ratingOf({ level }: { level: number }): number {
  return level === 0 ? 2100 : 700 + 150 * level;
}

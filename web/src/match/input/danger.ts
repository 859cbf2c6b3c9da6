/* danger.ts -- how dangerous a cell is in the enemy's next turn, in words and as a few steps of shade. */
import { otherSeat, UNIT_NONE, type Board, type Position, type Token } from '../../model';
import { say } from '../../texts/match';

/** What the engine says of a cell of which nothing is known. */
export const UNKNOWN = -1;
/** So many shades there are, the darkest for what would fell the strongest unit. */
export const SHADES = 4;

/** Do units of this game have health? Otherwise who is hit is out. */
export function hasHealth(board: Board): boolean {
  return board.meters.some((meter) => meter.role === 'health');
}

/** Enemies of the seat here that are on the board and can still do something. */
export function foesOf({ board, you }: Position): Token[] {
  const down = new Set(board.meters.filter(({ role, now }) => role === 'health' && now <= 0).map(({ unit }) => unit));
  if (you === null) return [];
  return board.tokens.filter(({ place, unit, seat }) => place === 'board' && unit !== UNIT_NONE && seat === otherSeat(you) && !down.has(unit));
}

/** A cell in words. */
export function dangerWords(x: number, y: number, most: number, health: boolean): string {
  const cell = `${x},${y}`;
  if (most === 0) return say('dangerNone', cell);
  if (most === UNKNOWN) return say('dangerUnknown', cell);
  return health ? say('dangerHealth', cell, most) : say('dangerLoss', cell);
}

/** A cell to be painted: how dark, and what stands on it. */
export interface ThreatMark {
  x: number;
  y: number;
  /** From 1 to SHADES; 0: no more than everywhere else. */
  shade: number;
  sign: string;
}

/** What a unit may lose wherever it stands; 0: some cells are safe, or it is not known of all, or it cannot be told as health. */
export function dangerEverywhere(board: Board, threat: readonly number[] | null): number {
  if (!threat || threat.length === 0 || threat.includes(UNKNOWN) || !hasHealth(board)) return 0;
  return Math.min(...threat);
}

/** The cells that may be hit; the shade is the share of the greatest health that a unit has. What threatens every cell alike says nothing
 * about any of them: only what is more than that has a shade. */
export function threatMarks(board: Board, threat: readonly number[] | null): ThreatMark[] {
  if (!threat) return [];
  const health = board.meters.filter((meter) => meter.role === 'health' && meter.unit !== undefined).map((meter) => meter.most ?? meter.now);
  const whole = Math.max(1, ...health);
  const everywhere = dangerEverywhere(board, threat);
  return threat.flatMap((most, at) => {
    if (most === 0) return [];
    if (most === everywhere) return [{ x: at % board.width, y: Math.floor(at / board.width), shade: 0, sign: String(most) }];
    const strong = most === UNKNOWN || health.length === 0 ? SHADES : Math.ceil((SHADES * most) / whole);
    const sign = most === UNKNOWN ? '?' : health.length === 0 ? '!' : String(most);
    return [{ x: at % board.width, y: Math.floor(at / board.width), shade: Math.max(1, Math.min(SHADES, strong)), sign }];
  });
}

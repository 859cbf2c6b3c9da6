/* cell-text.ts -- cells in words, for whoever hears the board instead of seeing it. */
import { badgeMeters } from '../art/badges';
import { UNIT_NONE, type Board, type Token } from '../model';
import { unitLabel } from '../names';
import { t } from '../texts/texts';

/** The tokens on a cell, those with an owner first. */
export function tokensAt(board: Board, x: number, y: number): Token[] {
  const here = board.tokens.filter((token) => token.place === 'board' && token.x === x && token.y === y);
  return here.sort((a, b) => (a.seat === null ? 1 : 0) - (b.seat === null ? 1 : 0));
}

/** A unit's health if it has any: what it has and what it had at first. */
export function healthOf(board: Board, unit: number): { now: number; most: number } | null {
  const meter = badgeMeters(board, unit).find((one) => one.role === 'health');
  return meter && meter.most ? { now: meter.now, most: meter.most } : null;
}

/** What a unit holds, and what works on it. */
function itemsOf(board: Board, unit: number): string[] {
  const held = board.meters.filter((meter) => meter.unit === unit && (meter.role === 'held' || (meter.role === 'effect' && meter.now > 0)));
  return held.map((meter) => meter.about?.[0] ?? meter.name);
}

/** A token in words: "your Hulk, 120 of 190 health, acting, Space Stone". */
export function describeToken(board: Board, token: Token, you: number | null): string {
  const unit = token.unit === UNIT_NONE ? (token.kind ?? t('board.hidden')) : unitLabel(board, token.unit);
  const whose = you === null ? (token.seat === 0 ? 'board.seat0' : 'board.seat1') : token.seat === you ? 'board.yours' : 'board.enemy';
  const parts = [token.seat === null ? unit : t(whose, { unit })];
  const health = healthOf(board, token.unit);
  if (health) parts.push(health.now > 0 ? t('board.health', health) : t('board.down'));
  if (board.active === token.unit) parts.push(t('board.active'));
  if (token.done) parts.push(t('board.done'));
  return [...parts, ...(token.unit === UNIT_NONE ? [] : itemsOf(board, token.unit))].join(', ');
}

/** A cell in words: square, who is there, ground, then what else is said of it, such as danger: "3,4: your Hulk, 120 of 190 health; rock,
 * 80 health. can move here". */
export function describeCell(board: Board, x: number, y: number, you: number | null, marks: string[]): string {
  const ground = board.grounds[board.ground[y]?.[x] ?? 0] ?? '';
  const wear = board.wear?.[y]?.[x] ?? 0;
  const things = tokensAt(board, x, y).map((token) => describeToken(board, token, you));
  const last = wear > 0 ? t('board.worn', { ground, health: wear }) : ground;
  const text = `${x},${y}: ${[...things, last].filter(Boolean).join('; ')}`;
  return marks.length ? `${text}. ${marks.join(', ')}` : text;
}

/* cell-text.ts -- cells in words, for whoever hears the board instead of seeing it. */
import { badgeMeters } from '../art/badges';
import type { Board, Token } from '../model';
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

/** A token in words: "Hulk, yours, 120 of 190 health". */
export function describeToken(board: Board, token: Token, you: number | null): string {
  const parts = [token.kind ?? t('board.hidden')];
  if (token.seat !== null) {
    parts.push(you === null ? t(token.seat === 0 ? 'board.seat0' : 'board.seat1') : t(token.seat === you ? 'board.yours' : 'board.enemy'));
  }
  const health = healthOf(board, token.unit);
  if (health) parts.push(health.now > 0 ? t('board.health', health) : t('board.down'));
  if (board.active === token.unit) parts.push(t('board.active'));
  if (token.done) parts.push(t('board.done'));
  return parts.join(', ');
}

/** A cell in words: "3, 4: rock, 80 health; Hulk, yours, 120 of 190 health. move". */
export function describeCell(board: Board, x: number, y: number, you: number | null, marks: string[]): string {
  const ground = board.grounds[board.ground[y]?.[x] ?? 0] ?? '';
  const wear = board.wear?.[y]?.[x] ?? 0;
  const things = tokensAt(board, x, y).map((token) => describeToken(board, token, you));
  const first = wear > 0 ? t('board.worn', { ground, health: wear }) : ground;
  const text = `${x}, ${y}: ${[first, ...things].join('; ')}`;
  return marks.length ? `${text}. ${marks.join(', ')}` : text;
}

/* animation-budget.ts -- how long animations may take at most. */
import type { TableAbout } from '../../table/table';

/** All pending animation ends within so many ms: the content's limit, and a quarter of a turn. */
export function budgetOf(about: Pick<TableAbout, 'animation_ms' | 'turn_ms'>): number {
  const limits = [about.animation_ms, about.turn_ms / 4].filter((ms) => ms > 0);
  return limits.length > 0 ? Math.min(...limits) : 0;
}

/* names.ts -- what units are called in words for people. The engine's short names ("nin2") are for typing. */
import { UNIT_NONE, tokenOf, type Board, type Token } from './model';
import { t } from './texts/texts';

/** Which of several of its kind on its side a unit is, from 1 on; null: the only one, or its kind is hidden. */
export function ordinalOf(board: Board, token: Token): number | null {
  const twins = token.kind_id === undefined ? [] : board.tokens
    .filter((one) => one.unit !== UNIT_NONE && one.kind_id === token.kind_id && one.seat === token.seat)
    .sort((one, two) => one.unit - two.unit);
  return twins.length > 1 ? twins.indexOf(token) + 1 : null;
}

/** A unit whose kind is hidden: it keeps the number of its short name as it moves. */
function hiddenLabel(name: string): string | null {
  const digits = name.replace(/\D/g, '');
  return digits === '' ? name || null : t('unit.hidden', { n: Number(digits) + 1 });
}

/** A unit for people: its kind, with a number if its side has several; "Hidden piece 4" where the kind is hidden. Sentences of the
 * engine call it the same. */
export function unitLabel(board: Board, unit: number): string {
  const token = tokenOf(board, unit);
  if (!token?.kind) return hiddenLabel(token?.name ?? '') ?? `#${unit}`;
  const twin = ordinalOf(board, token);
  return twin === null ? token.kind : `${token.kind} ${twin}`;
}

/* undo.ts -- what the person here can do about the last step: undo it, ask the other to let it be taken back, or why neither. */
import type { Table } from '../../table/table';
import { say, type MatchText } from '../../texts/match';

/** Reasons that the other side may overlook. */
const askable = new Set(['answered', 'turn-over', 'drew-chance', 'revealed']);
/** All reasons that have a sentence. */
const known = new Set([...askable, 'nothing-to-undo', 'match-over', 'no-undo']);

/** What can be done, and why not more. */
export interface UndoChoice {
  can: 'undo' | 'ask' | 'nothing';
  why: string;
}

/** What can be done about the last step at this table. */
export function undoChoice(table: Table): UndoChoice {
  const id = table.result.value ? 'match-over' : table.undoable.value;
  if (id === 'ok') return { can: 'undo', why: '' };
  const why = say(`undo-${known.has(id) ? id : 'no-undo'}` as MatchText);
  return { can: table.kind === 'online' && askable.has(id) && table.takebackBy.value === null ? 'ask' : 'nothing', why };
}

/* undo-button.tsx -- the button that undoes the last step, or asks for a takeback; it says why when it can do neither. */
import { say } from '../../texts/match';
import type { Table } from '../../table/table';
import { keyLabel, type Keys } from '../input/keys';
import type { MatchInput } from '../input/match-input';
import { undoChoice } from '../input/undo';

/** The button; nothing for who only looks on. With words it stands alone, and is there only while it can do something. */
export function UndoButton({ table, input, keys, worded = false }: { table: Table; input: MatchInput; keys: Keys; worded?: boolean }) {
  if (table.kind === 'replay' || table.you.value === null) return null;
  const { can, why } = undoChoice(table);
  if (worded && can === 'nothing') return null;
  const name = say(can === 'ask' ? 'takebackRequest' : 'undo');
  const words = why ? `${name}. ${why}` : name;
  return (
    <button
      type="button"
      class={`button small undo${worded ? '' : ' square'}`}
      aria-label={words}
      aria-disabled={can === 'nothing'}
      data-can={can}
      title={`${words} (${keyLabel(keys.undo)})`}
      onClick={() => void input.undo()}
    >
      {worded ? `↶ ${name}` : can === 'ask' ? '↶?' : '↶'}
    </button>
  );
}

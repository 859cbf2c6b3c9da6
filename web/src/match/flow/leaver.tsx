/* leaver.tsx -- the other player did not come back: what becomes of the match is chosen here, or later. */
import { useEffect, useState } from 'preact/hooks';
import type { LeaverChoice } from '../../arena/messages';
import type { Table } from '../../table/table';
import { say } from '../../texts/match';
import { Dialog } from '../panels/dialog';
import { seatName } from '../panels/status-bar';

const CHOICES: [LeaverChoice, 'leaverWin' | 'leaverDraw' | 'leaverAi'][] = [['win', 'leaverWin'], ['draw', 'leaverDraw'], ['ai', 'leaverAi']];

/** The box, and while one keeps waiting the way back to it. */
export function LeaverChoices({ table }: { table: Table }) {
  const leaver = table.result.value ? null : table.leaver.value;
  const [waiting, setWaiting] = useState(false);
  const [told, setTold] = useState('');
  useEffect(() => {
    setWaiting(false);
    setTold('');
  }, [leaver]);
  if (leaver === null) return null;
  const name = seatName(table, leaver);
  const choose = async (what: LeaverChoice) => {
    const outcome = await table.chooseLeaver(what);
    if (!outcome.ok) setTold(outcome.reason);
  };
  if (waiting)
    return (
      <div class="notices">
        <p class="notice" role="status" data-notice="leaver">
          {say('leaverTitle', name)}.{' '}
          <button type="button" class="button small" onClick={() => setWaiting(false)}>{say('leaverChoose')}</button>
        </p>
      </div>
    );
  return (
    <Dialog title={say('leaverTitle', name)} onClose={() => setWaiting(true)}>
      <p>{say('leaverText', name)}</p>
      <div class="menu-items">
        {CHOICES.map(([what, text]) => (
          <button type="button" class={`button${what === 'win' ? ' primary' : ''}`} onClick={() => void choose(what)}>{say(text)}</button>
        ))}
        <button type="button" class="button quiet" onClick={() => setWaiting(true)}>{say('leaverWait')}</button>
      </div>
      {told && <p class="notice bad" role="alert">{told}</p>}
    </Dialog>
  );
}

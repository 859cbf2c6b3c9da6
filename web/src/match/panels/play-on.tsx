/* play-on.tsx -- a new match from the shown moment of a replay: against a program, both sides on this device, or with a friend on the server. */
import { useState } from 'preact/hooks';
import { levelsOf } from '../../engine/engine';
import type { Document, Seat } from '../../model';
import { Choice, Trouble, useDoing, usePromise } from '../../screens/parts';
import { playOnline } from '../../session';
import type { ReplayControls, Table } from '../../table/table';
import { say } from '../../texts/match';
import { playOnText as words } from '../../texts/play-on';
import { t } from '../../texts/texts';
import { Dialog } from './dialog';

type Mode = 'ai' | 'both' | 'friend';
const MODES: Mode[] = ['ai', 'both', 'friend'];
const SEATS: Seat[] = [0, 1];

/** What a match file says, as far as a table of the server needs it. */
interface PlayedMatch {
  game: string;
  preset?: string;
  documents?: Document[];
  options: Record<string, number>;
  seed: string;
  actions: { action: string }[];
  result: unknown;
}

/** The eight bytes of each of these actions, as base64. */
function bytesOf(actions: PlayedMatch['actions']): string {
  const digits = actions.map(({ action }) => action).join('');
  const bytes = Array.from({ length: digits.length / 2 }, (_, at) => String.fromCharCode(parseInt(digits.slice(2 * at, 2 * at + 2), 16)));
  return btoa(bytes.join(''));
}

/** Opens a table of the server that goes on after so many actions. What is hidden in a match that is not over stays on this device. */
async function invite(table: Table, at: number, seat: Seat): Promise<void> {
  const text = await table.file();
  if (text === null) throw new Error(t('replay.foreign'));
  const { game, preset, documents, options, seed, actions, result } = JSON.parse(text) as PlayedMatch;
  if (table.about.value.hides && !result) throw new Error(words('hidden'));
  await playOnline({
    type: 'open', game, ...(preset ? { preset } : {}), ...(documents ? { documents } : {}), options, opponent: 'guest', secret: true, seat,
    ...(at > 0 ? { seed, begun: bytesOf(actions.slice(0, at)) } : {}),
  });
}

/** Asks against whom, and on which side. */
export function PlayOn({ table, controls, onShow, onClose }: { table: Table; controls: ReplayControls; onShow(table: Table): void; onClose(): void }) {
  const [mode, setMode] = useState<Mode>('ai');
  const [level, setLevel] = useState(3);
  const most = usePromise(() => levelsOf(table.about.value.game), [table]).value ?? level;
  const doing = useDoing();
  const over = Boolean(table.position.value?.result);
  const begin = (seat: Seat | null) => {
    controls.stop();
    doing.run(async () => {
      if (mode === 'friend' && seat !== null) return invite(table, controls.at.value, seat);
      onShow(await controls.playOn(seat, level));
    });
  };
  const names: Record<Mode, string> = { ai: t('setup.ai'), both: t('setup.hot'), friend: t('setup.invite') };
  return (
    <Dialog title={say('playOn')} onClose={onClose}>
      <Choice label={words('whom')} value={mode} onChoose={(one) => setMode(one)} all={MODES.map((one): [Mode, string] => [one, names[one]])} />
      {mode === 'ai' && (
        <label class="field">
          {say('level', level)}
          <input type="range" min={1} max={most} value={level} onInput={(event) => setLevel(Number(event.currentTarget.value))} />
        </label>
      )}
      {mode === 'friend' && <p class="small">{words(table.about.value.hides ? 'friendHides' : 'friend')}</p>}
      {over && <p class="notice">{words('over')}</p>}
      {mode === 'both' ? (
        <div class="row"><button type="button" class="button primary" disabled={doing.busy || over} onClick={() => begin(null)}>{words('both')}</button></div>
      ) : (
        <div class="row" role="group" aria-label={words('side')}>
          <span>{words('side')}</span>
          {SEATS.map((seat) => (
            <button type="button" key={seat} class={`button primary seat-${seat}`} disabled={doing.busy || over} onClick={() => begin(seat)}>
              {table.about.value.sides[seat]}
            </button>
          ))}
        </div>
      )}
      <Trouble error={doing.error} />
    </Dialog>
  );
}

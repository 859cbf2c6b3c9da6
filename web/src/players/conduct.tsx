/* conduct.tsx -- what one can do about another player at the table, without leaving it: report with one click, mute, block. */
import { useEffect, useState } from 'preact/hooks';
import { accountName } from '../account';
import type { RelationsMessage } from '../arena/messages';
import { Dialog } from '../match/panels/dialog';
import type { Player } from '../model';
import { Switch, Trouble, useDoing } from '../screens/parts';
import { settings } from '../settings';
import type { Table } from '../table/table';
import { tell, type AccountText } from '../texts/account';
import { say } from '../texts/match';
import { askRelations, report } from './ask';

/** Why somebody is reported. Operators read the first word of each pair, whatever language the player speaks. */
const REASONS = [['insults', 'reasonChat'], ['cheating', 'reasonCheat'], ['stalling or leaving', 'reasonStall'], ['offensive name', 'reasonName']] as const satisfies [string, AccountText][];
/** So much may be typed: the server takes 300 bytes with reason and name. */
const WORDS_MAX = 200;

/** As much of a text as is so many bytes of UTF-8 at most, cut between letters. */
export function atMostBytes(text: string, most: number): string {
  const letters = [...text];
  while (new TextEncoder().encode(letters.join('')).length > most) letters.pop();
  return letters.join('');
}

/** Reasons to click at, each of which is sent at once, and a line for any other. */
function ReportForm({ code, name }: { code: string; name: string }) {
  const [words, setWords] = useState('');
  const [done, setDone] = useState(false);
  const doing = useDoing();
  const send = (reason: string) => doing.run(async () => {
    await report(code, atMostBytes([`${reason}: ${name}`, words.trim()].filter((part) => part !== '').join('. '), 300));
    setDone(true);
  });
  const title = tell('conductReport', name);
  return (
    <section class="stack tight" aria-label={title}>
      <h3>{title}</h3>
      <p role="status" class={done ? 'notice good' : 'visually-hidden'}>{done ? tell('reported') : ''}</p>
      {!done && (
        <form class="stack tight" onSubmit={(event) => { event.preventDefault(); send('other'); }}>
          <p class="soft small">{tell('conductAbout')}</p>
          <div class="row">
            {REASONS.map(([reason, text]) => <button type="button" class="button small" disabled={doing.busy} onClick={() => send(reason)}>{tell(text)}</button>)}
          </div>
          <label class="field">
            <span>{tell('reasonOther')}</span>
            <input required maxLength={WORDS_MAX} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
          </label>
          <div class="row"><button class="button small" type="submit" disabled={doing.busy}>{tell('reportSend')}</button></div>
        </form>
      )}
      <Trouble error={doing.error} />
    </section>
  );
}

/** Blocks somebody, or no longer. */
function Block({ name }: { name: string }) {
  const [now, setNow] = useState<RelationsMessage | null>(null);
  const doing = useDoing();
  const ask = (what?: 'block' | 'unblock') => doing.run(async () => setNow(await askRelations(what, name)));
  useEffect(() => ask(), [name]);
  const blocks = now?.blocks.some((one) => one.name === name) ?? false;
  return (
    <section class="stack tight" aria-label={tell('conductBlock', name)}>
      <h3>{tell('conductBlock', name)}</h3>
      <p class="soft small" role="status">{tell(blocks ? 'blocked' : 'blockAbout')}</p>
      <Trouble error={doing.error} />
      <div class="row"><button type="button" class="button small" disabled={doing.busy || !now} onClick={() => ask(blocks ? 'unblock' : 'block')}>{tell(blocks ? 'unblock' : 'block')}</button></div>
    </section>
  );
}

/** The box for all others who play at the table. */
export function ConductDialog({ table, onClose }: { table: Table; onClose(): void }) {
  const others = table.players.value.filter(({ seat, role }) => role === 'person' && seat !== table.you.value) as (Player & { name: string })[];
  return (
    <Dialog title={say('conduct')} onClose={onClose}>
      {others.map(({ name }) => <ReportForm key={name} code={table.about.value.code} name={name} />)}
      <section class="stack tight" aria-label={say('chat')}>
        <h3>{say('chat')}</h3>
        <Switch label={say('mute')} value={settings.mute.value} onChange={(on) => { settings.mute.value = on; }} />
      </section>
      {accountName() !== '' && others.filter(({ account }) => account).map(({ name }) => <Block key={name} name={name} />)}
    </Dialog>
  );
}

/* play.tsx -- a document of one's own at a table at once: against a program, on this device, or as an online table. */
import { useState } from 'preact/hooks';
import { allGames } from '../engine/engine';
import { Dialog } from '../match/panels/dialog';
import type { Document } from '../model';
import { Choice, Trouble, useDoing, usePromise } from '../screens/parts';
import { playLocal, playOnline } from '../session';
import { ownName } from '../settings';
import { spoken } from '../texts/language';
import { tell } from '../texts/edit';
import { t } from '../texts/texts';
import { presetWords } from '../texts/wording';
import { withNames } from './check';
import { ownFiles } from './files';
import { Balance } from './balance';
import { KINDS, type Kind } from './kinds';

const LEVEL = 3;

/** The server takes names of 63 bytes at most. */
function nameFor(kind: Kind): string {
  return `own${kind.ending}`;
}

/** Asks with what and against whom, and begins. */
export function PlayDialog({ kind, text, onClose }: { kind: Kind; text: string; onClose(): void }) {
  const games = usePromise(allGames, []).value;
  const game = games?.find(({ id }) => id === kind.game);
  const [preset, setPreset] = useState<string | null>(null);
  const [companions, setCompany] = useState<Record<string, string>>({});
  const doing = useDoing();
  if (!game) return null;
  const base = preset ?? game.presets[0]!.id;
  const others = KINDS.filter((other) => other.game === kind.game && other !== kind);
  const documents: Document[] = [{ name: nameFor(kind), text }];
  for (const other of others) {
    const file = ownFiles.value.find(({ id }) => id === companions[other.id]);
    if (file) documents.push({ name: nameFor(other), text: file.text });
  }
  const me = { name: ownName() || t('name.person', { n: 1 }) };
  const named = () => withNames(game.id, base, documents);
  const local = (second: { name: string; level?: number }) => doing.run(async () =>
    playLocal({ game: game.id, title: game.title, preset: base, documents: await named(), options: {}, sitters: [me, second as { name: string }] }));
  const online = () => doing.run(async () =>
    playOnline({ type: 'open', game: game.id, preset: base, documents: await named(), opponent: 'guest', secret: true }));
  return (
    <Dialog title={tell('edit.play')} onClose={onClose} foot={
      <>
        <button type="button" class="button primary" disabled={doing.busy} onClick={() => local({ name: t('name.program', { n: LEVEL }), level: LEVEL })}>{t('setup.ai')}</button>
        <button type="button" class="button" disabled={doing.busy} onClick={() => local({ name: t('name.person', { n: 2 }) })}>{t('setup.hot')}</button>
        <button type="button" class="button" disabled={doing.busy} onClick={online}>{t('setup.invite')}</button>
      </>
    }>
      <Choice label={tell('edit.play.rest')} value={base} onChoose={(id) => setPreset(id)} all={game.presets.map((one): [string, string] => [one.id, presetWords(game.id, one)])} />
      {others.map((other) => {
        const files = ownFiles.value.filter((file) => file.kind === other.id);
        if (files.length === 0) return null;
        return (
          <Choice key={other.id} label={spoken(other.title)} value={companions[other.id] ?? ''} onChoose={(id) => setCompany({ ...companions, [other.id]: id })}
            all={[['', t('setup.usual')], ...files.map(({ id, name }): [string, string] => [id, name])]} />
        );
      })}
      <Trouble error={doing.error} />
      <Balance game={game.id} preset={base} documents={named} />
    </Dialog>
  );
}

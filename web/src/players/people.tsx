/* people.tsx -- whom one follows and blocks, and one's own programs, with who is connected. */
import { useEffect, useState } from 'preact/hooks';
import type { Relation, RelationsMessage } from '../arena/messages';
import { Trouble, useDoing } from '../screens/parts';
import { PlayerName } from '../screens/player-name';
import { tell } from '../texts/account';
import { askRelations } from './ask';

/** Some of them; `undo` ends what they are. */
function People({ title, list, undo, change, busy }: {
  title: string; list: RelationsMessage['follows']; undo?: 'unfollow' | 'unblock'; change(what: Relation, name: string): void; busy: boolean;
}) {
  if (list.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="stack plain">
        {list.map(({ name, here }) => (
          <li class="row apart" key={name}>
            <span><PlayerName name={name} account /> {here && <span class="soft small">{tell('online')}</span>}</span>
            {undo && <button class="button quiet small" disabled={busy} aria-label={`${tell(undo)}: ${name}`} onClick={() => change(undo, name)}>{tell(undo)}</button>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** All of them; `again` changes when there may be a new one. */
export function Known({ again = '' }: { again?: string }) {
  const [now, setNow] = useState<RelationsMessage | null>(null);
  const doing = useDoing();
  const change = (what?: Relation, name?: string) => doing.run(async () => setNow(await askRelations(what, name)));
  useEffect(() => change(), [again]);
  const nobody = now !== null && now.follows.length + now.blocks.length + now.bots.length === 0;
  return (
    <section class="panel stack" aria-label={tell('known')}>
      <h2>{tell('known')}</h2>
      <Trouble error={doing.error} />
      {nobody && <p class="soft">{tell('knownNobody')}</p>}
      {now && (
        <>
          <People title={tell('following')} list={now.follows} undo="unfollow" change={change} busy={doing.busy} />
          <People title={tell('ownBots')} list={now.bots} change={change} busy={doing.busy} />
          <People title={tell('blocking')} list={now.blocks} undo="unblock" change={change} busy={doing.busy} />
        </>
      )}
    </section>
  );
}

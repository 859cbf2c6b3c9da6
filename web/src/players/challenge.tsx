/* challenge.tsx -- what one can do with another player: challenge, follow, block; and the challenges that wait. */
import { useEffect, useState } from 'preact/hooks';
import { accountName } from '../account';
import type { Challenge, Relation, RelationsMessage } from '../arena/messages';
import type { Game } from '../model';
import { PlayerName } from '../screens/player-name';
import { Choice, Switch, Trouble, useDoing } from '../screens/parts';
import { DAYS, paceChoice, PACES, paceWords } from '../screens/times';
import { playOnline } from '../session';
import { tell } from '../texts/account';
import { askChallenges, askRelations, decline } from './ask';

/** A game, a pace, and whether it counts. */
function ChallengeForm({ name, games }: { name: string; games: Game[] }) {
  const [game, setGame] = useState(games[0]!.id);
  const [pace, setPace] = useState('rapid');
  const [rated, setRated] = useState(true);
  const doing = useDoing();
  const paces = [...PACES.map((one): [string, string] => [one.id, paceChoice(one)]), ...DAYS.map((n): [string, string] => [`days-${n}`, paceWords({ turn_ms: 0, match_ms: 0, days: n })])];
  const begin = () => {
    const { id: _, ...times } = PACES.find(({ id }) => id === pace) ?? PACES[1]!;
    const days = DAYS.find((n) => pace === `days-${n}`);
    return playOnline({ type: 'open', game, opponent: 'guest', challenge: name, ...(rated ? { rated } : {}), ...(days === undefined ? times : { days }) });
  };
  return (
    <form class="stack" onSubmit={(event) => { event.preventDefault(); doing.run(begin); }}>
      <div class="fields">
        <Choice label={tell('game')} value={game} all={games.map((one): [string, string] => [one.id, one.title])} onChoose={(id) => setGame(id)} />
        <Choice label={tell('pace')} value={pace} all={paces} onChoose={(id) => setPace(id)} />
      </div>
      <Switch label={tell('challengeRated')} value={rated} onChange={setRated} />
      <Trouble error={doing.error} />
      <div class="row"><button class="button primary" type="submit" disabled={doing.busy}>{tell('challengeSend')}</button></div>
    </form>
  );
}

/** What one can do with another player. */
export function PlayerActions({ name, games }: { name: string; games: Game[] }) {
  const [now, setNow] = useState<RelationsMessage | null>(null);
  const doing = useDoing();
  const ask = (what?: Relation) => doing.run(async () => setNow(await askRelations(what, name)));
  useEffect(() => ask(), [name]);
  const follows = now?.follows.some((one) => one.name === name) ?? false;
  const blocks = now?.blocks.some((one) => one.name === name) ?? false;
  return (
    <section class="panel stack" aria-label={tell('actions', name)}>
      {blocks && <p class="notice warn">{tell('blocked')}</p>}
      {!blocks && games.length > 0 && <details><summary>{tell('challenge', name)}</summary><ChallengeForm name={name} games={games} /></details>}
      <Trouble error={doing.error} />
      {now && (
        <div class="row">
          {!blocks && <button class="button small" disabled={doing.busy} onClick={() => ask(follows ? 'unfollow' : 'follow')}>{tell(follows ? 'unfollow' : 'follow')}</button>}
          <button class="button quiet small" disabled={doing.busy} onClick={() => ask(blocks ? 'unblock' : 'block')}>{tell(blocks ? 'unblock' : 'block')}</button>
        </div>
      )}
    </section>
  );
}

/** The challenges that wait for one, and one's own. */
export function Challenges({ games }: { games: Game[] }) {
  const [all, setAll] = useState<Challenge[]>([]);
  const doing = useDoing();
  const look = () => doing.run(async () => setAll(await askChallenges()));
  useEffect(look, [accountName()]);
  if (all.length === 0) return null;
  return (
    <section class="stack tight" aria-label={tell('challenges')}>
      <h2>{tell('challenges')}</h2>
      <Trouble error={doing.error} />
      <ul class="stack plain unfinished">
        {all.map(({ code, game, name, yours, days, rated }) => (
          <li key={code} class={`notice row apart${yours ? ' good' : ''}`}>
            <span>
              {tell(yours ? 'challengedBy' : 'challenged')} <PlayerName name={name} account />{': '}
              {[games.find(({ id }) => id === game)?.title ?? game, days && paceWords({ turn_ms: 0, match_ms: 0, days }), rated && tell('rated')].filter(Boolean).join(' · ')}
            </span>
            <span class="row">
              {yours && <button class="button primary small" disabled={doing.busy} onClick={() => doing.run(() => playOnline({ type: 'join', code }))}>{tell('accept')}</button>}
              <button class="button quiet small" disabled={doing.busy} onClick={() => doing.run(async () => { await decline(code); setAll(await askChallenges()); })}>{tell(yours ? 'decline' : 'withdraw')}</button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

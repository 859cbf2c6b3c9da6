/* lists.tsx -- running matches to watch, finished ones to look at again. */
import { useState } from 'preact/hooks';
import { listArchive } from '../arena/lists';
import type { ArchiveRow } from '../arena/messages';
import { allGames } from '../engine/engine';
import type { Game } from '../model';
import { href } from '../router';
import { playArchived, playReplay } from '../session';
import { language } from '../texts/language';
import { shownName, t } from '../texts/texts';
import { Running, useMatches, Waiting } from './lobby';
import { GamePicture } from './pictures';
import { PlayerName } from './player-name';
import { Choice, CodeForm, Opening, Screen, Trouble, useDoing, usePromise } from './parts';

/** A game by its id, once the engine has told them. */
function useGames(): (id: string) => Game | undefined {
  const games = usePromise(allGames, []).value;
  return (id) => games?.find((game) => game.id === id);
}

/** Who waits and what is being played. */
export function WatchScreen() {
  const games = usePromise(allGames, []).value ?? [];
  const matches = useMatches();
  const doing = useDoing();
  const rows = matches.value;
  return (
    <Screen title={t('watch.title')}>
      <Trouble error={(rows ? null : matches.error) ?? doing.error} />
      {rows && !rows.some(({ state }) => state === 'running') && <p>{t('watch.none')}</p>}
      <Running rows={rows ?? []} games={games} run={doing.run} />
      <Waiting rows={rows ?? []} games={games} run={doing.run} />
      <CodeForm label={t('join.code')}>
        <button class="button quiet" type="button" onClick={matches.again}>{t('watch.refresh')}</button>
      </CodeForm>
    </Screen>
  );
}

/** Who won a finished match, in words. */
function resultOf(row: ArchiveRow): string {
  const winner = row.players.find(({ seat }) => seat === row.winner);
  return winner ? t('replays.won', { name: shownName(winner.name) }) : t('replays.drawn');
}

/** A finished match, to look at again. */
function ReplayRow({ row, title, run }: { row: ArchiveRow; title: string; run(what: () => Promise<void>): void }) {
  const when = new Date(row.ended_ms).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li class="panel row match-row">
      <GamePicture game={row.game} />
      <span class="stack tight grow">
        <strong>{row.players.map(({ name, account = false }, at) => <>{at > 0 && ' – '}<PlayerName name={name} account={account} /></>)}</strong>
        <small class="soft">{title} · {when} · {resultOf(row)} · {t('replays.actions', { n: row.actions })}</small>
      </span>
      <button class="button small" aria-label={`${t('replays.open')}: ${row.players.map(({ name }) => shownName(name)).join(' – ')}, ${title}`}
        onClick={() => run(() => playArchived(row.code))}>{t('replays.open')}</button>
    </li>
  );
}

/** A place to drop a match file. */
function DropFile({ run }: { run(what: () => Promise<void>): void }) {
  const [over, setOver] = useState(false);
  const read = (file: File | undefined) => file && run(async () => playReplay(file.name, await file.text()));
  return (
    <label class={`panel drop${over ? ' over' : ''}`}
      onDragOver={(event) => { event.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
      onDrop={(event) => { event.preventDefault(); setOver(false); read(event.dataTransfer?.files[0]); }}>
      <span>{t('replays.drop')}</span>
      <input class="visually-hidden" type="file" accept=".json,application/json" aria-label={t('replays.choose')}
        onChange={(event) => read(event.currentTarget.files?.[0])} />
      <span class="button" aria-hidden="true">{t('replays.choose')}</span>
    </label>
  );
}

/** Finished matches. */
export function ReplaysScreen() {
  const games = usePromise(allGames, []).value ?? [];
  const gameOf = useGames();
  const [game, setGame] = useState('');
  const [older, setOlder] = useState<ArchiveRow[]>([]);
  const rows = usePromise(() => listArchive(game ? { game } : {}), [game]);
  const doing = useDoing();
  const all = [...(rows.value ?? []), ...older];
  const more = () => doing.run(async () => {
    const after = all.at(-1);
    setOlder([...older, ...(await listArchive({ ...(game ? { game } : {}), ...(after ? { after } : {}) }))]);
  });
  return (
    <Screen title={t('replays.title')}>
      <DropFile run={doing.run} />
      <Trouble error={doing.error ?? rows.error} />
      <Choice label={t('replays.game')} value={game} onChoose={(id) => { setGame(id); setOlder([]); }}
        all={[['', t('replays.all')], ...games.map((one): [string, string] => [one.id, one.title])]} />
      <p><a href={href('stats', ...(game ? [game] : []))}>{t('replays.stats')}</a></p>
      {rows.value?.length === 0 && <p>{t('replays.none')}</p>}
      <ul class="stack plain">
        {all.map((row) => <ReplayRow key={row.code} row={row} title={gameOf(row.game)?.title ?? row.game} run={doing.run} />)}
      </ul>
      {(rows.value?.length ?? 0) >= 100 && <button class="button" onClick={more}>{t('replays.more')}</button>}
    </Screen>
  );
}

/** A finished match by its code: the address that is shared. */
export function ReplayByCode({ code, notes }: { code: string; notes: string }) {
  const opened = usePromise(() => playArchived(code, notes), [code, notes]);
  return <Opening error={opened.error} />;
}

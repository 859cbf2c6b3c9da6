/* tables.tsx -- coming to a table by its address, and what is shown around the match screen: waiting room, connection. */
import { useEffect } from 'preact/hooks';
import { presetOf, spectatorsSeeHidden, tableRow } from '../arena/lists';
import type { MatchRow } from '../arena/messages';
import { heldSeats, tellWindows, whenFree } from '../arena/seats';
import { allGames } from '../engine/engine';
import { lazy } from '../lazy';
import type { Game } from '../model';
import { go, href, replace } from '../router';
import { backToWaiting, current, savedLocalMatch, playByCode, playOnline, resumeLocal, openTable, closeTable } from '../session';
import type { Table } from '../table/table';
import { language } from '../texts/language';
import { t, type TextKey } from '../texts/texts';
import { needsAccount, tableWords } from './lobby';
import { FirstTime, NameField, Opening, Screen, Trouble, useDoing, usePromise } from './parts';
import { GamePicture } from './pictures';
import { WaitingRoom } from './waiting';

/** The match screen, which is asked for as soon as the first screen is shown, so that nobody waits for it; and with it what plays a match
 * on this device. */
const MatchScreen = lazy(async () => (await import('../match/flow/match')).MatchScreen);
addEventListener('load', () => {
  MatchScreen.fetch();
  void import('../table/local').catch(() => {});
}, { once: true });

/** What is the matter with the connection, as a sentence with what can be done. */
function ConnectionBar({ table }: { table: Table }) {
  const connection = table.connection.value;
  const { code } = table.about.value;
  const again = () => {
    closeTable();
    go('table', code);
  };
  const taken = connection.state === 'gone' && connection.taken;
  /* When the window that has the seat is closed, this one plays on. */
  useEffect(() => (taken ? whenFree(code, again) : undefined), [taken, code]);
  if (connection.state === 'here') return null;
  if (connection.state === 'lost')
    return <div class="connection notice warn" role="status">{t('arena.trying', { attempt: connection.attempt })}</div>;
  return (
    <div class="connection notice bad" role="alert">
      <p>{connection.reason}</p>
      <div class="row">
        <button class="button primary small" onClick={() => (connection.reload ? location.reload() : again())}>{t(connection.reload ? 'arena.reload' : 'arena.takeBack')}</button>
        <button class="button quiet small" onClick={() => { closeTable(); go(); }}>{t('app.home')}</button>
      </div>
    </div>
  );
}

/** Tells other windows of this browser while this one plays there, and when it does no more: closed, or gone elsewhere. Who lost the seat to
 * another window has nothing to tell. */
function useOneWindow(table: Table): void {
  const { code } = table.about.value;
  const plays = table.kind === 'online' && table.you.value !== null && table.state.value === 'running';
  useEffect(() => {
    if (!plays) return undefined;
    const free = () => { if (table.connection.value.state !== 'gone') tellWindows(code, true); };
    tellWindows(code, false);
    addEventListener('pagehide', free);
    return () => { removeEventListener('pagehide', free); free(); };
  }, [table, plays]);
}

/** A table: its waiting room, or its match. */
export function TableHost({ table }: { table: Table }) {
  const successor = table.successor.value;
  useOneWindow(table);
  useEffect(() => {
    if (successor) openTable(successor);
  }, [successor]);
  useEffect(() => {
    const here = () => table.here();
    const kinds = ['pointerdown', 'keydown'];
    kinds.forEach((kind) => addEventListener(kind, here));
    return () => kinds.forEach((kind) => removeEventListener(kind, here));
  }, [table]);
  return (
    <>
      {table.state.value === 'waiting'
        ? <WaitingRoom table={table} />
        : <MatchScreen key={table.about.value.code || undefined} table={table} />}
      <ConnectionBar table={table} />
    </>
  );
}

/** A table of the server by its code: one's own seat, else as a watcher. */
export function TableScreen({ code }: { code: string }) {
  const doing = useDoing();
  const table = current.value;
  const there = table?.about.value.code === code;
  useEffect(() => {
    if (there || backToWaiting(code)) return;
    if (heldSeats().some((seat) => seat.code === code)) tellWindows(code, false);
    doing.run(() => playByCode(code));
  }, [code, there]);
  if (table && there) return <TableHost table={table} />;
  return <Opening error={doing.error} />;
}

/** The match on this device; after a reload it is taken up where it was. */
export function LocalScreen() {
  const doing = useDoing();
  const table = current.value;
  const there = table !== null && table.about.value.code === '';
  useEffect(() => {
    if (there) return;
    if (savedLocalMatch(true)) doing.run(() => resumeLocal(true));
    else replace();
  }, [there]);
  if (table && there) return <TableHost table={table} />;
  return <Opening error={doing.error} />;
}

/** Who invites to what: game, board, rules and times. */
function Invitation({ row, game }: { row: MatchRow; game: Game }) {
  const host = row.state === 'waiting' && row.players.find(({ name }) => name !== undefined)?.name;
  const free = row.players.find(({ name }) => name === undefined)?.seat;
  const side = host && free !== undefined ? presetOf(row, game).sides[free] : undefined;
  return (
    <>
      <div class="row setup-head">
        <GamePicture game={game.id} />
        <div class="stack tight grow">
          <p class="lead">{host ? t('join.by', { name: host, game: game.title }) : game.title}</p>
          <p class="soft">{tableWords(row, game)}</p>
        </div>
      </div>
      {side !== undefined && <p>{t('join.side', { side })}</p>}
      {spectatorsSeeHidden(row, game) && <p class="notice warn">{t('match.glass')}</p>}
      {needsAccount(row) && <p class="notice warn">{t(row.rated ? 'rated.notice' : 'days.needs')} <a href={href('settings', 'account')}>{t('account.open')}</a></p>}
      {row.from_turn !== undefined && <p class="notice">{t('match.fromTurn', { n: row.from_turn })}</p>}
      {row.phrases && row.state !== 'over' && <p class="notice">{t('match.phrases')}</p>}
      {row.tips === false && row.state !== 'over' && <p class="notice">{t('match.noTips')}</p>}
    </>
  );
}

/** A table that cannot be joined: why, and what can be done instead. */
function NoSeat({ code, what, names }: { code: string; what: 'full' | 'over' | 'unknown'; names: string }) {
  return (
    <>
      <p class="notice warn" role="status">{t(`join.${what}` as TextKey, { names })}</p>
      {what !== 'full' && (
        <div class="row">
          {what === 'over' && <a class="button primary" href={href('replay', code)}>{t('join.replay')}</a>}
          <a class="button" href="#/">{t('app.home')}</a>
        </div>
      )}
    </>
  );
}

/** A table at which this browser has a seat: the way to it. */
function OwnSeat({ code, game }: { code: string; game: Game }) {
  return (
    <>
      <p class="notice" role="status">{t('start.return', { game: game.title })}</p>
      <div class="row"><a class="button primary big" href={href('table', code)}>{t('start.return.do')}</a></div>
    </>
  );
}

/** An invitation. */
export function JoinScreen({ code }: { code: string }) {
  const doing = useDoing();
  const { value: row, error } = usePromise(() => tableRow(code), [code]);
  const game = usePromise(allGames, [language.value]).value?.find(({ id }) => id === row?.game);
  const names = row?.players.map(({ name }) => name).filter(Boolean).join(' – ') ?? '';
  const enter = (type: 'join' | 'watch') => doing.run(() => playOnline({ type, code }));
  const table = t('join.table', { code });
  if (error !== undefined) return <Screen title={table}><NoSeat code={code} what="unknown" names="" /></Screen>;
  if (row === undefined || (row && !game)) return <Screen title={t('join.title')}><p role="status">{t('app.loading')}</p></Screen>;
  if (row === null) return <Screen title={table}><NoSeat code={code} what="over" names="" /></Screen>;
  if (heldSeats().some((seat) => seat.code === code))
    return <Screen title={table}><Invitation row={row} game={game!} /><OwnSeat code={code} game={game!} /></Screen>;
  const free = row.state === 'waiting';
  return (
    <Screen title={free ? t('join.title') : table}>
      <Invitation row={row} game={game!} />
      {free && <FirstTime game={row.game} title={game!.title} />}
      {!free && <NoSeat code={code} what="full" names={names} />}
      <form class="stack" onSubmit={(event) => { event.preventDefault(); enter('join'); }}>
        {free && <NameField />}
        <Trouble error={doing.error} />
        <div class="row">
          {free && <button class="button primary big" type="submit" disabled={doing.busy}>{t('join.do')}</button>}
          <button class={`button ${free ? 'quiet' : 'primary'}`} type="button" disabled={doing.busy} onClick={() => enter('watch')}>
            {t('join.watch')}
          </button>
          <a class="button quiet" href={href('rules', row.game)}>{t('start.rules')}</a>
        </div>
      </form>
    </Screen>
  );
}

/* lobby.tsx -- who waits for an opponent and what is being played, as the server tells it, asked for again while somebody looks. */
import { useEffect, useState } from 'preact/hooks';
import { accountName } from '../account';
import { listMatches, matchBoard, spectatorsSeeHidden } from '../arena/lists';
import type { MatchRow } from '../arena/messages';
import { Thumbnail } from '../board/thumbnail';
import type { Board, Game } from '../model';
import { href } from '../router';
import { playOnline } from '../session';
import { t } from '../texts/texts';
import { optionWords, presetWords } from '../texts/wording';
import { GamePicture } from './pictures';
import { PlayerName } from './player-name';
import { paceWords, type Times } from './times';

/** The lists are asked for again so often while the page is seen. */
const REFRESH_MS = 3000;
/** So many of the first running matches have a board that is kept up to date. */
const BOARDS_MAX = 12;

/** Asks again and again while the page is seen; what was answered last stays until the next answer. */
export function useRefreshed<T>(ask: () => Promise<T>, on: unknown[]): { value?: T; error?: unknown; again(): void } {
  const [state, set] = useState<{ value?: T; error?: unknown }>({});
  const [turn, again] = useState(0);
  useEffect(() => {
    let live = true;
    const look = () => document.visibilityState === 'visible'
      && void ask().then((value) => live && set({ value }), (error: unknown) => live && set((before) => ({ ...before, error })));
    look();
    const timer = setInterval(look, REFRESH_MS);
    return () => { live = false; clearInterval(timer); };
  }, [...on, turn]);
  return { ...state, again: () => again((n) => n + 1) };
}

/** The tables of the server that can be joined or watched. */
export function useMatches() {
  return useRefreshed(listMatches, []);
}

/** Times, board and rules that differ of a table, in one line. */
export function tableWords(row: Pick<MatchRow, 'preset' | 'options' | 'tips' | 'rated' | 'days'> & Times, game: Game | undefined): string {
  const preset = game?.presets.find(({ id }) => id === row.preset);
  const rules = Object.entries(row.options ?? {}).flatMap(([id, value]) => {
    const option = game?.options.find((one) => one.id === id);
    if (!game || !option) return [];
    const { label, values } = optionWords(game.id, option);
    return [`${label}: ${values[value - option.least] ?? value}`];
  });
  const board = !game ? [] : [preset ? presetWords(game.id, preset) : t('lobby.custom')];
  const tips = row.rated ? [t('rated.is')] : row.tips === false ? [t('lobby.noTips')] : [];
  return [paceWords(row), ...board, ...rules, ...tips].join(' · ');
}

/** Is the table only for people with accounts, and the person here a guest? */
export function needsAccount({ rated, days, state }: Pick<MatchRow, 'rated' | 'days' | 'state'>): boolean {
  return (rated === true || days !== undefined) && state === 'waiting' && accountName() === '';
}

/** Takes the free seat of a table. */
function join(row: MatchRow): Promise<void> {
  return playOnline({ type: 'join', code: row.code });
}

/** Somebody who waits: who, for what, and one click to play. */
function WaitingRow({ row, game, run }: { row: MatchRow; game: Game | undefined; run(what: () => Promise<void>): void }) {
  const host = row.players.find(({ name }) => name !== undefined);
  const name = host?.name ?? '';
  return (
    <li class="panel row match-row">
      <GamePicture game={row.game} />
      <span class="stack tight grow">
        <strong><PlayerName {...host} name={name} />: {game?.title ?? row.game}</strong>
        <small class="soft">{tableWords(row, game)}</small>
        {spectatorsSeeHidden(row, game) && <small>{t('match.glass')}</small>}
      </span>
      {needsAccount(row)
        ? <a class="button small" href={href('settings', 'account')}>{t('lobby.needsAccount')}</a>
        : <button class="button primary small" aria-label={t('lobby.join.with', { name })} onClick={() => run(() => join(row))}>{t('watch.join')}</button>}
    </li>
  );
}

/** Everybody who waits. As a strip it has one height however many they are, so that nothing below it moves under the pointer. */
export function Waiting({ rows, games, run, strip = false }: { rows: MatchRow[]; games: Game[]; run(what: () => Promise<void>): void; strip?: boolean }) {
  const waiting = rows.filter((row) => row.state === 'waiting');
  return (
    <section class={`stack tight lobby${strip ? ' one-line' : ''}`} aria-labelledby="lobby-waiting">
      <h2 id="lobby-waiting">{t('lobby.waiting')}</h2>
      {waiting.length === 0 && <p class="soft">{t('lobby.nobody')}</p>}
      <ul class="stack plain waiting">
        {waiting.map((row) => <WaitingRow key={row.code} row={row} game={games.find(({ id }) => id === row.game)} run={run} />)}
      </ul>
    </section>
  );
}

/** The round of a match, as its board tells it. */
function roundOf(board: Board | null): string | null {
  const round = board?.meters.find((meter) => meter.role === 'round');
  return round ? t('lobby.round', { n: round.now }) : null;
}

/** A match that is being played, with a small board that follows it. */
function RunningRow({ row, game, live, run }: { row: MatchRow; game: Game | undefined; live: boolean; run(what: () => Promise<void>): void }) {
  const { value: board } = useRefreshed(() => (live ? matchBoard(row.code) : Promise.resolve(null)), [row.code, live]);
  const names = row.players.map((player) => player.name ?? t('watch.free')).join(' – ');
  const title = game?.title ?? row.game;
  const facts = [title, roundOf(board ?? null), t('watch.watchers', { n: row.watchers }), tableWords(row, game)].filter(Boolean);
  return (
    <li class="panel row match-row">
      {board ? <Thumbnail game={row.game} board={board} label={t('lobby.board', { names, game: title })} /> : <GamePicture game={row.game} />}
      <span class="stack tight grow">
        <strong>{row.players.map((player, at) => <>{at > 0 && ' – '}<PlayerName {...player} name={player.name ?? t('watch.free')} /></>)}</strong>
        <small class="soft">{facts.join(' · ')}</small>
        {spectatorsSeeHidden(row, game) && <small>{t('match.glass')}</small>}
      </span>
      <button class="button small" aria-label={t('lobby.watch.of', { names })}
        onClick={() => run(() => playOnline({ type: 'watch', code: row.code }))}>{t('watch.do')}</button>
    </li>
  );
}

/** Everything that is being played. */
export function Running({ rows, games, run }: { rows: MatchRow[]; games: Game[]; run(what: () => Promise<void>): void }) {
  const running = rows.filter((row) => row.state === 'running');
  return (
    <ul class="stack plain running">
      {running.map((row, at) =>
        <RunningRow key={row.code} row={row} game={games.find(({ id }) => id === row.game)} live={at < BOARDS_MAX} run={run} />)}
    </ul>
  );
}

/* mine.tsx -- one's own matches on this device: those that wait, and those that are over, with their last board. */
import { useState } from 'preact/hooks';
import { Thumbnail } from '../board/thumbnail';
import { allGames } from '../engine/engine';
import { dropMyMatch, myMatches, type MyMatch } from '../mine';
import { playReplay } from '../session';
import { language } from '../texts/language';
import { reportWanted } from '../report/tab';
import { say } from '../texts/match';
import { shownName, t } from '../texts/texts';
import { Challenged, DaysList } from './days-list';
import { Screen, Trouble, useDoing, usePromise } from './parts';
import { Unfinished } from './start';

/** How it ended, for who played it. */
function resultOf({ you, winner, players }: MyMatch): string {
  if (winner === null) return t('replays.drawn');
  if (you === null) return t('replays.won', { name: shownName(players[winner]) });
  return t(winner === you ? 'mine.won' : 'mine.lost');
}

/** Gives the match file to the person. */
function download({ game, ended_ms, file }: MyMatch): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([file], { type: 'application/json' }));
  link.download = `${game}-${new Date(ended_ms).toISOString().slice(0, 16).replace(/\D/g, '')}.match.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A match that is over: board, result, replay, file. */
function Row({ match, title, run, onDrop }: { match: MyMatch; title: string; run(what: () => Promise<void>): void; onDrop(): void }) {
  const when = new Date(match.ended_ms).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' });
  const names = match.players.map(shownName).join(' – ');
  /* The same words stand in every row: who hears them alone must hear of which match they are. */
  const of = (text: string) => `${text}: ${names}, ${title}, ${when}`;
  return (
    <li class="panel row match-row">
      <Thumbnail game={match.game} board={match.board} label={t('mine.board', { names })} />
      <span class="stack tight grow">
        <strong>{resultOf(match)}</strong>
        <span>{title}: {names}</span>
        <small class="soft">{when} · {t(match.kind === 'online' ? 'mine.online' : 'mine.local')} · {t('replays.actions', { n: match.actions })}</small>
      </span>
      <span class="row">
        <button class="button small" aria-label={t('mine.replay.of', { names, game: title })}
          onClick={() => run(() => playReplay(`${match.game}.match.json`, match.file))}>{t('mine.replay')}</button>
        <button class="button small" aria-label={of(say('report'))} onClick={() => { reportWanted.value = true; run(() => playReplay(`${match.game}.match.json`, match.file)); }}>{say('report')}</button>
        <button class="button quiet small" aria-label={of(t('mine.export'))} onClick={() => download(match)}>{t('mine.export')}</button>
        <button class="button quiet small" aria-label={of(t('mine.drop'))} onClick={onDrop}>{t('mine.drop')}</button>
      </span>
    </li>
  );
}

/** All of them. */
export function MineScreen() {
  const [turn, again] = useState(0);
  const games = usePromise(allGames, [language.value]).value ?? [];
  const matches = usePromise(myMatches, [turn]);
  const doing = useDoing();
  return (
    <Screen title={t('nav.mine')}>
      <Challenged games={games} />
      <DaysList games={games} />
      <Unfinished games={games} onSettled={() => again((n) => n + 1)} />
      <Trouble error={matches.error ?? doing.error} />
      {matches.value?.length === 0 && <p>{t('mine.none')}</p>}
      <ul class="stack plain">
        {matches.value?.map((match) => (
          <Row key={match.ended_ms} match={match} title={games.find(({ id }) => id === match.game)?.title ?? match.game} run={doing.run}
            onDrop={() => doing.run(async () => { await dropMyMatch(match.ended_ms); again((n) => n + 1); })} />
        ))}
      </ul>
      <p class="soft small">{t('mine.about')}</p>
    </Screen>
  );
}

/* start.tsx -- the start screen: all games, and matches that wait to be gone on with. */
import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { allSeats, dropSeat, heldSeats, type HeldSeat } from '../arena/seats';
import { allGames } from '../engine/engine';
import { GAMES, taglineOf } from '../games';
import { settleSeats } from '../mine';
import type { Game } from '../model';
import { go, href } from '../router';
import { dropSavedLocalMatch, giveUp, savedLocalMatch, resumeLocal, waitingAt } from '../session';
import { numberWord } from '../texts/language';
import { t } from '../texts/texts';
import { turns } from '../turns';
import { Challenged, DaysList } from './days-list';
import { useMatches, useRefreshed, Waiting } from './lobby';
import { GamePicture } from './pictures';
import { CodeForm, LearnLink, Screen, Trouble, useDoing, usePromise } from './parts';

/** A game: picture, sentence, play, rules. */
function Card({ game }: { game: Game }) {
  return (
    <li class="panel card game-card">
      <GamePicture game={game.id} />
      <div class="stack tight words">
        <h2 class="display"><a class="game-link" href={href('game', game.id)}>{game.title}</a></h2>
        <p>{taglineOf(game.id)}</p>
        <p class="row apart">
          <span class="button primary small" aria-hidden="true">{t('start.play')}</span>
          <a class="above" href={href('rules', game.id)} aria-label={t('start.rules.of', { game: game.title })}>
            {t('start.rules')}
          </a>
        </p>
        <LearnLink game={game.id} title={game.title} />
      </div>
    </li>
  );
}

/** Matches that ended while the person was away, until it is said that they were seen. */
const endedAway = signal<HeldSeat[]>([]);

/** One unfinished match: a sentence, and two buttons. */
function Row({ text, on, onText, off, offText }: { text: string; on(): void; onText: string; off(): void; offText: string }) {
  return (
    <li class="notice row apart">
      <span role="status">{text}</span>
      <span class="row">
        <button class="button primary small" onClick={on}>{onText}</button>
        <button class="button quiet small" onClick={off}>{offText}</button>
      </span>
    </li>
  );
}

/** A seat at the server. To give it up loses the match: it is asked first, and where the button was that asks is then the one that keeps
 * the match, also with the focus: who clicks twice loses nothing. */
function SeatRow({ code, title, onGiveUp }: { code: string; title: string; onGiveUp(): void }) {
  const [asking, ask] = useState(false);
  if (asking)
    return <Row text={t('start.giveUp.ask', { game: title })} on={onGiveUp} onText={t('start.giveUp.do')} off={() => ask(false)} offText={t('start.giveUp.no')} />;
  return <Row text={t('start.return', { game: title })} on={() => go('table', code)} onText={t('start.return.do')} off={() => ask(true)} offText={t('start.giveUp.do')} />;
}

/** Seats at the server and a match on this device that are not finished, and what ended while one was away. `onSettled` is called when
 * the end of matches was learned. */
export function Unfinished({ games, onSettled }: { games: Game[]; onSettled?: () => void }) {
  const [, redraw] = useState(0);
  const doing = useDoing();
  const unknown = useMemo(() => new Set<string>(), []);
  useRefreshed(async () => {
    const before = allSeats().length;
    const ended = await settleSeats(unknown);
    if (ended.length > 0) endedAway.value = [...ended, ...endedAway.value];
    if (allSeats().length < before) onSettled?.();
  }, []);
  const title = (id: string) => games.find((game) => game.id === id)?.title ?? id;
  const local = savedLocalMatch();
  const listed = (code: string) => turns.value?.some((match) => match.code === code) ?? false;
  const seats = heldSeats().filter(({ code, days }) => code !== waitingAt.value?.about.value.code && !(days !== undefined && listed(code)));
  const seen = (code: string) => { endedAway.value = endedAway.value.filter((seat) => seat.code !== code); };
  if (!local && seats.length === 0 && endedAway.value.length === 0 && !doing.error) return null;
  return (
    <section>
      <ul class="stack plain unfinished">
        {endedAway.value.slice(0, 3).map(({ code, game }) => (
          <Row key={code} text={t('start.ended', { game: title(game) })} on={() => { seen(code); go('replay', code); }} onText={t('start.ended.see')}
            off={() => seen(code)} offText={t('start.ended.close')} />
        ))}
        {seats.slice(0, 3).map(({ code, game, days }) => days !== undefined
          ? <Row key={code} text={t('days.seat', { game: title(game) })} on={() => go('table', code)} onText={t('days.open')}
            off={() => { dropSeat(code); redraw((n) => n + 1); }} offText={t('start.return.drop')} />
          : <SeatRow key={code} code={code} title={title(game)} onGiveUp={() => doing.run(() => giveUp(code))} />)}
        {local && <Row key="local" text={t('start.resume', { game: title(local.wish.game) })} on={() => doing.run(() => resumeLocal())} onText={t('start.return.do')}
          off={() => { dropSavedLocalMatch(); redraw((n) => n + 1); }} offText={t('start.return.drop')} />}
      </ul>
      <Trouble error={doing.error} />
    </section>
  );
}

/** Has the device a network? */
const online = signal(navigator.onLine);
for (const kind of ['online', 'offline']) addEventListener(kind, () => { online.value = navigator.onLine; });

/** The first screen. */
export function StartScreen() {
  const games = usePromise(allGames, []);
  const rank = ({ id }: Game) => GAMES.findIndex((game) => game.id === id);
  const all = [...(games.value ?? [])].sort((a, b) => rank(a) - rank(b));
  const matches = useMatches();
  const doing = useDoing();
  const mine = new Set(heldSeats().map(({ code }) => code));
  return (
    <Screen title={t('app.tagline', { Count: numberWord(GAMES.length) })} wide>
      {!online.value && <p class="notice warn" role="status">{t('app.offline')}</p>}
      <div class="games-head"><CodeForm label={t('join.have')} /></div>
      <p class="row puzzle-strip">
        <a class="button small" href={href('puzzle', 'daily')}>{t('start.puzzle')}</a>
        <a href={href('puzzles')}>{t('start.puzzles')}</a>
      </p>
      <Challenged games={all} />
      <DaysList games={all} mine />
      <Unfinished games={all} />
      <Waiting rows={(matches.value ?? []).filter(({ code }) => !mine.has(code))} games={all} run={doing.run} strip />
      <Trouble error={games.error ?? doing.error} />
      <ul class="tiles plain games" aria-label={t('start.choose')}>{all.map((game) => <Card key={game.id} game={game} />)}</ul>
      {!games.value && !games.error && <p role="status">{t('app.loading')}</p>}
    </Screen>
  );
}

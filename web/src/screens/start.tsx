/* start.tsx -- the start screen: all games, and matches that wait to be gone on with. */
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { dropSeat, heldSeats } from '../arena/seats';
import { allGames } from '../engine/engine';
import { GAMES, taglineOf } from '../games';
import type { Game } from '../model';
import { go, href } from '../router';
import { dropSavedLocalMatch, savedLocalMatch, resumeLocal } from '../session';
import { numberWord } from '../texts/language';
import { t } from '../texts/texts';
import { useMatches, Waiting } from './lobby';
import { GamePicture } from './pictures';
import { Screen, Trouble, useDoing, usePromise } from './parts';

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
      </div>
    </li>
  );
}

/** Seats at the server and a match on this device that are not finished. */
export function Unfinished({ games }: { games: Game[] }) {
  const [, redraw] = useState(0);
  const doing = useDoing();
  const title = (id: string) => games.find((game) => game.id === id)?.title ?? id;
  const local = savedLocalMatch();
  const row = (key: string, text: string, on: () => void, off: () => void) => (
    <li key={key} class="notice row apart">
      <span>{text}</span>
      <span class="row">
        <button class="button primary small" onClick={on}>{t('start.return.do')}</button>
        <button class="button quiet small" onClick={() => { off(); redraw((n) => n + 1); }}>{t('start.return.drop')}</button>
      </span>
    </li>
  );
  const seats = heldSeats();
  if (!local && seats.length === 0) return null;
  return (
    <section>
      <ul class="stack plain unfinished">
        {seats.slice(0, 3).map(({ code, game }) =>
          row(code, t('start.return', { game: title(game) }), () => go('table', code), () => dropSeat(code)))}
        {local && row('local', t('start.resume', { game: title(local.wish.game) }), () => doing.run(resumeLocal), dropSavedLocalMatch)}
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
      <Unfinished games={all} />
      <Waiting rows={(matches.value ?? []).filter(({ code }) => !mine.has(code))} games={all} run={doing.run} strip />
      <Trouble error={games.error ?? doing.error} />
      <ul class="tiles plain games" aria-label={t('start.choose')}>{all.map((game) => <Card key={game.id} game={game} />)}</ul>
      {!games.value && !games.error && <p role="status">{t('app.loading')}</p>}
    </Screen>
  );
}

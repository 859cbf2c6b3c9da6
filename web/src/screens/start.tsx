/* start.tsx -- the start screen: the five games, and matches that wait to be gone on with. */
import { useState } from 'preact/hooks';
import { dropSeat, heldSeats } from '../arena/seats';
import { allGames } from '../engine/engine';
import type { Game } from '../model';
import { go, href } from '../router';
import { dropKeptMatch, keptMatch, resumeLocal } from '../session';
import { t, type TextKey } from '../texts/texts';
import { GamePicture } from './pictures';
import { Screen, Trouble, useDoing, usePromise } from './parts';

function Card({ game }: { game: Game }) {
  return (
    <li class="panel card game-card">
      <a class="game-link" href={href('game', game.id)}>
        <GamePicture game={game.id} />
        <h2 class="display">{game.title}</h2>
        <p>{t(`game.${game.id}` as TextKey)}</p>
      </a>
      <a class="small" href={href('rules', game.id)} aria-label={t('start.rules.of', { game: game.title })}>{t('start.rules')}</a>
    </li>
  );
}

/** Seats at the house and a match on this device that are not finished. */
function Unfinished({ games }: { games: Game[] }) {
  const [, redraw] = useState(0);
  const doing = useDoing();
  const title = (id: string) => games.find((game) => game.id === id)?.title ?? id;
  const local = keptMatch();
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
        {local && row('local', t('start.resume', { game: title(local.wish.game) }), () => doing.run(resumeLocal), dropKeptMatch)}
      </ul>
      <Trouble error={doing.error} />
    </section>
  );
}

/** The first screen. */
export function StartScreen() {
  const games = usePromise(allGames, []);
  const all = games.value ?? [];
  return (
    <Screen title={t('app.tagline')} wide>
      <Unfinished games={all} />
      <Trouble error={games.error} />
      <ul class="tiles plain games" aria-label={t('start.choose')}>{all.map((game) => <Card key={game.id} game={game} />)}</ul>
      {!games.value && !games.error && <p role="status">{t('app.loading')}</p>}
    </Screen>
  );
}

/* profile.tsx -- who somebody is here: ratings with their course, results, opponents, and all matches with their replays. */
import { useState } from 'preact/hooks';
import { accountName } from '../account';
import { RATING_PACES } from '../arena/messages';
import { allGames } from '../engine/engine';
import type { Game } from '../model';
import { href } from '../router';
import { GamePicture } from '../screens/pictures';
import { Choice, Screen, Trouble, useDoing, usePromise } from '../screens/parts';
import { PlayerName, Rating } from '../screens/player-name';
import { tell } from '../texts/account';
import { language } from '../texts/language';
import { t } from '../texts/texts';
import { curveOf, matchesOf, profileOf, report, type PlayedMatch, type PlayedPage, type Profile, type ProfileRating } from './ask';
import { PlayerActions } from './challenge';
import { Openings } from './openings';
import { PrivateSwitch } from './private-switch';
import { dayOf, RatingCurve } from './rating-curve';
import { ScoreTable, type Score } from './score-table';

/** What each game is called. */
type Titles = (id: string) => string;

/** Wins or losses in a row, in words. */
function streakWords(streak: number): string {
  if (streak === 0) return '–';
  const many = Math.abs(streak);
  if (many === 1) return tell(streak > 0 ? 'streakWin' : 'streakLoss');
  return tell(streak > 0 ? 'streakWins' : 'streakLosses', many);
}

/** Games in the order of their names, the fastest pace first. */
function sorted(ratings: ProfileRating[], title: Titles): ProfileRating[] {
  return [...ratings].sort((a, b) =>
    title(a.game).localeCompare(title(b.game)) || RATING_PACES.indexOf(a.pace) - RATING_PACES.indexOf(b.pace));
}

/** Ratings by game and pace. */
function Ratings({ ratings, title }: { ratings: ProfileRating[]; title: Titles }) {
  return (
    <section class="panel stack">
      <h2>{tell('ratings')}</h2>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={tell('ratings')}>
        <table class="table profile-table">
          <thead>
            <tr>
              <th scope="col">{tell('game')}</th>
              <th scope="col">{tell('pace')}</th>
              <th scope="col" class="number">{tell('rating')}</th>
              <th scope="col" class="number">{tell('ratedCount')}</th>
              <th scope="col">{tell('streak')}</th>
              <th scope="col" class="number wide-only">{tell('best')}</th>
            </tr>
          </thead>
          <tbody>
            {ratings.map(({ game, pace, rating, provisional, rated, streak, best_streak }) => (
              <tr key={`${game} ${pace}`}>
                <th scope="row">{title(game)}</th>
                <td>{tell(pace)}</td>
                <td class="number">{rating === undefined ? tell('unrated') : <b><Rating rating={rating} provisional={provisional ?? false} /></b>}</td>
                <td class="number">{rated}</td>
                <td>{streakWords(streak)}<small class="narrow-only soft"><br />{tell('best')}: {best_streak}</small></td>
                <td class="number wide-only">{best_streak}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="row apart small"><span class="soft">{tell('markHint')}</span> <a href={href('leaders')}>{tell('leaders')}</a></p>
    </section>
  );
}

/** One rating over time, to be chosen. */
function Curve({ name, ratings, title }: { name: string; ratings: ProfileRating[]; title: Titles }) {
  const rated = ratings.filter((one) => one.rated > 0).sort((a, b) => b.rated - a.rated);
  const [at, setAt] = useState(0);
  const one = rated[at];
  const points = usePromise(() => (one ? curveOf(name, one.game, one.pace) : Promise.resolve([])), [name, one?.game, one?.pace]);
  if (!one) return null;
  const words = ({ game, pace }: ProfileRating) => tell('curveOf', title(game), tell(pace));
  return (
    <section class="panel stack" aria-label={tell('curve')}>
      <h2>{tell('curve')}</h2>
      {rated.length > 1
        ? <Choice label={tell('game')} value={at} all={rated.map((row, place): [number, string] => [place, words(row)])} onChoose={(place) => setAt(place)} />
        : <p>{words(one)}</p>}
      <Trouble error={points.error} />
      {points.value && <RatingCurve points={points.value} name={words(one)} />}
    </section>
  );
}

/** All results of a game together, whatever its pace. */
function Results({ ratings, title }: { ratings: ProfileRating[]; title: Titles }) {
  const games = [...new Set(ratings.map(({ game }) => game))];
  const sum = (game: string, what: keyof Score) => ratings.filter((one) => one.game === game).reduce((all, one) => all + one[what], 0);
  return (
    <section class="panel stack">
      <h2>{tell('results')}</h2>
      <ScoreTable caption={tell('results')} head={tell('game')}
        rows={games.map((game) => [game, title(game), { wins: sum(game, 'wins'), draws: sum(game, 'draws'), losses: sum(game, 'losses') }])} />
    </section>
  );
}

/** How an opponent is called; one whose account was deleted has no name. */
function Opponent({ match }: { match: PlayedMatch }) {
  if (match.opponent === null) return <i>{tell('deletedPlayer')}</i>;
  return <PlayerName name={match.opponent} account={match.opponent_account} />;
}

/** Who was played most, in the matches that are listed. */
function Opponents({ matches }: { matches: PlayedMatch[] }) {
  const all = new Map<string, { match: PlayedMatch; score: Score }>();
  for (const match of matches) {
    const key = `${match.opponent_account}${match.opponent ?? ''}`;
    const { score } = all.get(key) ?? all.set(key, { match, score: { wins: 0, draws: 0, losses: 0 } }).get(key)!;
    score[match.result === 'won' ? 'wins' : match.result === 'drawn' ? 'draws' : 'losses']++;
  }
  const count = ({ wins, draws, losses }: Score) => wins + draws + losses;
  const rows = [...all].sort(([, a], [, b]) => count(b.score) - count(a.score)).slice(0, 10);
  return (
    <section class="panel stack">
      <h2>{tell('opponents')}</h2>
      <p class="soft small">{tell('opponentsOf', matches.length)}</p>
      <ScoreTable caption={tell('opponents')} head={tell('opponent')} rows={rows.map(([key, { match, score }]) => [key, <Opponent match={match} />, score])} />
    </section>
  );
}

/** What a rated match did to the rating: "1512 (+12)". */
function changeWords({ rated, rating, change = 0 }: PlayedMatch): string | null {
  if (!rated || rating === undefined) return null;
  return `${tell('rated')}: ${rating} (${change < 0 ? '−' : '+'}${Math.abs(change)})`;
}

/** Tells the operators what was wrong with a match of one's own. */
function Report({ match }: { match: PlayedMatch }) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [told, setTold] = useState('');
  const doing = useDoing();
  if (!open)
    return (
      <>
        <span role="status" class="small">{told}</span>
        {told === '' && <button class="button quiet small" aria-label={tell('reportOf', match.opponent ?? tell('deletedPlayer'))} onClick={() => setOpen(true)}>{tell('report')}</button>}
      </>
    );
  const send = () => doing.run(async () => { await report(match.code, reason); setOpen(false); setTold(tell('reported')); });
  return (
    <form class="stack grow" onSubmit={(event) => { event.preventDefault(); send(); }}>
      <label class="field">
        <span>{tell('reportWhy')}</span>
        <input required maxLength={300} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <Trouble error={doing.error} />
      <div class="row"><button class="button small" type="submit" disabled={doing.busy}>{tell('reportSend')}</button><button class="button quiet small" type="button" onClick={() => setOpen(false)}>{tell('cancel')}</button></div>
    </form>
  );
}

/** A match, with its replay. */
function MatchRow({ match, title, mine }: { match: PlayedMatch; title: string; mine: boolean }) {
  const when = new Date(match.ended_ms).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' });
  const facts = [title, match.pace && tell(match.pace), when, changeWords(match)].filter(Boolean);
  return (
    <li class="panel row match-row">
      <GamePicture game={match.game} />
      <span class="stack tight grow">
        <span><strong class={`result-${match.result}`}>{tell(match.result)}</strong> {tell('against', '')}<Opponent match={match} /></span>
        <small class="soft">{facts.join(' · ')}</small>
      </span>
      <a class="button small" href={href('replay', match.code)} aria-label={tell('replayOf', match.opponent ?? tell('deletedPlayer'), when)}>{tell('replay')}</a>
      {mine && <Report match={match} />}
    </li>
  );
}

/** All matches, page by page, of one game or of all; and the opponents in them. */
function Matches({ name, games, title }: { name: string; games: Game[]; title: Titles }) {
  const [game, setGame] = useState('');
  const [older, setOlder] = useState<PlayedPage[]>([]);
  const first = usePromise(() => matchesOf(name, game), [name, game]);
  const doing = useDoing();
  const pages = first.value ? [first.value, ...older] : [];
  const all = pages.flatMap(({ matches }) => matches);
  const last = pages.at(-1)?.last;
  return (
    <>
      {all.length > 0 && <Opponents matches={all} />}
      <section class="stack" aria-label={tell('matches')}>
        <h2>{tell('matches')}</h2>
        <Choice label={tell('game')} value={game} onChoose={(id) => { setGame(id); setOlder([]); }}
          all={[['', tell('allGames')], ...games.map((one): [string, string] => [one.id, one.title])]} />
        <Trouble error={first.error ?? doing.error} />
        {first.value && all.length === 0 && <p>{tell('noMatches')}</p>}
        <ul class="stack plain">{all.map((match) => <MatchRow key={match.code} match={match} title={title(match.game)} mine={name === accountName()} />)}</ul>
        {last && <div class="row"><button class="button" disabled={doing.busy}
          onClick={() => doing.run(async () => { const page = await matchesOf(name, game, last); setOlder([...older, page]); })}>{tell('more')}</button></div>}
      </section>
    </>
  );
}

/** One's own profile: whether others see it, and the way to the account. */
function Mine({ profile }: { profile: Profile }) {
  const [hidden, hide] = useState(profile.private);
  return (
    <section class="panel stack">
      <p class="row apart"><span>{hidden ? tell('isPrivate') : tell('you')}</span><a class="button small" href={href('settings', 'account')}>{tell('manage')}</a></p>
      <PrivateSwitch value={profile.private} onChanged={hide} />
    </section>
  );
}

/** The profile of whoever has this name. */
export function ProfileScreen({ name }: { name: string }) {
  const profile = usePromise(() => profileOf(name), [name, accountName()]);
  const games = usePromise(allGames, [language.value]).value ?? [];
  const title: Titles = (id) => games.find((game) => game.id === id)?.title ?? id;
  const { value, error } = profile;
  if (!value)
    return (
      <Screen title={name}>
        <Trouble error={error} />
        {value === null && <p class="notice" role="status">{tell('unknown')}</p>}
        {value === undefined && !error && <p role="status">{t('app.loading')}</p>}
      </Screen>
    );
  const ratings = sorted(value.ratings, title);
  return (
    <Screen title={value.name}>
      <p class="soft">{[value.program && tell('program'), tell('since', dayOf(value.since_ms)), value.left > 0 && (value.left === 1 ? tell('leftOne') : tell('left', value.left))].filter(Boolean).join(' · ')}</p>
      {value.name === accountName() && <Mine profile={value} />}
      {value.name !== accountName() && accountName() !== '' && <PlayerActions key={value.name} name={value.name} games={games} />}
      {ratings.length > 0 && <Ratings ratings={ratings} title={title} />}
      <Curve name={value.name} ratings={ratings} title={title} />
      {ratings.length > 0 && <Results ratings={ratings} title={title} />}
      {ratings.length > 0 && <Openings name={value.name} games={[...new Set(ratings.map(({ game }) => game))]} title={title} />}
      <Matches name={value.name} games={games} title={title} />
    </Screen>
  );
}

/* leaderboard.tsx -- the best players of a game at a pace: people, or programs. */
import { useState } from 'preact/hooks';
import { accountName } from '../account';
import { RATING_PACES, type RatingPace } from '../arena/messages';
import { allGames } from '../engine/engine';
import { GAMES } from '../games';
import { replace } from '../router';
import { Choice, Screen, Trouble, usePromise } from '../screens/parts';
import { PlayerName, Rating } from '../screens/player-name';
import { tell, type AccountText } from '../texts/account';
import { language } from '../texts/language';
import { t } from '../texts/texts';
import { leaders, type Leader } from './ask';

/** The lines. */
function Lines({ rows }: { rows: Leader[] }) {
  const me = accountName();
  return (
    <table class="table standings">
      <caption class="visually-hidden">{tell('leaders')}</caption>
      <thead>
        <tr>
          <th scope="col" class="number">{tell('rank')}</th>
          <th scope="col">{tell('player')}</th>
          <th scope="col" class="number">{tell('rating')}</th>
          <th scope="col" class="number">{tell('ratedCount')}</th>
          <th scope="col" class="number wide-only">{tell('wins')}</th>
          <th scope="col" class="number wide-only">{tell('draws')}</th>
          <th scope="col" class="number wide-only">{tell('losses')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} class={row.name === me ? 'me' : ''}>
            <td class="number">{row.rank}</td>
            <th scope="row"><PlayerName name={row.name} account /></th>
            <td class="number"><Rating rating={row.rating} provisional={row.provisional ?? false} /></td>
            <td class="number">{row.rated}</td>
            <td class="number wide-only">{row.wins}</td>
            <td class="number wide-only">{row.draws}</td>
            <td class="number wide-only">{row.losses}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The leaderboard of the game and pace that the address names. */
export function LeadersScreen({ game, pace }: { game: string; pace: string }) {
  const games = usePromise(allGames, [language.value]).value ?? [];
  const [programs, setPrograms] = useState(false);
  const which = GAMES.some(({ id }) => id === game) ? game : GAMES[0]!.id;
  const how: RatingPace = RATING_PACES.find((one) => one === pace) ?? 'rapid';
  const list = usePromise(() => leaders(which, how, programs), [which, how, programs]);
  return (
    <Screen title={tell('leaders')}>
      <div class="fields panel">
        <Choice label={tell('game')} value={which} onChoose={(id) => replace('leaders', id, how)}
          all={(games.length ? games : [{ id: which, title: which }]).map((one): [string, string] => [one.id, one.title])} />
        <Choice label={tell('pace')} value={how} onChoose={(id) => replace('leaders', which, id)}
          all={RATING_PACES.map((one): [RatingPace, string] => [one, `${tell(one)} (${tell(`${one}About` as AccountText)})`])} />
        <Choice label={tell('who')} value={programs ? 1 : 0} onChoose={(value) => setPrograms(value === 1)}
          all={[[0, tell('people')], [1, tell('programs')]]} />
      </div>
      <Trouble error={list.error} />
      {list.value === undefined && !list.error && <p role="status">{t('app.loading')}</p>}
      {list.value?.length === 0 && <p role="status">{tell('nobody')}</p>}
      {list.value && list.value.length > 0 && <Lines rows={list.value} />}
      <p class="soft small">{tell('leadersAbout')}</p>
    </Screen>
  );
}

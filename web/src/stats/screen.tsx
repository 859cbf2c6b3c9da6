/* screen.tsx -- statistics of finished matches, #/stats or #/stats/GAME: sides, choices and first turns, by who played. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { allGames, Engine } from '../engine/engine';
import { replace } from '../router';
import { Choice, Screen, Trouble, useDoing, usePromise } from '../screens/parts';
import { statsText as say } from '../texts/stats';
import { everybody, totalsOf, type CountedMatch, type Row, type Who } from './count';
import { gather, MATCHES_MOST, type Source } from './gather';
import { shareOf, shareWords } from './share';

/** So many lines of a table are shown. */
const ROWS_MOST = 30;

/** Who played, in words. */
function whoWords(who: Who): string {
  const level = /^level-(\d+)$/.exec(who)?.[1];
  return level === undefined ? say(who as Exclude<Who, `level-${number}`>) : say('level', level);
}

/** What was chosen, or first turns. */
function Rows({ title, rows }: { title: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="stack tight">
      <h2>{title}</h2>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={title}>
        <table class="table small">
          <thead><tr><th scope="col">{say('name')}</th><th scope="col" class="number">{say('matches')}</th><th scope="col" class="number">{say('share')}</th></tr></thead>
          <tbody>
            {rows.slice(0, ROWS_MOST).map(({ name, matches, points }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{matches}</td>
                <td class="number">{shareWords(shareOf(points, matches), say('to'))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** All that was counted. */
function Counted({ matches }: { matches: CountedMatch[] }) {
  const [who, setWho] = useState<Who | ''>('');
  const all = totalsOf(matches, who === '' ? null : who);
  return (
    <>
      <Choice<Who | ''> label={say('who')} value={who} onChoose={(one) => setWho(one)}
        all={[['', say('everybody')], ...everybody(matches).map((one): [Who, string] => [one, whoWords(one)])]} />
      <p class="small soft">{say('ratings')}</p>
      {all.matches > 0 && (
        <p>{say('all', all.matches, shareWords(shareOf(all.points, all.matches), say('to')), all.drawn, Math.round(all.actions / all.matches))}</p>
      )}
      <Rows title={say('choices')} rows={all.choices} />
      <Rows title={say('firstTurns')} rows={all.firstTurns} />
    </>
  );
}

/** The screen. */
export function StatsScreen({ game }: { game: string }) {
  const games = usePromise(allGames, []);
  const id = game || games.value?.[0]?.id || '';
  const [source, setSource] = useState<Source>('server');
  const [matches, setMatches] = useState<CountedMatch[] | null>(null);
  const [progress, setProgress] = useState<[number, number] | null>(null);
  const worker = useRef<Engine | null>(null);
  const doing = useDoing();
  const stop = () => {
    worker.current?.close();
    worker.current = null;
    setProgress(null);
  };
  useEffect(() => {
    setMatches(null);
    return stop;
  }, [id, source]);
  const start = () => doing.run(async () => {
    const mine = (worker.current = new Engine());
    setProgress([0, 0]);
    try {
      await gather(mine, source, id, (so, done, all) => {
        if (worker.current !== mine) return;
        setMatches(so);
        setProgress([done, all]);
      });
    } catch (error) {
      /* Cancelling ends the worker: nobody has to hear of that. */
      if (worker.current === mine) throw error;
    } finally {
      if (worker.current === mine) stop();
    }
  });
  return (
    <Screen title={say('title')}>
      <p>{say('about', MATCHES_MOST)}</p>
      <div class="row">
        <Choice label={say('game')} value={id} onChoose={(one) => replace('stats', one)} all={(games.value ?? []).map((one): [string, string] => [one.id, one.title])} />
        <Choice<Source> label={say('source')} value={source} onChoose={(one) => setSource(one)} all={[['server', say('server')], ['mine', say('mine')]]} />
      </div>
      {progress ? (
        <p class="row">
          <progress class="grow" max={Math.max(1, progress[1])} value={progress[0]} aria-label={say('progress', ...progress)} />
          <span class="small" role="status">{say('progress', ...progress)}</span>
          <button type="button" class="button small" onClick={stop}>{say('cancel')}</button>
        </p>
      ) : <p><button type="button" class="button primary" disabled={!id} onClick={start}>{say('count')}</button></p>}
      <Trouble error={games.error ?? doing.error} />
      {matches && (matches.length > 0 ? <Counted matches={matches} /> : !progress && <p>{say('none')}</p>)}
    </Screen>
  );
}

/* end.tsx -- the end of a match: who won and how, figures and charts, and what comes next. */
import { useEffect, useState } from 'preact/hooks';
import { otherSeat, type Position, type Seat } from '../../model';
import type { Table } from '../../table/table';
import { reportWanted } from '../../report/tab';
import { language } from '../../texts/language';
import { say } from '../../texts/match';
import { reasonSentence } from './end-reason';
import { seatName, sharesDevice } from '../panels/status-bar';
import { Dialog } from '../panels/dialog';
import { ShareDialog } from '../panels/share';
import { unitLabel } from '../../names';
import { roster } from '../panels/facts';
import { logText } from '../panels/log-lines';
import { Picture } from '../panels/portrait';
import { save } from '../panels/save';
import { PlayerName } from '../../screens/player-name';
import { presentationOf } from '../panels/presentation';
import { chartPath, seriesOf, sideTable, unitTable, type Series } from '../panels/charts';

/** The result as a headline. */
export function resultWords(table: Table): string {
  const result = table.result.value;
  if (!result) return '';
  if (result.winner === null) return say('drawn');
  const you = table.you.value;
  if (you === null || sharesDevice(table) || table.kind === 'replay')
    return say('winnerIs', seatName(table, result.winner));
  return say(result.winner === you ? 'youWin' : 'youLose');
}

/** Why it ended, as a sentence; empty: it has not. */
export function reasonWords(table: Table): string {
  const result = table.result.value;
  return result ? reasonSentence(result, (seat) => seatName(table, seat)) : '';
}

/** Is this the match of somebody here, and lost? */
export function hasLost(table: Table): boolean {
  return table.result.value !== null && resultWords(table) === say('youLose');
}

const wide = 320,
  high = 110;

/** A value of both sides over the match. */
function Chart({ table, series }: { table: Table; series: Series }) {
  const top = Math.max(1, ...series.sides[0], ...series.sides[1]);
  const last = (seat: 0 | 1) => series.sides[seat][series.sides[seat].length - 1] ?? 0;
  const told = ([0, 1] as const).map((seat) => `${seatName(table, seat)} ${last(seat)}`).join(', ');
  return (
    <figure class="chart">
      <figcaption>
        {series.name} <small class="soft number">≤ {top}</small>
      </figcaption>
      <svg
        viewBox={`-4 -8 ${wide + 8} ${high + 16}`}
        role="img"
        aria-label={`${series.name}: ${told}`}
      >
        <path class="axis" d={`M0 0V${high}H${wide}`} />
        <path class="line seat-0" d={chartPath(series.sides[0], top, wide, high)} />
        <path class="line dashed seat-1" d={chartPath(series.sides[1], top, wide, high)} />
      </svg>
      <p class="small">
        {([0, 1] as const).map((seat) => (
          <span class={`seat-${seat}`}>
            <i class="seat-mark" aria-hidden="true" /> {seatName(table, seat)}{' '}
            <b class="number">{last(seat)}</b>
          </span>
        ))}
      </p>
    </figure>
  );
}

/** What was done, in numbers, by side and by unit. */
function Figures({ table, position }: { table: Table; position: Position }) {
  const figures = position.board.figures ?? [];
  const sides = sideTable(figures);
  const units = unitTable(figures);
  return (
    <>
      {sides.length > 0 && (
        <table class="table">
          <caption class="visually-hidden">{say('bySide')}</caption>
          <thead>
            <tr>
              <th scope="col">{say('bySide')}</th>
              {([0, 1] as const).map((seat) => (
                <th scope="col" class={`number seat-${seat}`}>
                  <i class="seat-mark" aria-hidden="true" /> {seatName(table, seat)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sides.map((row) => (
              <tr>
                <th scope="row">{row.name}</th>
                {row.values.map((value) => (
                  <td class="number">{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {units.rows.length > 0 && (
        <details>
          <summary>{say('byUnit')}</summary>
          <div class="scroll" tabIndex={0} role="region" aria-label={say('byUnit')}>
            <table class="table small">
              <thead>
                <tr>
                  <th scope="col">{say('unit')}</th>
                  {units.names.map((name) => (
                    <th scope="col" class="number">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {units.rows.map((row) => {
                  const token = position.board.tokens.find((one) => one.unit === row.unit);
                  return (
                    <tr>
                      <th scope="row">
                        <Picture kind={token?.kind_id} seat={token?.seat ?? null} size={24} />{' '}
                        {unitLabel(position.board, row.unit)}
                      </th>
                      {row.values.map((value) => (
                        <td class="number">{value || ''}</td>
                      ))}
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </>
  );
}

/** Points of a match for a seat: a draw is half a point for both. */
function points(winner: Seat | null, seat: Seat): number {
  return winner === null ? 0.5 : winner === seat ? 1 : 0;
}

/** At the end of one of two matches with sides changed: what comes next, or the score of both. */
function PairNotice({ table, winner }: { table: Table; winner: Seat | null }) {
  const { leg, first } = table.about.value;
  if (!leg || table.kind === 'replay') return null;
  const score = (seat: Seat) =>
    (points(first ?? null, seat) + points(winner, seat)).toLocaleString(language.value);
  return (
    <p class="notice" role="status">
      {leg === 1
        ? `${say('pairFirst')} ${table.kind === 'online' ? say('pairSoon') : ''}`
        : say('pairScore', seatName(table, 0), score(0), seatName(table, 1), score(1))}
    </p>
  );
}

/** What a rated match did to both ratings, as soon as it was counted: "Ann: 1500 → 1512 (+12)". */
function RatingChanges({ table }: { table: Table }) {
  const rated = table.ratedResult.value;
  return (
    <div class="rating-changes" role="status">
      {rated?.players.map(({ seat, rating, change, provisional }) => (
        <p class={`seat-${seat}`}>
          <i class="seat-mark" aria-hidden="true" />{' '}
          <PlayerName name={seatName(table, seat)} account={table.players.value[seat].account === true} />{': '}
          <span class="number">
            {say('ratingChange', String(rating - change), `${rating}${provisional ? '?' : ''}`, `${change < 0 ? '−' : '+'}${Math.abs(change)}`)}
          </span>
        </p>
      ))}
      {rated && rated.weight < 100 && <p class="soft small">{say('ratingWeight', rated.weight)}</p>}
    </div>
  );
}

/** The end screen. `onShow` shows another table (a replay), `onLeave` goes back to the games. */
export function EndScreen({
  table,
  onClose,
  onShow,
  onLeave,
}: {
  table: Table;
  onClose: () => void;
  onShow: (table: Table) => void;
  onLeave: () => void;
}) {
  const position = table.position.value;
  const result = table.result.value;
  const { game, title } = table.about.value;
  const [series, setSeries] = useState<Series[]>([]);
  const [told, setTold] = useState('');
  const [sharing, setSharing] = useState(false);
  /* Before the play there is nothing to compare. */
  const { before } = presentationOf(game);
  useEffect(() => {
    let here = true;
    table
      .history()
      .then(
        (story) =>
          here &&
          setSeries(
            seriesOf(story.filter(({ board }) => !before?.[board.phase_id]), {
              health: say('chartHealth'),
              held: say('chartHeld'),
              damage: say('chartDamage'),
              beaten: say('chartBeaten'),
            }),
          ),
      )
      .catch(() => undefined);
    return () => {
      here = false;
    };
  }, [table]);
  if (!position || !result) return null;
  const you = table.you.value;
  const actions = table.rematchOffers.value;
  const headline = resultWords(table);
  const { code } = table.about.value;
  const text = say('shareText', title, `${headline} ${reasonWords(table)}`);
  /* A match on this device has no address. */
  const share = async () => {
    if (code) return setSharing(true);
    const url = location.origin;
    try {
      if (navigator.share) await navigator.share({ title, text, url });
      else {
        await navigator.clipboard.writeText(`${text} ${url}`);
        setTold(say('shared'));
      }
    } catch {
      /* The person changed their mind. */
    }
  };
  const replay = async (report = false) => {
    const opened = await table.openReplay().catch(() => null);
    reportWanted.value = report;
    if (opened) onShow(opened);
  };
  const file = async () => {
    const text = await table.file().catch(() => null);
    if (text) save(`${game}.match.json`, text, 'application/json');
  };
  return (
    <Dialog
      title={headline}
      onClose={onClose}
      wide
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {say('backToBoard')}
          </button>
          <button type="button" class="button" onClick={onLeave}>
            {say('toStart')}
          </button>
          <button type="button" class="button" onClick={() => void replay()}>
            {say('watchReplay')}
          </button>
          <button type="button" class="button" onClick={() => void replay(true)}>
            {say('report')}
          </button>
          {you !== null && table.kind !== 'replay' && (
            <button
              type="button"
              class="button primary"
              disabled={actions.includes(you)}
              onClick={() => void table.rematch()}
            >
              {say(table.about.value.leg === 1 ? 'secondMatch' : 'rematch')}
            </button>
          )}
        </>
      }
    >
      <p class={`lead result seat-${result.winner ?? 'none'}`}>
        <i class="seat-mark" aria-hidden="true" />{' '}
        {result.winner !== null && (
          <>
            {say('endWinner', seatName(table, result.winner), table.about.value.sides[result.winner])}{' '}
          </>
        )}
        {reasonWords(table)}
      </p>
      {result.winner !== null && (
        <p class={`winners seat-${result.winner}`} aria-hidden="true">
          {roster(position, result.winner)
            .filter((facts) => !facts.hidden)
            .slice(0, 9)
            .map((facts) => (
              <span class={facts.out ? 'out' : ''}>
                <Picture kind={facts.token.kind_id} seat={facts.token.seat} size={52} />
              </span>
            ))}
        </p>
      )}
      <RatingChanges table={table} />
      <PairNotice table={table} winner={result.winner} />
      {you !== null && actions.includes(you) && !table.successor.value && (
        <p class="notice" role="status">
          {table.players.value[otherSeat(you)].here
            ? say('rematchAsked')
            : say('rematchGone', seatName(table, otherSeat(you)))}
        </p>
      )}
      {you !== null && actions.includes(otherSeat(you)) && !actions.includes(you) && (
        <p class="notice good" role="status">
          {say('rematchTheirs', seatName(table, otherSeat(you)))}
        </p>
      )}
      <Figures table={table} position={position} />
      {series.length > 0 && (
        <>
          <h3>{say('overTime')}</h3>
          <div class="charts">
            {series.map((one) => (
              <Chart table={table} series={one} />
            ))}
          </div>
        </>
      )}
      <div class="row">
        <button type="button" class="button small" onClick={() => void share()}>
          {say('share')}
        </button>
        <button
          type="button"
          class="button small"
          onClick={() => save(`${game}.log.txt`, logText(title, table.log.value), 'text/plain')}
        >
          {say('downloadLog')}
        </button>
        <button type="button" class="button small" onClick={() => void file()}>
          {say('downloadMatch')}
        </button>
        <span role="status" class="small">
          {told}
        </span>
      </div>
      {sharing && <ShareDialog code={code} title={title} text={text} onClose={() => setSharing(false)} />}
    </Dialog>
  );
}

/* panel.tsx -- the report of a replayed match: chances over time, turning points, each turn with the computer's beside it. */
import { useEffect, useState } from 'preact/hooks';
import { Thumbnail } from '../board/thumbnail';
import type { Engine } from '../engine/engine';
import { tipReasonWords } from '../match/panels/advice';
import { seatName } from '../match/panels/status-bar';
import type { Position, Seat } from '../model';
import { Trouble, useDoing, usePromise } from '../screens/parts';
import { ownPuzzle } from '../puzzles/file';
import { go } from '../router';
import type { ReplayControls, Table } from '../table/table';
import { puzzleText } from '../texts/puzzles';
import { reportText as say } from '../texts/report';
import { curve, percent, signed, turnAt, type Review, type ReviewTurn } from './review';
import { workOf } from './work';

const WIDE = 300, HIGH = 90;
const SEATS = [0, 1] as const;

/** The chance of a seat. */
function chanceOf(seat: Seat, first: number): number {
  return seat === 0 ? first : 10000 - first;
}

/** "kept", "lost 12 %". */
function verdict({ kept, lost }: ReviewTurn): string {
  return kept ? say('verdictKept') : say('verdictLost', percent(lost));
}

/** What a turn is called: its number, or that it is the end. */
function turnName({ listed }: ReviewTurn, index: number): string {
  return listed ? say('turn', index + 1) : say('end');
}

/** The chances of both sides over the match; a click goes to that moment. */
function Curve({ table, review, at, onGo }: { table: Table; review: Review; at: number; onGo(at: number): void }) {
  const points = curve(review);
  const [first = [0, 5000], last = first] = [points[0], points[points.length - 1]];
  const x = (action: number) => ((action - first[0]) / Math.max(1, last[0] - first[0])) * WIDE;
  const y = (chance: number) => HIGH - (chance / 10000) * HIGH;
  const line = points.map(([action, chance], index) => `${index === 0 ? 'M' : 'L'}${x(action).toFixed(1)} ${y(chance).toFixed(1)}`).join('');
  const shown = Math.max(first[0], Math.min(last[0], at));
  const go = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onGo(Math.round(first[0] + ((event.clientX - box.left) / box.width) * (last[0] - first[0])));
  };
  return (
    <figure class="chart report-curve">
      <figcaption>{say('chances')}</figcaption>
      <svg viewBox={`0 -6 ${WIDE} ${HIGH + 12}`} preserveAspectRatio="none" role="img" onClick={go}
        aria-label={say('curve', seatName(table, 0), percent(first[1]), percent(last[1]))}>
        <g class="seat-1"><rect class="report-area" width={WIDE} height={HIGH} /></g>
        <g class="seat-0"><path class="report-area" d={`${line}V${HIGH}H0Z`} /></g>
        <path class="axis" d={`M0 ${HIGH / 2}H${WIDE}`} />
        <path class="line report-line" d={line} />
        <path class="report-now" d={`M${x(shown)} -6V${HIGH + 6}`} />
        {review.points.map((index) => {
          const turn = review.turns[index];
          return turn && <path class="report-point" d={`M${x(turn.to)} ${y(turn.after)}h0`} />;
        })}
      </svg>
      <p class="small row">
        {SEATS.map((seat) => <span class={`seat-${seat}`}><i class="seat-mark" aria-hidden="true" /> {seatName(table, seat)}</span>)}
      </p>
    </figure>
  );
}

/** Accuracy, play and luck of both sides. */
function Sides({ table, review }: { table: Table; review: Review }) {
  const rows: [string, (seat: Seat) => string][] = [
    [say('accuracy'), (seat) => (review.sides[seat].turns === 0 ? '–' : percent(review.sides[seat].accuracy))],
    [say('kept'), (seat) => say('keptOf', review.sides[seat].kept, review.sides[seat].turns)],
    [say('play'), (seat) => signed(review.sides[seat].play)],
    [say('luck'), (seat) => signed(review.sides[seat].luck)],
  ];
  return (
    <table class="table small">
      <thead>
        <tr>
          <th scope="col">{say('side')}</th>
          {SEATS.map((seat) => <th scope="col" class={`number seat-${seat}`}><i class="seat-mark" aria-hidden="true" />{'\u00a0'}{seatName(table, seat)}</th>)}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, value]) => (
          <tr>
            <th scope="row">{name}</th>
            {SEATS.map((seat) => <td class="number">{value(seat)}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One turn in a list: a button that shows the board after it. */
function TurnButton({ table, turn, index, now, onGo }: { table: Table; turn: ReviewTurn; index: number; now: boolean; onGo(at: number): void }) {
  return (
    <li>
      <button type="button" class={`report-turn seat-${turn.seat}${turn.kept ? '' : ' lost'}`} aria-current={now ? 'true' : undefined} onClick={() => onGo(turn.to)}>
        <span><i class="seat-mark" aria-hidden="true" /> {turnName(turn, index)} <span class="soft">{seatName(table, turn.seat)}</span></span>
        <b>{verdict(turn)}</b>
        <small class="soft">
          {say('fromTo', percent(chanceOf(turn.seat, turn.before)), percent(chanceOf(turn.seat, turn.after)))} · {say('playLuck', signed(turn.play), signed(turn.luck))}
        </small>
      </button>
    </li>
  );
}

/** The words of the actions of a turn, from the match file. */
function wordsOf(text: string, { from, to }: ReviewTurn): string {
  const { actions } = JSON.parse(text) as { actions?: { word?: string }[] };
  return (actions ?? []).slice(from, to).map(({ word }) => word ?? '').join(', ');
}

/** Where a turn ended, and where the computer's would have. */
async function compare(engine: Engine, text: string, { from, to, seat, best }: ReviewTurn): Promise<{ mine: Position | undefined; line: Position[] }> {
  const [mine] = await engine.call('line', { text, at: to, seat, words: [], eyes: 'all' });
  return { mine, line: await engine.call('line', { text, at: from, seat, words: best, eyes: 'all' }) };
}

/** A board after a turn, with what was done. */
function After({ table, title, words, position }: { table: Table; title: string; words: string; position: Position }) {
  return (
    <figure class="report-after">
      <figcaption class="small">{title}</figcaption>
      <Thumbnail game={table.about.value.game} board={position.board} label={say('boardAfter', words)} />
      <code class="small">{words}</code>
    </figure>
  );
}

/** The turn that led to the shown moment: what it changed, the computer's beside it, and why. */
function Detail({ table, controls, engine, text, turn, index }:
  { table: Table; controls: ReplayControls; engine: () => Engine; text: string; turn: ReviewTurn; index: number }) {
  const other = turn.listed && !turn.same && turn.best.length > 0;
  const both = usePromise(async () => (other ? compare(engine(), text, turn) : null), [turn]).value;
  const [line, setLine] = useState(false);
  const [reason, setReason] = useState('');
  const asking = useDoing();
  useEffect(() => { setLine(false); setReason(''); }, [turn]);
  const why = () => asking.run(async () => {
    const tip = await engine().call('reason', { text, at: turn.from, seat: turn.seat });
    setReason((tip && tipReasonWords(tip)) || say('quiet'));
  });
  /* As good as the search's turn is whoever keeps at least half of what was lost. */
  const tryIt = () => {
    const { game, title } = table.about.value;
    const best = chanceOf(turn.seat, turn.before);
    ownPuzzle.value = { game, title, text, at: turn.from, seat: turn.seat, best, second: Math.max(0, best - turn.lost), solution: turn.best };
    go('puzzle', 'own');
  };
  return (
    <section class="report-detail stack tight" aria-live="polite">
      <h3>{turnName(turn, index)}, {seatName(table, turn.seat)}: {verdict(turn)}</h3>
      <p class="small">
        {say('fromTo', percent(chanceOf(turn.seat, turn.before)), percent(chanceOf(turn.seat, turn.after)))} ({say('playLuck', signed(turn.play), signed(turn.luck))})
      </p>
      {turn.same && <p class="small soft">{say('same')}</p>}
      {other && both?.mine && both.line.length > 1 && (
        <>
          <div class="report-both">
            <After table={table} title={say('played')} words={wordsOf(text, turn)} position={both.mine} />
            <After table={table} title={say('better')} words={turn.best.join(', ')} position={both.line[both.line.length - 1]!} />
          </div>
          <div class="row">
            <button type="button" class="button small primary" onClick={() => { setLine(true); void controls.line(both.line); }}>{say('show')}</button>
            <button type="button" class="button small" disabled={asking.busy} onClick={why}>{say('why')}</button>
            {!turn.kept && <button type="button" class="button small" onClick={tryIt}>{puzzleText('try')}</button>}
            {line && <button type="button" class="button small" onClick={() => { setLine(false); void controls.goto(turn.to); }}>{say('back')}</button>}
          </div>
          <p class="small" role="status">{reason || (line ? say('shown') : '')}</p>
          <Trouble error={asking.error} />
        </>
      )}
    </section>
  );
}

/** A finished report. */
function Finished({ table, controls, engine, text, review }: { table: Table; controls: ReplayControls; engine: () => Engine; text: string; review: Review }) {
  const at = controls.at.value;
  const index = turnAt(review, at);
  const turn = review.turns[index];
  const go = (to: number) => { controls.stop(); void controls.goto(to); };
  const button = (number: number) => {
    const one = review.turns[number];
    return one && <TurnButton key={number} table={table} turn={one} index={number} now={number === index} onGo={go} />;
  };
  return (
    <>
      <Curve table={table} review={review} at={at} onGo={go} />
      <Sides table={table} review={review} />
      <h3>{say('points')}</h3>
      {review.points.length > 0 ? <ol class="plain report-turns">{review.points.map(button)}</ol> : <p class="small">{say('noPoints')}</p>}
      {turn ? <Detail table={table} controls={controls} engine={engine} text={text} turn={turn} index={index} /> : <p class="small soft">{say('none')}</p>}
      <details>
        <summary>{say('turns')}</summary>
        <ol class="plain report-turns">{review.turns.map((_, number) => button(number))}</ol>
      </details>
      <p class="soft small">{say('how')}</p>
    </>
  );
}

/** The report: made when it is first looked at, kept with the match. */
export function ReportPanel({ table, controls }: { table: Table; controls: ReplayControls }) {
  const work = workOf(table, controls.text);
  const review = work.review.value;
  const progress = work.progress.value;
  return (
    <section class="talk report stack" aria-label={say('chances')}>
      {review ? (
        <Finished table={table} controls={controls} engine={() => work.engine()} text={work.text} review={review} />
      ) : progress ? (
        <div class="stack">
          <p class="small" role="status">{say('about')}</p>
          <progress max={Math.max(1, progress.all)} value={progress.done} aria-label={say('working', progress.done, progress.all)} />
          <p class="row">
            <span class="small grow">{say('working', Math.min(progress.done + 1, progress.all), progress.all)}</span>
            <button type="button" class="button small" onClick={() => work.stop()}>{say('cancel')}</button>
          </p>
        </div>
      ) : work.cannot.value ? <p>{say('cannot')}</p> : (
        <>
          <p class="small">{say('about')}</p>
          <button type="button" class="button small" onClick={() => void work.start()}>{say('start')}</button>
        </>
      )}
      <Trouble error={work.error.value} />
    </section>
  );
}

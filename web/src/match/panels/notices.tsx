/* notices.tsx -- what is said across the match screen: for a moment or until it is answered, over the board; and what is true for
 * the whole match, in the strip above it. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hasLost, reasonWords, resultWords } from '../flow/end';
import type { Seat } from '../../model';
import type { Outcome, Table } from '../../table/table';
import { say } from '../../texts/match';
import { t } from '../../texts/texts';
import { seatName } from './status-bar';

/** A notice stays so long, unless something else is told before. */
const NOTICE_MS = 8000;

/** Everything that has to be said across the screen: being back, pause, draw, takeback, warnings, the end. It lies over the board, so that
 * nothing moves when it comes and goes. */
export function Notices({ table, onEnd }: { table: Table; onEnd: (() => void) | null }) {
  const connection = table.connection.value;
  const [back, setBack] = useState(false);
  const lost = useRef(false);
  useEffect(() => {
    if (connection.state === 'lost') lost.current = true;
    if (connection.state !== 'here' || !lost.current) return undefined;
    lost.current = false;
    setBack(true);
    const timer = setTimeout(() => setBack(false), 4000);
    return () => clearTimeout(timer);
  }, [connection.state]);
  const notice = table.notice.value;
  useEffect(() => {
    if (notice === null) return undefined;
    const timer = setTimeout(() => table.dropNotice(), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice, table]);
  const you = table.you.value;
  const pausedBy = table.pausedBy.value;
  const draw = table.position.value?.draw ?? null;
  const takeback = table.result.value ? null : table.takebackBy.value;
  /* A question is answered once, however often its buttons are pressed: the second click of a quick hand comes before they are gone. */
  const answered = useRef(false);
  useLayoutEffect(() => { answered.current = false; }, [draw, takeback, table.paused.value]);
  const answer = (send: () => Promise<Outcome>) => {
    if (answered.current) return;
    answered.current = true;
    void send().then(({ ok }) => { if (!ok) answered.current = false; });
  };
  return (
    <div class="notices">
      {back && (
        <p class="notice good" role="status">
          {say('back')}
        </p>
      )}
      {notice && (
        <p class="notice warn" role="status">
          {notice}
        </p>
      )}
      {table.paused.value && !table.result.value && (
        <p class="notice" role="status">
          <b>{pausedBy === null ? `${say('pausedTitle')}.` : t('match.paused.by', { name: seatName(table, pausedBy) })}</b> {say('pausedText')}{' '}
          {you !== null && (
            <button
              type="button"
              class="button small primary"
              onClick={() => answer(() => table.pause(false))}
            >
              {say('goOn')}
            </button>
          )}
        </p>
      )}
      {draw !== null && you !== null && draw === you && !table.result.value && (
        <p class="notice" role="status">
          {say('drawOffered')}
        </p>
      )}
      {draw !== null && you !== null && draw !== you && !table.result.value && (
        <p class="notice" role="alert">
          {say('drawAsk', seatName(table, draw))}{' '}
          <button
            type="button"
            class="button small primary"
            onClick={() => answer(() => table.draw('accept'))}
          >
            {say('drawAccept')}
          </button>{' '}
          <button type="button" class="button small" onClick={() => answer(() => table.draw('decline'))}>
            {say('drawDecline')}
          </button>
        </p>
      )}
      {takeback !== null && you !== null && takeback === you && (
        <p class="notice" role="status">
          {say('takebackOffered')}
        </p>
      )}
      {takeback !== null && you !== null && takeback !== you && (
        <p class="notice" role="alert" data-notice="takeback">
          {say('takebackAsk', seatName(table, takeback))}{' '}
          <button type="button" class="button small primary" onClick={() => answer(() => table.takeback('accept'))}>
            {say('takebackAccept')}
          </button>{' '}
          <button type="button" class="button small" onClick={() => answer(() => table.takeback('decline'))}>
            {say('drawDecline')}
          </button>
        </p>
      )}
      {onEnd && (
        <p class={`notice ${hasLost(table) ? 'warn' : 'good'}`} role="status" data-notice="end">
          <b>{resultWords(table)}</b> {reasonWords(table)}{' '}
          <button type="button" class="button small primary" onClick={onEnd}>
            {say('toEnd')}
          </button>
        </p>
      )}
    </div>
  );
}

/** Somebody's connection is lost: who, since when, and what happens in how many seconds. */
function AwayNote({ table, seat, since }: { table: Table; seat: Seat; since: number }) {
  const { grace_ms: grace = 0 } = table.about.value;
  const away = useSeconds(since);
  const name = seatName(table, seat);
  const left = Math.max(0, Math.ceil(grace / 1000) - away);
  const ends = left === 0 ? '' : ` ${say(table.you.value === null ? 'awayLoses' : 'awayWins', name, left)}`;
  return (
    <p class="strip-notes warn" data-notice="away">
      {say('awaySince', name, away)}
      {ends}
    </p>
  );
}

/** Whole seconds since a moment of performance.now(), counted as they pass. */
function useSeconds(since: number): number {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, [since]);
  return Math.floor((performance.now() - since) / 1000);
}

/** Who else at the table is away; null: nobody. */
export function awaySeat(table: Table): Seat | null {
  const away = ([0, 1] as const).find((seat) => seat !== table.you.value && table.awaySince.value[seat] !== null);
  return table.result.value || table.state.value !== 'running' ? null : (away ?? null);
}

/** What holds for a while or for the whole match: who is away, who sees hidden pieces, that there are no tips, and that one only watches. */
export function StandingNotes({ table }: { table: Table }) {
  if (table.result.value) return null;
  const away = awaySeat(table);
  if (away !== null) return <AwayNote table={table} seat={away} since={table.awaySince.value[away] ?? 0} />;
  const noTips = table.tipsForbidden.value ? ` ${t('match.noTips')}` : '';
  if (table.about.value.spectatorsSeeHidden)
    return (
      <p class="strip-notes warn" data-notice="glass">
        {t('match.glass')}
        {noTips}
      </p>
    );
  const watching = table.you.value === null && table.kind !== 'replay';
  if (!watching && noTips === '') return null;
  return (
    <p class="strip-notes" data-notice={noTips ? 'tips' : undefined}>
      {watching && `${say('watching')}${noTips && '.'}`}
      {noTips}
    </p>
  );
}

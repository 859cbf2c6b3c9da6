/* notices.tsx -- what is said across the match screen: for a moment or until it is answered, over the board; and what is true for
 * the whole match, in the strip above it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasLost, resultWords } from '../flow/end';
import type { Table } from '../../table/table';
import { say } from '../../texts/match';
import { t } from '../../texts/texts';
import { seatName } from './status-bar';

/** A notice stays so long, unless something else is told before. */
const NOTICE_MS = 8000;

/** Everything that has to be said across the screen: being back, pause, draw, warnings, the end. It lies over the board, so that
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
  const draw = table.position.value?.draw ?? null;
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
          <b>{say('pausedTitle')}.</b> {say('pausedText')}{' '}
          {you !== null && (
            <button
              type="button"
              class="button small primary"
              onClick={() => void table.pause(false)}
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
            onClick={() => void table.draw('accept')}
          >
            {say('drawAccept')}
          </button>{' '}
          <button type="button" class="button small" onClick={() => void table.draw('decline')}>
            {say('drawDecline')}
          </button>
        </p>
      )}
      {onEnd && (
        <p class={`notice ${hasLost(table) ? 'warn' : 'good'}`} role="status">
          <b>{resultWords(table)}</b> {say('because', table.result.value?.why ?? '')}{' '}
          <button type="button" class="button small primary" onClick={onEnd}>
            {say('toEnd')}
          </button>
        </p>
      )}
    </div>
  );
}

/** What is true for the whole match: who sees hidden pieces, and that one only watches. */
export function StandingNotes({ table }: { table: Table }) {
  if (table.result.value) return null;
  if (table.about.value.spectatorsSeeHidden)
    return (
      <p class="strip-notes warn" data-notice="glass">
        {t('match.glass')}
      </p>
    );
  const watching = table.you.value === null && table.kind !== 'replay';
  return watching ? <p class="strip-notes">{say('watching')}</p> : null;
}

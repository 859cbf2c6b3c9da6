/* days-list.tsx -- one's matches over days, with those first in which it is one's turn. */
import { useEffect } from 'preact/hooks';
import { accountName } from '../account';
import type { Game } from '../model';
import { href } from '../router';
import { t } from '../texts/texts';
import { lookAtTurns, turns, type DaysMatch } from '../turns';
import { usePromise } from './parts';
import { PlayerName } from './player-name';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long somebody has, in the largest unit that says it. */
function leftWords(ms: number): string {
  if (ms >= 2 * DAY_MS) return t('days.left', { n: Math.floor(ms / DAY_MS) });
  if (ms >= 2 * HOUR_MS) return t('days.left.hours', { n: Math.floor(ms / HOUR_MS) });
  return t('days.left.minutes', { n: Math.max(0, Math.floor(ms / 60_000)) });
}

/** A match, and the way to it. */
function Row({ match, title }: { match: DaysMatch; title: string }) {
  const { code, yours, opponent, deadline_ms } = match;
  const words = t(yours ? 'days.play' : 'days.open');
  return (
    <li class={`notice row apart${yours ? ' good' : ''}`}>
      <span>
        <strong>{t(yours ? 'days.yours' : 'days.theirs')}</strong> {title}{' – '}
        {opponent === null ? t('days.deleted') : <PlayerName name={opponent} account />}
        {yours && deadline_ms !== undefined && <> · {leftWords(deadline_ms - Date.now())}</>}
      </span>
      <a class={`button small${yours ? ' primary' : ''}`} href={href('table', code)} aria-label={t('days.open.of', { do: words, game: title, name: opponent ?? t('days.deleted') })}>
        {words}
      </a>
    </li>
  );
}

/** Challenges of somebody who has an account; they come with a later load. */
export function Challenged({ games }: { games: Game[] }) {
  const has = accountName() !== '';
  const { value } = usePromise(async () => (has ? { List: (await import('../players/challenge')).Challenges } : null), [has]);
  return value ? <value.List games={games} /> : null;
}

/** The list; `mine`: only those in which it is one's turn. */
export function DaysList({ games, mine = false }: { games: Game[]; mine?: boolean }) {
  useEffect(() => void lookAtTurns(), []);
  const all = (turns.value ?? []).filter(({ yours }) => yours || !mine);
  if (all.length === 0) return null;
  return (
    <section class="stack tight" aria-label={t('days.title')}>
      <h2>{t('days.title')}</h2>
      <ul class="stack plain unfinished">
        {all.map((match) => <Row key={match.code} match={match} title={games.find(({ id }) => id === match.game)?.title ?? match.game} />)}
      </ul>
    </section>
  );
}

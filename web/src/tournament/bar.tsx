/* bar.tsx -- wherever a player of a tournament is on the page: the next match, and the way back. */
import { href, route } from '../router';
import { current } from '../session';
import { shownName, t } from '../texts/texts';
import { useDoing } from '../screens/parts';
import { followed, playNext, you } from './follow';

/** Says that the next match is ready, or leads back to the tournament; nothing while a match of it is played. */
export function TournamentBar() {
  const now = followed.value;
  const doing = useDoing();
  const table = current.value;
  if (!now || you.value?.player === undefined) return null;
  const ready = you.value.table !== undefined && you.value.table !== table?.about.value.code;
  const plays = route.value[0] === 'table' && table?.state.value === 'running' && table.you.value !== null;
  if (plays || (!ready && (now.state === 'over' && route.value[0] !== 'table'))) return null;
  return (
    <div class="still-waiting notice row tournament-bar" role="status">
      <span>{ready ? t('tournament.ready', { name: shownName(you.value.opponent ?? '') }) : now.title}</span>
      {ready && <button class="button primary small" disabled={doing.busy} onClick={() => doing.run(playNext)}>{t('tournament.play')}</button>}
      <a class="button small" href={href('tournament', now.code)}>{t('tournament.back')}</a>
    </div>
  );
}

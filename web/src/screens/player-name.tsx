/* player-name.tsx -- names of players wherever they stand: one of an account leads to its profile and has its rating beside it. */
import { embedded } from '../embedded';
import type { Player } from '../model';
import { shownName, t } from '../texts/texts';

/** A rating as it stands beside a name: with a question mark while it is not certain. */
export function Rating({ rating, provisional = false }: Pick<Player, 'rating' | 'provisional'>) {
  if (rating === undefined) return null;
  return (
    <span class="rating number" title={t(provisional ? 'rating.unsure' : 'rating.words', { n: rating })}>
      <span aria-hidden="true">{rating}{provisional ? '?' : ''}</span>
      <span class="visually-hidden">{t(provisional ? 'rating.unsure' : 'rating.words', { n: rating })}</span>
    </span>
  );
}

/** Who somebody is: a name of an account leads to its profile, and has its rating beside it. `away`: the profile opens in another tab, since
 * a match is on here, as it does from a frame of another page. */
export function PlayerName({ name, account = false, rating, provisional, away = false }:
  Pick<Player, 'account' | 'rating' | 'provisional'> & { name: string; away?: boolean }) {
  if (!account) return <>{shownName(name)}</>;
  return (
    <>
      <a class="player" href={`${embedded === null ? '' : '/'}#/player/${encodeURIComponent(name)}`} {...(away || embedded !== null ? { target: '_blank' } : {})}>{name}</a>
      {rating !== undefined && <>{' '}<Rating rating={rating} {...(provisional === undefined ? {} : { provisional })} /></>}
    </>
  );
}

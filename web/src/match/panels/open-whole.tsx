/* open-whole.tsx -- the way from a match in a frame of another page to the whole page. */
import { t } from '../../texts/texts';

/** The whole page, in a new window. */
export function OpenWhole({ code }: { code: string }) {
  return (
    <a class="button small" href={`/#/table/${code}`} target="_blank" rel="noopener" aria-label={t('embed.open')}>
      <span aria-hidden="true">↗</span> <span class="menu-word">{t('embed.open')}</span>
    </a>
  );
}

/* page-title.ts -- the title of the tab while a match is shown: whose turn it is, then the game. */
import { useEffect } from 'preact/hooks';
import type { Table } from '../../table/table';
import { say } from '../../texts/match';
import { turnWords } from '../panels/status-bar';
import { resultWords } from './end';

/** What the tab is called now. */
export function titleOf(table: Table): string {
  const position = table.position.value;
  const { title } = table.about.value;
  const state =
    table.kind === 'replay'
      ? say('replaying')
      : position?.result
        ? resultWords(table)
        : position
          ? turnWords(table, position)
          : '';
  return [state, title, 'Mashup'].filter(Boolean).join(' · ');
}

/** Keeps the tab's title up to date as long as the match screen is there; the next screen sets its own. */
export function usePageTitle(table: Table): void {
  const title = titleOf(table);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/* embed.tsx -- one match in a frame of another page: the running one as spectators see it, or the replay, and a link to the whole page. */
import { matchFile } from '../arena/lists';
import { lazy } from '../lazy';
import { OpenWhole } from '../match/panels/open-whole';
import { openOnline } from '../table/online';
import type { Table } from '../table/table';
import { t } from '../texts/texts';
import { Screen, Trouble, usePromise } from './parts';

const MatchScreen = lazy(async () => (await import('../match/flow/match')).MatchScreen);

/** The match of this code, watched; replayed if it is over. */
async function openEmbedded(code: string): Promise<Table> {
  try {
    const table = await openOnline(t('name.guest'), { type: 'watch', code });
    if (table.state.value !== 'over') return table;
    table.close();
  } catch {
    /* It is over, and its table is gone; or there is none. */
  }
  return (await import('../table/replay')).openReplay(`${code}.json`, await matchFile(code));
}

/** What the frame shows. */
export function EmbedScreen({ code }: { code: string }) {
  const { value: table, error } = usePromise(() => openEmbedded(code), [code]);
  if (table && table.state.value !== 'waiting') return <MatchScreen table={table} />;
  return (
    <Screen title={t(table ? 'embed.waits' : error === undefined ? 'table.opening' : 'table.failed')}>
      <Trouble error={error ?? null} />
      <p><OpenWhole code={code} /></p>
    </Screen>
  );
}

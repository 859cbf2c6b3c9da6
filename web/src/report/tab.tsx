/* tab.tsx -- the place of the report beside a replay; the report itself comes with a later load. */
import { signal } from '@preact/signals';
import { Trouble, usePromise } from '../screens/parts';
import type { ReplayControls, Table } from '../table/table';

/** The next replay that is opened shows its report first. */
export const reportWanted = signal(false);

/** The report of a replay. */
export function ReportTab({ table, controls }: { table: Table; controls: ReplayControls }) {
  const { value, error } = usePromise(() => import('./panel'), []);
  return value ? <value.ReportPanel table={table} controls={controls} /> : <div class="talk"><Trouble error={error} /></div>;
}

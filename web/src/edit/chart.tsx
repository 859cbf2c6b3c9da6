/* chart.tsx -- balance at a glance: bars that compare the rows of a list. */
import { tell } from '../texts/edit';
import type { Kind } from './kinds';
import { nameOf } from './rows';
import { at, isObject, type Json } from './value';

/** The charts of a document. */
export function Charts({ kind, value }: { kind: Kind; value: Json }) {
  return (
    <>
      {kind.charts.map(({ path, measures }) => {
        const list = at(value, path);
        const rows = Array.isArray(list) ? list.filter(isObject) : [];
        const most = measures.map(({ of }) => Math.max(1, ...rows.map(of)));
        return (
          <details class="panel chart" key={path.join('.')}>
            <summary>{tell('edit.balance')}</summary>
            <div class="scroll" tabIndex={0} role="region" aria-label={tell('edit.balance')}>
              <table class="table">
                <thead><tr><th scope="col">{tell('edit.name')}</th>{measures.map(({ name }) => <th scope="col" key={name}>{tell(name)}</th>)}</tr></thead>
                <tbody>
                  {rows.map((row, i) => (
                    <tr key={i}>
                      <th scope="row">{nameOf(row, i)}</th>
                      {measures.map(({ name, of }, j) => (
                        <td key={name}><span class="bar-cell" style={{ '--part': of(row) / most[j]! }}><i aria-hidden="true" />{of(row)}</span></td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        );
      })}
    </>
  );
}

/* match.tsx -- the match screen: a plain placeholder. */
import type { Table } from '../table/table';
import { actionsOf } from '../model';

/** Draws a table and takes the wishes of the person here. */
export function MatchScreen({ table }: { table: Table }) {
  const position = table.position.value;
  return (
    <main class="match">
      <h1>{table.about.value.title}</h1>
      <p role="status">{table.result.value?.why ?? position?.board.phase}</p>
      <ol>
        {position && actionsOf(position).slice(0, 40).map((action) => (
          <li><button class="action" onClick={() => void table.act(action)}>{action.word}</button></li>
        ))}
      </ol>
      <ul class="log">{table.log.value.slice(-20).map((line) => <li>{line.text}</li>)}</ul>
    </main>
  );
}

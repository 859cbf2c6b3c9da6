/* score-table.tsx -- a table of results: how often somebody won, drew and lost, by something. */
import { tell } from '../texts/account';

/** How often somebody won, drew and lost. */
export interface Score {
  wins: number;
  draws: number;
  losses: number;
}

/** Counts by something that rows have in common. */
export function ScoreTable({ caption, head, rows }: { caption: string; head: string; rows: [key: string, name: preact.ComponentChildren, score: Score][] }) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={caption}>
      <table class="table profile-table">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" class="number">{tell('played')}</th>
            <th scope="col" class="number">{tell('wins')}</th>
            <th scope="col" class="number">{tell('draws')}</th>
            <th scope="col" class="number">{tell('losses')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, name, { wins, draws, losses }]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td class="number">{wins + draws + losses}</td>
              <td class="number">{wins}</td>
              <td class="number">{draws}</td>
              <td class="number">{losses}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

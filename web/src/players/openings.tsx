/* openings.tsx -- how somebody begins a game, and with what success: what was drafted, piece by piece, or the first action. */
import { useState } from 'preact/hooks';
import { Choice, Trouble, usePromise } from '../screens/parts';
import { tell } from '../texts/account';
import { openingsOf, type Opening } from './ask';
import { ScoreTable, type Score } from './score-table';

const ROWS_MAX = 12;

/** An id as it can be read: "dr-strange" is "Dr strange". */
function readable(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ');
}

const played = ({ wins, draws, losses }: Score): number => wins + draws + losses;

/** Was it a draft? Actions have blanks between their words, kinds have none. */
const isDraft = ({ opening }: Opening): boolean => !opening.includes(' ');

/** Results by what was drafted, or by the first action. What is in every draft says nothing and is left out. */
export function openingRows(openings: Opening[]): [name: string, score: Score][] {
  const rows = new Map<string, Score>();
  const all = openings.reduce((sum, one) => sum + played(one), 0);
  for (const one of openings)
    for (const part of isDraft(one) ? one.opening.split('+').map(readable) : [one.opening]) {
      const score = rows.get(part) ?? { wins: 0, draws: 0, losses: 0 };
      rows.set(part, { wins: score.wins + one.wins, draws: score.draws + one.draws, losses: score.losses + one.losses });
    }
  const listed = [...rows].sort(([, a], [, b]) => played(b) - played(a));
  const telling = listed.filter(([, score]) => played(score) < all);
  return (telling.length > 0 ? telling : listed).slice(0, ROWS_MAX);
}

/** Openings of a game that is chosen; nothing if none is known. */
export function Openings({ name, games, title }: { name: string; games: string[]; title: (id: string) => string }) {
  const [game, setGame] = useState(games[0] ?? '');
  const openings = usePromise(() => openingsOf(name, game), [name, game]);
  const rows = openingRows(openings.value ?? []);
  const head = tell(openings.value?.some(isDraft) ? 'drafted' : 'firstAction');
  return (
    <section class="panel stack">
      <h2>{tell('openings')}</h2>
      {games.length > 1 && <Choice label={tell('game')} value={game} all={games.map((id): [string, string] => [id, title(id)])} onChoose={(id) => setGame(String(id))} />}
      <Trouble error={openings.error} />
      {openings.value && rows.length === 0 && <p class="soft">{tell('noOpenings')}</p>}
      {rows.length > 0 && <ScoreTable caption={tell('openings')} head={head} rows={rows.map(([part, score]) => [part, part, score])} />}
    </section>
  );
}

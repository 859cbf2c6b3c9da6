/* screen.tsx -- all puzzles, #/puzzles; one of them on the board, #/puzzle/GAME/NUMBER, that of the day, #/puzzle/daily, and the turn of one's own
 * match that was chosen beside a report, #/puzzle/own. */
import { useEffect } from 'preact/hooks';
import { allGames } from '../engine/engine';
import { go, href } from '../router';
import { current, openTable } from '../session';
import { Opening, Screen, Trouble, useDoing, usePromise } from '../screens/parts';
import { TableHost } from '../screens/tables';
import { puzzleText as say } from '../texts/puzzles';
import { dayOf, gameOfDay, gamesWithPuzzles, numberOfDay, ownPuzzle, puzzlesOf, ratingOf, type Puzzle } from './file';
import { record, ratingWords, solvedOf } from './record';

/** Titles of the games by their ids. */
async function titles(): Promise<Map<string, string>> {
  return new Map((await allGames()).map(({ id, title }) => [id, title]));
}

/** Opens the puzzle of this address. */
async function open(game: string, number: string): Promise<void> {
  const { openOwnPuzzle, openPuzzle } = await import('../table/puzzle');
  if (game === 'own') {
    if (!ownPuzzle.value) return go('mine');
    return openTable(await openOwnPuzzle(ownPuzzle.value));
  }
  const day = dayOf(new Date());
  const id = game === 'daily' ? gameOfDay(day) : game;
  const puzzles = await puzzlesOf(id ?? '');
  if (!id || puzzles.length === 0) throw new Error(say('gone'));
  /* Behind the last one comes the first. */
  const at = game === 'daily' ? numberOfDay(day, puzzles.length) : (Number(number) - 1) % puzzles.length;
  const puzzle = puzzles[at];
  if (!puzzle) throw new Error(say('gone'));
  openTable(await openPuzzle(id, (await titles()).get(id) ?? id, at, puzzle));
}

/** A puzzle on the board. */
export function PuzzleScreen({ game, number }: { game: string; number: string }) {
  const doing = useDoing();
  const table = current.value;
  const there = table?.puzzle != null && table.puzzle.address.join('/') === [game, number].filter(Boolean).join('/');
  useEffect(() => {
    if (!there) doing.run(() => open(game, number));
  }, [game, number]);
  if (table && there) return <TableHost key={table.puzzle?.address.join('/')} table={table} />;
  return <Opening title={say(doing.error ? 'failed' : 'opening')} error={doing.error} />;
}

/** One puzzle in the list. */
function Entry({ game, puzzle, number }: { game: string; puzzle: Puzzle; number: number }) {
  const state = record.value.tried[`${game}/${puzzle.seed}/${puzzle.actions.length}`] ?? 'open';
  return (
    <li>
      <a class={`button small puzzle-${state}`} href={href('puzzle', game, String(number + 1))} aria-label={`${say('number', number + 1)}, ${ratingOf(puzzle)}, ${say(state)}`}>
        {number + 1}{state === 'right' ? ' ✓' : state === 'wrong' ? ' ✗' : ''}
      </a>
    </li>
  );
}

/** The puzzles of a game. */
function OfGame({ game, title }: { game: string; title: string }) {
  const { value = [], error } = usePromise(() => puzzlesOf(game), [game]);
  return (
    <section class="stack tight">
      <h2>{title}</h2>
      <ul class="row plain puzzle-list" aria-label={title}>{value.map((puzzle, number) => <Entry game={game} puzzle={puzzle} number={number} />)}</ul>
      <Trouble error={error} />
    </section>
  );
}

/** All puzzles. */
export function PuzzlesScreen() {
  const { value: known, error } = usePromise(titles, []);
  const [right, all] = solvedOf(record.value);
  return (
    <Screen title={say('title')}>
      <p>{say('about')}</p>
      <p class="row">
        <a class="button primary" href={href('puzzle', 'daily')}>{say('daily')}</a>
        <span>{say('rating', ratingWords(record.value.rating))}</span>
        <span>{say('solved', right, all)}</span>
      </p>
      <Trouble error={error} />
      {gamesWithPuzzles().map((game) => <OfGame key={game} game={game} title={known?.get(game) ?? game} />)}
    </Screen>
  );
}

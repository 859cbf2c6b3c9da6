/* panel.tsx -- what a puzzle says, in the place of the dock's hint: what to do, whether it was right and why, and the ways on. */
import { unitLabel } from '../names';
import { percent } from '../report/review';
import { go } from '../router';
import { closeTable } from '../session';
import type { MatchInput } from '../match/input/match-input';
import type { PuzzleControls, Table } from '../table/table';
import { puzzleText as say } from '../texts/puzzles';

/** What is to be done, or how it turned out. */
function words(table: Table, puzzle: PuzzleControls): string {
  const seat = table.you.value ?? 0;
  const side = table.about.value.sides[seat];
  const chance = puzzle.chance.value ?? 0;
  switch (puzzle.stage.value) {
    case 'judging': return say('judging');
    case 'right':
      return `${table.result.value?.winner === seat ? say('isRightWon') : say('isRight', percent(chance))} ${say('isRightElse', percent(puzzle.second))}`;
    case 'wrong': return say('isWrong', percent(chance), percent(puzzle.best));
    case 'shown': return say('shown', percent(puzzle.best), percent(puzzle.second));
    default:
      return puzzle.address[0] === 'own' ? say('own', side, percent(puzzle.best - puzzle.second)) : say(puzzle.kind, side);
  }
}

/** The hint that was asked for. */
function hintWords(table: Table, puzzle: PuzzleControls): string {
  const unit = puzzle.hinted.value;
  const board = table.position.value?.board;
  if (unit === null || !board || puzzle.stage.value !== 'playing') return '';
  return unit >= 0 ? say('hintUnit', unitLabel(board, unit)) : say('hintWord', puzzle.solution[0] ?? '');
}

/** The panel. */
export function PuzzlePanel({ table, puzzle, input }: { table: Table; puzzle: PuzzleControls; input: MatchInput }) {
  const stage = puzzle.stage.value;
  const rated = puzzle.rated.value;
  const [game = '', number = ''] = puzzle.address;
  const button = (text: string, what: () => void, more = '') =>
    <button type="button" class={`button small ${more}`} onClick={what}>{text}</button>;
  const leave = () => {
    closeTable();
    if (game === 'own') history.back();
    else go('puzzles');
  };
  return (
    <div class="coach puzzle" data-stage={stage}>
      <p class="coach-text" role="status">
        {words(table, puzzle)} {hintWords(table, puzzle)}
        {rated && <b> {say('rated', rated[0], rated[1])}</b>}
        {input.message.value && <b class="refused"> {input.message.value}</b>}
      </p>
      <div class="coach-ways">
        {stage === 'playing' && puzzle.hinted.value === null && button(say('hint'), () => puzzle.hint())}
        {stage === 'playing' && table.undoable.value === 'ok' && button(say('back'), () => void puzzle.again())}
        {(stage === 'wrong' || stage === 'shown') && button(say('again'), () => void puzzle.again(), 'primary')}
        {stage !== 'judging' && stage !== 'shown' && button(say('show'), () => void puzzle.show())}
        <span class="grow" />
        {game !== 'own' && stage !== 'playing' && stage !== 'judging' &&
          button(say('next'), () => go('puzzle', game, String(Number(number) + 1)), stage === 'right' ? 'primary' : '')}
        {button(say(game === 'own' ? 'leaveOwn' : 'leave'), leave, 'quiet')}
      </div>
    </div>
  );
}

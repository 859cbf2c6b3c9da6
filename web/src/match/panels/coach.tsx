/* coach.tsx -- what a lesson says, in the place of the dock's hint: the step's text, what to press, and the ways on, back and out. */
import { useEffect } from 'preact/hooks';
import { go } from '../../router';
import { closeTable, playAfterLesson } from '../../session';
import { markKnown } from '../../lesson/known';
import type { LessonControls, Table } from '../../table/table';
import { spoken } from '../../texts/language';
import { say } from '../../texts/match';
import { needsArming } from '../input/board-actions';
import { keyLabel, type KeyAction, type Keys } from '../input/keys';
import type { MatchInput } from '../input/match-input';
import { isEnding } from '../input/legal-actions';

/** The keys that do what the step asks for, for who plays without a pointer; none while the opponent acts. */
function keysFor(input: MatchInput, lesson: LessonControls, keys: Keys): string[] {
  const [action] = input.actions.value;
  const group = input.groups.value.findIndex((one) => one.actions.some(({ word }) => word === action?.word));
  const names: KeyAction[] = lesson.reading.value ? ['act'] : [];
  const button = `action-${group + 1}` as KeyAction;
  if (action && isEnding(action)) names.push('end-turn');
  else if (input.question.value) names.push('action-1');
  else if (action && action.cell === null) names.push(button, ...(action.direction === '' ? [] : ['action-1' as const]));
  else if (action) names.push(...(needsArming(input, action) ? [button] : []), 'cursor-next', 'act');
  return names.map((name) => keyLabel(keys[name]));
}

/** The ways out of the last step. */
function Ending({ table, lesson }: { table: Table; lesson: LessonControls }) {
  const { game, title } = table.about.value;
  useEffect(() => markKnown(game), [game]);
  return (
    <>
      <button type="button" class="button primary small" onClick={() => void playAfterLesson(game, title, lesson.preset)}>
        {say('lessonPlay')}
      </button>
      <a href={`#/rules/${game}`} target="_blank" rel="noopener">{say('rules')}</a>
    </>
  );
}

/** The lesson's own panel. */
export function Coach({ table, lesson, input, keys }: { table: Table; lesson: LessonControls; input: MatchInput; keys: Keys }) {
  const at = lesson.at.value;
  const last = at + 1 === lesson.length;
  const pressed = keysFor(input, lesson, keys);
  return (
    <div class="coach">
      <p class="coach-text" role="status">
        <span class="coach-count" aria-hidden="true">
          {at + 1}/{lesson.length}
        </span>
        <span class="visually-hidden">{say('lessonStep', at + 1, lesson.length)}. </span>
        {spoken(lesson.text.value)}
        {!last && pressed.length > 0 && <span class="visually-hidden"> {say('lessonKeys', pressed.join(', '))}</span>}
        {input.message.value && <b class="refused"> {input.message.value}</b>}
      </p>
      <div class="coach-ways">
        <button type="button" class="button small" disabled={at === 0 && table.undoable.value !== 'ok'} onClick={() => void lesson.back()}>
          {say('lessonBack')}
        </button>
        {last ? (
          <Ending table={table} lesson={lesson} />
        ) : (
          lesson.reading.value && (
            <button type="button" class="button primary small" onClick={() => lesson.next()}>
              {say('lessonNext')}
            </button>
          )
        )}
        {!last && pressed.length > 0 && (
          <span class="coach-keys small soft">
            {pressed.map((key) => (
              <kbd>{key}</kbd>
            ))}
          </span>
        )}
        <span class="grow" />
        <button type="button" class="button quiet small" onClick={() => void lesson.restart()}>
          {say('lessonAgain')}
        </button>
        <button
          type="button"
          class="button quiet small"
          onClick={() => {
            closeTable();
            go('game', table.about.value.game);
          }}
        >
          {say('lessonLeave')}
        </button>
      </div>
    </div>
  );
}

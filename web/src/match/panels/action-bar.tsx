/* action-bar.tsx -- below the board: what to do now in a sentence, every action as a button with its
 * cost and outcome, the end of the turn, and tips. */
import { useEffect } from 'preact/hooks';
import { tokenOf, type Position } from '../../model';
import { unitLabel } from '../../names';
import { Trouble, usePromise } from '../../screens/parts';
import { oneSentence, speak } from '../../speech';
import type { PuzzleControls, Table } from '../../table/table';
import { howToFor } from '../../texts/howto';
import { describedAction } from '../../texts/descriptions';
import { say } from '../../texts/match';
import { dangerEverywhere, hasHealth, UNKNOWN } from '../input/danger';
import type { MatchInput } from '../input/match-input';
import { keyLabel, type Keys } from '../input/keys';
import { costWords, markKind, outcomeWords, actionText } from '../input/preview-text';
import { Coach } from './coach';
import { Picture } from './portrait';
import { needsArming, type ActionButton } from '../input/board-actions';
import { thingNames, actionTitle, type LegalAction } from '../input/legal-actions';

/** What to do now while the other side is awaited. */
function preparedHint({ prepared }: MatchInput): string {
  if (prepared.asking.value) return say(prepared.unit.value === null ? 'hintCondition' : 'hintConditionCell');
  if (prepared.intents.value.length > 0) return say(prepared.canKeep.value ? 'hintKeep' : 'hintPrepared');
  return say(prepared.kept.value.length > 0 ? 'hintKept' : 'hintPrepare');
}

/** What the shades of danger on the board mean; what is the same on every cell is said once. */
function dangerLegend(position: Position, threat: number[]): string {
  const everywhere = dangerEverywhere(position.board, threat);
  if (everywhere > 0) return say(threat.every((most) => most === everywhere) ? 'legendEverywhere' : 'legendMore', everywhere);
  const legend = say(hasHealth(position.board) ? 'legendHealth' : 'legendLoss');
  return threat.includes(UNKNOWN) ? `${legend} ${say('legendUnknown')}` : legend;
}

/** The sentence that says what to do now. */
function hint(table: Table, input: MatchInput, position: Position): string {
  if (position.result) return `${say('matchOver')}.`;
  if (table.paused.value) return say('hintPaused');
  if (input.threat.value?.some((most) => most !== 0)) return dangerLegend(position, input.threat.value);
  if (input.threat.value && input.threatOn.value) return say('legendNone');
  const actions = input.actions.value;
  const howto = howToFor(table.about.value.game);
  if (actions.length === 0) {
    if (input.prepared.open.value) return preparedHint(input);
    return position.you === null ? say('hintWatch') : say('hintWait');
  }
  const { unit, armed } = input.selection.value;
  const question = input.question.value;
  if (question?.cell) return say('hintAsk', question.cell.x, question.cell.y);
  const group = input.groups.value.find((one) => one.key === armed);
  if (group?.actions[0])
    return say(question ? 'hintDirection' : 'hintArmed', actionTitle({ ...group.actions[0], direction: '' }, thingNames(position)));
  if (input.groups.value.length === 0 && input.able.value.length === 0) return say('hintEndOnly');
  const coached = howto?.hints?.[position.board.phase_id];
  if (coached) return coached;
  if (unit !== null) return say('hintUnit', unitLabel(position.board, unit));
  return input.able.value.length > 0 ? say('hintChoose') : say('hintEndOnly');
}

/** How many targets or directions a button offers. */
function count(group: ActionButton): string {
  const cells = new Set(group.actions.map((action) => action.word)).size;
  if (group.actions.every((action) => action.direction !== '')) return say('chooseDirection', cells);
  return cells === 1 ? say('oneTarget') : say('chooseTarget', cells);
}

/** How close the buttons stand, by their number: a class of layout.css. */
function density(buttons: number): string {
  return buttons <= 4 ? 'few' : buttons <= 6 ? 'some' : buttons <= 9 ? 'many' : 'most';
}

/** One way to act, with its cost and what would come of it. */
function GroupButton({
  input,
  group,
  position,
  hotkey,
  names,
}: {
  input: MatchInput;
  group: ActionButton;
  position: Position;
  hotkey: string;
  names: Map<string, string>;
}) {
  const first = group.actions[0] as LegalAction;
  const preview = input.preview(first);
  const title = actionTitle({ ...first, direction: '' }, names);
  const owner = first.unit === null ? '' : costWords(first, preview);
  const told = group.plain ? outcomeWords(position, first, preview) : count(group);
  const pressed = input.selection.value.armed === group.key;
  return (
    <button
      type="button"
      class={`action ${first.kind}`}
      disabled={input.busy.value}
      aria-pressed={group.plain ? undefined : pressed}
      data-action={group.plain ? first.word : undefined}
      data-group={group.key}
      data-arms={needsArming(input, first) || undefined}
      title={describedAction(input.table.about.value.content, first) || undefined}
      onPointerEnter={() => group.plain && input.expect(first)}
      onClick={() => input.press(group)}
    >
      <span class="action-title">
        <span>{title}</span>
        {hotkey && <kbd>{hotkey}</kbd>}
      </span>
      <small>{[told, owner && say('costs', owner)].filter(Boolean).join(' · ') || ' '}</small>
    </button>
  );
}

/** Those on the bench who can come onto the board: there is no other place to click them. */
function benched(input: MatchInput, position: Position): number[] {
  return input.able.value.filter((unit) => tokenOf(position.board, unit)?.place === 'bench');
}

/** Their buttons. */
function Bench({ input, position }: { input: MatchInput; position: Position }) {
  const units = benched(input, position);
  return (
    <>
      {units.map((unit) => {
        const token = tokenOf(position.board, unit);
        const verb = input.actions.value.find((action) => action.unit === unit)?.title ?? '';
        return (
          <button
            type="button"
            key={unit}
            class="action place bench"
            data-bench={unit}
            aria-pressed={input.selection.value.unit === unit}
            onClick={() => input.select(unit)}
          >
            <Picture kind={token?.kind_id} seat={token?.seat ?? null} size={30} />
            <span>
              <span class="action-title">
                <span>{unitLabel(position.board, unit)}</span>
              </span>
              <small>{verb}</small>
            </span>
          </button>
        );
      })}
    </>
  );
}

/** Asks which of several things is meant. */
function Question({ input, position, keys }: { input: MatchInput; position: Position; keys: Keys }) {
  const question = input.question.value;
  if (!question) return null;
  const names = thingNames(position);
  return (
    <div class={`choices ${density(question.actions.length + 1)}`} role="group">
      {question.actions.map((action, at) => (
        <button
          type="button"
          class={`action ${markKind(position, action, input.preview(action))}`}
          data-action={action.word}
          disabled={input.busy.value}
          onPointerEnter={() => input.expect(action)}
          onClick={() => void input.perform(action)}
        >
          <span class="action-title">
            <span>{actionTitle(action, names, input.turned.value)}</span>
            {at < 9 && <kbd>{keyLabel(keys[`action-${at + 1}` as keyof Keys])}</kbd>}
          </span>
          <small>{outcomeWords(position, action, input.preview(action)) || ' '}</small>
        </button>
      ))}
      <button type="button" class="action" onClick={() => input.cancel()}>
        <span class="action-title">
          <span>{say('goBack')}</span>
          <kbd>{keyLabel(keys.cancel)}</kbd>
        </span>
        <small> </small>
      </button>
    </div>
  );
}

/** One line of what is prepared; a click takes it out. */
function PreparedLine({ at, kind, words, label, drop }: { at: number | string; kind: string; words: string; label: string; drop: () => void }) {
  return (
    <button type="button" class={`action ${kind}`} data-prepared={at} aria-label={label} onClick={drop}>
      <span class="action-title">
        <span>{words}</span>
        <span aria-hidden="true">✕</span>
      </span>
    </button>
  );
}

/** What is prepared for one's own turn, what it is bound to, and, in a match over days, what is left with the server. */
function Prepared({ input, position }: { input: MatchInput; position: Position }) {
  const { prepared } = input;
  const intents = prepared.intents.value;
  const condition = prepared.condition.value;
  const kept = prepared.kept.value;
  const asking = prepared.asking.value;
  return (
    <div class="dock-row">
      <div class={`choices ${density(intents.length + kept.length + (condition ? 1 : 0))}`} role="group" aria-label={say('prepared')}>
        {condition && (
          <PreparedLine
            at="when"
            kind="other"
            words={say('keptWhen', prepared.words(position, condition))}
            label={say('keptWhenDrop')}
            drop={() => input.askCondition()}
          />
        )}
        {intents.map((intent, at) => {
          const words = prepared.words(position, intent);
          return (
            <PreparedLine
              at={at}
              kind={intent.target === null ? 'move' : 'attack'}
              words={`${at + 1}. ${words}`}
              label={say('preparedDrop', prepared.spoken(position, intent))}
              drop={() => input.dropPrepared(at)}
            />
          );
        })}
        {kept.map((branch, at) => {
          const words = prepared.branchWords(position, branch);
          return <PreparedLine at={`kept-${at}`} kind="use" words={words} label={say('keptDrop', words)} drop={() => input.dropKept(at, words)} />;
        })}
      </div>
      {prepared.canKeep.value && (intents.length > 0 || asking) && (
        <div class="dock-end">
          {!condition && (
            <button type="button" class="button small kept-condition" aria-pressed={asking} onClick={() => input.askCondition()}>
              {say(asking ? 'goBack' : 'keptOnlyIf')}
            </button>
          )}
          {intents.length > 0 && (
            <button
              type="button"
              class="button small primary keep-turn"
              disabled={asking || !prepared.hasRoom.value}
              onClick={() => void input.keepPrepared()}
            >
              {say('keptKeep')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** The recommended action with its reason and risk. It lies over the half of the board that it is not about. */
export function TipCard({ table, input }: { table: Table; input: MatchInput }) {
  const position = table.position.value;
  const tip = input.tip.value;
  const action = input.actions.value.find((one) => one.word === tip?.action.word);
  useEffect(() => {
    if (position && tip && action) speak(oneSentence([actionText(position, action, thingNames(position)), tip.reason, tip.risk]));
  }, [tip]);
  if (!position || !tip || !action || !table.tipsOn.value || input.history.past.value !== null) return null;
  const row = action.cell?.y ?? (action.unit === null ? 0 : (tokenOf(position.board, action.unit)?.y ?? 0));
  const half = row * 2 < position.board.height !== input.turned.value ? 'low' : 'high';
  return (
    <div class={`over-board ${half}`}>
      <p class="notice tip">
        <span class="grow">
          <b>{actionText(position, action, thingNames(position), input.turned.value)}.</b> {tip.reason}
          {tip.risk && <span class="soft"> {tip.risk}</span>}
        </span>
        <button type="button" class="button small primary" onClick={() => input.followTip()}>
          {say('tipDo')}
        </button>
        <button type="button" class="button quiet small square" aria-label={say('close')} onClick={() => input.cancel()}>
          ✕
        </button>
      </p>
    </div>
  );
}

/** What to do now, or why something was not done; or, in its place, the way to an enemy that is out of reach. */
function Hint({ table, input, position }: { table: Table; input: MatchInput; position: Position }) {
  const refused = input.message.value ?? (input.sure.value ? say('sureText') : null);
  const chase = input.chase.value;
  useEffect(() => speak(refused ?? ''), [refused]);
  return (
    <p class="hint">
      {refused !== null ? (
        <span class="refused">{refused}</span>
      ) : (
        !chase && hint(table, input, position)
      )}
      {chase && (
        <button type="button" class="button small primary walk-attack" onClick={() => input.followChase()}>
          {say('chaseDo', unitLabel(position.board, chase.enemy), chase.words.length - 1)}
        </button>
      )}
    </p>
  );
}

/** A button that was clicked does not keep the keyboard: it may be gone in a moment, and the next key is meant for the match. */
function letGo({ detail }: MouseEvent): void {
  if (detail > 0 && document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** What a puzzle says; comes with a later load. */
function PuzzleCoach(props: { table: Table; puzzle: PuzzleControls; input: MatchInput }) {
  const { value, error } = usePromise(async () => ({ Panel: (await import('../../puzzles/panel')).PuzzlePanel }), []);
  return value ? <value.Panel {...props} /> : <Trouble error={error} />;
}

/** The action bar. */
export function Dock({ table, input, keys }: { table: Table; input: MatchInput; keys: Keys }) {
  const position = table.position.value;
  if (!position) return null;
  const groups = input.groups.value;
  const names = thingNames(position);
  const mine = input.actions.value.length > 0;
  return (
    <section class="dock" aria-label={say('actions')} onClickCapture={letGo}>
      {table.lesson ? (
        <Coach table={table} lesson={table.lesson} input={input} keys={keys} />
      ) : table.puzzle ? (
        <PuzzleCoach table={table} puzzle={table.puzzle} input={input} />
      ) : (
        <Hint table={table} input={input} position={position} />
      )}
      {input.prepared.open.value && input.prepared.any.value ? (
        <Prepared input={input} position={position} />
      ) : input.question.value ? (
        <Question input={input} position={position} keys={keys} />
      ) : (
        <div class="dock-row">
          <div
            class={`choices ${density(groups.length + benched(input, position).length)}`}
            role="group"
            aria-label={say('actions')}
          >
            {groups.map((group, at) => (
              <GroupButton
                key={group.key}
                input={input}
                group={group}
                position={position}
                names={names}
                hotkey={at < 9 ? keyLabel(keys[`action-${at + 1}` as keyof Keys]) : ''}
              />
            ))}
            <Bench input={input} position={position} />
          </div>
          {mine && (
            <div class="dock-end">
              {table.tipsOn.value && (
                <button
                  type="button"
                  class={`button small ask-tip${input.thinkingTip.value ? ' thinking' : ''}`}
                  onClick={() => void input.askTip()}
                >
                  {say(input.thinkingTip.value ? 'tipStop' : 'tip')}{' '}
                  <kbd>{keyLabel(keys.tip)}</kbd>
                </button>
              )}
              {input.endings.value.map((action) => (
                <button
                  type="button"
                  class="button primary end-turn"
                  data-action={action.word}
                  disabled={input.busy.value}
                  onPointerEnter={() => input.expect(action)}
                  onClick={() => input.end(action)}
                >
                  {input.sure.value === action.word ? say('sureEnd') : actionTitle(action, names)}
                  <kbd>{keyLabel(keys['end-turn'])}</kbd>
                </button>
              ))}
            </div>
          )}
        </div>
      )}
    </section>
  );
}

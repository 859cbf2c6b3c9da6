/* action-bar.tsx -- below the board: what to do now in a sentence, every action as a button with its
 * cost and outcome, the end of the turn, and tips. */
import { tokenOf, type Position } from '../../model';
import { callUnit } from '../../names';
import type { Table } from '../../table/table';
import { lessonFor } from '../../texts/lessons';
import { described } from '../../texts/descriptions';
import { say } from '../../texts/match';
import type { Desk } from '../input/match-input';
import { keyLabel, type Keys } from '../input/keys';
import { costWords, markKind, outcomeWords, wishWords } from '../input/preview-text';
import { Picture } from './portrait';
import type { WishGroup } from '../input/board-actions';
import { thingNames, wishTitle, type Wish } from '../input/legal-actions';
import { word } from '../../texts/lexicon';

/** The sentence that says what to do now. */
function hint(table: Table, desk: Desk, position: Position): string {
  if (position.result) return `${say('matchOver')}.`;
  if (table.paused.value) return say('hintPaused');
  const wishes = desk.wishes.value;
  const lesson = lessonFor(table.about.value.game);
  if (wishes.length === 0) return position.you === null ? say('hintWatch') : say('hintWait');
  const { unit, armed } = desk.choice.value;
  const question = desk.question.value;
  if (question?.cell) return say('hintAsk', question.cell.x, question.cell.y);
  const group = desk.groups.value.find((one) => one.key === armed);
  if (group?.wishes[0])
    return say(question ? 'hintDirection' : 'hintArmed', wishTitle({ ...group.wishes[0], direction: '' }, thingNames(position)));
  if (desk.groups.value.length === 0 && desk.able.value.length === 0) return say('hintEndOnly');
  const coached = lesson?.hints[position.board.phase];
  if (coached) return coached;
  if (unit !== null) return say('hintUnit', callUnit(position.board, unit));
  return desk.able.value.length > 0 ? say('hintChoose') : say('hintEndOnly');
}

/** How many targets or directions a button offers. */
function count(group: WishGroup): string {
  const cells = new Set(group.wishes.map((wish) => wish.word)).size;
  if (group.wishes.every((wish) => wish.direction !== '')) return say('chooseDirection', cells);
  return cells === 1 ? say('oneTarget') : say('chooseTarget', cells);
}

/** One way to act, with its cost and what would come of it. */
function GroupButton({
  desk,
  group,
  position,
  hotkey,
  names,
}: {
  desk: Desk;
  group: WishGroup;
  position: Position;
  hotkey: string;
  names: Map<string, string>;
}) {
  const first = group.wishes[0] as Wish;
  const preview = desk.preview(first);
  const title = wishTitle({ ...first, direction: '' }, names);
  const owner = first.unit === null ? '' : costWords(first, preview);
  const told = group.plain ? outcomeWords(position, first, preview) : count(group);
  const pressed = desk.choice.value.armed === group.key;
  return (
    <button
      type="button"
      class={`action ${first.kind}`}
      disabled={desk.busy.value}
      aria-pressed={group.plain ? undefined : pressed}
      data-wish={group.plain ? first.word : undefined}
      data-group={group.key}
      title={first.action.ability > 0 ? described(desk.table.about.value.content, 'ability', first.action.ability) || undefined : undefined}
      onClick={() => desk.press(group)}
    >
      <span class="action-title">
        {title}
        {hotkey && <kbd>{hotkey}</kbd>}
      </span>
      <small>{[told, owner && say('costs', owner)].filter(Boolean).join(' · ') || ' '}</small>
    </button>
  );
}

/* Those on the bench who can come onto the board: there is no other place to click them. */
function Bench({ desk, position }: { desk: Desk; position: Position }) {
  const units = desk.able.value.filter((unit) => tokenOf(position.board, unit)?.place === 'bench');
  return (
    <>
      {units.map((unit) => {
        const token = tokenOf(position.board, unit);
        const verb = desk.wishes.value.find((wish) => wish.unit === unit)?.title ?? '';
        return (
          <button
            type="button"
            key={unit}
            class="action place bench"
            data-bench={unit}
            aria-pressed={desk.choice.value.unit === unit}
            onClick={() => desk.select(unit)}
          >
            <Picture kind={token?.kind} seat={token?.seat ?? null} size={30} />
            <span>
              <span class="action-title">{callUnit(position.board, unit)}</span>
              <small>{word('verb', verb)}</small>
            </span>
          </button>
        );
      })}
    </>
  );
}

/** Asks which of several things is meant. */
function Question({ desk, position, keys }: { desk: Desk; position: Position; keys: Keys }) {
  const question = desk.question.value;
  if (!question) return null;
  const names = thingNames(position);
  return (
    <div class="choices" role="group">
      {question.wishes.map((wish, at) => (
        <button
          type="button"
          class={`action ${markKind(position, wish, desk.preview(wish))}`}
          data-wish={wish.word}
          disabled={desk.busy.value}
          onClick={() => void desk.perform(wish)}
        >
          <span class="action-title">
            {wishTitle(wish, names)}
            {at < 9 && <kbd>{keyLabel(keys[`action-${at + 1}` as keyof Keys])}</kbd>}
          </span>
          <small>{outcomeWords(position, wish, desk.preview(wish)) || ' '}</small>
        </button>
      ))}
      <button type="button" class="action" onClick={() => desk.cancel()}>
        <span class="action-title">
          {say('goBack')}
          <kbd>{keyLabel(keys.cancel)}</kbd>
        </span>
        <small> </small>
      </button>
    </div>
  );
}

/** The recommended action with its reason and risk. */
function TipRow({ table, desk, position }: { table: Table; desk: Desk; position: Position }) {
  const tip = desk.tip.value;
  const wish = desk.wishes.value.find((one) => one.word === tip?.action.word);
  if (!tip || !wish || !table.tipsOn.value) return null;
  return (
    <p class="notice tip" role="status">
      <span class="grow">
        <b>{wishWords(position, wish, thingNames(position))}.</b> {tip.reason}
        {tip.risk && <span class="soft"> {tip.risk}</span>}
      </span>
      <button type="button" class="button small primary" onClick={() => desk.followTip()}>
        {say('tipDo')}
      </button>
    </p>
  );
}

/** The dock. */
export function Dock({ table, desk, keys }: { table: Table; desk: Desk; keys: Keys }) {
  const position = table.position.value;
  if (!position) return null;
  const groups = desk.groups.value;
  const names = thingNames(position);
  const mine = desk.wishes.value.length > 0;
  return (
    <section class="dock" aria-label={say('actions')}>
      {(!desk.tip.value || desk.message.value) && (
        <p class="hint">
          {desk.message.value ? (
            <span class="refused" role="alert">
              {desk.message.value}
            </span>
          ) : desk.sure.value ? (
            <span class="refused" role="alert">
              {say('sureText')}
            </span>
          ) : (
            hint(table, desk, position)
          )}
        </p>
      )}
      <TipRow table={table} desk={desk} position={position} />
      {desk.question.value ? (
        <Question desk={desk} position={position} keys={keys} />
      ) : (
        <div class="dock-row">
          <div class="choices" role="group" aria-label={say('actions')}>
            {groups.map((group, at) => (
              <GroupButton
                key={group.key}
                desk={desk}
                group={group}
                position={position}
                names={names}
                hotkey={at < 9 ? keyLabel(keys[`action-${at + 1}` as keyof Keys]) : ''}
              />
            ))}
            <Bench desk={desk} position={position} />
          </div>
          {mine && (
            <div class="dock-end">
              {table.tipsOn.value && (
                <button
                  type="button"
                  class={`button small ask-tip${desk.thinkingTip.value ? ' thinking' : ''}`}
                  onClick={() => void desk.askTip()}
                >
                  {say(desk.thinkingTip.value ? 'tipStop' : 'tip')}{' '}
                  <kbd>{keyLabel(keys.tip)}</kbd>
                </button>
              )}
              {desk.endings.value.map((wish) => (
                <button
                  type="button"
                  class="button primary end-turn"
                  data-wish={wish.word}
                  disabled={desk.busy.value}
                  onClick={() => desk.end(wish)}
                >
                  {desk.sure.value === wish.word ? say('sureEnd') : wishTitle(wish, names)}
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

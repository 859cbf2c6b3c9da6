/* turn-strip.tsx -- what just happened, at a glance: the actions of the others since one's own turn, each of which the board can be
 * shown after; and what stands there while the board shows the past. */
import { useEffect, useRef } from 'preact/hooks';
import { tokenOf, type GameEvent, type Position } from '../../model';
import type { Table } from '../../table/table';
import { say } from '../../texts/match';
import { keyLabel, type Keys } from '../input/keys';
import type { MatchInput } from '../input/match-input';
import { lineKind } from './log-lines';
import { Picture } from './portrait';

/** One action of a turn. */
interface Deed {
  number: number;
  /** Who did it; undefined: nobody in particular. */
  unit: number | undefined;
  sign: string;
  /** What was lost or won. */
  amount: string;
  words: string;
}

const SIGNS: Record<string, string> = {
  moved: '→',
  swapped: '⇄',
  teleported: '⇝',
  blocked: '⊣',
  attacked: '⚔',
  fought: '⚔',
  used: '✦',
  appeared: '+',
  placed: '+',
  'item-given': '◆',
  'item-taken': '◆',
};

/** What an action was, from what happened with it; null: nothing that a player does. */
export function deedOf({ board, events, number }: Position): Deed | null {
  const told = (event: GameEvent) => !['turn', 'table', 'detail'].includes(lineKind({ text: '', event, number }));
  const main = events.find(told);
  if (!main) return null;
  const sum = (kind: string, counts: (event: GameEvent) => boolean = () => true) =>
    events.filter((event) => event.kind === kind && counts(event)).reduce((all, event) => all + event.amount, 0);
  /* What the other side lost; what the actor's own side lost is no part of it. */
  const side = tokenOf(board, main.unit)?.seat;
  const lost = sum('hurt', ({ unit }) => side === undefined || tokenOf(board, unit)?.seat !== side) || sum('hurt');
  const won = sum('healed');
  const amount = lost > 0 ? `−${lost}` : won > 0 ? `+${won}` : '';
  const words = events.filter(told).map(({ text }) => text).filter((text) => text && text !== '-').join(' ');
  return { number, unit: main.unit === 255 ? undefined : main.unit, sign: SIGNS[main.kind] ?? '•', amount, words };
}

/** The actions of the others since one's own turn. */
export function TurnStrip({ table, input }: { table: Table; input: MatchInput }) {
  const [, ...story] = input.recent.story(table.you.value);
  const { history } = input;
  const deeds = story.flatMap((position, at) => {
    const deed = deedOf(position);
    return deed ? [{ ...deed, position, at: at + 1 }] : [];
  });
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [deeds.length]);
  if (deeds.length === 0 || table.kind === 'replay') return null;
  return (
    <ol class="turn-strip" ref={box} aria-label={say('lastTurn')}>
      {deeds.map(({ number, unit, sign, amount, words, position, at }) => {
        const token = unit === undefined ? undefined : tokenOf(position.board, unit);
        const shown = history.repeating.value === at || history.past.value === number;
        return (
          <li key={number} class={`seat-${token?.seat ?? 'none'}`}>
            <button
              type="button"
              aria-current={shown ? 'true' : undefined}
              aria-label={words}
              title={words}
              onClick={() => history.go(number)}
            >
              {token && <Picture kind={token.kind_id} seat={token.seat} size={26} />}
              <span aria-hidden="true">
                {sign}
                {amount && <b>{amount}</b>}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** In the strip while the board shows the past: which moment, and the ways back and on. */
export function PastBar({ input, keys }: { input: MatchInput; keys: Keys }) {
  const { history } = input;
  const past = history.past.value;
  if (past === null) return null;
  return (
    <div class="past">
      <p role="status">{say('pastAt', past)}</p>
      <button type="button" class="button small square" aria-label={say('stepBack')} disabled={!history.known(past - 1)} onClick={() => history.step(-1)}>
        ◀
      </button>
      <button type="button" class="button small square" aria-label={say('stepOn')} onClick={() => history.step(1)}>
        ▶
      </button>
      <button type="button" class="button small primary" onClick={() => history.toNow()}>
        {say('pastNow')} <kbd>{keyLabel(keys.cancel)}</kbd>
      </button>
    </div>
  );
}

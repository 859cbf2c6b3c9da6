/* hotkeys.ts -- what a hotkey does on the match screen. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { arrowByKey, markBoard } from '../notes/mark';
import { askByKey, nextVerbosity } from '../speech/ask';
import type { MatchInput } from './match-input';
import type { StageHolder } from './board-view';
import { actionFor, keyName, type KeyAction, type Keys } from './keys';

/** What the screen itself does for a key. */
export interface ScreenKeys {
  help(): void;
  /** Goes on from something that is only read; false: there is nothing of the kind. */
  read(): boolean;
  pause(): void;
  show(panel: 'log' | 'chat'): void;
}

const steps: Partial<Record<KeyAction, [number, number]>> = {
  'cursor-up': [0, -1],
  'cursor-right': [1, 0],
  'cursor-down': [0, 1],
  'cursor-left': [-1, 0],
};

/* Where a key leads on a board so many cells wide and high, as it is seen. */
const far: Partial<Record<KeyAction, [number, number]>> = {
  'cursor-row-start': [-1, 0],
  'cursor-row-end': [1, 0],
  'cursor-top': [0, -1],
  'cursor-bottom': [0, 1],
};

/* The keyboard belongs to a field, a box or a control of its own. */
function elsewhere(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return true;
  return target !== null && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

/** Moves the board's cursor, and the focus with it. */
function cursorTo(holder: StageHolder, x: number, y: number): void {
  holder.current?.cursor(x, y);
  holder.current?.focus();
}

/* Goes to the next unit of one side behind the cursor, row by row. */
function nextUnit(input: MatchInput, holder: StageHolder, own: boolean): void {
  const position = input.table.position.value;
  if (!position) return;
  const { board, you } = position;
  const me = you ?? 0;
  const there = board.tokens.filter(({ place, seat }) => place === 'board' && seat !== null && (seat === me) === own);
  const places = there.map(({ x = 0, y = 0 }) => y * board.width + x).sort((one, two) => one - two);
  const at = holder.current?.where();
  const next = places.find((place) => at != null && place > at.y * board.width + at.x) ?? places[0];
  if (next !== undefined) cursorTo(holder, next % board.width, Math.floor(next / board.width));
}

/* The next marked cell behind the cursor, row by row. */
function nextMark(holder: StageHolder): void {
  const stage = holder.current;
  const board = stage?.latest?.board;
  if (!stage || !board) return;
  const marked: { x: number; y: number }[] = [];
  for (let y = 0; y < board.height; y++)
    for (let x = 0; x < board.width; x++) if (stage.marksAt(x, y).length > 0) marked.push({ x, y });
  const at = stage.where();
  const place = (cell: { x: number; y: number }) => cell.y * board.width + cell.x;
  const next = marked.find((cell) => at !== null && place(cell) > place(at)) ?? marked[0];
  if (next) cursorTo(holder, next.x, next.y);
}

/** What keys do that need no more than this; false: nothing just now. */
const acts: Partial<Record<KeyAction, (input: MatchInput, holder: StageHolder, screen: ScreenKeys) => unknown>> = {
  'next-unit': (input) => void input.cycle(1),
  'previous-unit': (input) => void input.cycle(-1),
  'end-turn': (input) => void input.end(),
  cancel: (input) => void input.cancel(),
  undo: (input) => void input.undoByKey(),
  'cursor-next': (_, holder) => nextMark(holder),
  skip: (input, holder) => {
    input.history.player?.stop();
    holder.current?.skip();
  },
  repeat: (input) => void input.history.player?.repeat(),
  earlier: (input) => void input.history.step(-1),
  later: (input) => void input.history.step(1),
  'turn-board': (input) => void input.turnBoard(),
  threat: (input) => void input.showThreat(!input.threatOn.value),
  'own-unit': (input, holder) => nextUnit(input, holder, true),
  'enemy-unit': (input, holder) => nextUnit(input, holder, false),
  mark: (input, holder) => {
    const at = holder.current?.where();
    if (at && input.table.replay) void markBoard(input.table, at, at, '');
    return at != null && input.table.replay !== null;
  },
  arrow: (input, holder) => {
    const at = holder.current?.where();
    if (at && input.table.replay) arrowByKey(input.table, at);
    return at != null && input.table.replay !== null;
  },
  verbosity: () => nextVerbosity(),
  here: (input, holder) => askByKey('here', input, holder.current),
  last: (input, holder) => askByKey('last', input, holder.current),
  can: (input, holder) => askByKey('can', input, holder.current),
  attack: (input, holder) => askByKey('attack', input, holder.current),
  turns: (input, holder) => askByKey('turns', input, holder.current),
  within: (input, holder) => askByKey('within', input, holder.current),
  danger: (input, holder) => askByKey('danger', input, holder.current),
  /* While cards are chosen, a tip is a card that waits for its button; a notice would move them. */
  tip: (input) => {
    if (!document.querySelector('.assemble')) return void input.askTip();
    document.querySelector<HTMLButtonElement>('.assemble [data-suggest]')?.click();
  },
  command: () => void document.getElementById('command-line')?.focus(),
  chat: (_input, _holder, screen) => screen.show('chat'),
  log: (_input, _holder, screen) => screen.show('log'),
  pause: (_input, _holder, screen) => screen.pause(),
  help: (_input, _holder, screen) => screen.help(),
  act: (_, holder, screen) => {
    if (screen.read()) return true;
    const at = holder.current?.where();
    if (at) holder.current?.choose(at.x, at.y);
    return at != null;
  },
};

/** Does what a key stands for. False: it stands for nothing now. */
function press(action: KeyAction, input: MatchInput, holder: StageHolder, screen: ScreenKeys): boolean {
  const step = steps[action];
  const edge = far[action];
  if ((step ?? edge) && holder.current) {
    /* Elsewhere these keys scroll. */
    if (edge && !holder.current.host.contains(document.activeElement)) return false;
    if (step) holder.current.step(step[0], step[1]);
    if (edge) holder.current.toEdge(edge[0], edge[1]);
    holder.current.focus();
    return true;
  }
  if (action.startsWith('action-')) {
    const at = Number(action.slice(7)) - 1;
    const asked = input.question.value?.actions[at];
    const group = input.groups.value[at];
    if (asked) void input.perform(asked);
    else if (group && !input.question.value) input.press(group);
    return asked !== undefined || group !== undefined;
  }
  const act = acts[action];
  return act !== undefined && act(input, holder, screen) !== false;
}

/** Listens to the hotkeys while the match screen is there. */
export function useHotkeys(keys: Keys, input: MatchInput, holder: StageHolder, screen: ScreenKeys): void {
  const held = useRef(false);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (elsewhere(event)) return;
      const action = actionFor(keys, keyName(event));
      const button = (event.target as HTMLElement | null)?.closest?.('button, a, summary');
      if (action === 'threat' && event.repeat) {
        held.current = true;
        return input.showThreat(true);
      }
      if (!action || (button && (event.key === 'Enter' || event.key === ' '))) return;
      if (press(action, input, holder, screen)) event.preventDefault();
    };
    /* Held, the key shows danger as long as it is down. */
    const release = (event: KeyboardEvent) => {
      if (actionFor(keys, keyName(event)) === 'threat' && held.current) input.showThreat(false);
      held.current = false;
    };
    window.addEventListener('keydown', listen);
    window.addEventListener('keyup', release);
    return () => {
      window.removeEventListener('keydown', listen);
      window.removeEventListener('keyup', release);
    };
  });
}

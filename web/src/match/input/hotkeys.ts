/* hotkeys.ts -- what a hotkey does on the match screen. */
import { useLayoutEffect, useRef } from 'preact/hooks';
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

/* The keyboard belongs to a field, a box or a control of its own. */
function elsewhere(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return true;
  return target !== null && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}

/** Moves the board's cursor, and the focus with it. */
function cursorTo(holder: StageHolder, x: number, y: number): void {
  holder.current?.host.querySelector<HTMLElement>('.stage')?.focus();
  holder.current?.cursor(x, y);
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

/** Does what a key stands for. False: it stands for nothing now. */
function press(action: KeyAction, input: MatchInput, holder: StageHolder, screen: ScreenKeys): boolean {
  const step = steps[action];
  if (step && holder.current) {
    holder.current.host.querySelector<HTMLElement>('.stage')?.focus();
    holder.current.step(step[0], step[1]);
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
  switch (action) {
    case 'next-unit':
      input.cycle(1);
      return true;
    case 'previous-unit':
      input.cycle(-1);
      return true;
    case 'end-turn':
      input.end();
      return true;
    case 'cancel':
      input.cancel();
      return true;
    case 'undo':
      void input.undo();
      return true;
    case 'cursor-next':
      nextMark(holder);
      return true;
    case 'skip':
      input.history.player?.stop();
      holder.current?.skip();
      return true;
    case 'repeat':
      input.history.player?.repeat();
      return true;
    case 'earlier':
      input.history.step(-1);
      return true;
    case 'later':
      input.history.step(1);
      return true;
    case 'turn-board':
      input.turnBoard();
      return true;
    case 'threat':
      input.showThreat(!input.threatOn.value);
      return true;
    case 'danger': {
      const at = holder.current?.where() ?? input.pointed.value;
      if (at) void input.tellDanger(at);
      return at != null;
    }
    case 'tip':
      void input.askTip();
      return true;
    case 'command':
      document.getElementById('command-line')?.focus();
      return true;
    case 'chat':
      screen.show('chat');
      return true;
    case 'log':
      screen.show('log');
      return true;
    case 'pause':
      screen.pause();
      return true;
    case 'help':
      screen.help();
      return true;
    case 'act': {
      if (screen.read()) return true;
      const at = holder.current?.where();
      if (at) holder.current?.choose(at.x, at.y);
      return at != null;
    }
    default:
      return false;
  }
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

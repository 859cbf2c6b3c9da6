/* keys.ts -- hotkeys: what each does, which key it has, and how the player changes that.
 *
 * Kept in localStorage. Keys are named as KeyboardEvent.key names them, with "Shift+" and "Ctrl+"
 * in front where they are held. The list of keys that ? opens is made from this table, and so are the questions that
 * keys ask (match/speech/). */

import { say } from '../../texts/match';

/** Everything that has a hotkey, with the key it has at first. */
export const usualKeys = {
  'next-unit': 'n',
  'previous-unit': 'b',
  'end-turn': 'e',
  cancel: 'Escape',
  act: 'Enter',
  'cursor-up': 'ArrowUp',
  'cursor-right': 'ArrowRight',
  'cursor-down': 'ArrowDown',
  'cursor-left': 'ArrowLeft',
  'cursor-row-start': 'Home',
  'cursor-row-end': 'End',
  'cursor-top': 'PageUp',
  'cursor-bottom': 'PageDown',
  'cursor-next': 'j',
  'own-unit': 'u',
  'enemy-unit': 'Shift+u',
  'action-1': '1',
  'action-2': '2',
  'action-3': '3',
  'action-4': '4',
  'action-5': '5',
  'action-6': '6',
  'action-7': '7',
  'action-8': '8',
  'action-9': '9',
  undo: 'Backspace',
  skip: 's',
  repeat: 'r',
  earlier: ',',
  later: '.',
  'turn-board': 'f',
  threat: 'd',
  here: 'o',
  last: 'l',
  can: 'm',
  attack: 'a',
  turns: 't',
  within: 'x',
  danger: 'z',
  tip: 'g',
  command: '/',
  verbosity: 'v',
  mark: 'k',
  arrow: 'Shift+k',
  chat: 'c',
  log: 'h',
  pause: 'p',
  help: '?',
} as const;

/** Something that has a hotkey. */
export type KeyAction = keyof typeof usualKeys;
/** Which key each has. */
export type Keys = Record<KeyAction, string>;

/** Where the keys are kept. */
export interface KeyStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

const storageKey = 'mashup.keys';

/** The keys as the player left them; damaged or unknown entries count as not changed. */
export function loadKeys(storage: KeyStorage | null): Keys {
  const keys: Keys = { ...usualKeys };
  try {
    const kept: unknown = JSON.parse(storage?.getItem(storageKey) ?? '{}');
    if (kept && typeof kept === 'object')
      for (const [action, key] of Object.entries(kept))
        if (Object.hasOwn(usualKeys, action) && typeof key === 'string' && key !== '')
          keys[action as KeyAction] = key;
  } catch {
    return { ...usualKeys };
  }
  return keys;
}

/** Keeps the keys that differ from the usual ones. */
export function saveKeys(storage: KeyStorage | null, keys: Keys): void {
  const changed = Object.entries(keys).filter(
    ([action, key]) => usualKeys[action as KeyAction] !== key,
  );
  try {
    storage?.setItem(storageKey, JSON.stringify(Object.fromEntries(changed)));
  } catch {
    /* A full or forbidden shelf: the keys hold until the page is closed. */
  }
}

/** What the player pressed, as keys are named here; '' for a lone Shift and the like. */
export function keyName(event: {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}): string {
  if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Tab'].includes(event.key)) return '';
  if (event.altKey || event.metaKey) return '';
  const name =
    event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shift = event.shiftKey && (event.key.length > 1 || name !== name.toUpperCase()) ? 'Shift+' : '';
  return (event.ctrlKey ? 'Ctrl+' : '') + shift + name;
}

/** Which action a key has, if any. A letter with Shift is the letter itself unless it has an action of its own. */
export function actionFor(keys: Keys, name: string): KeyAction | null {
  const found = Object.entries(keys).find(([, key]) => key === name);
  if (found) return found[0] as KeyAction;
  return /^Shift\+.$/u.test(name) ? actionFor(keys, name.slice(6)) : null;
}

/** Gives an action another key. Whoever had that key gets the one that is given up. */
export function assign(keys: Keys, action: KeyAction, name: string): Keys {
  const had = actionFor(keys, name);
  const changed = { ...keys, [action]: name };
  if (had && had !== action) changed[had] = keys[action];
  return changed;
}

/** A key for people: "Enter", "↑", "E". */
export function keyLabel(name: string): string {
  const arrows: Record<string, string> = {
    ArrowUp: '↑',
    ArrowRight: '→',
    ArrowDown: '↓',
    ArrowLeft: '←',
    Escape: 'Esc',
    Home: say('keyHome'),
    End: say('keyEnd'),
    PageUp: say('keyPageUp'),
    PageDown: say('keyPageDown'),
  };
  return arrows[name] ?? name.replace(/(^|\+)(.)$/u, (_, before: string, key: string) => before + key.toUpperCase());
}

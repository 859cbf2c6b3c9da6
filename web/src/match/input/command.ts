/* command.ts -- the command line: typed words find one of the legal actions, or a sentence why not.
 *
 * Words are those of the engine ("move hulk 3 4"). A unit may also be called by its kind, by id or name, and
 * everything may be shortened as long as it stays unique. */
import type { Position } from '../../model';
import { slug, type LegalAction } from './legal-actions';

/** What came of a typed line. */
export type Command = { found: LegalAction } | { several: LegalAction[] } | { unknown: string };

/* Other names by which a word may be typed: the kind of a unit for its short name. */
function aliases(position: Position): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const token of position.board.tokens)
    if (token.unit !== 255 && token.kind_id && token.kind)
      names.set(token.name, [token.kind_id, token.kind_id.replace(/-/g, ''), slug(token.kind)]);
  return names;
}

/** A typed line as words in lower case; commas count as blanks. */
function tidy(line: string): string[] {
  return line
    .toLowerCase()
    .replace(/[,;]+/g, ' ')
    .trim()
    .split(/\s+/)
    .filter((part) => part !== '');
}

/* Does each typed part begin the part of the action at its place? `exact`: is it all of it? */
function fits(typed: string[], action: LegalAction, names: Map<string, string[]>, exact: boolean): boolean {
  const parts = action.word.toLowerCase().split(' ');
  if (typed.length > parts.length || (exact && typed.length !== parts.length)) return false;
  return typed.every((text, at) => {
    const part = parts[at] ?? '';
    const called = [part, ...(names.get(part) ?? [])];
    const number = /^-?\d+$/.test(part);
    return called.some((name) => (exact || number ? name === text : name.startsWith(text)));
  });
}

/** Finds the action that a line means. */
export function readCommand(position: Position, actions: LegalAction[], line: string): Command {
  const typed = tidy(line);
  if (typed.length === 0) return { unknown: '' };
  const names = aliases(position);
  const exact = actions.filter((action) => fits(typed, action, names, true));
  if (exact.length === 1) return { found: exact[0] as LegalAction };
  const begun = actions.filter((action) => fits(typed, action, names, false));
  if (begun.length === 1) return { found: begun[0] as LegalAction };
  const whole = begun.filter((action) => action.word.split(' ').length === typed.length);
  if (whole.length === 1) return { found: whole[0] as LegalAction };
  return begun.length > 1 ? { several: begun } : { unknown: typed.join(' ') };
}

/** What the line may go on with: whole lines, the shortest first, at most `most`. */
export function completeCommand(position: Position, actions: LegalAction[], line: string, most = 8): string[] {
  const typed = tidy(line);
  const open = line === '' || /\s$/.test(line);
  const names = aliases(position);
  const keep = open ? typed.length + 1 : Math.max(typed.length, 1);
  const lines = new Set<string>();
  for (const action of actions) {
    if (!fits(typed, action, names, false)) continue;
    const parts = action.word.split(' ');
    lines.add(parts.slice(0, keep).join(' ') + (parts.length > keep ? ' ' : ''));
  }
  return [...lines].sort((a, b) => a.length - b.length || a.localeCompare(b)).slice(0, most);
}

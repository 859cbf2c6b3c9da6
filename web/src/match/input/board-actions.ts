/* board-actions.ts -- from what is chosen to what the board offers: the pure heart of the match screen.
 *
 * A selection is a unit (or the side itself) and perhaps one way of acting that is "armed". From it
 * and the actions follow the buttons, the marks on the board and what a click on a cell means. */
import { tokenOf, type Position, type Preview } from '../../model';
import { ableUnits, isEnding, type LegalAction, type ActionKind } from './legal-actions';
import { markKind } from './preview-text';

/** What the player has chosen so far. */
export interface Selection {
  /** null: nothing, or the side's own actions. */
  unit: number | null;
  /** Key of the group of actions that alone is offered on the board; null: all. */
  armed: string | null;
}

/** Actions that differ only in where they aim: one button. */
export interface ActionButton {
  key: string;
  kind: ActionKind;
  verb: string;
  actions: LegalAction[];
  /** Nothing to aim at: the button does it at once. */
  plain: boolean;
}

/** A mark for the board. */
export interface CellMark {
  x: number;
  y: number;
  /** What may be done there; reach: it takes several steps. */
  kind: ActionKind | 'reach';
  label: string;
  /** What one's own side loses. */
  own?: string;
  /** Said of it besides, to those who hear the board. */
  told?: string;
  /** Said of it instead of all that. */
  words?: string;
}

/** What a click on a cell means. */
export type Click =
  | { do: 'act'; action: LegalAction }
  | { do: 'ask'; actions: LegalAction[] }
  | { do: 'select'; unit: number }
  | { do: 'look'; unit: number }
  | { do: 'nothing' };

/** What actions have in common that differ only in their aim. */
function keyOf(action: LegalAction): string {
  return `${action.unit ?? '-'} ${action.verb} ${action.thing}`.trim();
}

/** The buttons for a unit (null: what no unit does), endings left out. */
export function groupsOf(actions: LegalAction[], unit: number | null): ActionButton[] {
  const groups = new Map<string, ActionButton>();
  for (const action of actions) {
    if (action.unit !== unit || isEnding(action)) continue;
    const key = keyOf(action);
    const plain = action.cell === null && action.direction === '';
    const group = groups.get(key) ?? { key, kind: action.kind, verb: action.verb, actions: [], plain };
    group.actions.push(action);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The actions that end a turn, a phase or a placement. */
export function endings(actions: LegalAction[]): LegalAction[] {
  return actions.filter(isEnding);
}

/** Where an action shows on the board: its cell, or what its direction would hit. */
export function aimsOf(action: LegalAction, preview: Preview | null | undefined): [number, number][] {
  if (action.cell) return [[action.cell.x, action.cell.y]];
  if (!action.direction || !preview) return [];
  const cells = preview.events.filter((event) => hits.has(event.kind)).map((event) => event.at);
  return [...new Map(cells.map((cell) => [cell.join(), cell])).values()];
}

const hits = new Set(['hurt', 'healed', 'missed', 'ground-hurt', 'effect-began']);

/** The actions that the board offers for a selection. */
export function offered(actions: LegalAction[], selection: Selection): LegalAction[] {
  if (selection.armed !== null)
    return actions.filter((action) => keyOf(action) === selection.armed && !isEnding(action));
  return actions.filter(
    (action) => !isEnding(action) && selection.unit !== null && action.unit === selection.unit,
  );
}

/** Must its button be pressed before the board offers an action? So it is with what no unit does. */
export function needsArming({ selection }: { selection: { value: Selection } }, action: LegalAction): boolean {
  return action.unit === null && action.cell !== null && selection.value.armed !== keyOf(action);
}

/** Looks up what is known of an action's outcome. */
export type Previews = (action: LegalAction) => Preview | null | undefined;

const weight: Record<ActionKind, number> = { attack: 4, place: 3, move: 2, stay: 2, use: 1, other: 0 };

/** The actions at a cell, those to be done first first. */
export function actionsAt(actions: LegalAction[], previews: Previews, x: number, y: number): LegalAction[] {
  return actions
    .filter((action) => aimsOf(action, previews(action)).some((c) => c[0] === x && c[1] === y))
    .sort((a, b) => weight[b.kind] - weight[a.kind]);
}

/** One mark for each cell that is offered, labelled by `label`. */
export function marksOf(
  actions: LegalAction[],
  previews: Previews,
  label: (action: LegalAction, preview: Preview | null | undefined, cell: { x: number; y: number }) => { label: string; own: string },
  kind: (action: LegalAction, preview: Preview | null | undefined) => ActionKind,
): CellMark[] {
  const marks = new Map<string, CellMark & { kind: ActionKind }>();
  for (const action of actions) {
    const preview = previews(action);
    for (const [x, y] of aimsOf(action, preview)) {
      const { label: words, own } = label(action, preview, { x, y });
      const mark = { x, y, kind: kind(action, preview), label: words, ...(own ? { own } : {}) };
      const known = marks.get(`${x},${y}`);
      const told = Boolean(mark.label || mark.own);
      if (!known || (told && (weight[mark.kind] > weight[known.kind] || !(known.label || known.own)))) {
        const stronger = known && weight[known.kind] > weight[mark.kind] ? known.kind : mark.kind;
        marks.set(`${x},${y}`, { ...mark, kind: stronger });
      } else if (weight[mark.kind] > weight[known.kind]) known.kind = mark.kind;
    }
  }
  return [...marks.values()];
}

/** Would the action only stop its unit in front of a friend, or is that not known yet? */
function stops(position: Position, action: LegalAction, preview: Preview | null | undefined): boolean {
  return preview !== null && markKind(position, action, preview ?? nothing) === 'stay';
}

const nothing: Preview = { sampled: false, outcomes: 1, wins: 0, loses: 0, events: [], units: [], changes: [] };

/** What a click on a cell means now. Who clicks a friend wants that one, not to be stopped by it, unless the way of acting was chosen or
 * the unit was dragged there (`meant`). */
export function clickCell(
  position: Position,
  actions: LegalAction[],
  selection: Selection,
  previews: Previews,
  x: number,
  y: number,
  meant = selection.armed !== null,
): Click {
  const here = actionsAt(offered(actions, selection), previews, x, y);
  const token = position.board.tokens.find(
    (one) => one.place === 'board' && one.x === x && one.y === y && one.unit !== 255,
  );
  const [action] = here;
  if (action && here.length === 1 && !meant && token && stops(position, action, previews(action)))
    return ableUnits(actions).includes(token.unit) ? { do: 'select', unit: token.unit } : { do: 'ask', actions: here };
  if (action && here.length === 1) return { do: 'act', action };
  if (here.length > 1) return { do: 'ask', actions: here };
  if (!token) return { do: 'nothing' };
  return ableUnits(actions).includes(token.unit)
    ? { do: 'select', unit: token.unit }
    : { do: 'look', unit: token.unit };
}

/** What is chosen when a position comes: the unit that is acting, what was chosen if it still can act, else the only one that
 * can; never one of the other side. */
export function nextSelection(position: Position, actions: LegalAction[], before: Selection): Selection {
  const theirs = (unit: number) => (tokenOf(position.board, unit)?.seat ?? position.you) !== position.you;
  const able = ableUnits(actions).filter((unit) => !theirs(unit));
  const { active } = position.board;
  if (active !== undefined && !theirs(active) && actions.some((action) => action.unit === active))
    return { unit: active, armed: null };
  if (before.unit !== null && able.includes(before.unit)) return { unit: before.unit, armed: null };
  if (able.length === 1) return { unit: able[0] as number, armed: null };
  return { unit: null, armed: null };
}

/** Is something left that most players would not want to miss? Then ending is asked about. */
export function endNeedsAsking(actions: LegalAction[], acted: boolean): boolean {
  return !acted && actions.some((action) => action.kind === 'attack');
}

/** The unit that follows in the row of those that can act. */
export function cycle(able: number[], unit: number | null, step: 1 | -1): number | null {
  if (able.length === 0) return null;
  const at = unit === null ? -1 : able.indexOf(unit);
  if (at < 0) return (step === 1 ? able[0] : able[able.length - 1]) ?? null;
  return able[(at + step + able.length) % able.length] ?? null;
}

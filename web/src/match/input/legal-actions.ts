/* legal-actions.ts -- the legal actions of a position as the match screen handles them, one by one.
 *
 * What is typed for an action says what it is about: "move hulk 3 4" is about the unit hulk and the
 * cell 3,4, "use heal gla4" about the thing heal and the unit gla4, "end" about nothing; it is made of
 * ids and short names, the same in every language. Nothing here knows a rule. */
import { gamePage, type GamePage } from '../../games';
import { UNIT_NONE, actionsOf, tokenOf, type Action, type Position, type Token } from '../../model';

/** What marks and colours tell apart; the same words as the board's marks. */
export type ActionKind = 'move' | 'attack' | 'use' | 'place' | 'stay' | 'other';

/** One legal action. `word` is unique in its position and is what is sent. */
export interface LegalAction {
  word: string;
  /** The verb's id: what is to be done. */
  verb: string;
  /** The verb's name for people. */
  title: string;
  kind: ActionKind;
  /** The unit that does it; null: no unit does. */
  unit: number | null;
  /** The id of the ability, potion, stone or kind of piece it is about; '' = none. */
  thing: string;
  /** The cell it aims at, also that of the unit it aims at. */
  cell: { x: number; y: number } | null;
  /** The unit it aims at by name. */
  target: number | null;
  /** One of up, right, down, left; '' = none. */
  direction: string;
  /** What is sent. */
  sent: Action;
}

/* What looks like itself in every game; a game's own verbs are in its page.json. */
const kinds: Record<string, ActionKind> = { move: 'move', attack: 'attack', use: 'use', place: 'place' };
const directions = new Set(['up', 'right', 'down', 'left']);
const endings = new Set(['end', 'ready', 'stay']);

/** Is this the verb that ends a turn, a phase or a placement? */
export function isEnding(action: LegalAction): boolean {
  return endings.has(action.verb) && action.cell === null && action.target === null;
}

/** Lower case, everything but letters and digits as a dash: "Dr Strange" is dr-strange. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Takes the words of an action apart: who, what, where, at whom. */
function readWord(action: Action, byName: Map<string, Token>, position: Position, verbs: GamePage['verbs']): LegalAction {
  const verb = action.id;
  const rest = action.word.split(' ').slice(1);
  const legal: LegalAction = {
    word: action.word,
    verb,
    title: action.name,
    kind: verbs?.[verb] ?? kinds[verb] ?? 'other',
    unit: null,
    thing: '',
    cell: null,
    target: null,
    direction: '',
    sent: action,
  };
  const numbers = rest.slice(-2);
  if (numbers[0] === String(action.x) && numbers[1] === String(action.y)) {
    legal.cell = { x: action.x, y: action.y };
    rest.splice(-2);
  }
  const things: string[] = [];
  for (const part of rest) {
    const token = byName.get(part);
    if (token && !action.nobody && legal.unit === null && token.unit === action.unit) legal.unit = token.unit;
    else if (token && token.unit === action.other) legal.target = token.unit;
    else if (directions.has(part)) legal.direction = part;
    else things.push(part);
  }
  legal.thing = things.join(' ');
  const aim = legal.target === null ? undefined : tokenOf(position.board, legal.target);
  if (aim?.place === 'board' && legal.cell === null) legal.cell = { x: aim.x ?? 0, y: aim.y ?? 0 };
  return legal;
}

/** All legal actions of a position of a game, in the engine's order. */
export function legalActions(position: Position, game: string): LegalAction[] {
  const verbs = gamePage(game)?.verbs;
  const tokens = position.board.tokens.filter((token) => token.unit !== UNIT_NONE);
  const byName = new Map(tokens.map((token) => [token.name, token]));
  return actionsOf(position).map((action) => readWord(action, byName, position, verbs));
}

/** Units that can do something, in the order of the list, each once. */
export function ableUnits(actions: LegalAction[]): number[] {
  return [
    ...new Set(
      actions
        .filter((action) => action.unit !== null && !isEnding(action))
        .map((action) => action.unit as number),
    ),
  ];
}

const arrows: Record<string, string> = { up: '↑', right: '→', down: '↓', left: '←' };
const turnedArrows: Record<string, string> = { up: '↓', right: '←', down: '↑', left: '→' };

/** A short name for a button: the thing if there is one, else the verb's name; directions as they are seen, if the board is turned. */
export function actionTitle(action: LegalAction, names: Map<string, string>, turned = false): string {
  const thing = names.get(action.thing) ?? '';
  const verb = action.title.charAt(0).toUpperCase() + action.title.slice(1);
  const base = thing === '' ? verb : action.verb === 'give' ? `${verb}: ${thing}` : thing;
  return action.direction ? `${base} ${(turned ? turnedArrows : arrows)[action.direction]}` : base;
}

/** Names for people of all things that actions of a position may be about, by id. */
export function thingNames(position: Position): Map<string, string> {
  const names = new Map<string, string>();
  for (const { kind_id, kind } of position.board.tokens) if (kind_id && kind) names.set(kind_id, kind);
  for (const { role, id, name, about, about_ids } of position.board.meters) {
    if (role === 'held') names.set(id, name);
    about_ids?.forEach((one, at) => names.set(one, about?.[at] ?? one));
  }
  return names;
}

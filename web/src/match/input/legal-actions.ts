/* legal-actions.ts -- wishes: the legal actions of a position as the match screen handles them, one by one.
 *
 * The words of an action say what it is about: "move hulk 3 4" is about the unit hulk and the cell
 * 3,4, "use heal gla4" about the thing heal and the unit gla4, "end" about nothing. Nothing here
 * knows a rule: what is not in the words is not looked at. */
import { UNIT_NONE, actionsOf, tokenOf, type Action, type Position, type Token } from '../../model';
import { word } from '../../texts/lexicon';

/** What marks and colours tell apart; the same words as the board's marks. */
export type WishKind = 'move' | 'attack' | 'use' | 'place' | 'other';

/** One legal action. `word` is unique in its position and is what is sent. */
export interface Wish {
  word: string;
  /** The first word: what is to be done, in the engine's fixed words. */
  verb: string;
  /** The verb's name for people. */
  title: string;
  kind: WishKind;
  /** The unit that does it; null: no unit does. */
  unit: number | null;
  /** The ability, potion, stone or kind of piece it is about, as a word; '' = none. */
  thing: string;
  /** The cell it aims at, also that of the unit it aims at. */
  cell: { x: number; y: number } | null;
  /** The unit it aims at by name. */
  target: number | null;
  /** One of up, right, down, left; '' = none. */
  direction: string;
  /** What is sent. */
  action: Action;
}

const kinds: Record<string, WishKind> = {
  move: 'move',
  step: 'move',
  stay: 'other',
  melee: 'attack',
  ranged: 'attack',
  attack: 'attack',
  strike: 'attack',
  use: 'use',
  give: 'use',
  cast: 'use',
  command: 'use',
  web: 'use',
  place: 'place',
  summon: 'place',
};
const directions = new Set(['up', 'right', 'down', 'left']);
const endings = new Set(['end', 'ready', 'stay']);

/** Is this the verb that ends a turn, a phase or a placement? */
export function isEnding(wish: Wish): boolean {
  return endings.has(wish.verb) && wish.cell === null && wish.target === null;
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

/** "mjollnir-throw" for people: "Mjollnir throw". */
export function humanise(word: string): string {
  const text = word.replace(/-/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Takes the words of an action apart: who, what, where, at whom. */
function readWord(action: Action, byName: Map<string, Token>, position: Position): Wish {
  const [verb = '', ...rest] = action.word.split(' ');
  const wish: Wish = {
    word: action.word,
    verb,
    title: action.name,
    kind: kinds[verb] ?? 'other',
    unit: null,
    thing: '',
    cell: null,
    target: null,
    direction: '',
    action,
  };
  const numbers = rest.slice(-2);
  if (numbers[0] === String(action.x) && numbers[1] === String(action.y)) {
    wish.cell = { x: action.x, y: action.y };
    rest.splice(-2);
  }
  const things: string[] = [];
  for (const part of rest) {
    const token = byName.get(part);
    if (token && wish.unit === null && token.unit === action.unit) wish.unit = token.unit;
    else if (token && token.unit === action.other) wish.target = token.unit;
    else if (directions.has(part)) wish.direction = part;
    else things.push(part);
  }
  wish.thing = things.join(' ');
  const aim = wish.target === null ? undefined : tokenOf(position.board, wish.target);
  if (aim?.place === 'board' && wish.cell === null) wish.cell = { x: aim.x ?? 0, y: aim.y ?? 0 };
  return wish;
}

/** All legal actions of a position, in the engine's order. */
export function readWishes(position: Position): Wish[] {
  const tokens = position.board.tokens.filter((token) => token.unit !== UNIT_NONE);
  const byName = new Map(tokens.map((token) => [token.name, token]));
  return actionsOf(position).map((action) => readWord(action, byName, position));
}

/** Units that can do something, in the order of the list, each once. */
export function ableUnits(wishes: Wish[]): number[] {
  return [
    ...new Set(
      wishes
        .filter((wish) => wish.unit !== null && !isEnding(wish))
        .map((wish) => wish.unit as number),
    ),
  ];
}

const arrows: Record<string, string> = { up: '↑', right: '→', down: '↓', left: '←' };

/** A short name for a button: the thing if there is one, else the verb's name. */
export function wishTitle(wish: Wish, names: Map<string, string>): string {
  const named = wish.thing !== '' && !wish.title.includes(wish.thing);
  const thing = named ? word(null, names.get(wish.thing) ?? humanise(wish.thing)) : '';
  const title = word('verb', wish.title);
  const verb = title.charAt(0).toUpperCase() + title.slice(1);
  const base = thing === '' ? verb : wish.verb === 'give' ? `${verb}: ${thing}` : thing;
  return wish.direction ? `${base} ${arrows[wish.direction]}` : base;
}

/** Names for people of all things the words of a position may speak of, by their word. */
export function thingNames(position: Position): Map<string, string> {
  const names = new Map<string, string>();
  for (const meter of position.board.meters)
    for (const name of meter.about ?? []) names.set(slug(name), name);
  for (const token of position.board.tokens)
    if (token.kind) names.set(slug(token.kind), token.kind);
  return names;
}

/* preview-text.ts -- what a wish would do, in few words: damage, knock-outs, costs. It is read off the
 * engine's look ahead; where that says nothing, nothing is said. */
import { tokenOf, type Position, type Preview } from '../../model';
import { callUnit, eventWords } from '../../names';
import { say } from '../../texts/match';
import { isEnding, wishTitle, type Wish, type WishKind } from './legal-actions';
import { told, word } from '../../texts/lexicon';

/** A range of numbers for people: "12" or "10–14". */
export function range(least: number, most: number): string {
  return least === most ? String(most) : `${least}–${most}`;
}

/** Who would lose health, and whether that knocks them out. */
function harm(position: Position, preview: Preview): string[] {
  return preview.hurt
    .filter((one) => one.most > 0)
    .map((one) => {
      const amount = range(one.least, one.most);
      const name = callUnit(position.board, one.unit);
      if (one.dies === preview.lucks) return say('knockOut', name, amount);
      return say(one.dies > 0 ? 'knockOutMaybe' : 'damageTo', name, amount);
    });
}

/** What would happen besides. */
function rest(position: Position, wish: Wish, preview: Preview): string[] {
  const words: string[] = [];
  for (const one of preview.healed)
    if (one.most > 0)
      words.push(say('healTo', callUnit(position.board, one.unit), range(one.least, one.most)));
  const kinds = new Set(preview.events.map((event) => event.kind));
  if (preview.ends > 0 && preview.ends === preview.lucks && preview.hurt.length > 0)
    words.push(say('wins'));
  if (kinds.has('fought') && preview.hurt.length === 0) words.push(say('battle'));
  if (kinds.has('swapped')) words.push(say('swap'));
  if (kinds.has('blocked')) words.push(say('blockedBy'));
  for (const event of preview.events)
    if (spoken.has(event.kind))
      words.push(told(event.kind, eventWords(position.board, event, [])).replace(/\.$/, ''));
  if (
    wish.direction !== '' &&
    preview.hurt.length === 0 &&
    !kinds.has('ground-hurt') &&
    !kinds.has('effect-began') &&
    !kinds.has('missed')
  )
    words.push(say('noEffect'));
  return words;
}

/* Events whose own sentence says best what would happen. */
const spoken = new Set(['item-taken', 'effect-began', 'ground-hurt', 'item-given', 'revived']);

/** What it would do; '' = nothing worth saying. */
export function outcomeWords(
  position: Position,
  wish: Wish,
  preview: Preview | null | undefined,
): string {
  if (!preview) return '';
  return [...harm(position, preview), ...rest(position, wish, preview)].slice(0, 3).join(', ');
}

const single: Record<string, string> = {
  points: 'point',
  steps: 'step',
  Punkte: 'Punkt',
  Schritte: 'Schritt',
};

/* "1 point", "2 points". */
function counted(amount: string, name: string): string {
  return `${amount} ${amount === '1' ? (single[name] ?? name) : name}`;
}

/** What it costs the unit that does it: "1 AP, 100 mana"; '' = nothing that is told. */
export function costWords(wish: Wish, preview: Preview | null | undefined): string {
  if (!preview) return '';
  return preview.changes
    .filter(
      (change) =>
        change.unit === wish.unit &&
        wish.unit !== null &&
        change.most < 0 &&
        change.name !== 'health' &&
        !change.about,
    )
    .map((change) => counted(range(-change.most, -change.least), word('meter', change.name)))
    .join(', ');
}

/** What stands on the mark itself: a few signs. */
export function markLabel(preview: Preview | null | undefined): string {
  if (!preview) return '';
  const hurt = preview.hurt.filter((one) => one.most > 0);
  const sum = hurt.reduce((all, one) => all + one.mean, 0);
  if (hurt.length > 0) return `−${Math.round(sum)}${hurt.some((one) => one.dies > 0) ? ' ✕' : ''}`;
  const healed = preview.healed.reduce((all, one) => all + one.mean, 0);
  if (healed > 0) return `+${Math.round(healed)}`;
  return preview.events.some((event) => event.kind === 'swapped') ? '⇄' : '';
}

/** How the mark looks: to go where an enemy stands is an attack, unless both only change places. */
export function markKind(
  position: Position,
  wish: Wish,
  preview: Preview | null | undefined,
): WishKind {
  if (wish.kind !== 'move' || wish.cell === null || wish.unit === null) return wish.kind;
  const mover = tokenOf(position.board, wish.unit);
  const { x, y } = wish.cell;
  const there = position.board.tokens.find(
    (token) => token.place === 'board' && token.x === x && token.y === y && token.seat !== null,
  );
  if (!there || there.seat === mover?.seat) return 'move';
  return preview?.events.some((event) => event.kind === 'swapped') ? 'move' : 'attack';
}

/** Why a recommended action is good, as far as looking ahead tells. */
export function tipReason(position: Position, wish: Wish, preview: Preview | null): string {
  const words = outcomeWords(position, wish, preview);
  if (words !== '') return `${words}.`;
  if (isEnding(wish)) return say('tipEnd');
  return say(wish.kind === 'move' ? 'tipMove' : 'tipGood');
}

/** An action as a sentence: "Hulk: Move, 3,4". */
export function wishWords(position: Position, wish: Wish, names: Map<string, string>): string {
  const who = wish.unit === null ? '' : `${callUnit(position.board, wish.unit)}: `;
  const aim =
    wish.target !== null
      ? ` → ${callUnit(position.board, wish.target)}`
      : wish.cell
        ? ` → ${wish.cell.x},${wish.cell.y}`
        : '';
  return `${who}${wishTitle(wish, names)}${aim}`;
}

/** Milliseconds as a clock shows them: "4:05", below ten seconds "9.4". */
export function clockWords(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

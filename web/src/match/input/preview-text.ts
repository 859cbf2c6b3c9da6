/* preview-text.ts -- what an action would do, in few words: damage, knock-outs, costs. It is read off the
 * engine's look ahead; where that says nothing, nothing is said. */
import { tokenOf, type Position, type Preview } from '../../model';
import { unitLabel } from '../../names';
import { say, type MatchText } from '../../texts/match';
import { isEnding, actionTitle, type LegalAction, type ActionKind } from './legal-actions';

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
      const name = unitLabel(position.board, one.unit);
      if (one.dies === preview.samples) return say('knockOut', name, amount);
      return say(one.dies > 0 ? 'knockOutMaybe' : 'damageTo', name, amount);
    });
}

/** What would happen besides. */
function rest(position: Position, action: LegalAction, preview: Preview): string[] {
  const words: string[] = [];
  for (const one of preview.healed)
    if (one.most > 0)
      words.push(say('healTo', unitLabel(position.board, one.unit), range(one.least, one.most)));
  const kinds = new Set(preview.events.map((event) => event.kind));
  if (preview.ends > 0 && preview.ends === preview.samples && preview.hurt.length > 0)
    words.push(say('wins'));
  if (kinds.has('fought') && preview.hurt.length === 0) words.push(say('battle'));
  if (kinds.has('swapped')) words.push(say('swap'));
  if (kinds.has('blocked')) words.push(say('blockedBy'));
  for (const event of preview.events)
    if (spoken.has(event.kind))
      words.push(event.text.replace(/\.$/, ''));
  if (
    action.direction !== '' &&
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
  action: LegalAction,
  preview: Preview | null | undefined,
): string {
  if (!preview) return '';
  return [...harm(position, preview), ...rest(position, action, preview)].slice(0, 3).join(', ');
}

/* Meters whose name is a plural, by id: how one of them is called. */
const single: Record<string, MatchText> = { points: 'onePoint', steps: 'oneStep' };

/* "1 point", "2 points". */
function counted(amount: string, { id, name }: { id: string; name: string }): string {
  return amount === '1' && single[id] ? say(single[id]) : `${amount} ${name}`;
}

/** What it costs the unit that does it: "1 AP, 100 mana"; '' = nothing that is told. */
export function costWords(action: LegalAction, preview: Preview | null | undefined): string {
  if (!preview) return '';
  return preview.changes
    .filter(
      (change) =>
        change.unit === action.unit &&
        action.unit !== null &&
        change.most < 0 &&
        change.role !== 'health' &&
        !change.about,
    )
    .map((change) => counted(range(-change.most, -change.least), change))
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
  action: LegalAction,
  preview: Preview | null | undefined,
): ActionKind {
  if (action.kind !== 'move' || action.cell === null || action.unit === null) return action.kind;
  const mover = tokenOf(position.board, action.unit);
  const { x, y } = action.cell;
  const there = position.board.tokens.find(
    (token) => token.place === 'board' && token.x === x && token.y === y && token.seat !== null,
  );
  if (!there || there.seat === mover?.seat) return 'move';
  return preview?.events.some((event) => event.kind === 'swapped') ? 'move' : 'attack';
}

/** Why a recommended action is good, as far as looking ahead tells. */
export function tipReason(position: Position, action: LegalAction, preview: Preview | null): string {
  const words = outcomeWords(position, action, preview);
  if (words !== '') return `${words}.`;
  if (isEnding(action)) return say('tipEnd');
  return say(action.kind === 'move' ? 'tipMove' : 'tipGood');
}

/** An action as a sentence: "Hulk: Move, 3,4". */
export function actionText(position: Position, action: LegalAction, names: Map<string, string>): string {
  const who = action.unit === null ? '' : `${unitLabel(position.board, action.unit)}: `;
  const aim =
    action.target !== null
      ? ` → ${unitLabel(position.board, action.target)}`
      : action.cell
        ? ` → ${action.cell.x},${action.cell.y}`
        : '';
  return `${who}${actionTitle(action, names)}${aim}`;
}

/** Milliseconds as a clock shows them: "4:05", below ten seconds "9.4". */
export function clockWords(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

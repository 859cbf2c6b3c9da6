/* preview-text.ts -- what an action would do, in few words: damage, knock-outs, costs. It is read off the
 * engine's look ahead; where that says nothing, nothing is said. */
import type { UnitForecast } from '../../board/stage';
import { tokenOf, type Position, type Preview, type PreviewUnit } from '../../model';
import { unitLabel } from '../../names';
import { say, type MatchText } from '../../texts/match';
import { isEnding, actionTitle, type LegalAction, type ActionKind } from './legal-actions';

/** A probability that is certain, in thousandths. */
const CERTAIN = 1000;
/** So many units are told about one by one. */
const UNITS_TOLD = 3;
/** Of more than so many units or events each is told in fewer words. */
const FEW = 2;

/** A range of numbers for people: "12" or "10–14". */
export function range(least: number, most: number): string {
  return least === most ? String(most) : `${least}–${most}`;
}

/* Thousandths as percent; never 0 or 100 of what was counted and is open. */
function percentOf({ sampled }: Preview, thousandths: number): number {
  const percent = Math.round(thousandths / 10);
  return sampled ? percent : Math.min(99, Math.max(1, percent));
}

/** A probability for people: "37 %", of samples "about 37 %". */
function odds(preview: Preview, thousandths: number): string {
  const percent = percentOf(preview, thousandths);
  if (preview.sampled && percent === 100) return say('oddsSure');
  return say(preview.sampled ? 'oddsAbout' : 'odds', percent);
}

/** What one unit loses (least and most; negative: it gains); null: it has no health, or keeps it. */
function lossOf({ before, least, most }: PreviewUnit): { least: number; most: number } | null {
  if (before === undefined || least === undefined || most === undefined) return null;
  return least === before && most === before ? null : { least: before - most, most: before - least };
}

/** Is the unit of the side that acts? */
function isOwn(position: Position, unit: number): boolean {
  return position.you !== null && tokenOf(position.board, unit)?.seat === position.you;
}

/** "defeated", "37 % defeated"; '' = it stays. */
function fallWords(preview: Preview, dies: number): string {
  if (dies === 0) return '';
  return dies === CERTAIN && !preview.sampled ? say('falls') : say('fallsMaybe', odds(preview, dies));
}

/** What becomes of one unit: "Loki −12 (70 → 58)", "your Human −100 (100 → 0), defeated"; of one among many "Loki −12". */
function unitWords(position: Position, preview: Preview, one: PreviewUnit): string {
  const label = unitLabel(position.board, one.unit);
  const name = isOwn(position, one.unit) ? say('ownUnit', label) : label;
  const loss = lossOf(one);
  const gain = loss !== null && loss.most <= 0;
  const amount = loss === null ? '' : gain ? `+${range(-loss.most, -loss.least)}` : `−${range(Math.max(0, loss.least), loss.most)}`;
  const health = preview.units.length > FEW ? '' : ` (${one.before} → ${range(one.least!, one.most!)})`;
  const change = loss === null ? '' : ` ${amount}${health}`;
  const fall = fallWords(preview, one.dies);
  return `${name}${change}${fall && (change ? `, ${fall}` : ` ${fall}`)}`;
}

/** What becomes of each unit, each for itself: the enemy's first, then one's own. */
function harm(position: Position, preview: Preview): string[] {
  const told = [...preview.units].sort((one, two) => Number(isOwn(position, one.unit)) - Number(isOwn(position, two.unit)));
  return told.map((one) => unitWords(position, preview, one));
}

/** What would happen besides. */
function rest(action: LegalAction, preview: Preview): string[] {
  const words: string[] = [];
  const kinds = new Set(preview.events.map((event) => event.kind));
  if (preview.wins > 0) words.push(preview.wins === CERTAIN && !preview.sampled ? say('wins') : say('winsMaybe', odds(preview, preview.wins)));
  if (preview.loses > 0)
    words.push(preview.loses === CERTAIN && !preview.sampled ? say('loses') : say('losesMaybe', odds(preview, preview.loses)));
  if (kinds.has('fought') && preview.units.length === 0) words.push(say('battle'));
  if (kinds.has('swapped')) words.push(say('swap'));
  if (kinds.has('blocked')) words.push(say('blockedBy'));
  const told = preview.events.filter(({ kind }) => spoken.has(kind));
  for (const event of told.slice(0, told.length > FEW ? 1 : FEW)) {
    const text = event.text.replace(/\.$/, '');
    words.push(event.happens === CERTAIN ? text : `${text} (${odds(preview, event.happens)})`);
  }
  if (told.length > FEW) words.push(say('unitsMore', told.length - 1));
  if (
    action.direction !== '' &&
    preview.units.length === 0 &&
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
  const units = harm(position, preview);
  const words = [...units.slice(0, UNITS_TOLD), ...(units.length > UNITS_TOLD ? [say('unitsMore', units.length - UNITS_TOLD)] : [])];
  return [...words, ...rest(action, preview)].slice(0, UNITS_TOLD + 2).join(', ');
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

/** What stands on a mark: what those others lose or gain, and what one's own side does. */
export interface MarkWords {
  label: string;
  own: string;
}

/* A unit in a few signs: "−70", "−10–14", "✕", "−70 ✕37%". */
function unitSigns(preview: Preview, one: PreviewUnit): string {
  const loss = lossOf(one);
  const amount = loss === null ? '' : loss.most <= 0 ? `+${range(-loss.most, -loss.least)}` : `−${range(Math.max(0, loss.least), loss.most)}`;
  const sure = one.dies === CERTAIN && !preview.sampled;
  const fall = one.dies === 0 ? '' : sure ? '✕' : `✕${preview.sampled ? '≈' : ''}${percentOf(preview, one.dies)}%`;
  return [amount, fall].filter(Boolean).join(' ');
}

/** A cell. */
interface CellAt {
  x: number;
  y: number;
}

/* What a cover or rock on a cell loses. */
function groundSigns(preview: Preview, { x, y }: CellAt): string {
  const hurt = preview.events.find((event) => event.kind === 'ground-hurt' && event.at[0] === x && event.at[1] === y);
  return hurt ? `−${hurt.amount}` : '';
}

/* The unit that the signs on a cell tell about: who stands there, else who loses most, and how many there are; where a direction is
 * aimed at, every cell tells of itself alone. */
function signsOf(position: Position, preview: Preview, action: LegalAction, cell: CellAt, own: boolean): string {
  const units = preview.units.filter((one) => isOwn(position, one.unit) === own);
  const aimed = units.find(({ unit }) => {
    const token = tokenOf(position.board, unit);
    return token?.place === 'board' && token.x === cell.x && token.y === cell.y;
  });
  if (action.cell === null && !own) return aimed ? unitSigns(preview, aimed) : groundSigns(preview, cell);
  const worst = aimed ?? units.reduce<PreviewUnit | null>((most, one) => {
    const weigh = (unit: PreviewUnit | null) => (unit === null ? -1 : Math.abs(unit.before! - unit.mean!) + unit.dies);
    return weigh(one) > weigh(most) ? one : most;
  }, null);
  if (!worst) return '';
  return `${units.length > 1 ? `${units.length}× ` : ''}${unitSigns(preview, worst)}`;
}

/** What stands on the mark itself: a few signs for the other side, and a few for one's own, each unit's loss for itself. */
export function markLabel(
  position: Position, action: LegalAction, preview: Preview | null | undefined, cell: CellAt | null = action.cell,
): MarkWords {
  if (!preview || !cell) return { label: '', own: '' };
  const label = signsOf(position, preview, action, cell, false);
  const own = signsOf(position, preview, action, cell, true);
  if (label === '' && own.startsWith('+')) return { label: own, own: '' };
  const swap = preview.events.some((event) => event.kind === 'swapped') ? '⇄' : '';
  const sign = markKind(position, action, preview) === 'stay' ? '⊘' : swap;
  return { label: label || (own ? '' : sign), own: own && `♥${own}` };
}

/** The forecasts of an action, unit by unit. */
export function forecastOf(position: Position, preview: Preview | null | undefined): UnitForecast[] {
  if (!preview) return [];
  return preview.units.flatMap((one) => {
    const token = tokenOf(position.board, one.unit);
    if (token?.place !== 'board' || token.x === undefined || token.y === undefined) return [];
    const health = lossOf(one) === null ? '' : `${one.before} → ${range(one.least!, one.most!)}`;
    const fall = unitSigns(preview, { unit: one.unit, dies: one.dies });
    const text = [health, fall].filter(Boolean).join(' ');
    return [{ unit: one.unit, x: token.x, y: token.y, text, own: isOwn(position, one.unit), after: one.least ?? null }];
  });
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
  if (!there) return 'move';
  const happens = (kind: string) => preview?.events.some((event) => event.kind === kind) ?? false;
  if (there.seat !== mover?.seat) return happens('swapped') ? 'move' : 'attack';
  /* Who is in the way of a friend may stop it. */
  return !preview || happens('moved') || happens('swapped') ? 'move' : 'stay';
}

/** Why a recommended action is good, as far as looking ahead tells. */
export function tipReason(position: Position, action: LegalAction, preview: Preview | null): string {
  const words = outcomeWords(position, action, preview);
  if (words !== '') return `${words}.`;
  if (isEnding(action)) return say('tipEnd');
  return say(action.kind === 'move' ? 'tipMove' : 'tipGood');
}

/** An action as a sentence: "Hulk: Move, 3,4". */
export function actionText(position: Position, action: LegalAction, names: Map<string, string>, turned = false): string {
  const who = action.unit === null ? '' : `${unitLabel(position.board, action.unit)}: `;
  const aim =
    action.target !== null
      ? ` → ${unitLabel(position.board, action.target)}`
      : action.cell
        ? ` → ${action.cell.x},${action.cell.y}`
        : '';
  return `${who}${actionTitle(action, names, turned)}${aim}`;
}

/** Milliseconds as a clock shows them: "4:05", below ten seconds "9.4"; from a day on "2 d 5 h". */
export function clockWords(ms: number): string {
  const left = Math.max(0, ms);
  const hours = Math.floor(left / 3_600_000);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours >= 2) return `${hours} h ${Math.floor(left / 60_000) % 60} min`;
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

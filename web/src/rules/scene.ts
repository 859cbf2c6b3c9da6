/* scene.ts -- what is drawn and said of a picture of the rules: marks, ways, changes of health, and all of it in words. */
import { describeToken, healthOf } from '../board/cell-text';
import type { BoardMark } from '../board/paint';
import type { UnitForecast } from '../board/stage';
import type { Cell } from '../board/trail';
import { gamePage } from '../games';
import { actionsOf, tokenOf, type Board, type GameEvent } from '../model';
import { t } from '../texts/texts';
import type { Scene } from './guide';

/** The words of a picture name so many units at most; of more those that take part. */
const NAMED_MAX = 12;

/** What happens in a scene. */
export function eventsOf({ after }: Scene): GameEvent[] {
  return after.flatMap(({ events }) => events);
}

/** Kinds of event that are about nobody, and those whose other is a unit. */
const NOBODY = new Set(['turn-began', 'turn-ended', 'round-began', 'phase-began', 'match-ended']);
const PAIRS = new Set(['attacked', 'fought', 'swapped', 'item-given']);

/** The units that take part in some events. */
export function partakers(events: readonly GameEvent[]): number[] {
  return events.filter(({ kind }) => !NOBODY.has(kind)).flatMap(({ kind, unit, other }) => (PAIRS.has(kind) ? [unit, other] : [unit]));
}

/** What can be done by the unit that is looked at, as marks: actions, and cells behind several of them. */
export function marksOf(game: string, { before, reach }: Scene): BoardMark[] {
  const kinds = gamePage(game)?.verbs ?? {};
  const { board } = before;
  if (!reach) return [];
  const enemyAt = (x: number, y: number) => board.tokens.some((one) => one.place === 'board' && one.x === x && one.y === y && one.seat === 1 - (tokenOf(board, reach.unit)?.seat ?? 0));
  const marks: BoardMark[] = actionsOf(before).map(({ x, y, word }) => {
    const kind = kinds[word.split(' ')[0]!] ?? 'other';
    return { x, y, kind: kind === 'move' && enemyAt(x, y) ? 'attack' : kind };
  });
  const far = reach.cells.filter(({ x, y }) => !marks.some((mark) => mark.x === x && mark.y === y));
  return [...marks, ...far.map(({ x, y }) => ({ x, y, kind: 'reach' as const }))];
}

/** The way that the first who moves goes. */
export function wayOf(scene: Scene): Cell[] {
  const moves = eventsOf(scene).filter(({ kind }) => kind === 'moved');
  const own = moves.filter(({ unit }) => unit === moves[0]?.unit);
  return own.length === 0 ? [] : [own[0]!.from, ...own.map(({ at }) => at)].map(([x, y]) => ({ x, y }));
}

/** What has become of everybody's health: signs over the cell where each stands or fell. */
export function changesOf({ before, after, seat }: Scene): UnitForecast[] {
  const now = after.at(-1)?.board;
  return !now ? [] : before.board.tokens.flatMap((token) => {
    const then = tokenOf(now, token.unit);
    const place = then?.place === 'board' ? then : token;
    const fell = token.place === 'board' && then?.place !== 'board';
    const [had, has] = [healthOf(before.board, token.unit)?.now, then && healthOf(now, token.unit)?.now];
    const lost = (had ?? 0) - (has ?? 0);
    if (token.unit === 255 || place.x === undefined || !(fell || (had !== undefined && has !== undefined && lost !== 0))) return [];
    const down = fell || has === 0;
    if (fell && now.tokens.some((one) => one.place === 'board' && one.seat !== null && one.x === place.x && one.y === place.y)) return [];
    return [{ unit: token.unit, x: place.x, y: place.y!, text: down ? '✕' : lost > 0 ? `−${lost}` : `+${-lost}`, own: token.seat === seat, after: null }];
  });
}

/** Units on a board in words, with their cells; of many only `wanted`. */
function unitWords(board: Board, you: number | null, wanted: Set<number>): string {
  const here = board.tokens.filter((token) => token.place === 'board' && token.x !== undefined);
  const told = here.length <= NAMED_MAX || wanted.size === 0 ? here : here.filter(({ unit }) => wanted.has(unit));
  return told.slice(0, 2 * NAMED_MAX).map((token) => `${token.x},${token.y}: ${describeToken(board, token, you)}`).join('. ');
}

/** The scene in words: who stands where, what can be done, and then what happens. */
export function sceneWords(scene: Scene, point: Cell[]): { before: string; after: string } {
  const events = eventsOf(scene);
  const { board, you } = scene.before;
  const pointed = board.tokens.filter(({ x, y }) => point.some((cell) => cell.x === x && cell.y === y));
  const wanted = new Set([...partakers(events), ...pointed.map(({ unit }) => unit), ...(scene.reach ? [scene.reach.unit] : [])]);
  const cells = scene.reach ? [...actionsOf(scene.before), ...scene.reach.cells] : point;
  const marked = [...new Set(cells.map(({ x, y }) => `${x},${y}`))].join('; ');
  const told = events.map(({ text }) => text).filter((text) => text !== '').join(' ');
  return {
    before: [t('rules.before'), unitWords(board, you, wanted), marked && t('rules.marked', { cells: marked })].filter(Boolean).join('. '),
    after: [t('rules.after'), told].join(': '),
  };
}

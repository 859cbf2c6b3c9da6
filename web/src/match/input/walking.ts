/* walking.ts -- going where one clicks: cells that take several steps, the way to them, and why a click does nothing.
 *
 * Where a unit can go is searched by the engine (match/walk.c); here its answer is only read. */
import type { Position, Preview, WalkNode } from '../../model';
import { refusal } from '../../texts/refusals';
import { say } from '../../texts/match';
import type { CellMark, Selection } from './board-actions';
import type { LegalAction } from './legal-actions';

/** One step of a way: what is done, and the kinds of events that it causes if nothing is revealed. */
export interface Step {
  word: string;
  kinds: string[];
}

/** The cell in the engine's answer, reached with the fewest losses; undefined: the unit cannot go there. */
export function nodeAt(nodes: readonly WalkNode[] | null, x: number, y: number): WalkNode | undefined {
  const here = (nodes ?? []).filter((node) => node.x === x && node.y === y);
  return here.reduce<WalkNode | undefined>((best, node) => (best && best.loss <= node.loss ? best : node), undefined);
}

/** The cells of the way to a node, from where the unit stands. */
export function wayTo(nodes: readonly WalkNode[], node: WalkNode): WalkNode[] {
  const way = [node];
  while (way[0]!.steps > 0) way.unshift(nodes[way[0]!.from]!);
  return way;
}

/** What is done on the way. */
export function stepsOf(way: readonly WalkNode[]): Step[] {
  return way.flatMap(({ word, kinds }) => (word === undefined ? [] : [{ word, kinds }]));
}

/** May the chosen unit be walked: is nothing armed but its own moving? */
export function walks(actions: LegalAction[], { unit, armed }: Selection): boolean {
  const moves = actions.filter((action) => action.unit === unit && action.kind === 'move' && action.cell !== null);
  return unit !== null && moves.length > 0 && (armed === null || moves.some((action) => armed.startsWith(`${unit} ${action.verb}`)));
}

/** Marks of the cells that take several steps and have no mark of their own. */
export function reachMarks(nodes: readonly WalkNode[] | null, marks: CellMark[]): CellMark[] {
  const taken = new Set(marks.map(({ x, y }) => `${x},${y}`));
  const reached = (nodes ?? []).filter(({ x, y, steps, loss }) => steps > 1 && loss === 0 && !taken.has(`${x},${y}`));
  return reached.map(({ x, y, steps }) => ({ x, y, kind: 'reach' as const, label: '', told: say('reachSteps', steps) }));
}

/** Did a step cause other kinds of events than it should? Then something was revealed, and the way ends. */
export function surprised({ kinds }: Step, { events }: Position): boolean {
  const seen = new Set(events.map((event) => event.kind));
  return [...seen].some((kind) => !kinds.includes(kind));
}

/** The action that a click on a cell would be if the chosen unit could go there; undefined: it has no such actions. */
export function wished(actions: LegalAction[], unit: number | null, x: number, y: number): LegalAction['sent'] | undefined {
  const like = actions.find((action) => action.unit === unit && action.kind === 'move' && action.cell !== null);
  return like && { ...like.sent, x, y };
}

/** Why a click did nothing, as far as the page knows it by itself; null: the engine is asked. */
export function whyNot(position: Position, actions: LegalAction[], selection: Selection): string | null {
  if (position.result) return say('whyOver');
  if (actions.length === 0) return say(position.you === null ? 'whyWatching' : 'whyNotYourTurn');
  if (selection.armed !== null) return say('whyNoTarget');
  if (selection.unit === null) return say('whyNobody');
  return null;
}

/** Why the chosen unit cannot go to a cell, by the id of the engine's answer. */
export function whyNoWay(status: string): string {
  return refusal(status) ?? say('whyNoWay');
}

/** Why the chosen unit cannot hit an enemy, by what ending comes to: while only a phase ends, the turn is not over and may allow it. */
export function whyNoHit(ending: Preview | null): string {
  const kinds = new Set(ending?.events.map(({ kind }) => kind));
  const goesOn = kinds.has('phase-began') && !kinds.has('turn-ended');
  return say(goesOn ? 'whyNotThisPhase' : 'whyOutOfReach');
}

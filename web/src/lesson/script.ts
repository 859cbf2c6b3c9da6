/* script.ts -- a lesson as its game's folder has it (games/<id>/lesson.json): a match with notes and a forced next action.
 *
 * A lesson is a beginning and steps. Each step says something, points at something, and waits for what the learner has to do; then the
 * opponent does what is written. All of it goes through the engine, so a lesson cannot contradict the rules: it is a match file with a
 * note at some of its actions, and a test plays every lesson to its end (web/tests/lessons.test.ts). */
import type { ContentRequest, Terms } from '../engine/calls';
import type { Engine } from '../engine/engine';
import type { Text } from '../games';
import type { ActionGroup, Board, Seat } from '../model';

/** Something that is done by a seat, in the words of the game's notation. */
export interface Deed {
  seat: Seat;
  do: string[];
}

/** Where something begins: a content, its luck, and what was done before anybody looks. */
export interface Start {
  preset?: string;
  /** Documents in place of the preset's of the same kind, by name. */
  documents?: Record<string, unknown>;
  options?: Record<string, number>;
  seed: number;
  before?: Deed[];
}

/** What is said at one moment of a match, and what it points at: "unit h0", "cell 3 4", "control undo". */
export interface Note {
  /** So many actions have been done. */
  at: number;
  text: Text;
  point?: string[];
}

/** One step of a lesson. */
export interface LessonStep {
  text: Text;
  /** Left out: at what is to be done. */
  point?: string[];
  /** What the learner has to do, one after the other; * stands for any one word. Left out: only reads. */
  do?: string[];
  /** What the opponent does then. */
  then?: string[];
}

/** A lesson. */
export interface Lesson {
  /** The learner's seat. */
  seat: Seat;
  start: Start;
  steps: LessonStep[];
  /** Of the real match behind it; left out: the game's first board. */
  next?: { preset: string };
}

/** What a script needs of an engine: that of a worker, or in tests one beside it. */
export type ScriptEngine = Pick<Engine, 'call' | 'load'>;

/** Is an action what a step asks for? A * in it stands for any one word. */
export function fits(wanted: string, word: string): boolean {
  const [want, have] = [wanted.split(' '), word.split(' ')];
  return want.length === have.length && want.every((part, at) => part === '*' || part === have[at]);
}

/** Of a list of actions those that a step asks for. */
export function only(groups: ActionGroup[], wanted: string | undefined): ActionGroup[] {
  if (wanted === undefined) return [];
  return groups.flatMap((group) => {
    const kept = group.words.flatMap((word, at) => (fits(wanted, word) ? [at] : []));
    const pick = <T>(list: T[]) => kept.map((at) => list[at]!);
    return kept.length === 0 ? [] : [{ ...group, cells: pick(group.cells), words: pick(group.words) }];
  });
}

/** What is loaded for a beginning. */
export function contentOf(game: string, { preset, documents = {} }: Start): ContentRequest {
  const texts = Object.entries(documents).map(([name, document]) => ({ name, text: JSON.stringify(document) }));
  return { game, ...(preset ? { preset } : {}), ...(texts.length > 0 ? { documents: texts } : {}) };
}

/** Does one action; throws if the engine refuses it: then a lesson contradicts the rules. */
export async function perform(engine: ScriptEngine, seat: Seat, word: string): Promise<void> {
  const refusal = await engine.call('acts', { seat, words: [word] });
  if (refusal !== null) throw new Error(`seat ${seat}, "${word}": ${refusal.reason}`);
}

/** Begins a match and does what comes before. */
export async function setUp(engine: ScriptEngine, game: string, start: Start): Promise<Terms> {
  const terms = await engine.load(contentOf(game, start));
  const refusal = await engine.call('begin', { options: start.options ?? {}, seed: [start.seed, 0, 0, 0] });
  if (refusal !== null) throw new Error(refusal.reason);
  for (const { seat, do: words } of start.before ?? []) for (const word of words) await perform(engine, seat, word);
  return terms;
}

/** The lesson as notes of a match: what is said, after how many actions. */
export function notesOf({ start, steps }: Lesson): Note[] {
  let at = (start.before ?? []).reduce((sum, deed) => sum + deed.do.length, 0);
  return steps.map(({ text, point, do: own = [], then = [] }) => {
    const note = { at, text, ...(point ? { point } : {}) };
    at += own.length + then.length;
    return note;
  });
}

/** The cells that a note points at; units that are not on the board have none. */
export function cellsOf(point: readonly string[], board: Board): { x: number; y: number }[] {
  return point.flatMap((one) => {
    const [what, ...rest] = one.split(' ');
    if (what === 'cell') return [{ x: Number(rest[0]), y: Number(rest[1]) }];
    const token = what === 'unit' ? board.tokens.find(({ name, place }) => name === rest[0] && place === 'board') : undefined;
    return token ? [{ x: token.x ?? 0, y: token.y ?? 0 }] : [];
  });
}

/** The controls that a note points at, by the names that the styles know. */
export function controlsOf(point: readonly string[]): string[] {
  return point.flatMap((one) => (one.startsWith('control ') ? [one.slice('control '.length)] : []));
}

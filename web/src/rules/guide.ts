/* guide.ts -- the rules for players as a game's folder has them (games/<id>/guide.json), and the positions of their pictures.
 *
 * A picture is a beginning and what is done then, as a lesson is: the engine plays it whenever somebody looks, so that a picture
 * cannot contradict the rules, and a test compares what happens with what the picture claims (web/tests/guides.test.ts). */
import type { NamedList, Names } from '../engine/calls';
import { gamePage, type Text } from '../games';
import { perform, only, setUp, type Deed, type Lesson, type ScriptEngine, type Start } from '../lesson/script';
import { actionsOf, otherSeat, tokenOf, type Board, type GameEvent, type Position, type Seat } from '../model';

/** A position, and what is done in it. */
export interface Picture {
  /** One of the guide's beginnings. */
  start?: string;
  /** In place of it: the position in which this step of the lesson begins, from 1 on. */
  lesson?: number;
  /** What is done first and not shown. */
  before?: Deed[];
  /** Through whose eyes, and who does it. */
  seat?: Seat;
  /** Shows what is hidden, too. */
  open?: true;
  do?: string[];
  /** What happens by it: "hurt t0 30". */
  shows?: string[];
  /** The unit whose actions are marked. */
  reach?: string;
  /** Actions that are forbidden here. */
  refused?: string[];
  point?: string[];
  text: Text;
}

/** A part of the rules. */
export interface GuideSection {
  text: Text[];
  pictures?: Picture[];
}

/** The rules for players. */
export interface Guide {
  starts?: Record<string, Start>;
  aim: GuideSection;
  turn: GuideSection;
  actions: (GuideSection & { title: Text })[];
  end: GuideSection;
  hints: Text[];
}

/** What the engine made of a picture. */
export interface Scene {
  /** Who acts, and whose side is the lower one in all pictures: the learner's. */
  seat: Seat;
  home: Seat;
  before: Position;
  /** After each of the actions, with its events; none: nothing is done. */
  after: Position[];
  /** The number of the unit whose actions are marked, and where it can go by several of them. */
  reach?: { unit: number; cells: { x: number; y: number }[] };
}

/** All pictures of a guide, in the order in which they are seen. */
export function picturesOf({ aim, turn, actions, end }: Guide): Picture[] {
  return [aim, turn, ...actions, end].flatMap(({ pictures = [] }) => pictures);
}

/** Plays a lesson up to the beginning of a step, from 1 on; where the learner may choose, the first is taken. */
async function followLesson(engine: ScriptEngine, { seat, steps }: Lesson, to: number): Promise<void> {
  for (const { do: own = [], then = [] } of steps.slice(0, to - 1)) {
    for (const wanted of own) {
      const position = await engine.call('see', { eyes: seat });
      const [choice] = actionsOf({ ...position, actions: only(position.actions, wanted) });
      await perform(engine, seat, choice?.word ?? wanted);
    }
    for (const word of then) await perform(engine, otherSeat(seat), word);
  }
}

/** The number of a unit by its short name; throws if nobody is called so. */
export function unitCalled(board: Board, name: string): number {
  const token = board.tokens.find((one) => one.name === name);
  if (!token) throw new Error(`no unit is called "${name}"; there are ${board.tokens.map((one) => one.name).join(', ')}`);
  return token.unit;
}

/** Plays a picture. Throws where it contradicts the rules. */
export async function develop(engine: ScriptEngine, game: string, guide: Guide, picture: Picture): Promise<Scene> {
  const lesson = (await gamePage(game)?.lesson?.())?.default;
  const start = picture.lesson === undefined ? guide.starts?.[picture.start ?? ''] : lesson?.start;
  if (!start) throw new Error(`"${picture.start ?? picture.lesson ?? ''}" is no beginning of this guide`);
  await setUp(engine, game, start);
  if (lesson && picture.lesson !== undefined) await followLesson(engine, lesson, picture.lesson);
  for (const { seat, do: words } of picture.before ?? []) for (const word of words) await perform(engine, seat, word);
  const home = lesson?.seat ?? 0;
  const seat = picture.seat ?? (picture.lesson === undefined ? 0 : home);
  const look = () => engine.call('see', { eyes: picture.open ? 'all' : seat });
  const scene: Scene = { seat, home, before: await look(), after: [] };
  if (picture.reach !== undefined) {
    const own = await engine.call('see', { eyes: seat });
    const unit = unitCalled(own.board, picture.reach);
    const ways = own.seen ? await engine.call('walk', { seatView: own.seen, unit }) : null;
    scene.before = { ...scene.before, actions: own.actions.filter((group) => group.unit === unit && !group.nobody) };
    scene.reach = { unit, cells: (ways ?? []).slice(1) };
  }
  for (const word of picture.do ?? []) {
    await perform(engine, seat, word);
    scene.after.push(await look());
  }
  return scene;
}

/** An event in the words of "shows": its kind, the unit's short name, the amount if there is one. */
export function eventWords({ kind, unit, amount }: GameEvent, board: Board): string {
  return [kind, tokenOf(board, unit)?.name, amount || undefined].filter((part) => part !== undefined).join(' ');
}

/** A text in parts: what stands in it, and names of the game by their ids. */
export function partsOf(text: string, names: Names): { text: string; named: boolean }[] {
  return text.split(/\{(\w+:[\w-]+)\}/).map((part, at) => {
    if (at % 2 === 0) return { text: part, named: false };
    const [list, id] = part.split(':') as [NamedList, string];
    return { text: names[list]?.[id] ?? id, named: true };
  });
}

/* examples.ts -- moments that show a rule at work, found by playing: two programs play a match with fixed luck, and the first
 * moments at which something worth a look happens are kept. So every example is a true one, whatever the content says. */
import { Engine } from '../engine/engine';
import { traitIndex } from '../match/panels/facts';
import { actionsOf, type Meter, type Position } from '../model';

/** A moment, and the one before it. */
export interface Example {
  before: Position;
  after: Position;
  /** What is seen, in the engine's words. */
  words: string[];
}

/** What the examples of a match tell beside the moments themselves. */
export interface Examples {
  list: Example[];
  /** Who takes part, in the order of coming, with the values told about them first. */
  cast: ({ id: string } & CastValues)[];
}

/** What is told about one who takes part. */
export interface CastValues {
  kind: string;
  values: { id: string; name: string; now: number }[];
  /** Values that are words, and abilities, by their numbers in the engine. */
  traits: { name: string; index: number }[];
  powers: { name: string; index: number }[];
}

/** What is worth a look, the rarest first. */
const WORTH = ['teleported', 'item-taken', 'revived', 'fought', 'died', 'healed', 'used', 'swapped', 'ground-changed', 'blocked', 'appeared', 'hurt', 'spoke', 'moved'];
const WANTED = 6;
/** So many are looked for, to choose from. */
const ENOUGH = 9;
const ACTIONS_MAX = 260;
const LEVEL = 2;

/** Plays and looks; `stop` ends it early. */
export async function findExamples(game: string, stop: () => boolean): Promise<Examples> {
  const board = new Engine();
  const mind = new Engine();
  const found = new Map<string, Example>();
  const cast: Cast = new Map();
  try {
    await board.load({ game });
    await mind.load({ game });
    await board.call('begin', { options: {}, seed: [1, 2, 3, 4] });
    let before = await board.call('see', { eyes: 'all' });
    meet(cast, before);
    for (let count = 0; count < ACTIONS_MAX && found.size < ENOUGH && !stop(); count++) {
      const [seat] = (await board.call('waits')).awaited;
      if (seat === undefined) break;
      const seatView = await board.call('seatView', { seat });
      const choice = (await mind.think(seatView, LEVEL, count + 1, stop)) ?? actionsOf(await board.call('see', { eyes: seat }))[0];
      if (!choice || (await board.call('act', { seat, action: choice })) !== null) break;
      const after = await board.call('see', { eyes: 'all' });
      keep(found, before, after);
      meet(cast, after);
      before = after;
    }
  } finally {
    board.close();
    mind.close();
  }
  const list = WORTH.flatMap((kind) => found.get(kind) ?? []);
  return { list: [...new Set(list)].slice(0, WANTED), cast: [...cast].map(([id, values]) => ({ id, ...values })) };
}

/** Keeps the moment for the first thing worth a look in it that has no example yet. */
function keep(found: Map<string, Example>, before: Position, after: Position): void {
  const kind = WORTH.find((one) => !found.has(one) && after.events.some((event) => event.kind === one && event.unit !== 255));
  if (!kind || before.board.tokens.every((token) => token.place !== 'board')) return;
  const seen = after.events.filter((event) => WORTH.includes(event.kind) || event.kind === 'attacked');
  found.set(kind, { before, after, words: seen.slice(0, 4).map(({ text }) => text) });
}

/** By the id of a kind, what is told about it first. */
type Cast = Map<string, CastValues>;

/** Notes who is new: units, and what is on offer while teams are chosen. */
function meet(cast: Cast, { board }: Position): void {
  for (const { role, about = [], about_ids = [], id, name, now } of board.meters) {
    const [kind, of] = [about[0], about_ids[0]];
    if (role !== 'offered' || kind === undefined || of === undefined) continue;
    const known = cast.get(of) ?? { kind, values: [], traits: [], powers: [] };
    if (!known.values.some((value) => value.id === id))
      cast.set(of, { ...known, values: [...known.values, { id, name, now }] });
  }
  for (const { kind, kind_id, unit } of board.tokens) {
    if (!kind || !kind_id || cast.has(kind_id)) continue;
    const meters = board.meters.filter((meter) => unit !== 255 && meter.unit === unit);
    const named = (meter: Meter, index: number) => ({ name: meter.about?.[0] ?? '', index });
    cast.set(kind_id, {
      kind,
      values: meters.filter((meter) => !meter.about).slice(0, 6).map(({ id, name, now, most }) => ({ id, name, now: most ?? now })),
      traits: meters.filter(({ id }) => id === 'type').map((meter) => named(meter, traitIndex(meter))),
      powers: meters.filter(({ role, about }) => role === 'cooldown' && about).map((meter) => named(meter, meter.index)),
    });
  }
}

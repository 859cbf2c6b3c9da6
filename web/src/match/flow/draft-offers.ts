/* draft-offers.ts -- assembling before the play: what is on offer, what was taken, what may be done at
 * once. The engine lists it as actions; here they become cards. Which screen is shown follows from
 * what the actions are, not from the game. */
import { metersOf, type Meter, type Position, type Preview, type Seat } from '../../model';
import { gaugeOf, unitFacts, type Gauge, type AbilityFacts, type Trait } from '../panels/facts';
import type { Presentation } from '../panels/presentation';
import { isEnding, type LegalAction } from '../input/legal-actions';

/** A card. */
export interface Offer {
  key: string;
  name: string;
  /** The id of its kind or of the thing, for picture and description. */
  kind: string;
  unit: number | null;
  gauges: Gauge[];
  powers: AbilityFacts[];
  traits: Trait[];
  /** How it is taken; null: it cannot be, or is taken. */
  action: LegalAction | null;
  taken: boolean;
  leader: boolean;
}

const taking = new Set(['choose', 'pick', 'appoint', 'pack']);
const assembling = new Set([...taking, 'place', 'layout', 'random', 'usual']);

/** Is the match still being prepared? `before`: it was in the position before. `phases`: those of the game before the play; who may do
 * nothing now (a watcher, or who waits) learns it from them. */
export function isAssembling(position: Position, actions: LegalAction[], before: boolean | null, phases: Presentation['before']): boolean {
  if (position.result) return false;
  if (actions.some((action) => assembling.has(action.verb))) return true;
  if (actions.some((action) => action.verb === 'ready')) return true;
  if (actions.length > 0) return false;
  if (phases) return position.board.phase_id in phases;
  const begun = position.events.some((event) => event.kind === 'match-began');
  const playing = position.board.tokens.some(
    (token) => token.place === 'board' && token.unit !== 255 && token.seat !== null,
  );
  if (begun || playing) return false;
  return before ?? true;
}

/** Is an army placed on the board (and not chosen from cards)? */
export function isPlacing(position: Position, actions: LegalAction[], phases: Presentation['before']): boolean {
  if (phases?.[position.board.phase_id] === 'board') return true;
  if (actions.some((action) => action.verb === 'place' || action.verb === 'ready')) return true;
  return position.board.tokens.some((token) => token.unit === 255 && token.place === 'board');
}

/* A card about something that has no unit yet: its figures stand in the meters of the table. */
function thingOffer(position: Position, thing: string, action: LegalAction | null): Offer {
  const meters = position.board.meters.filter(
    (meter) => meter.role === 'offered' && meter.about_ids?.[0] === thing,
  );
  return {
    key: action?.word ?? thing,
    name: meters[0]?.about?.[0] ?? thing,
    kind: thing,
    unit: null,
    gauges: meters.map(gauge),
    powers: [],
    traits: [],
    action,
    taken: false,
    leader: false,
  };
}

/** A meter as a value of a card; the top is left out, since nothing is lost yet. */
function gauge(meter: Meter): Gauge {
  return { ...gaugeOf(meter), most: 0 };
}

/** A card for a unit; null: this view has no such unit. */
function unitOffer(
  position: Position,
  unit: number,
  action: LegalAction | null,
): Offer | null {
  const facts = unitFacts(position, unit);
  if (!facts) return null;
  const gauges = metersOf(position.board, unit)
    .filter((meter) => !meter.about && meter.role !== 'leader')
    .map((meter) => ({ ...gauge(meter), now: meter.most ?? meter.now }));
  return {
    key: `unit ${unit}`,
    name: facts.name,
    kind: facts.token.kind_id ?? '',
    unit,
    gauges,
    powers: facts.abilities,
    traits: facts.traits,
    action,
    taken: facts.token.chosen === true && action === null,
    leader: facts.leader,
  };
}

/** Every card: what can be taken, and what this seat has taken of the same offer. */
export function offersOf(position: Position, actions: LegalAction[]): Offer[] {
  const able = actions.filter((action) => taking.has(action.verb));
  const units = new Map(able.filter((action) => action.unit !== null).map((action) => [action.unit, action]));
  const cards: Offer[] = [];
  for (const token of position.board.tokens) {
    if (token.unit === 255 || token.kind === undefined || token.place !== 'bench') continue;
    const action = units.get(token.unit) ?? null;
    const mine =
      token.chosen === true &&
      token.seat === position.you &&
      units.size > 0 &&
      able[0]?.verb === 'choose';
    const waiting = able.length === 0 && token.seat === null;
    if (action === null && !mine && !waiting) continue;
    const offer = unitOffer(position, token.unit, action);
    if (offer && (action !== null || offer.gauges.length > 1)) cards.push(offer);
  }
  for (const action of able)
    if (action.unit === null && action.thing !== '') cards.push(thingOffer(position, action.thing, action));
  return cards;
}

/** Cards of what is chosen after these, to be read before. The table tells the figures of all that it offers, in the order in which it is
 * chosen; what has a figure in common with a card that can be taken is of the same sort, and only not to be had. */
export function offersAfter(position: Position, offers: Offer[]): Offer[] {
  const meters = position.board.meters.filter((meter) => meter.role === 'offered');
  const things = [...new Set(meters.map((meter) => meter.about_ids?.[0] ?? ''))];
  const now = offers.filter((offer) => offer.unit === null);
  const last = Math.max(...now.map((offer) => things.indexOf(offer.kind)));
  const figures = new Set(now.flatMap((offer) => offer.gauges).map((gauge) => gauge.id));
  if (last < 0) return [];
  return things
    .slice(last + 1)
    .map((thing) => thingOffer(position, thing, null))
    .filter((offer) => offer.gauges.every((gauge) => !figures.has(gauge.id)));
}

/** What an action would choose for the seat all at once, by its outcome: a card for each choice. */
export function chosenBy(position: Position, seat: Seat, preview: Preview | null): Offer[] {
  return (preview?.events ?? [])
    .filter((event) => event.kind === 'chosen' && event.other === seat && event.what_id !== undefined)
    .map((event) => thingOffer(position, event.what_id as string, null));
}

/** The verb by which cards are taken now; '' = none. */
export function takingVerb(actions: LegalAction[]): string {
  return actions.find((action) => taking.has(action.verb))?.verb ?? '';
}

/** What can be done at once while assembling: a whole usual team, a set-up, a random one, ready. */
export function shortcuts(actions: LegalAction[]): LegalAction[] {
  return actions.filter(
    (action) =>
      action.unit === null &&
      action.cell === null &&
      !taking.has(action.verb) &&
      action.verb !== 'place' &&
      !isEnding(action),
  );
}

/** Who was taken by a seat so far, and things by name and number. */
export function takenBy(
  position: Position,
  seat: Seat,
): { units: Offer[]; things: Gauge[] } {
  const units = position.board.tokens
    .filter((token) => token.chosen === true && token.seat === seat)
    .map((token) => unitOffer(position, token.unit, null))
    .filter((offer): offer is Offer => offer !== null);
  const things = position.board.meters
    .filter((meter) => meter.side === seat)
    .map(gaugeOf);
  return { units, things };
}

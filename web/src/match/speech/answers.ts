/* answers.ts -- what is answered when a key or the command line asks. Everything comes from the position, from actions of the engine's
 * list and from what the engine says of their outcome; nothing here knows a game. */
import { describeCell, tokensAt } from '../../board/cell-text';
import { tokenOf, UNIT_NONE, type Position, type Seat, type Token } from '../../model';
import { unitLabel } from '../../names';
import { settings } from '../../settings';
import { oneSentence } from '../../speech';
import type { RunningClock, Table } from '../../table/table';
import { answerText as tell } from '../../texts/speech';
import { say } from '../../texts/match';
import { dangerWords, foesOf, hasHealth, UNKNOWN } from '../input/danger';
import { actionTitle, slug, thingNames, type LegalAction } from '../input/legal-actions';
import { clockWords, markKind, outcomeWords } from '../input/preview-text';
import type { MatchInput } from '../input/match-input';
import { roster, sideGauges, tableGauges, turnOrder, unitFacts, type Gauge } from '../panels/facts';
import { seatName, turnWords } from '../panels/status-bar';
import { happened } from './happened';
import type { Question } from './questions';

/** What a key asks. */
export type KeyQuestion = 'here' | 'last' | 'can' | 'attack' | 'turns' | 'within' | 'danger';

/** A cell. */
interface Cell {
  x: number;
  y: number;
}

/** So many of a list are told, by how much is to be said. */
const TOLD = { few: 4, usual: 8, all: 100 };

/** A list for the ear, not too long. */
function list(parts: string[]): string {
  const most = TOLD[settings.verbosity.value];
  const told = parts.length > most ? [...parts.slice(0, most), tell('more', parts.length - most)] : parts;
  return told.join(', ');
}

/** "3,4". */
const cellName = ({ x = 0, y = 0 }: { x?: number; y?: number }): string => tell('cell', x, y);

/** Answers a key, about the cell with the cursor or else the chosen unit. */
export async function answerKey(what: KeyQuestion, input: MatchInput, at: Cell | null): Promise<string> {
  const { table } = input;
  const position = table.position.value;
  if (!position) return '';
  if (what === 'last') return lastWords(table);
  if (what === 'turns') return turnAnswer(table, position);
  const unit = unitAt(position, at) ?? input.selection.value.unit;
  if (what === 'here') return hereAnswer(position, at, unit);
  if (what === 'danger') return at ? dangerAnswer(table, position, at) : tell('noCell');
  if (unit === null) return tell('noUnit');
  if (what === 'can') return canAnswer(input, position, unit);
  if (what === 'attack') return attackAnswer(input, position, unit);
  return withinAnswer(input, position, unit);
}

/** Answers a typed question. */
export async function answerLine({ what, whom }: Question, input: MatchInput): Promise<string> {
  const { table } = input;
  const position = table.position.value;
  if (!position) return '';
  if (what === 'last') return lastWords(table);
  if (what === 'turns') return turnAnswer(table, position);
  if (what === 'score') return scoreAnswer(table, position);
  if (what === 'prepared') return oneSentence(input.prepared.told() ?? [tell('nothingPrepared')]);
  if (what === 'where') return whereAnswer(position, whom);
  const found = calledSo(position, whom).filter(({ place, unit }) => place === 'board' && unit !== UNIT_NONE);
  if (found.length === 0) return tell('nobody', whom);
  const answers = [];
  for (const { unit } of found.slice(0, TOLD[settings.verbosity.value])) {
    if (what === 'hit') answers.push(await hitAnswer(input, position, unit));
    else answers.push(await (what === 'can' ? canAnswer(input, position, unit) : withinAnswer(input, position, unit)));
  }
  return oneSentence(answers);
}

/** The unit on a cell. */
function unitAt({ board }: Position, at: Cell | null): number | null {
  const token = at && tokensAt(board, at.x, at.y).find(({ unit }) => unit !== UNIT_NONE);
  return token ? token.unit : null;
}

/** A word without its ending: "stones" and "Steine" ask about every stone. */
function stem(word: string): string {
  const text = slug(word);
  return text.length > 4 ? text.replace(/(en|es|s|n|e)$/, '') : text;
}

/** All units and things that a word may mean, by what is typed for them, by their kind's id and by its name in the language spoken. */
export function calledSo({ board }: Position, word: string): Token[] {
  const wanted = slug(word);
  const names = (token: Token) => [token.name, token.kind_id ?? '', slug(token.kind ?? ''), token.unit === UNIT_NONE ? '' : slug(unitLabel(board, token.unit))];
  const exact = board.tokens.filter((token) => names(token).includes(wanted));
  return exact.length > 0 ? exact : board.tokens.filter((token) => names(token).some((name) => name.includes(stem(word))));
}

/** What happened last. */
function lastWords(table: Table): string {
  const events = table.log.value.filter(({ event }) => event !== undefined);
  const number = events.filter((line) => happened([line], 'usual') !== '').at(-1)?.number;
  return happened(events.filter((line) => line.number === number), 'all') || tell('nothingYet');
}

/** How long a clock still has. */
function clockLeft(clock: RunningClock | null): string | null {
  return clock && clockWords(clock.left_ms - (clock.running ? performance.now() - clock.at : 0));
}

/** Whose turn it is, who follows, and the clocks. */
function turnAnswer(table: Table, position: Position): string {
  const { clocks, about } = table;
  const order = turnOrder(position, about.value.sides).map(({ name }) => name);
  const times = ([0, 1] as const).flatMap((seat) => {
    const left = clockLeft(clocks.value.turn[seat]);
    return left === null ? [] : [tell('time', seatName(table, seat), left)];
  });
  const whole = clockLeft(clocks.value.match);
  const clock = [...times, ...(whole === null ? [] : [tell('matchTime', whole)])];
  return oneSentence([turnWords(table, position), ...(order.length > 1 ? [tell('order', list(order))] : []), ...(clock.length > 0 ? clock : [tell('noClock')])]);
}

/** A value with its name. */
function valueWords({ name, now, most }: Gauge): string {
  return most > 0 ? tell('valueOf', name, now, most) : tell('value', name, now);
}

/** How the match stands: values of the table and of each side, and who is left. */
function scoreAnswer(table: Table, position: Position): string {
  const own = (['round', 'limit', 'score'] as const).flatMap((role) => tableGauges(position.board, role)).filter(({ now }) => now > 0);
  const sides = ([0, 1] as Seat[]).flatMap((seat) => {
    const units = roster(position, seat);
    const left = units.filter(({ out }) => !out).length;
    const values = sideGauges(position.board, seat).filter(({ now, most }) => now > 0 || most > 0);
    return [tell('left', seatName(table, seat), left, units.length), ...values.map(valueWords)];
  });
  return oneSentence([...own.map(valueWords), ...sides]);
}

/** A cell, and all that is to be told of the unit there or of the chosen one. */
function hereAnswer(position: Position, at: Cell | null, unit: number | null): string {
  const facts = unit === null ? null : unitFacts(position, unit);
  const values = facts ? [...facts.points, ...facts.numbers].map(valueWords) : [];
  const traits = facts ? facts.traits.map(({ title, name }) => tell('value', title, name)) : [];
  const token = facts?.token;
  const place = at ?? (token?.place === 'board' ? token : null);
  if (!place && !token) return tell('noCell');
  const cell = place ? describeCell(position.board, place.x ?? 0, place.y ?? 0, position.you, []) : tell(token!.place === 'bench' ? 'bench' : 'gone', unitLabel(position.board, token!.unit));
  return oneSentence([cell, ...traits, ...values]);
}

/** Where everything is that a word may mean, held things with who holds them. */
function whereAnswer(position: Position, whom: string): string {
  const { board } = position;
  const places = calledSo(position, whom).map((token) => {
    const name = token.unit === UNIT_NONE ? (token.kind ?? token.name) : unitLabel(board, token.unit);
    if (token.place === 'board') return tell('place', name, cellName(token));
    return tell(token.place === 'bench' ? 'bench' : 'gone', name);
  });
  const part = stem(whom);
  const held = board.meters.flatMap((meter) => {
    const holder = meter.role === 'held' && meter.unit !== undefined ? tokenOf(board, meter.unit) : undefined;
    const [id, name] = [meter.about_ids?.[0] ?? meter.id, meter.about?.[0] ?? meter.name];
    if (!holder || !(id.includes(part) || slug(name).includes(part))) return [];
    return [tell('holder', name, unitLabel(board, holder.unit), cellName(holder))];
  });
  const gone = (words: string) => held.some((one) => one.startsWith(words.split(':')[0]!));
  const told = [...places.filter((words) => !gone(words)), ...held];
  return told.length === 0 ? tell('nobody', whom) : oneSentence([list(told)]);
}

/** What a unit can do now: each way with its aims. */
async function canAnswer(input: MatchInput, position: Position, unit: number): Promise<string> {
  const names = thingNames(position);
  const ways = new Map<string, string[]>();
  for (const action of input.actions.value.filter((one) => one.unit === unit)) {
    const title = actionTitle({ ...action, direction: '' }, names);
    const aim = action.target !== null ? unitLabel(position.board, action.target) : action.cell ? cellName(action.cell) : '';
    ways.set(title, [...(ways.get(title) ?? []), ...(aim ? [aim] : [])]);
  }
  const name = unitLabel(position.board, unit);
  const told = [...ways].map(([title, aims]) => (aims.length > 0 ? tell('one', title, list(aims)) : title));
  const walk = ways.size > 0 ? await input.table.walk(unit).catch(() => null) : null;
  if (walk && walk.some(({ steps }) => steps > 1)) told.push(tell('goes', walk.length - 1));
  if (told.length > 0) return tell('can', name, told.join('; '));
  const canPrepare = input.prepared.open.value && tokenOf(position.board, unit)?.seat === position.you;
  return tell(canPrepare ? 'canPrepare' : 'canNothing', name);
}

/** The attacks of a unit that are offered now, with what the engine says of each. */
async function attacksOf(input: MatchInput, position: Position, unit: number): Promise<{ action: LegalAction; words: string; hits: number[] }[]> {
  const attacks = [];
  for (const action of input.actions.value.filter((one) => one.unit === unit)) {
    const preview = input.preview(action) ?? (await input.table.preview(action.sent).catch(() => null));
    const foes = (preview?.units ?? []).filter((one) => tokenOf(position.board, one.unit)?.seat !== position.you);
    if (markKind(position, action, preview) !== 'attack' && foes.length === 0) continue;
    const aimed = action.cell ? tokensAt(position.board, action.cell.x, action.cell.y).filter(({ seat }) => seat !== null) : [];
    const hits = [...new Set([...foes, ...aimed].map((one) => one.unit))];
    attacks.push({ action, words: outcomeWords(position, action, preview), hits });
  }
  return attacks;
}

/** Whom a unit can attack now, and what would come of it. */
async function attackAnswer(input: MatchInput, position: Position, unit: number): Promise<string> {
  const names = thingNames(position);
  const attacks = await attacksOf(input, position, unit);
  const told = attacks.map(({ action, words }) => {
    const aim = action.target !== null ? unitLabel(position.board, action.target) : action.cell ? cellName(action.cell) : '';
    return oneSentence([[actionTitle(action, names), aim, words].filter(Boolean).join(' ')]).replace(/\.$/, '');
  });
  const name = unitLabel(position.board, unit);
  return told.length === 0 ? tell('attackNobody', name) : tell('can', name, told.slice(0, TOLD[settings.verbosity.value]).join('; '));
}

/** Who is within reach of a unit: of one's own those that it can hit now or after some steps, of an enemy those that it can hit next. */
async function withinAnswer(input: MatchInput, position: Position, unit: number): Promise<string> {
  const { board, you } = position;
  const name = unitLabel(board, unit);
  if (you === null) return tell('onlyPlayers');
  const told: string[] = [];
  if (tokenOf(board, unit)?.seat === you) {
    const now = new Set((await attacksOf(input, position, unit)).flatMap(({ hits }) => hits));
    for (const foe of foesOf(position)) {
      const label = unitLabel(board, foe.unit);
      const way = now.has(foe.unit) ? null : await input.table.walkAttack(unit, foe.unit).catch(() => null);
      if (now.has(foe.unit)) told.push(tell('atOnce', label, cellName(foe)));
      else if (way && way.length > 1) told.push(tell('afterSteps', label, cellName(foe), way.length - 1));
    }
  } else {
    const threat = await input.table.threat(unit).catch(() => null);
    const own = board.tokens.filter((one) => one.place === 'board' && one.seat === you && (threat?.[(one.y ?? 0) * board.width + (one.x ?? 0)] ?? 0) !== 0);
    told.push(...own.map((one) => tell('atOnce', unitLabel(board, one.unit), cellName(one))));
  }
  return told.length === 0 ? tell('withinNobody', name) : tell('within', name, list(told));
}

/** The enemies that can hit a cell in their next turn, with how much each may take there. */
async function hitters(table: Table, position: Position, { x = 0, y = 0 }: { x?: number; y?: number }): Promise<string[]> {
  const health = hasHealth(position.board);
  const told = [];
  for (const foe of foesOf(position)) {
    const most = (await table.threat(foe.unit).catch(() => null))?.[y * position.board.width + x] ?? 0;
    const label = unitLabel(position.board, foe.unit);
    if (most !== 0) told.push(most === UNKNOWN ? tell('perhaps', label) : health ? tell('upTo', label, most) : label);
  }
  return told;
}

/** Who can hit a unit: of one's own in the enemy's next turn, an enemy now. */
async function hitAnswer(input: MatchInput, position: Position, unit: number): Promise<string> {
  const token = tokenOf(position.board, unit)!;
  const name = unitLabel(position.board, unit);
  if (position.you === null) return tell('onlyPlayers');
  if (token.seat === position.you) {
    const told = await hitters(input.table, position, token);
    return told.length === 0 ? tell('hitNobody', name) : tell('hitBy', name, list(told));
  }
  const told = [];
  for (const own of input.able.value)
    if ((await attacksOf(input, position, own)).some(({ hits }) => hits.includes(unit))) told.push(unitLabel(position.board, own));
  return told.length === 0 ? tell('hitNobody', name) : tell('hitOwn', name, list(told));
}

/** How dangerous a cell is, and because of whom. */
async function dangerAnswer(table: Table, position: Position, at: Cell): Promise<string> {
  const threat = await table.threat().catch(() => null);
  const most = threat?.[at.y * position.board.width + at.x];
  if (most === undefined) return say('dangerNobody');
  const words = dangerWords(at.x, at.y, most, hasHealth(position.board));
  return most === 0 ? words : oneSentence([words, list(await hitters(table, position, at))]);
}

/* base.ts -- what all tables have in common: the signals, the log that grows with each position, the clocks; and saying everything again
 * when the language of the page changes. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { LeaverChoice, Phrase, PreparedMessage, RatedMessage } from '../arena/messages';
import type { Action, Clocks, GameEvent, Player, Position, Preview, Result, Seat, Tip, WalkNode } from '../model';
import type { Engine } from '../engine/engine';
import type { Past, SeatView } from '../engine/calls';
import { painted } from '../painted';
import { language } from '../texts/language';
import { shownName, t } from '../texts/texts';
import type { LocalMatchConfig } from './local';
import type { ChatLine, Connection, LessonControls, LogLine, Outcome, PuzzleControls, ReplayControls, RunningClock, Table, TableAbout } from './table';

/** Lines of the log that are kept. */
const LOG_MAX = 2000;

/** A request that this kind of table does not have. */
export const notHere = (): Outcome => ({ ok: false, reason: t('match.notHere') });

/** The part of a table that is the same wherever the match is played. */
export abstract class BaseTable implements Table {
  abstract readonly kind: 'online' | 'local' | 'replay';
  /** The engine with the table's content. */
  protected abstract readonly engine: Engine;
  readonly about;
  readonly state = signal<'waiting' | 'running' | 'over'>('waiting');
  readonly you = signal<Seat | null>(null);
  readonly position = signal<Position | null>(null);
  readonly log = signal<LogLine[]>([]);
  readonly chat = signal<ChatLine[]>([]);
  readonly players = signal<[Player, Player]>([{ seat: 0, here: false }, { seat: 1, here: false }]);
  readonly awaySince = signal<[number | null, number | null]>([null, null]);
  readonly watchers = signal(0);
  readonly clocks = signal<{ turn: [RunningClock | null, RunningClock | null]; match: RunningClock | null }>(
    { turn: [null, null], match: null });
  readonly paused = signal(false);
  readonly pausedBy = signal<Seat | null>(null);
  readonly result = signal<Result | null>(null);
  readonly connection = signal<Connection>({ state: 'here' });
  readonly notice = signal<string | null>(null);
  readonly undoable = signal('nothing-to-undo');
  readonly takebackBy = signal<Seat | null>(null);
  readonly leaver = signal<Seat | null>(null);
  readonly kept = signal<PreparedMessage | null>(null);
  readonly rematchOffers = signal<Seat[]>([]);
  readonly ratedResult = signal<RatedMessage | null>(null);
  readonly successor = signal<Table | null>(null);
  readonly curtain = signal<Seat | null>(null);
  readonly thinking = signal(false);
  private readonly tipsWanted = signal(true);
  readonly tipsForbidden: ReadonlySignal<boolean> = computed(() => this.about.value.noTips === true && this.state.value !== 'over');
  readonly tipsOn: ReadonlySignal<boolean> = computed(() => this.tipsWanted.value && !this.tipsForbidden.value);
  readonly replay: ReplayControls | null = null;
  readonly config: LocalMatchConfig | null = null;
  readonly lesson: LessonControls | null = null;
  readonly puzzle: PuzzleControls | null = null;
  /** What was seen with each position that came, and its number: an undo leads back to one of them. */
  private checkpoints: (Seen & { number: number })[] = [];
  private beyond: Beyond | null = null;
  private readonly listeners = new Set<(now: Position, before: Position | null) => void>();
  private readonly early = new Set<(now: Position) => void>();

  /** Hears of another language no more. */
  protected readonly mute: () => void;

  /** A table that knows only what does not change. */
  protected constructor(about: TableAbout) {
    this.about = signal(about);
    let spoken = language.peek();
    this.mute = language.subscribe((now) => {
      if (now !== spoken) this.retell();
      spoken = now;
    });
  }

  /** The language has changed: says everything again, behind all that is under way. */
  protected abstract retell(): void;

  /** Says everything again with an engine that speaks the language already; `look` reads the present position anew. */
  protected async tellAgain(engine: Engine, look: () => Promise<Position>): Promise<void> {
    const now = this.position.value && (await look());
    const sides = await engine.call('sides');
    const views = this.log.value.flatMap(({ again }) => (again && 'seen' in again ? [again.seen] : []));
    const seen = [...new Set(views)];
    const told = await engine.call('tell', { views: seen });
    const words = new Map<SeatView, string[]>(seen.map((view, at) => [view, told[at] ?? []]));
    const text = ({ text, again }: LogLine) =>
      !again ? text : 'seen' in again ? (words.get(again.seen)?.[again.at] ?? text) : again();
    batch(() => {
      this.about.value = { ...this.about.value, sides };
      this.log.value = this.log.value.map((line) => ({ ...line, text: text(line) }));
      if (!now || !this.position.value) return;
      const { board, actions, result } = now;
      this.position.value = { ...this.position.value, board, actions, ...(result ? { result } : {}) };
      this.result.value = this.position.value.result ?? null;
    });
  }

  onPosition(listener: (now: Position, before: Position | null) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onStep(listener: (now: Position) => void): () => void {
    this.early.add(listener);
    return () => this.early.delete(listener);
  }

  /** Shows on the board what a step of the person here does, and waits until that has been painted; `take` follows with what is seen there. */
  protected showFirst(now: Position): Promise<void> {
    for (const listener of this.early) listener(now);
    return painted();
  }

  /** Takes a new position: shows it, writes down what happened (as `told` saw it, if that differs), tells the listeners. */
  protected take(now: Position, told: Position | null = now): void {
    const before = this.position.value;
    batch(() => {
      this.you.value = now.you;
      this.position.value = now;
      this.paused.value = now.paused;
      this.pausedBy.value = now.paused_by ?? null;
      this.result.value = now.result ?? null;
      this.state.value = now.result ? 'over' : 'running';
      this.setClocks(now.clocks, now.paused);
      if (before && now.number !== before.number) this.takebackBy.value = null;
      const { undone } = now;
      if (undone !== undefined) this.forgetUndone(now);
      if (told) this.record(told, now.number);
      this.checkpoints = [...this.checkpoints, { seen: now.seen, number: now.number }].slice(-LOG_MAX);
      if (undone !== undefined) this.remark(() => t('match.undone', { name: this.nameOf(undone) }));
    });
    for (const listener of this.listeners) listener(now, before);
  }

  /** Takes the lines of what was undone out of the log, as it will be told to who comes later; the remarks of the table stay. */
  private forgetUndone(now: Position): void {
    const at = lastLike(this.checkpoints, now);
    const early = this.log.value.filter(({ event, number }) => event && number < 0).map(({ number }) => number);
    /* Back to what was not seen here: before one came, or with the eyes of the other seat. At least the last step is gone. */
    const unseen = early.length > 0 ? Math.max(...early) : (this.checkpoints.at(-1)?.number ?? 0);
    const last = this.checkpoints[at]?.number ?? unseen - 1;
    this.rewrite(this.log.value.filter(({ event, number }) => !event || number <= last));
    this.checkpoints = this.checkpoints.slice(0, at + 1);
  }

  /** Writes down what happened before the match was taken up here; an undo can lead back to what these eyes saw, or others. */
  protected recall(past: Past[], others: Past[]): void {
    this.write(past.flatMap(({ events, number, seen }) => linesOf(events, number, seen)));
    this.checkpoints = [...past, ...others].sort((one, other) => one.number - other.number).slice(-LOG_MAX);
  }

  /** The log was told anew: an undo leads back to the present position, or to before all that was seen here. */
  protected dropCheckpoints(): void {
    this.checkpoints = this.checkpoints.slice(-1);
  }

  /** Writes the events of a position down. */
  private record({ events, seen }: Position, number: number): void {
    this.write(linesOf(events, number, seen));
  }

  /** Appends lines to the log. */
  protected write(lines: LogLine[]): void {
    if (lines.length > 0) this.rewrite([...this.log.value, ...lines]);
  }

  /** Puts other lines in place of the log. */
  protected rewrite(lines: LogLine[]): void {
    this.log.value = lines.slice(-LOG_MAX);
  }

  /** A remark of the table itself. */
  protected remark(again: () => string): void {
    this.write([{ text: again(), again, number: this.position.value?.number ?? 0 }]);
  }

  /** The name of who sits on a seat. */
  protected nameOf(seat: number): string {
    return shownName(this.players.value[seat]?.name ?? '');
  }

  /** Starts the clocks from what is left now. */
  protected setClocks(clocks: Clocks, paused: boolean): void {
    const at = performance.now();
    const clock = (left: number | null | undefined, runs: boolean): RunningClock | null =>
      left === null || left === undefined ? null : { left_ms: left, at, running: !paused && runs };
    /* A seat whose turn it is not may have time of its own left, which stands. */
    const turn = (seat: Seat) => clock(clocks.turn[seat], this.position.value?.awaited.includes(seat) ?? false);
    this.clocks.value = { turn: [turn(0), turn(1)], match: clock(clocks.match, true) };
  }

  /** The seat on this device whose turn it is, or null. */
  protected actor(): Seat | null {
    const position = this.position.value;
    return position && position.you !== null && position.awaited.includes(position.you) ? position.you : null;
  }

  tell(notice: string): void {
    this.notice.value = notice;
  }
  dropNotice(): void {
    this.notice.value = null;
  }
  setTips(on: boolean): void {
    this.tipsWanted.value = on;
  }
  liftCurtain(): void {
    this.curtain.value = null;
  }
  missed(): Position[] {
    return [];
  }
  /** What the seat here sees, as bytes, while it is its turn; null: it is not. */
  private seatBytes(): SeatView | null {
    const seen = this.actor() === null ? undefined : this.position.value?.seen;
    return seen ? { ...seen, events: new Uint8Array(0) } : null;
  }
  async walk(unit: number): Promise<WalkNode[] | null> {
    const seatView = this.seatBytes();
    return seatView && this.engine.call('walk', { seatView, unit });
  }
  async walkAttack(unit: number, enemy: number): Promise<string[] | null> {
    const seatView = this.seatBytes();
    return seatView && this.engine.call('walkAttack', { seatView, unit, enemy });
  }
  async threat(unit?: number): Promise<number[] | null> {
    const { you = null, seen } = this.position.value ?? {};
    if (you === null || !seen) return null;
    const seatView = { ...seen, events: new Uint8Array(0) };
    return this.engine.call('threat', { seatView, ...(unit === undefined ? {} : { unit }) });
  }
  async why(action: Action): Promise<string> {
    const seatView = this.seatBytes();
    return seatView ? this.engine.call('why', { seatView, action }) : '';
  }
  stopTip(): void {}
  here(): void {}
  expect(_step: Action | string[]): void {}

  /** Asks what will be seen after a step that the person here may do next, so that it is known when they do it. */
  protected lookBeyond(step: Action | string[]): void {
    const position = this.position.value;
    const seatView = this.seatBytes();
    const key = JSON.stringify(step);
    if (!position || !seatView || (this.beyond?.position === position && this.beyond.key === key)) return;
    const asked: Beyond = { position, key, seen: undefined };
    this.beyond = asked;
    void this.engine.call('foresee', { seatView, step }).then((seen) => { asked.seen = seen; }, () => undefined);
  }

  /** What will be seen after a step from here; null: that cannot be known; undefined: it has not been asked, or not been answered. */
  protected seenBeyond(step: Action | string[]): Position | null | undefined {
    const asked = this.beyond;
    return asked && asked.position === this.position.value && asked.key === JSON.stringify(step) ? asked.seen : undefined;
  }

  /* What a kind of table does not offer is refused with a sentence, or is nothing. */
  async act(_action: Action): Promise<Outcome> { return notHere(); }
  async actAll(_words: string[]): Promise<Outcome> { return notHere(); }
  async undo(): Promise<Outcome> { return notHere(); }
  async takeback(_what: 'offer' | 'accept' | 'decline'): Promise<Outcome> { return notHere(); }
  async keepTurn(_when: string | null, _actions: string[] | null): Promise<Outcome> { return notHere(); }
  async chooseLeaver(_what: LeaverChoice): Promise<Outcome> { return notHere(); }
  async resign(): Promise<Outcome> { return notHere(); }
  async draw(_what: 'offer' | 'accept' | 'decline'): Promise<Outcome> { return notHere(); }
  async pause(_on: boolean): Promise<Outcome> { return notHere(); }
  async rematch(): Promise<Outcome> { return notHere(); }
  async say(_text: string): Promise<Outcome> { return notHere(); }
  async sayPhrase(_phrase: Phrase): Promise<Outcome> { return notHere(); }
  async preview(_action: Action): Promise<Preview | null> { return null; }
  async tip(): Promise<Tip | null> { return null; }
  abstract file(): Promise<string | null>;
  abstract openReplay(): Promise<Table | null>;
  async history(): Promise<Position[]> {
    const replay = await this.openReplay();
    return replay === null ? [] : replay.history().finally(() => replay.close());
  }
  abstract leave(): void;
  abstract close(): void;
}

/** What will be seen after a step from a position; undefined: it is not answered yet. */
interface Beyond {
  position: Position;
  key: string;
  seen: Position | null | undefined;
}

/** The outcome of a sentence: null is good. */
export function outcome(reason: string | null): Outcome {
  return reason === null ? { ok: true } : { ok: false, reason };
}

/** Waits. */
export function sleep(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** The lines of what happened with a position; events that are not told have none. */
export function linesOf(events: GameEvent[], number: number, seen?: SeatView): LogLine[] {
  const lines = events.map((event, at) => ({ text: event.text, event, number, ...(seen ? { again: { seen, at } } : {}) }));
  return lines.filter(({ text }) => text !== '' && text !== '-');
}

/** What was seen, of a position. */
interface Seen {
  seen?: SeatView | undefined;
}

/** The place of the last of these that shows the same as a position; -1: none does. */
export function lastLike(list: Seen[], { seen }: Seen): number {
  return list.map((one) => one.seen !== undefined && seen !== undefined && sameBytes(one.seen.view, seen.view)).lastIndexOf(true);
}

/** Are these the same bytes? */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

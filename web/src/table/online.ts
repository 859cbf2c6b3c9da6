/* online.ts -- a table of the server, over the arena. What comes are engine bytes: the engine in a worker reads them, so that
 * positions, previews and tips are the same as on this device. */
import { ServerError, ArenaConnection, type ArenaListener } from '../arena/link';
import type { ClientMessage, EntryRequest, HistoryMessage, LeaverChoice, Phrase, PositionMessage, RatedMessage, TableMessage, ServerMessage } from '../arena/messages';
import { dropSeat, heldSeats, holdSeat, leaveSeat } from '../arena/seats';
import { matchFile } from '../arena/lists';
import { allGames, withEngine, type Engine } from '../engine/engine';
import type { ContentRequest, SeatView, Terms } from '../engine/calls';
import { Thinker } from '../engine/thinker';
import type { Action, Clocks, Player, Position, Preview, Tip } from '../model';
import { answerWords } from '../texts/answers';
import { holdsDaysSeat } from '../turns';
import { t } from '../texts/texts';
import { BaseTable, linesOf, outcome, sameBytes } from './base';
import type { LogLine, Outcome, RunningClock, Table, TableAbout } from './table';

const HERE_EVERY_MS = 10_000;
const TIP_LEVEL = 6;

/** Comes to a table of the server. Throws ServerError if it does not let us in. */
export async function openOnline(name: string, entry: EntryRequest): Promise<Table> {
  const connection = new ArenaConnection(name, entry.type === 'watch' ? 'watcher' : 'person');
  const first = new Promise<TableMessage>((done, failed) => {
    connection.listener = {
      onMessage: (message) => message.type === 'table' && done(message),
      lost: () => failed(new ServerError(t('arena.lost'), 'away')),
      back: () => {},
      ended: failed,
      entry: () => null,
    };
  });
  first.catch(() => {});
  const early: ServerMessage[] = [];
  try {
    await connection.enter(entry);
    const message = await first;
    connection.listener = { ...connection.listener!, onMessage: (later) => void early.push(later) };
    return await OnlineTable.open(connection, message, early, quickOf(entry, message.code));
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** How to come back to a table by its code: with the seat held here or that of the account, else as a watcher. */
export async function entryOf(code: string): Promise<EntryRequest> {
  const held = heldSeats().find((seat) => seat.code === code);
  if (held) return { type: 'return', token: held.token };
  return (await holdsDaysSeat(code)) ? { type: 'return', code } : { type: 'watch', code };
}

/** Does the table wait for a quick match? The server does not say it again to who comes back. */
function quickOf(entry: EntryRequest, code: string): boolean {
  return entry.type === 'seek' || (heldSeats().find((seat) => seat.code === code)?.quick ?? false);
}

/** Bytes that came as text. */
function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/** What has to be loaded for this table. */
function contentOf({ game, preset, documents }: TableMessage): ContentRequest {
  return { game, ...(preset ? { preset } : {}), ...(documents ? { documents } : {}) };
}

/** What does not change from move to move. */
async function aboutOf(message: TableMessage, terms: Terms, quick: boolean): Promise<TableAbout> {
  const title = (await allGames()).find(({ id }) => id === message.game)?.title ?? message.game;
  return {
    game: message.game, title, content: contentOf(message), ...(message.preset === undefined ? {} : { preset: message.preset }), options: message.options, code: message.code,
    turn_ms: message.turn_ms, match_ms: message.match_ms, pause_ms: message.pause_ms, grace_ms: message.grace_ms, animation_ms: terms.animation_ms, hides: terms.hides,
    sides: terms.sides, quick, spectatorsSeeHidden: message.glass && terms.hides, noTips: message.tips === false, rated: message.rated === true, phrasesOnly: message.phrases === true,
    ...(message.from_turn === undefined ? {} : { fromTurn: message.from_turn }),
    ...(message.days === undefined ? {} : { days: message.days }),
    ...(message.leg ? { leg: message.leg, first: message.first ?? null } : {}),
    ...(message.tournament ? { tournament: message.tournament } : {}),
  };
}

/** What is shown of a step before the server has answered: the request (null: it is not sent yet), its refusal or null, what was
 * shown before and is shown after it, and the lines that the log has of it. */
interface Foreseen {
  id: number | null;
  refusal: Promise<string | null>;
  position: Position;
  seatView: SeatView;
  after: SeatView;
  lines: LogLine[];
}

/** A match of which the server is the judge. */
class OnlineTable extends BaseTable implements ArenaListener {
  readonly kind = 'online';
  private seatView: SeatView | null = null;
  private readonly adviser = new Thinker((engine) => engine.load(contentOf(this.message)));
  private hereAt = 0;
  private work: Promise<void> = Promise.resolve();
  /** Actions that are shown though the server has not answered yet, the oldest first. */
  private foreseen: Foreseen[] = [];
  /** The number of the server's last position. */
  private number = 0;
  private token: string | undefined;

  /** Takes what the server told about the table; `open` is the way in. */
  private constructor(private readonly arena: ArenaConnection, protected readonly engine: Engine, private readonly message: TableMessage,
    about: TableAbout) {
    super(about);
    this.token = message.token;
    this.setTable(message);
  }

  /** Loads the table's content and goes on with what was heard meanwhile. */
  static async open(connection: ArenaConnection, message: TableMessage, early: ServerMessage[], quick = false): Promise<OnlineTable> {
    return withEngine(async (engine) => {
      const terms = await engine.load(contentOf(message));
      if (terms.hash !== message.content) throw new ServerError(t('arena.version'), 'version', true);
      const table = new OnlineTable(connection, engine, message, await aboutOf(message, terms, quick));
      connection.listener = table;
      early.forEach((later) => table.onMessage(later));
      return table;
    });
  }

  /** Takes what the server tells about the table: who sits where, and the token of one's own seat. */
  private setTable(message: TableMessage): void {
    this.state.value = message.state;
    this.you.value = message.you;
    this.seat(message.players);
    this.watchers.value = message.watchers;
    if (message.token) {
      this.token = message.token;
      const { quick, days } = this.about.value;
      const more = { ...(quick ? { quick } : {}), ...(days === undefined ? {} : { days }) };
      holdSeat({ code: message.code, token: message.token, game: message.game, seat: message.you, at: Date.now(), ...more });
    }
  }

  /* --- What the connection says ------------------------------------------------------------------------------------------ */

  onMessage(message: ServerMessage): void {
    switch (message.type) {
      case 'position':
        this.work = this.work.then(() => this.read(message)).catch((error: Error) => { this.notice.value = error.message; });
        break;
      case 'history':
        this.work = this.work.then(() => this.readHistory(message)).catch((error: Error) => { this.notice.value = error.message; });
        break;
      case 'table':
        if (message.code === this.message.code) this.setTable(message);
        else void this.follow(message);
        break;
      case 'people':
        this.setPeople(message.players);
        break;
      case 'paused':
        this.paused.value = true;
        this.pausedBy.value = message.by;
        this.stopClocks();
        this.remark(() => t('match.paused.by', { name: message.by === null ? '' : this.nameOf(message.by) }));
        break;
      case 'continued':
        this.paused.value = false;
        this.pausedBy.value = null;
        this.setClocks(message.clocks, false);
        this.remark(() => t('match.continued'));
        break;
      case 'warning':
        this.notice.value = t(`warning.${message.what}`, { seconds: Math.ceil(message.left_ms / 1000) });
        break;
      case 'chat':
        this.chat.value = [...this.chat.value, { name: message.name, seat: message.seat, text: message.text, ...(message.phrase ? { phrase: message.phrase } : {}) }];
        break;
      case 'rematch':
        if (message.seat !== null) this.rematchOffers.value = [...new Set([...this.rematchOffers.value, message.seat])];
        break;
      case 'takeback': {
        const { seat, what } = message;
        this.takebackBy.value = what === 'offer' ? seat : null;
        if (what === 'decline') this.remark(() => t('match.takebackDeclined', { name: this.nameOf(seat) }));
        break;
      }
      case 'rated':
        this.takeRatings(message);
        break;
      case 'prepared':
        this.kept.value = message;
        break;
      case 'leaver':
        this.leaver.value = message.seat;
        break;
      case 'taken':
        this.gone(t('arena.taken'), { taken: true });
        break;
      case 'closed':
        dropSeat(message.code);
        this.gone(answerWords(message.reason));
        break;
      case 'refused':
        if (message.code !== 'late') this.notice.value = answerWords(message.reason, message.code);
        break;
    }
  }

  lost(attempt: number): void {
    this.connection.value = { state: 'lost', attempt };
  }

  back(): void {
    this.connection.value = { state: 'here' };
    this.remark(() => t('arena.back'));
  }

  ended(error: ServerError): void {
    if (error.code === 'refused') dropSeat(this.message.code);
    this.gone(error.message, error.reload ? { reload: true } : {});
  }

  entry(): EntryRequest | null {
    return this.token ? { type: 'return', token: this.token } : { type: 'watch', code: this.message.code };
  }

  /** This table is over for us: says why, and connects no more. */
  private gone(reason: string, how: { reload?: true; taken?: true } = {}): void {
    this.connection.value = { state: 'gone', reason, ...how };
    this.arena.close();
  }

  /** The match was counted: both have new ratings. */
  private takeRatings(message: RatedMessage): void {
    const [first, second] = this.players.value;
    const rated = (player: Player): Player => {
      const { rating, provisional } = message.players.find(({ seat }) => seat === player.seat) ?? player;
      return { ...player, ...(rating === undefined ? {} : { rating }), ...(provisional === undefined ? {} : { provisional }) };
    };
    this.players.value = [rated(first), rated(second)];
    this.ratedResult.value = message;
  }

  /** Takes who is here, and remarks who came or went. */
  private setPeople(players: [Player, Player]): void {
    for (const player of players) {
      const before = this.players.value[player.seat];
      if (!before?.name || player.seat === this.you.value || before.here === player.here) continue;
      const { name } = before;
      this.remark(() => t(player.here ? 'people.back' : 'people.away', { name }));
    }
    this.seat(players);
  }

  /** Takes who sits where, and since when somebody is away. */
  private seat(players: [Player, Player]): void {
    const now = performance.now();
    const since = ({ seat, name, here, role, away_ms }: Player) =>
      here || !name || role === 'ai' ? null : away_ms === undefined ? (this.awaySince.value[seat] ?? now) : now - away_ms;
    this.awaySince.value = [since(players[0]), since(players[1])];
    this.players.value = players;
    /* Back, or an AI player has the seat. */
    if (this.leaver.value !== null && players[this.leaver.value].here) this.leaver.value = null;
  }

  /** Stops all clocks where they are, for a pause. */
  private stopClocks(): void {
    const { turn, match } = this.clocks.value;
    const now = performance.now();
    const stop = <C extends { left_ms: number; at: number; running: boolean } | null>(clock: C): C =>
      (clock && clock.running ? { left_ms: Math.max(0, clock.left_ms - (now - clock.at)), at: now, running: false } : clock) as C;
    this.clocks.value = { turn: [stop(turn[0]), stop(turn[1])], match: stop(match) };
  }

  /** Reads a position of the server and takes it. One after the other, see `work`. */
  private async read(message: PositionMessage): Promise<void> {
    this.undoable.value = message.undo ?? 'nothing-to-undo';
    this.number = message.number;
    if (this.cameTrue(message)) return this.confirm(message);
    this.withdraw(null);
    this.seatView = { seat: message.you, view: bytesOf(message.view), events: bytesOf(message.happened) };
    const read = await this.engine.call('read', this.seatView);
    const { code, number, you, awaited, draw, paused, paused_by, clocks, undone } = message;
    const who = paused_by === undefined ? {} : { paused_by };
    this.take({ ...read, code, number, you, awaited, draw, paused, ...who, clocks, ...(undone === undefined ? {} : { undone }) });
    /* Of a seat that was given up the end is still to be written down: see settleSeats. */
    if (message.result && heldSeats().some((seat) => seat.code === code)) dropSeat(code);
  }

  /** What was told and said before one came, or while one was away: in place of what is known, unless that is all of it. */
  private async readHistory({ steps, chat }: HistoryMessage): Promise<void> {
    const { seatView } = this;
    if (!seatView) return;
    const seen = steps.map(({ happened }) => ({ ...seatView, events: bytesOf(happened) }));
    const told = await this.engine.call('happened', { seatView, steps: seen.map(({ events }) => events) });
    const lines = told.flatMap((events, step) => linesOf(events, step - steps.length, seen[step]));
    if (this.log.value.filter(({ event }) => event).length !== lines.length) {
      this.rewrite([...lines, ...this.log.value.filter(({ event }) => !event)]);
      this.dropCheckpoints();
    }
    const last = chat.at(-1);
    const known = this.chat.value.at(-1);
    if (last && (last.text !== known?.text || last.name !== known.name)) this.chat.value = chat;
  }

  protected retell(): void {
    this.work = this.work
      .then(() => this.tellAgain(this.engine, () => this.engine.call('read', this.seatView!)))
      .catch((error: Error) => { this.notice.value = error.message; });
  }

  /** Another table on the same connection: the rematch. */
  private async follow(message: TableMessage): Promise<void> {
    const early: ServerMessage[] = [];
    this.arena.listener = { ...this.asOwner(), onMessage: (later) => void early.push(later) };
    try {
      this.successor.value = await OnlineTable.open(this.arena, message, early);
    } catch (error) {
      this.gone((error as Error).message);
    }
  }

  /** This table as the owner of its connection, to be changed in part. */
  private asOwner(): ArenaListener {
    return {
      onMessage: (message) => this.onMessage(message),
      lost: (attempt) => this.lost(attempt),
      back: () => this.back(),
      ended: (error) => this.ended(error),
      entry: () => this.entry(),
    };
  }

  /* --- Requests -------------------------------------------------------------------------------------------------------- */

  override async act(action: Action): Promise<Outcome> {
    const { verb, unit, ability, x, y, other, amount } = action;
    return this.perform((position) => ({ type: 'act', position, verb, unit, ability, x, y, other, amount }), action);
  }
  override async actAll(words: string[]): Promise<Outcome> {
    return this.perform((position) => ({ type: 'acts', position, actions: words }), words);
  }

  /** Asks for something in the position that is shown. What an action or a step of several does is shown at once, if it can be known; it
   * is done then, as far as the person here is concerned, and is taken back if the server refuses it. One request is sent after the
   * other was answered. */
  private async perform(request: (position: number) => ClientMessage, step?: Action | string[]): Promise<Outcome> {
    const position = this.position.value;
    if (!position) return outcome(t('match.notYet'));
    const earlier = this.foreseen.at(-1);
    let answer: (refusal: string | null) => void = () => {};
    const refusal = new Promise<string | null>((done) => { answer = done; });
    const shown: { as: Foreseen | null } = { as: null };
    const send = async (): Promise<string | null> => {
      const before = await earlier?.refusal;
      if (before) return before;
      /* What was shown of it is gone, because something else has come: it was meant for a board that is no more. */
      const gone = shown.as ? !this.foreseen.includes(shown.as) : earlier && this.number !== position.number;
      if (gone) return t('match.changed');
      const sent = this.arena.send(request(earlier ? this.number : position.number));
      if (shown.as) shown.as.id = this.arena.sent;
      const refused = await sent;
      /* The position that answers it is still to be read: who acts again at once would name the old number and be late. */
      await this.work;
      return refused;
    };
    if (step) {
      this.work = this.work.then(async () => { shown.as = await this.foresee(position, step, refusal); }).catch(() => undefined);
      await this.work;
    }
    const answered = send().then((refused) => {
      if (refused !== null && shown.as && this.foreseen.includes(shown.as)) this.withdraw(refused);
      else if (refused !== null && shown.as) this.notice.value = refused;
      answer(refused);
      return refused;
    });
    return outcome(shown.as ? null : await answered);
  }

  /** Shows what an action, or several as one step, will do before the server has answered; null: it cannot be known. */
  private async foresee(position: Position, step: Action | string[], refusal: Promise<string | null>): Promise<Foreseen | null> {
    const { seatView } = this;
    if (!seatView || this.actor() === null || this.paused.value || this.connection.value.state !== 'here') return null;
    const looked = this.seenBeyond(step);
    const seen = looked === undefined ? await this.engine.call('foresee', { seatView, step }) : looked;
    if (!seen?.seen || this.position.value !== position) return null;
    await this.showFirst(seen);
    const known = new Set(this.log.value);
    this.seatView = seen.seen;
    this.take({ ...seen, code: position.code, number: position.number + 1, paused: false, clocks: this.clocksNow() });
    const lines = this.log.value.filter((line) => !known.has(line));
    const foreseen = { id: null, refusal, position, seatView, after: seen.seen, lines };
    this.foreseen.push(foreseen);
    return foreseen;
  }

  /** Is the position of the server what was foreseen for the same request? */
  private cameTrue(message: PositionMessage): boolean {
    const [first] = this.foreseen;
    return first !== undefined && message.id === first.id && sameBytes(first.after.view, bytesOf(message.view)) && sameBytes(first.after.events, bytesOf(message.happened));
  }

  /** What was foreseen has come true: only what the server alone knows is new. */
  private confirm({ number, awaited, draw, paused, paused_by, clocks }: PositionMessage): void {
    const shown = this.position.value;
    this.foreseen.shift();
    this.setClocks(clocks, paused);
    this.paused.value = paused;
    this.pausedBy.value = paused_by ?? null;
    if (this.foreseen.length > 0 || !shown) return;
    if (shown.number !== number || shown.draw !== draw || shown.awaited.join() !== awaited.join())
      this.position.value = { ...shown, number, awaited, draw, paused, clocks };
  }

  /** What was foreseen does not come true: its lines leave the log, and what was shown before is the position again. With a reason the
   * board goes back to it, and the reason is told; else another position follows. */
  private withdraw(reason: string | null): void {
    const [first] = this.foreseen;
    if (!first) return;
    const lines = new Set(this.foreseen.flatMap((one) => one.lines));
    this.foreseen = [];
    this.seatView = first.seatView;
    this.rewrite(this.log.value.filter((line) => !lines.has(line)));
    const by = this.pausedBy.value;
    const pause = { paused: this.paused.value, ...(by === null ? {} : { paused_by: by }) };
    if (reason === null) this.position.value = first.position;
    else this.take({ ...first.position, ...pause, events: [], clocks: this.clocksNow() }, null);
    if (reason !== null) this.notice.value = reason;
  }

  /** What is left on the clocks now. */
  private clocksNow(): Clocks {
    const left = (clock: RunningClock | null) =>
      clock && Math.max(0, clock.running ? clock.left_ms - (performance.now() - clock.at) : clock.left_ms);
    const { turn, match } = this.clocks.value;
    return { turn: [left(turn[0]), left(turn[1])], ...(match ? { match: left(match) ?? 0 } : {}) };
  }
  override expect(step: Action | string[]): void {
    this.lookBeyond(step);
  }
  override async undo(): Promise<Outcome> {
    return this.perform((position) => ({ type: 'undo', position }));
  }
  override async chooseLeaver(what: LeaverChoice): Promise<Outcome> {
    return outcome(await this.arena.send({ type: 'leaver', what }));
  }

  override async keepTurn(when: string | null, actions: string[] | null): Promise<Outcome> {
    return outcome(await this.arena.send({ type: 'prepare', ...(when === null ? {} : { when }), ...(actions === null ? {} : { actions }) }));
  }
  override async takeback(what: 'offer' | 'accept' | 'decline'): Promise<Outcome> {
    return outcome(await this.arena.send({ type: 'takeback', what }));
  }
  override async resign(): Promise<Outcome> {
    return outcome(await this.arena.send({ type: 'resign' }));
  }
  override async draw(what: 'offer' | 'accept' | 'decline'): Promise<Outcome> {
    return outcome(await this.arena.send({ type: 'draw', what }));
  }
  override async pause(on: boolean): Promise<Outcome> {
    return outcome(await this.arena.send({ type: on ? 'pause' : 'continue' }));
  }
  override async rematch(): Promise<Outcome> {
    return outcome(await this.arena.send({ type: 'rematch' }));
  }
  override async sayPhrase(phrase: Phrase): Promise<Outcome> {
    return outcome(await this.arena.send({ type: 'chat', phrase }));
  }
  override async say(text: string): Promise<Outcome> {
    return outcome(await this.arena.send({ type: 'chat', text }));
  }

  override here(): void {
    const now = performance.now();
    if (now - this.hereAt < HERE_EVERY_MS || this.actor() === null) return;
    this.hereAt = now;
    void this.arena.send({ type: 'here' });
  }

  override async preview(action: Action): Promise<Preview | null> {
    const seat = this.actor();
    return seat === null || !this.seatView ? null : this.engine.call('preview', { seatView: this.seatView, seat, action });
  }

  override async tip(): Promise<Tip | null> {
    if (this.actor() === null || !this.seatView || !this.tipsOn.value) return null;
    const { seatView: seatView } = this;
    return (await this.adviser.engine()).call('tip', { seatView, level: TIP_LEVEL });
  }
  override stopTip(): void {
    this.adviser.stop();
  }

  async file(): Promise<string | null> {
    return this.state.value === 'over' ? matchFile(this.message.code).catch(() => null) : null;
  }

  async openReplay(): Promise<Table | null> {
    const text = await this.file();
    return text === null ? null : (await import('./replay')).openReplay(`${this.message.code}.json`, text);
  }

  leave(): void {
    if (this.state.value === 'running' && this.about.value.days !== undefined) return this.close();
    if (this.state.value === 'running') leaveSeat(this.message.code);
    else dropSeat(this.message.code);
    if (this.arena.listener === this) void this.arena.send({ type: 'leave' });
    setTimeout(() => this.close(), 200);
  }

  close(): void {
    this.mute();
    if (this.arena.listener === this) this.arena.close();
    this.engine.close();
    this.adviser.stop();
  }
}

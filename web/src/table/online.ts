/* online.ts -- a table of the house, over the arena. What comes are engine bytes: the engine in a worker reads them, so that
 * positions, previews and tips are the same as on this device. */
import { HouseError, Link, type LinkOwner } from '../arena/link';
import type { Entrance, PositionTell, TableTell, Tell } from '../arena/messages';
import { dropSeat, heldSeats, holdSeat } from '../arena/seats';
import { matchFile } from '../arena/lists';
import { allGames, Engine } from '../engine/engine';
import type { ContentWish, Moment, Terms } from '../engine/calls';
import { Thinker } from '../engine/thinker';
import type { Action, Player, Position, Preview, Tip } from '../model';
import { t } from '../texts/texts';
import { BaseTable, outcome } from './base';
import { openReplay } from './replay';
import type { Outcome, Table, TableAbout } from './table';

const HERE_EVERY_MS = 10_000;
const TIP_LEVEL = 6;

/** Comes to a table of the house. Throws HouseError if it does not let us in. */
export async function openOnline(name: string, entrance: Entrance): Promise<Table> {
  const link = new Link(name, entrance.type === 'watch' ? 'watcher' : 'person');
  const first = new Promise<TableTell>((done, failed) => {
    link.owner = {
      heard: (tell) => tell.type === 'table' && done(tell),
      lost: () => failed(new HouseError(t('arena.lost'), 'away')),
      back: () => {},
      ended: failed,
      entrance: () => null,
    };
  });
  first.catch(() => {});
  const early: Tell[] = [];
  try {
    await link.enter(entrance);
    const tell = await first;
    link.owner = { ...link.owner!, heard: (later) => void early.push(later) };
    return await OnlineTable.open(link, tell, early, quickOf(entrance, tell.code));
  } catch (error) {
    link.close();
    throw error;
  }
}

/** How to come back to a table by its code: with the seat held here, else as a watcher. */
export function entranceOf(code: string): Entrance {
  const held = heldSeats().find((seat) => seat.code === code);
  return held ? { type: 'return', token: held.token } : { type: 'watch', code };
}

/** Does the table wait for a quick match? The house does not say it again to who comes back. */
function quickOf(entrance: Entrance, code: string): boolean {
  return entrance.type === 'seek' || (heldSeats().find((seat) => seat.code === code)?.quick ?? false);
}

/** Bytes that came as text. */
function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/** What has to be loaded for this table. */
function contentOf({ game, preset, documents }: TableTell): ContentWish {
  return { game, ...(preset ? { preset } : {}), ...(documents ? { documents } : {}) };
}

/** What does not change from move to move. */
async function aboutOf(tell: TableTell, terms: Terms, quick: boolean): Promise<TableAbout> {
  const title = (await allGames()).find(({ id }) => id === tell.game)?.title ?? tell.game;
  return {
    game: tell.game, title, content: contentOf(tell), ...(tell.preset === undefined ? {} : { preset: tell.preset }), options: tell.options, code: tell.code,
    turn_ms: tell.turn_ms, match_ms: tell.match_ms, pause_ms: tell.pause_ms, animation_ms: terms.animation_ms, hides: terms.hides,
    sides: terms.sides, quick, spectatorsSeeHidden: tell.glass && terms.hides,
    ...(tell.leg ? { leg: tell.leg, first: tell.first ?? null } : {}),
  };
}

/** A match of which the server is the judge. */
class OnlineTable extends BaseTable implements LinkOwner {
  readonly kind = 'online';
  private moment: Moment | null = null;
  private readonly adviser = new Thinker((engine) => engine.load(contentOf(this.tell)));
  private hereAt = 0;
  private work: Promise<void> = Promise.resolve();
  private token: string | undefined;

  /** Takes what the server told about the table; `open` is the way in. */
  private constructor(private readonly link: Link, private readonly engine: Engine, private readonly tell: TableTell,
    about: TableAbout) {
    super(about);
    this.token = tell.token;
    this.setTable(tell);
  }

  /** Loads the table's content and goes on with what was heard meanwhile. */
  static async open(link: Link, tell: TableTell, early: Tell[], quick = false): Promise<OnlineTable> {
    const engine = new Engine();
    try {
      const terms = await engine.load(contentOf(tell));
      if (terms.hash !== tell.content) throw new HouseError(t('arena.version'), 'version', true);
      const table = new OnlineTable(link, engine, tell, await aboutOf(tell, terms, quick));
      link.owner = table;
      early.forEach((later) => table.heard(later));
      return table;
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  /** Takes what the server tells about the table: who sits where, and the token of one's own seat. */
  private setTable(tell: TableTell): void {
    this.state.value = tell.state;
    this.you.value = tell.you;
    this.players.value = tell.players;
    this.watchers.value = tell.watchers;
    if (tell.token) {
      this.token = tell.token;
      const quick = this.about.value.quick ? { quick: true } : {};
      holdSeat({ code: tell.code, token: tell.token, game: tell.game, at: Date.now(), ...quick });
    }
  }

  /* --- What the link tells ------------------------------------------------------------------------------------------- */

  heard(tell: Tell): void {
    switch (tell.type) {
      case 'position':
        this.work = this.work.then(() => this.read(tell)).catch((error: Error) => { this.notice.value = error.message; });
        break;
      case 'table':
        if (tell.code === this.tell.code) this.setTable(tell);
        else void this.follow(tell);
        break;
      case 'people':
        this.setPeople(tell.players);
        break;
      case 'paused':
        this.paused.value = true;
        this.stopClocks();
        this.remark(t('match.paused.by', { name: tell.by === null ? '' : this.nameOf(tell.by) }));
        break;
      case 'continued':
        this.paused.value = false;
        this.setClocks(tell.clocks, false);
        this.remark(t('match.continued'));
        break;
      case 'warning':
        this.notice.value = t(`warning.${tell.what}`, { seconds: Math.ceil(tell.left_ms / 1000) });
        break;
      case 'chat':
        this.chat.value = [...this.chat.value, { name: tell.name, seat: tell.seat, text: tell.text }];
        break;
      case 'rematch':
        if (tell.seat !== null) this.rematchWishes.value = [...new Set([...this.rematchWishes.value, tell.seat])];
        break;
      case 'taken':
        this.gone(t('arena.taken'));
        break;
      case 'closed':
        dropSeat(tell.code);
        this.gone(tell.reason);
        break;
      case 'refused':
        if (tell.code !== 'late') this.notice.value = tell.reason;
        break;
    }
  }

  lost(attempt: number): void {
    this.connection.value = { state: 'lost', attempt };
  }

  back(): void {
    this.connection.value = { state: 'here' };
    this.notice.value = t('arena.back');
    this.remark(t('arena.back'));
  }

  ended(error: HouseError): void {
    if (error.code === 'refused') dropSeat(this.tell.code);
    this.gone(error.message, error.reload);
  }

  entrance(): Entrance | null {
    return this.token ? { type: 'return', token: this.token } : { type: 'watch', code: this.tell.code };
  }

  /** This table is over for us: says why, and connects no more. */
  private gone(reason: string, reload = false): void {
    this.connection.value = { state: 'gone', reason, ...(reload ? { reload } : {}) };
    this.link.close();
  }

  /** The name of who sits on a seat. */
  private nameOf(seat: number): string {
    return this.players.value[seat]?.name ?? '';
  }

  /** Takes who is here, and remarks who came or went. */
  private setPeople(players: [Player, Player]): void {
    for (const player of players) {
      const before = this.players.value[player.seat];
      if (!before?.name || player.seat === this.you.value || before.here === player.here) continue;
      this.remark(t(player.here ? 'people.back' : 'people.away', { name: before.name }));
    }
    this.players.value = players;
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
  private async read(tell: PositionTell): Promise<void> {
    this.moment = { seat: tell.you, view: bytesOf(tell.view), events: bytesOf(tell.happened) };
    const read = await this.engine.call('read', this.moment);
    const { code, number, you, awaited, draw, paused, clocks } = tell;
    this.take({ ...read, code, number, you, awaited, draw, paused, clocks });
    if (tell.result) dropSeat(tell.code);
  }

  /** Another table on the same connection: the rematch. */
  private async follow(tell: TableTell): Promise<void> {
    const early: Tell[] = [];
    this.link.owner = { ...this.asOwner(), heard: (later) => void early.push(later) };
    try {
      this.successor.value = await OnlineTable.open(this.link, tell, early);
    } catch (error) {
      this.gone((error as Error).message);
    }
  }

  /** This table as the owner of its connection, to be changed in part. */
  private asOwner(): LinkOwner {
    return {
      heard: (tell) => this.heard(tell),
      lost: (attempt) => this.lost(attempt),
      back: () => this.back(),
      ended: (error) => this.ended(error),
      entrance: () => this.entrance(),
    };
  }

  /* --- Wishes -------------------------------------------------------------------------------------------------------- */

  async act(action: Action): Promise<Outcome> {
    const position = this.position.value;
    if (!position) return outcome(t('match.notYet'));
    const { verb, unit, ability, x, y, other, amount } = action;
    const refusal = await this.link.wish({ type: 'act', position: position.number, verb, unit, ability, x, y, other, amount });
    /* The position that answers it is still to be read: who acts again at once would name the old number and be late. */
    await this.work;
    return outcome(refusal);
  }
  async resign(): Promise<Outcome> {
    return outcome(await this.link.wish({ type: 'resign' }));
  }
  async draw(what: 'offer' | 'accept' | 'decline'): Promise<Outcome> {
    return outcome(await this.link.wish({ type: 'draw', what }));
  }
  async pause(on: boolean): Promise<Outcome> {
    return outcome(await this.link.wish({ type: on ? 'pause' : 'continue' }));
  }
  async rematch(): Promise<Outcome> {
    return outcome(await this.link.wish({ type: 'rematch' }));
  }
  async say(text: string): Promise<Outcome> {
    return outcome(await this.link.wish({ type: 'chat', text }));
  }

  override here(): void {
    const now = performance.now();
    if (now - this.hereAt < HERE_EVERY_MS || this.actor() === null) return;
    this.hereAt = now;
    void this.link.wish({ type: 'here' });
  }

  async preview(action: Action): Promise<Preview | null> {
    const seat = this.actor();
    return seat === null || !this.moment ? null : this.engine.call('preview', { moment: this.moment, seat, action });
  }

  async tip(): Promise<Tip | null> {
    if (this.actor() === null || !this.moment || !this.tipsOn.value) return null;
    const { moment } = this;
    return (await this.adviser.engine()).call('tip', { moment, level: TIP_LEVEL });
  }
  override stopTip(): void {
    this.adviser.stop();
  }

  async file(): Promise<string | null> {
    return this.state.value === 'over' ? matchFile(this.tell.code).catch(() => null) : null;
  }

  async story(): Promise<Position[]> {
    const replay = await this.openReplay();
    if (!replay) return [];
    try {
      return await replay.story();
    } finally {
      replay.close();
    }
  }

  async openReplay(): Promise<Table | null> {
    const text = await this.file();
    return text === null ? null : openReplay(`${this.tell.code}.json`, text);
  }

  leave(): void {
    dropSeat(this.tell.code);
    if (this.link.owner === this) void this.link.wish({ type: 'leave' });
    setTimeout(() => this.close(), 200);
  }

  close(): void {
    if (this.link.owner === this) this.link.close();
    this.engine.close();
    this.adviser.stop();
  }
}

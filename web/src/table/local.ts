/* local.ts -- a table on this device: the engine in a worker judges, programs think in a second one.
 *
 * Both seats may be people (hot-seat: the eyes change with the turn, behind a curtain if anything is hidden), programs, or
 * one of each. It works without any network. */
import { batch } from '@preact/signals';
import { freshSeed, withEngine, type Engine } from '../engine/engine';
import type { ContentRequest, Refusal, StepDone, Terms } from '../engine/calls';
import { Thinker } from '../engine/thinker';
import { otherSeat, type Action, type Player, type Position, type Preview, type Seat, type Tip } from '../model';
import { motionOn, THINKING } from '../settings';
import { answerWords } from '../texts/answers';
import { t } from '../texts/texts';
import { notHere, outcome, sameBytes, sleep } from './base';
import { DeviceTable } from './device';
import { openReplay } from './replay';
import type { Outcome, Perspective, Table, TableAbout } from './table';

/** Who sits on a seat of a table on this device: a person by name, or a program of a level. */
export type SeatPlayer = { name: string } | { level: number; name: string };

/** How a match on this device begins. */
export interface LocalMatchConfig extends ContentRequest {
  title: string;
  options: Record<string, number>;
  sitters: [SeatPlayer, SeatPlayer];
  /** Of two matches with sides changed: which one, and who won the first. */
  leg?: 1 | 2;
  first?: Seat | null;
  /** Goes on from here instead of beginning anew: a match file, and how many of its actions count. */
  from?: { text: string; at: number };
}

/** Programs pause so long at least between two actions, so that eyes can follow. */
const BREATH_MS = 350;
/** Behind a curtain: so long who acted sees what came of it before the device changes hands; after a mere step, if things move. */
const HELD_MS = 900;
const HELD_STEP_MS = 500;
const STEP = new Set(['moved', 'turn-began', 'round-began', 'phase-began', 'turn-ended']);
/** Tips come from this level. */
const TIP_LEVEL = 6;

/** Opens a table on this device. Throws ProblemsError if the content is wrong. */
export async function openLocal(config: LocalMatchConfig): Promise<Table> {
  return withEngine(async (engine) => {
    let terms: Terms;
    if (config.from) {
      const opened = await engine.call('open', { name: 'match.json', text: config.from.text });
      if ('problems' in opened) throw new Error(opened.problems[0] ? answerWords(opened.problems[0].reason) : t('match.unreadable'));
      await engine.call('goto', { count: config.from.at });
      terms = opened.terms;
    } else {
      terms = await engine.load(config);
      const refusal = await engine.call('begin', { options: config.options, seed: freshSeed() });
      if (refusal !== null) throw new Error(answerWords(refusal.reason, refusal.code));
    }
    const table = new LocalTable(config, terms, engine);
    await table.start();
    return table;
  });
}

/** What has to be loaded for this match. */
function contentOf({ game, preset, documents }: LocalMatchConfig): ContentRequest {
  return { game, ...(preset ? { preset } : {}), ...(documents ? { documents } : {}) };
}

/** What does not change from move to move. */
function aboutOf(config: LocalMatchConfig, terms: Terms): TableAbout {
  return {
    game: config.game, title: config.title, content: contentOf(config), ...(config.documents?.length ? {} : { preset: config.preset ?? '' }), options: config.options,
    code: '', turn_ms: 0, match_ms: 0, pause_ms: 0, animation_ms: terms.animation_ms, hides: terms.hides, sides: terms.sides,
    ...(config.leg ? { leg: config.leg, first: config.first ?? null } : {}),
  };
}

/** A match of which this page is the judge. */
class LocalTable extends DeviceTable {
  readonly kind = 'local';
  /** Two of them: a tip that is stopped must not stop a program. */
  private readonly programs = new Thinker((engine) => this.prepare(engine));
  private readonly adviser = new Thinker((engine) => this.prepare(engine));
  private busy = false;
  /** The action that is done now, with the look at what came of it; the next one waits for it. */
  private underWay: Promise<unknown> = Promise.resolve();
  /** How much of that there is. */
  private doing = 0;
  /** How many positions there were that are not in the match any more, so that their numbers go on rising; and how often something
   * was undone, so that a program that thinks of what is no more is not heard. */
  private given = 0;
  private undos = 0;
  /** What each seat saw last, and behind it what it has not seen yet. */
  private readonly seen: [Position[], Position[]] = [[], []];

  /** Sits the players down; `start` begins. */
  constructor(override readonly config: LocalMatchConfig, terms: Terms, protected readonly engine: Engine) {
    super(aboutOf(config, terms));
    const player = (seat: Seat): Player =>
      ({ seat, name: config.sitters[seat].name, role: 'level' in config.sitters[seat] ? 'ai' : 'person', here: true });
    this.players.value = [player(0), player(1)];
  }

  /** Is a seat a person's? */
  private person(seat: Seat): boolean {
    return !('level' in this.config.sitters[seat]);
  }
  /** The seats of people. */
  private get people(): Seat[] {
    return ([0, 1] as Seat[]).filter((seat) => this.person(seat));
  }

  /** Shows the first position and lets programs act. */
  async start(): Promise<void> {
    const { awaited, hidden } = await this.engine.call('waits');
    const seat = this.eyesFor(awaited, null);
    if (hidden && this.people.length === 2) this.curtain.value = seat;
    if (this.config.from) await this.recallUpTo(this.config.from.at);
    this.take({ ...(await this.see(seat ?? 'watcher')), events: [] });
    await this.noteUndo();
    void this.runPrograms();
  }

  /** Tells the log of the match that is gone on with, as it was told when it was played. */
  private async recallUpTo(count: number): Promise<void> {
    const { people } = this;
    const past = (eyes: Perspective) => this.engine.call('past', { eyes, count });
    if (people.length === 1) this.recall(await past(people[0] as Seat), []);
    else this.recall(await past('watcher'), (await Promise.all(people.map(past))).flat());
  }

  /** What somebody sees now. */
  private async see(eyes: Perspective): Promise<Position> {
    const position = await this.engine.call('see', { eyes });
    return { ...position, number: position.number + this.given };
  }

  /** Whose last step is undone: against a program one's own with what the program answered, else anybody's. */
  private get undoing(): Seat | null {
    return this.people.length === 1 ? (this.people[0] ?? null) : null;
  }

  /** Is there a step to undo? */
  private async canUndo(): Promise<boolean> {
    return this.people.length > 0 && this.engine.call('undoable', { seat: this.undoing });
  }

  /** Notes whether there is a step to undo. */
  private async noteUndo(): Promise<void> {
    this.undoable.value = (await this.canUndo()) ? 'ok' : 'nothing-to-undo';
  }

  /** Whose eyes to use: a person that is awaited, whoever looked before first. */
  private eyesFor(awaited: Seat[], before: Seat | null): Seat | null {
    const [first] = this.people;
    if (first === undefined) return null;
    if (before !== null && (awaited.includes(before) || awaited.length === 0)) return before;
    return awaited.find((seat) => this.person(seat)) ?? before ?? first;
  }

  /** After an action: the new position for the eyes that come next. */
  private async look(more: Partial<Position> = {}): Promise<void> {
    if (this.people.length < 2) return this.takeSeen(await this.seeAlone(), more);
    /* Both read the same log: where something is hidden it says no more than a watcher may know. */
    await this.noteUndo();
    const before = this.you.value;
    const { awaited, hidden } = await this.engine.call('waits');
    const seat = this.eyesFor(awaited, before);
    if (hidden && this.people.length === 2 && before !== null && seat !== null) await this.lookApart(before, seat, more);
    else this.take({ ...(await this.see(seat ?? 'watcher')), ...more }, this.about.value.hides ? await this.see('watcher') : undefined);
  }

  /** What one sees at a table of at most one person, and whether a step can be undone. */
  private seeAlone(): Promise<[Position, boolean]> {
    return Promise.all([this.see(this.people[0] ?? 'watcher'), this.canUndo()]);
  }

  /** Shows that. */
  private takeSeen([seen, can]: [Position, boolean], more: Partial<Position> = {}): void {
    batch(() => {
      this.undoable.value = can ? 'ok' : 'nothing-to-undo';
      this.take({ ...seen, ...more });
    });
  }

  /** Both are people who may not see the same: who acted sees what came of it, then the curtain falls if the device changes hands. */
  private async lookApart(before: Seat, seat: Seat, more: Partial<Position>): Promise<void> {
    const told = await this.see('watcher');
    const views = [await this.see(0), await this.see(1)] as const;
    this.take({ ...views[before], ...more }, told);
    this.seen[before] = [views[before]];
    this.seen[otherSeat(before)].push(views[otherSeat(before)]);
    if (seat === before) return;
    const step = told.events.every(({ kind }) => STEP.has(kind));
    await sleep(!step ? HELD_MS : motionOn() ? HELD_STEP_MS : 0);
    if (this.closed) return;
    this.curtain.value = seat;
    await sleep(0);
    this.take(views[seat], null);
  }

  override missed(): Position[] {
    const you = this.you.value;
    if (you === null || this.seen[you].length < 2) return [];
    const story = this.seen[you];
    this.seen[you] = story.slice(-1);
    const began = story.map(({ events }) => events.some(({ kind }) => kind === 'match-began')).lastIndexOf(true);
    return story.slice(Math.max(0, began));
  }

  protected retell(): void {
    const look = () => this.see(this.you.value ?? 'watcher');
    this.underWay = this.underWay.then(() => this.tellAgain(this.engine, look)).catch(() => undefined);
  }

  /** Lets programs act as long as one is awaited. */
  private async runPrograms(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      while (!this.closed) {
        const { awaited } = await this.engine.call('waits');
        const seat = awaited.find((s) => !this.person(s));
        if (seat === undefined) break;
        this.thinking.value = true;
        const began = performance.now();
        const { undos } = this;
        const action = await this.choose(seat);
        const left = BREATH_MS - (performance.now() - began);
        if (left > 0) await sleep(left);
        while (this.paused.value && !this.closed) await sleep(100);
        if (this.closed) break;
        if (undos !== this.undos) continue;
        if (!action || (await this.doStep(seat, action)) !== null) break;
      }
    } catch (error) {
      if (!this.closed) this.notice.value = (error as Error).message;
    } finally {
      this.thinking.value = false;
      this.busy = false;
    }
  }

  /** Loads the content of this match into another engine, for programs and tips. */
  private prepare(engine: Engine): Promise<unknown> {
    const text = this.config.from?.text;
    return text ? engine.call('open', { name: 'match.json', text }) : engine.load(this.config);
  }

  /** What the program of a seat does now; null: nothing, or the table is closed. */
  private async choose(seat: Seat): Promise<Action | null> {
    const player = this.config.sitters[seat];
    const level = 'level' in player ? player.level : 1;
    const { undos } = this;
    const seatView = await this.engine.call('seatView', { seat });
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    const stop = () => this.closed || undos !== this.undos;
    const timed = THINKING[level];
    return (await this.programs.engine()).think(seatView, level, seed, stop, timed && 1000 * timed.chosen.value);
  }

  /** Does one thing and takes the position that came of it, before anything else is done. Both seats may be awaited at once: of two
   * actions between two looks the events of the first would be lost and those of the second told twice. */
  private change(act: () => Promise<Refusal | null>): Promise<Refusal | null> {
    return this.inTurn(async () => {
      const refusal = await act();
      if (refusal === null) await this.look();
      return refusal;
    });
  }

  /** Does an action, or several as one step. Where the eyes never change what comes of it is asked for together with it, so that it is
   * seen sooner. */
  private doStep(seat: Seat, step: Action | string[]): Promise<Refusal | null> {
    if (this.people.length === 2)
      return this.change(() => (Array.isArray(step) ? this.engine.call('acts', { seat, words: step }) : this.engine.call('act', { seat, action: step })));
    return this.inTurn(async () => {
      const done = await this.askStep(seat, step);
      if (done.refusal === null) this.takeSeen([done.position, done.undoable]);
      return done.refusal;
    });
  }

  /** Lets the engine do a step, and tell what is seen then by who is alone here. */
  private async askStep(seat: Seat, step: Action | string[]): Promise<StepDone> {
    const [person] = this.people;
    const done = await this.engine.call('step', { seat, step, eyes: person ?? 'watcher', undoing: this.undoing });
    const position = { ...done.position, number: done.position.number + this.given };
    return { ...done, position, undoable: person !== undefined && done.undoable };
  }

  /** Does something behind all that is under way. */
  private inTurn<T>(what: () => Promise<T>): Promise<T> {
    const done = this.underWay.then(what);
    this.underWay = this.keepCount(done).catch(() => {});
    return done;
  }

  /** Undoes the last step, whatever it was: what is played on this device is nobody else's business. */
  override async undo(): Promise<Outcome> {
    if (this.undoable.value !== 'ok') return notHere();
    this.undos++;
    await this.inTurn(async () => {
      const gone = await this.engine.call('undo', { seat: this.undoing });
      const { awaited } = await this.engine.call('waits');
      this.given += gone + 1;
      if (gone > 0) await this.look({ undone: this.undoing ?? awaited[0] ?? 0 });
    });
    void this.runPrograms();
    return { ok: true };
  }

  /** What a person here does, and then the programs. */
  private async doAsPerson(act: () => Promise<Refusal | null>): Promise<Outcome> {
    return this.afterwards(await this.change(act));
  }

  /** After something that a person did, or was refused: the programs' turn. */
  private afterwards(refusal: Refusal | null): Outcome {
    if (refusal === null) void this.runPrograms();
    return outcome(refusal && answerWords(refusal.reason, refusal.code));
  }

  override async act(action: Action): Promise<Outcome> {
    return this.doInTurn(action);
  }
  override async actAll(words: string[]): Promise<Outcome> {
    return this.doInTurn(words);
  }
  override expect(step: Action | string[]): void {
    if (this.alone) this.lookBeyond(step);
  }

  /** What the person here does whose turn it is. */
  private async doInTurn(step: Action | string[]): Promise<Outcome> {
    const seat = this.actor();
    if (this.paused.value) return outcome(t('match.isPaused'));
    if (seat === null) return outcome(t('match.notYourTurn'));
    const seen = this.alone && this.doing === 0 ? this.seenBeyond(step) : null;
    if (seen) return this.doForeseen(seat, step, seen);
    return this.afterwards(await this.doStep(seat, step));
  }

  /** Only one person is here and only they can act now: what they do can be foreseen. */
  private get alone(): boolean {
    return this.people.length === 1 && this.position.value?.awaited.join() === String(this.people[0]);
  }

  /** A step of which it is known what will be seen: that is shown at once, while the engine does it. */
  private async doForeseen(seat: Seat, step: Action | string[], seen: Position): Promise<Outcome> {
    const number = (this.position.value?.number ?? 0) + (Array.isArray(step) ? step.length : 1);
    const done = this.askStep(seat, step);
    const shown = this.showFirst(seen).then(() => {
      const known = new Set(this.log.value);
      this.takeSeen([{ ...seen, number }, true]);
      return new Set(this.log.value.filter((line) => !known.has(line)));
    });
    const settled = Promise.all([done, shown]).then(([{ refusal, position, undoable }, lines]) => {
      const same = position.seen && seen.seen && sameBytes(position.seen.view, seen.seen.view) && position.number === number;
      if (refusal === null && same) return;
      this.rewrite(this.log.value.filter((line) => !lines.has(line)));
      this.takeSeen([position, undoable], refusal === null ? {} : { events: [] });
      if (refusal) this.notice.value = answerWords(refusal.reason, refusal.code);
    });
    this.underWay = this.keepCount(settled).catch(() => {});
    void this.underWay.then(() => this.runPrograms());
    await shown;
    return { ok: true };
  }

  /** Counts what is under way: more than one thing at a time cannot be foreseen. */
  private async keepCount<T>(what: Promise<T>): Promise<T> {
    this.doing++;
    return what.finally(() => this.doing--);
  }

  override async resign(): Promise<Outcome> {
    const seat = this.you.value;
    return seat === null ? notHere() : this.doAsPerson(() => this.engine.call('word', { seat, what: 'resign' }));
  }

  /** Against a program an offer is declined by its next move; on one device both people decide at once. */
  override async draw(what: 'offer' | 'accept' | 'decline'): Promise<Outcome> {
    const seat = this.you.value;
    if (seat === null) return notHere();
    const who = what === 'offer' ? seat : this.people.length === 2 ? otherSeat(this.position.value?.draw ?? seat) : seat;
    return this.doAsPerson(() => this.engine.call('word', { seat: who, what }));
  }

  override async pause(on: boolean): Promise<Outcome> {
    this.paused.value = on;
    return { ok: true };
  }

  /** Another match with changed seats; behind the first of two it is the second. */
  override async rematch(): Promise<Outcome> {
    const [first, second] = this.config.sitters;
    const { from: _, leg, first: __, ...config } = this.config;
    const winner = this.result.value?.winner ?? null;
    const next: Partial<LocalMatchConfig> = leg === 1 ? { leg: 2, first: winner === null ? null : otherSeat(winner) } : leg ? { leg: 1 } : {};
    try {
      this.successor.value = await openLocal({ ...config, ...next, sitters: [second, first] });
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  override async preview(action: Action): Promise<Preview | null> {
    const seat = this.actor();
    return seat === null ? null : this.engine.call('preview', { seat, action });
  }

  override async tip(): Promise<Tip | null> {
    const seat = this.actor();
    if (seat === null || !this.tipsOn.value) return null;
    const seatView = await this.engine.call('seatView', { seat });
    return (await this.adviser.engine()).call('tip', { seatView, level: TIP_LEVEL });
  }
  override stopTip(): void {
    this.adviser.stop();
  }

  async openReplay(): Promise<Table | null> {
    const text = await this.file();
    return text === null ? null : openReplay('match.json', text);
  }

  override close(): void {
    super.close();
    this.programs.stop();
    this.adviser.stop();
  }
}

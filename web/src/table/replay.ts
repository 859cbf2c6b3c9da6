/* replay.ts -- a table at which nobody plays any more: a match file, gone through forwards and backwards. */
import { signal } from '@preact/signals';
import { Engine, withEngine } from '../engine/engine';
import { ProblemsError, type ContentRequest, type OpenedMatch } from '../engine/calls';
import type { Position, Seat } from '../model';
import { t } from '../texts/texts';
import { BaseTable, linesOf, sleep } from './base';
import { readNotes, withNotes, type MatchNote } from './notes';
import { openLocal, type SeatPlayer } from './local';
import type { LogLine, Perspective, ReplayMark, ReplayControls, Table } from './table';

/** What a file says beside the match; read leniently, since the engine has checked it. */
interface FileHead {
  preset?: string;
  content: Omit<ContentRequest, 'game'>;
  players: [string, string];
  options: Record<string, number>;
}

/** What the file says beside the match. */
function headOf(text: string): FileHead {
  const { preset, documents, players, options, nameP1, nameP2 } = JSON.parse(text) as
    Partial<FileHead> & Pick<ContentRequest, 'documents'> & { nameP1?: unknown; nameP2?: unknown };
  const content = { ...(preset ? { preset } : {}), ...(Array.isArray(documents) ? { documents } : {}) };
  const names: [string, string] = players ?? [String(nameP1 ?? '1'), String(nameP2 ?? '2')];
  return { ...(preset ? { preset } : {}), content, players: names, options: options ?? {} };
}

/** How long each action of a line is shown at the usual speed. */
const LINE_MS = 900;

/** Which events are worth a mark. */
const MARKS: Record<string, ReplayMark['kind']> = {
  'round-began': 'round', died: 'died', 'item-taken': 'item', spoke: 'spoke', revealed: 'revealed', 'match-ended': 'end',
};

/** Opens a match file. Throws ProblemsError if it is wrong. */
export async function openReplay(name: string, text: string): Promise<Table> {
  return withEngine(async (engine) => {
    const opened = await engine.call('open', { name, text });
    if ('problems' in opened) throw new ProblemsError(opened.problems);
    const table = new ReplayTable(engine, text, opened, headOf(text));
    await table.goto(0);
    void table.gather();
    return table;
  });
}

/** A match that is written down. */
class ReplayTable extends BaseTable implements ReplayControls {
  readonly kind = 'replay';
  override readonly replay: ReplayControls = this;
  readonly at = signal(0);
  readonly perspective = signal<Perspective>('all');
  readonly playing = signal(false);
  readonly speed = signal(1);
  readonly marks = signal<ReplayMark[]>([]);
  readonly notes = signal<MatchNote[]>([]);
  readonly length: number;
  readonly canPlayOn: boolean;
  private closed = false;
  private wishes = 0;
  /** What happened at each moment, as a spectator is told; empty until it is read. */
  private told: LogLine[][] = [];
  private work: Promise<void> = Promise.resolve();
  private positions: Promise<Position[]> | null = null;

  /** Takes an opened file; `goto` shows its first moment. */
  constructor(protected readonly engine: Engine, readonly text: string, opened: OpenedMatch, private readonly head: FileHead) {
    super({
      game: opened.game, title: opened.title, content: { game: opened.game, ...head.content }, options: head.options, ...(head.preset ? { preset: head.preset } : {}),
      code: '', turn_ms: 0, match_ms: 0, pause_ms: 0, animation_ms: opened.terms.animation_ms, hides: opened.terms.hides,
      sides: opened.terms.sides,
    });
    this.length = opened.length;
    this.notes.value = readNotes((JSON.parse(text) as { notes?: unknown }).notes, opened.length);
    this.canPlayOn = !opened.recorded;
    this.players.value = [{ seat: 0, name: head.players[0], here: true }, { seat: 1, name: head.players[1], here: true }];
    this.setTips(false);
  }

  /** One after the other, so that quick scrubbing does not mix. */
  private queue(what: () => Promise<void>): Promise<void> {
    this.work = this.work.then(what, what).catch((error: Error) => {
      if (!this.closed) this.notice.value = error.message;
    });
    return this.work;
  }

  /** Only the newest wish counts: who scrubs through twenty moments does not wait for nineteen of them. */
  goto(at: number): Promise<void> {
    const mine = ++this.wishes;
    return this.queue(async () => {
      if (mine !== this.wishes) return;
      const target = Math.max(0, Math.min(this.length, Math.round(at)));
      await this.show(target, target === this.at.value + 1);
    });
  }

  /** Shows the moment after so many actions; `step`: what the last of them did is told and animated. */
  private async show(target: number, step: boolean): Promise<void> {
    await this.engine.call('goto', { count: target });
    const position = await this.engine.call('see', { eyes: this.perspective.value });
    if (!step) this.log.value = this.told.slice(1, target + 1).flat();
    this.at.value = target;
    this.take({ ...position, actions: [], events: step ? position.events : [] });
  }

  protected retell(): void {
    const look = async () => ({ ...(await this.engine.call('see', { eyes: this.perspective.value })), actions: [] });
    void this.queue(() => this.tellAgain(this.engine, look));
    if (this.log.value.some(({ again }) => !again)) this.log.value = [];
    this.positions = null;
    void this.gather();
  }

  look(perspective: Perspective): Promise<void> {
    this.perspective.value = perspective;
    return this.goto(this.at.value);
  }

  play(): void {
    if (this.playing.value) return;
    this.playing.value = true;
    void this.run();
  }
  stop(): void {
    this.playing.value = false;
  }
  setSpeed(speed: number): void {
    this.speed.value = Math.max(0.25, Math.min(20, speed));
  }

  /** Goes on by itself until stopped or over. */
  private async run(): Promise<void> {
    while (this.playing.value && !this.closed && this.at.value < this.length) {
      await this.goto(this.at.value + 1);
      await sleep(1000 / this.speed.value);
    }
    this.playing.value = false;
  }

  async line(positions: Position[]): Promise<void> {
    this.stop();
    const mine = ++this.wishes;
    for (const position of positions) {
      if (this.closed || mine !== this.wishes) return;
      this.take({ ...position, actions: [] });
      await sleep(LINE_MS / this.speed.value);
    }
  }

  async playOn(seat: Seat | null, level: number): Promise<Table> {
    if (!this.canPlayOn) throw new Error(t('replay.foreign'));
    const sitter = (at: Seat): SeatPlayer => ({ name: this.head.players[at], ...(seat === null || seat === at ? {} : { level }) });
    return openLocal({
      game: this.about.value.game, title: this.about.value.title, options: this.head.options, sitters: [sitter(0), sitter(1)], from: { text: this.text, at: this.at.value },
    });
  }

  /** Finds the moments worth a mark, with an engine of its own. */
  async gather(): Promise<void> {
    const marks: ReplayMark[] = [];
    for (const [at, position] of (await this.history()).entries())
      for (const event of position.events) {
        const kind = MARKS[event.kind];
        if (kind !== undefined) marks.push({ at, kind, text: event.text });
      }
    this.marks.value = marks;
    this.told = (await this.history()).map(({ events }, number) => linesOf(events, number));
    if (this.log.value.length === 0) this.log.value = this.told.slice(1, this.at.value + 1).flat();
  }

  override history(): Promise<Position[]> {
    this.positions ??= this.readAll();
    return this.positions;
  }

  /** All positions of the file, by an engine of their own. */
  private async readAll(): Promise<Position[]> {
    const engine = new Engine();
    try {
      return await engine.call('positionsOf', { name: 'match.json', text: this.text });
    } finally {
      engine.close();
    }
  }

  note(note: MatchNote): void {
    const others = this.notes.value.filter(({ at }) => at !== note.at);
    const worth = note.text !== undefined || (note.point?.length ?? 0) > 0;
    this.notes.value = worth ? [...others, note].sort((one, two) => one.at - two.at) : others;
  }
  setNotes(notes: MatchNote[]): void {
    this.notes.value = notes;
  }

  async legal(): Promise<Position | null> {
    const [seat] = this.position.value?.awaited ?? [];
    return seat === undefined ? null : this.engine.call('see', { eyes: seat });
  }

  async file(): Promise<string | null> {
    return withNotes(this.text, this.notes.value);
  }
  async openReplay(): Promise<Table | null> {
    return this;
  }
  leave(): void {
    this.close();
  }
  close(): void {
    this.closed = true;
    this.mute();
    this.stop();
    this.engine.close();
  }
}

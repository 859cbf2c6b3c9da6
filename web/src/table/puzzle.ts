/* puzzle.ts -- a table at which one turn is to be found: the match of a puzzle on this device, played on by its seat until the turn is
 * over; then the engine judges it. */
import { signal } from '@preact/signals';
import type { Refusal, Terms } from '../engine/calls';
import { withEngine, type Engine } from '../engine/engine';
import { otherSeat, type Action, type Position, type Preview, type Seat } from '../model';
import { ratingOf, type OwnPuzzle, type Puzzle } from '../puzzles/file';
import { keepRecord, points, record } from '../puzzles/record';
import { motionOn, ownName } from '../settings';
import { answerWords } from '../texts/answers';
import { puzzleText } from '../texts/puzzles';
import { t } from '../texts/texts';
import { outcome, sleep } from './base';
import { DeviceTable } from './device';
import type { Outcome, PuzzleControls, PuzzleStage, Table } from './table';

/** The turn is judged with so many nodes, as the puzzle was made. */
const NODES = 200_000;
/** Between two actions of the solution, so that eyes can follow. */
const BREATH_MS = 600;
const STILL_BREATH_MS = 250;

/** What a puzzle of either kind is to the table. */
interface Task {
  game: string;
  title: string;
  preset: string;
  kind: Puzzle['kind'];
  address: string[];
  seat: Seat;
  best: number;
  second: number;
  solution: string[];
  /** Under which key the first attempt is kept, and what it is rated; null: it is not rated. */
  rated: { key: string; rating: number } | null;
}

/** Opens a shipped puzzle. Throws if its board is another one now. */
export async function openPuzzle(game: string, title: string, number: number, puzzle: Puzzle): Promise<Table> {
  const { preset, content, seed, actions, kind, seat, best, second, solutions } = puzzle;
  return withEngine(async (engine) => {
    const terms = await engine.call('puzzleOpen', { game, preset, content, seed, actions });
    if (terms === null) throw new Error(puzzleText('gone'));
    const task: Task = {
      game, title, preset, kind, address: [game, String(number + 1)], seat, best, second, solution: solutions[0] ?? [],
      rated: { key: `${game}/${seed}/${actions.length}`, rating: ratingOf(puzzle) },
    };
    return begun(new PuzzleTable(task, terms, engine));
  });
}

/** Opens a turn of one's own match. */
export async function openOwnPuzzle(own: OwnPuzzle): Promise<Table> {
  return withEngine(async (engine) => {
    const opened = await engine.call('open', { name: 'match.json', text: own.text });
    if ('problems' in opened || !(await engine.call('goto', { count: own.at }))) throw new Error(puzzleText('gone'));
    return begun(new PuzzleTable({ ...own, preset: '', kind: 'find', address: ['own'], rated: null }, opened.terms, engine));
  });
}

/** Shows the first position. */
async function begun(table: PuzzleTable): Promise<Table> {
  await table.begin();
  return table;
}

/** A puzzle that is being solved. */
class PuzzleTable extends DeviceTable {
  readonly kind = 'local';
  override readonly puzzle: PuzzleControls;
  readonly stage = signal<PuzzleStage>('playing');
  readonly chance = signal<number | null>(null);
  readonly hinted = signal<number | null>(null);
  readonly rated = signal<[number, number] | null>(null);
  readonly address: string[];
  readonly best: number;
  readonly second: number;
  readonly solution: string[];
  /** The number of actions before the turn. */
  private first = 0;
  /** Positions that are no more, so that numbers go on rising. */
  private given = 0;
  /** Help was asked for: the first attempt does not count as solved. */
  private helped = false;
  private work: Promise<unknown> = Promise.resolve();

  /** Takes a match that stands at the puzzle; `begin` shows it. */
  constructor(private readonly task: Task, terms: Terms, protected readonly engine: Engine) {
    super({
      game: task.game, title: task.title, content: { game: task.game, ...(task.preset ? { preset: task.preset } : {}) }, options: {}, code: '',
      turn_ms: 0, match_ms: 0, pause_ms: 0, animation_ms: terms.animation_ms, hides: terms.hides, sides: terms.sides,
    });
    ({ address: this.address, best: this.best, second: this.second, solution: this.solution } = task);
    this.puzzle = this.controls();
    const you = { seat: task.seat, name: ownName() || t('name.person', { n: 1 }), role: 'person' as const, here: true };
    const other = { seat: otherSeat(task.seat), name: t('lesson.opponent'), role: 'ai' as const, here: true };
    this.players.value = task.seat === 0 ? [you, other] : [other, you];
    this.setTips(false);
  }

  /** What the panel needs: `kind` of a table and of a puzzle are two things. */
  private controls(): PuzzleControls {
    const { address, stage, chance, best, second, hinted, rated, solution, task } = this;
    return {
      address, stage, chance, best, second, hinted, rated, solution, kind: task.kind,
      hint: () => this.hint(), again: () => this.again(), show: () => this.show(),
    };
  }

  /** Shows the puzzle. */
  async begin(): Promise<void> {
    await this.engine.call('puzzleBegin');
    const now = await this.look();
    this.first = now.number;
    this.take({ ...now, events: [] });
  }

  /** What the person sees now; nothing can be done any more once the turn is over. */
  private async look(): Promise<Position> {
    const position = await this.engine.call('see', { eyes: this.task.seat });
    return { ...position, number: position.number + this.given, ...(this.stage.value === 'playing' ? {} : { actions: [] }) };
  }

  /** One thing after the other. */
  private queue<T>(what: () => Promise<T>): Promise<T> {
    const done = this.work.then(what, what);
    this.work = done.catch((error: Error) => {
      if (!this.closed) this.notice.value = error.message;
    });
    return done;
  }

  /** Does what the person wants to do; when the turn is over, it is judged. */
  private follow(act: () => Promise<Refusal | null>): Promise<Outcome> {
    return this.queue(async () => {
      if (this.stage.value !== 'playing') return outcome(puzzleText('over'));
      const refusal = await act();
      if (refusal !== null) return outcome(answerWords(refusal.reason, refusal.code));
      const over = await this.engine.call('puzzleOver');
      if (over) this.stage.value = 'judging';
      this.take(await this.look());
      this.undoable.value = over ? 'nothing-to-undo' : 'ok';
      if (over) void this.queue(() => this.judge());
      return outcome(null);
    });
  }

  /** Judges the turn that was played. */
  private async judge(): Promise<void> {
    const chance = await this.engine.call('puzzleJudge', { nodes: NODES });
    if (this.closed || this.stage.value !== 'judging') return;
    const solved = chance >= (this.best + this.second) / 2;
    this.chance.value = chance;
    this.stage.value = solved ? 'right' : 'wrong';
    await this.rate(solved && !this.helped);
  }

  /** The first attempt counts for the rating. */
  private async rate(solved: boolean): Promise<void> {
    const { rated } = this.task;
    const { rating, at_ms, tried } = record.value;
    if (!rated || tried[rated.key]) return;
    const now = Date.now();
    const after = await this.engine.call('puzzleRating', { rating, idle_ms: rating ? Math.max(0, now - at_ms) : 0, other: rated.rating, solved });
    keepRecord({ rating: after, at_ms: now, tried: { ...tried, [rated.key]: solved ? 'right' : 'wrong' } });
    this.rated.value = [points(rating), points(after)];
  }

  override act(action: Action): Promise<Outcome> {
    return this.follow(() => this.engine.call('act', { seat: this.task.seat, action }));
  }
  override actAll(words: string[]): Promise<Outcome> {
    return this.follow(() => this.engine.call('acts', { seat: this.task.seat, words }));
  }
  override async preview(action: Action): Promise<Preview | null> {
    return this.actor() === null ? null : this.engine.call('preview', { seat: this.task.seat, action });
  }

  /** Back to the beginning of the turn. */
  private async rewound(): Promise<void> {
    const before = (await this.engine.call('see', { eyes: 'all' })).number;
    await this.engine.call('rewind', { count: this.first });
    this.given += before - this.first + 1;
    this.chance.value = null;
    this.undoable.value = 'nothing-to-undo';
  }

  hint(): void {
    const [word] = this.solution;
    const group = this.position.value?.actions.find(({ words }) => words.includes(word ?? ''));
    this.helped = true;
    this.hinted.value = group && !group.nobody ? group.unit : -1;
  }
  again(): Promise<void> {
    return this.queue(async () => {
      this.stage.value = 'playing';
      await this.rewound();
      this.take({ ...(await this.look()), events: [], undone: this.task.seat });
    });
  }
  show(): Promise<void> {
    return this.queue(async () => {
      if (this.stage.value === 'playing') await this.rate(false);
      this.helped = true;
      this.stage.value = 'shown';
      await this.rewound();
      this.take({ ...(await this.look()), events: [], undone: this.task.seat });
      for (const word of this.solution) {
        await sleep(motionOn() ? BREATH_MS : STILL_BREATH_MS);
        if (this.closed || this.stage.value !== 'shown') return;
        if ((await this.engine.call('acts', { seat: this.task.seat, words: [word] })) !== null) break;
        this.take(await this.look());
      }
    });
  }
  override async undo(): Promise<Outcome> {
    await this.again();
    return outcome(null);
  }

  async openReplay(): Promise<Table | null> {
    return null;
  }

  protected retell(): void {
    void this.queue(() => this.tellAgain(this.engine, () => this.look())).catch(() => undefined);
  }
}

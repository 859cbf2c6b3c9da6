/* lesson.ts -- a table at which one learns: a match on this device of which every action is written down (lesson/script.ts). Only what
 * the step asks for is offered and accepted; then the opponent does what the script says. */
import { batch, computed, signal } from '@preact/signals';
import { withEngine, type Engine } from '../engine/engine';
import type { Refusal, Terms } from '../engine/calls';
import { contentOf, fits, only, perform, setUp, type Lesson } from '../lesson/script';
import { otherSeat, type Action, type ActionGroup, type Position, type Preview, type WalkNode } from '../model';
import { motionOn, ownName } from '../settings';
import { answerWords } from '../texts/answers';
import { t } from '../texts/texts';
import { outcome, sleep } from './base';
import { DeviceTable } from './device';
import { openReplay } from './replay';
import type { LessonControls, Outcome, Table } from './table';

/** Between two actions of the opponent, so that eyes can follow; where nothing moves, the strip above the board tells them again. */
const BREATH_MS = 600;
const STILL_BREATH_MS = 250;

/** Opens the lesson of a game. Throws if its beginning contradicts the rules. */
export async function openLesson(game: string, title: string, lesson: Lesson): Promise<Table> {
  return withEngine(async (engine) => {
    const table = new LessonTable(game, title, lesson, await setUp(engine, game, lesson.start), engine);
    await table.begin();
    return table;
  });
}

/** A lesson that is being gone through. */
class LessonTable extends DeviceTable implements LessonControls {
  readonly kind = 'local';
  override readonly lesson: LessonControls = this;
  readonly at = signal(0);
  readonly length: number;
  readonly preset: string | undefined;
  /** So much of the step's own actions is done; and the opponent acts now. */
  private readonly done = signal(0);
  private readonly answering = signal(false);
  private readonly step = computed(() => this.script.steps[this.at.value]!);
  readonly text = computed(() => this.step.value.text);
  readonly point = computed(() => this.step.value.point ?? []);
  readonly wanted = computed(() => (this.answering.value ? [] : (this.step.value.do ?? []).slice(this.done.value)));
  readonly reading = computed(() => this.step.value.do === undefined);
  /** All that the rules allow now. */
  private allowed: ActionGroup[] = [];
  /** How many actions had been done when each step began. */
  private readonly begins: number[] = [];
  /** How many positions are no more, so that numbers go on rising; and how often it was gone back, which ends what the opponent does. */
  private given = 0;
  private turns = 0;
  private work: Promise<unknown> = Promise.resolve();

  /** Takes a match that is set up; `begin` shows it. */
  constructor(game: string, title: string, private readonly script: Lesson, terms: Terms, protected readonly engine: Engine) {
    super({
      game, title, content: contentOf(game, script.start), options: script.start.options ?? {}, code: '', turn_ms: 0, match_ms: 0, pause_ms: 0,
      animation_ms: terms.animation_ms, hides: terms.hides, sides: terms.sides,
    });
    this.length = script.steps.length;
    this.preset = script.next?.preset;
    const you = { seat: script.seat, name: ownName() || t('name.person', { n: 1 }), role: 'person' as const, here: true };
    const coach = { seat: otherSeat(script.seat), name: t('lesson.opponent'), role: 'ai' as const, here: true };
    this.players.value = script.seat === 0 ? [you, coach] : [coach, you];
    this.setTips(false);
  }

  /** Shows the first step. */
  async begin(): Promise<void> {
    const now = await this.look();
    this.begins[0] = now.number;
    this.take({ ...this.filtered(now), events: [] });
  }

  /** What the learner sees now. */
  private async look(): Promise<Position> {
    const position = await this.engine.call('see', { eyes: this.script.seat });
    this.allowed = position.actions;
    return { ...position, number: position.number + this.given };
  }

  /** The position with what the step asks for, and nothing else. */
  private filtered(position: Position): Position {
    return { ...position, actions: only(this.allowed, this.wanted.value[0]) };
  }

  /** One thing after the other. */
  private queue<T>(what: () => Promise<T>): Promise<T> {
    const done = this.work.then(what, what);
    this.work = done.catch((error: Error) => {
      if (!this.closed) this.notice.value = error.message;
    });
    return done;
  }

  /** Does what the learner wants to do, if the step asks for it, and goes on with the lesson. */
  private follow(words: string[], act: () => Promise<Refusal | null>): Promise<Outcome> {
    return this.queue(async () => {
      const wanted = this.wanted.value;
      if (words.length > wanted.length || !words.every((word, at) => fits(wanted[at]!, word))) return outcome(t('lesson.not'));
      const refusal = await act();
      if (refusal !== null) return outcome(answerWords(refusal.reason, refusal.code));
      const own = this.step.value.do ?? [];
      const done = this.done.value + words.length;
      const answers = done < own.length ? [] : (this.step.value.then ?? []);
      const count = (await this.engine.call('see', { eyes: 'all' })).number;
      await this.show(() => {
        this.done.value = done;
        this.answering.value = answers.length > 0;
        if (done === own.length && answers.length === 0) this.advance(count);
      });
      if (answers.length > 0) void this.answer(answers);
      return outcome(null);
    });
  }

  /** Takes the position as it is now, and goes on in the lesson: what is said and what is shown change together. */
  private async show(goOn: () => void, more: Partial<Position> = {}): Promise<void> {
    const now = await this.look();
    goOn();
    this.undoable.value = this.at.value > 0 || this.done.value > 0 ? 'ok' : 'nothing-to-undo';
    this.take({ ...this.filtered(now), ...more });
  }

  /** The next step begins, after so many actions. */
  private advance(count: number): void {
    batch(() => {
      this.at.value = Math.min(this.length - 1, this.at.value + 1);
      this.done.value = 0;
      this.answering.value = false;
    });
    this.begins[this.at.value] = count;
  }

  /** The opponent does what is written, unless the learner goes back meanwhile; then the next step begins. */
  private async answer(words: string[]): Promise<void> {
    const mine = this.turns;
    for (const [at, word] of words.entries()) {
      await sleep(motionOn() ? BREATH_MS : STILL_BREATH_MS);
      await this.queue(async () => {
        if (mine !== this.turns || this.closed) return;
        await perform(this.engine, otherSeat(this.script.seat), word);
        const count = (await this.engine.call('see', { eyes: 'all' })).number;
        await this.show(() => {
          if (at + 1 === words.length) this.advance(count);
        });
      }).catch(() => undefined);
    }
  }

  override act(action: Action): Promise<Outcome> {
    return this.follow([action.word], () => this.engine.call('act', { seat: this.script.seat, action }));
  }
  override actAll(words: string[]): Promise<Outcome> {
    return this.follow(words, () => this.engine.call('acts', { seat: this.script.seat, words }));
  }

  next(): void {
    if (this.step.value.do || this.at.value + 1 >= this.length) return;
    this.advance(this.begins[this.at.value]!);
    this.undoable.value = 'ok';
    if (this.position.value) this.position.value = this.filtered(this.position.value);
  }

  back(): Promise<void> {
    const inside = this.done.value > 0 || this.answering.value;
    return this.to(Math.max(0, this.at.value - (inside ? 0 : 1)));
  }
  restart(): Promise<void> {
    return this.to(0);
  }

  /** Goes back to the beginning of a step. */
  private to(at: number): Promise<void> {
    this.turns++;
    return this.queue(async () => {
      const before = (await this.engine.call('see', { eyes: 'all' })).number;
      await this.engine.call('rewind', { count: this.begins[at]! });
      this.given += before - this.begins[at]! + 1;
      await this.show(() => batch(() => {
        this.at.value = at;
        this.done.value = 0;
        this.answering.value = false;
      }), { events: [], undone: this.script.seat });
    });
  }
  override async undo(): Promise<Outcome> {
    await this.back();
    return outcome(null);
  }

  override async preview(action: Action): Promise<Preview | null> {
    return this.actor() === null ? null : this.engine.call('preview', { seat: this.script.seat, action });
  }

  /** Only the way that the step asks for, as far as the engine can go it; its own way to the same cell may be another. */
  override async walk(unit: number): Promise<WalkNode[] | null> {
    const [root, ...nodes] = (await super.walk(unit)) ?? [];
    if (!root) return null;
    const way = [root];
    for (const word of this.wanted.value) {
      const next = nodes.find((node) => node.word === word);
      if (!next) break;
      way.push({ ...next, from: way.length - 1, steps: way.length });
    }
    return way;
  }
  override async walkAttack(unit: number, enemy: number): Promise<string[] | null> {
    const words = await super.walkAttack(unit, enemy);
    const { wanted } = this;
    return words?.length === wanted.value.length && words.every((word, at) => fits(wanted.value[at]!, word)) ? words : null;
  }

  protected retell(): void {
    const look = async () => this.filtered(await this.look());
    void this.queue(() => this.tellAgain(this.engine, look)).catch(() => undefined);
  }

  async openReplay(): Promise<Table | null> {
    const text = await this.file();
    return text === null ? null : openReplay('match.json', text);
  }
}

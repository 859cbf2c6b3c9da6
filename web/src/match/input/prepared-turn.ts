/* prepared-turn.ts -- a turn that is put together while the other side thinks: this unit to that cell, one after the other, against the
 * board as it is now. Nothing is sent before it is one's turn; then each is done as a click would do it, as long as it still holds. In a
 * match over days it can be left with the server instead, which does the same when the turn comes; also only if the other side does
 * one thing. */
import { computed, signal } from '@preact/signals';
import { otherSeat, tokenOf, UNIT_NONE, type Position } from '../../model';
import { unitLabel } from '../../names';
import { settings } from '../../settings';
import { say } from '../../texts/match';
import type { Table } from '../../table/table';
import { sharesDevice } from '../panels/status-bar';

/** One action to come: by this unit, at this cell, at whoever stood there when it was prepared (null: nobody did). */
export interface Intent {
  unit: number;
  x: number;
  y: number;
  target: number | null;
}

/** So many at most, and so many turns at the server. */
const INTENTS_MAX = 12;
const KEPT_MAX = 8;

/** An intent as the server takes it: "3>4,5", "3>4,5=7". */
function sentAs({ unit, x, y, target }: Intent): string {
  return `${unit}>${x},${y}${target === null ? '' : `=${target}`}`;
}

/** One that the server told; null: it was given in another way. */
function readIntent(text: string): Intent | null {
  const found = /^(\d+)>(\d+),(\d+)(?:=(\d+))?$/.exec(text);
  if (!found) return null;
  const [unit, x, y] = found.slice(1, 4).map(Number) as [number, number, number];
  return { unit, x, y, target: found[4] === undefined ? null : Number(found[4]) };
}

/** Who stands on a cell; null: nobody. */
export function unitAt({ board }: Position, x: number, y: number): number | null {
  return board.tokens.find((token) => token.place === 'board' && token.x === x && token.y === y && token.unit !== 255)?.unit ?? null;
}

/** The turn that is prepared at one table. */
export class PreparedTurn {
  /** Who is to do the next thing; null: nobody was chosen. */
  readonly unit = signal<number | null>(null);
  readonly intents = signal<readonly Intent[]>([]);
  /** Can a turn be prepared now? While the other side of a running match is awaited, by one who plays it here alone. */
  readonly open = computed(() => {
    const { table } = this;
    const position = table.position.value;
    if (!settings.prepare.value || !position || position.you === null || position.result) return false;
    return table.kind !== 'replay' && !table.lesson && !sharesDevice(table) && !table.paused.value && !position.awaited.includes(position.you);
  });

  /** In a match over days: can a turn be left with the server? */
  readonly canKeep = computed(() => this.open.value && this.table.about.value.days !== undefined);
  /** What is left with the server. */
  readonly kept = computed(() => (this.canKeep.value ? (this.table.kept.value?.branches ?? []) : []));
  /** A condition is being chosen: clicks are about what the other side does. */
  readonly asking = signal(false);
  /** What the other side must do for it; null: anything. */
  readonly condition = signal<Intent | null>(null);

  /** Is there anything to show of all this? */
  readonly any = computed(() => this.intents.value.length + this.kept.value.length > 0 || this.asking.value || this.condition.value !== null);

  constructor(private readonly table: Table) {}

  /** Begins to choose a condition, or gives it up. */
  ask(): void {
    this.asking.value = !this.asking.value && this.condition.value === null;
    this.condition.value = null;
    this.unit.value = null;
  }

  /** Leaves what was put together with the server. */
  async keep(): Promise<string | null> {
    const { value: condition } = this.condition;
    const done = await this.table.keepTurn(condition && sentAs(condition), this.intents.value.map(sentAs));
    if (!done.ok) return done.reason;
    this.take();
    return null;
  }

  /** Is there room for one more turn at the server, or one to be replaced? */
  readonly hasRoom = computed(() => {
    const when = this.condition.value && sentAs(this.condition.value);
    return this.kept.value.length < KEPT_MAX || this.kept.value.some((branch) => (branch.when ?? null) === when);
  });

  /** Takes a turn back from the server. */
  dropKept(at: number): void {
    const branch = this.kept.value[at];
    if (branch) void this.table.keepTurn(branch.when ?? null, null);
  }

  /** A condition or an action at the server in words. */
  keptWords(position: Position, text: string): string {
    const intent = readIntent(text);
    return intent ? this.words(position, intent) : text;
  }

  /** A click while a condition is being chosen: the other side's unit, then where it acts. */
  private clickCondition(position: Position, x: number, y: number, there: number | null): string {
    const unit = this.unit.value;
    const theirs = there !== null && tokenOf(position.board, there)?.seat === otherSeat(position.you ?? 0);
    if (unit === null || theirs) {
      this.unit.value = theirs ? there : null;
      return say(theirs ? 'hintConditionCell' : 'hintCondition');
    }
    const condition = { unit, x, y, target: there };
    this.condition.value = condition;
    this.asking.value = false;
    this.unit.value = null;
    return say('keptWhen', this.words(position, condition));
  }

  /** A click on a cell: chooses one's own unit, or says where the chosen one will act. What that means in words; null: nothing here. */
  click(x: number, y: number): string | null {
    const position = this.table.position.value;
    if (!this.open.value || !position) return null;
    const there = unitAt(position, x, y);
    if (this.asking.value) return this.clickCondition(position, x, y, there);
    const moved = this.intents.value.some((intent) => intent.unit === there && intent.target === null);
    if (there !== null && !moved && tokenOf(position.board, there)?.seat === position.you) return this.choose(position, there);
    const unit = this.unit.value;
    if (unit === null) return null;
    if (this.intents.value.length >= INTENTS_MAX) return say('preparedFull', INTENTS_MAX);
    const intent = { unit, x, y, target: there };
    this.intents.value = [...this.intents.value, intent];
    return say('preparedNow', this.intents.value.length, this.spoken(position, intent));
  }

  /** Chooses who is to do the next thing. */
  private choose({ board }: Position, unit: number): string {
    this.unit.value = unit;
    return say('preparedWho', unitLabel(board, unit));
  }

  /** Chooses the next of one's own units on the board, or with -1 the one before; null: not now. */
  cycle(step: 1 | -1): string | null {
    const position = this.table.position.value;
    if (!this.open.value || this.asking.value || !position) return null;
    const own = position.board.tokens.filter(({ place, seat, unit }) => place === 'board' && seat === position.you && unit !== UNIT_NONE);
    const units = own.map(({ unit }) => unit).sort((one, two) => one - two);
    const at = this.unit.value === null ? -1 : units.indexOf(this.unit.value);
    const next = at < 0 ? units.at(step > 0 ? 0 : -1) : units[(at + step + units.length) % units.length];
    return next === undefined ? null : this.choose(position, next);
  }

  /** Takes the last wish back, then the choice. What that was in words; null: there was neither. */
  back(): string | null {
    if (this.asking.value || this.condition.value) {
      this.asking.value = false;
      this.condition.value = null;
      return say('keptWhenGone');
    }
    if (this.intents.value.length > 0) return this.drop(this.intents.value.length - 1);
    if (this.unit.value === null) return null;
    this.unit.value = null;
    return say('preparedNobody');
  }

  /** Drops a wish and all behind it; which they were in words. */
  drop(at: number): string {
    const gone = this.intents.value.slice(at);
    const position = this.table.position.value;
    this.intents.value = this.intents.value.slice(0, at);
    return position ? say('preparedGone', gone.map((intent) => this.spoken(position, intent)).join(', ')) : '';
  }

  /** All that is prepared, in words; null: nothing is. */
  told(): string[] | null {
    const position = this.table.position.value;
    if (!this.any.value || !position) return null;
    const { value: condition } = this.condition;
    const wishes = this.intents.value.map((intent, at) => `${at + 1}. ${this.spoken(position, intent)}`);
    const kept = this.kept.value.map((branch) => this.branchWords(position, branch));
    return [...(condition ? [say('keptWhen', this.words(position, condition))] : []), ...wishes, ...kept];
  }

  /** A turn at the server in words. */
  branchWords(position: Position, { when, actions }: { when?: string; actions: string[] }): string {
    const what = actions.map((action) => this.keptWords(position, action)).join(', ');
    if (when !== undefined) return say('keptIf', this.keptWords(position, when), what);
    return say(this.kept.value.length > 1 ? 'keptElse' : 'keptAlways', what);
  }

  /** Hands all wishes out, to be done now. */
  take(): readonly Intent[] {
    const intents = this.intents.value;
    this.intents.value = [];
    this.unit.value = null;
    this.condition.value = null;
    this.asking.value = false;
    return intents;
  }

  /** A wish for the ear: "Hulk to 3,4". */
  spoken({ board }: Position, { unit, x, y, target }: Intent): string {
    if (target !== null) return say('preparedAt', unitLabel(board, unit), unitLabel(board, target));
    return say('preparedTo', unitLabel(board, unit), `${x},${y}`);
  }

  /** A wish in words: "Hulk → 3,4". */
  words(position: Position, { unit, x, y, target }: Intent): string {
    return `${unitLabel(position.board, unit)} → ${target === null ? `${x},${y}` : unitLabel(position.board, target)}`;
  }
}

/* prepared-turn.ts -- a turn that is put together while the other side thinks: this unit to that cell, one after the other, against the
 * board as it is now. Nothing is sent before it is one's turn; then each is done as a click would do it, as long as it still holds. */
import { computed, signal } from '@preact/signals';
import { tokenOf, type Position } from '../../model';
import { unitLabel } from '../../names';
import { settings } from '../../settings';
import type { Table } from '../../table/table';
import { sharesDevice } from '../panels/status-bar';

/** One action to come: by this unit, at this cell, at whoever stood there when it was prepared (null: nobody did). */
export interface Intent {
  unit: number;
  x: number;
  y: number;
  target: number | null;
}

/** So many at most. */
const INTENTS_MAX = 12;

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

  constructor(private readonly table: Table) {}

  /** A click on a cell: chooses one's own unit, or says where the chosen one will act. False: it means nothing here. */
  click(x: number, y: number): boolean {
    const position = this.table.position.value;
    if (!this.open.value || !position) return false;
    const there = unitAt(position, x, y);
    const moved = this.intents.value.some((intent) => intent.unit === there && intent.target === null);
    if (there !== null && !moved && tokenOf(position.board, there)?.seat === position.you) {
      this.unit.value = there;
      return true;
    }
    const unit = this.unit.value;
    if (unit === null || this.intents.value.length >= INTENTS_MAX) return false;
    this.intents.value = [...this.intents.value, { unit, x, y, target: there }];
    return true;
  }

  /** Takes the last wish back, then the choice. False: there was neither. */
  back(): boolean {
    if (this.intents.value.length > 0) this.intents.value = this.intents.value.slice(0, -1);
    else if (this.unit.value !== null) this.unit.value = null;
    else return false;
    return true;
  }

  /** Drops a wish and all behind it. */
  drop(at: number): void {
    this.intents.value = this.intents.value.slice(0, at);
  }

  /** Hands all wishes out, to be done now. */
  take(): readonly Intent[] {
    const intents = this.intents.value;
    this.intents.value = [];
    this.unit.value = null;
    return intents;
  }

  /** A wish in words: "Hulk → 3,4". */
  words(position: Position, { unit, x, y, target }: Intent): string {
    return `${unitLabel(position.board, unit)} → ${target === null ? `${x},${y}` : unitLabel(position.board, target)}`;
  }
}

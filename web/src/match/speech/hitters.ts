/* hitters.ts -- by whom one's own units can be hit, as a part of the names of their cells. It is found out only while the keyboard is on
 * the board, so that nobody waits for it who points. */
import { effect } from '@preact/signals';
import type { Position } from '../../model';
import { unitLabel } from '../../names';
import type { Table } from '../../table/table';
import { t } from '../../texts/texts';
import { foesOf } from '../input/danger';

/** See above. */
export class Hitters {
  private known = new Map<string, string[]>();
  private found: Position | null = null;

  /** Knows nothing yet. */
  constructor(private readonly table: Table) {}

  /** What is said of a cell. */
  at(x: number, y: number): string[] {
    const names = this.known.get(`${x},${y}`);
    return names ? [t('board.hitBy', { units: names.join(', ') })] : [];
  }

  /** Follows the table while the keyboard is within `host`; `tell` is called when more is known. Returns how to stop. */
  follow(host: HTMLElement, tell: () => void): () => void {
    const look = () => {
      const position = this.table.position.peek();
      if (position && position !== this.found && host.contains(document.activeElement)) void this.find(position, tell);
    };
    const stop = effect(() => {
      if (this.table.position.value !== this.found) this.known = new Map();
      look();
    });
    host.addEventListener('focusin', look);
    return () => {
      stop();
      host.removeEventListener('focusin', look);
    };
  }

  /** Asks the engine of each enemy where it can hit. */
  private async find(position: Position, tell: () => void): Promise<void> {
    this.found = position;
    const { board, you } = position;
    const own = board.tokens.filter(({ place, seat }) => place === 'board' && seat !== null && seat === you);
    const known = new Map<string, string[]>();
    for (const { unit } of position.result ? [] : foesOf(position)) {
      const threat = await this.table.threat(unit).catch(() => null);
      if (position !== this.table.position.peek()) return;
      for (const { x = 0, y = 0 } of own)
        if ((threat?.[y * board.width + x] ?? 0) !== 0) known.set(`${x},${y}`, [...(known.get(`${x},${y}`) ?? []), unitLabel(board, unit)]);
    }
    this.known = known;
    tell();
  }
}

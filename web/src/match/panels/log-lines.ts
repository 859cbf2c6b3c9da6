/* log-lines.ts -- the log for people: lines sorted into kinds, filtered, with rounds as headings. */
import type { LogLine } from '../../table/table';

/** What a line is about. */
export type LineKind = 'fight' | 'move' | 'turn' | 'thing' | 'table' | 'detail';

/** All kinds, in the order of the filter. */
export const lineKinds: LineKind[] = ['fight', 'thing', 'move', 'turn', 'table', 'detail'];

const kinds: Record<string, LineKind> = {
  attacked: 'fight',
  missed: 'fight',
  hurt: 'fight',
  healed: 'fight',
  died: 'fight',
  revived: 'fight',
  fought: 'fight',
  used: 'fight',
  'effect-began': 'fight',
  'effect-ended': 'fight',
  revealed: 'thing',
  spoke: 'thing',
  'item-appeared': 'thing',
  'item-taken': 'thing',
  'item-dropped': 'thing',
  'item-given': 'thing',
  chosen: 'thing',
  ready: 'thing',
  moved: 'move',
  swapped: 'move',
  teleported: 'move',
  blocked: 'move',
  appeared: 'move',
  vanished: 'move',
  placed: 'detail',
  'ground-hurt': 'fight',
  'ground-changed': 'fight',
  changed: 'detail',
  'order-set': 'detail',
  'turn-ended': 'detail',
  'turn-began': 'turn',
  'round-began': 'turn',
  'phase-began': 'turn',
  'match-began': 'turn',
};

/** What a line is about; remarks of the table and what is not known count as `table`. */
export function lineKind(line: LogLine): LineKind {
  return line.event ? (kinds[line.event.kind] ?? 'table') : 'table';
}

/** A line as it is drawn. */
export interface ShownLine {
  text: string;
  kind: LineKind;
  /** A line that begins something new. */
  heading: boolean;
  /** Something that matters: a knock-out, the end. */
  strong: boolean;
  /** What came of the action in the line above. */
  minor: boolean;
  /** The number of the position it came with. */
  number: number;
  key: number;
}

const strong = new Set(['died', 'match-ended', 'revealed', 'item-taken', 'spoke']);

/** Does a line tell what came of the one before? The first line of an action, or behind the beginning of a turn, is what was done;
 * all others of the same position came of it. Of choices made in one step none came of another. */
function isMinor(log: LogLine[], at: number): boolean {
  const line = log[at] as LogLine;
  if (!line.event || lineKind(line) === 'turn' || line.event.kind === 'chosen' || line.event.kind === 'ready') return false;
  for (let before = at - 1; before >= 0; before--) {
    const other = log[before] as LogLine;
    if (other.number !== line.number || !other.event || lineKind(other) === 'turn') return false;
    if (lineKind(other) !== 'detail') return true;
  }
  return false;
}

/** The newest `most` lines of the kinds that are on, oldest first. */
export function shownLines(log: LogLine[], on: ReadonlySet<LineKind>, most = 200): ShownLine[] {
  const shown: ShownLine[] = [];
  for (let at = log.length - 1; at >= 0 && shown.length < most; at--) {
    const line = log[at] as LogLine;
    const kind = lineKind(line);
    const heading = line.event?.kind === 'round-began' || line.event?.kind === 'match-began';
    if (!heading && !on.has(kind)) continue;
    shown.push({
      text: line.text,
      kind,
      heading,
      strong: strong.has(line.event?.kind ?? ''),
      minor: isMinor(log, at),
      number: line.number,
      key: at,
    });
  }
  return shown.reverse();
}

/** The whole log as a text file. */
export function logText(title: string, log: LogLine[]): string {
  return [title, '', ...log.map(({ text }) => text)].join('\n') + '\n';
}

/* mine.ts -- every match that was finished on this device, kept in the browser: against the computer, at one device, and online. */
import { effect } from '@preact/signals';
import { matchFile, tableRow } from './arena/lists';
import { allSeats, dropSeat, type HeldSeat } from './arena/seats';
import { Engine } from './engine/engine';
import type { Board, Seat } from './model';
import type { Review } from './report/review';
import type { Table } from './table/table';

/** A match that was finished here. */
export interface MyMatch {
  /** Grows with time; the key. */
  ended_ms: number;
  kind: 'online' | 'local';
  game: string;
  /** The code on the server; empty on this device. */
  code: string;
  players: [string, string];
  /** One's own seat; null: both were played here. */
  you: Seat | null;
  winner: Seat | null;
  actions: number;
  /** The board at the end. */
  board: Board;
  /** The match file. */
  file: string;
  /** Its report, once it was made. */
  report?: Review;
}

const DATABASE = 'mashup', STORE = 'matches';
/** So many are kept; the oldest go first. */
const MATCHES_MAX = 500;

/** Opens the browser's database. */
function open(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'ended_ms' });
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error('no database'));
  });
}

/** Does something with the kept matches and waits until it is done. */
async function use<T>(mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise((done, failed) => {
      const transaction = database.transaction(STORE, mode);
      const request = what(transaction.objectStore(STORE));
      transaction.oncomplete = () => done(request.result);
      transaction.onabort = () => failed(transaction.error ?? new Error('not kept'));
    });
  } finally {
    database.close();
  }
}

/** All kept matches, the newest first. */
export async function myMatches(): Promise<MyMatch[]> {
  return ((await use('readonly', (store) => store.getAll())) as MyMatch[]).reverse();
}

/** Forgets one. */
export async function dropMyMatch(ended_ms: number): Promise<void> {
  await use('readwrite', (store) => store.delete(ended_ms));
}

/** The kept match of this file; undefined: none. */
export async function matchOfFile(file: string): Promise<MyMatch | undefined> {
  return (await myMatches()).find((match) => match.file === file);
}

/** Keeps a report with its match, if that is kept here. */
export async function keepReport(file: string, report: Review): Promise<void> {
  const match = await matchOfFile(file);
  if (match) await use('readwrite', (store) => store.put({ ...match, report }));
}

/** The table's match, if it is over and was played by somebody here. */
async function recordOf(table: Table): Promise<MyMatch | null> {
  const { value: position } = table.position;
  const { value: result } = table.result;
  const file = await table.file().catch(() => null);
  if (!position || !result || file === null || table.kind === 'replay') return null;
  const { game, code } = table.about.value;
  const people = table.players.value.filter(({ role }) => role !== 'ai').length;
  const here = table.kind === 'local' && people === 2 ? null : table.you.value;
  const { actions } = JSON.parse(file) as { actions?: unknown[] };
  return {
    ended_ms: Date.now(), kind: table.kind, game, code, you: here, winner: result.winner, actions: actions?.length ?? 0, board: position.board, file,
    players: [table.players.value[0].name ?? '', table.players.value[1].name ?? ''],
  };
}

/** Keeps the table's match when it is over, also for who comes back and finds it over. Watchers keep nothing; a browser without a
 * database keeps nothing either. */
export function keepWhenOver(table: Table): void {
  const watching = () => table.kind === 'online' && table.you.value === null;
  if (table.kind === 'replay' || table.lesson || table.puzzle || (table.kind === 'local' && table.state.value === 'over')) return;
  const stop = effect(() => {
    if (table.state.value !== 'over' || table.result.value === null) return;
    queueMicrotask(() => stop());
    if (!watching()) void keepNow(() => recordOf(table)).catch(() => undefined);
  });
}

/** A match of the server that ended while the person was away or had left, read from its file. */
async function recordOfSeat({ code, game, seat }: HeldSeat): Promise<MyMatch | null> {
  const file = await matchFile(code);
  const engine = new Engine();
  try {
    const opened = await engine.call('open', { name: `${code}.json`, text: file });
    if ('problems' in opened) return null;
    await engine.call('goto', { count: opened.length });
    const { board, result } = await engine.call('see', { eyes: seat ?? 'watcher' });
    const { actions, players } = JSON.parse(file) as { actions?: unknown[]; players?: [string, string] };
    return {
      ended_ms: Date.now(), kind: 'online', game, code, you: seat ?? null, winner: result?.winner ?? null, actions: actions?.length ?? 0, board, file,
      players: players ?? ['', ''],
    };
  } finally {
    engine.close();
  }
}

/** Asks the server about the seats held here. A match that is over is kept, and its seat is not held any more. Returns those that ended
 * while the person was away. `unknown` gathers the codes about which the server said nothing: they stay, and are not asked for again. */
export async function settleSeats(unknown: Set<string>): Promise<HeldSeat[]> {
  const ended: HeldSeat[] = [];
  for (const seat of allSeats().filter(({ code }) => !unknown.has(code)))
    try {
      if ((await tableRow(seat.code)) !== null) continue;
      await keepNow(() => recordOfSeat(seat)).catch(() => undefined);
      /* Another look may have been faster. */
      if (!seat.left && allSeats().some(({ code }) => code === seat.code)) ended.push(seat);
      dropSeat(seat.code);
    } catch {
      unknown.add(seat.code);
    }
  return ended;
}

/** What is being kept; one after the other, so that no match is kept twice. */
let keeping: Promise<void> = Promise.resolve();

/** Keeps a match now. */
function keepNow(record: () => Promise<MyMatch | null>): Promise<void> {
  const kept = keeping.then(() => put(record));
  keeping = kept.catch(() => undefined);
  return kept;
}

/** Writes a match down, unless it is kept already, and lets the oldest go. */
async function put(record: () => Promise<MyMatch | null>): Promise<void> {
  const match = await record();
  if (!match || (match.code !== '' && (await myMatches()).some(({ code }) => code === match.code))) return;
  await use('readwrite', (store) => store.put(match));
  const keys = (await use('readonly', (store) => store.getAllKeys())) as number[];
  for (const key of keys.slice(0, Math.max(0, keys.length - MATCHES_MAX))) await dropMyMatch(key);
}

/* session.ts -- the table at which the person of this page is, and how to come to one. */
import { batch, effect, signal } from '@preact/signals';
import { ServerError } from './arena/link';
import { matchFile } from './arena/lists';
import type { EntryRequest } from './arena/messages';
import { dropSeat } from './arena/seats';
import { ProblemsError } from './engine/calls';
import { allGames, levelsOf } from './engine/engine';
import { gamePage } from './games';
import { storyBefore } from './intro/before';
import { keepWhenOver } from './mine';
import { go, replace, route } from './router';
import { ownName, settings } from './settings';
import type { LocalMatchConfig } from './table/local';
import { entryOf, openOnline } from './table/online';
import type { Table } from './table/table';
import { answerWords } from './texts/answers';
import { t } from './texts/texts';
import { lookAtTurns } from './turns';

/** The table that is shown, if any. */
export const current = signal<Table | null>(null);

/** A table at which the person waits for an opponent while elsewhere on the page, as in a match with the computer. */
export const waitingAt = signal<Table | null>(null);

/** The running match that was left for another screen, by the browser's button for going back as well: the other waits there. */
export const leftRunning = signal<{ code: string; title: string } | null>(null);

/** The code of the finished match that is replayed; empty: a file. */
export const replayed = signal('');

const LOCAL_KEY = 'mashup.local';
const KEEP_AFTER_MS = 200;
/** So long after a match over days was left its turns are asked for again. */
const LOOK_AFTER_MS = 300;

/** A match on this device that was not finished. */
export interface SavedLocalMatch {
  wish: LocalMatchConfig;
  text: string;
}

/** The match on this device that was not finished when the page was closed; null: none. `tab`: that of this tab first, in which nobody
 * need have done anything yet. */
export function savedLocalMatch(tab = false): SavedLocalMatch | null {
  try {
    const text = (tab && sessionStorage.getItem(LOCAL_KEY)) || localStorage.getItem(LOCAL_KEY);
    return JSON.parse(text ?? 'null') as SavedLocalMatch | null;
  } catch {
    return null;
  }
}

/** Forgets it. */
export function dropSavedLocalMatch(): void {
  localStorage.removeItem(LOCAL_KEY);
}

/** Writes a match on this device down after each action, so that a reload does not lose it. Until a person has done something it is
 * kept for a reload of this tab only: nobody wants to go on with it later, and it must not take the place of one that was played. */
function keep(table: Table, config: LocalMatchConfig): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let kept = 0;
  let played = config.sitters.every((sitter) => 'level' in sitter);
  sessionStorage.removeItem(LOCAL_KEY);
  const write = async () => {
    timer = undefined;
    kept = Date.now();
    if (current.value !== table) return;
    /* A person's own step can always be undone here. */
    played ||= table.undoable.value === 'ok';
    const store = played ? localStorage : sessionStorage;
    if (table.state.value === 'over') return store.removeItem(LOCAL_KEY);
    const text = await table.file().catch(() => null);
    const { from: _, ...rest } = config;
    if (text === null || current.value !== table) return;
    if (played) sessionStorage.removeItem(LOCAL_KEY);
    store.setItem(LOCAL_KEY, JSON.stringify({ wish: rest, text }));
  };
  /* At once, and then not too often: who reloads right after an action finds the match again. */
  const soon = () => {
    timer ??= setTimeout(() => void write(), Math.max(0, kept + KEEP_AFTER_MS - Date.now()));
  };
  table.onPosition(soon);
  soon();
}

/** Shows a table; the one before is closed. `code` is that of a replayed match in the archive. */
export function openTable(table: Table, code = table.about.value.code): void {
  const before = current.value;
  const { config } = table;
  if (before && before !== table && before !== waitingAt.value) before.close();
  table.setTips(settings.tips.value && table.kind !== 'replay' && !table.lesson && !table.puzzle);
  /* Table and address change together: a screen at the old address would look for the old table again, find it over, and open its replay. */
  batch(() => {
    current.value = table;
    leftRunning.value = null;
    replayed.value = table.kind === 'replay' ? code : '';
    if (table.lesson) go('learn', table.about.value.game);
    else if (table.puzzle) go('puzzle', ...table.puzzle.address);
    else if (table.kind === 'replay') go('replay', ...(code ? [code] : []));
    /* Who goes back from a match comes to where they were before the invitation, which has become of no use. */
    else if (code) (route.value[0] === 'join' ? replace : go)('table', code);
    else go('match');
  });
  if (config) keep(table, config);
  keepWhenOver(table);
}

/** Opens a match on this device; what plays it comes with a later load. */
async function openOnDevice(config: LocalMatchConfig): Promise<Table> {
  return (await import('./table/local')).openLocal(config);
}

/** Opens a match file; what replays it comes with a later load. */
async function openFile(name: string, text: string): Promise<Table> {
  return (await import('./table/replay')).openReplay(name, text);
}

/** Plays on this device. */
export async function playLocal(config: LocalMatchConfig): Promise<void> {
  if (!config.from) await storyBefore(config.game);
  openTable(await openOnDevice(config));
}

/** Opens the lesson of a game. */
export async function playLesson(game: string): Promise<void> {
  const lesson = await gamePage(game)?.lesson?.();
  if (!lesson) throw new Error(t('lesson.none'));
  const title = (await allGames()).find(({ id }) => id === game)?.title ?? game;
  const { openLesson } = await import('./table/lesson');
  openTable(await openLesson(game, title, lesson.default));
}

/** Plays a first real match, against the weakest program. */
export function playAfterLesson(game: string, title: string, preset?: string): Promise<void> {
  const me = { name: ownName() || t('name.person', { n: 1 }) };
  return playLocal({ game, title, ...(preset ? { preset } : {}), options: {}, sitters: [me, { name: t('name.program', { n: 1 }), level: 1 }] });
}

/** Plays the computer while the table that is shown waits for an opponent; when one comes, that table is shown again. An opponent who
 * comes before the match with the computer is there has it closed unseen. */
export async function playMeanwhile(level: number): Promise<void> {
  const table = current.value;
  if (!table || table.state.value !== 'waiting') return;
  const { game, title, preset, options } = table.about.value;
  const me = { name: ownName() || t('name.person', { n: 1 }) };
  const strength = Math.min(level, await levelsOf(game));
  const program = { name: t('name.program', { n: strength }), level: strength };
  const local = await openOnDevice({ game, title, ...(preset ? { preset } : {}), options, sitters: [me, program] });
  if (current.value !== table || table.state.value !== 'waiting') return local.close();
  waitingAt.value = table;
  openTable(local);
}

/** Goes elsewhere on the page. Who waited for an opponent still does: when one comes, the table is shown again. */
export function leaveForNow(): void {
  const table = current.value;
  if (table?.state.value !== 'waiting' || table.connection.value.state === 'gone') return closeTable();
  waitingAt.value = table;
  current.value = null;
}

/** Shows the table of this code at which somebody waits here already; false: there is none. */
export function backToWaiting(code: string): boolean {
  const table = waitingAt.value;
  if (table?.about.value.code !== code) return false;
  waitingAt.value = null;
  openTable(table);
  return true;
}

/** Waits no more. */
export function stopWaiting(): void {
  waitingAt.value?.leave();
  waitingAt.value = null;
}

/* An opponent has come, or the table is gone. The match on this device is kept if something was done in it. */
effect(() => {
  const table = waitingAt.value;
  if (!table) return;
  const gone = table.connection.value.state === 'gone';
  if (!gone && table.state.value === 'waiting') return;
  waitingAt.value = null;
  openTable(table);
});

/** Takes up the match on this device that was not finished; `tab`: see savedLocalMatch. */
export async function resumeLocal(tab = false): Promise<void> {
  const match = savedLocalMatch(tab);
  if (!match) return;
  const at = (JSON.parse(match.text) as { actions: unknown[] }).actions.length;
  await playLocal({ ...match.wish, from: { text: match.text, at } });
}

/** Comes to a table of the server. Who joins or watches is there at once, without a story; who waits is seen by others at once and hears it
 * meanwhile. Somebody plays at one table: whoever waited at another does not any more. */
export async function playOnline(entry: EntryRequest): Promise<void> {
  if (entry.type !== 'watch') stopWaiting();
  const table = await openOnline(ownName() || t('name.guest'), entry);
  openTable(table);
  storyWhileWaiting(table);
}

/** Tells the story while the table waits for an opponent: a match that begins ends it, and so does who goes away from the table. */
function storyWhileWaiting(table: Table): void {
  if (table.state.value !== 'waiting') return;
  const end = new AbortController();
  const stop = effect(() => {
    if (table.state.value !== 'waiting' || current.value !== table) end.abort();
  });
  void storyBefore(table.about.value.game, end.signal).finally(stop);
}

/** Gives up a seat that is held here: a running match is lost. Goes to the table for it, so that the server knows it at once. */
export async function giveUp(code: string): Promise<void> {
  try {
    const table = await openOnline(ownName() || t('name.guest'), await entryOf(code));
    if (table.state.value === 'over') table.close();
    else table.leave();
  } catch (error) {
    if (!(error instanceof ServerError) || error.code !== 'refused') throw error;
    dropSeat(code);
  }
}

/** Comes to a table by its code: with the seat held here, else as a watcher; a match that is over is replayed. */
export async function playByCode(code: string): Promise<void> {
  const entry = await entryOf(code);
  try {
    await playOnline(entry);
  } catch (error) {
    if (!(error instanceof ServerError) || error.code !== 'refused') throw error;
    if (entry.type === 'return') dropSeat(code);
    await playArchived(code).catch(() => (entry.type === 'return' ? watchInstead(code, error) : Promise.reject(error)));
  }
}

/** Watches a match in which the seat is lost to somebody else, and says why. */
async function watchInstead(code: string, why: ServerError): Promise<void> {
  await playOnline({ type: 'watch', code }).catch(() => { throw why; });
  current.value?.tell(why.message);
}

/** Opens a match file. */
export async function playReplay(name: string, text: string): Promise<void> {
  openTable(await openFile(name, text));
}

/** Opens a finished match of the server, with the notes of a link if it has any. */
export async function playArchived(code: string, notes = ''): Promise<void> {
  const table = await openFile(`${code}.json`, await matchFile(code));
  if (notes !== '' && table.replay) table.replay.setNotes(await (await import('./table/notes')).unpackNotes(notes, table.replay.length));
  openTable(table, code);
}

/** Goes away from the table; a seat at the server can be taken up again unless it is given up. */
export function closeTable(giveUp = false): void {
  const table = current.value;
  current.value = null;
  if (giveUp) table?.leave();
  else table?.close();
  const { code, title, days } = table?.about.value ?? {};
  const awaited = !giveUp && table?.kind === 'online' && table.you.value !== null && table.state.value === 'running' && days === undefined;
  leftRunning.value = awaited && code && title ? { code, title } : null;
  if (table?.about.value.days !== undefined) setTimeout(() => void lookAtTurns(), LOOK_AFTER_MS);
}

/** What went wrong, as sentences. */
export function sentences(error: unknown): string[] {
  if (error instanceof ProblemsError && error.problems.length > 0)
    return error.problems.map((p) => `${p.document}${p.line ? `:${p.line}:${p.column}` : ''}: ${answerWords(p.reason)}`);
  return [error instanceof Error ? error.message : String(error)];
}

/* follow.ts -- the tournament that the person of this page plays in or looks at: one connection that stays while matches of it are
 * played, so that the next match opens by itself. */
import { effect, signal } from '@preact/signals';
import { ArenaConnection, ServerError, type ArenaListener } from '../arena/link';
import type { ServerMessage, TournamentEntry, TournamentMessage, TournamentOrder, TournamentPage, TournamentYou } from '../arena/messages';
import { notify } from '../notify';
import { route } from '../router';
import { current, playOnline } from '../session';
import { ownName } from '../settings';
import { shownName, t } from '../texts/texts';

/** How the tournament stands, when that was told, and what the person is in it; null: none is followed. */
export const followed = signal<TournamentMessage | null>(null);
export const toldAt = signal(0);
export const you = signal<TournamentYou | null>(null);
/** The token of who was put in place of another player, for the organiser to hand on. */
export const replacement = signal<TournamentYou | null>(null);
/** The connection is lost for now; or the tournament cannot be followed any more, and why. */
export const lost = signal(false);
export const gone = signal<string | null>(null);

const KEY = 'mashup.tournaments';
const TOKENS_MAX = 50;

/** A tournament of which this browser has a token. */
interface HeldToken {
  code: string;
  token: string;
}

/** All tokens that this browser holds, the newest first. */
function heldTokens(): HeldToken[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? (list as HeldToken[]) : [];
  } catch {
    return [];
  }
}

/** The token of a tournament that this browser holds. */
export function tokenOf(code: string): string | undefined {
  return heldTokens().find((one) => one.code === code)?.token;
}

/** Keeps a token. */
export function holdToken(code: string, token: string): void {
  localStorage.setItem(KEY, JSON.stringify([{ code, token }, ...heldTokens().filter((one) => one.code !== code)].slice(0, TOKENS_MAX)));
}

let connection: ArenaConnection | null = null;
/** The match that was opened last, so that it is opened once. */
let opened = '';
/** Who waits for a page of standings or pairings. */
let pages: ((page: TournamentPage) => void)[] = [];

/** How to find the tournament again. */
function entryOf(code: string): TournamentEntry {
  const token = tokenOf(code);
  return { type: 'tournament-watch', code, ...(token ? { token } : {}) };
}

/** Takes the seat of the match that is ready. */
export async function playNext(): Promise<void> {
  const now = you.value;
  if (!now?.seat_token || !now.table) return;
  opened = now.table;
  await playOnline({ type: 'return', token: now.seat_token });
}

/** Is the person where a match may open by itself: at the tournament, or at a match that is over or only watched? */
function mayOpen(code: string): boolean {
  const [where, what, how] = route.value;
  if (where === 'tournament') return what === code && how !== 'beamer';
  const table = current.value;
  return where === 'table' && table !== null && (table.state.value === 'over' || table.you.value === null);
}

/** Takes what the server tells. */
function take(message: ServerMessage): void {
  if (message.type === 'tournament') {
    toldAt.value = Date.now();
    followed.value = message;
  } else if (message.type === 'tournament-page') {
    for (const done of pages.splice(0)) done(message);
  } else if (message.type === 'tournament-you') {
    if (you.value && message.player !== undefined && message.token !== you.value.token && message.player !== you.value.player) {
      replacement.value = message;
      return;
    }
    holdToken(message.code, message.token);
    you.value = message;
    if (message.table === undefined || message.table === opened || current.value?.about.value.code === message.table) return;
    void notify(followed.value?.title ?? 'Mashup', t('tournament.ready', { name: shownName(message.opponent ?? '') }));
    if (mayOpen(message.code)) void playNext().catch(() => { opened = ''; });
  }
}

const listener: ArenaListener = {
  onMessage: take,
  lost: () => { lost.value = true; },
  back: () => { lost.value = false; },
  ended: (error: ServerError) => { gone.value = error.message; },
  entry: () => (followed.value ? entryOf(followed.value.code) : null),
};

/** Follows no tournament any more. */
export function unfollow(): void {
  connection?.close();
  connection = null;
  followed.value = you.value = replacement.value = null;
  lost.value = false;
  gone.value = null;
  opened = '';
}

/** Opens a connection and enters. */
async function enter(entry: TournamentEntry): Promise<void> {
  unfollow();
  const link = new ArenaConnection(ownName() || t('name.guest'), 'person');
  connection = link;
  link.listener = listener;
  try {
    await link.enter(entry);
  } catch (error) {
    link.close();
    if (connection === link) connection = null;
    throw error;
  }
}

/** Follows a tournament by its code, as whoever this browser is in it. */
export async function follow(code: string): Promise<void> {
  if (followed.value?.code === code && connection && gone.value === null) return;
  await enter(entryOf(code));
}

/** Creates a tournament; its code. */
export async function create(entry: TournamentEntry): Promise<string> {
  await enter(entry);
  return followed.value!.code;
}

/** Asks for something; throws the server's reason. */
async function ask(message: TournamentOrder | TournamentEntry | { type: 'tournament-leave' }): Promise<void> {
  const refusal = (await connection?.send(message)) ?? null;
  if (refusal !== null) throw new Error(refusal);
}

/** Joins under the name that the person has now, or is back. */
export async function join(code: string): Promise<void> {
  if (you.value?.player !== undefined) return ask({ type: 'tournament-join', code });
  if (!you.value?.organiser) return enter({ type: 'tournament-join', code });
  await enter(entryOf(code)); /* under the name of now */
  return ask({ type: 'tournament-join', code });
}

/** Leaves for now. */
export function leave(): Promise<void> {
  return ask({ type: 'tournament-leave' });
}

/** What the organiser orders. */
export function order(what: Omit<TournamentOrder, 'type' | 'code'>): Promise<void> {
  return ask({ type: 'tournament-manage', code: followed.value?.code ?? '', ...what });
}

/** All lines of the standings or of the pairings. */
export async function allLines<T extends 'standings' | 'pairings'>(what: T): Promise<NonNullable<TournamentPage[T]>> {
  const lines: unknown[] = [];
  for (;;) {
    const page = await new Promise<TournamentPage | null>((done) => {
      pages.push(done);
      void connection?.send({ type: 'tournament-page', code: followed.value?.code ?? '', what, from: lines.length }).then((refusal) => refusal !== null && done(null));
    });
    const more = page?.[what] ?? [];
    lines.push(...more);
    if (more.length === 0 || page === null || lines.length >= page.count) return lines as NonNullable<TournamentPage[T]>;
  }
}

/* A match of a tournament that this browser plays in was opened, as after a reload: the tournament is followed again. */
effect(() => {
  const code = current.value?.about.value.tournament;
  if (code && tokenOf(code) && followed.peek()?.code !== code) void follow(code).catch(() => {});
});

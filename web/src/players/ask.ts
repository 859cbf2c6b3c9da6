/* ask.ts -- what can be asked about the account of this device: each question has a connection of its own, which is closed when it is
 * answered. What only plain reading needs goes over HTTP. */
import { account, forgetAccount, keepAccount, newKey, takeAccount } from '../account';
import { ArenaConnection, ServerError } from '../arena/link';
import type { AccountRequest, Challenge, KeyMessage, NoticesMessage, NoticesRequest, RatingPace, RatingRow, Relation, RelationsMessage, ServerMessage, TurnsMessage } from '../arena/messages';
import { ownName } from '../settings';
import { answerWords } from '../texts/answers';
import { t } from '../texts/texts';

/** Asks one thing after the other; the server's last answer. Throws ServerError with its reason and code. */
async function ask(...requests: AccountRequest[]): Promise<ServerMessage> {
  const connection = new ArenaConnection(ownName() || t('name.guest'), 'person');
  let last: ServerMessage | undefined;
  try {
    await connection.connect();
    for (const request of requests) {
      const { reason, message } = await connection.request(request);
      if (reason !== null) throw new ServerError(reason, message?.type === 'refused' ? message.code : 'away');
      last = message;
    }
    return last!;
  } finally {
    connection.close();
  }
}

/** Asks something that is answered by the account. */
async function askAccount(request: AccountRequest, key = account.value?.key ?? ''): Promise<void> {
  const message = await ask(request);
  if (message.type === 'account') takeAccount(key, message);
}

/** Asks how the account stands. */
export function refresh(): Promise<void> {
  return askAccount({ type: 'profile' });
}

/** Takes a name: makes an account, or renames the one of this device. The secret is kept before it is sent: if the answer is lost, the name
 * is not. */
export async function claim(name: string): Promise<void> {
  const key = account.value?.key ?? newKey();
  keepAccount(key, account.value?.name ?? '');
  try {
    await askAccount({ type: 'claim', key, name }, key);
  } catch (error) {
    if (!(error instanceof ServerError) || error.code !== 'logged-in') throw error;
    await askAccount({ type: 'login', key }, key); /* an earlier claim was done, and nobody heard of it */
  }
}

/** Logs this device in, by a code of another device, by recovery words, or by name and password. Another account that it had is logged out
 * afterwards: nobody loses it by a wrong code. */
export async function enter(by: { code: string } | { name: string; password: string }): Promise<void> {
  const before = account.value;
  const key = newKey();
  await askAccount({ type: 'login', key, ...by }, key);
  if (before?.name) await ask({ type: 'login', key: before.key }, { type: 'logout' }).catch(() => undefined);
}

/** Asks for a key by which other devices come in; or, with a name, for a bot's account and its token. */
export async function makeKey(what: KeyMessage['what'], name?: string): Promise<KeyMessage> {
  const message = await ask({ type: 'key', what, ...(name === undefined ? {} : { name }) });
  if (message.type !== 'key') throw new ServerError(t('arena.version'), 'version', true);
  return message;
}

/** Sets a password; without one there is none any more. */
export function setPassword(password?: string): Promise<void> {
  return askAccount({ type: 'password', ...(password === undefined ? {} : { password }) });
}

/** Hides or shows the profile. */
export function setPrivate(hidden: boolean): Promise<void> {
  return askAccount({ type: 'profile', private: hidden });
}

/** Logs this device out, or all others. */
export async function logOut(others: boolean): Promise<void> {
  await ask({ type: 'logout', others });
  if (others) return refresh();
  forgetAccount();
}

/** Deletes the account; its name says that nobody does it by mistake. */
export async function deleteAccount(name: string): Promise<void> {
  await ask({ type: 'delete', name });
  forgetAccount();
}

/** Asks for the matches over days and the vacation; with a number of days begins one, 0 ends it. */
export async function askVacation(days?: number): Promise<TurnsMessage> {
  const message = await ask(days === undefined ? { type: 'turns' } : { type: 'vacation', days });
  if (message.type !== 'turns') throw new ServerError(t('arena.version'), 'version', true);
  return message;
}

/** Asks where one is told of one's turns, or changes it. */
export async function askNotices(request: NoticesRequest = {}): Promise<NoticesMessage> {
  const message = await ask({ type: 'notices', ...request });
  if (message.type !== 'notices') throw new ServerError(t('arena.version'), 'version', true);
  return message;
}

/** Follows or blocks somebody, or neither any more; without anything asks whom one does. */
export async function askRelations(what?: Relation, name?: string): Promise<RelationsMessage> {
  const message = await ask({ type: 'relations', ...(what && name ? { what, name } : {}) });
  if (message.type !== 'relations') throw new ServerError(t('arena.version'), 'version', true);
  return message;
}

/** Who challenges one, and whom one does. */
export async function askChallenges(): Promise<Challenge[]> {
  const message = await ask({ type: 'challenges' });
  return message.type === 'challenges' ? message.challenges : [];
}

/** Declines a challenge, or takes one's own back. */
export async function decline(code: string): Promise<void> {
  await ask({ type: 'decline', code });
}

/** Tells the operators about a match. */
export async function report(code: string, reason: string): Promise<void> {
  await ask({ type: 'report', code, reason });
}

/** Fetches from the API; throws a sentence for the person. `null`: it is not there. */
async function get(path: string): Promise<Response | null> {
  const key = account.value?.name ? account.value.key : null;
  let answer: Response;
  try {
    answer = await fetch(`/api/v1/${path}`, { cache: 'no-store', ...(key === null ? {} : { headers: { Authorization: `Bearer ${key}` } }) });
  } catch {
    throw new Error(t('arena.notNow'));
  }
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(answerWords(((await answer.json().catch(() => ({}))) as { error?: string }).error ?? '') || t('arena.answered', { status: answer.status }));
  return answer;
}

/** Everything that the server keeps of the account, as a file. */
export async function downloadData(): Promise<void> {
  const answer = await get('export');
  if (!answer) throw new Error(t('arena.answered', { status: 404 }));
  saveFile(`mashup-${account.value?.name ?? ''}.json`, await answer.blob());
}

/** Hands a file to the browser to keep. */
export function saveFile(name: string, bytes: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A rating with all that is counted beside it. */
export interface ProfileRating extends RatingRow {
  deviation?: number;
  /** Wins in a row until now, below 0: losses; and the most wins in a row ever. */
  streak: number;
  best_streak: number;
}

/** Somebody's profile. */
export interface Profile {
  name: string;
  program: boolean;
  private: boolean;
  since_ms: number;
  /** Matches to which the player did not come back, in the last 30 days. */
  left: number;
  ratings: ProfileRating[];
}

/** A match in somebody's history. */
export interface PlayedMatch {
  code: string;
  game: string;
  pace?: RatingPace;
  ended_ms: number;
  seat: 0 | 1;
  result: 'won' | 'drawn' | 'lost';
  rated: boolean;
  weight?: number;
  rating?: number;
  change?: number;
  /** Null: a player whose account was deleted. */
  opponent: string | null;
  opponent_account: boolean;
}

/** A page of them, and where the next begins. */
export interface PlayedPage {
  matches: PlayedMatch[];
  last?: { after_ms: number; after: string };
}

/** A line of the leaderboard. */
export interface Leader extends Omit<ProfileRating, 'game' | 'pace'> {
  rank: number;
  name: string;
  rating: number;
}

/** Somebody's profile; null: nobody has the name, or it is private. */
export async function profileOf(name: string): Promise<Profile | null> {
  return ((await (await get(`players/${encodeURIComponent(name)}`))?.json()) as Profile | undefined) ?? null;
}

/** A page of somebody's matches, the newest first. */
export async function matchesOf(name: string, game: string, last?: PlayedPage['last']): Promise<PlayedPage> {
  const query = new URLSearchParams({ ...(game ? { game } : {}), ...(last ? { after_ms: String(last.after_ms), after: last.after } : {}) });
  return ((await (await get(`players/${encodeURIComponent(name)}/matches?${query}`))?.json()) as PlayedPage | undefined) ?? { matches: [] };
}

/** A rating over time: when and how much, the oldest first. */
export async function curveOf(name: string, game: string, pace: RatingPace): Promise<[number, number][]> {
  const query = new URLSearchParams({ game, pace });
  const answer = (await (await get(`players/${encodeURIComponent(name)}/ratings?${query}`))?.json()) as { points: [number, number][] } | undefined;
  return answer?.points.reverse() ?? [];
}

/** The best players of a game at a pace. */
export async function leaders(game: string, pace: RatingPace, programs: boolean): Promise<Leader[]> {
  const query = new URLSearchParams({ game, pace, ...(programs ? { programs: '1' } : {}) });
  return ((await (await get(`leaderboard?${query}`))?.json()) as { players: Leader[] } | undefined)?.players ?? [];
}

/** What became of the matches that somebody began alike: kinds that were drafted, joined by +, or the first action in words. */
export interface Opening {
  opening: string;
  wins: number;
  draws: number;
  losses: number;
}

/** How somebody began the last matches of a game, the most frequent first. */
export async function openingsOf(name: string, game: string): Promise<Opening[]> {
  const query = new URLSearchParams({ game });
  return ((await (await get(`players/${encodeURIComponent(name)}/openings?${query}`))?.json()) as { openings: Opening[] } | undefined)?.openings ?? [];
}

/* messages.ts -- the messages of the arena that the page hears and says; docs/protocol.md has all of them. */
import type { Action, Clocks, Document, Player, Position, Seat } from '../model';

/** Times and rules of a table that is wished; what is left out is usual. */
export interface MatchRequest {
  game: string;
  preset?: string;
  options?: Record<string, number>;
  turn_ms?: number;
  match_ms?: number;
  bank_ms?: number;
  increment_ms?: number;
  pause_ms?: number;
  silence_ms?: number;
  /** Two matches, the second with sides changed. */
  pair?: boolean;
  /** False: nobody at the table gets tips before the match is over. */
  tips?: boolean;
  /** It counts for ratings: both need accounts. */
  rated?: boolean;
  /** So many days for each turn, instead of all times: both need accounts. */
  days?: number;
}

/** A table of one's own. */
export interface OpenRequest extends MatchRequest {
  documents?: Document[];
  seat?: Seat | null;
  opponent?: 'guest' | 'ai';
  level?: number;
  secret?: boolean;
  glass?: boolean;
  /** Nothing but phrases in the chat. */
  phrases?: boolean;
  /** The name of an account: only that player may join, and is told. */
  challenge?: string;
  /** The first actions of a match that is over, as base64, and its seed: the new match goes on from there. */
  begun?: string;
  seed?: string;
}

/** Phrases that each reads in their own language. */
export const PHRASES = ['hello', 'good-luck', 'have-fun', 'well-played', 'nice-move', 'lucky', 'oops', 'sorry', 'one-moment', 'i-am-back', 'thanks', 'goodbye'] as const;
/** The id of one. */
export type Phrase = (typeof PHRASES)[number];

/** What becomes of a match whose other player did not come back. */
export type LeaverChoice = 'win' | 'draw' | 'ai';

/** How to come to a table. */
export type EntryRequest =
  | ({ type: 'seek' } & MatchRequest)
  | ({ type: 'open' } & OpenRequest)
  | { type: 'join'; code: string }
  | { type: 'return'; token: string }
  | { type: 'return'; code: string }
  | { type: 'watch'; code: string };

/** The kinds of tournament. */
export type TournamentKind = 'arena' | 'swiss' | 'round-robin' | 'knock-out';

/** How to come to a tournament. */
export type TournamentEntry =
  | ({ type: 'tournament-create'; title: string; kind: TournamentKind; minutes?: number; rounds?: number; free?: boolean; start_in?: number; secret?: boolean } & MatchRequest)
  | { type: 'tournament-watch'; code: string; token?: string }
  | { type: 'tournament-join'; code: string };

/** What an organiser orders. */
export interface TournamentOrder {
  type: 'tournament-manage';
  code: string;
  what: 'start' | 'pause' | 'continue' | 'end' | 'remove' | 'replace' | 'adjust' | 'result';
  player?: number;
  points?: number;
  name?: string;
  table?: string;
  score?: TournamentScore;
}

/** What somebody is to be from now on. */
export type Relation = 'follow' | 'unfollow' | 'block' | 'unblock';

/** Where one wants to be told of one's turns in matches over days; nothing: only asks. */
export interface NoticesRequest {
  webhook?: string;
  webhook_off?: true;
  push?: string;
  push_key?: string;
  push_auth?: string;
  push_off?: true;
  test?: true;
}

/** What is asked about an account. */
export type AccountRequest =
  | { type: 'login'; key: string; code?: string; name?: string; password?: string }
  | { type: 'claim'; key: string; name: string }
  | { type: 'key'; what: KeyMessage['what']; name?: string }
  | { type: 'password'; password?: string }
  | { type: 'profile'; private?: boolean }
  | { type: 'logout'; others?: boolean }
  | { type: 'turns' }
  | { type: 'vacation'; days: number }
  | ({ type: 'notices' } & NoticesRequest)
  | { type: 'relations'; what?: Relation; name?: string }
  | { type: 'challenges' }
  | { type: 'decline'; code: string }
  | { type: 'report'; code: string; reason: string }
  | { type: 'delete'; name: string };

/** The paces that ratings are kept by, the fastest first. */
export const RATING_PACES = ['blitz', 'rapid', 'relaxed', 'days'] as const;
/** One of them. */
export type RatingPace = (typeof RATING_PACES)[number];

/** How somebody plays a game at a pace. */
export interface RatingRow {
  game: string;
  pace: RatingPace;
  /** Left out: no match was rated yet. */
  rating?: number;
  provisional?: boolean;
  rated: number;
  wins: number;
  draws: number;
  losses: number;
}

/** The account that one is logged in to. */
export interface AccountMessage {
  type: 'account';
  to: string;
  id?: number;
  name: string;
  private: boolean;
  password: boolean;
  recovery: boolean;
  devices: number;
  ratings: RatingRow[];
}

/** A key by which another device comes in, or the token of a bot. */
export interface KeyMessage {
  type: 'key';
  to: string;
  id?: number;
  what: 'device' | 'recovery' | 'bot';
  key: string;
  left_ms?: number;
}

/** One's matches over days, and one's vacation. */
export interface TurnsMessage {
  type: 'turns';
  to: string;
  id?: number;
  turns: { code: string; yours: boolean }[];
  /** Seconds of it that are left; left out: one is on none. */
  vacation_s?: number;
  /** Days of it that are left this year. */
  vacation_days: number;
}

/** Where one is told of one's turns. */
export interface NoticesMessage {
  type: 'notices';
  to: string;
  id?: number;
  webhook?: string;
  /** How many browsers are pushed to. */
  browsers: number;
  /** The server's key for subscriptions; left out: it does not push. */
  push_key?: string;
  /** What became of a test: `sent`, or what is wrong. */
  test?: string;
}

/** Whom one follows and blocks. */
export interface RelationsMessage {
  type: 'relations';
  to: string;
  id?: number;
  follows: { name: string; here: boolean }[];
  blocks: { name: string; here: boolean }[];
  /** Accounts of one's own programs. */
  bots: { name: string; here: boolean }[];
}

/** A table that waits for one player. */
export interface Challenge {
  code: string;
  game: string;
  name: string;
  /** One is challenged; else one challenges. */
  yours: boolean;
  days?: number;
  rated?: boolean;
}

/** Challenges, the newest first. */
export interface ChallengesMessage {
  type: 'challenges';
  to?: string;
  id?: number;
  challenges: Challenge[];
}

/** What a rated match did to both ratings. */
export interface RatedMessage {
  type: 'rated';
  code: string;
  /** How much it counted, in percent. */
  weight: number;
  players: { seat: Seat; rating: number; change: number; provisional: boolean }[];
}

/** Anything that is said to the server. */
export type ClientMessage =
  | EntryRequest
  | TournamentEntry
  | TournamentOrder
  | { type: 'tournament-page'; code: string; what: 'standings' | 'pairings'; from: number }
  | { type: 'tournament-leave' }
  | { type: 'tournaments' }
  | ({ type: 'act'; position: number } & Omit<Action, 'id' | 'name' | 'word'>)
  | { type: 'acts'; position: number; actions: string[] }
  | { type: 'draw' | 'takeback'; what: 'offer' | 'accept' | 'decline' }
  | { type: 'leaver'; what: LeaverChoice }
  | { type: 'undo'; position: number }
  | { type: 'prepare'; when?: string; actions?: string[] }
  | { type: 'chat'; text: string }
  | { type: 'chat'; phrase: Phrase }
  | { type: 'resign' | 'pause' | 'continue' | 'rematch' | 'here' | 'leave' };

/** Turns that were left with the server in a match over days, or what has become of one. */
export interface PreparedMessage {
  type: 'prepared';
  code: string;
  what: 'kept' | 'done' | 'stopped' | 'unfit';
  /** `when`: only if the other side does this. */
  branches: { when?: string; actions: string[] }[];
  /** How many entries were done, and the one at which it stopped. */
  done?: number;
  action?: string;
}

/** Everything about a table that does not change from move to move. */
export interface TableMessage {
  type: 'table';
  code: string;
  you: Seat | null;
  token?: string;
  state: 'waiting' | 'running' | 'over';
  game: string;
  version: number;
  preset?: string;
  documents?: Document[];
  content: string;
  options: Record<string, number>;
  turn_ms: number;
  match_ms: number;
  pause_ms: number;
  silence_ms: number;
  grace_ms: number;
  secret: boolean;
  glass: boolean;
  /** False: no tips before the match is over; omitted: they are allowed. */
  tips?: boolean;
  rated?: boolean;
  days?: number;
  /** Nothing but phrases in the chat. */
  phrases?: boolean;
  /** It goes on from this turn of another match. */
  from_turn?: number;
  leg?: 1 | 2;
  first?: Seat | null;
  /** The code of the tournament that the match belongs to. */
  tournament?: string;
  watchers: number;
  players: [Player, Player];
}

/** A position as engine bytes. */
export interface PositionMessage extends Omit<Position, 'board' | 'actions' | 'events' | 'seen'> {
  type: 'position';
  /** The request that this answers. */
  id?: number;
  /** Whether one's own last step can be undone: `ok`, or why not. */
  undo?: string;
  view: string;
  happened: string;
}

/** What has happened at the table so far. */
export interface HistoryMessage {
  type: 'history';
  code: string;
  /** The events of each step that could be seen, as engine bytes. */
  steps: { happened: string }[];
  chat: { name: string; seat: Seat | null; text: string; phrase?: Phrase }[];
}

/** A request was refused. */
export interface RefusedMessage {
  type: 'refused';
  to?: string;
  id?: number;
  code: string;
  reason: string;
  offence: boolean;
  strikes: number;
}

/** How a match of a tournament ended. */
export type TournamentScore = 'first' | 'second' | 'draw' | 'none';

/** A tournament in the list. */
export interface TournamentHead {
  code: string;
  title: string;
  kind: TournamentKind;
  state: 'waiting' | 'running' | 'paused' | 'over';
  game: string;
  preset?: string;
  turn_ms: number;
  match_ms: number;
  bank_ms?: number;
  increment_ms?: number;
  players: number;
  round: number;
  rounds?: number;
  starts_in?: number;
  ends_in?: number;
}

/** A line of the standings. */
export interface Standing {
  player: number;
  name: string;
  role: string;
  /** The name is that of an account. */
  account?: boolean;
  rank: number;
  points: number;
  played: number;
  wins: number;
  buchholz?: number;
  sonneborn_berger?: number;
  streak?: number;
  here: boolean;
  away?: boolean;
  removed?: boolean;
  table?: string;
}

/** Two who meet, or a bye. */
export interface TournamentPairing {
  round: number;
  players: number[];
  names: string[];
  table?: string;
  score?: TournamentScore;
  forfeit?: boolean;
}

/** How a tournament stands. */
export interface TournamentMessage extends TournamentHead {
  type: 'tournament';
  here: number;
  playing: number;
  pairings: number;
  free: boolean;
  pair: boolean;
  secret: boolean;
  next_in?: number;
  standings: Standing[];
  boards: TournamentPairing[];
}

/** What one is in a tournament. */
export interface TournamentYou {
  type: 'tournament-you';
  code: string;
  token: string;
  organiser: boolean;
  player?: number;
  away?: boolean;
  table?: string;
  seat_token?: string;
  opponent?: string;
  round?: number;
  bye?: number;
}

/** A page of standings or pairings. */
export interface TournamentPage {
  type: 'tournament-page';
  code: string;
  id?: number;
  count: number;
  standings?: Standing[];
  pairings?: TournamentPairing[];
}

/** Anything that the server says. */
export type ServerMessage =
  | { type: 'tournaments'; tournaments: TournamentHead[] }
  | TournamentMessage
  | TournamentYou
  | TournamentPage
  | { type: 'welcome'; protocol: number; server: string; name: string }
  | { type: 'done'; to: string; id?: number }
  | RefusedMessage
  | TableMessage
  | PositionMessage
  | { type: 'people'; code: string; players: [Player, Player] }
  | { type: 'paused'; code: string; by: Seat | null; left_ms: number }
  | { type: 'continued'; code: string; by: Seat | null; clocks: Clocks }
  | { type: 'warning'; code: string; what: 'turn' | 'silence' | 'match'; left_ms: number }
  | { type: 'chat'; code: string; name: string; seat: Seat | null; text: string; phrase?: Phrase }
  | { type: 'rematch'; code: string; seat: Seat | null }
  | HistoryMessage
  | { type: 'takeback'; code: string; seat: Seat; what: 'offer' | 'decline' }
  | { type: 'leaver'; code: string; seat: Seat }
  | PreparedMessage
  | AccountMessage
  | KeyMessage
  | TurnsMessage
  | NoticesMessage
  | RelationsMessage
  | ChallengesMessage
  | RatedMessage
  | { type: 'taken'; code: string }
  | { type: 'closed'; code: string; reason: string }
  /** The table is at another node of the server; without one it is just moving. */
  | { type: 'moved'; to: string; id?: number; node?: number; url?: string };

/** A table in the list of matches. */
export interface MatchRow {
  code: string;
  game: string;
  preset?: string;
  state: 'waiting' | 'running' | 'over';
  quick: boolean;
  glass: boolean;
  tips?: boolean;
  rated?: boolean;
  phrases?: boolean;
  from_turn?: number;
  days?: number;
  watchers: number;
  turn_ms: number;
  match_ms: number;
  bank_ms?: number;
  increment_ms?: number;
  /** Rule variants that are not the default. */
  options: Record<string, number>;
  players: Player[];
}

/** A finished match in the archive. */
export interface ArchiveRow {
  code: string;
  game: string;
  started_ms: number;
  ended_ms: number;
  /** `account`: the name leads to a profile. */
  players: { seat: Seat; name: string; role: string; account?: boolean }[];
  winner: Seat | null;
  reason: string;
  actions: number;
}

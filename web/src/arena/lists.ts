/* lists.ts -- what the server tells over plain HTTP: running matches, finished ones, one match's file. */
import type { Board, Game, Preset } from '../model';
import { answerWords } from '../texts/answers';
import { t } from '../texts/texts';
import type { ArchiveRow, MatchRow, TournamentHead } from './messages';

/** Fetches from the server; throws a sentence for the person if it cannot be reached or refuses. */
async function get(path: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { cache: 'no-store' });
  } catch {
    throw new Error(t('arena.away'));
  }
  if (!answer.ok) throw new Error(answerWords((await answer.text()).trim()) || t('arena.answered', { status: answer.status }));
  return answer;
}

/** Tables that are open or running and not secret, newest first. */
export async function listMatches(): Promise<MatchRow[]> {
  return ((await (await get('/api/matches')).json()) as { matches: MatchRow[] }).matches;
}

/** Tournaments that are not secret: those in progress, then those that wait, then those that are over. */
export async function listTournaments(): Promise<TournamentHead[]> {
  return ((await (await get('/api/tournaments')).json()) as { tournaments: TournamentHead[] }).tournaments;
}

/** The table with this code; null: its match is over, and there is a file of it. Throws if there is none. */
export async function tableRow(code: string): Promise<MatchRow | null> {
  const row = (await (await get(`/api/match/${encodeURIComponent(code)}`)).json()) as MatchRow | { 'mashup-match': number };
  return 'state' in row ? row : null;
}

/** The board of a match in progress, as everybody may see it. */
export async function matchBoard(code: string): Promise<Board> {
  return ((await (await get(`/api/board/${encodeURIComponent(code)}`)).json()) as { board: Board }).board;
}

/** The preset of a table; that of a table with content of its own counts as the usual one. */
export function presetOf(row: Pick<MatchRow, 'preset'>, game: Game): Preset {
  return game.presets.find(({ id }) => id === row.preset) ?? game.presets[0]!;
}

/** Do spectators see there what is hidden from the players? Never where the game hides nothing. */
export function spectatorsSeeHidden(row: Pick<MatchRow, 'glass' | 'preset'>, game: Game | undefined): boolean {
  return row.glass && game !== undefined && presetOf(row, game).hides;
}

/** Finished matches, newest first; `after` is the row to go on behind. */
export async function listArchive(filter: { game?: string; player?: string; after?: ArchiveRow } = {}): Promise<ArchiveRow[]> {
  const query = new URLSearchParams();
  if (filter.game) query.set('game', filter.game);
  if (filter.player) query.set('player', filter.player);
  if (filter.after) {
    query.set('after', filter.after.code);
    query.set('after_ms', String(filter.after.ended_ms));
  }
  return ((await (await get(`/api/archive?${query}`)).json()) as { matches: ArchiveRow[] }).matches;
}

/** The file of a finished match. */
export async function matchFile(code: string): Promise<string> {
  return (await get(`/api/match/${encodeURIComponent(code)}`)).text();
}

/* gather.ts -- reads finished matches, of the server's archive or of this device, one after the other in a worker of its own. */
import { listArchive, matchFile } from '../arena/lists';
import type { ArchiveRow } from '../arena/messages';
import type { Engine } from '../engine/engine';
import { myMatches } from '../mine';
import { profileOf } from '../players/ask';
import { bandOf, levelOf, type CountedMatch, type Who } from './count';

/** Where matches come from. */
export type Source = 'server' | 'mine';

/** So many of the newest are read. */
export const MATCHES_MOST = 100;

/** A match that will be read. */
interface Wanted {
  file(): Promise<string>;
  who(): Promise<[Who, Who]>;
}

/** The band of an account, asked once for each name. */
function bands(game: string): (name: string) => Promise<Who> {
  const known = new Map<string, Promise<Who>>();
  const ask = async (name: string): Promise<Who> => {
    const rating = (await profileOf(name).catch(() => null))?.ratings.find((one) => one.game === game)?.rating;
    return rating === undefined ? 'guest' : bandOf(rating);
  };
  return (name) => {
    const asked = known.get(name) ?? ask(name);
    known.set(name, asked);
    return asked;
  };
}

/** The newest matches of the archive. */
async function ofServer(game: string): Promise<Wanted[]> {
  const rows: ArchiveRow[] = [];
  for (let page: ArchiveRow[]; rows.length < MATCHES_MOST; rows.push(...page)) {
    const after = rows[rows.length - 1];
    page = await listArchive({ game, ...(after ? { after } : {}) });
    if (page.length === 0) break;
  }
  const band = bands(game);
  const whoOf = async ({ players }: ArchiveRow, seat: number): Promise<Who> => {
    const player = players.find((one) => one.seat === seat);
    if (!player) return 'guest';
    return player.role === 'ai' ? levelOf(player.name) : player.account ? band(player.name) : 'guest';
  };
  return rows.slice(0, MATCHES_MOST).map((row) => ({
    file: () => matchFile(row.code), who: async () => [await whoOf(row, 0), await whoOf(row, 1)],
  }));
}

/** The newest matches of this device. */
async function ofDevice(game: string): Promise<Wanted[]> {
  const all = (await myMatches()).filter((match) => match.game === game).slice(0, MATCHES_MOST);
  const whoOf = (name: string, seat: number, you: number | null): Who => (you === null || you === seat ? 'guest' : levelOf(name));
  return all.map(({ file, players, you }) => ({
    file: async () => file, who: async () => [whoOf(players[0], 0, you), whoOf(players[1], 1, you)],
  }));
}

/** Reads them; `tell` hears what was read so far, of how many. What cannot be read is left out. */
export async function gather(engine: Engine, source: Source, game: string, tell: (matches: CountedMatch[], done: number, all: number) => void): Promise<void> {
  const wanted = await (source === 'server' ? ofServer(game) : ofDevice(game));
  let matches: CountedMatch[] = [];
  tell(matches, 0, wanted.length);
  for (const [index, one] of wanted.entries()) {
    const tally = await engine.call('tally', { text: await one.file() });
    if (tally) matches = [...matches, { tally, who: await one.who() }];
    tell(matches, index + 1, wanted.length);
  }
}

/* screen.tsx -- a tournament: joining and leaving, standings, rounds, crosstable, one's next match, the best boards live, a view for a
 * projector, the podium, and what its organiser may do. */
import { useEffect, useState } from 'preact/hooks';
import { matchBoard } from '../arena/lists';
import type { Standing, TournamentMessage, TournamentPairing } from '../arena/messages';
import { Thumbnail } from '../board/thumbnail';
import { allGames } from '../engine/engine';
import { href } from '../router';
import { useRefreshed } from '../screens/lobby';
import { NameField, Opening, Screen, Trouble, useDoing, usePromise } from '../screens/parts';
import { GamePicture } from '../screens/pictures';
import { PlayerName } from '../screens/player-name';
import { playByCode } from '../session';
import { language } from '../texts/language';
import { shownName } from '../texts/texts';
import { tell } from '../texts/tournament';
import { allLines, follow, followed, gone, holdToken, join, leave, lost, order, playNext, replacement, toldAt, unfollow, you } from './follow';
import { headWords } from './list';

const BOARDS_MAX = 6;
const CROSS_MAX = 24;
type Run = (what: () => Promise<void>) => void;

/** Points as people write them: of an arena as they are, elsewhere a win is one. */
function pointsWords(points: number, arena: boolean): string {
  if (arena) return String(points);
  const whole = Math.trunc(Math.abs(points) / 2);
  const half = Math.abs(points) % 2 === 1 ? '½' : '';
  return `${points < 0 ? '−' : ''}${half && whole === 0 ? '' : whole}${half}`;
}

/** A span of time in words. */
function spanWords(seconds: number): string {
  if (seconds < 120) return tell('seconds', seconds);
  if (seconds < 7200) return tell('minutes', Math.round(seconds / 60));
  if (seconds < 172_800) return tell('hours', Math.round(seconds / 3600));
  return tell('days', Math.round(seconds / 86_400));
}

/** Seconds since the server told how it stands; counts while the page is seen. */
function useElapsed(): number {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - toldAt.value) / 1000));
}

/** Where it stands in time: the start, the end, the round. */
function Status({ now }: { now: TournamentMessage }) {
  const passed = useElapsed();
  const left = (seconds: number) => spanWords(Math.max(0, seconds - passed));
  const words = [tell(now.state)];
  if (now.round > 0 && now.state !== 'waiting') words.push(now.rounds ? tell('roundOf', now.round, now.rounds) : tell('round', now.round));
  if (now.state === 'waiting') words.push(now.starts_in === undefined ? tell('waitStart') : tell('startsIn', left(now.starts_in)));
  if (now.ends_in !== undefined) words.push(now.ends_in - passed > 0 ? tell('endsIn', left(now.ends_in)) : tell('lastMatches'));
  if (now.next_in !== undefined && now.state === 'running') words.push(tell('nextIn', left(Math.ceil(now.next_in / 1000))));
  words.push(tell('here', now.here), ...(now.playing > 0 ? [tell('playing', now.playing)] : []));
  return <p class="lead tournament-status">{words.join(' · ')}</p>;
}

/** What the person is here, and what comes next. */
function Me({ now, run, busy }: { now: TournamentMessage; run: Run; busy: boolean }) {
  const me = you.value;
  const plays = me?.player !== undefined;
  const removed = now.standings.find(({ player }) => player === me?.player)?.removed === true;
  const open = now.state !== 'over' && (now.state === 'waiting' || now.kind === 'arena' || now.kind === 'swiss');
  let words = tell('notIn');
  if (plays && removed) words = tell('youRemoved');
  else if (plays && me.table !== undefined) words = tell('ready', shownName(me.opponent ?? ''));
  else if (plays && me.away) words = tell('youAway');
  else if (plays && me.bye !== undefined && now.state === 'running') words = tell('byeYou');
  else if (plays && now.state !== 'over') words = tell('nextSoon');
  if (now.state === 'over') return null;
  return (
    <section class="panel stack tournament-me" aria-live="polite">
      <p>{words}</p>
      {!plays && open && <NameField />}
      <div class="row">
        {me?.table !== undefined && <button class="button primary big" onClick={() => run(playNext)}>{tell('play')}</button>}
        {!plays && open && <button class="button primary" disabled={busy} onClick={() => run(() => join(now.code))}>{tell('join')}</button>}
        {plays && me.away && !removed && <button class="button primary" disabled={busy} onClick={() => run(() => join(now.code))}>{tell('back')}</button>}
        {plays && !me.away && me.table === undefined && <button class="button quiet" disabled={busy} onClick={() => run(leave)}>{tell('leave')}</button>}
      </div>
    </section>
  );
}

/** What the organiser may do with a player. */
function Managing({ row, run }: { row: Standing; run: Run }) {
  const replaceIt = () => {
    const name = prompt(`${tell('replaceWho', shownName(row.name))}\n${tell('replaceName')}:`);
    if (name?.trim()) run(() => order({ what: 'replace', player: row.player, name: name.trim() }));
  };
  return (
    <span class="row tight">
      <button class="button small quiet" aria-label={tell('more', shownName(row.name))} onClick={() => run(() => order({ what: 'adjust', player: row.player, points: 2 }))}>+1</button>
      <button class="button small quiet" aria-label={tell('less', shownName(row.name))} onClick={() => run(() => order({ what: 'adjust', player: row.player, points: -2 }))}>−1</button>
      <button class="button small quiet" aria-label={tell('replaceWho', shownName(row.name))} onClick={replaceIt}>{tell('replace')}</button>
      {!row.removed && <button class="button small quiet" aria-label={tell('removeWho', shownName(row.name))} onClick={() => run(() => order({ what: 'remove', player: row.player }))}>{tell('remove')}</button>}
    </span>
  );
}

/** The standings; `all`: every line, asked for again when something changes. */
function Standings({ now, run, beamer = false }: { now: TournamentMessage; run: Run; beamer?: boolean }) {
  const [all, setAll] = useState<Standing[] | null>(null);
  const arena = now.kind === 'arena';
  const rows = all ?? now.standings;
  const organiser = you.value?.organiser === true && !beamer;
  useEffect(() => { if (all) void allLines('standings').then(setAll); }, [now]);
  if (rows.length === 0) return null;
  const notes = (row: Standing) => [
    row.player === you.value?.player && !beamer ? tell('you') : '', row.streak && row.streak > 1 ? tell('streak', row.streak) : '',
    row.removed ? tell('removed') : row.away ? tell('away') : '',
  ].filter(Boolean).join(', ');
  return (
    <section class="stack tight" aria-labelledby="tournament-standings">
      <h2 id="tournament-standings">{tell('standings')}</h2>
      <div class="scroll-x">
        <table class="table standings">
          <thead>
            <tr>
              <th class="number" scope="col">{tell('rank')}</th><th scope="col">{tell('player')}</th><th class="number" scope="col">{tell('points')}</th>
              <th class="number" scope="col">{tell('played')}</th><th class="number" scope="col">{tell('wins')}</th>
              {!arena && <th class="number wide-only" scope="col">{tell('buchholz')}</th>}
              {!arena && <th class="number wide-only" scope="col">{tell('sonneborn')}</th>}
              {organiser && <th scope="col">{tell('organiser')}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.player} class={`${row.player === you.value?.player && !beamer ? 'me' : ''}${row.here ? '' : ' not-here'}`}>
                <td class="number">{row.rank}</td>
                <th scope="row"><PlayerName name={row.name} account={row.account ?? false} />{notes(row) && <small class="soft"> ({notes(row)})</small>}</th>
                <td class="number"><strong>{pointsWords(row.points, arena)}</strong></td>
                <td class="number">{row.played}</td><td class="number">{row.wins}</td>
                {!arena && <td class="number wide-only">{pointsWords(row.buchholz ?? 0, false)}</td>}
                {!arena && <td class="number wide-only">{(row.sonneborn_berger ?? 0) / 4}</td>}
                {organiser && <td><Managing row={row} run={run} /></td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!all && now.players > rows.length && !beamer && <button class="button small" onClick={() => void allLines('standings').then(setAll)}>{tell('all')}</button>}
    </section>
  );
}

/** How a pairing ended: 1 – 0. */
function scoreWords({ score, players }: TournamentPairing): string {
  if (players.length === 1) return tell('bye');
  return { first: '1 – 0', second: '0 – 1', draw: '½ – ½', none: '0 – 0' }[score ?? 'none'];
}

/** All pairings by rounds, the newest first. */
function Rounds({ lines, run }: { lines: TournamentPairing[]; run: Run }) {
  const rounds = [...new Set(lines.map(({ round }) => round))].sort((a, b) => b - a);
  if (lines.length === 0) return null;
  return (
    <section class="stack tight" aria-labelledby="tournament-rounds">
      <h2 id="tournament-rounds">{tell('pairings')}</h2>
      {rounds.map((round, at) => (
        <details key={round} open={at === 0} class="panel">
          <summary>{round > 0 ? tell('round', round) : tell('pairings')}</summary>
          <ul class="stack plain tight">
            {lines.filter((line) => line.round === round).slice(-200).map((line) => (
              <li class="row pairing-row">
                <span class="grow">{line.names.map(shownName).join(' – ')}</span>
                {(line.score !== undefined || line.players.length === 1) && <strong>{scoreWords(line)}</strong>}
                {line.forfeit && <small class="soft">{tell('forfeit')}</small>}
                {line.table !== undefined && !line.forfeit && (
                  <button class="button small quiet" aria-label={tell(line.score === undefined ? 'watchWho' : 'replayWho', line.names.map(shownName).join(' – '))}
                    onClick={() => run(() => playByCode(line.table!))}>{tell(line.score === undefined ? 'watch' : 'replay')}</button>
                )}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}

/** Everybody against everybody: half points of the row against the column. */
function Crosstable({ now, lines }: { now: TournamentMessage; lines: TournamentPairing[] }) {
  const rows = now.standings.slice(0, CROSS_MAX);
  if (now.players > CROSS_MAX || lines.length === 0 || now.kind === 'arena') return null;
  const cell = (a: number, b: number) => lines.filter(({ players, score }) => score !== undefined && players.includes(a) && players.includes(b) && players.length === 2)
    .map(({ players, score }) => (score === 'draw' ? '½' : score === 'none' ? '0' : (score === 'first') === (players[0] === a) ? '1' : '0')).join(' ');
  return (
    <details class="panel">
      <summary>{tell('crosstable')}</summary>
      <div class="scroll-x">
        <table class="table crosstable">
          <thead><tr><th class="number" scope="col">{tell('rank')}</th><th scope="col">{tell('player')}</th>{rows.map((row, at) => <th class="number" scope="col" aria-label={shownName(row.name)}>{at + 1}</th>)}</tr></thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row.player}><td class="number">{at + 1}</td><th scope="row">{shownName(row.name)}</th>
                {rows.map((other) => <td class="number">{other === row ? '–' : cell(row.player, other.player)}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** A match of the best players, with a board that follows it. */
function LiveBoard({ line, game, run }: { line: TournamentPairing; game: string; run: Run }) {
  const { value: board } = useRefreshed(() => matchBoard(line.table!), [line.table]);
  const names = line.names.map(shownName).join(' – ');
  return (
    <li class="panel stack tight live-board">
      {board ? <Thumbnail game={game} board={board} label={names} /> : <GamePicture game={game} />}
      <strong>{names}</strong>
      <button class="button small" aria-label={tell('watchWho', names)} onClick={() => run(() => playByCode(line.table!))}>{tell('watch')}</button>
    </li>
  );
}

/** The best boards. */
function Boards({ now, run }: { now: TournamentMessage; run: Run }) {
  const lines = now.boards.filter(({ table }) => table !== undefined).slice(0, BOARDS_MAX);
  if (lines.length === 0) return null;
  return (
    <section class="stack tight" aria-labelledby="tournament-boards">
      <h2 id="tournament-boards">{tell('boards')}</h2>
      <ul class="plain live-boards">{lines.map((line) => <LiveBoard key={line.table} line={line} game={now.game} run={run} />)}</ul>
    </section>
  );
}

/** The first three. */
function Podium({ now }: { now: TournamentMessage }) {
  if (now.state !== 'over') return null;
  const played = now.standings.filter(({ points, played }) => points !== 0 || played > 0).slice(0, 3);
  if (played.length === 0) return <p>{tell('nobody')}</p>;
  return (
    <section class="panel stack podium" aria-labelledby="tournament-podium">
      <h2 id="tournament-podium">{tell('podium')}</h2>
      <p class="lead">{tell('winner', shownName(played[0]!.name))}</p>
      <ol class="plain row steps">
        {played.map((row, at) => (
          <li key={row.player} class={`step place-${at + 1}`} aria-label={tell('place', row.rank, shownName(row.name))}>
            <span class="display place" aria-hidden="true">{row.rank}</span>
            <strong aria-hidden="true">{shownName(row.name)}</strong>
            <small>{tell('points')}: {pointsWords(row.points, now.kind === 'arena')}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What the organiser may do with the tournament. */
function Organising({ now, run }: { now: TournamentMessage; run: Run }) {
  if (!you.value?.organiser || now.state === 'over') return null;
  return (
    <section class="panel row tournament-row" aria-label={tell('organiser')}>
      <strong class="grow">{tell('organiser')}</strong>
      {now.state === 'waiting' && <button class="button primary small" onClick={() => run(() => order({ what: 'start' }))}>{tell('doStart')}</button>}
      {now.state === 'running' && <button class="button small" onClick={() => run(() => order({ what: 'pause' }))}>{tell('doPause')}</button>}
      {now.state === 'paused' && <button class="button primary small" onClick={() => run(() => order({ what: 'continue' }))}>{tell('doContinue')}</button>}
      <button class="button small quiet" onClick={() => run(() => order({ what: 'end' }))}>{tell('doEnd')}</button>
    </section>
  );
}

/** The link for friends, and the one of who was put in place of a player. */
function Links({ now }: { now: TournamentMessage }) {
  const [copied, setCopied] = useState(false);
  const link = `${location.origin}${location.pathname}${href('tournament', now.code)}`;
  const other = replacement.value;
  return (
    <>
      <div class="row tournament-row">
        <span class="grow">{tell('invite', now.code)}</span>
        <button class="button small" onClick={() => void navigator.clipboard?.writeText(link).then(() => setCopied(true))}>{tell(copied ? 'copied' : 'copy')}</button>
        <a class="button small quiet" href={href('tournament', now.code, 'beamer')}>{tell('beamer')}</a>
      </div>
      {other && <p class="notice">{tell('replaced')} <code>{`${location.origin}${location.pathname}${href('tournament', now.code, other.token)}`}</code></p>}
    </>
  );
}

/** For a projector: large, without anything to do. */
function Beamer({ now, run }: { now: TournamentMessage; run: Run }) {
  return (
    <main id="content" class="page beamer stack" tabIndex={-1}>
      <div class="row"><h1 class="display grow">{now.title}</h1><a class="button quiet small" href={href('tournament', now.code)}>{tell('normal')}</a></div>
      <Status now={now} />
      <Podium now={now} />
      <div class="beamer-parts"><Standings now={now} run={run} beamer /><Boards now={now} run={run} /></div>
      <p class="lead">{tell('invite', now.code)}</p>
    </main>
  );
}

/** A tournament by its code. `how`: beamer, or a token with which somebody goes on for a player. */
export function TournamentScreen({ code, how }: { code: string; how: string }) {
  const token = /^[0-9a-f]{32}$/.test(how) ? how : '';
  if (token) holdToken(code, token);
  const opened = usePromise(() => follow(code), [code, token]);
  const games = usePromise(allGames, [language.value]).value ?? [];
  const [lines, setLines] = useState<TournamentPairing[]>([]);
  const doing = useDoing();
  const now = followed.value;
  /* Who only looks is told no more when they go elsewhere. */
  useEffect(() => () => { if (you.value === null || (you.value.player === undefined && !you.value.organiser)) unfollow(); }, []);
  useEffect(() => { if (now && now.pairings > 0 && how !== 'beamer') void allLines('pairings').then(setLines); }, [now?.pairings, now?.playing, now?.state]);
  if (!now || opened.error) return <Opening error={opened.error ?? null} title={tell('title')} />;
  if (how === 'beamer') return <Beamer now={now} run={doing.run} />;
  const game = games.find(({ id }) => id === now.game);
  return (
    <Screen title={now.title} wide>
      <p class="soft">{headWords(now, game)}</p>
      <Status now={now} />
      {lost.value && gone.value === null && <p class="notice warn" role="status">{tell('lost')}</p>}
      <Trouble error={doing.error ?? (gone.value ? new Error(gone.value) : null)} />
      <Podium now={now} />
      <Me now={now} run={doing.run} busy={doing.busy} />
      <Organising now={now} run={doing.run} />
      <Standings now={now} run={doing.run} />
      <Boards now={now} run={doing.run} />
      <Rounds lines={lines} run={doing.run} />
      <Crosstable now={now} lines={lines} />
      <Links now={now} />
    </Screen>
  );
}

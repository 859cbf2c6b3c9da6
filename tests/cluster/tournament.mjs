// tournament.mjs -- a Swiss tournament of bots at three real nodes over a primary and a synchronous standby. In each round the node that has the
// tournament is killed (-9) and started again later; every pair must have one result, that of its match in the archive, and nobody two opponents in a
// round: node tests/cluster/tournament.mjs [build/release]
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {Bench} from './bench.mjs';
import {programs, sleep} from './databases.mjs';
import {Guest} from './guest.mjs';

const build = process.argv[2] ?? 'build/release';
const PLAYERS = 6, ROUNDS = 3;
if (!programs()) {
  console.log('no PostgreSQL here (Debian: postgresql-15): skipped');
  process.exit(0);
}
const bench = new Bench({tables: 0, seed: 1, copies: 1, pace: 0, program: join(build, 'mashup'), bots: 'true', check: 'true', keep: false});
const demand = (truth, sentence) => truth || bench.problem(sentence);

/** The number of the node that has the tournament. */
const home = async () => Number(await bench.pair.primary.ask("select coalesce(max(m.node), 0) from match m join journal j using (n) where j.kind = 16"));
let fine = false, kills = 0;
try {
  await bench.open();
  const guest = new Guest(bench, 'Organiser', (said, request) => guest.token && request.type === 'tournament-manage' && said({type: 'tournament-watch', code: request.code, token: guest.token}));
  await guest.connect();
  const you = await guest.ask({type: 'tournament-create', title: 'Loss', game: 'zorde', preset: 'duel', kind: 'swiss', rounds: ROUNDS, rest_ms: 500, grace_ms: 60000}, 'tournament-you');
  guest.token = you.token;
  const bots = spawn('setpriv', ['--pdeathsig=KILL', bench.program, 'bot', `127.0.0.1:${bench.port}`, '--tournament', you.code, '--seats', String(PLAYERS), '--pace-ms', '100', '--seconds', '240'],
    {stdio: ['ignore', 'pipe', 'pipe']});
  let told = '';
  bots.stdout.on('data', bytes => { told += bytes; });
  bots.stderr.on('data', bytes => { told += bytes; });
  const watch = {type: 'tournament-watch', code: you.code, token: you.token};
  let state = await guest.ask(watch, 'tournament');
  for (let i = 0; i < 100 && state.players < PLAYERS; i++, await sleep(200)) state = await guest.ask(watch, 'tournament');
  await guest.ask({type: 'tournament-manage', code: you.code, what: 'start'}, 'done');
  for (let round = 0, i = 0; i < 300 && state.state !== 'over'; i++, await sleep(200)) {
    state = await guest.ask(watch, 'tournament');
    if (state.pairings <= round * PLAYERS / 2 || state.state === 'over') continue;
    round++;
    await sleep(200 * round); // in the middle of it
    const node = bench.nodes[await home() - 1];
    await node.end();
    kills++;
    setTimeout(() => node.start(), 8000);
  }
  demand(state.state === 'over', `the tournament does not end: ${JSON.stringify(state).slice(0, 400)}\n${told.slice(-400)}`);
  const {pairings} = await guest.ask({type: 'tournament-page', code: you.code, what: 'pairings'}, 'tournament-page');
  demand(pairings.length === ROUNDS * PLAYERS / 2, `${pairings.length} pairings`);
  for (let round = 1; round <= ROUNDS; round++) {
    const busy = pairings.filter(pair => pair.round === round).flatMap(pair => pair.players);
    demand(new Set(busy).size === PLAYERS && busy.length === PLAYERS, `round ${round}: players ${busy}`);
  }
  demand(pairings.every(pair => pair.score), `a pair has no result: ${JSON.stringify(pairings)}`);
  const archived = Number(await bench.pair.primary.ask('select count(*) from archive'));
  demand(archived === pairings.length, `${archived} matches in the archive, ${pairings.length} pairings`);
  demand(kills >= ROUNDS, `${kills} nodes were killed`);
  bots.kill('SIGTERM');
  fine = bench.problems.length === 0;
} catch (error) {
  console.log(error.stack);
} finally {
  await bench.close(fine);
}
console.log(fine ? `tournament: ${ROUNDS} rounds of ${PLAYERS} bots, the node of the tournament killed ${kills} times: all fine` : 'tournament: failed');
process.exit(fine ? 0 : 1);

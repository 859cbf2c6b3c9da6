// tournament.mjs -- a Swiss tournament of bots at three real nodes over a primary and a synchronous standby. In each round the node that has the
// tournament is killed (-9) and started again later; every pair must have one result, that of its match in the archive, and nobody two opponents in a
// round: node tests/cluster/tournament.mjs [build/release]
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {WebSocket} from 'ws';
import {Bench} from './bench.mjs';
import {programs, sleep} from './databases.mjs';

const build = process.argv[2] ?? 'build/release';
const PLAYERS = 6, ROUNDS = 3;
if (!programs()) {
  console.log('no PostgreSQL here (Debian: postgresql-15): skipped');
  process.exit(0);
}
const bench = new Bench({tables: 0, seed: 1, copies: 1, pace: 0, program: join(build, 'mashup'), bots: 'true', check: 'true', keep: false});
const demand = (truth, sentence) => truth || bench.problem(sentence);

/** Somebody at the public address who goes where `moved` says and asks again; answers are those of a type. */
class Guest {
  async connect(node) {
    this.socket?.terminate();
    this.socket = new WebSocket(`ws://127.0.0.1:${bench.port}/arena${node ? `?node=${node}` : ''}`);
    this.heard = [];
    this.socket.on('message', data => this.heard.push(JSON.parse(data)));
    this.socket.on('error', () => {});
    for (let i = 0; i < 200 && this.socket.readyState === WebSocket.CONNECTING; i++) await sleep(10);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({type: 'hello', name: 'Organiser', role: 'person'}));
  }
  /** Sends a request until it is answered by a message of the type. */
  async ask(request, type) {
    for (let tries = 0; tries < 60; tries++) {
      if (this.socket?.readyState !== WebSocket.OPEN) await this.connect();
      if (this.token && request.type === 'tournament-manage') this.socket.send(JSON.stringify({type: 'tournament-watch', code: request.code, token: this.token}));
      await sleep(100);
      this.heard.length = 0;
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
      for (let i = 0; i < 200 && this.socket.readyState === WebSocket.OPEN; i++) {
        await sleep(10);
        const answer = this.heard.find(message => message.type === type), moved = this.heard.find(message => message.type === 'moved');
        if (answer) return answer;
        if (moved) {
          if (moved.node) await this.connect(moved.node);
          else await sleep(500);
          break;
        }
      }
    }
    throw new Error(`${request.type} was never answered: ${JSON.stringify(this.heard)}`);
  }
}

/** The number of the node that has the tournament. */
const home = async () => Number(await bench.pair.primary.ask("select coalesce(max(m.node), 0) from match m join journal j using (n) where j.kind = 16"));
let fine = false, kills = 0;
try {
  await bench.open();
  const guest = new Guest();
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

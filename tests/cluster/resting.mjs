// resting.mjs -- a match over days at three real nodes over a primary and a synchronous standby: it rests, the node that had it is killed (-9), and
// it is woken at another one, where it has the same position; then its node is killed while it is open, and the primary while it rests. Nothing that was
// played is lost, it counts once, and at its end it is in the archive and nowhere else: node tests/cluster/resting.mjs [build/release]
import {join} from 'node:path';
import {Bench} from './bench.mjs';
import {programs, sleep} from './databases.mjs';
import {Guest} from './guest.mjs';

const build = process.argv[2] ?? 'build/release';
if (!programs()) {
  console.log('no PostgreSQL here (Debian: postgresql-15): skipped');
  process.exit(0);
}
const bench = new Bench({tables: 0, seed: 1, copies: 1, pace: 0, program: join(build, 'mashup'), bots: 'true', check: 'true', keep: false});
const demand = (truth, sentence) => truth || bench.problem(sentence);
const asked = async sql => Number(await bench.pair.primary.ask(sql));
/** The node that has the match open; 0: it rests. */
const home = () => asked('select coalesce(max(m.node), 0) from match m join days d on d.session = m.id');
const until = async (what, condition) => {
  for (let i = 0; i < 600; i++, await sleep(100)) if (await condition()) return;
  throw new Error(`${what} in vain`);
};

/** A player with an account. */
class Player extends Guest {
  constructor(name, key) { super(bench, name, (say, request) => this.claimed && ['join', 'return'].includes(request.type) && this.logIn(say)); this.key = key; }
  async logIn(say) {
    say({type: 'login', key: this.key});
    await this.hear('account');
  }
  /** Logs in, at whatever node it is, and takes the seat: the position. */
  async comeBack() {
    await this.connect();
    await this.ask({type: 'return', code: this.code}, 'table');
    return this.position = await this.hear('position');
  }
  /** Does the first action that the position lists; the number of the next position. */
  async act() {
    const {number, actions: [{verb, unit, ability, cells: [[x, y, other, amount]]}]} = this.position;
    this.position = await this.ask({type: 'act', position: number, verb, unit, ability, x, y, other, amount}, 'position');
    return this.position.number;
  }
}
const ann = new Player('Ann', '00112233445566778899aabbccddeeff'), bob = new Player('Bob', 'ffeeddccbbaa99887766554433221100');

/** Whoever is to act comes back alone, and acts. The number of the position before it must be this one. */
async function playOn(number) {
  let who = ann;
  if (!(await ann.comeBack()).awaited.includes(ann.seat)) {
    ann.leave();
    who = bob;
    await bob.comeBack();
  }
  demand(who.position.number === number, `position ${who.position.number} instead of ${number}`);
  return who.act();
}
/** Both go, and it rests. */
async function rest() {
  ann.leave();
  bob.leave();
  await until('it is to rest', async () => await home() === 0 && await asked('select count(*) from match') === 0);
  demand(await asked('select count(*) from days where session = 0') === 1, 'the match that rests is not there');
}

let fine = false;
try {
  await bench.open();
  for (const player of [ann, bob]) {
    await player.connect();
    await player.ask({type: 'claim', key: player.key, name: player.name}, 'account');
    player.claimed = true;
  }
  const table = await ann.ask({type: 'open', game: 'zorde', seat: 0, days: 3}, 'table');
  Object.assign(ann, {code: table.code, seat: 0});
  Object.assign(bob, {code: table.code, seat: 1});
  await bob.ask({type: 'join', code: table.code}, 'table');
  await until('it is to begin', async () => (await ann.hear('position')) !== undefined);
  const first = await home();
  await rest();
  let number = await playOn(1);
  await rest();
  console.log(`at rest at position ${number}; node ${first} is killed, which had it`);
  await bench.nodes[first - 1].end();
  number = await playOn(number);
  const second = await home();
  demand(second !== first && second > 0, `woken at node ${second}`);
  console.log(`woken at node ${second}, which is killed while it is open at position ${number}`);
  await Promise.all([bench.nodes[second - 1].end(), bench.nodes[first - 1].start()]);
  await until('another node is to take it', async () => ![second, 0].includes(await home()));
  number = await playOn(number);
  await rest();
  console.log(`at rest at position ${number}; the primary is killed`);
  await bench.pair.primary.kill();
  await bench.pair.promote();
  demand(await bench.pair.rejoin(), 'the old primary does not come back as standby');
  number = await playOn(number);
  await ann.comeBack();
  await ann.ask({type: 'resign'}, 'position');
  await until('it is to be archived', async () => await asked('select count(*) from archive') === 1);
  for (const player of [ann, bob]) player.leave();
  for (const what of ['days', 'match', 'journal']) await until(`${what} is to be empty`, async () => await asked(`select count(*) from ${what}`) === 0);
  demand(await asked('select count(*) from played') === 2, 'it does not count once for each');
  const actions = await asked('select actions from archive');
  demand(actions >= number, `${actions} actions in the archive at position ${number}`);
  fine = bench.problems.length === 0;
} catch (error) {
  console.log(error.stack);
} finally {
  await bench.close(fine);
}
console.log(fine ? 'resting: woken elsewhere after the loss of its node, taken over while it was open, and there after the loss of the primary' : 'resting: failed');
process.exit(fine ? 0 : 1);

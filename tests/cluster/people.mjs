// people.mjs -- players with accounts at three real nodes over a primary and a synchronous standby, each at another node: a name is claimed once,
// devices come in anywhere, who is connected is seen, challenges are told, declined and taken up across nodes, a program is challenged and plays, a
// rated match counts once and is in every node's lists, also after the loss of its node; who is deleted at one node is at none: node tests/cluster/people.mjs [build/release]
import {spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
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
const until = async (what, condition) => {
  for (let i = 0; i < 600; i++, await sleep(100)) {
    const found = await condition();
    if (found) return found;
  }
  throw new Error(`${what} in vain`);
};
/** What a node answers over HTTP. */
const get = async (node, path) => (await fetch(`http://127.0.0.1:${bench.nodes[node - 1].port}${path}`)).json();

/** Somebody at one node, who stays there unless sent elsewhere. */
class Player extends Guest {
  constructor(name, node, key) {
    super(bench, name, (say, request) => this.key && !['claim', 'login'].includes(request.type) && this.logIn(say));
    Object.assign(this, {node, key});
  }
  async logIn(say) {
    say({type: 'login', key: this.key});
    await this.hear('account');
  }
  /** Asks at the node where one is; the answer, or why not. */
  async say(request, type) {
    if (!this.isConnected) await this.connect(this.node);
    this.heard.length = 0;
    this.send(request);
    const answer = await until(`${this.name}: ${request.type}`, () => this.heard.find(message => message.type === type || message.type === 'refused' || message.type === 'moved'));
    if (process.env.MASH_LOUD) console.log(this.name, JSON.stringify(request), JSON.stringify(answer).slice(0, 200));
    return answer;
  }
  /** Does the first that is possible. */
  async act({number, actions: [{verb, unit, ability, cells: [[x, y, other, amount]]}]}) {
    await this.say({type: 'act', position: number, verb, unit, ability, x, y, other, amount}, 'position');
  }
  /** A message that nobody asked for. */
  async told(type) { return until(`${this.name} is to be told ${type}`, () => this.heard.find(message => message.type === type && message.to === undefined)); }
}
const ann = new Player('Ann', 1, '00112233445566778899aabbccddeeff'), bob = new Player('Bob', 2, 'ffeeddccbbaa99887766554433221100');
const phone = new Player('Phone', 3, '0123456789abcdef0123456789abcdef');

let fine = false, bot;
try {
  await bench.open();
  demand((await ann.say({type: 'claim', key: ann.key, name: 'Ann'}, 'account')).name === 'Ann', 'Ann has no account');
  demand((await bob.say({type: 'claim', key: bob.key, name: 'ANN'}, 'account')).code === 'name-taken', 'a name is given away twice');
  demand((await bob.say({type: 'claim', key: bob.key, name: 'Bob'}, 'account')).name === 'Bob', 'Bob has no account');
  const {key} = await ann.say({type: 'key', what: 'device'}, 'key');
  demand((await phone.say({type: 'login', key: phone.key, code: key}, 'account')).name === 'Ann', 'a code of one node lets nobody in at another');
  await ann.say({type: 'relations', what: 'follow', name: 'Bob'}, 'relations');
  await until('Ann is to see that Bob is there', async () => (await ann.say({type: 'relations'}, 'relations')).follows[0].here);
  console.log('Ann at node 1 sees Bob at node 2');
  await ann.say({type: 'logout', others: true}, 'done');
  await until('the phone at node 3 is to be logged out', () => !phone.isConnected);
  console.log('Ann at node 1 has logged her phone out at node 3');

  const declined = await ann.say({type: 'open', game: 'zorde', challenge: 'Bob'}, 'table');
  demand((await bob.told('challenges')).challenges[0].code === declined.code, 'Bob is told of another challenge');
  await bob.say({type: 'decline', code: declined.code}, 'done');
  await ann.told('closed');
  console.log('Bob was told of a challenge at node 1, and Ann that he declined it');

  const table = await ann.say({type: 'open', game: 'zorde', challenge: 'Bob', rated: true}, 'table');
  await bob.told('challenges');
  demand((await bob.say({type: 'join', code: table.code}, 'table')).node === 1, 'Bob is not sent to the table');
  demand((await bob.ask({type: 'join', code: table.code}, 'table')).state === 'running', 'the challenge does not begin');
  const moves = async player => (await player.told('position')).actions?.length > 0;
  const actor = await until('somebody is to act', async () => await moves(ann) ? ann : await moves(bob) ? bob : undefined);
  await actor.act(await actor.told('position'));
  await bench.nodes[0].end();
  console.log('they play; node 1 is killed');
  await bob.ask({type: 'return', code: table.code}, 'table');
  await bob.ask({type: 'resign'}, 'position');
  for (const node of [2, 3]) {
    const {ratings: [rating]} = await until('the match is to count', async () => {
      const profile = await get(node, '/api/v1/players/ann');
      return profile.ratings.length && profile;
    });
    demand(rating.rated === 1 && rating.wins === 1, `node ${node} counts ${JSON.stringify(rating)}`);
    const {matches} = await get(node, '/api/v1/players/bob/matches');
    demand(matches.length === 1 && matches[0].code === table.code && matches[0].result === 'lost', `node ${node} lists ${JSON.stringify(matches)}`);
  }
  const played = await bench.pair.primary.ask("select string_agg(account || ' ' || match || ' ' || seat, ', ') from played", 30000);
  demand(played.split(', ').length === 2, `it does not count once for each: ${played}`);
  await bench.nodes[0].start();

  bob.leave();
  await bob.connect(2);
  await bob.logIn(message => bob.send(message));
  const made = await bob.say({type: 'key', what: 'bot', name: 'Bobs bot'}, 'key');
  const file = join(bench.folder, 'token');
  writeFileSync(file, `${made.key}\n`, {mode: 0o600});
  bot = spawn('setpriv', ['--pdeathsig=KILL', bench.program, 'bot', `127.0.0.1:${bench.nodes[2].port}`, '--game', 'zorde', '--token-file', file, '--seconds', '240'], {stdio: 'ignore'});
  for (const node of [1, 2, 3])
    await until(`node ${node} is to list the program`, async () => (await get(node, '/api/v1/bots')).bots.some(({name}) => name === 'Bobs bot'));
  bob.leave();
  await bob.connect(2);
  await bob.logIn(message => bob.send(message));
  const duel = await bob.say({type: 'open', game: 'zorde', challenge: 'Bobs bot'}, 'table');
  const first = await bob.told('position'); // it was told at node 3, and came to node 2
  demand(first.code === duel.code, 'the program plays elsewhere');
  if (first.actions?.length > 0) await bob.act(first);
  else await until('the program is to act', () => bob.heard.some(message => message.type === 'position' && message.number > first.number));
  await bob.say({type: 'resign'}, 'position');
  console.log('a program at node 3 is listed at all nodes, and takes up a challenge at node 2');
  bot.kill('SIGKILL');
  await until('node 1 is to forget the program', async () => (await get(1, '/api/v1/bots')).bots.length === 0);

  /* Bob deletes his account at node 2: no node has his name any more, nor that of his program. */
  const ask = async (node, path) => (await fetch(`http://127.0.0.1:${bench.nodes[node - 1].port}${path}`)).text();
  const places = [`/api/match/${table.code}`, `/api/match/${duel.code}`, '/api/archive', '/api/archive?player=bob', '/api/v1/players/ann/matches', '/api/v1/bots', `/picture/${table.code}.svg`];
  await until('the duel is to be in the archive', async () => (await ask(3, `/api/match/${duel.code}`)).includes('Bobs bot'));
  await bob.say({type: 'leave'}, 'done');
  await bob.say({type: 'delete', name: 'bob'}, 'done');
  for (const node of [2, 1, 3])
    for (const place of places)
      demand(!/Bob/.test(await ask(node, place)), `node ${node} still has the name at ${place}`);
  demand((await ask(1, `/api/match/${table.code}`)).includes('"deleted player"') && (await ask(3, `/api/match/${duel.code}`)).includes('"deleted player"'), 'nothing is in place of the name');
  await until('all names are to be out of the database', async () => await bench.pair.primary.ask('select count(*) from erased') === '0');
  const named = await bench.pair.primary.ask("select count(*) from archive where position('Bob'::bytea in file) > 0 or position('Bob'::bytea in players) > 0", 30000);
  demand(named === '0', `${named} matches of the database have the name`);
  const apart = await bench.pair.primary.ask('select (select sum(bytes) from archive_size) - (select sum(octet_length(file)) from archive)', 30000);
  demand(apart === '0', `the size of the archive is not that of its files, by ${apart}`);
  for (const node of [1, 2, 3])
    for (const place of places)
      demand(!/Bob/.test(await ask(node, place)), `node ${node} has the name again at ${place}`);
  demand((await get(3, '/api/v1/players/bob')).error !== undefined && (await get(3, '/api/v1/players/Bobs%20bot')).error !== undefined, 'a deleted account has a profile');
  console.log('Bob at node 2 has deleted his account: no node and no table has his name or that of his program');
  fine = bench.problems.length === 0;
} catch (error) {
  console.log(error.stack);
} finally {
  bot?.kill('SIGKILL');
  await bench.close(fine);
}
console.log(fine ? 'people: one name, seen and challenged across nodes, a match that counts once after the loss of its node, and an account that is gone everywhere' : 'people: failed');
process.exit(fine ? 0 : 1);

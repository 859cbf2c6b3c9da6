// three.mjs -- three databases without a manager, as docs/cluster.md describes them under "Three databases": one standby is lost, then both, a person goes
// on with one copy, both come back, the primary is lost and the standby that is further is promoted by hand. Bots play at one node meanwhile:
// node tests/cluster/three.mjs [build/release]
import {execFile, spawn} from 'node:child_process';
import {chmodSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {Database, programs, sleep} from './databases.mjs';

const program = join(process.argv[2] ?? 'build/release', 'mashup');
if (!programs()) {
  console.log('no PostgreSQL here (Debian: postgresql-15): skipped');
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'mashup-three-'));
chmodSync(folder, 0o755);
const [a, b, c] = ['a', 'b', 'c'].map(name => new Database(name, folder));
let port = 0, failed = 0, node, bots;
function demand(truth, sentence) {
  console.log(`${truth ? 'ok    ' : 'FAILED'} ${sentence}`);
  failed += !truth;
}

/** What the node says at a path. */
async function get(path) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {signal: AbortSignal.timeout(2000)});
    return {status: answer.status, text: await answer.text()};
  } catch { return {status: 0, text: ''}; }
}
const actions = async () => Number(/^mashup_actions_total (\d+)/m.exec((await get('/metrics')).text)?.[1] ?? -1);
/** Do matches go on within this time? Two looks, because what was told last may still be counted. */
async function goesOn(ms) {
  const before = await actions(), began = Date.now();
  while (Date.now() - began < ms) {
    await sleep(200);
    if (await actions() > before + 5) return Date.now() - began;
  }
  return 0;
}
/** Sets whom commits wait for, by the line of the document. */
const names = (database, value) => database.ask(`alter system set synchronous_standby_names = '${value}'`).then(() => database.ask('select pg_reload_conf()'));
const until = async (truth, ms) => {
  for (const began = Date.now(); Date.now() - began < ms; await sleep(100)) if (await truth()) return true;
  return false;
};
const follows = (primary, count) => until(async () => await primary.ask("select count(*) from pg_stat_replication where state = 'streaming'") === String(count), 20000);

try {
  await a.init();
  await a.start();
  for (const standby of [b, c]) {
    await standby.copy(a, a.folder);
    await standby.start();
  }
  await follows(a, 2);
  await names(a, 'ANY 1 (b, c)');
  const place = `postgres:host=${[a, b, c].map(one => one.folder).join(',')} dbname=postgres user=mashup`;
  await promisify(execFile)(program, ['admin', 'store', 'upgrade', '--store', place]);
  node = spawn('setpriv', ['--pdeathsig=KILL', program, 'serve', '--address', '127.0.0.1', '--port', '0', '--data', join(folder, 'data'), '--store', place, '--node', '1', '--copies', '2', '--no-rates'],
    {stdio: ['ignore', 'pipe', 'ignore']});
  port = await new Promise(resolve => node.stdout.on('data', bytes => { const found = /ready at \S+:(\d+)/.exec(bytes); if (found) resolve(Number(found[1])); }));
  bots = spawn('setpriv', ['--pdeathsig=KILL', program, 'bot', `127.0.0.1:${port}`, '--game', 'zorde', '--preset', 'duel', '--seats', '8', '--pairs', '--matches', '100000', '--pace-ms', '50', '--seconds', '300'], {stdio: 'ignore'});
  demand(await goesOn(10000), 'matches are played with all three');
  await b.kill();
  demand(await goesOn(4000), 'one standby is gone: they go on');
  await c.kill();
  demand(await until(async () => (await get('/readyz')).text.includes('waiting for the database'), 6000), 'both are gone: /readyz says that it waits for the database');
  demand(!await goesOn(3000), 'and nothing goes on');
  await b.start();
  demand(await goesOn(12000), 'one is back: they go on');
  await b.kill();
  demand(await until(async () => (await get('/readyz')).status === 503, 6000), 'both are gone again');
  await names(a, '');
  demand(!await goesOn(4000), 'with --copies 2 they stand still also without the names');
  for (const standby of [b, c]) await standby.start();
  await follows(a, 2);
  await names(a, 'ANY 1 (b, c)');
  demand(await goesOn(12000), 'both are back, with their names: they go on');
  await a.kill();
  const places = await Promise.all([b, c].map(one => one.ask('select pg_last_wal_receive_lsn() - \'0/0\'')));
  const [next, other] = Number(places[0]) >= Number(places[1]) ? [b, c] : [c, b];
  await next.promote();
  await other.kill();
  other.follow(next.folder);
  await other.start();
  await names(next, `ANY 1 (a, ${other.name})`);
  demand(await goesOn(20000), `the primary is lost: ${next.name}, which is further (${places.join(', ')}), is promoted, and they go on there`);
  demand(!await next.ask('select 1 from pg_is_in_recovery() r where r'), `${next.name} takes writes`);
} catch (error) {
  demand(false, error.stack);
} finally {
  bots?.kill('SIGKILL');
  node?.kill('SIGKILL');
  for (const database of [a, b, c]) await database.close();
  rmSync(folder, {recursive: true, force: true});
}
console.log(failed ? `three databases: ${failed} failures` : 'three databases: as the document says');
process.exit(failed ? 1 : 0);

// tournament_limits.mjs -- each limit of `mashup tournament` with a program that breaks it, and the same program without the limit; no program outlives
// a tournament that is killed while it starts them: node tests/system/tournament_limits.mjs build/mashup
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const mashup = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'mashup-limits-test-'));
const pause = ms => new Promise(done => setTimeout(done, ms));
let failed = 0;

function demand(truth, sentence) {
  if (truth) return;
  failed++;
  console.error(`FAILED: ${sentence}`);
}

/** A bot in Perl that does something before each answer. */
const bot = (name, first) => writeFileSync(join(folder, name), `$| = 1; use IO::Socket::INET;
while (<STDIN>) { next unless /"actions":\\[\\{.*?"words":\\["([^"]*)"/; my $word = $1; ${first}; print "$word\\n"; }
`);
bot('eats.pl', 'push @hoard, "x" x (60 << 20) if @hoard < 5');
bot('burns.pl', 'my $until = (times)[0] + 0.6; while ((times)[0] < $until && (times)[0] < 1.8) { $x++ for 1 .. 100000 }');
bot('calls.pl', 'IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0], Timeout => 1)');

// --- Limits -------------------------------------------------------------------------------------------
let calls = 0;
const server = createServer(socket => { calls++; socket.on('error', () => {}); socket.destroy(); }).listen(0, '127.0.0.1');
await once(server, 'listening');
const canCut = ['unshare --net', 'unshare --map-root-user --net', 'bwrap --dev-bind / / --unshare-net'].some(way => spawnSync('sh', ['-c', `${way} true`]).status === 0);
const plan = players => writeFileSync(join(folder, 'plan.json'), JSON.stringify({game: 'zorde', turn_ms: 30000, startup_ms: 30000, players}));
/** What --check says of each player. */
async function check(players) {
  plan(players);
  const child = spawn(mashup, ['tournament', 'plan.json', '--check', '--jobs', '2'], {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']});
  let told = '';
  child.stdout.on('data', bytes => { told += bytes; });
  child.stderr.on('data', bytes => { told += bytes; });
  await once(child, 'close');
  return told;
}
const call = `perl calls.pl ${server.address().port}`;
const limited = await check([
  {name: 'Eats', exec: 'perl eats.pl', memory_mb: 150}, {name: 'Burns', exec: 'perl burns.pl', cpu_s: 1},
  ...(canCut ? [{name: 'Calls', exec: call, network: 'off'}] : []),
]);
demand(/^Eats +crashed: the program ended/m.test(limited), `memory_mb: ${limited}`);
demand(/^Burns +crashed: the program used up its time of the processor/m.test(limited), `cpu_s: ${limited}`);
demand(!canCut || (/^Calls +well/m.test(limited) && calls === 0), `network off: ${calls} calls came: ${limited}`);
const free = await check([{name: 'Eats', exec: 'perl eats.pl', memory_mb: 1000}, {name: 'Burns', exec: 'perl burns.pl', cpu_s: 60}, {name: 'Calls', exec: call}]);
demand([...free.matchAll(/^(Eats|Burns|Calls) +well/gm)].length === 3 && calls > 0, `without the limits: ${calls} calls: ${free}`);
server.close();

// --- Killed while it starts programs --------------------------------------------------------------------
const mark = `orphan-of-${process.pid}`;
/** The ids of processes whose command has the mark. */
const marked = () => readdirSync('/proc').filter(id => {
  try { return /^\d+$/.test(id) && +id !== process.pid && readFileSync(`/proc/${id}/cmdline`, 'latin1').includes(mark); } catch { return false; }
});
const sleeper = {exec: `perl -e 'sleep 1000' ${mark}`};
plan([{name: 'A', ...sleeper}, {name: 'B', ...sleeper}, {name: 'C', ...sleeper}]);
let starts = 0;
for (let i = 0; i < 8; i++) {
  const child = spawn(mashup, ['tournament', 'plan.json', '--output', `out${i}`, '--jobs', '6'], {cwd: folder, stdio: 'ignore'});
  const children = () => { try { return readdirSync(`/proc/${child.pid}/task`).flatMap(task => readFileSync(`/proc/${child.pid}/task/${task}/children`, 'utf8').split(' ').slice(0, -1)); } catch { return []; } };
  for (let tries = 0; tries < 5000 && children().length <= i; tries++) await pause(1);
  starts += children().length;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
for (let tries = 0; tries < 50 && marked().length > 0; tries++) await pause(100);
const left = spawnSync('sh', ['-c', 'command -v setpriv']).status === 0 ? marked() : [];
demand(starts > 8, `only ${starts} programs were started`);
demand(left.length === 0, `${left.length} of ${starts} programs outlived their tournament`);
for (const id of marked()) process.kill(+id, 'SIGKILL');

rmSync(folder, {recursive: true, force: true});
console.log(failed === 0 ? `tournament: memory, processor${canCut ? ' and network' : ' (network cannot be taken away here)'} are limited; ${starts} programs ended with their tournament` : `tournament: ${failed} failures`);
process.exit(failed === 0 ? 0 : 1);

// machines.mjs -- three machines as docs/cluster.md sets them up, on one: each is a container of systemd-nspawn with its own network,
// processes and systemd over a copy of this machine's disk in memory. Bots play through haproxy while whole machines are lost, hang or
// are cut off. Wants root, Debian 12 with postgresql-15, postgresql-15-auto-failover, pg-auto-failover-cli, haproxy and
// systemd-container, and `make deb build/release/cluster_bots build/release/cluster_check`.
//   node tests/cluster/machines.mjs up                        three machines, step by step as in the document
//   node tests/cluster/machines.mjs faults [NAME...]          the table of docs/cluster.md; without a name: all of them
//   node tests/cluster/machines.mjs start N                   one more machine, 10.0.0.1N, with nothing set up
//   node tests/cluster/machines.mjs at N COMMAND              runs a command as root in machine N; `postgres N COMMAND`: as postgres
//   node tests/cluster/machines.mjs down                      ends all of them
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {appendFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const ROOT = '/run/mashup-machines', NUMBERS = [1, 2, 3], PORT = 8081, TABLES = 20, PACE_MS = 250;
const STORE = 'postgres:postgresql://mashup@10.0.0.11,10.0.0.12/mashup?sslmode=require';
const MONITOR = "'postgres://autoctl_node:one-secret@10.0.0.13/pg_auto_failover?sslmode=require'";
const sleep = ms => new Promise(done => setTimeout(done, ms));
const sh = (command, ...rest) => execFileSync(command, rest, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']}).trim();
const attempt = (command, ...rest) => spawnSync(command, rest, {encoding: 'utf8'});

/** One machine. */
class Machine {
  constructor(number) { Object.assign(this, {number, name: `mash${number}`, address: `10.0.0.1${number}`, folder: join(ROOT, `mash${number}`)}); }
  /** Its network and its disk: what is written to it is kept in memory while the machine is off. */
  make() {
    sh('ip', 'netns', 'add', this.name);
    sh('ip', 'link', 'add', `v${this.name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.name);
    sh('ip', 'link', 'set', `v${this.name}`, 'master', 'mashbridge', 'up');
    sh('ip', '-n', this.name, 'addr', 'add', `${this.address}/24`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) sh('ip', '-n', this.name, 'link', 'set', device, 'up');
    mkdirSync(this.folder);
    sh('mount', '-t', 'tmpfs', 'none', this.folder);
    for (const part of ['up', 'work', 'root']) mkdirSync(join(this.folder, part));
    sh('mount', '-t', 'overlay', 'overlay', '-o', `lowerdir=/,upperdir=${this.folder}/up,workdir=${this.folder}/work`, `${this.folder}/root`);
    writeFileSync(`${this.folder}/root/etc/hostname`, `${this.name}\n`);
    writeFileSync(`${this.folder}/root/etc/machine-id`, '');
    mkdirSync(this.freezer, {recursive: true});
  }
  get freezer() { return `/sys/fs/cgroup/freezer/${this.name}`; }
  async start() {
    const log = openSync(join(this.folder, 'console'), 'a');
    spawn('sh', ['-c', `echo $$ >${this.freezer}/cgroup.procs; exec systemd-nspawn --directory=${this.folder}/root --boot --register=no --keep-unit --machine=${this.name} ` +
      `--uuid=${sh('cat', '/proc/sys/kernel/random/uuid')} --link-journal=no --network-namespace-path=/run/netns/${this.name} --console=pipe`],
    {stdio: ['ignore', log, log], detached: true}).unref();
    for (let i = 0; i < 100 && !/running|degraded/.test(this.run('systemctl is-system-running', true).stdout ?? ''); i++) await sleep(200);
  }
  /** Its first process, by which all others are reached and end. */
  get leader() {
    const container = attempt('pgrep', '-f', `nspawn.*--machine=${this.name} `).stdout.trim().split('\n')[0];
    return container && attempt('pgrep', '-P', container).stdout.trim().split('\n')[0];
  }
  /** Runs a command as root. */
  run(command, lenient) {
    const {leader} = this;
    const done = leader ? attempt('nsenter', '-t', leader, '-a', 'env', '-i', 'HOME=/root', 'LANG=C.UTF-8', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'bash', '-c', command) : {status: -1};
    if (done.status !== 0 && !lenient) throw new Error(`${this.name}: ${command}\n${done.stdout}${done.stderr}`);
    return done;
  }
  /** Runs a command as `postgres$` of the document. */
  postgres(command, lenient) {
    const quoted = `export PGDATA=/var/lib/postgresql/15/mashup PATH=/usr/lib/postgresql/15/bin:$PATH; ${command}`.replaceAll("'", "'\\''");
    return this.run(`su - postgres -c '${quoted}'`, lenient);
  }
  get isPrimary() { return this.postgres('psql -XAtc "select not pg_is_in_recovery()"', true).stdout?.trim() === 't'; }
  get isReady() { return this.run('curl -sf -m 2 localhost:1218/readyz', true).status === 0; }
  freeze(stands) { writeFileSync(`${this.freezer}/freezer.state`, stands ? 'FROZEN' : 'THAWED'); }
  cut(away) { sh('ip', 'link', 'set', `v${this.name}`, away ? 'down' : 'up'); }
  kill() { process.kill(Number(this.leader), 'SIGKILL'); }
}
const machines = NUMBERS.map(number => new Machine(number)), [first, second, third] = machines;

/** The steps of docs/cluster.md. */
async function setUp() {
  const here = resolve('.');
  const database = (machine, name) => `pg_autoctl create postgres --name ${name} --hostname ${machine.address} --auth scram-sha-256 --ssl-self-signed --monitor ${MONITOR}`;
  for (const machine of machines)
    machine.run(`cd ${here} && dpkg -i build/${deb()} && pg_dropcluster --stop 15 main && cp deploy/cluster/pgautofailover.service /etc/systemd/system/ && install -D -m 644 -t /usr/local/share/mashup deploy/cluster/*.sql &&
      printf 'PGDATA=/var/lib/postgresql/15/mashup\\nPGPASSWORD=two-secret\\n' >/etc/default/pgautofailover && chmod 600 /etc/default/pgautofailover`);
  third.postgres('pg_autoctl create monitor --hostname 10.0.0.13 --auth scram-sha-256 --ssl-self-signed');
  third.run('systemctl enable --now pgautofailover');
  await sleep(3000);
  third.postgres(`psql -d pg_auto_failover -f /usr/local/share/mashup/monitor.sql -c "alter role autoctl_node password 'one-secret'"`);
  first.postgres(database(first, 'a'));
  first.postgres("echo 'hostssl mashup mashup 10.0.0.0/24 scram-sha-256' >>$PGDATA/pg_hba.conf");
  first.run('systemctl enable --now pgautofailover');
  await sleep(5000);
  first.postgres(`psql -f /usr/local/share/mashup/database.sql -f /usr/local/share/mashup/rights.sql -c "alter role mashup password 'three-secret'" -c "alter role pgautofailover_replicator password 'two-secret'"`);
  first.postgres('pg_autoctl config set replication.password two-secret; (sleep 2; psql -c checkpoint) >/dev/null 2>&1 &');
  second.postgres(`PGPASSWORD=two-secret ${database(second, 'b')}`);
  second.postgres('pg_autoctl config set replication.password two-secret');
  second.run('systemctl enable --now pgautofailover');
  await healed(machines.slice(0, 2), () => first.isPrimary);
  first.run(`PGPASSWORD=three-secret mashup admin store upgrade --store '${STORE}'`);
  console.log(first.run(`PGPASSWORD=three-secret mashup admin store check --store '${STORE}'`).stdout);
  for (const {number, run} of machines.map(machine => ({number: machine.number, run: command => machine.run(command)})))
    run(`cd ${here} && sed -e s/=PASSWORD/=three-secret/ -e 's/--node 1/--node ${number}/' -e 's#wss://play.example/arena?node=1#ws://10.0.0.1:${PORT}/arena?node=${number}#' deploy/cluster/mashup.default >/etc/default/mashup &&
      chmod 600 /etc/default/mashup && systemctl enable --now mashup`);
  writeFileSync(join(ROOT, 'haproxy.cfg'), readFileSync('deploy/haproxy.cfg', 'utf8').replace('bind :80\n', `bind 10.0.0.1:${PORT}\n`).replace('maxconn 50000', 'maxconn 5000'));
  sh('haproxy', '-D', '-p', join(ROOT, 'haproxy.pid'), '-f', join(ROOT, 'haproxy.cfg'));
}

const deb = () => readdirSync('build').find(name => /^mashup_.*\.deb$/.test(name));
const ready = async machine => { for (let i = 0; i < 100 && !machine.isReady; i++) await sleep(200); };

/** Waits until there are a primary and a standby that every commit waits for, and all three nodes. */
async function healed(of = machines.slice(0, 2), nodes = () => machines.every(machine => machine.isReady)) {
  for (const end = Date.now() + 240000; Date.now() < end; await sleep(500)) {
    const primary = of.find(machine => machine.isPrimary);
    const copies = primary?.postgres(`psql -XAtc "select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')"`, true).stdout.trim();
    if (Number(copies) >= of.length - 1 && nodes()) return primary;
  }
  throw new Error('the machines do not come back');
}

/** kill -9 to every process of these names. */
const killAll = (machine, ...names) => machine.run(names.map(name => `pkill -9 -x ${name}`).join('; '), true);
/** Each: what is done to the primary's machine (or another); how long it lasts, in s; what ends it. */
const faults = {
  'node-killed': [p => { const m = other(p); m.run('systemctl mask --runtime mashup', true); killAll(m, 'mashup'); return m; }, 12, m => m.run('systemctl unmask --runtime mashup; systemctl reset-failed mashup; systemctl start mashup')],
  'node-killed-and-started': [p => killAll(other(p), 'mashup'), 12],
  'node-hangs': [p => { const m = other(p); m.run('pkill -STOP -x mashup'); return m; }, 16, m => m.run('pkill -CONT -x mashup', true)],
  'primary-and-manager-killed': [p => killAll(p, 'pg_autoctl', 'postgres'), 20],
  'primary-killed': [p => killAll(p, 'postgres'), 20],
  'primary-stopped': [p => { p.run('systemctl stop pgautofailover'); return p; }, 20, m => m.run('systemctl start pgautofailover')],
  'switchover': [() => third.postgres('pg_autoctl perform switchover', true), 10],
  'machine-lost': [p => { p.cut(true); p.kill(); return p; }, 30, async m => { m.cut(false); await m.start(); }],
  'machine-hangs': [p => { p.freeze(true); return p; }, 30, m => m.freeze(false)],
  'machine-cut': [p => { p.cut(true); return p; }, 30, m => m.cut(false)],
  'standby-killed': [p => killAll(standby(p), 'pg_autoctl', 'postgres'), 15],
  'monitor-machine-lost': [() => { third.cut(true); third.kill(); return third; }, 20, async m => { m.cut(false); await m.start(); }],
  'monitor-and-primary-killed': [p => { third.run('systemctl stop --no-block pgautofailover'); killAll(third, 'pg_autoctl', 'postgres'); killAll(p, 'pg_autoctl', 'postgres'); p.run('systemctl stop --no-block pgautofailover'); return p; }, 15,
    p => { third.run('systemctl start pgautofailover'); p.run('systemctl start pgautofailover'); }],
  'nodes-updated': [async () => { for (const machine of machines) { machine.run(`dpkg -i ${resolve('build', deb())}`); await ready(machine); } }, 5],
  'monitor-killed': [() => killAll(third, 'pg_autoctl', 'postgres'), 10],
};
const other = primary => machines.find(machine => machine !== primary && machine !== third) ?? third;
const standby = primary => primary === first ? second : first;

/** How long each open match stood at most after the fault, in s: the longest of its gaps between two positions told to anybody. */
function gaps(folder, from, to) {
  const told = new Map();
  for (const file of readdirSync(folder).filter(name => name.endsWith('.jsonl')))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(text => text.includes('"e":"told"'))) {
      const {t, m, o} = JSON.parse(line.replace(/"t":(\d+)/, '"t":"$1"'));
      told.set(m, [...told.get(m) ?? [], {at: Number(BigInt(t) - from) / 1e9, over: o === 1}]);
    }
  const end = Number(to - from) / 1e9, found = [];
  for (const list of told.values()) {
    list.sort((a, b) => a.at - b.at);
    if (list[0].at > 0 || (list.at(-1).over && list.at(-1).at < 0)) continue;
    let longest = 0;
    for (let i = 0; i < list.length; i++) {
      const next = list[i + 1]?.at ?? (list[i].over ? list[i].at : end);
      if (next > 0 && list[i].at < end) longest = Math.max(longest, next - list[i].at);
    }
    found.push(longest);
  }
  return found.sort((a, b) => a - b);
}

/** One fault under load, and whether everything that bots were told is kept. */
async function measure(name) {
  const [begin, seconds, heal] = faults[name], primary = await healed(), folder = mkdtempSync(join(tmpdir(), 'mashup-machines-'));
  const bots = spawn('setpriv', ['--pdeathsig=KILL', 'build/release/cluster_bots', `ws://10.0.0.1:${PORT}/arena`, String(TABLES), '1', folder, String(PACE_MS)], {stdio: ['ignore', 'ignore', 'inherit']});
  const ended = new Promise(done => bots.on('exit', done));
  await sleep(8000);
  const from = process.hrtime.bigint();
  writeFileSync(join(folder, 'faults'), `${from} ${name}\n`);
  const hit = await begin(primary);
  await sleep(seconds * 1000);
  await heal?.(hit);
  await sleep(10000);
  const to = process.hrtime.bigint();
  appendFileSync(join(folder, 'faults'), `${to} peace\n`);
  await healed();
  await sleep(15000);
  bots.kill('SIGTERM');
  const code = await ended, list = gaps(folder, from, to);
  const check = attempt('env', 'PGPASSWORD=three-secret', 'build/release/cluster_check', folder, STORE, '99');
  const s = value => `${value?.toFixed(1)} s`;
  console.log(`| ${name} | ${list.length} | ${s(list.at(-1))} | ${s(list[list.length >> 1])} | ${check.stdout.trim().split('\n').at(-1)}${code ? ', the bots ended badly' : ''} | load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]} |`);
  if (check.status !== 0) console.log(`${check.stdout}${check.stderr}\nhistories are in ${folder}`);
  else sh('rm', '-r', folder);
  return check.status === 0;
}

async function down() {
  const all = (existsSync(ROOT) ? readdirSync(ROOT) : []).map(name => Number(/^mash(\d)$/.exec(name)?.[1])).filter(Boolean);
  if (existsSync(join(ROOT, 'haproxy.pid'))) attempt('kill', readFileSync(join(ROOT, 'haproxy.pid'), 'utf8').trim());
  for (const machine of all.map(number => new Machine(number))) {
    if (existsSync(machine.freezer)) machine.freeze(false);
    if (machine.leader) machine.kill();
    for (let i = 0; i < 50 && machine.leader; i++) await sleep(100);
    for (const path of [`${machine.folder}/root`, machine.folder]) attempt('umount', '-l', path);
    attempt('ip', 'link', 'del', `v${machine.name}`);
    attempt('ip', 'netns', 'del', machine.name);
    attempt('rmdir', machine.freezer);
  }
  attempt('ip', 'link', 'del', 'mashbridge');
  attempt('rm', '-rf', ROOT);
}

const [command, ...words] = process.argv.slice(2);
if (command === 'up') {
  mkdirSync(ROOT);
  sh('ip', 'link', 'add', 'mashbridge', 'type', 'bridge');
  sh('ip', 'addr', 'add', '10.0.0.1/24', 'dev', 'mashbridge');
  sh('ip', 'link', 'set', 'mashbridge', 'up');
  for (const machine of machines) machine.make();
  await Promise.all(machines.map(machine => machine.start()));
  await setUp();
  await healed();
} else if (command === 'faults') {
  console.log('| what was done | matches | longest | median | everything that was told, replayed | load |\n|---|---|---|---|---|---|');
  let fine = true;
  for (const name of words.length ? words : Object.keys(faults)) fine = await measure(name) && fine;
  process.exitCode = fine ? 0 : 1;
} else if (command === 'start') {
  const machine = new Machine(Number(words[0]));
  machine.make();
  await machine.start();
} else if (command === 'at' || command === 'postgres') {
  const machine = new Machine(Number(words[0])), line = words.slice(1).join(' ');
  const done = command === 'at' ? machine.run(line, true) : machine.postgres(line, true);
  process.stdout.write(`${done.stdout ?? ''}${done.stderr ?? ''}`);
  process.exitCode = done.status;
} else if (command === 'down') {
  await down();
} else {
  console.log('usage: machines.mjs up | faults [NAME...] | start N | at N COMMAND | postgres N COMMAND | down');
  process.exitCode = 2;
}

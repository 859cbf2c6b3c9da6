// databases.mjs -- two PostgreSQL servers for tests/cluster, primary and synchronous standby, and what a manager does with them:
// promote, rewind, bring back. They run as an ordinary user in folders of their own and end with this process.
import {execFile, execFileSync, spawn} from 'node:child_process';
import {appendFileSync, chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const isRoot = process.getuid() === 0;
const settings = `listen_addresses = ''
fsync = off
max_connections = 100
shared_buffers = 32MB
max_wal_senders = 6
wal_log_hints = on
wal_level = replica
hot_standby = on
wal_keep_size = 128MB
max_wal_size = 128MB
log_checkpoints = off
log_min_messages = fatal
wal_receiver_status_interval = 1
wal_receiver_timeout = 5s
wal_sender_timeout = 5s
wal_retrieve_retry_interval = 100ms
client_connection_check_interval = 2s
idle_in_transaction_session_timeout = 5s
`;

/** The folder of PostgreSQL's programs; undefined = there is none. */
export function programs() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => b - a) : [];
  return versions.map(version => join(root, version, 'bin')).find(path => existsSync(join(path, 'initdb')));
}

/** An ordinary user: root may not run PostgreSQL. The words begin a command that ends with this process. */
const [uid, gid] = isRoot ? ['-u', '-g'].map(flag => Number(execFileSync('id', [flag, 'nobody']))) : [process.getuid(), process.getgid()];
const user = isRoot ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : [];
const wrapped = words => ['setpriv', [...user, '--pdeathsig=QUIT', ...words]];

/** Runs a program of PostgreSQL to its end. */
async function call(name, ...words) {
  const [command, list] = wrapped([join(programs(), name), ...words]);
  return promisify(execFile)(command, list, {timeout: 60000, cwd: '/'});
}

/** The children of a process. */
function children(pid) {
  return readdirSync('/proc').filter(entry => /^\d+$/.test(entry)).filter(entry => {
    try {
      return Number(readFileSync(`/proc/${entry}/stat`, 'utf8').replace(/^.*\) \S /s, '').split(' ')[0]) === pid;
    } catch { return false; }
  }).map(Number);
}

function signal(pid, name) {
  try { process.kill(pid, name); } catch { /* it has ended */ }
}

/** One server with its data. `disk`: a small disk of its own, for running out of space; it wants root. */
export class Database {
  constructor(name, root, disk) {
    Object.assign(this, {name, folder: join(root, name), disk: isRoot && disk});
    mkdirSync(this.folder);
    if (this.disk) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk}`, 'none', this.folder]);
    this.own(this.folder, 0o700);
    this.data = join(this.folder, 'data');
  }
  own(path, mode) {
    chownSync(path, uid, gid);
    chmodSync(path, mode);
  }
  async init() {
    await call('initdb', '-D', this.data, '-U', 'mashup', '-A', 'trust', '--no-sync', '--locale=C', '--encoding=UTF8');
    appendFileSync(join(this.data, 'postgresql.conf'), settings);
  }
  /** Copies another server, which this one follows from then on through the socket in `through`. */
  async copy(from, through) {
    rmSync(this.data, {recursive: true, force: true});
    await call('pg_basebackup', '-h', from.folder, '-U', 'mashup', '-D', this.data, '-X', 'stream', '-c', 'fast', '--no-sync');
    this.follow(through);
  }
  /** From its next start it is a standby of whoever answers at the socket in `through`. */
  follow(through) {
    const signalFile = join(this.data, 'standby.signal'), auto = join(this.data, 'postgresql.auto.conf');
    writeFileSync(signalFile, '');
    writeFileSync(auto, `primary_conninfo = 'host=${through} user=mashup application_name=${this.name}'\n`);
    this.own(signalFile, 0o600);
    this.own(auto, 0o600);
  }
  /** Starts it; it answers soon. */
  async start() {
    rmSync(join(this.data, 'postmaster.pid'), {force: true});
    const [command, list] = wrapped([join(programs(), 'postgres'), '-D', this.data, '-k', this.folder]);
    const log = openSync(`${this.folder}.log`, 'a');
    const child = this.child = spawn(command, list, {stdio: ['ignore', log, log], cwd: '/'});
    closeSync(log);
    child.on('exit', () => { if (this.child === child) this.child = undefined; });
    for (let i = 0; i < 600 && this.child; i++, await sleep(50))
      if (await this.ask('select 1') === '1') return true;
    return false;
  }
  /** The first value of a statement's answer; undefined = there was none in time. */
  async ask(sql, timeout = 3000) {
    try {
      const {stdout} = await promisify(execFile)('psql', ['-h', this.folder, '-U', 'mashup', '-d', 'postgres', '-XAtqc', sql],
        {timeout, env: {...process.env, PGCONNECT_TIMEOUT: '2'}});
      return stdout.trim();
    } catch { return undefined; }
  }
  get runs() { return this.child !== undefined; }
  /** kill -9 to all its processes. */
  async kill() {
    const {child} = this;
    if (!child) return;
    signal(child.pid, 'SIGSTOP');
    for (const pid of children(child.pid)) signal(pid, 'SIGKILL');
    signal(child.pid, 'SIGKILL');
    while (this.child === child) await sleep(10);
  }
  /** All its processes stand still, or go on. */
  freeze(stands) {
    if (!this.child) return;
    for (const pid of [this.child.pid, ...children(this.child.pid)]) signal(pid, stands ? 'SIGSTOP' : 'SIGCONT');
  }
  async promote() { await call('pg_ctl', 'promote', '-D', this.data, '-w'); }
  /** Becomes like its successor again: what only it had is gone; then it follows it. */
  async rewind(primary, through) {
    await this.kill();
    if (existsSync(join(this.data, 'standby.signal'))) rmSync(join(this.data, 'standby.signal'));
    try {
      await primary.ask('checkpoint', 60000); // its new timeline is in its control file by then, which pg_rewind reads
      await call('pg_rewind', '--no-sync', '-D', this.data, '--source-server', `host=${primary.folder} user=mashup dbname=postgres`);
      this.follow(through);
      if (await this.start()) return true;
    } catch { /* then it is copied */ }
    await this.kill();
    await this.copy(primary, through);
    return this.start();
  }
  /** Nobody can write any more: the rest of its small disk is filled; or there is room again. */
  fill(full) {
    const file = join(this.folder, 'filler');
    rmSync(file, {force: true});
    for (let size = 1 << 24; full && size >= 1; size >>= 1) {
      const block = Buffer.alloc(size);
      try { while (statfsSync(this.folder).bfree > 0) appendFileSync(file, block); } catch { /* smaller blocks fill the rest */ }
    }
  }
  async close() {
    await this.kill();
    if (this.disk) execFileSync('umount', ['-l', this.folder]);
  }
}

/** Primary and standby, and who is which. `through` names the folder in which a standby finds the socket of a server. */
export class Pair {
  constructor(a, b, through) { Object.assign(this, {primary: a, standby: b, through}); }
  async open() {
    await this.primary.init();
    await this.primary.start();
    await this.standby.copy(this.primary, this.through(this.primary));
    await this.standby.start();
    await this.keepTwo(true);
    return this.inStep();
  }
  /** Commits wait for the standby, or they do not: what a manager switches when it is lost and found. */
  async keepTwo(wanted) {
    await this.primary.ask(`alter system set synchronous_standby_names = '${wanted ? '*' : ''}'`);
    await this.primary.ask('select pg_reload_conf()');
  }
  /** Waits until the standby has all. */
  async inStep() {
    for (const end = Date.now() + 30000; Date.now() < end; await sleep(100))
      if (await this.primary.ask("select count(*) from pg_stat_replication where state = 'streaming' and sync_state = 'sync' and flush_lsn >= pg_current_wal_flush_lsn() - 65536") === '1') return true;
    return false;
  }
  /** The standby becomes the primary. */
  async promote() {
    await this.standby.promote();
    [this.primary, this.standby] = [this.standby, this.primary];
  }
  /** The server that was lost follows the other from now on, and every commit waits for it again. */
  async rejoin() {
    await this.standby.rewind(this.primary, this.through(this.primary));
    for (let i = 0; i < 100 && await this.primary.ask("select count(*) from pg_stat_replication where state = 'streaming'") !== '1'; i++) await sleep(100);
    await this.keepTwo(true);
    return this.inStep();
  }
}

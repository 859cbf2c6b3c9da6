// bench.mjs -- the test bench of tests/cluster: databases, wires, nodes and bots of one run, all in a folder of its own.
import {execFile, spawn} from 'node:child_process';
import {appendFileSync, chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {Database, Pair, sleep} from './databases.mjs';
import {DatabaseWire, Door} from './wires.mjs';

export const NODES = 3;
const DISK = '700m';

/** What must not be left in the database when all matches are over; tables that wait for a second player have one record. */
const left = {
  'matches are in the archive and still open': 'match where id in (select id from archive)',
  'matches are still open': 'match m where (select count(*) from journal j where j.n = m.n) > 1',
  'records belong to no match': 'journal where n not in (select n from match)',
};

/** A node: a process of `mashup serve` that is started again when another node has taken its matches, as systemd would. */
class ServerNode {
  constructor(bench, number) {
    Object.assign(this, {bench, number, port: 0, log: join(bench.folder, `node-${number}.log`), wanted: false, deposed: 0});
    this.jump = join(bench.folder, `jump-${number}`);
  }
  async start() {
    const {bench, number} = this;
    const hosts = bench.databases.map(database => bench.hostOf(number, database)).join(',');
    const words = ['--pdeathsig=KILL', bench.program, 'serve', '--address', '127.0.0.1', '--port', String(this.port), '--data', join(bench.folder, `data-${number}`),
      '--store', `postgres:host=${hosts} dbname=postgres user=mashup`, '--node', String(number), '--url', `ws://127.0.0.1:${bench.port}/arena?node=${number}`,
      '--copies', String(bench.copies), '--no-rates', '--address-tables', '100000', '--address-sockets-max', '9000', '--address-matches-per-day', '1000000',
      '--address-megabytes-per-day', '100000', '--address-messages', '1000000', ...bench.flags];
    const log = openSync(this.log, 'a');
    const env = {...process.env};
    if (bench.library && number === NODES) Object.assign(env, {LD_PRELOAD: bench.library, MASHUP_JUMP: this.jump});
    const child = this.child = spawn('setpriv', words, {stdio: ['ignore', 'pipe', log], env});
    this.wanted = true;
    const ready = new Promise(resolve => {
      let text = '';
      child.stdout.on('data', bytes => {
        text += bytes;
        const found = /ready at \S+:(\d+)\n/.exec(text);
        if (!found) return;
        this.port = bench.door.ports[number - 1] = Number(found[1]);
        resolve(true);
      });
      child.on('exit', (code, signal) => {
        this.child = undefined;
        resolve(false);
        this.ended(code, signal);
      });
    });
    return ready;
  }
  /** It has ended: by our doing, because it was replaced (code 3), or wrongly. */
  ended(code, signal) {
    if (!this.wanted) return;
    if (code === 3) this.deposed++;
    // 1: it could not start, because the database was just away; systemd tries again.
    else if (code !== 1 || !/does not let this node in|cannot be opened|could not connect|connection to server/.test(readFileSync(this.log, 'utf8').slice(-2000)))
      this.bench.problem(`node ${this.number} ended with ${code ?? signal}: ${readFileSync(this.log, 'utf8').slice(-600)}`);
    setTimeout(() => { if (this.wanted && !this.child) this.start(); }, 1000);
  }
  /** kill -9, or an orderly end, and it stays away until start(). */
  async end(signal = 'SIGKILL') {
    const {child} = this;
    this.wanted = false;
    if (!child) return 0;
    child.kill(signal);
    child.kill('SIGCONT');
    const began = Date.now();
    while (this.child === child && Date.now() - began < 30000) await sleep(10);
    if (this.child === child) this.bench.problem(`node ${this.number} did not end`);
    return child.exitCode;
  }
  stop(stands) { this.child?.kill(stands ? 'SIGSTOP' : 'SIGCONT'); }
}

/** Everything that runs. */
export class Bench {
  constructor({tables, seed, copies, pace, program, bots, check, keep, flags = []}) {
    Object.assign(this, {tables, seed, copies, pace, program, botsProgram: bots, checkProgram: check, keep, flags, problems: []});
    this.folder = mkdtempSync(join(tmpdir(), 'mashup-cluster-'));
    chmodSync(this.folder, 0o755);
    this.history = join(this.folder, 'history');
    mkdirSync(this.history);
    writeFileSync(join(this.history, 'faults'), '');
  }
  problem(sentence) {
    this.problems.push(sentence);
    console.log(`BROKEN ${sentence}`);
  }
  /** The folder of the socket by which a node, or a standby (0), reaches a database. */
  hostOf(number, database) { return join(this.folder, `wire-${number}-${database.name}`); }
  wire(number, database) { return this.wires.get(`${number}-${database.name}`); }
  async open() {
    this.databases = ['a', 'b'].map(name => new Database(name, this.folder, DISK));
    this.wires = new Map();
    for (let number = 0; number <= NODES; number++)
      for (const database of this.databases) {
        const wire = new DatabaseWire(join(database.folder, '.s.PGSQL.5432')), path = join(this.hostOf(number, database), '.s.PGSQL.5432');
        mkdirSync(this.hostOf(number, database));
        await wire.listen(path, path);
        this.wires.set(`${number}-${database.name}`, wire);
      }
    this.pair = new Pair(...this.databases, database => this.hostOf(0, database));
    if (!await this.pair.open()) throw new Error('the standby does not follow');
    this.place = `postgres:host=${this.databases.map(database => database.folder).join(',')} dbname=postgres user=mashup`;
    await promisify(execFile)(this.program, ['admin', 'store', 'upgrade', '--store', this.place], {timeout: 20000}); // the wires work meanwhile
    this.door = new Door(Array(NODES).fill(1));
    this.port = (await this.door.listen({port: 0, host: '127.0.0.1'})).port;
    this.nodes = Array.from({length: NODES}, (_, i) => new ServerNode(this, i + 1));
    for (const node of this.nodes) if (!await node.start()) throw new Error(`a node does not start: ${readFileSync(node.log, 'utf8')}`);
    this.bots = spawn('setpriv', ['--pdeathsig=KILL', this.botsProgram, `ws://127.0.0.1:${this.port}/arena`, String(this.tables), String(this.seed), this.history, String(this.pace)],
      {stdio: ['ignore', 'pipe', 'inherit']});
    this.botsText = '';
    this.bots.stdout.on('data', bytes => { this.botsText += bytes; });
    this.botsEnded = new Promise(resolve => this.bots.on('exit', resolve));
  }
  /** A fault begins, or the peace after the last one. */
  mark(name) { appendFileSync(join(this.history, 'faults'), `${process.hrtime.bigint()} ${name}\n`); }
  /** All ends in good order: bots, nodes; then the histories are compared with what is kept. */
  async settle() {
    this.bots.kill('SIGTERM');
    if (await this.botsEnded !== 0) this.problem('the bots ended badly');
    console.log(this.botsText.trim());
    if (this.botsText.includes('timeout')) this.problem('not all matches could be ended');
    for (const node of this.nodes) {
      const code = await node.end('SIGTERM');
      if (code !== 0) this.problem(`node ${node.number} ended with ${code}: ${readFileSync(node.log, 'utf8').slice(-600)}`);
      if (/TWO WRITERS|assert/i.test(readFileSync(node.log, 'utf8'))) this.problem(`node ${node.number} shouts: see ${node.log}`);
    }
    for (const [what, sql] of Object.entries(left)) {
      const count = await this.pair.primary.ask(`select count(*) from ${sql}`);
      if (count !== '0') this.problem(`S7 end kept: ${count} ${what}`);
    }
    const place = `postgres:host=${this.pair.primary.folder} dbname=postgres user=mashup`;
    const child = spawn(this.checkProgram, [this.history, place, '99'], {stdio: ['ignore', 'inherit', 'inherit']});
    const code = await new Promise(resolve => child.on('exit', resolve));
    return code === 0 && this.problems.length === 0;
  }
  async close(fine) {
    this.bots?.kill('SIGKILL');
    for (const node of this.nodes ?? []) await node.end();
    for (const database of this.databases ?? []) await database.close();
    for (const wire of this.wires?.values() ?? []) wire.close();
    this.door?.close();
    if (fine && !this.keep) rmSync(this.folder, {recursive: true, force: true});
    else console.log(`histories and logs are in ${this.folder}`);
  }
}

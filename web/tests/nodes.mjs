// nodes.mjs -- the page at a server of two nodes behind one address: two people at two nodes meet, and go on playing when their node is lost.
// Usage: node web/tests/nodes.mjs   Skipped with a word where there is no PostgreSQL (Debian: postgresql-15).
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, newPerson, openBrowser, summary, test } from './server.mjs';
import { acted, closeHelp, startMatch, waitForTurn } from './steps.mjs';

const only = process.argv[2];
const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : [];
const programs = `/usr/lib/postgresql/${versions.at(-1)}/bin`;
/** PostgreSQL refuses root: then it runs as nobody. */
const someone = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** A database in a temporary folder, over a socket in it. */
class TestDatabase {
  async open() {
    this.folder = mkdtempSync(join(tmpdir(), 'mashup-pg-'));
    if (someone.uid) chownSync(this.folder, someone.uid, someone.gid);
    execFileSync(`${programs}/initdb`, ['-D', this.folder, '-U', 'mashup', '-A', 'trust', '--no-sync', '--locale=C', '--encoding=UTF8'], { ...someone, cwd: '/', stdio: 'ignore' });
    appendFileSync(`${this.folder}/postgresql.conf`, "listen_addresses = ''\nfsync = off\n");
    this.process = spawn(`${programs}/postgres`, ['-D', this.folder, '-k', this.folder], { ...someone, cwd: '/', stdio: 'ignore' });
    this.place = `postgres:postgresql://mashup@/postgres?host=${this.folder}`;
    for (let tries = 0; ; tries++) {
      try {
        execFileSync('build/mashup', ['admin', 'store', 'upgrade', '--store', this.place], { stdio: 'ignore' });
        return this;
      } catch (error) {
        if (tries === 100) throw error;
        await wait(100);
      }
    }
  }
  async close() {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGINT');
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One node. */
class Node {
  constructor(number, database) {
    this.number = number;
    this.database = database;
    this.data = mkdtempSync(join(tmpdir(), 'mashup-node-'));
  }
  async open() {
    this.process = spawn('build/mashup', ['serve', '--port', '0', '--address', '127.0.0.1', '--data', this.data, '--no-rates', '--log-level', 'error',
      '--store', this.database.place, '--node', String(this.number)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise((done) => this.process.stdout.once('data', (bytes) => done(String(bytes))));
    this.port = Number(/:(\d+)\s*$/.exec(line)[1]);
    return this;
  }
  /** How many matches run here. */
  async running() {
    const text = await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text();
    return Number(/^mashup_tables\{state="running"\} (\d+)/m.exec(text)[1]);
  }
  async kill() {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGKILL');
    this.port = 0;
    await gone;
  }
  async close() {
    if (this.port) await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** One address for all nodes, as deploy/haproxy.cfg has it: `?node=N` goes to that node if it is up, all else to the next one in turn. */
class Front {
  constructor(nodes) {
    let turn = 0;
    this.server = createServer((near) => {
      near.on('error', () => {});
      near.once('data', (first) => {
        const wanted = Number(/^GET \S*[?&]node=(\d+)/.exec(String(first))?.[1]);
        const up = nodes.filter((node) => node.port);
        const node = up.find(({ number }) => number === wanted) ?? up[turn++ % up.length];
        const far = connect(node.port, '127.0.0.1');
        far.on('error', () => near.destroy());
        far.on('close', () => near.destroy());
        near.on('close', () => far.destroy());
        far.write(first);
        near.pipe(far).pipe(near);
      });
    });
  }
  async open() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }
}

/** Whoever is to act does so; the other sees it. */
async function oneTurn(ann, bob) {
  const [actor, watcher] = (await waitForTurn(ann, bob)) === ann ? [ann, bob] : [bob, ann];
  const before = await watcher.locator('.log li').count();
  await acted(actor);
  await watcher.waitForFunction((n) => document.querySelectorAll('.log li').length > n, before);
}

/** A line of the chat. */
const said = (page, text) => page.locator('li', { hasText: text });

/** Says something to the other. */
async function say(page, text) {
  await page.locator('.tab-chat').click();
  await page.fill('#chat-line', text);
  await page.keyboard.press('Enter');
  await said(page, text).waitFor();
}

/** Match and seat, as the server has said them last. */
const seat = (page) => page.evaluate(() => {
  const [{ code, seat: own }] = JSON.parse(localStorage.getItem('mashup.seats'));
  return `${own} of ${code}`;
});

/** The units on the board, each with its place, as soon as none moves. */
async function units(page) {
  for (let before; ; await wait(200)) {
    const all = await page.$$eval('.stage .token', (tokens) => tokens.map((token) => `${token.dataset.unit} at ${token.style.transform}`).sort().join('; '));
    if (all === before) return all;
    before = all;
  }
}

if (versions.length === 0) {
  console.log('no PostgreSQL here: the page is not tested with two nodes');
  process.exit(0);
}

await test('two nodes: people meet, and go on with the same board when their node is lost', only, async () => {
  const database = await new TestDatabase().open();
  const nodes = [await new Node(1, database).open(), await new Node(2, database).open()];
  const front = await new Front(nodes).open();
  const browser = await openBrowser();
  try {
    const [ann, bob] = [await newPerson(browser, front, { name: 'Ann' }), await newPerson(browser, front, { name: 'Bob' })];
    await startMatch(ann, front, 'zorde', 'quick');
    await ann.waitForSelector('.searching');
    await startMatch(bob, front, 'zorde', 'quick');
    for (const page of [ann, bob]) await page.waitForSelector('.match');
    for (const page of [ann, bob]) await closeHelp(page);
    await oneTurn(ann, bob);
    const at = (await nodes[0].running()) === 1 ? nodes[0] : nodes[1];
    check((await at.running()) === 1, 'one of them has the match');
    await say(ann, 'well met');
    await bob.locator('.tab-chat').click();
    await said(bob, 'well met').waitFor();
    for (const page of [ann, bob]) await page.locator('.tab-log').click();
    const seats = new Map(await Promise.all([ann, bob].map(async (page) => [page, await seat(page)])));
    check(seats.get(ann) !== seats.get(bob), 'each has a seat');
    const lines = await ann.locator('.log li').count();
    const before = new Map([[ann, await units(ann)], [bob, await units(bob)]]);
    check(before.get(ann).includes('; '), 'there are units on the board');
    await at.kill();
    for (const page of [ann, bob]) await page.getByText('Connection lost. Reconnecting').waitFor();
    for (const page of [ann, bob]) await page.getByText('Connection lost. Reconnecting').waitFor({ state: 'detached', timeout: 60000 });
    check((await ann.textContent('body')).includes('Reconnected'), 'Ann is told that she is back');
    check((await ann.locator('.log li').count()) >= lines, 'with the same match');
    for (const page of [ann, bob]) check((await units(page)) === before.get(page), `with the same board: ${before.get(page)}`);
    for (const page of [ann, bob]) check((await seat(page)) === seats.get(page), `in the same seat: ${seats.get(page)}`);
    for (const page of [ann, bob]) {
      await page.locator('.tab-chat').click();
      check((await said(page, 'well met').count()) === 1, 'with the same chat, and each line once');
    }
    await say(bob, 'that was quick');
    await said(ann, 'that was quick').waitFor();
    for (const page of [ann, bob]) await page.locator('.tab-log').click();
    await oneTurn(ann, bob);
    await oneTurn(ann, bob);
  } finally {
    await browser.close();
    for (const node of nodes) await node.close();
    front.server.close();
    await database.close();
  }
});

process.exit(summary());

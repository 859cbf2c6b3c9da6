// server.mjs -- what the tests of the page share: the real server on a free port with data of its own, Chromium, checks.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { connect, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';

/** One server process. */
export class TestServer {
  constructor() {
    this.data = mkdtempSync(join(tmpdir(), 'mashup-page-'));
    this.port = 0;
    this.env = {};
  }

  /** Starts it, at the same port as before if it ran already. Who leaves may stay away for long: no match ends by itself because the machine
   * is busy. */
  async open(...flags) {
    this.process = spawn('build/mashup', ['serve', '--port', String(this.port), '--address', '127.0.0.1', '--data', this.data, '--fast',
      '--no-rates', ...(flags.includes('--grace-seconds') ? [] : ['--grace-seconds', '600']), '--log-level', 'warning', ...flags], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...this.env } });
    const line = await new Promise((done, failed) => {
      let text = '';
      this.process.stdout.on('data', (bytes) => { text += bytes; if (text.includes('\n')) done(text); });
      this.process.once('exit', (code) => failed(new Error(`the server ended with ${code}: ${text}`)));
    });
    this.port = Number(/:(\d+)\s*$/.exec(line)[1]);
    this.url = `http://127.0.0.1:${this.port}`;
    return this;
  }

  /** Ends it at once, as a power cut would. */
  async kill() {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.removeAllListeners('exit');
    this.process.once('exit', () => {});
    this.process.kill('SIGKILL');
    await Promise.race([gone, new Promise((done) => setTimeout(done, 300))]);
  }

  async close() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** A cable between people and the server that can be cut and mended, and that may be made long: what comes from now on takes `delay`
 * milliseconds each way and up to `jitter` more, in order. */
export class Cable {
  constructor(server) {
    this.delay = 0;
    this.jitter = 0;
    this.held = null;
    this.sockets = new Set();
    this.whole = true;
    this.server = createServer((near) => {
      if (!this.whole) return near.destroy();
      const far = connect(server.port, '127.0.0.1');
      for (const [one, other] of [[near, far], [far, near]]) {
        this.sockets.add(one);
        this.carry(one, other);
        one.on('error', () => {});
        /* What was said before the end still comes: only a cable that is cut, or an end that breaks, ends at once. */
        one.on('close', (broken) => {
          this.sockets.delete(one);
          if (broken || !this.whole) other.destroy();
        });
      }
    });
  }
  /** Hands on what one end says, late if the cable is long. */
  carry(one, other) {
    let ready = 0;
    /* Timers that are due at the same time may fire in another order than they were set in: each hands on what has waited longest. */
    const waiting = [];
    const after = (act) => {
      if (this.held) return this.held.push(() => after(act));
      ready = Math.max(ready, Date.now() + this.delay + Math.random() * this.jitter);
      if (ready <= Date.now() && waiting.length === 0) return act();
      waiting.push(act);
      setTimeout(() => waiting.shift()(), Math.max(0, ready - Date.now()));
    };
    one.on('data', (bytes) => after(() => other.destroyed || other.write(bytes)));
    one.on('end', () => after(() => other.end()));
  }
  async open() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }
  /** From now on nothing comes through, either way, until it is let through in order. */
  hold() {
    this.held = [];
  }
  release() {
    const held = this.held;
    this.held = null;
    held.forEach((act) => act());
  }
  cut() {
    this.whole = false;
    for (const socket of this.sockets) socket.destroy();
  }
  mend() {
    this.whole = true;
  }
  close() {
    this.cut();
    this.server.close();
  }
}

/** How many times slower than usual every page is (PAGE_SLOW=6), and so how much longer than usual is waited for anything. */
export const slow = Number(process.env.PAGE_SLOW ?? 1);
/** So many ms is waited for what should come soon. */
const patience = 30000 * slow;

/** Waits until it is so: a look at a page right after something was done there may come before the page has drawn it. If it does not become so,
 * `what` is told: a sentence, or a function that makes one of how it is then. */
export async function until(so, what) {
  for (const end = Date.now() + patience; !(await so());) {
    if (Date.now() > end) throw new Error(typeof what === 'function' ? await what() : what);
    await new Promise((done) => setTimeout(done, 30));
  }
}

/** Chromium without a window. */
export async function openBrowser() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  if (process.env.PAGE_COVERAGE) {
    const close = browser.close.bind(browser);
    browser.close = async () => {
      for (const context of browser.contexts()) await context.close();
      await close();
    };
  }
  return browser;
}

/** For tools/coverage-page: what of the page's scripts ran, written when the context closes. */
async function gather(page, context) {
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  const close = context.close.bind(context);
  context.close = async () => {
    const scripts = await page.coverage.stopJSCoverage().catch(() => []);
    const name = `${process.env.PAGE_COVERAGE}/page-${process.pid}-${Math.random().toString(36).slice(2)}.json`;
    writeFileSync(name, JSON.stringify({ result: scripts.map(({ url, functions }) => ({ url, functions })) }));
    await close();
  };
}

/** With PAGE_SLOW=6 a page works six times slower: what a test reads too early, it then reads too early every time. */
async function slowDown(page) {
  if (slow > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slow });
}

/** A page of a new person, who sees English, no motion and no story. Errors of the page are gathered in page.errors. */
export async function newPerson(browser, server, { name = 'Ann', viewport = { width: 1440, height: 900 }, ...more } = {}) {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', locale: 'en-GB', ...more });
  present.add(context);
  context.once('close', () => present.delete(context));
  await context.addInitScript((who) => {
    if (localStorage.getItem('mashup.name') === null) localStorage.setItem('mashup.name', JSON.stringify(who));
    if (localStorage.getItem('mashup.intro') === null) localStorage.setItem('mashup.intro', 'false');
  }, name);
  const page = await context.newPage();
  await slowDown(page);
  context.on('page', slowDown);
  if (process.env.PAGE_COVERAGE) await gather(page, context);
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.stack || String(error)));
  page.on('console', (message) => message.type() === 'error' && page.errors.push(`${message.text()} (${message.location().url})`));
  context.setDefaultTimeout(patience);
  if (server) await page.goto(server.url);
  return page;
}

/** Waits until what was asked of the page is drawn, and what follows a drawing has begun. */
export async function drawn(page) {
  await page.evaluate(() => new Promise((done) => {
    const later = (times) => (times > 0 ? requestAnimationFrame(() => setTimeout(later, 0, times - 1)) : done());
    later(2);
  }));
}

/** Lets so many ms pass on the page's own clock: what it was to do within them it has done then, however slow it is. */
export async function pageTime(page, ms) {
  await page.evaluate((time) => new Promise((done) => setTimeout(done, time)), ms);
}

/** Those who came and have not gone. */
const present = new Set();
let passed = 0;
let failed = 0;

/** Pictures of what everybody sees, for who looks for the reason of a failure. */
async function photograph() {
  const pages = [...present].flatMap((context) => context.pages());
  for (const [at, page] of pages.entries()) {
    const path = `build/failed-${basename(process.argv[1], '.mjs')}-${failed}-${at}.png`;
    await page.screenshot({ path, timeout: 10000 }).then(() => console.log(`        ${path}: ${page.url()}`), () => {});
  }
}

/** Runs one test and says how it went. `only` picks by a part of the name: node web/tests/core.mjs invite
 * With SHORT=1 only those run that belong to the short form. Where CI is set, a test that fails is run once more: if it passes then,
 * it is said to be flaky, with what failed. */
export async function test(name, only, run, { short = false } = {}) {
  if ((only && !name.includes(only)) || (process.env.SHORT && !short)) return;
  for (let tries = process.env.CI ? 2 : 1; tries > 0; tries--) {
    const began = Date.now();
    try {
      await run();
      passed++;
      console.log(`ok      ${String(((Date.now() - began) / 1000).toFixed(1)).padStart(5)}s  ${name}`);
      tries = 0;
    } catch (error) {
      console.log(`${tries > 1 ? 'flaky?' : 'FAILED'}  ${name}\n${error.stack ?? error}`);
      await photograph();
      if (tries === 1) failed++;
    }
    /* Nobody is left at a table for the next test to meet. */
    for (const context of present) await context.close().catch(() => {});
  }
}

/** Demands something. */
export function check(good, what) {
  if (!good) throw new Error(what);
}

/** Prints the sum; the exit code. */
export function summary() {
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Runs with the page of a new person, who must see no error. */
export async function withPerson(browser, server, run, more = {}) {
  const page = await newPerson(browser, server, more);
  await run(page);
  check(page.errors.length === 0, `errors on the page: ${page.errors.join('; ')}`);
  await page.context().close();
}

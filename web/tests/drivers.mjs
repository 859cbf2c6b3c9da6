// drivers.mjs -- Firefox and WebKit as Debian has them, behind one interface: Firefox by WebDriver BiDi over its own WebSocket, WebKit by
// WebDriver over HTTP. A browser gives people; a person has a page, and evaluates, clicks and types in it.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';

const WAIT_MS = 60_000;
const EVERY_MS = 30;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** A function of the page with its arguments, as an expression that gives JSON. */
function expression(run, args) {
  return `JSON.stringify((${run})(${args.map((one) => JSON.stringify(one)).join(', ')}) ?? null)`;
}

/** Pointer and key movements in the form that both protocols share. */
function mouse(x, y, press) {
  const click = press ? [{ type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }] : [];
  return [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }, ...click] }];
}
function keysOf(text) {
  return [{ type: 'key', id: 'keys', actions: [...text].flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]) }];
}
export const ENTER = '\uE007';

/** One person at one page, whatever drives it: `send` evaluates, goes or points. */
class Person {
  constructor(drive) {
    this.drive = drive;
  }
  goto(url) {
    return this.drive.goto(url);
  }
  /** What a function gives in the page; it and its arguments go there as text. */
  async evaluate(run, ...args) {
    return JSON.parse(await this.drive.evaluate(expression(run, args)));
  }
  /** Waits until a function of the page gives something. */
  async until(run, ...args) {
    for (const end = Date.now() + WAIT_MS; ;) {
      const found = await this.evaluate(run, ...args).catch((error) => { if (Date.now() > end) throw error; });
      if (found) return found;
      if (Date.now() > end) throw new Error(`it did not come true: (${run})(${args.map((one) => JSON.stringify(one)).join(', ')})`);
      await pause(EVERY_MS);
    }
  }
  /** Waits for what a selector names (and that has this text in it). */
  see(selector, text = '') {
    return this.until((wanted, words) => [...document.querySelectorAll(wanted)].some((one) => one.textContent.includes(words)), selector, text);
  }
  /** Clicks on the middle of the first thing that is there, visible and enabled: points at it until it stands still under the pointer,
   * since what is pointed at decides what else is shown. */
  async click(selector, text = '') {
    const place = () => this.until((wanted, words) => {
      const found = [...document.querySelectorAll(wanted)].find((one) => one.textContent.includes(words) && !one.disabled && one.getClientRects().length > 0);
      found?.scrollIntoView({ block: 'nearest' });
      const box = found?.getBoundingClientRect();
      return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, selector, text);
    let at = { x: -1, y: -1 };
    for (let now = await place(); now.x !== at.x || now.y !== at.y; now = await place()) {
      at = now;
      await this.drive.act(mouse(at.x, at.y, false));
    }
    await this.clickAt(at.x, at.y);
  }
  clickAt(x, y) {
    return this.drive.act(mouse(x, y, true));
  }
  /** Keeps a picture of the page. */
  async screenshot(path) {
    writeFileSync(path, Buffer.from(await this.drive.picture(), 'base64'));
  }
  /** Types where the focus is. */
  type(text) {
    return this.drive.act(keysOf(text));
  }
}

/** A process that ends with the test, and the first line in which something is found. */
async function started(command, args, options, pattern) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const found = await new Promise((done, failed) => {
    let text = '';
    const read = (bytes) => {
      text += bytes;
      const match = pattern.exec(text);
      if (match) done(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => failed(new Error(`${command} ended with ${code}: ${text}`)));
    child.once('error', failed);
  });
  child.removeAllListeners('exit');
  return { child, found };
}

/** A port that is free now. */
function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Firefox without a window; each person is a container of its own. */
class Firefox {
  async open() {
    this.profile = mkdtempSync(join(tmpdir(), 'mashup-firefox-'));
    const preferences = { 'ui.prefersReducedMotion': 1, 'intl.accept_languages': 'en', 'app.update.disabledForTesting': true, 'browser.shell.checkDefaultBrowser': false,
      'datareporting.policy.dataSubmissionEnabled': false, 'toolkit.telemetry.enabled': false, 'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false };
    writeFileSync(join(this.profile, 'user.js'), Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
    const { child, found } = await started('firefox-esr', ['--headless', '--no-remote', '--profile', this.profile, '--remote-debugging-port', '0'],
      { env: { ...process.env, MOZ_DISABLE_CONTENT_SANDBOX: '1' } }, /WebDriver BiDi listening on (ws:\S+)/);
    this.child = child;
    this.socket = new WebSocket(`${found[1]}/session`);
    this.waiting = new Map();
    await new Promise((done, failed) => this.socket.once('open', done).once('error', failed));
    this.socket.on('message', (bytes) => {
      const message = JSON.parse(bytes);
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    });
    const { capabilities } = await this.call('session.new', { capabilities: {} });
    this.name = `Firefox ${capabilities.browserVersion}`;
    return this;
  }
  /** Asks Firefox for something. */
  async call(method, params = {}) {
    const id = (this.next = (this.next ?? 0) + 1);
    const answer = await new Promise((done) => {
      this.waiting.set(id, done);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type !== 'success') throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  }
  async person() {
    const { userContext } = await this.call('browser.createUserContext');
    const { context } = await this.call('browsingContext.create', { type: 'window', userContext });
    await this.call('browsingContext.setViewport', { context, viewport: { width: 1280, height: 900 } });
    return new Person({
      goto: (url) => this.call('browsingContext.navigate', { context, url, wait: 'complete' }),
      act: (actions) => this.call('input.performActions', { context, actions }),
      picture: async () => (await this.call('browsingContext.captureScreenshot', { context })).data,
      evaluate: async (text) => {
        const { type, result, exceptionDetails } = await this.call('script.evaluate', { expression: text, target: { context }, awaitPromise: true });
        if (type !== 'success') throw new Error(exceptionDetails.text);
        return result.value;
      },
    });
  }
  async close() {
    const gone = new Promise((done) => this.child.once('exit', done));
    this.socket?.terminate();
    this.child?.kill('SIGKILL');
    await gone;
    rmSync(this.profile, { recursive: true, force: true });
  }
}

/** Where WebKit's small browser is; undefined: it is not. */
function miniBrowser() {
  const root = '/usr/lib';
  return readdirSync(root).flatMap((machine) => ['4.1', '4.0', '6.0'].flatMap((version) => [`${root}/${machine}/webkit2gtk-${version}/MiniBrowser`, `${root}/${machine}/webkitgtk-${version}/MiniBrowser`]))
    .find((path) => existsSync(path));
}

/** WebKit on a screen that nobody sees; each person has a browser of their own, since a driver has one. */
class WebKit {
  async open() {
    this.children = [];
    const { child, found } = await started('Xvfb', ['-displayfd', '1', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], {}, /^(\d+)\n/);
    this.children.push(child);
    this.display = `:${found[1]}`;
    return this;
  }
  async person() {
    const port = await freePort();
    const home = mkdtempSync(join(tmpdir(), 'mashup-webkit-'));
    const env = { ...process.env, DISPLAY: this.display, HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, LANG: 'C.UTF-8', GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1' };
    const child = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' });
    this.children.push(child);
    const call = async (method, path, body) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}) });
      const { value } = await answer.json();
      if (value?.error) throw new Error(`${path}: ${value.error}: ${value.message}`);
      return value;
    };
    for (let up = false; !up; up = await call('GET', '/status').then(() => true, () => false)) await pause(EVERY_MS);
    const { sessionId, capabilities } = await call('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] } } } });
    this.name = `WebKitGTK ${capabilities.browserVersion}`;
    const session = `/session/${sessionId}`;
    this.homes = [...(this.homes ?? []), home];
    await call('POST', `${session}/window/rect`, { width: 1280, height: 960 });
    const person = new Person({
      goto: (url) => call('POST', `${session}/url`, { url }),
      act: (actions) => call('POST', `${session}/actions`, { actions }),
      picture: () => call('GET', `${session}/screenshot`),
      evaluate: (text) => call('POST', `${session}/execute/sync`, { script: `return ${text};`, args: [] }),
    });
    this.ends = [...(this.ends ?? []), () => call('DELETE', session)];
    return person;
  }
  async close() {
    for (const end of this.ends ?? []) await end().catch(() => {});
    for (const child of this.children.reverse()) child.kill('SIGKILL');
    for (const home of this.homes ?? []) rmSync(home, { recursive: true, force: true });
  }
}

/** Is there such a command? */
function has(command) {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The browsers that may be here: name, what is missing ('': nothing), and how to open it. */
export const BROWSERS = [
  { name: 'Firefox', missing: has('firefox-esr') ? '' : 'firefox-esr', open: () => new Firefox().open() },
  { name: 'WebKit', missing: has('WebKitWebDriver') && has('Xvfb') && miniBrowser() ? '' : 'webkit2gtk-driver and xvfb', open: () => new WebKit().open() },
];

/* accounts.test.ts -- recovery words, the scale of a rating's curve, and logging in on each connection, against a server that is a script. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { account, accountName, accountNow, forgetAccount, keepAccount, loggedOut, newKey } from '../src/account';
import { ArenaConnection, ServerError } from '../src/arena/link';
import { scaleOf } from '../src/players/rating-curve';
import { secretOf, wordsOf } from '../src/players/recovery-words';

test('recovery words are proquints, and lead back to the secret however they are typed', () => {
  assert.deepEqual(wordsOf('7f0000013f54dcc17f0000013f54dcc1'), ['lusab', 'babad', 'gutih', 'tugad', 'lusab', 'babad', 'gutih', 'tugad']);
  for (let turn = 0; turn < 200; turn++) {
    const secret = newKey();
    const words = wordsOf(secret);
    assert.deepEqual(secretOf(words.join(' ')), { secret });
    assert.deepEqual(secretOf(words.map((word, at) => `${at + 1}. ${word.toUpperCase()}`).join(',\n')), { secret });
  }
});

test('what is not eight recovery words is named', () => {
  assert.deepEqual(secretOf(''), { count: 0 });
  assert.deepEqual(secretOf('lusab babad'), { count: 2 });
  assert.deepEqual(secretOf('lusab bebad'), { wrong: 'bebad' });
  assert.deepEqual(secretOf('lusab babads'), { wrong: 'babads' });
  assert.deepEqual(secretOf('Ärger'), { wrong: 'ärger' });
});

test('the scale of a curve holds every value, with few lines', () => {
  for (const values of [[1500], [1500, 1512, 1490], [400, 4000], [1499, 1500], [999, 1001]]) {
    const { low, high, lines } = scaleOf(values);
    assert.ok(low < Math.min(...values) && high > Math.max(...values), `${values}: ${low} to ${high}`);
    assert.ok(lines.length >= 2 && lines.length <= 9, `${values}: ${lines}`);
    assert.equal(lines[0], low);
    assert.equal(lines.at(-1), high);
  }
});

/** What was sent after hello, and a socket whose server answers by the script; null breaks off. */
let sent: { type: string; id?: number; key?: string }[] = [];
function serve(script: (request: { type: string }) => object | null): void {
  class FakeSocket {
    static readonly OPEN = 1;
    readyState = 0;
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: (() => void) | null = null;
    constructor() {
      queueMicrotask(() => { this.readyState = 1; this.onopen?.(); });
    }
    send(text: string): void {
      const request = JSON.parse(text) as { type: string; id?: number };
      if (request.type !== 'hello') sent.push(request);
      const answer = request.type === 'hello' ? { type: 'welcome', protocol: 1, server: 'a test', name: 'Ann' } : script(request);
      queueMicrotask(() => (answer === null ? this.close() : this.onmessage?.({ data: JSON.stringify({ ...answer, to: request.type, id: request.id }) })));
    }
    close(): void {
      if (this.readyState === 3) return;
      this.readyState = 3;
      queueMicrotask(() => this.onclose?.());
    }
  }
  sent = [];
  Object.assign(globalThis, {
    WebSocket: FakeSocket, location: { protocol: 'http:', host: 'play.example' }, addEventListener: () => {}, removeEventListener: () => {},
    fetch: () => Promise.reject(new Error('away')),
  });
}

const KEY = '0123456789abcdef0123456789abcdef';
const told = { type: 'account', name: 'Ann', private: false, password: false, recovery: false, devices: 1, ratings: [] };

test('a guest does not log in', async () => {
  forgetAccount();
  serve(() => ({ type: 'table' }));
  const arena = new ArenaConnection('Ann', 'person');
  await arena.enter({ type: 'join', code: 'x' });
  assert.deepEqual(sent.map(({ type }) => type), ['join']);
  arena.close();
});

test('whoever has an account logs in first, and is told nothing of it', async () => {
  keepAccount(KEY, 'Ann');
  serve(({ type }) => (type === 'login' ? { ...told, name: 'Anna' } : { type: 'table' }));
  const arena = new ArenaConnection('Ann', 'person');
  const heard: string[] = [];
  arena.listener = { onMessage: ({ type }) => void heard.push(type), lost: () => {}, back: () => {}, ended: () => {}, entry: () => null };
  await arena.enter({ type: 'join', code: 'x' });
  assert.deepEqual(sent.map(({ type }) => type), ['login', 'join']);
  assert.equal(sent[0]?.key, KEY);
  assert.deepEqual(heard, ['table']);
  assert.equal(accountName(), 'Anna'); /* it was renamed elsewhere */
  assert.equal(accountNow.value?.devices, 1);
  arena.close();
});

test('a device that was logged out elsewhere goes on as a guest, and says so', async () => {
  keepAccount(KEY, 'Ann');
  serve(({ type }) => (type === 'login' ? { type: 'refused', code: 'no-such-account', reason: 'No.', offence: false, strikes: 0 } : { type: 'table' }));
  const arena = new ArenaConnection('Ann', 'person');
  const heard: string[] = [];
  arena.listener = { onMessage: ({ type }) => void heard.push(type), lost: () => {}, back: () => {}, ended: () => {}, entry: () => null };
  await arena.enter({ type: 'join', code: 'x' });
  assert.deepEqual(heard, ['table']);
  assert.equal(account.value, null);
  assert.equal(loggedOut.value, true);
  arena.close();
});

test('accounts that are away do not cost anybody theirs', async () => {
  keepAccount(KEY, 'Ann');
  serve(({ type }) => (type === 'login' ? { type: 'refused', code: 'accounts-away', reason: 'Later.', offence: false, strikes: 0 } : { type: 'table' }));
  const arena = new ArenaConnection('Ann', 'person');
  await arena.enter({ type: 'join', code: 'x' });
  assert.equal(account.value?.key, KEY);
  arena.close();
});

test('a connection that is lost while it logs in is not a refusal', async () => {
  keepAccount(KEY, 'Ann');
  serve(() => null);
  const arena = new ArenaConnection('Ann', 'person');
  await assert.rejects(arena.enter({ type: 'join', code: 'x' }), (error: ServerError) => error.code === 'away');
  assert.equal(account.value?.key, KEY);
  arena.close();
});

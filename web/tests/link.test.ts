/* link.test.ts -- the link to the arena, against a server that is a script: tables at other nodes. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { ArenaConnection, ServerError } from '../src/arena/link';
import type { EntryRequest } from '../src/arena/messages';

/** What a script does with a request; the answer without its id, or null to break off. */
type Script = (request: { type: string; id?: number }, url: string) => object | null;

/** A WebSocket whose server is the script. */
class FakeSocket {
  static readonly OPEN = 1;
  static script: Script;
  static urls: string[] = [];
  static dead: string[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.urls.push(url.replace('ws://play.example', ''));
    queueMicrotask(() => (FakeSocket.dead.some((part) => url.endsWith(part)) ? this.close() : this.opened()));
  }
  private opened(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  send(text: string): void {
    const request = JSON.parse(text) as { type: string; id?: number };
    const answer = request.type === 'hello' ? { type: 'welcome', protocol: 1, server: 'a test', name: 'Ann' } : FakeSocket.script(request, this.url);
    const id = request.id === undefined ? {} : { id: request.id };
    queueMicrotask(() => (answer === null ? this.close() : this.onmessage?.({ data: JSON.stringify({ ...answer, ...id }) })));
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    queueMicrotask(() => this.onclose?.());
  }
}

/** How long the link has waited, each time; no test waits for real. */
let waits: number[] = [];
const realTimeout = globalThis.setTimeout;

const join: EntryRequest = { type: 'join', code: '2222-2222-2223' };

/** Opens a link with the script as server. */
function link(script: Script): ArenaConnection {
  Object.assign(globalThis, {
    WebSocket: FakeSocket, location: { protocol: 'http:', host: 'play.example' },
    setTimeout: (call: () => void, ms: number) => (waits.push(ms), realTimeout(call, 0)),
    addEventListener: () => {}, removeEventListener: () => {}, fetch: () => Promise.reject(new Error('away')),
  });
  FakeSocket.script = script;
  FakeSocket.urls = [];
  waits = [];
  FakeSocket.dead = [];
  return new ArenaConnection('Ann', 'person');
}

test('a table at another node is asked for there, and nobody needs to know', async () => {
  const told: string[] = [];
  const arena = link((_, url) => (url.endsWith('?node=3') ? { type: 'table' } : { type: 'moved', to: 'join', node: 3 }));
  arena.listener = { onMessage: (message) => void told.push(message.type), lost: () => told.push('lost'), back: () => {}, ended: () => {}, entry: () => null };
  await arena.enter(join);
  assert.deepEqual(FakeSocket.urls, ['/arena', '/arena?node=3']);
  assert.deepEqual(told, ['table']);
  assert.deepEqual(waits, []);
  arena.close();
});

test('a table that is just moving is asked for again', async () => {
  let asked = 0;
  const arena = link(() => (asked++ === 0 ? { type: 'moved', to: 'join' } : { type: 'table' }));
  await arena.enter(join);
  assert.deepEqual(FakeSocket.urls, ['/arena', '/arena']);
  assert.equal(asked, 2);
  arena.close();
});

test('a node that has the table by now is asked at once, however long it took', async () => {
  let asked = 0;
  const arena = link((_, url) => (url.endsWith('?node=3') ? { type: 'table' } : asked++ < 4 ? { type: 'moved', to: 'join' } : { type: 'moved', to: 'join', node: 3 }));
  await arena.enter(join);
  assert.deepEqual(waits, [300, 700, 1000, 1000]);
  assert.equal(FakeSocket.urls.at(-1), '/arena?node=3');
  arena.close();
});

test('a node that is gone is left for the public address', async () => {
  let asked = 0;
  const arena = link(() => (asked++ === 0 ? { type: 'moved', to: 'join', node: 4 } : { type: 'table' }));
  FakeSocket.dead = ['?node=4'];
  await arena.enter(join);
  assert.deepEqual(FakeSocket.urls, ['/arena', '/arena?node=4', '/arena']);
  arena.close();
});

test('two nodes that point at each other are not followed for ever', async () => {
  const arena = link((_, url) => ({ type: 'moved', to: 'join', node: url.endsWith('=1') ? 2 : 1 }));
  await assert.rejects(arena.enter(join), ServerError);
  assert.ok(FakeSocket.urls.length < 30);
  assert.ok(waits.reduce((sum, ms) => sum + ms, 0) > 30_000); /* but for longer than it takes to replace a node */
  arena.close();
});

test('a node that is lost is asked for until another one has its table', async () => {
  let asked = 0;
  const arena = link(() => (asked++ < 4 ? { type: 'moved', to: 'join', node: 4 } : { type: 'table' }));
  FakeSocket.dead = ['?node=4'];
  await arena.enter(join);
  assert.equal(asked, 5);
  assert.deepEqual(waits, [700, 1000, 1000]);
  arena.close();
});

test('after its node is lost the table is found at another one', async () => {
  let place = 3;
  const events: string[] = [];
  const arena = link((_, url) => (url.endsWith(`?node=${place}`) ? { type: 'table' } : { type: 'moved', to: 'join', node: place }));
  const sockets: FakeSocket[] = [];
  const Original = FakeSocket;
  Object.assign(globalThis, { WebSocket: class extends Original { constructor(url: string) { super(url); sockets.push(this); } } });
  const back = new Promise<void>((done) => {
    arena.listener = { onMessage: () => {}, lost: () => void events.push('lost'), back: () => (events.push('back'), done()), ended: () => void events.push('ended'), entry: () => ({ type: 'return', token: 'x' }) };
  });
  await arena.enter(join);
  place = 2;
  FakeSocket.dead = ['?node=3'];
  sockets.at(-1)!.close();
  await back;
  assert.deepEqual(events, ['lost', 'back']);
  assert.deepEqual(FakeSocket.urls.slice(2), ['/arena?node=3', '/arena', '/arena?node=2']);
  arena.close();
});

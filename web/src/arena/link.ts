/* link.ts -- one WebSocket to the arena: says hello, numbers requests, receives refusals, comes back by itself.
 *
 * It knows no table: whoever owns it says with which request the table is found again after the connection was lost. */
import { account, forgetAccount, loggedOut, takeAccount } from '../account';
import { answerWords } from '../texts/answers';
import { t } from '../texts/texts';
import type { AccountRequest, EntryRequest, ServerMessage, ClientMessage, TournamentEntry } from './messages';

/** The version of the protocol that this page speaks. */
const PROTOCOL = 1;
const WAITS_MS = [300, 700, 1500, 3000, 5000];
/** The pauses while a table is moving: others have the tables of a lost node after five seconds, and nobody waits much longer. */
const MOVES_MS = [300, 700, 1000, 1000, 1000, 1000, 1000, 2000];
/** How often a table that moves from node to node is followed before the player is told. */
const HOPS_MAX = 24;

/** Messages that name the request that they answer. */
const ANSWERS = new Set(['done', 'refused', 'position', 'account', 'key', 'turns', 'notices', 'relations', 'challenges']);

/** Raised when the server does not let us in; `reload` says that a newer page helps. */
export class ServerError extends Error {
  constructor(reason: string, readonly code: string, readonly reload = false) {
    super(reason);
  }
}

/** What a link tells its owner. */
export interface ArenaListener {
  /** A message of the server, in order. */
  onMessage(message: ServerMessage): void;
  /** The connection is lost; the link tries again by itself. */
  lost(attempt: number): void;
  /** It is there again, and `entrance` was answered. */
  back(): void;
  /** It will not come again; the sentence says why. */
  ended(error: ServerError): void;
  /** How to find the table again; null: do not. */
  entry(): EntryRequest | TournamentEntry | null;
}

/** What came of a request: null, or why not; and the message that said so, if one did. */
export interface Answer {
  reason: string | null;
  message?: ServerMessage;
}

/** A request that has not been answered yet. */
interface Waiter {
  type: string;
  resolve(answer: Answer): void;
}

/** A connection to the arena. */
export class ArenaConnection {
  listener: ArenaListener | null = null;
  private socket: WebSocket | null = null;
  private waiters = new Map<number, Waiter>();
  private next = 1;
  /** The number of the request that was sent last. */
  sent = 0;
  private server: string | null = null;
  private closed = false;
  private attempt = 0;
  /** The node that has the table, as far as the server has said; and whether it said so as the last answer. */
  private node: number | null = null;
  private moved = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly online = () => this.hurry();

  /** Connects nothing yet; `enter` does. Tries again at once when the device is online again. */
  constructor(private readonly name: string, private readonly role: 'person' | 'watcher') {
    addEventListener('online', this.online);
  }

  /** Opens the connection and enters; throws ServerError with the server's reason. */
  async enter(entry: EntryRequest | TournamentEntry): Promise<void> {
    await this.open();
    const refusal = await this.ask(entry);
    if (refusal !== null) throw new ServerError(refusal, 'refused');
  }

  /** Asks for a table, also at other nodes if it is there; null when it was done, or the server's reason. */
  private async ask(entry: EntryRequest | TournamentEntry): Promise<string | null> {
    const named = new Set<number>();
    for (let hop = 0; ; hop++) {
      const refusal = await this.send(entry);
      if (!this.moved || hop === HOPS_MAX) return refusal;
      this.moved = false;
      const socket = this.socket;
      this.socket = null; /* its end is no loss */
      socket?.close();
      /* A node that is lost keeps its tables for some seconds, until another one has them. One that is named for the first time is asked
       * at once. */
      const news = this.node !== null && !named.has(this.node);
      if (this.node !== null) named.add(this.node);
      if (!news) await new Promise((done) => setTimeout(done, MOVES_MS[Math.min(hop, MOVES_MS.length - 1)]));
      await this.open();
    }
  }

  /** Opens the connection for something else than a table. Throws ServerError. */
  connect(): Promise<void> {
    return this.open();
  }

  /** Sends a message; null when it was done, or the server's reason. */
  async send(message: ClientMessage): Promise<string | null> {
    return (await this.request(message)).reason;
  }

  /** Sends a message; what the server says to it. */
  request(message: ClientMessage | AccountRequest): Promise<Answer> {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return Promise.resolve({ reason: t('arena.notNow') });
    return new Promise((resolve) => {
      const id = this.next++;
      this.sent = id;
      this.waiters.set(id, { type: message.type, resolve });
      socket.send(JSON.stringify({ ...message, id }));
    });
  }

  /** Ends it for good. */
  close(): void {
    this.closed = true;
    removeEventListener('online', this.online);
    clearTimeout(this.timer);
    this.socket?.close();
    this.answerAll(t('arena.closed'));
  }

  /** Opens the socket and says hello. Resolves when the server has welcomed us, fails with its reason otherwise. */
  private open(): Promise<void> {
    return new Promise((done, failed) => {
      const node = this.node === null ? '' : `?node=${this.node}`;
      const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/arena${node}`);
      let state: 'new' | 'greeted' | 'ready' = 'new';
      this.socket = socket;
      socket.onopen = () =>
        socket.send(JSON.stringify({ type: 'hello', name: this.name, role: this.role, view: 'bytes', protocol: PROTOCOL, history: true, leavers: true }));
      socket.onmessage = ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as ServerMessage;
        if (state !== 'new') return this.receive(message);
        if (message.type === 'welcome' && this.sameServer(message)) {
          state = 'greeted';
          return void this.login().then(() => {
            if (socket.readyState !== WebSocket.OPEN) return;
            state = 'ready';
            done();
          });
        }
        state = 'ready';
        const other = message.type !== 'refused' || message.code === 'other-version';
        failed(new ServerError(message.type === 'refused' ? answerWords(message.reason, message.code) : t('arena.version'), 'version', other));
      };
      socket.onclose = () => {
        if (state !== 'ready') this.answerAll(t('arena.lost'));
        if (state !== 'ready' && node !== '') {
          this.node = null; /* that node is gone: another one knows more */
          this.open().then(done, failed);
        } else if (state !== 'ready') void this.whyNot().then(failed);
        else if (this.socket === socket) this.lose();
      };
    });
  }

  /** Logs in to the account of this device, if it has one. Whoever was logged out elsewhere is a guest from now on. */
  private async login(): Promise<void> {
    const own = account.value;
    if (!own?.name) return;
    const { message } = await this.request({ type: 'login', key: own.key });
    if (message?.type === 'account') takeAccount(own.key, message);
    if (message?.type !== 'refused' || message.code !== 'no-such-account') return;
    forgetAccount();
    loggedOut.value = true;
  }

  /** The same program as at the first time: else this page may be too old for it. */
  private sameServer(message: { protocol: number; server: string }): boolean {
    this.server ??= message.server;
    return message.protocol === PROTOCOL && message.server === this.server;
  }

  /** Why a connection could not be made: the server is full, closing, or out of reach. */
  private async whyNot(): Promise<ServerError> {
    try {
      const answer = await fetch('/readyz', { cache: 'no-store' });
      return new ServerError(t(answer.ok ? 'arena.full' : 'arena.closing'), 'full');
    } catch {
      return new ServerError(t('arena.away'), 'away');
    }
  }

  /** Takes a message of the server: answers the request that it belongs to, then tells the owner. */
  private receive(message: ServerMessage): void {
    if (message.type === 'moved') {
      this.node = message.node ?? null;
      this.moved = true;
      return this.answer(message.id ?? 0, t('arena.away'));
    }
    if ('id' in message && message.id !== undefined && ANSWERS.has(message.type)) {
      this.answer(message.id, message.type === 'refused' ? answerWords(message.reason, message.code) : null, message);
      if (message.type !== 'position' && (message.type !== 'refused' || message.to === 'login')) return;
    } else {
      this.answerByType(message.type);
    }
    this.listener?.onMessage(message);
  }

  /** Requests that are answered by a message of its own kind. A position names the request that it answers: one that does not
   * may be about what the other side did. */
  private answerByType(type: string): void {
    const answers: Record<string, string[]> = {
      table: ['seek', 'open', 'join', 'return', 'watch'],
      paused: ['pause'],
      continued: ['continue'],
      chat: ['chat'],
      rematch: ['rematch'],
      takeback: ['takeback'],
      prepared: ['prepare'],
      tournament: ['tournament-create', 'tournament-watch', 'tournament-join'],
      'tournament-you': ['tournament-leave', 'tournament-manage'],
      'tournament-page': ['tournament-page'],
      tournaments: ['tournaments'],
    };
    for (const [id, waiter] of this.waiters) if (answers[type]?.includes(waiter.type)) this.answer(id, null);
  }

  /** Answers one request; null: it was done. */
  private answer(id: number, reason: string | null, message?: ServerMessage): void {
    this.waiters.get(id)?.resolve({ reason, ...(message ? { message } : {}) });
    this.waiters.delete(id);
  }

  /** Answers every open request with the same reason, since no other answer will come. */
  private answerAll(reason: string): void {
    for (const id of [...this.waiters.keys()]) this.answer(id, reason);
  }

  /** The connection is gone: tells the owner and tries again after a while, longer each time. */
  private lose(): void {
    this.answerAll(t('arena.lost'));
    if (this.closed) return;
    this.attempt++;
    this.listener?.lost(this.attempt);
    this.timer = setTimeout(() => void this.again(), WAITS_MS[Math.min(this.attempt, WAITS_MS.length) - 1]);
  }

  /** The device is online again: no need to wait. */
  private hurry(): void {
    if (this.attempt === 0 || this.closed) return;
    clearTimeout(this.timer);
    void this.again();
  }

  /** Connects once more and enters the same table again. */
  private async again(): Promise<void> {
    const entry = this.listener?.entry();
    if (this.closed || !entry) return;
    try {
      await this.open();
    } catch (error) {
      const server = error as ServerError;
      if (server.reload) this.end(server);
      else this.lose();
      return;
    }
    let refusal: string | null;
    try {
      refusal = await this.ask(entry);
    } catch {
      return this.lose();
    }
    if (refusal !== null) return this.end(new ServerError(refusal, 'refused'));
    this.attempt = 0;
    this.listener?.back();
  }

  /** Gives up for good and says why. */
  private end(error: ServerError): void {
    this.listener?.ended(error);
    this.close();
  }
}

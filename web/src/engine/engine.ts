/* engine.ts -- the engine as promises: one worker each. A table has one for its board and one for programs that think. */
import type { Action, Game } from '../model';
import type { Calls, ContentRequest, SeatView, Terms } from './calls';
import { ProblemsError } from './calls';
import { language } from '../texts/language';

declare const WORKER_URL: string;
declare const WASM_URL: string;

/** A load that the network breaks off is tried so many times, after so long each. */
const TRIES = 3;
const AGAIN_MS = 700;

/** Loads and compiles the engine's code; what the network breaks off is loaded again. */
async function compile(): Promise<WebAssembly.Module> {
  for (let left = TRIES; ; left--)
    try {
      return await WebAssembly.compileStreaming(fetch(WASM_URL));
    } catch (error) {
      if (left <= 1) throw error;
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
}

let compiled: Promise<WebAssembly.Module> | null = null;
/** The engine's code, which the page fetches early: compiled once for all workers, and tried again after a failure. */
function moduleOnce(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  compiled.catch(() => { compiled = null; });
  return compiled;
}

/** How many nodes are thought between two looks at the clock, and the longest thought. */
const SLICE_NODES = 2000;
const THOUGHT_MS = 8000;
const NODES_UNLIMITED = 0xffffffff;

/** What `open` makes with a new engine, which is closed if that fails. */
export async function withEngine<T>(open: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = new Engine();
  try {
    return await open(engine);
  } catch (error) {
    engine.close();
    throw error;
  }
}

/** One engine in a worker of its own. Close it when it is not needed any more. */
export class Engine {
  private readonly worker = new Worker(WORKER_URL, { type: 'module' });
  private readonly waiting = new Map<number, { done(answer: unknown): void; failed(error: Error): void }>();
  private next = 1;
  private closed = false;
  /** Why it could not start: nothing is answered any more. */
  broken: Error | null = null;
  private readonly mute: () => void;

  /** Starts the worker, which speaks the language of the page. Answers go to whoever asked, by number. */
  constructor() {
    this.worker.onmessage = ({ data }: MessageEvent<{ id: number; answer?: unknown; error?: string }>) => {
      const waiter = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error !== undefined) waiter?.failed(new Error(data.error));
      else waiter?.done(data.answer);
    };
    moduleOnce().then((code) => this.worker.postMessage(code), (error: Error) => {
      this.broken = error;
      this.failAll(error);
    });
    this.worker.onerror = (event) => this.failAll(new Error(event.message || 'the game engine couldn\'t start'));
    this.mute = language.subscribe((now) => void this.call('speak', { language: now }).catch(() => undefined));
  }

  /** Asks; see calls.ts for what there is. */
  call<Name extends keyof Calls>(name: Name, ...request: Parameters<Calls[Name]>): Promise<ReturnType<Calls[Name]>> {
    if (this.closed) return Promise.reject(new Error('the game engine has stopped'));
    if (this.broken) return Promise.reject(this.broken);
    return new Promise((done, failed) => {
      const id = this.next++;
      this.waiting.set(id, { done: done as (answer: unknown) => void, failed });
      this.worker.postMessage({ id, call: name, request: request[0] });
    });
  }

  /** Loads a content; throws ProblemsError if it is wrong. */
  async load(request: ContentRequest): Promise<Terms> {
    const loaded = await this.call('load', request);
    if ('problems' in loaded) throw new ProblemsError(loaded.problems);
    return loaded.terms;
  }

  /** Thinks in slices, so that `stop` is heard; null: nothing to choose, or it was stopped. `ms`: by the clock instead of as long as
   * the level thinks on every device. */
  async think(seatView: SeatView, level: number, seed: number, stop?: () => boolean, ms?: number): Promise<Action | null> {
    if (!(await this.call('thinkBegin', { seatView, level, seed, ...(ms ? { nodes: NODES_UNLIMITED } : {}) }))) return null;
    const end = performance.now() + (ms ?? THOUGHT_MS);
    for (;;) {
      const answer = await this.call('think', { nodes: SLICE_NODES, enough: performance.now() > end });
      if (stop?.()) return null;
      if (answer) return answer;
    }
  }

  /** Ends the worker. */
  close(): void {
    this.closed = true;
    this.mute();
    this.worker.terminate();
    this.failAll(new Error('the game engine has stopped'));
  }

  /** Fails everything that is still asked, since no answer will come. */
  private failAll(error: Error): void {
    for (const waiter of this.waiting.values()) waiter.failed(error);
    this.waiting.clear();
  }
}

let shared: Engine | null = null;
/** An engine for short questions that need no match: lists, documents, checks. */
export function sharedEngine(): Engine {
  if (!shared || shared.broken) shared = new Engine();
  return shared;
}

const games = new Map<string, Promise<Game[]>>();
/** All games, asked once for each language; a failure is not kept. */
export function allGames(): Promise<Game[]> {
  const spoken = language.value;
  const found = games.get(spoken) ?? sharedEngine().call('games');
  games.set(spoken, found);
  found.catch(() => games.delete(spoken));
  return found;
}

/** How many levels the programs of a game have. */
export async function levelsOf(game: string): Promise<number> {
  return (await allGames()).find(({ id }) => id === game)!.levels.length;
}

/** 128 bits of luck for a new match. */
export function freshSeed(): [number, number, number, number] {
  return [...crypto.getRandomValues(new Uint32Array(4))] as [number, number, number, number];
}

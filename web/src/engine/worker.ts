/* worker.ts -- hosts mashup.wasm away from the page, so that nothing the engine does makes the board stutter.
 *
 * Takes { id, call, request } and answers { id, answer } or { id, error }. After a trap the module is made anew: what was
 * loaded is lost, and the error says so. */
import { callsOf, type Calls } from './calls';
import type { Exports } from './module';

declare const WASM_URL: string;
declare const self: DedicatedWorkerGlobalScope;

const compiled = WebAssembly.compileStreaming(fetch(WASM_URL));
let calls: Promise<Calls> | null = null;

/** A new instance of the engine. */
async function fresh(): Promise<Calls> {
  const instance = await WebAssembly.instantiate(await compiled);
  return callsOf(instance.exports as unknown as Exports);
}

self.onmessage = async ({ data }: MessageEvent<{ id: number; call: keyof Calls; request: never }>) => {
  try {
    calls ??= fresh();
    const answer = (await calls)[data.call](data.request);
    self.postMessage({ id: data.id, answer });
  } catch (error) {
    const trapped = error instanceof WebAssembly.RuntimeError;
    if (trapped) calls = null;
    const reason = String((error as Error).message ?? error);
    self.postMessage({ id: data.id, error: trapped ? `The game engine crashed: ${reason}` : reason });
  }
};

/* worker.ts -- hosts mashup.wasm away from the page, so that nothing the engine does makes the board stutter.
 *
 * Takes the compiled module first, from the page, which compiles it once for all workers; then { id, call, request }, and answers
 * { id, answer } or { id, error }. After a trap the module is made anew: what was
 * loaded is lost, and the error says so. */
import { callsOf, type Calls } from './calls';
import type { Exports } from './module';

declare const self: DedicatedWorkerGlobalScope;

let give: (compiled: WebAssembly.Module) => void;
const compiled = new Promise<WebAssembly.Module>((done) => { give = done; });
let calls: Promise<Calls> | null = null;

/** A new instance of the engine. */
async function fresh(): Promise<Calls> {
  const instance = await WebAssembly.instantiate(await compiled);
  return callsOf(instance.exports as unknown as Exports);
}

self.onmessage = async ({ data }: MessageEvent<WebAssembly.Module | { id: number; call: keyof Calls; request: never }>) => {
  if (data instanceof WebAssembly.Module) return give(data);
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

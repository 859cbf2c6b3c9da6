/* embedded.ts -- is this page in a frame of another page, by the address /embed/CODE? Whatever reads what the browser keeps while the
 * page loads imports this first.
 *
 * There it only watches or replays one match. Whoever frames it must not lead its visitor to anything else: it has no storage, hence no seats
 * and no name, and no other screens. */

/** Storage that ends with the page. */
class PassingStorage implements Storage {
  private readonly values = new Map<string, string>();
  get length(): number { return this.values.size; }
  key(index: number): string | null { return [...this.values.keys()][index] ?? null; }
  getItem(key: string): string | null { return this.values.get(key) ?? null; }
  setItem(key: string, value: string): void { this.values.set(key, value); }
  removeItem(key: string): void { this.values.delete(key); }
  clear(): void { this.values.clear(); }
}

/** The code of the match that is embedded; null: this is the whole page. */
export const embedded = typeof location === 'undefined' ? null : /^\/embed\/([\w-]+)$/.exec(location.pathname)?.[1] ?? null;

if (embedded !== null)
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: new PassingStorage() });

/* router.ts -- where the person is: the part of the address behind '#'. */
import { signal } from '@preact/signals';

/** The parts of the address behind the #. */
function read(): string[] {
  return location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
}

/** The parts of the address: ['game', 'zorde']. */
export const route = signal<string[]>(read());
addEventListener('hashchange', () => { route.value = read(); });

/** The address of a place on the page. */
export function href(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** Goes there. */
export function go(...parts: string[]): void {
  location.hash = href(...parts);
}

/** Goes there without a step in the browser's history. */
export function replace(...parts: string[]): void {
  history.replaceState(null, '', href(...parts));
  route.value = parts;
}

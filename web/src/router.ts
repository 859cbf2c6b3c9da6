/* router.ts -- where the person is: the part of the address behind '#'. */
import { signal } from '@preact/signals';

/** The parts of the address behind the #. */
function read(): string[] {
  return location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
}

/** The parts of the address: ['game', 'zorde']. */
export const route = signal<string[]>(read());
addEventListener('hashchange', () => { if (read().join('/') !== route.value.join('/')) route.value = read(); });

/** The address of a place on the page. */
export function href(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** Goes there, at once: nothing is drawn in between at the old address. */
export function go(...parts: string[]): void {
  location.hash = href(...parts);
  if (read().join('/') !== route.value.join('/')) route.value = read();
}

/** Goes there without a step in the browser's history. */
export function replace(...parts: string[]): void {
  history.replaceState(null, '', href(...parts));
  route.value = parts;
}

/* service.ts -- the service worker: keeps the page's files, so that it opens without a network.
 *
 * Files with a hash in their name are taken from the cache; the page itself from the network while there is one. */
declare const FILES: string[];
declare const VERSION: string;

const scope = self as unknown as ServiceWorkerGlobalScope;
const CACHE = `mashup-${VERSION}`;

scope.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => scope.skipWaiting()));
});

scope.addEventListener('activate', (event) => {
  const drop = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await scope.clients.claim();
  };
  event.waitUntil(drop());
});

/** The page from the network, or the kept one without it. */
async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match('/')) ?? Response.error();
  }
}

scope.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  const file = async () => (await caches.match(url.pathname)) ?? fetch(event.request);
  if (event.request.mode === 'navigate') event.respondWith(page(event.request));
  else if (FILES.includes(url.pathname)) event.respondWith(file());
});

/* It is the reader's turn in a match over days: the server says so without a word about the position. One message for each match: a newer one takes its place. */
scope.addEventListener('push', (event) => {
  const told = async () => {
    const { code, opponent, text } = (event.data?.json() ?? {}) as { code?: string; opponent?: string; text?: string };
    const german = navigator.language.startsWith('de');
    const body = code === undefined || !german ? (text ?? '') : `Sie sind am Zug gegen ${opponent ?? ''}.`;
    const address = new URL(code === undefined ? '/' : `/#/table/${code}`, location.origin).href;
    await scope.registration.showNotification('Mashup', { body, tag: code ?? 'mashup', data: address });
  };
  event.waitUntil(told());
});

/* A message was clicked: the page that it belongs to comes to the front, or is opened. */
scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = String(event.notification.data ?? '/');
  const show = async () => {
    const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find(({ url }) => url === address) ?? pages[0];
    await (page ? page.focus() : scope.clients.openWindow(address));
  };
  event.waitUntil(show());
});

export {};

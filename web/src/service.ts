/* service.ts -- the service worker: keeps the page's files, so that it opens without a network.
 *
 * Files with a hash in their name are taken from the cache; the page itself from the network while there is one. */
declare const FILES: string[];
declare const VERSION: string;

const scope = self as unknown as ServiceWorkerGlobalScope;
const CACHE = `mashup-${VERSION}`;
/** Begins the tag of messages about matches over days. */
const DAYS_TAG = 'mashup-days-';

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

/* It is somebody's turn in a match over days, or they want to see whether that would be told. */
scope.addEventListener('push', (event) => {
  let notice: { code?: string; opponent?: string; text?: string } = {};
  try {
    notice = (event.data?.json() ?? {}) as typeof notice;
  } catch {
    /* Nothing that this page knows. */
  }
  const { code, opponent, text = '' } = notice;
  const german = navigator.language.startsWith('de');
  const body = german && opponent ? `Gegen ${opponent}` : text;
  const address = new URL(code ? `/#/table/${encodeURIComponent(code)}` : '/#/mine', location.origin).href;
  const title = code === undefined ? 'Mashup' : german ? 'Du bist am Zug' : 'Your turn';
  event.waitUntil(scope.registration.showNotification(title, { body, tag: `${DAYS_TAG}${code ?? ''}`, icon: '/icon.svg', data: address }));
});

/* A message was clicked: the page that it belongs to comes to the front, or is opened. */
scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = String(event.notification.data ?? '/');
  const show = async () => {
    const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
    /* A page that is elsewhere stays there: somebody may be playing. */
    const page = pages.find(({ url }) => url === address) ?? (event.notification.tag.startsWith(DAYS_TAG) ? undefined : pages[0]);
    await (page ? page.focus() : scope.clients.openWindow(address));
  };
  event.waitUntil(show());
});

export {};

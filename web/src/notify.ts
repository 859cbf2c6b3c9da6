/* notify.ts -- messages of the system while the page is not in sight. Nothing is asked for by itself: the person switches them on, and
 * the browser asks then. */
import { settings } from './settings';

/** One message at a time: the next replaces it. */
const TAG = 'mashup-turn';

/** Can this browser show messages at all? */
export function canNotify(): boolean {
  return typeof Notification !== 'undefined' && isSecureContext;
}

/** The person switches messages on or off; on: the browser asks if it has not yet. False: it does not allow them. */
export async function setNotify(on: boolean): Promise<boolean> {
  const allowed = !on || (await Notification.requestPermission()) === 'granted';
  settings.notify.value = on && allowed;
  return allowed;
}

/** Shows a message if the page is not in sight and the person wants it. */
export async function notify(title: string, body: string): Promise<void> {
  if (!document.hidden || !settings.notify.value || !canNotify() || Notification.permission !== 'granted') return;
  const options = { body, tag: TAG, icon: '/icon.svg', data: location.href };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker) return worker.showNotification(title, options).catch(() => undefined);
  const message = new Notification(title, options);
  message.onclick = () => {
    window.focus();
    message.close();
  };
}

/** The person looks again: what was shown is old. */
export async function clearNotifications(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  for (const message of (await worker?.getNotifications().catch(() => [])) ?? [])
    if (message.tag === TAG || message.data === location.href) message.close();
}

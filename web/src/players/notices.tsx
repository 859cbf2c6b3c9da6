/* notices.tsx -- where somebody is told that it is their turn in a match over days while the page is closed: this browser, and a webhook. */
import { useEffect, useState } from 'preact/hooks';
import type { NoticesMessage, NoticesRequest } from '../arena/messages';
import { Trouble, useDoing } from '../screens/parts';
import { tell } from '../texts/account';
import { answerWords } from '../texts/answers';
import { askNotices } from './ask';

/** Can this browser be pushed to? */
function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && isSecureContext;
}

/** The subscription that this browser has; null: none. */
async function subscription(): Promise<PushSubscription | null> {
  if (!canPush()) return null;
  return (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null;
}

/** Lets the browser ask the person, and subscribes. */
async function subscribe(key: string): Promise<NoticesRequest> {
  const worker = await navigator.serviceWorker.ready;
  const { endpoint, keys } = (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
  return { push: endpoint!, push_key: keys!.p256dh!, push_auth: keys!.auth! };
}

/** Messages of this browser, on or off. */
function Push({ now, here, run }: { now: NoticesMessage; here: boolean; run(what: () => Promise<NoticesRequest>): void }) {
  if (now.push_key === undefined || !canPush()) return <p class="soft small">{tell(now.push_key === undefined ? 'pushNotHere' : 'pushNoBrowser')}</p>;
  const off = async (): Promise<NoticesRequest> => {
    const own = await subscription();
    await own?.unsubscribe();
    return { push_off: true, ...(own ? { push: own.endpoint } : {}) };
  };
  return (
    <div class="row">
      {here
        ? <button class="button" type="button" onClick={() => run(off)}>{tell('pushOff')}</button>
        : <button class="button" type="button" onClick={() => run(() => subscribe(now.push_key!))}>{tell('pushOn')}</button>}
      <span class="soft small">{tell('pushCount', now.browsers)}</span>
    </div>
  );
}

/** All ways to be told. */
export function Notices() {
  const [now, setNow] = useState<NoticesMessage | null>(null);
  const [here, setHere] = useState(false);
  const [webhook, setWebhook] = useState('');
  const doing = useDoing();
  const run = (what: () => Promise<NoticesRequest>) => doing.run(async () => {
    const answer = await askNotices(await what());
    setNow(answer);
    setWebhook(answer.webhook ?? '');
    setHere((await subscription()) !== null && answer.browsers > 0);
  });
  const send = (request: NoticesRequest) => run(() => Promise.resolve(request));
  useEffect(() => send({}), []);
  const told = now?.test === undefined ? '' : now.test === 'sent' ? tell('noticeSent') : answerWords(now.test);
  return (
    <section class="panel stack" aria-label={tell('notices')}>
      <h2>{tell('notices')}</h2>
      <p>{tell('noticesAbout')}</p>
      {now && <Push now={now} here={here} run={run} />}
      {now && (
        <form class="stack" onSubmit={(event) => { event.preventDefault(); send(webhook.trim() ? { webhook: webhook.trim() } : { webhook_off: true }); }}>
          <label class="field">
            <span>{tell('webhook')}</span>
            <input type="url" maxLength={900} autocomplete="off" placeholder="https://ntfy.sh/…" value={webhook} onInput={(event) => setWebhook(event.currentTarget.value)} />
            <small class="soft">{tell('webhookAbout')}</small>
          </label>
          <div class="row">
            <button class="button" type="submit" disabled={doing.busy}>{tell('webhookSave')}</button>
            {(now.webhook !== undefined || now.browsers > 0) &&
              <button class="button quiet" type="button" disabled={doing.busy} onClick={() => send({ test: true })}>{tell('noticeTest')}</button>}
            <span role="status">{told}</span>
          </div>
        </form>
      )}
      <Trouble error={doing.error} />
    </section>
  );
}

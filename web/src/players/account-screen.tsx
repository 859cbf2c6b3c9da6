/* account-screen.tsx -- the account of this device: taking a name, keeping the account, other devices, password, privacy, log out, delete. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { account, accountNow, isLast } from '../account';
import type { AccountMessage, KeyMessage } from '../arena/messages';
import { href } from '../router';
import { Screen, Trouble, useDoing } from '../screens/parts';
import { QrCode } from '../screens/waiting';
import { settings } from '../settings';
import { tell } from '../texts/account';
import { claim, deleteAccount, downloadData, logOut, makeKey, refresh, saveFile, setPassword } from './ask';
import { LoginForms } from './login-forms';
import { Known } from './people';
import { Notices } from './notices';
import { PrivateSwitch } from './private-switch';
import { wordsOf } from './recovery-words';
import { Vacation } from './vacation';

/** A part of the screen with a headline. */
function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A name to take: the first one, or another. */
function NameForm({ first }: { first: boolean }) {
  const [name, setName] = useState(first ? settings.name.value : (account.value?.name ?? ''));
  const doing = useDoing();
  return (
    <form class="stack" onSubmit={(event) => { event.preventDefault(); doing.run(() => claim(name.trim())); }}>
      <label class="field">
        <span>{tell('name')}</span>
        <input name="claim" required maxLength={31} autocomplete="username" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        <small class="soft">{first ? tell('nameHint') : tell('renameHint')}</small>
      </label>
      <Trouble error={doing.error} />
      <div class="row"><button class={`button${first ? ' primary' : ''}`} type="submit" disabled={doing.busy}>{tell(first ? 'claim' : 'rename')}</button></div>
    </form>
  );
}

/** Copies a text, if the browser lets pages do that. */
function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  if (!navigator.clipboard) return null;
  return (
    <>
      <button class="button" type="button" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true), () => setCopied(false))}>{tell('copy')}</button>
      <span role="status">{copied ? tell('copied') : ''}</span>
    </>
  );
}

/** A link and a QR code for another device. The secret is behind the #: it goes to no server with the address. */
function OtherDevice() {
  const [made, setMade] = useState<KeyMessage | null>(null);
  const doing = useDoing();
  const link = made && `${location.origin}/${href('login', made.key)}`;
  return (
    <Part title={tell('deviceTitle')}>
      {link === null && <div class="row"><button class="button" disabled={doing.busy} onClick={() => doing.run(async () => setMade(await makeKey('device')))}>{tell('deviceMake')}</button></div>}
      {link !== null && (
        <>
          <p role="status">{tell('deviceAbout')}</p>
          <QrCode text={link} label={tell('qr')} />
          <label class="field">
            <span>{tell('deviceLink')}</span>
            <input class="link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <div class="row"><CopyButton text={link} /></div>
        </>
      )}
      <Trouble error={doing.error} />
    </Part>
  );
}

/** Words to write down. */
function Words({ now }: { now: AccountMessage }) {
  const [words, setWords] = useState<string[] | null>(null);
  const doing = useDoing();
  const make = () => doing.run(async () => {
    setWords(wordsOf((await makeKey('recovery')).key));
    await refresh();
  });
  const text = words?.join(' ') ?? '';
  return (
    <Part title={tell('wordsTitle')}>
      {words === null && <p>{tell(now.recovery ? 'wordsSome' : 'wordsNone')}</p>}
      {words !== null && (
        <>
          <p role="status">{tell('wordsAbout')}</p>
          <ol class="recovery-words">{words.map((word) => <li>{word}</li>)}</ol>
        </>
      )}
      <Trouble error={doing.error} />
      <div class="row">
        {words === null && <button class="button" disabled={doing.busy} onClick={make}>{tell(now.recovery ? 'wordsNew' : 'wordsMake')}</button>}
        {words !== null && (
          <>
            <button class="button" onClick={() => saveFile('mashup.txt', new Blob([`${tell('wordsFile', now.name, location.origin)}\n\n${text}\n`], { type: 'text/plain' }))}>{tell('save')}</button>
            <CopyButton text={text} />
          </>
        )}
      </div>
    </Part>
  );
}

/** The password: none, one, another. */
function Password({ now }: { now: AccountMessage }) {
  const [password, setText] = useState('');
  const [told, setTold] = useState('');
  const doing = useDoing();
  const change = (wanted: string | undefined) => doing.run(async () => {
    setTold('');
    await setPassword(wanted);
    setText('');
    setTold(tell(wanted === undefined ? 'passwordGone' : 'passwordDone'));
  });
  return (
    <Part title={tell('passwordTitle')}>
      <p>{tell(now.password ? 'passwordSome' : 'passwordNone')}</p>
      <form class="stack" onSubmit={(event) => { event.preventDefault(); change(password); }}>
        <input class="visually-hidden" aria-hidden="true" tabIndex={-1} readOnly autocomplete="username" value={now.name} />
        <label class="field">
          <span>{tell('passwordNew')}</span>
          <input type="password" required maxLength={128} autocomplete="new-password" value={password} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <Trouble error={doing.error} />
        <div class="row">
          <button class="button" type="submit" disabled={doing.busy}>{tell(now.password ? 'passwordChange' : 'passwordSet')}</button>
          {now.password && <button class="button quiet" type="button" disabled={doing.busy} onClick={() => change(undefined)}>{tell('passwordRemove')}</button>}
          <span role="status">{told}</span>
        </div>
      </form>
    </Part>
  );
}

/** Who sees it, and everything that is kept of it. */
function Privacy({ now }: { now: AccountMessage }) {
  const doing = useDoing();
  return (
    <Part title={tell('privacyTitle')}>
      <PrivateSwitch value={now.private} />
      <Trouble error={doing.error} />
      <div class="row"><button class="button" disabled={doing.busy} onClick={() => doing.run(downloadData)}>{tell('download')}</button></div>
    </Part>
  );
}

/** An account for a program of one's own. */
function Bots({ onMade }: { onMade(name: string): void }) {
  const [name, setName] = useState('');
  const [token, setToken] = useState('');
  const doing = useDoing();
  const make = () => doing.run(async () => { setToken((await makeKey('bot', name.trim())).key); onMade(name); });
  return (
    <details class="panel">
      <summary>{tell('bots')}</summary>
      <form class="stack" onSubmit={(event) => { event.preventDefault(); make(); }}>
        <p>{tell('botsAbout')}</p>
        <label class="field">
          <span>{tell('botName')}</span>
          <input required maxLength={31} autocomplete="off" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <Trouble error={doing.error} />
        <div class="row"><button class="button" type="submit" disabled={doing.busy}>{tell('botMake')}</button></div>
        {token && (
          <>
            <label class="field">
              <span>{tell('botToken')}</span>
              <input class="link" readOnly value={token} onFocus={(event) => event.currentTarget.select()} />
            </label>
            <p role="status">{tell('botTokenAbout')}</p>
            <div class="row"><CopyButton text={token} /></div>
          </>
        )}
      </form>
    </details>
  );
}

/** Log out, here or elsewhere. Whoever would lose the account by that is asked first. */
function LogOut({ now }: { now: AccountMessage }) {
  const [asking, ask] = useState(false);
  const [told, setTold] = useState('');
  const doing = useDoing();
  const out = () => doing.run(() => logOut(false));
  return (
    <Part title={tell('logoutTitle')}>
      <p>{now.devices > 1 ? tell('devices', now.devices) : tell('oneDevice')}</p>
      {asking && <p class="notice warn" role="alert">{tell('logoutLast')}</p>}
      <Trouble error={doing.error} />
      <div class="row">
        {asking
          ? <><button class="button" onClick={() => ask(false)}>{tell('cancel')}</button><button class="button danger" disabled={doing.busy} onClick={out}>{tell('logoutAnyway')}</button></>
          : <button class="button" disabled={doing.busy} onClick={() => (isLast(now) ? ask(true) : out())}>{tell('logoutHere')}</button>}
        <button class="button quiet" disabled={doing.busy} onClick={() => doing.run(async () => { await logOut(true); setTold(tell('othersOut')); })}>{tell('logoutOthers')}</button>
      </div>
      <p role="status">{told}</p>
    </Part>
  );
}

/** Delete, after the name was typed. */
function Delete({ name, onDeleted }: { name: string; onDeleted(): void }) {
  const [typed, setTyped] = useState('');
  const doing = useDoing();
  return (
    <details class="panel">
      <summary>{tell('deleteTitle')}</summary>
      <form class="stack" onSubmit={(event) => { event.preventDefault(); doing.run(async () => { await deleteAccount(typed); onDeleted(); }); }}>
        <p>{tell('deleteAbout')}</p>
        <label class="field">
          <span>{tell('deleteType', name)}</span>
          <input autocomplete="off" autocapitalize="none" spellcheck={false} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <Trouble error={doing.error} />
        <div class="row"><button class="button danger" type="submit" disabled={doing.busy || typed.trim() !== name}>{tell('deleteDo')}</button></div>
      </form>
    </details>
  );
}

/** For a guest: take a name, or log in. */
function Guest({ away }: { away: boolean }) {
  return (
    <>
      <p>{tell('guest')}</p>
      {away && <p class="notice warn" role="status">{tell('offlineGuest')}</p>}
      <Part title={tell('claimTitle')}>
        <p>{tell('why')}</p>
        <NameForm first />
      </Part>
      <LoginForms />
    </>
  );
}

/** For who has an account. */
function Own({ now, onDeleted }: { now: AccountMessage; onDeleted(): void }) {
  const [made, setMade] = useState('');
  return (
    <>
      {isLast(now) && <p class="notice warn">{tell('keepNow')}</p>}
      <h2 class="display">{tell('keepTitle')}</h2>
      <OtherDevice />
      <Words now={now} />
      <Password now={now} />
      <Privacy now={now} />
      <Notices />
      <Vacation />
      <Part title={tell('renameTitle')}><NameForm first={false} /></Part>
      <LogOut now={now} />
      <Known again={made} />
      <Bots onMade={setMade} />
      <Delete name={now.name} onDeleted={onDeleted} />
    </>
  );
}

/** The account of this device, or how to get one. */
export function AccountScreen() {
  const [deleted, setDeleted] = useState(false);
  const [away, setAway] = useState(false);
  const doing = useDoing();
  const name = account.value?.name ?? '';
  const now = accountNow.value;
  const look = () => doing.run(async () => {
    await fetch('/readyz', { cache: 'no-store' }).then(() => setAway(false), () => setAway(true));
    if (account.value?.name) await refresh();
  });
  useEffect(look, [name]);
  return (
    <Screen title={tell('title')}>
      {deleted && !name && <p class="notice good" role="status">{tell('deleted')}</p>}
      {!isSecureContext && <p class="notice warn">{tell('insecure')}</p>}
      {name && <p class="lead row"><strong>{tell('loggedInAs', name)}</strong> <a href={href('player', name)}>{tell('toProfile')}</a></p>}
      {name && away && <p class="notice warn" role="status">{tell('offline')}</p>}
      {name && doing.error && !away ? <Trouble error={doing.error} /> : null}
      {name && (away || doing.error) ? <div class="row"><button class="button" disabled={doing.busy} onClick={look}>{tell('again')}</button></div> : null}
      {!name && <Guest away={away} />}
      {name && now && !away && <Own now={now} onDeleted={() => setDeleted(true)} />}
    </Screen>
  );
}

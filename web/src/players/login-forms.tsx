/* login-forms.tsx -- logging this device in: by recovery words, by name and password, or by the link of another device. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { account, accountNow, isLast } from '../account';
import { go, replace } from '../router';
import { Screen, Trouble, useDoing } from '../screens/parts';
import { tell } from '../texts/account';
import { enter, refresh } from './ask';
import { secretOf } from './recovery-words';

/** Eight words that were written down. */
function WordsForm() {
  const [text, setText] = useState('');
  const doing = useDoing();
  const submit = (event: Event) => {
    event.preventDefault();
    doing.run(async () => {
      const typed = secretOf(text);
      if ('wrong' in typed) throw new Error(tell('wordWrong', typed.wrong));
      if ('count' in typed) throw new Error(tell('wordsCount', typed.count));
      await enter({ code: typed.secret });
    });
  };
  return (
    <form class="stack" onSubmit={submit}>
      <h3>{tell('byWords')}</h3>
      <label class="field">
        <span>{tell('words')}</span>
        <textarea rows={2} required autocomplete="off" autocapitalize="none" spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <Trouble error={doing.error} />
      <div class="row"><button class="button" type="submit" disabled={doing.busy}>{tell('logIn')}</button></div>
    </form>
  );
}

/** Name and password. */
function PasswordForm() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const doing = useDoing();
  return (
    <form class="stack" onSubmit={(event) => { event.preventDefault(); doing.run(() => enter({ name, password })); }}>
      <h3>{tell('byPassword')}</h3>
      <div class="fields">
        <label class="field">
          <span>{tell('name')}</span>
          <input required maxLength={31} autocomplete="username" autocapitalize="none" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{tell('password')}</span>
          <input required type="password" maxLength={128} autocomplete="current-password" value={password} onInput={(event) => setPassword(event.currentTarget.value)} />
        </label>
      </div>
      <Trouble error={doing.error} />
      <div class="row"><button class="button" type="submit" disabled={doing.busy}>{tell('logIn')}</button></div>
    </form>
  );
}

/** The ways into an account that exists. */
export function LoginForms() {
  return (
    <details class="panel">
      <summary>{tell('have')}</summary>
      <div class="stack">
        <p>{tell('haveLink')}</p>
        <WordsForm />
        <PasswordForm />
      </div>
    </details>
  );
}

/** A link of another device was opened. The secret leaves the address at once, and nothing is done before the person says so: whoever sends
 * somebody a link must not log them in by that alone. */
export function LoginScreen({ code }: { code: string }) {
  const kept = useRef('');
  const doing = useDoing();
  const name = account.value?.name;
  if (code) kept.current = code;
  useLayoutEffect(() => { if (code) replace('login'); }, [code]);
  useEffect(() => { if (name) void refresh().catch(() => undefined); }, []);
  const secret = kept.current;
  const complete = /^[0-9a-f]{32}$/.test(secret);
  return (
    <Screen title={tell('loginTitle')}>
      {!complete && <p class="notice warn" role="alert">{tell('loginBroken')}</p>}
      {complete && <p>{tell('loginAsk')}</p>}
      {complete && name && <p class="notice warn">{tell('loginInstead', name)} {isLast(accountNow.value) && tell('logoutLast')}</p>}
      <Trouble error={doing.error} />
      <div class="row">
        {complete && <button class="button primary big" disabled={doing.busy}
          onClick={() => doing.run(async () => { await enter({ code: secret }); go('settings', 'account'); })}>{tell('logIn')}</button>}
        <a class="button quiet" href="#/settings/account">{complete ? tell('cancel') : tell('title')}</a>
      </div>
    </Screen>
  );
}

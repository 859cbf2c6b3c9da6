/* parts.tsx -- small pieces that several screens use. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { accountName } from '../account';
import { gamePage } from '../games';
import { isNew, markKnown } from '../lesson/known';
import { go, href } from '../router';
import { sentences } from '../session';
import { settings } from '../settings';
import { howToFor } from '../texts/howto';
import { t } from '../texts/texts';
import { turnsWaiting } from '../turns';
import { PlayerName } from './player-name';

/** A screen with a headline; the headline gets the focus when the screen comes, so that readers say where one is. */
export function Screen({ title, children, wide = false }: { title: string; children: ComponentChildren; wide?: boolean }) {
  const waiting = turnsWaiting();
  useLayoutEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Mashup`;
  }, [title, waiting]);
  return (
    <main id="content" class={`page screen stack${wide ? ' wide' : ''}`} tabIndex={-1}>
      <h1 class="display">{title}</h1>
      {children}
    </main>
  );
}

/** What went wrong, for everybody to hear. */
export function Trouble({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <div class="notice bad" role="alert">
      {sentences(error).map((sentence) => <p>{sentence}</p>)}
    </div>
  );
}

/** A part of the page could not be loaded: why, and how to try again. */
export function Unloaded({ error }: { error: unknown }) {
  return (
    <Screen title={t('app.failed')}>
      <Trouble error={error} />
      <button class="button" onClick={() => location.reload()}>{t('arena.reload')}</button>
    </Screen>
  );
}

/** Something is being opened, usually a match; if that fails, why, and the way home. */
export function Opening({ error, title = t(error ? 'table.failed' : 'table.opening') }: { error: unknown; title?: string }) {
  return (
    <Screen title={title}>
      <Trouble error={error} />
      {error !== undefined && error !== null && <a class="button" href="#/">{t('app.home')}</a>}
    </Screen>
  );
}

/** What a promise has become. */
export function usePromise<T>(make: () => Promise<T>, on: unknown[]): { value?: T; error?: unknown } {
  const [state, set] = useState<{ value?: T; error?: unknown }>({});
  useEffect(() => {
    let live = true;
    set({});
    make().then((value) => live && set({ value }), (error: unknown) => live && set({ error }));
    return () => { live = false; };
  }, on);
  return state;
}

/** Does something that may fail; while it runs `busy` is true. */
export function useDoing(): { busy: boolean; error: unknown; run(what: () => Promise<void>): void } {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  return {
    busy,
    error,
    run(what) {
      setBusy(true);
      setError(null);
      what().catch(setError).finally(() => setBusy(false));
    },
  };
}

/** A choice among a few, as a labelled list. */
export function Choice<T extends string | number>({ label, value, all, onChoose }:
  { label: string; value: T; all: [T, string][]; onChoose(value: T): void }) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={String(value)} onChange={(event) => onChoose(all[event.currentTarget.selectedIndex]![0])}>
        {all.map(([key, text]) => <option value={String(key)}>{text}</option>)}
      </select>
    </label>
  );
}

/** A table by its code, as it is told on the phone or read from a screen. */
export function CodeForm({ label, children }: { label: string; children?: ComponentChildren }) {
  const [code, set] = useState('');
  return (
    <form class="row code-form" onSubmit={(event) => { event.preventDefault(); if (code.trim()) go('join', code.trim()); }}>
      <label class="field grow">
        <span>{label}</span>
        <input name="code" autocomplete="off" autocapitalize="none" spellcheck={false} placeholder="abcd-efgh-jkmn" value={code}
          onInput={(event) => set(event.currentTarget.value)} />
      </label>
      <button class="button" type="submit">{t('watch.go')}</button>
      {children}
    </form>
  );
}

/** A switch. */
export function Switch({ label, value, disabled = false, onChange }: { label: string; value: boolean; disabled?: boolean; onChange(value: boolean): void }) {
  return (
    <label class="switch">
      <input type="checkbox" checked={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** The person's name, asked for where it is needed and kept. */
export function NameField() {
  const name = accountName();
  if (name)
    return (
      <div class="field">
        <span>{t('name.label')}</span>
        <p><PlayerName name={name} account /> · <a href={href('settings', 'account')}>{t('account.manage')}</a></p>
      </div>
    );
  return (
    <label class="field">
      <span>{t('name.label')}</span>
      <input name="name" autocomplete="nickname" maxLength={24} value={settings.name.value}
        placeholder={t('name.person', { n: 1 })}
        onInput={(event) => { settings.name.value = event.currentTarget.value; }} />
      <small class="soft">{t('name.hint')}</small>
    </label>
  );
}

/** Offers the lesson of a game to who has never played it; `always`: to everybody. */
export function LearnLink({ game, title, always = false }: { game: string; title: string; always?: boolean }) {
  if (!gamePage(game)?.lesson || !(always || isNew(game))) return null;
  return (
    <a class="learn above" href={href('learn', game)} aria-label={t('lesson.of', { game: title })}>
      {t('lesson.do')}
    </a>
  );
}

/** A game in a minute: the goal and what to do. */
export function HowToWords({ game }: { game: string }) {
  const howto = howToFor(game);
  if (!howto) return null;
  return (
    <>
      <p class="lead"><b>{t('howto.goal')}:</b> {howto.goal}</p>
      <ol class="howto-steps">{howto.steps.map((step) => <li>{step}</li>)}</ol>
    </>
  );
}

/** The same for who does not know the game yet, before the clock of a match online runs; it is not shown again then. */
export function FirstTime({ game, title }: { game: string; title: string }) {
  const first = useMemo(() => isNew(game), [game]);
  useEffect(() => markKnown(game), [game]);
  if (!first) return null;
  return (
    <section class="panel stack" aria-label={title}>
      <HowToWords game={game} />
      <LearnLink game={game} title={title} always />
    </section>
  );
}

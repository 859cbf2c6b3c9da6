/* waiting.tsx -- the waiting room of a table: the link for a friend, with its QR code. */
import { useState } from 'preact/hooks';
import { go, href } from '../router';
import { closeTable, playMeanwhile } from '../session';
import { level } from '../settings';
import type { Table } from '../table/table';
import { t } from '../texts/texts';
import { FirstTime, Screen, Trouble, useDoing, usePromise } from './parts';
import { GamePicture } from './pictures';

/** Names of this machine that mean nothing to others. */
const ONLY_HERE = /^(localhost|127\.|\[::1\])/;

/** A QR code, drawn here by what comes with a later load; until then its place is kept. */
export function QrCode({ text, label = t('wait.qr') }: { text: string; label?: string }) {
  const { value } = usePromise(async () => (await import('uqr')).encode(text, { border: 1 }), [text]);
  const { data, size } = value ?? { data: [], size: 1 };
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <div class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <path d={path} fill="currentColor" />
      </svg>
    </div>
  );
}

/** The link for a friend, with its QR code. */
function Invitation({ code, game }: { code: string; game: string }) {
  const [copied, setCopied] = useState(false);
  const link = `${location.origin}/${href('join', code, game)}`;
  const copy = () => navigator.clipboard?.writeText(link).then(() => setCopied(true), () => setCopied(false));
  const share = () => void navigator.share({ title: 'Mashup', url: link }).catch(() => {});
  return (
    <>
      <p>{t('wait.invite')}</p>
      <QrCode text={link} />
      <label class="field">
        <span class="visually-hidden">{t('wait.copy')}</span>
        <input class="link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <p class="soft small">{t('wait.or', { code })}</p>
      {ONLY_HERE.test(location.hostname) && <p class="notice warn small">{t('wait.onlyHere')}</p>}
      <div class="row">
        {navigator.clipboard && <button class="button primary" onClick={copy}>{t('wait.copy')}</button>}
        {'share' in navigator && <button class="button" onClick={share}>{t('wait.share')}</button>}
        <span role="status">{copied ? t('wait.copied') : ''}</span>
      </div>
    </>
  );
}

/** Three dots that blink in turn while somebody is looked for. */
function Searching() {
  return (
    <div class="searching panel">
      <p class="blinking" aria-hidden="true">
        {Array.from({ length: 3 }, () => <i />)}
      </p>
      <p role="status">{t('wait.quick')}</p>
    </div>
  );
}

/** Shown while a seat is free. */
export function WaitingRoom({ table }: { table: Table }) {
  const { code, title, quick, game, preset, spectatorsSeeHidden, noTips, phrasesOnly, fromTurn, rated, days } = table.about.value;
  const custom = preset === undefined;
  const doing = useDoing();
  return (
    <Screen title={t('wait.title')}>
      <div class="row setup-head"><GamePicture game={game} /><p class="lead grow">{title}</p></div>
      {spectatorsSeeHidden && <p class="notice warn">{t('match.glass')}</p>}
      {rated && <p class="notice">{t('rated.label')}: {t('rated.about')}</p>}
      {noTips && !rated && <p class="notice">{t('match.noTips')}</p>}
      {fromTurn !== undefined && <p class="notice">{t('match.fromTurn', { n: fromTurn })}</p>}
      {phrasesOnly && <p class="notice">{t('match.phrases')}</p>}
      {quick ? <Searching /> : <Invitation code={code} game={game} />}
      {days !== undefined && <p class="notice">{t('days.wait')}</p>}
      <FirstTime game={game} title={title} />
      <Trouble error={doing.error} />
      <div class="row">
        {custom || fromTurn !== undefined || <button class="button" disabled={doing.busy} onClick={() => doing.run(() => playMeanwhile(level.value))}>{t('wait.meanwhile')}</button>}
        <a class="button quiet" href={href('rules', game)}>{t('start.rules')}</a>
        <button class="button quiet" onClick={() => { closeTable(true); go('game', game); }}>{t('wait.cancel')}</button>
      </div>
    </Screen>
  );
}

/* dialog.tsx -- a modal box, and the boxes of the match: sure?, how to play, keys, the menu. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { gamePage } from '../../games';
import type { Table } from '../../table/table';
import { LANGUAGES, language, setLanguage, type Language } from '../../texts/language';
import { say, type MatchText } from '../../texts/match';
import { t } from '../../texts/texts';
import { assign, keyLabel, keyName, usualKeys, type KeyAction, type Keys } from '../input/keys';
import { AlertSettings } from '../../screens/alerts';
import { HowToWords } from '../../screens/parts';
import { setSpeed, speedNow, speeds } from '../input/animation-speed';

/** A modal box with a title. Esc and the cross close it. */
export function Dialog({
  title,
  onClose,
  children,
  foot,
  wide,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  foot?: ComponentChildren;
  wide?: boolean;
}) {
  const box = useRef<HTMLDialogElement>(null);
  /* Open as soon as it is there: the first key is the box's. */
  useLayoutEffect(() => {
    const { current } = box;
    if (current && !current.open) current.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog${wide ? ' wide' : ''}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button
          type="button"
          class="button quiet small square"
          aria-label={say('close')}
          onClick={onClose}
        >
          ✕
        </button>
      </header>
      <div class="body stack">{children}</div>
      {foot && <footer>{foot}</footer>}
    </dialog>
  );
}

/** Asks before something that cannot be taken back. */
export function Sure({
  title,
  text,
  yes,
  no,
  onYes,
  onClose,
}: {
  title: string;
  text: string;
  yes: string;
  no: string;
  onYes: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <button type="button" class="button" onClick={onClose}>
            {no}
          </button>
          <button type="button" class="button danger" onClick={onYes}>
            {yes}
          </button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}

/** The game in a minute. */
export function HowTo({
  game,
  title,
  onClose,
}: {
  game: string;
  title: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <button type="button" class="button primary" onClick={onClose}>
          {say('gotIt')}
        </button>
      }
    >
      <HowToWords game={game} />
      <p class="row">
        <a href={`/#/rules/${game}`} target="_blank" rel="noopener">
          {say('rules')}
        </a>
        {gamePage(game)?.lesson && (
          <a href={`/#/learn/${game}`} target="_blank" rel="noopener">
            {t('lesson.do')}
          </a>
        )}
      </p>
    </Dialog>
  );
}

/** The hotkeys, each of which can be changed. */
export function KeysDialog({
  keys,
  onChange,
  onHow,
  onClose,
}: {
  keys: Keys;
  onChange: (keys: Keys) => void;
  /** How to play is asked for instead. */
  onHow: () => void;
  onClose: () => void;
}) {
  const [waiting, setWaiting] = useState<KeyAction | null>(null);
  /* With the words that ask for a key, not after them: the very next key is the one that is meant. */
  useLayoutEffect(() => {
    if (!waiting) return undefined;
    const listen = (event: KeyboardEvent) => {
      const name = keyName(event);
      if (name === '') return;
      event.preventDefault();
      event.stopPropagation();
      onChange(assign(keys, waiting, name));
      setWaiting(null);
    };
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, [waiting, keys]);
  return (
    <Dialog
      title={say('keys')}
      onClose={onClose}
      foot={
        <>
          <button type="button" class="button" onClick={onHow}>
            {say('howTo')}
          </button>
          <button type="button" class="button" onClick={() => onChange({ ...usualKeys })}>
            {say('keysReset')}
          </button>
          <button type="button" class="button primary" onClick={onClose}>
            {say('close')}
          </button>
        </>
      }
    >
      <p>
        {say('keysHow', ...(['next-unit', 'action-1', 'action-9', 'cursor-next', 'act', 'end-turn'] as const).map((action) => keyLabel(keys[action])))}
      </p>
      <p>{say('keysAsk')}</p>
      <p class="soft">{say('keysText')}</p>
      <dl class="keys">
        {(Object.keys(usualKeys) as KeyAction[]).map((action) => {
          const name = say(`key-${action}` as MatchText);
          const shown = waiting === action ? say('keyPress') : keyLabel(keys[action]);
          return (
            <div>
              <dt>{name}</dt>
              <dd>
                <button
                  type="button"
                  class="button small"
                  data-key={action}
                  aria-label={`${name}: ${shown}`}
                  onClick={() => setWaiting(action)}
                >
                  {waiting === action ? shown : <kbd>{shown}</kbd>}
                </button>
              </dd>
            </div>
          );
        })}
      </dl>
    </Dialog>
  );
}

/** What the menu opens. */
export type MenuChoice = 'pause' | 'draw' | 'resign' | 'keys' | 'how' | 'conduct' | 'leave';

/** The menu of the match. */
export function MenuDialog({
  table,
  onChoose,
  onClose,
}: {
  table: Table;
  onChoose: (selection: MenuChoice) => void;
  onClose: () => void;
}) {
  const position = table.position.value;
  const seated = table.you.value !== null && table.kind !== 'replay' && !table.lesson;
  const running = table.state.value === 'running' && !table.result.value;
  const mine = seated && position?.awaited.includes(table.you.value as 0 | 1);
  const Item = ({
    choice: selection,
    text,
    danger,
    not,
  }: {
    choice: MenuChoice;
    text: string;
    danger?: boolean;
    /** Why it cannot be chosen now. */
    not?: string | undefined;
  }) => (
    <button
      type="button"
      class={`button${danger ? ' danger' : ''}`}
      disabled={not !== undefined}
      onClick={() => onChoose(selection)}
    >
      {text}
      {not !== undefined && <small> ({not})</small>}
    </button>
  );
  return (
    <Dialog title={table.about.value.title} onClose={onClose}>
      <div class="menu-items">
        <Item choice="how" text={say('howTo')} />
        <Item choice="keys" text={say('keys')} />
        {running && seated && table.about.value.pause_ms > 0 && (
          <Item choice="pause" text={say(table.paused.value ? 'goOn' : 'pause')} />
        )}
        {running && seated && (
          <Item choice="draw" text={say('drawOffer')} not={position?.draw !== null ? say('drawPending') : mine ? undefined : say('drawNotNow')} />
        )}
        {table.kind === 'online' && table.players.value.some(({ seat, role }) => role === 'person' && seat !== table.you.value) && (
          <Item choice="conduct" text={say('conduct')} />
        )}
        {running && seated && <Item choice="resign" text={say('resign')} danger />}
        <Item choice="leave" text={say('leave')} danger={running && seated} />
      </div>
      <div class="field">
        <span id="speed-name">{say('speed')}</span>
        <div class="segments" role="group" aria-labelledby="speed-name">
          {speeds.map((one) => (
            <button
              type="button"
              aria-pressed={speedNow() === one.speed}
              onClick={() => setSpeed(one.speed)}
            >
              {say(one.text)}
            </button>
          ))}
        </div>
      </div>
      <div class="field">
        <span id="language-name">{t('settings.language')}</span>
        <div class="segments" role="group" aria-labelledby="language-name">
          {(Object.keys(LANGUAGES) as Language[]).map((one) => (
            <button
              type="button"
              lang={one}
              aria-pressed={language.value === one}
              onClick={() => setLanguage(one)}
            >
              {LANGUAGES[one]}
            </button>
          ))}
        </div>
      </div>
      <AlertSettings />
      {seated && (
        <label class="switch">
          <input
            type="checkbox"
            checked={table.tipsOn.value}
            disabled={table.tipsForbidden.value}
            onChange={(event) => table.setTips(event.currentTarget.checked)}
          />{' '}
          {say('tipsOn')}
        </label>
      )}
      {table.tipsForbidden.value && <p class="soft small">{t('match.noTips')}</p>}
    </Dialog>
  );
}
